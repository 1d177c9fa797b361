//! The range tombstones that can be saved of one table.

use super::report::{NewLoss, RepairReport};
use super::table::SavedTable;
use crate::Result;
use crate::ranges::RangeTombstone;
use crate::storage::{File, read_exactly};
use crate::table::{
    Footer, Handle, Index, decode_ranges, find_block, read_data_block, read_metas, read_ranges,
};
use std::borrow::Cow;

impl SavedTable {
    /// Takes the range tombstones. The manifest counts those that cannot be read as losses; without a manifest this
    /// function reports them.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn take_ranges(
        &mut self,
        file: &dyn File,
        footer: Footer,
        index: &Index,
        report: &mut RepairReport,
    ) -> Result<()> {
        let read = read_metas(file, self.name, footer.meta_index, index.data_end())
            .and_then(|metas| read_ranges(file, self.name, footer, &metas));
        match read {
            Ok(ranges) => self.add_ranges(ranges.all()),
            Err(error) if error.blocked_on().is_some() => return Err(error),
            Err(error) if footer.ranges && self.meta.is_none() => {
                report.lose(NewLoss::bytes(self.name, 0, 0, error.message()));
            }
            Err(_) => {}
        }
        Ok(())
    }

    fn add_ranges(&mut self, ranges: &[RangeTombstone]) {
        for range in ranges {
            let belongs = self.meta.as_ref().is_none_or(|meta| {
                (meta.sequence_min..=meta.sequence_max).contains(&range.sequence)
            });
            if belongs {
                self.last_sequence = self.last_sequence.max(range.sequence);
                self.ranges.push(range.clone());
            }
        }
    }

    /// Takes the block at `handle` if it has range tombstones.
    fn take_ranges_at(&mut self, file: &dyn File, handle: Handle) -> bool {
        let mut ranges = Vec::new();
        let read = read_data_block(file, self.name, handle);
        let good = read.is_ok_and(|block| decode_ranges(&block, &mut ranges).is_ok());
        if good {
            self.add_ranges(&ranges);
        }
        good
    }

    /// Takes the blocks of range tombstones from `offset` on, among those that a checksum matches.
    pub(super) fn take_ranges_from(
        &mut self,
        file: &dyn File,
        mut offset: u64,
        length: u64,
    ) -> Result<()> {
        let name = self.name;
        let mut read = |at, bytes| read_exactly(file, name, at, bytes).map(Cow::Owned);
        loop {
            let handle = match find_block(&mut read, offset, length) {
                Err(error) if error.blocked_on().is_some() => return Err(error),
                Ok(Some(handle)) => handle,
                _ => return Ok(()),
            };
            self.take_ranges_at(file, handle);
            offset = handle.end().unwrap_or(length);
        }
    }
}
