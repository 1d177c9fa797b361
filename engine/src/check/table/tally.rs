//! The sums over all blocks of a table, and their comparison at its end.

use super::super::report::UnitReport;
use super::TableCheck;
use crate::key::{ParsedKey, SeqNo, ValueKind, user_key};
use crate::manifest::TableMeta;
use crate::ranges::RangeSet;
use crate::table::{ANOTHER_TABLE, Handle, Properties, ranges_meta};
use crate::text;

/// Something that is wrong with several entries.
#[derive(Debug, Default)]
pub(super) struct Mismatch {
    count: u64,
    /// The block of the first one \[bytes\].
    first: Option<u64>,
}

impl Mismatch {
    pub(super) fn count(&mut self, offset: u64) {
        self.count += 1;
        self.first.get_or_insert(offset);
    }

    fn report(&self, check: &TableCheck, found: &mut UnitReport, what: &str) {
        if let Some(offset) = self.first {
            let count = text::count(self.count);
            found.error(check.name, offset, format!("{what}, {count} in all, first of this block"));
        }
    }
}

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Every block and entry so far could be read.
    pub(super) is_partial: bool,
    pub(super) entries: u64,
    tombstones: u64,
    pub(super) user_keys: u64,
    key_bytes: u64,
    value_bytes: u64,
    raw_bytes: u64,
    stored_bytes: u64,
    /// Smallest and largest.
    sequences: Option<(SeqNo, SeqNo)>,
    first_key: Vec<u8>,
    pub(super) last_key: Vec<u8>,
    pub(super) disorder_reported: bool,
    /// Keys that the filter denies, and keys whose prefix the other filter denies.
    pub(super) denied: Mismatch,
    pub(super) prefix_denied: Mismatch,
    /// Entries that a form of the prefix index does not lead to.
    pub(super) prefix_lost: Mismatch,
}

impl Tally {
    /// Counts the block at `handle`, unless it could not be read.
    pub(super) fn block(&mut self, handle: Handle, raw_bytes: Option<u64>) {
        self.stored_bytes = self.stored_bytes.saturating_add(handle.bytes);
        self.raw_bytes = self.raw_bytes.saturating_add(raw_bytes.unwrap_or(0));
        self.is_partial |= raw_bytes.is_none();
    }

    /// Counts the range tombstones.
    pub(super) fn ranges(&mut self, ranges: &RangeSet) {
        for tombstone in ranges.all() {
            self.sequence(tombstone.sequence);
        }
    }

    fn sequence(&mut self, sequence: SeqNo) {
        let (min, max) = self.sequences();
        self.sequences = Some((min.min(sequence), max.max(sequence)));
    }

    fn sequences(&self) -> (SeqNo, SeqNo) {
        self.sequences.unwrap_or((SeqNo::MAX, 0))
    }

    /// Counts an entry.
    pub(super) fn entry(&mut self, key: &[u8], entry: &ParsedKey<'_>, value: &[u8]) {
        if self.entries == 0 {
            self.first_key = key.to_vec();
        }
        self.entries += 1;
        self.tombstones += u64::from(entry.kind == ValueKind::Delete);
        self.key_bytes = self.key_bytes.saturating_add(key.len() as u64);
        self.value_bytes = self.value_bytes.saturating_add(value.len() as u64);
        self.sequence(entry.sequence);
        self.last_key.clear();
        self.last_key.extend_from_slice(key);
    }
}

impl TableCheck {
    /// Compares the counts with the table's properties and the manifest.
    pub(super) fn compare(&self, found: &mut UnitReport) {
        let tally = &self.tally;
        if let Some((handle, _)) = &self.filter
            && tally.denied.count > 0
        {
            let what = format!(
                "the filter denies {} that the table has",
                text::counted(tally.denied.count, "key")
            );
            found.error(self.name, handle.offset, what);
        }
        let what = "the filter of prefixes denies the prefix of a key";
        tally.prefix_denied.report(self, found, what);
        let what = "the prefix index does not lead to the block of an entry";
        tally.prefix_lost.report(self, found, what);
        let whole = !tally.is_partial && self.index.is_some() && self.ranges.is_some();
        if let Some((handle, properties)) = &self.properties {
            if self.meta.as_ref().is_some_and(|meta| !properties.describe(meta)) {
                found.error(self.name, handle.offset, ANOTHER_TABLE);
            }
            if whole {
                self.compare_properties(*handle, properties, found);
            }
        }
        if let Some(meta) = self.meta.as_ref().filter(|_| whole) {
            self.compare_meta(meta, found);
        }
    }

