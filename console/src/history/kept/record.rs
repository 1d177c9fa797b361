//! The records of a kept history, and their bytes, which may be anything when they are read.

use super::{KeptBranch, MAGIC, Unreadable};
use crate::history::journal::{Entry, Journal};
use crate::history::{Damage, Image, PowerLoss, Step};
use levelscope::Identity;
use levelscope::internals::coding::{Reader, crc32, put_length_prefixed};
use levelscope::storage::Crash;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// One record. Images and earlier journals are numbered in the order of their records.
#[derive(Serialize, Deserialize)]
pub(super) enum Record<'a> {
    /// The files that journals begin with.
    Image { identity: Option<[u8; 16]>, files: Cow<'a, [(String, Vec<u8>)]> },
    /// The journal of a time before that of a branch.
    Earlier(Inputs<'a>),
    /// A branch; it replaces one with the same number.
    Branch(Begun<'a>),
    /// One more input of a branch.
    Entry(usize, Cow<'a, Entry>),
    /// The last input of a branch, which has grown.
    Last(usize, Cow<'a, Entry>),
    /// All flipped bytes of a branch.
    Damaged(usize, Vec<Flipped>),
    /// Why nothing more of a branch is recorded.
    Ended(usize, Cow<'a, str>),
    /// A branch that is gone.
    Dropped(usize),
}

/// A journal whose files and earlier journal have these numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Inputs<'a> {
    image: usize,
    first: Step,
    before: Option<usize>,
    crash: Option<Rule>,
    ended: Option<Cow<'a, str>>,
    entries: Cow<'a, [Entry]>,
}

/// A branch with its journal.
#[derive(Serialize, Deserialize)]
pub(super) struct Begun<'a> {
    id: usize,
    name: Cow<'a, str>,
    parent: Option<usize>,
    forked_at: Option<Step>,
    crash: Option<(Step, Cow<'a, str>)>,
    damaged: Vec<Flipped>,
    journal: Inputs<'a>,
}

/// File, offset, mask, value and step of a [`Damage`].
type Flipped = (String, u64, u8, u8, Step);

#[derive(Serialize, Deserialize)]
struct Rule(#[serde(with = "CrashRule")] Crash);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Crash")]
enum CrashRule {
    KeepAll,
    KeepSynced,
    Random(u64),
}

impl<'a> Record<'a> {
    pub(super) fn image(image: &'a Image) -> Self {
        let identity = image.identity().map(Identity::bytes);
        Self::Image { identity, files: image.files().into() }
    }

    pub(super) fn damaged(branch: &KeptBranch) -> Self {
        Self::Damaged(branch.id, flipped(&branch.damaged))
    }

    pub(super) fn branch(branch: &'a KeptBranch, image: usize, before: Option<usize>) -> Self {
        let loss = branch.crash.as_ref();
        Self::Branch(Begun {
            id: branch.id,
            name: branch.name.as_str().into(),
            parent: branch.parent,
            forked_at: branch.forked_at,
            crash: loss.map(|loss| (loss.recovered, loss.sentence.as_str().into())),
            damaged: flipped(&branch.damaged),
            journal: Inputs::of(&branch.journal, image, before),
        })
    }

    /// Appends its length, its checksum and its bytes.
    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        let payload = bytes(self);
        out.extend_from_slice(&u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend_from_slice(&crc32(&[&payload]).to_le_bytes());
        out.extend_from_slice(&payload);
    }
}

impl<'a> Inputs<'a> {
    pub(super) fn of(journal: &'a Journal, image: usize, before: Option<usize>) -> Self {
        Self {
            image,
            first: journal.first,
            before,
            crash: journal.rule().map(Rule),
            ended: journal.ended().map(Cow::from),
            entries: journal.entries().into(),
        }
    }
}

/// The bytes of a record, or of a part of one.
pub(super) fn bytes(value: &impl Serialize) -> Vec<u8> {
    // Only a length that is not known beforehand is refused, and no part here has one.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Appends what stands before all records.
pub(super) fn begin(out: &mut Vec<u8>, version: &str) {
    out.extend_from_slice(MAGIC);
    put_length_prefixed(out, version.as_bytes());
}

fn flipped(all: &[Damage]) -> Vec<Flipped> {
    let one = |damage: &Damage| {
        (damage.file.clone(), damage.offset, damage.mask, damage.value, damage.step)
    };
    all.iter().map(one).collect()
}

fn damaged(all: Vec<Flipped>) -> Vec<Damage> {
    let one = |(file, offset, mask, value, step)| Damage { file, offset, mask, step, value };
    all.into_iter().map(one).collect()
}

/// See [`super::read`]. A record that was cut off is the end: the program ended while it wrote it.
pub(super) fn branches(bytes: &[u8], version: &str) -> Result<Vec<KeptBranch>, Unreadable> {
    if bytes.is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut reader = Reader::new(bytes);
    if reader.bytes(MAGIC.len()) != Some(MAGIC) {
        return Err(Unreadable::Damaged(0));
    }
    let by = reader.varint().and_then(|length| reader.bytes(usize::try_from(length).ok()?));
    match by {
        Some(by) if by == version.as_bytes() => {}
        Some(_) => return Err(Unreadable::OtherVersion),
        None => return Err(Unreadable::Damaged(reader.position())),
    }
    let mut records = RecordReader::default();
    loop {
        let start = reader.position();
        let (Some(length), Some(checksum)) = (reader.u32(), reader.u32()) else { break };
        let Some(payload) = reader.bytes(length as usize) else { break };
        let record = || {
            let is_whole = crc32(&[payload]) == checksum;
            let (record, rest) = is_whole.then(|| postcard::take_from_bytes(payload).ok())??;
            rest.is_empty().then_some(record)
        };
        record().and_then(|record| records.take(record)).ok_or(Unreadable::Damaged(start))?;
    }
    Ok(records.branches)
}

/// Branches that the records so far make up.
#[derive(Default)]
struct RecordReader {
    images: Vec<Arc<Image>>,
    journals: Vec<Arc<Journal>>,
    branches: Vec<KeptBranch>,
}

impl RecordReader {
    /// Takes one record; `None`: it refers to an image or a journal that no record has brought.
    fn take(&mut self, record: Record<'_>) -> Option<()> {
        match record {
            Record::Image { identity, files } => {
                let image = Image::new(identity.map(Identity::from_bytes), files.into_owned());
                self.images.push(Arc::new(image));
            }
            Record::Earlier(journal) => {
                let journal = self.journal(journal)?;
                self.journals.push(Arc::new(journal));
            }
            Record::Branch(begun) => {
                let branch = KeptBranch {
                    id: begun.id,
                    name: begun.name.into_owned(),
                    parent: begun.parent,
                    forked_at: begun.forked_at,
                    crash: begun.crash.map(|(recovered, sentence)| PowerLoss {
                        recovered,
                        sentence: sentence.into_owned(),
                    }),
                    damaged: damaged(begun.damaged),
                    journal: Arc::new(self.journal(begun.journal)?),
                };
                self.branches.retain(|known| known.id != branch.id);
                self.branches.push(branch);
            }
            Record::Entry(id, entry) => self.inputs(id)?.append(entry.into_owned()),
            Record::Last(id, entry) => self.inputs(id)?.replace_last(entry.into_owned())?,
            Record::Damaged(id, all) => self.branch(id)?.damaged = damaged(all),
            Record::Ended(id, why) => self.inputs(id)?.stop(&why),
            Record::Dropped(id) => self.branches.retain(|branch| branch.id != id),
        }
        Some(())
    }

    fn branch(&mut self, id: usize) -> Option<&mut KeptBranch> {
        self.branches.iter_mut().find(|branch| branch.id == id)
    }

    fn inputs(&mut self, id: usize) -> Option<&mut Journal> {
        Some(Arc::make_mut(&mut self.branch(id)?.journal))
    }

    fn journal(&self, inputs: Inputs<'_>) -> Option<Journal> {
        let base = Arc::clone(self.images.get(inputs.image)?);
        let before = match inputs.before {
            Some(number) => Some(Arc::clone(self.journals.get(number)?)),
            None => None,
        };
        let crash = inputs.crash.map(|Rule(crash)| crash);
        let mut journal = Journal::restored(base, inputs.first, before, crash);
        inputs.entries.into_owned().into_iter().for_each(|entry| journal.append(entry));
        if let Some(why) = inputs.ended {
            journal.stop(&why);
        }
        Some(journal)
    }
}
