//! Version edits of Levelscope, read by the engine's decoder.

use super::edit::Edit;
use crate::key::SEQUENCE_MAX;
use crate::{Error, InternalKey, Result, TableFile};
use levelscope::internals::key::ValueKind;
use levelscope::internals::manifest::{TableMeta, VersionEdit};
use levelscope::storage::FileName;

/// The edit that `record` is. Offsets of failures count from its start.
///
/// # Errors
/// `Damaged` at the first field that is not as the engine writes it.
pub(super) fn decode(record: &[u8]) -> Result<Edit> {
    let own = VersionEdit::decode(record, FileName::Manifest(1), 0).map_err(Error::from)?;
    let mut edit = Edit {
        log_number: own.log_number,
        next_file: own.next_file,
        last_sequence: own.last_sequence,
        logs_sealed: own.sealed_logs,
        ..Edit::default()
    };
    let is_snapshot = own.log_number.and(own.next_file).and(own.last_sequence).is_some();
    edit.comparator = is_snapshot.then(|| crate::comparator::LEVELSCOPE.to_vec());
    // An end of 0 bytes is not known yet.
    let ends = |(log, bytes)| (log, Some(bytes).filter(|bytes| *bytes > 0));
    edit.logs_added = own.live_logs.into_iter().map(ends).collect();
    edit.removed = own.removed.into_iter().map(|(level, number)| (of(level), number)).collect();
    for (level, meta) in own.added {
        edit.added.push((of(level), table(&meta)?));
    }
    Ok(edit)
}

fn of(level: usize) -> u32 {
    u32::try_from(level).unwrap_or(u32::MAX)
}

/// A table with bounds around its entries and its range tombstones.
fn table(meta: &TableMeta) -> Result<TableFile> {
    let mut bounds = None;
    if meta.entries > 0 {
        let largest = InternalKey::decode(&meta.largest)?;
        bounds = Some((InternalKey::decode(&meta.smallest)?, largest));
    }
    let mut has_bounds = true;
    if let Some(ranges) = &meta.ranges {
        let kind = ValueKind::RangeDelete as u8;
        let place = |key: &[u8], sequence| InternalKey { user_key: key.to_vec(), sequence, kind };
        let begin = place(&ranges.begin, meta.sequence_max);
        // Without an end the table may delete any later key.
        has_bounds = ranges.end.key().is_some();
        let end = ranges.end.key().map(|end| place(end, SEQUENCE_MAX));
        let (smallest, largest) = bounds.unwrap_or_else(|| (begin.clone(), begin.clone()));
        let first = if begin.user_key < smallest.user_key { begin } else { smallest };
        let last = end.filter(|end| end.user_key > largest.user_key).unwrap_or(largest);
        bounds = Some((first, last));
    }
    let (smallest, largest) = bounds.ok_or_else(|| Error::damaged(0, "a table without a key"))?;
    Ok(TableFile {
        has_bounds,
        run: meta.run,
        smallest_sequence: Some(meta.sequence_min),
        largest_sequence: Some(meta.sequence_max),
        ..TableFile::new(meta.number, meta.bytes, smallest, largest)
    })
}
