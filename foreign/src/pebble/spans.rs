//! Range deletions and range keys, in rows or in columns.

use super::block::Block;
use super::columns::Header;
use crate::bytes::Cursor;
use crate::table::Layout;
use crate::table::properties::Budget;
use crate::{Engine, Error, Kind, RangeDeletion, RangeKey, Result, key};

/// Names of the block of range deletions in the metaindex, the newer one first.
pub(super) const DELETION_NAMES: [&str; 2] = ["rocksdb.range_del2", "rocksdb.range_del"];
/// The name of the block of range keys.
pub(super) const KEY_NAME: &str = "pebble.range_key";

/// Most bytes of keys that are held at once: boundaries are shared in the file, but not here.
const KEY_BYTES_MAX: usize = 64 << 20;
/// One key over a range, of either block.
struct Span<'a> {
    start: &'a [u8],
    end: &'a [u8],
    sequence: u64,
    kind: Kind,
    suffix: &'a [u8],
    value: &'a [u8],
}

/// The range deletions of a block.
pub(super) fn deletions(block: Block, columnar: bool) -> Result<Vec<RangeDeletion>> {
    let mut found = Vec::new();
    each(block, columnar, &mut |span| {
        if span.kind != Kind::RangeDelete {
            let message = format!("an entry of kind {} among range deletions", span.kind.word());
            return Err(Error::damaged(0, message));
        }
        let (start, end) = (span.start.to_vec(), span.end.to_vec());
        found.push(RangeDeletion { start, end: Some(end), sequence: span.sequence });
        Ok(())
    })?;
    Ok(found)
}

/// The range keys of a block.
pub(super) fn keys(block: Block, columnar: bool) -> Result<Vec<RangeKey>> {
    let mut found = Vec::new();
    each(block, columnar, &mut |span| {
        let kinds = [Kind::RangeKeyDelete, Kind::RangeKeyUnset, Kind::RangeKeySet];
        if !kinds.contains(&span.kind) {
            return Err(Error::damaged(
                0,
                format!("an entry of kind {} among range keys", span.kind.word()),
            ));
        }
        found.push(RangeKey {
            start: span.start.to_vec(),
            end: span.end.to_vec(),
            sequence: span.sequence,
            kind: span.kind,
            suffix: span.suffix.to_vec(),
            value: span.value.to_vec(),
        });
        Ok(())
    })?;
    Ok(found)
}

type Visit<'t> = dyn FnMut(Span<'_>) -> Result<()> + 't;

fn each(block: Block, columnar: bool, visit: &mut Visit<'_>) -> Result<()> {
    let mut budget = Budget::new(KEY_BYTES_MAX);
    let mut limited = |span: Span<'_>| {
        let strings = [span.start, span.end, span.suffix, span.value];
        budget.take(strings.iter().map(|string| string.len()).sum(), "the keys of ranges")?;
        visit(span)
    };
    if columnar {
        return each_column(&block.bytes, &mut limited).map_err(|error| block.blame(error));
    }
    let mut rows = block.rows(Layout::Data)?;
    while rows.advance()? {
        let start = rows.value_range().start;
        each_of_row(rows.key(), rows.value(), &mut limited).map_err(|error| {
            match error.kind() {
                crate::ErrorKind::Damaged => rows.block().damaged(start, error.message()),
                _ => error.at(rows.block().handle().offset),
            }
        })?;
    }
    Ok(())
}

/// Boundaries with the number of the first key that starts there; the keys between two boundaries follow one another.
fn each_column(bytes: &[u8], visit: &mut Visit<'_>) -> Result<()> {
    let boundaries = Cursor::new(bytes, 0).u32()? as usize;
    if boundaries > bytes.len() {
        let message = format!("{boundaries} boundaries in a block of {} bytes", bytes.len());
        return Err(Error::damaged(0, message));
    }
    let header = Header::decode(bytes, 4)?;
    let keys = header.strings(bytes, 0, boundaries)?;
    let starts = header.uints(bytes, 1, boundaries)?;
    let trailers = header.uints(bytes, 2, header.rows)?;
    let suffixes = header.strings(bytes, 3, header.rows)?;
    let values = header.strings(bytes, 4, header.rows)?;
    let mut row = 0;
    for boundary in 1..boundaries {
        let (first, last) = (starts.get(bytes, boundary - 1)?, starts.get(bytes, boundary)?);
        if first != row as u64 || last < first || last > header.rows as u64 {
            return Err(Error::damaged(0, "the keys of a range do not follow those before"));
        }
        let (start, end) = (keys.get(bytes, boundary - 1)?, keys.get(bytes, boundary)?);
        while (row as u64) < last {
            let trailer = trailers.get(bytes, row)?;
            let kind = Kind::of(Engine::Pebble, trailer.to_le_bytes()[0]);
            let (suffix, value) = (suffixes.get(bytes, row)?, values.get(bytes, row)?);
            visit(Span { start, end, sequence: trailer >> 8, kind, suffix, value })?;
            row += 1;
        }
    }
    Ok(())
}

/// The range deletion or the range keys of one row: in the value is the end of the range, then the suffixes that are
/// set, each with its value, or unset.
fn each_of_row(key: &[u8], value: &[u8], visit: &mut Visit<'_>) -> Result<()> {
    let (start, sequence, kind) = key::split(key)?;
    let kind = Kind::of(Engine::Pebble, kind);
    let with_value = kind == Kind::RangeKeySet;
    if !with_value && kind != Kind::RangeKeyUnset {
        return visit(Span { start, end: value, sequence, kind, suffix: &[], value: &[] });
    }
    let mut cursor = Cursor::new(value, 0);
    let end = cursor.prefixed()?;
    while !cursor.is_empty() {
        let suffix = cursor.prefixed()?;
        let value = if with_value { cursor.prefixed()? } else { &[] };
        visit(Span { start, end, sequence, kind, suffix, value })?;
    }
    Ok(())
}
