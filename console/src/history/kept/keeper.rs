//! Writes the changes of all branches since the last call.

use super::record::{self, Inputs, Record};
use super::{KEPT_BYTES_MAX, KeptBranch};
use crate::history::{Image, Journal};
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes for the file of the history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryUpdate {
    /// Whether they replace the file; otherwise they are appended to it.
    pub anew: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The parts that are left out of a history that is too long; each case includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Omission {
    Nothing,
    /// The time before this session.
    Earlier,
    /// All branches but the first.
    Branches,
    All,
}

/// The written part of a branch.
struct WrittenBranch {
    id: usize,
    image: Arc<Image>,
    entries: usize,
    /// The last entry as written; the branch's own may have grown since.
    last: Vec<u8>,
    damaged: usize,
    ended: bool,
}

/// Writes histories, and remembers the written part of each.
pub(crate) struct Keeper {
    version: String,
    images: Vec<Arc<Image>>,
    journals: Vec<Arc<Journal>>,
    branches: Vec<WrittenBranch>,
    left: Omission,
    /// Length of the file \[bytes\]; 0: it begins anew.
    length: usize,
}

impl Keeper {
    /// A keeper for this `version` of the program, which has written nothing.
    pub(crate) fn new(version: String) -> Self {
        let (images, journals, branches) = (Vec::new(), Vec::new(), Vec::new());
        Self { version, images, journals, branches, left: Omission::Nothing, length: 0 }
    }

    /// Whether there is room for anything at all.
    pub(crate) fn keeps(&self) -> bool {
        self.left < Omission::All
    }

    /// The changes of `branches` since the last call; `None`: nothing changed.
    pub(crate) fn keep(&mut self, branches: &[KeptBranch]) -> Option<HistoryUpdate> {
        if self.length > 0 {
            let mut bytes = Vec::new();
            self.write(&mut bytes, branches);
            self.length += bytes.len();
            if self.length <= KEPT_BYTES_MAX {
                return (!bytes.is_empty()).then_some(HistoryUpdate { anew: false, bytes });
            }
        }
        // A first branch that is too long by itself need not be tried.
        let is_too_long = branches.iter().any(|branch| branch.id == 0 && !fits(&branch.journal));
        let first = if is_too_long { Omission::All } else { Omission::Nothing };
        for left in [Omission::Nothing, Omission::Earlier, Omission::Branches, Omission::All] {
            if left < first {
                continue;
            }
            let version = std::mem::take(&mut self.version);
            *self = Self { left, ..Self::new(version) };
            let mut bytes = Vec::new();
            record::begin(&mut bytes, &self.version);
            self.write(&mut bytes, branches);
            self.length = bytes.len();
            if self.length <= KEPT_BYTES_MAX / 2 || left == Omission::All {
                return Some(HistoryUpdate { anew: true, bytes });
            }
        }
        None
    }

    fn write(&mut self, out: &mut Vec<u8>, branches: &[KeptBranch]) {
        if self.left == Omission::All {
            return;
        }
        for known in &self.branches {
            if !branches.iter().any(|branch| branch.id == known.id) {
                Record::Dropped(known.id).append_to(out);
            }
        }
        self.branches.retain(|known| branches.iter().any(|branch| branch.id == known.id));
        for branch in branches {
            if branch.id == 0 || self.left < Omission::Branches && fits(&branch.journal) {
                self.branch(out, branch);
            }
        }
    }

    fn branch(&mut self, out: &mut Vec<u8>, branch: &KeptBranch) {
        let journal = &branch.journal;
        let entries = journal.entries();
        let position = self.branches.iter().position(|known| {
            known.id == branch.id
                && Arc::ptr_eq(&known.image, &journal.base)
                && known.entries <= entries.len()
        });
        let Some(position) = position else {
            self.branches.retain(|known| known.id != branch.id);
            self.begin(out, branch);
            return;
        };
        let Some(known) = self.branches.get_mut(position) else { return };
        let (written, new) = entries.split_at_checked(known.entries).unwrap_or_default();
        let last = record::bytes(&written.last());
        if let Some(entry) = written.last().filter(|_| last != known.last) {
            Record::Last(branch.id, Cow::Borrowed(entry)).append_to(out);
            known.last = last;
        }
        for entry in new {
            Record::Entry(branch.id, Cow::Borrowed(entry)).append_to(out);
        }
        if !new.is_empty() {
            (known.entries, known.last) = (entries.len(), record::bytes(&new.last()));
        }
        if branch.damaged.len() != known.damaged {
            Record::damaged(branch).append_to(out);
            known.damaged = branch.damaged.len();
        }
        if let Some(why) = journal.ended().filter(|_| !known.ended) {
            Record::Ended(branch.id, why.into()).append_to(out);
            known.ended = true;
        }
    }

    /// Writes down all of a branch.
    fn begin(&mut self, out: &mut Vec<u8>, branch: &KeptBranch) {
        let journal = &branch.journal;
        let before = journal.before().and_then(|before| self.earlier(out, before));
        let image = self.image(out, &journal.base);
        Record::branch(branch, image, before).append_to(out);
        self.branches.push(WrittenBranch {
            id: branch.id,
            image: Arc::clone(&journal.base),
            entries: journal.entries().len(),
            last: record::bytes(&journal.entries().last()),
            damaged: branch.damaged.len(),
            ended: journal.ended().is_some(),
        });
    }

    /// The number of an earlier journal, written down where it is not yet; `None`: it is left out.
    fn earlier(&mut self, out: &mut Vec<u8>, journal: &Arc<Journal>) -> Option<usize> {
        if self.left >= Omission::Earlier || !fits(journal) {
            return None;
        }
        let known = self.journals.iter().position(|known| Arc::ptr_eq(known, journal));
        if known.is_some() {
            return known;
        }
        // Not by recursion: there may be many.
        let mut chain = vec![journal];
        while let Some(before) = chain.last().and_then(|last| last.before()) {
            if !fits(before) || self.journals.iter().any(|known| Arc::ptr_eq(known, before)) {
                break;
            }
            chain.push(before);
        }
        for journal in chain.into_iter().rev() {
            let before = journal.before();
            let number = |before| self.journals.iter().position(|known| Arc::ptr_eq(known, before));
            let before = before.and_then(number);
            let image = self.image(out, &journal.base);
            Record::Earlier(Inputs::of(journal, image, before)).append_to(out);
            self.journals.push(Arc::clone(journal));
        }
        self.journals.len().checked_sub(1)
    }

    fn image(&mut self, out: &mut Vec<u8>, image: &Arc<Image>) -> usize {
        let known = self.images.iter().position(|known| Arc::ptr_eq(known, image));
        known.unwrap_or_else(|| {
            Record::image(image).append_to(out);
            self.images.push(Arc::clone(image));
            self.images.len() - 1
        })
    }
}

/// Whether a journal and the files that it begins with may be written at once.
fn fits(journal: &Journal) -> bool {
    let files = journal.base.files().iter().map(|(_, bytes)| bytes.len());
    files.fold(journal.bytes(), usize::saturating_add) <= KEPT_BYTES_MAX / 2
}
