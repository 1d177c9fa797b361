//! Bytes that were flipped on purpose.

use super::journal::Step;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use serde::Serialize;

/// Flipped bytes that a branch remembers; of more, the oldest are forgotten.
const DAMAGED_MAX: usize = 1000;

/// A byte that `corrupt` has changed, for hosts and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Damage {
    /// The name of its file.
    pub file: String,
    /// Where in the file \[bytes\].
    pub offset: u64,
    /// The bits that are flipped.
    pub mask: u8,
    /// The last step before it was flipped.
    pub step: Step,
    /// The byte since then: as long as the disk has it, it is damaged.
    #[serde(skip)]
    pub(crate) value: u8,
}

/// The flipped bytes of one branch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Damages(Vec<Damage>);

impl Damages {
    /// Those of an earlier session.
    pub(crate) fn of(all: Vec<Damage>) -> Self {
        Self(all)
    }

    /// All flipped bytes, oldest first.
    pub(crate) fn all(&self) -> &[Damage] {
        &self.0
    }

    /// Remembers that the bits of `mask` were flipped on `disk`, after `step`; flipped twice, a bit is as it was.
    pub(crate) fn flip(
        &mut self,
        disk: &MemoryStorage,
        (file, offset, mask): (FileName, u64, u8),
        step: Step,
    ) {
        let Some(value) = byte(disk, file, offset) else { return };
        let name = file.to_string();
        let same = |known: &Damage| known.file == name && known.offset == offset;
        match self.0.iter().position(same) {
            Some(at) => {
                let mut known = self.0.remove(at);
                known.mask ^= mask;
                if known.mask != 0 {
                    self.0.push(Damage { value, ..known });
                }
            }
            None => self.0.push(Damage { file: name, offset, mask, step, value }),
        }
        if self.0.len() > DAMAGED_MAX {
            self.0.remove(0);
        }
    }

    /// Those that `disk` has, for a branch that begins with it.
    pub(crate) fn on(&self, disk: Option<&MemoryStorage>) -> Self {
        let is_there = |damage: &&Damage| disk.and_then(|disk| found(disk, damage)) == Some(true);
        Self(self.0.iter().filter(is_there).cloned().collect())
    }

    /// Those that were not overwritten since; the past may show a file that is gone by now.
    pub(crate) fn list(&self, disk: Option<&MemoryStorage>) -> Vec<Damage> {
        let is_left = |damage: &&Damage| disk.and_then(|disk| found(disk, damage)) != Some(false);
        self.0.iter().filter(is_left).cloned().collect()
    }
}

/// Whether the byte is still the damaged one; `None`: its file is gone.
fn found(disk: &MemoryStorage, damage: &Damage) -> Option<bool> {
    let file = FileName::parse(&damage.file)?;
    disk.open(file).ok()?;
    Some(byte(disk, file, damage.offset) == Some(damage.value))
}

fn byte(disk: &MemoryStorage, file: FileName, offset: u64) -> Option<u8> {
    let mut buffer = [0];
    let read = disk.open(file).ok()?.read_at(offset, &mut buffer).ok()?;
    (read == 1).then_some(buffer).map(|[byte]| byte)
}
