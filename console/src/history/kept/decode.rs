//! A history out of its bytes, which may be anything.

use super::super::journal::{Entry, Input, Journal};
use super::super::{Damage, Image, PowerLoss, Stopped};
use super::encode::{input, kind};
use super::{KeptBranch, MAGIC, Unreadable};
use levelscope::internals::coding::{Reader, crc32};
use levelscope::storage::{Crash, FileName};
use levelscope::{Identity, Options};
use std::sync::Arc;

/// What the records have told so far.
#[derive(Default)]
struct Told {
    images: Vec<Arc<Image>>,
    journals: Vec<Arc<Journal>>,
    branches: Vec<KeptBranch>,
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
    match text(&mut reader) {
        Some(by) if by == version => {}
        Some(_) => return Err(Unreadable::OtherVersion),
        None => return Err(Unreadable::Damaged(reader.position())),
    }
    let mut told = Told::default();
    loop {
        let start = reader.position();
        let (Some(length), Some(checksum)) = (reader.u32(), reader.u32()) else { break };
        let Some(payload) = reader.bytes(length as usize) else { break };
        let mut record = Reader::new(payload);
        if crc32(&[payload]) != checksum || told.record(&mut record).is_none() || !record.is_empty()
        {
            return Err(Unreadable::Damaged(start));
        }
    }
    Ok(told.branches)
}

impl Told {
    /// Takes one record; `None`: it is none.
    fn record(&mut self, from: &mut Reader) -> Option<()> {
        match from.u8()? {
            kind::IMAGE => self.images.push(Arc::new(image(from)?)),
            kind::JOURNAL => {
                let journal = self.journal(from)?;
                self.journals.push(Arc::new(journal));
            }
            kind::BRANCH => {
                let branch = self.begun(from)?;
                self.branches.retain(|known| known.id != branch.id);
                self.branches.push(branch);
            }
            kind::ENTRY => {
                let branch = self.branch(from)?;
                Arc::make_mut(&mut branch.journal).append(entry(from)?);
            }
            kind::LAST => {
                let branch = self.branch(from)?;
                Arc::make_mut(&mut branch.journal).replace_last(entry(from)?)?;
            }
            kind::DAMAGED => {
                let branch = self.branch(from)?;
                branch.damaged = damaged(from)?;
            }
            kind::ENDED => {
                let branch = self.branch(from)?;
                Arc::make_mut(&mut branch.journal).stop(text(from)?);
            }
            kind::DROPPED => {
                let id = number(from)?;
                self.branches.retain(|branch| branch.id != id);
            }
            _ => return None,
        }
        Some(())
    }

    fn branch(&mut self, from: &mut Reader) -> Option<&mut KeptBranch> {
        let id = number(from)?;
        self.branches.iter_mut().find(|branch| branch.id == id)
    }

    fn begun(&self, from: &mut Reader) -> Option<KeptBranch> {
        Some(KeptBranch {
            id: number(from)?,
            name: text(from)?.to_owned(),
            parent: optional(from, number)?,
            forked_at: optional(from, Reader::varint)?,
            crash: optional(from, |from| {
                let recovered = from.varint()?;
                Some(PowerLoss { recovered, sentence: text(from)?.to_owned() })
            })?,
            damaged: damaged(from)?,
            journal: Arc::new(self.journal(from)?),
        })
    }

    fn journal(&self, from: &mut Reader) -> Option<Journal> {
        let base = Arc::clone(self.images.get(number(from)?)?);
        let first = from.varint()?;
        let before = optional(from, number)?;
        let before = match before {
            Some(number) => Some(Arc::clone(self.journals.get(number)?)),
            None => None,
        };
        let rule = optional(from, crash)?;
        let ended = optional(from, text)?.map(str::to_owned);
        let mut journal = Journal::told(base, first, before, rule);
        for _ in 0..from.varint()? {
            journal.append(entry(from)?);
        }
        if let Some(why) = ended {
            journal.stop(&why);
        }
        Some(journal)
    }
}

fn image(from: &mut Reader) -> Option<Image> {
    let identity = optional(from, |from| from.bytes(16)?.try_into().ok().map(Identity::from_bytes));
    let identity = identity?;
    let mut files = Vec::new();
    for _ in 0..from.varint()? {
        let name = text(from)?.to_owned();
        let length = number(from)?;
        files.push((name, from.bytes(length)?.to_vec()));
    }
    Some(Image::new(identity, files))
}

fn damaged(from: &mut Reader) -> Option<Vec<Damage>> {
    let mut all = Vec::new();
    for _ in 0..from.varint()? {
        let (file, offset) = (text(from)?.to_owned(), from.varint()?);
        let (mask, value) = (from.u8()?, from.u8()?);
        all.push(Damage { file, offset, mask, value, step: from.varint()? });
    }
    Some(all)
}

fn entry(from: &mut Reader) -> Option<Entry> {
    let input = match from.u8()? {
        input::OPEN => Input::Open(Box::new(settings(from)?)),
        input::LINE => {
            let line = text(from)?.into();
            let stopped = optional(from, |from| {
                Some(Stopped { units: from.varint()?, calls: from.varint()? })
            })?;
            Input::Line { text: line, stopped }
        }
        input::WORK => Input::Work { count: from.varint()? },
        input::CLOSE => Input::Close,
        input::COMPLETE => Input::Complete { line: text(from)?.into(), cursor: number(from)? },
        input::DAMAGE => Input::Damage {
            file: FileName::parse(text(from)?)?,
            offset: from.varint()?,
            mask: from.u8()?,
        },
        _ => return None,
    };
    Some(Entry { input, after: from.varint()? })
}

fn settings(from: &mut Reader) -> Option<Options> {
    let mut options = Options::default();
    for _ in 0..from.varint()? {
        let (name, value) = (text(from)?, text(from)?);
        options.set(name, value).ok()?;
    }
    Some(options)
}

fn crash(from: &mut Reader) -> Option<Crash> {
    Some(match from.u8()? {
        0 => Crash::KeepAll,
        1 => Crash::KeepSynced,
        2 => Crash::Random(from.varint()?),
        _ => return None,
    })
}

fn text<'a>(from: &mut Reader<'a>) -> Option<&'a str> {
    let length = number(from)?;
    str::from_utf8(from.bytes(length)?).ok()
}

fn number(from: &mut Reader) -> Option<usize> {
    usize::try_from(from.varint()?).ok()
}

/// The outer `None`: it cannot be read.
#[allow(clippy::option_option, reason = "the inner one is what was written")]
fn optional<'a, T>(
    from: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Option<T>,
) -> Option<Option<T>> {
    match from.u8()? {
        0 => Some(None),
        1 => read(from).map(Some),
        _ => None,
    }
}
