//! Verifies a table: the checksum of every block; if asked, every entry, the order of keys, and every value.

use super::block::{Block, Reader, TRAILER_BYTES};
use super::entries::{self, Entries, Shape, ValuePlace};
use super::spans;
use super::table::Table;
use super::values::{self, ValueBlocks};
use crate::examined::Course;
use crate::{
    BlockHandle, DataBlock, Error, ErrorKind, Examined, Gap, Problem, Result, Severity, TableReader,
};
use std::cmp::Ordering;

/// A check that is under way.
struct Checking<'t, 'c> {
    table: &'t Table<'t>,
    course: Course<'c>,
    deep: bool,
    /// Blocks that follow one another are read through it.
    reader: Reader<'t, 't>,
    /// Bytes of all other blocks.
    bytes: u64,
}

/// Checks `table`, reports each finding, and returns the extent of the check.
pub(super) fn check<'t>(
    table: &'t Table<'t>,
    deep: bool,
    report: &mut dyn FnMut(Problem),
) -> Examined {
    let reader = Reader::new(&table.source);
    let course = Course::new(report, None);
    let mut checking = Checking { table, course, deep, reader, bytes: 0 };
    let metaindex = checking.block(table.footer.metaindex);
    checking.found(metaindex);
    checking.metablocks();
    checking.data_blocks();
    if deep {
        // Without its keys an entry is not decoded.
        checking.found(table.need_keys());
        let deletions = table.range_deletions();
        checking.found(deletions);
        let keys = table.range_keys();
        checking.found(keys);
    }
    let is_over = checking.is_over();
    checking.course.examined(checking.reader.read + checking.bytes, is_over)
}

impl Checking<'_, '_> {
    /// The value of `result`; reports its failure.
    fn found<T>(&mut self, result: Result<T>) -> Option<T> {
        let report = |error: Error| {
            self.course.undecoded |= error.kind() == ErrorKind::NotRead;
            self.course.report(Problem::of(&error, self.table.source.name()));
        };
        result.map_err(report).ok()
    }

    /// Whether more was read than a sound table has: a damaged metaindex may name the same block again and again.
    fn is_over(&self) -> bool {
        self.course.is_over(self.bytes, self.table.source.end())
    }

    /// Reads a block that is not near the one before it.
    fn block(&mut self, handle: BlockHandle) -> Result<Block> {
        let block = Block::read(&self.table.source, handle);
        self.bytes += handle.bytes.min(self.table.source.end()) + TRAILER_BYTES;
        block
    }

    fn metablocks(&mut self) {
        let table = self.table;
        for (name, value) in &table.metaindex.0 {
            // Values that are no handles are left to other versions.
            let Some(handle) = table.metaindex.handle(name) else { continue };
            if self.is_over() {
                return;
            }
            // These are decoded later.
            let is_span = spans::DELETION_NAMES.contains(&name.as_str()) || name == spans::KEY_NAME;
            if !(self.deep && is_span) {
                let block = self.block(handle);
                if self.found(block).is_none() {
                    continue;
                }
            }
            if name == values::INDEX_NAME {
                self.value_blocks(value);
            }
        }
    }

    fn value_blocks(&mut self, entry: &[u8]) {
        let handles = values::handles(&self.table.source, entry);
        if handles.is_err() {
            self.course.miss(Gap::Metaindex);
        }
        for handle in self.found(handles).unwrap_or_default() {
            let verified = self.verified(handle);
            self.found(verified);
        }
    }

    /// Compares the checksum of a block; if asked, decompresses it.
    fn verified(&mut self, handle: BlockHandle) -> Result<()> {
        if self.deep { self.reader.block(handle).map(|_| ()) } else { self.reader.verify(handle) }
    }

    fn data_blocks(&mut self) {
        let table = self.table;
        let walk = table.walk();
        let Some(mut walk) = self.found(walk) else {
            self.course.miss(Gap::Index);
            self.bytes += table.footer.index.bytes.min(table.source.end()) + TRAILER_BYTES;
            return;
        };
        let (mut last, mut values) = (Last::default(), ValueBlocks::default());
        let mut counted = Some(0);
        while !self.is_over() {
            let block = match walk.next(&table.source, table.footer) {
                Ok(Some(block)) => block,
                Ok(None) => break,
                Err(error) => {
                    self.course.miss(Gap::Index);
                    self.found::<()>(Err(error));
                    counted = None;
                    continue;
                }
            };
            let entries = if self.deep {
                self.entries(&block, &mut last, &mut values)
            } else {
                self.reader.verify(block.handle).map(|()| 0)
            };
            let entries = self.found(entries);
            counted = counted.zip(entries).map(|(counted, entries)| counted + entries);
        }
        self.bytes += walk.read;
        if let Some(counted) = counted.filter(|_| self.deep) {
            self.compare_count(counted);
        }
    }

    /// Decodes the entries of a block and returns how many there are.
    fn entries(
        &mut self,
        block: &DataBlock,
        last: &mut Last,
        values: &mut ValueBlocks,
    ) -> Result<u64> {
        let table = self.table;
        let in_file = |error: Error| error.in_file(table.source.name());
        let data = self.reader.block(block.handle)?;
        let mut entries = Entries::new(data, table.shape).map_err(in_file)?;
        let (mut counted, mut is_reported) = (0, false);
        while entries.next().map_err(in_file)? {
            counted += 1;
            let stored = entries.stored().map_err(in_file)?;
            if matches!(stored, ValuePlace::ValueBlock { .. }) {
                table.value(stored, values)?;
            }
            if !is_reported && !last.advances(table, &entries, &block.separator) {
                is_reported = true;
                let message = "the keys of this block are not in order";
                self.found::<()>(Err(in_file(Error::damaged(entries.offset(), message))));
            }
        }
        Ok(counted)
    }

    /// Range deletions are counted among the entries.
    fn compare_count(&mut self, counted: u64) {
        let summary = self.table.summary();
        let deletions = summary.range_deletions.unwrap_or_default();
        let expected = summary.entries.map(|entries| entries.saturating_sub(deletions));
        if let Some(expected) = expected.filter(|&expected| expected != counted) {
            let message = format!("{counted} entries, the properties count {expected}");
            self.course.report(Problem::new(Severity::Error, self.table.source.name(), message));
        }
    }
}

/// The entry before.
#[derive(Default)]
struct Last {
    any: bool,
    key: Vec<u8>,
    sequence: u64,
}

impl Last {
    /// Whether the entry comes after the last one and not after the `separator` of its block.
    fn advances(&mut self, table: &Table<'_>, entries: &Entries, separator: &[u8]) -> bool {
        let Some(entry) = entries.entry() else { return true };
        if !table.comparator.is_known() || table.shape == Shape::OtherColumns {
            return true;
        }
        let (last, this) = ((self.key.as_slice(), self.sequence), (entry.user_key, entry.sequence));
        let ascends = !self.any || entries::order(table.comparator, last, this) == Ordering::Less;
        let inside = table.comparator.compare(entry.user_key, separator) != Ordering::Greater;
        self.any = true;
        self.key.clear();
        self.key.extend_from_slice(entry.user_key);
        self.sequence = entry.sequence;
        ascends && inside
    }
}
