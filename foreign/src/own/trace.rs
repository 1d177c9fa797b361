//! A search in a table as the database makes it, step by step.

use super::cursor::TableCursor;
use super::table::Table;
use crate::key::SEQUENCE_MAX;
use crate::{EntryCursor, Files, Result};
use levelscope::internals::filter::hash;
use levelscope::internals::probe::Probe;
use levelscope::internals::table::{FILTER_NAME, Handle, read_filter};
use levelscope::storage::FilePart;

/// Reports to `probe` the reads and comparisons of a search for `key` in the table `name` of Levelscope: through filter and
/// index, or past all entries in front of it if it `is_sequential`.
///
/// # Errors
/// Damage on the way.
pub fn trace<P: Probe>(
    files: &dyn Files,
    name: &str,
    key: &[u8],
    is_sequential: bool,
    probe: &mut P,
) -> Result<()> {
    let table = Table::open(files, name)?;
    let mut cursor = TableCursor::new(&table)?;
    if is_sequential {
        probe.access("data blocks", 0, table.index()?.data_end());
        cursor.first()?;
        while cursor.entry().is_some_and(|entry| entry.user_key < key) {
            probe.comparison();
            cursor.next()?;
        }
        // The comparison that ends it.
        probe.comparison();
        return Ok(());
    }
    let mut indexes = table.indexes();
    access(probe, "meta index block", indexes.next());
    if let Some(handle) = table.metas.get(FILTER_NAME).copied() {
        access(probe, "filter block", Some(handle));
        let stored = table.stored(handle)?;
        let file = FilePart::part(&stored, handle.offset, handle.end().unwrap_or(0));
        let answer = table.named(read_filter(&file, table.number, handle))?.explain(hash(key));
        let maybe = answer.maybe;
        probe.filtered(|| answer);
        if !maybe {
            return Ok(());
        }
    }
    access(probe, "index block", indexes.next());
    cursor.find(key, SEQUENCE_MAX, probe)
}

/// Reports a read of the block at `handle`.
pub(super) fn access<P: Probe>(probe: &mut P, what: &'static str, handle: Option<Handle>) {
    if let Some(handle) = handle {
        probe.access(what, handle.offset, handle.end().unwrap_or(0).saturating_sub(handle.offset));
    }
}
