//! The range tombstones of a table that is being written.

use super::super::open::ranges_meta;
use super::super::ranges;
use super::{Stage, TableBuilder};
use crate::Result;
use crate::ranges::{RangeSet, RangeTombstone};

impl TableBuilder {
    /// Gives the table its range tombstones, instead of any before.
    pub(crate) fn set_ranges(&mut self, tombstones: Vec<RangeTombstone>) {
        let sequences = || tombstones.iter().map(|tombstone| tombstone.sequence);
        let properties = &mut self.properties;
        properties.sequence_min =
            sequences().min().unwrap_or(u64::MAX).min(properties.sequence_min);
        properties.sequence_max = sequences().max().unwrap_or(0).max(properties.sequence_max);
        self.ranges = RangeSet::new(tombstones);
        properties.ranges = ranges_meta(&self.ranges);
    }

    /// Whether it has range tombstones to write.
    pub(crate) fn has_ranges(&self) -> bool {
        !self.ranges.is_empty()
    }

    /// Writes the range tombstones; how many there are, and their length \[bytes\].
    ///
    /// # Errors
    /// `InvalidArgument` when it is not called right after [`Self::write_filter`]; those of the file.
    pub(crate) fn write_ranges(&mut self) -> Result<(u64, u64)> {
        self.advance(Stage::Index, Stage::Index)?;
        let mut bytes = 0;
        for (number, block) in (1..).zip(ranges::encode(self.ranges.all())) {
            let handle = self.write_block(&block)?;
            bytes += handle.bytes;
            self.metas.push((ranges::block_name(number), handle));
        }
        Ok((self.ranges.len() as u64, bytes))
    }
}
