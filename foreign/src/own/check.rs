//! Verifies a table: the checksum of every block; if asked, every entry, the order of keys, and the counts.

use super::cursor::is_inside;
use super::table::Table;
use crate::examined::Course;
use crate::{Error, Examined, Gap, Problem, Result, TableReader};
use levelscope::internals::table::{BlockIter, FILTER_NAME, Handle, Index, corrupt, read_filter};
use levelscope::storage::FilePart;
use std::sync::Arc;

/// The name of the filter of prefixes in the meta index.
const PREFIX_FILTER_NAME: &[u8] = b"filter.prefix";

/// Checks `table`, reports each finding, and returns the extent of the check.
pub(super) fn check(table: &Table<'_>, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
    let mut course = Course::new(report, None);
    if let Some(damage) = &table.damage {
        course.report(Problem::of(damage, &table.name));
    }
    let mut bytes = 0_u64;
    let mut found = |course: &mut Course<'_>, handle: Handle, result: Result<()>| {
        bytes = bytes.saturating_add(handle.end().unwrap_or(0).saturating_sub(handle.offset));
        if let Err(error) = result {
            course.report(Problem::of(&error.in_file(&table.name), &table.name));
        }
    };
    for handle in table.indexes() {
        found(&mut course, handle, Ok(()));
    }
    for (name, handle) in table.metas.iter() {
        found(&mut course, *handle, meta(table, name, *handle));
    }
    if let Err(error) = table.range_deletions() {
        course.report(Problem::of(&error, &table.name));
    }
    let index = match table.index() {
        Ok(index) => index,
        Err(error) => {
            course.miss(Gap::Index);
            course.report(Problem::of(&error, &table.name));
            return course.examined(bytes, false);
        }
    };
    let (mut entries, mut tombstones, mut is_whole) = (0, 0, true);
    for (place, handle) in (0..index.len()).map_while(|at| Some((at, index.handle(at)?))) {
        let checked = data(table, &index, place, handle, deep).map(|(all, deletes)| {
            (entries, tombstones) = (entries + all, tombstones + deletes);
        });
        is_whole &= checked.is_ok();
        found(&mut course, handle, checked);
    }
    let counted = (table.properties.entries, table.properties.tombstones);
    if deep && is_whole && table.damage.is_none() && counted != (entries, tombstones) {
        let message = format!(
            "{entries} entries, {tombstones} of them tombstones; the properties count {} and {}",
            counted.0, counted.1
        );
        course.report(Problem::of(&Error::damaged(0, message), &table.name));
    }
    course.examined(bytes, false)
}

/// Checks a block that is none of data.
fn meta(table: &Table<'_>, name: &[u8], handle: Handle) -> Result<()> {
    if name == FILTER_NAME || name == PREFIX_FILTER_NAME {
        let bytes = table.stored(handle)?;
        let length = handle.end().unwrap_or(0);
        let filter =
            read_filter(&FilePart::part(&bytes, handle.offset, length), table.number, handle);
        return table.named(filter.map(drop));
    }
    table.block(handle).map(drop)
}

/// Checks a data block; with `deep` its entries, which are counted: all of them, and the tombstones.
fn data(
    table: &Table<'_>,
    index: &Index,
    place: usize,
    handle: Handle,
    deep: bool,
) -> Result<(u64, u64)> {
    let block = table.data_block(handle)?;
    let (mut all, mut deletes) = (0, 0);
    if !deep {
        return Ok((all, deletes));
    }
    let damaged = |damage| Error::from(corrupt(table.number, handle.offset, damage));
    let mut entries = BlockIter::new(Arc::new(block));
    entries.seek_to_first().map_err(damaged)?;
    while entries.valid() {
        if !is_inside(index, place, entries.key()) {
            let message = "an entry is none of this block, by its key and the index";
            return Err(Error::damaged(handle.offset, message));
        }
        all += 1;
        let tag = entries.key().len().checked_sub(8).and_then(|at| entries.key().get(at));
        deletes += u64::from(tag == Some(&0));
        entries.next().map_err(damaged)?;
    }
    Ok((all, deletes))
}
