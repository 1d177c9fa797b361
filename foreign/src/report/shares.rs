//! The parts of their files that virtual tables are.

use crate::text::{plain, share};
use crate::{State, TableFile};
use std::collections::BTreeMap;

/// For each file that virtual tables share, the bytes that the parts are counted against.
#[derive(Debug, Clone, Default)]
pub struct Shares {
    files: BTreeMap<u64, u64>,
}

/// A part of a file.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    part: u64,
    whole: u64,
}

impl Shares {
    /// Those of `state`. The manifest's sizes of slices are estimates, so they may add up to more than the file.
    pub fn of(state: &State) -> Self {
        let mut files: BTreeMap<u64, u64> = BTreeMap::new();
        let families = state.families.values();
        let tables = families.flat_map(|family| family.levels.values().flatten());
        for table in tables.filter(|table| table.is_virtual()) {
            let sum = files.entry(table.backing).or_default();
            *sum = sum.saturating_add(table.bytes);
        }
        for (number, sum) in &mut files {
            *sum = state.backings.get(number).copied().unwrap_or(0).max(*sum);
        }
        Self { files }
    }

    /// The part that `table` is of its file: all of it, unless it is virtual.
    pub fn share(&self, table: &TableFile) -> Share {
        match self.files.get(&table.backing) {
            Some(whole) if table.is_virtual() => Share { part: table.bytes, whole: *whole },
            _ => Share { part: 1, whole: 1 },
        }
    }
}

impl Share {
    /// This part of `all`, rounded down.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of a number is not negative, and a cast from above the range saturates"
    )]
    pub fn of(self, all: u64) -> u64 {
        if self.part == self.whole {
            return all;
        }
        (plain(all) * share(self.part, self.whole)).floor() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn parts_of_a_file_never_add_up_to_more_than_the_file() {
        let parts = [(3, 10), (3, 10), (4, 10)];
        let sum: u64 = parts.map(|(part, whole)| Share { part, whole }.of(7)).iter().sum();
        assert!(sum <= 7, "{sum}");
        assert_eq!(Share { part: u64::MAX, whole: u64::MAX }.of(u64::MAX), u64::MAX);
        assert_eq!(Share { part: 5, whole: 0 }.of(0), 0);
    }
}
