//! `CURRENT`: what its slots say, and what opening makes of damage to them.

use super::frame::Frame;
use super::report::{Found, Severity};
use super::{Live, LiveDisk};
use crate::manifest::current::{self, SLOT_BYTES, Slot};
use crate::storage::{FileName, Storage, read_exactly};
use crate::{ErrorKind, Result};

/// What is wrong with a `CURRENT` without a valid slot.
pub(super) const NO_SLOT: &str =
    "neither of its slots is valid, so nothing says which manifest counts";

const NAME: FileName = FileName::Current;

/// The bytes of `CURRENT`, no more than its slots and one; `None` when there is no such file.
///
/// # Errors
/// Those of the storage.
pub(crate) fn read_current(storage: &dyn Storage) -> Result<Option<Vec<u8>>> {
    let file = match storage.open(NAME) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let length = usize::try_from(file.len()?).unwrap_or(usize::MAX).min(2 * SLOT_BYTES + 1);
    read_exactly(&*file, NAME, 0, length).map(Some)
}

/// Tells that `slot` is the only valid one, and counts: unless it is the first, another was there. Whether it told so.
pub(super) fn lost_slot(bytes: &[u8], slot: Slot, found: &mut Found) -> bool {
    let other = current::slot_offset(slot.epoch.wrapping_add(1));
    let place = usize::try_from(other).unwrap_or(usize::MAX);
    let unused = bytes.iter().skip(place).take(SLOT_BYTES).all(|byte| *byte == 0);
    let lost = !(unused && slot.epoch == 1);
    if lost {
        let what = "this slot is damaged, or writing it was interrupted: the other one counts";
        found.say(Severity::Warning, &NAME, other, what);
    }
    lost
}

impl Frame {
    /// Takes both slots of `CURRENT` apart.
    pub(super) fn slots(&mut self, bytes: &[u8], found: &mut Found) {
        let mut slots = Vec::new();
        for index in [0, 1] {
            match current::decode(bytes, index) {
                Ok(slot) => slots.extend(slot),
                Err(error) => found.error(NAME, current::slot_offset(index), error.message()),
            }
        }
        slots.sort_by_key(|slot| std::cmp::Reverse(slot.epoch));
        self.slot = slots.first().copied();
        self.previous = slots.get(1).copied();
        if let (Some(newest), Some(previous)) = (self.slot, self.previous) {
            if let Err(error) = current::require_one_identity(newest, previous) {
                found.error(NAME, error.offset(), error.message());
            }
            if previous.epoch + 1 != newest.epoch {
                let what = format!("epochs {} and {} do not follow", previous.epoch, newest.epoch);
                found.say(Severity::Warning, &NAME, None, what);
            }
        }
        if bytes.len() > 2 * SLOT_BYTES && self.slot.is_some() {
            let what = "the bytes after its slots are ignored";
            found.say(Severity::Note, &NAME, 2 * SLOT_BYTES as u64, what);
        }
    }

    /// Takes the `CURRENT` of an open database apart. When it does not name the manifest in use, it says what the
    /// next opening makes of that, and no slot counts: nothing can be called obsolete.
    pub(super) fn current_of_open(&mut self, live: &Live, disk: &LiveDisk, found: &mut Found) {
        let Some(bytes) = &disk.current else {
            found.error(NAME, None, format!("it does not exist: {}", without_slot(live, disk)));
            return;
        };
        found.read_whole(NAME, bytes.len() as u64);
        self.slots(bytes, found);
        let Some(slot) = self.slot else {
            found.error(NAME, 0, format!("{NO_SLOT}: {}", without_slot(live, disk)));
            return;
        };
        let in_use = disk.manifest.0;
        if slot.manifest == in_use {
            self.damaged_while_open = self.previous.is_none() && lost_slot(bytes, slot, found);
            return;
        }
        let (named, needed) = (FileName::Manifest(slot.manifest), FileName::Manifest(in_use));
        let (offset, what) = if self.previous.is_some() {
            let what = format!(
                "it names {named}, but {needed} is in use: the next opening goes by {named}"
            );
            (None, what)
        } else {
            // As `manifest::Found::refuse_stale` judges it: more than the snapshot proves that it counted.
            let opening = if disk.state.edits > 1 {
                "and the older slot is out of date: the next opening fails, and deletes nothing"
                    .to_owned()
            } else {
                format!("so the next opening goes by {named}, which the older slot names")
            };
            let other = current::slot_offset(slot.epoch.wrapping_add(1));
            (Some(other), format!("the slot that named {needed} is damaged, {opening}"))
        };
        found.error(NAME, offset, what);
        self.slot = None;
        self.previous = None;
    }
}

/// What the next opening does without a slot: with data it fails, without any it takes the database for one that
/// was being created.
fn without_slot(live: &Live, disk: &LiveDisk) -> &'static str {
    let has_logs = disk.logs.iter().any(|(_, bytes)| *bytes > 0);
    if has_logs || live.version.tables().next().is_some() {
        "the next opening fails, and deletes nothing"
    } else {
        "the next opening begins a new database, because this one has no data"
    }
}
