//! Verifies a table: the checksum of every block; if asked, every entry, the order of keys, and every value.

use super::block::{self, Block, TRAILER_BYTES};
use super::entries::{self, Entries, Shape, Stored};
use super::table::Table;
use super::values::{self, ValueBlocks};
use super::{index, spans};
use crate::{BlockHandle, DataBlock, Error, Problem, Result, Severity, TableReader};
use std::cmp::Ordering;

/// A check that is under way.
struct Checking<'t, 'c> {
    table: &'t Table<'t>,
    tell: &'c mut dyn FnMut(Problem),
    bytes: u64,
}

/// Checks `table`, tells each finding, and returns the bytes that were read.
pub(super) fn check(table: &Table<'_>, deep: bool, tell: &mut dyn FnMut(Problem)) -> u64 {
    let mut checking = Checking { table, tell, bytes: 0 };
    checking.block(table.footer.metaindex, deep);
    checking.metablocks(deep);
    let mut failures = Vec::new();
    let (blocks, bytes) =
        index::sound_blocks(&table.source, table.footer, table.two_level, &mut failures);
    checking.bytes += bytes;
    let whole = failures.is_empty();
    for error in failures {
        checking.found::<()>(Err(error));
    }
    if deep {
        checking.entries(&blocks, whole);
        let deletions = table.range_deletions();
        checking.found(deletions);
        let keys = table.range_keys();
        checking.found(keys);
    } else {
        for block in &blocks {
            checking.block(block.handle, false);
        }
    }
    checking.bytes
}

impl Checking<'_, '_> {
    /// The value of `result`; tells its failure.
    fn found<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                (self.tell)(Problem::of(&error, self.table.source.name()));
                None
            }
        }
    }

    /// Compares the checksum of a block; with `deep` decompresses it, too.
    fn block(&mut self, handle: BlockHandle, deep: bool) {
        let source = &self.table.source;
        let result = if deep {
            Block::read(source, handle).map(|_| ())
        } else {
            block::verify(source, handle)
        };
        self.bytes += handle.bytes.min(source.end()) + TRAILER_BYTES;
        self.found(result);
    }

    fn metablocks(&mut self, deep: bool) {
        let table = self.table;
        for (name, value) in &table.metaindex.0 {
            let Some(handle) = table.metaindex.handle(name) else { continue };
            // The properties were verified when the table was opened, but may have changed since.
            let decoded = spans::DELETION_NAMES.contains(&name.as_str()) || name == spans::KEY_NAME;
            if !(deep && decoded) {
                self.block(handle, deep);
            }
            if name == values::INDEX_NAME {
                let handles = values::handles(&table.source, value);
                for handle in self.found(handles).unwrap_or_default() {
                    self.block(handle, deep);
                }
            }
        }
    }

    /// Decodes every entry of every block; `whole` when the blocks are all that the table has.
    fn entries(&mut self, blocks: &[DataBlock], whole: bool) {
        let mut last = Last::default();
        let mut counted = Some(0).filter(|_| whole);
        for block in blocks {
            self.bytes += block.handle.bytes + TRAILER_BYTES;
            let result = self.one_block(block, &mut last);
            let entries = self.found(result);
            counted = counted.zip(entries).map(|(counted, entries)| counted + entries);
        }
        let Some(counted) = counted else { return };
        let summary = self.table.summary();
        let deletions = summary.range_deletions.unwrap_or_default();
        let expected = summary.entries.map(|entries| entries.saturating_sub(deletions));
        if let Some(expected) = expected.filter(|&expected| expected != counted) {
            let message = format!("{counted} entries, the properties say {expected}");
            (self.tell)(Problem::new(Severity::Error, self.table.source.name(), message));
        }
    }

    fn one_block(&mut self, block: &DataBlock, last: &mut Last) -> Result<u64> {
        let mut entries = self.table.entries(block)?;
        let mut values = ValueBlocks::default();
        let mut counted = 0;
        let mut told = false;
        let name = self.table.source.name();
        while entries.next().map_err(|error| error.in_file(name))? {
            counted += 1;
            let stored = entries.stored().map_err(|error| error.in_file(name))?;
            if matches!(stored, Stored::ValueBlock { .. }) {
                self.table.value(stored, &mut values)?;
            }
            if !told && !last.advances(self.table, &entries, &block.separator) {
                told = true;
                let message = "the keys of this block are not in order";
                let error = Error::damaged(entries.offset(), message).in_file(name);
                (self.tell)(Problem::of(&error, name));
            }
        }
        Ok(counted)
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