    fn compare_properties(&self, handle: Handle, properties: &Properties, found: &mut UnitReport) {
        let (tally, sequences) = (&self.tally, self.tally.sequences());
        let blocks = self.position as u64;
        let (filter, filter_bytes) = match &self.filter {
            Some((handle, _)) => (tally.user_keys, handle.bytes),
            None => (0, 0),
        };
        let mut pairs = vec![
            ("entries", properties.entries, tally.entries),
            ("tombstones", properties.tombstones, tally.tombstones),
            ("data blocks", properties.data_blocks, blocks),
            ("bytes of keys", properties.key_bytes, tally.key_bytes),
            ("bytes of values", properties.value_bytes, tally.value_bytes),
            ("bytes of decoded blocks", properties.data_raw_bytes, tally.raw_bytes),
            ("bytes of stored blocks", properties.data_stored_bytes, tally.stored_bytes),
            ("keys in the filter", properties.filter_keys, filter),
            ("bytes of filter", properties.filter_bytes, filter_bytes),
            ("as smallest sequence number", properties.sequence_min, sequences.0),
            ("as largest sequence number", properties.sequence_max, sequences.1),
        ];
        pairs.retain(|(what, ..)| !(self.filter_damaged && what.ends_with("filter")));
        self.compare_numbers("the properties record", handle.offset.into(), &pairs, found);
        if self.ranges.as_ref().and_then(ranges_meta) != properties.ranges {
            let what = "the properties do not describe the range tombstones of the table";
            found.error(self.name, handle.offset, what);
        }
        for (what, claimed, key) in [
            ("smallest", &properties.smallest, &tally.first_key),
            ("largest", &properties.largest, &tally.last_key),
        ] {
            if claimed != user_key(key) {
                let what = format!("the properties have another {what} key than the blocks");
                found.error(self.name, handle.offset, what);
            }
        }
    }

    /// Reports each recorded number that differs from the counted one.
    fn compare_numbers(
        &self,
        who: &str,
        offset: Option<u64>,
        numbers: &[(&str, u64, u64)],
        found: &mut UnitReport,
    ) {
        for (what, claimed, counted) in numbers {
            if claimed != counted {
                let (claimed, counted) = (text::count(*claimed), text::count(*counted));
                let what = format!("{who} {claimed} {what}, but it is {counted}");
                found.error(self.name, offset, what);
            }
        }
    }

    fn compare_meta(&self, meta: &TableMeta, found: &mut UnitReport) {
        let (tally, sequences) = (&self.tally, self.tally.sequences());
        let pairs = [
            ("entries", meta.entries, tally.entries),
            ("tombstones", meta.tombstones, tally.tombstones),
            ("data blocks", u64::from(meta.blocks), self.position as u64),
            ("as smallest sequence number", meta.sequence_min, sequences.0),
            ("as largest sequence number", meta.sequence_max, sequences.1),
        ];
        self.compare_numbers("the manifest records", None, &pairs, found);
        if self.ranges.as_ref().and_then(ranges_meta) != meta.ranges {
            let what = "its range tombstones are not those that the manifest describes";
            found.error(self.name, None, what);
        }
        for (what, claimed, key) in
            [("first", &meta.smallest, &tally.first_key), ("last", &meta.largest, &tally.last_key)]
        {
            if claimed != key {
                let what = format!("its {what} key is not the one in the manifest");
                found.error(self.name, None, what);
            }
        }
    }
}
