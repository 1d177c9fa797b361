//! The entries of one data block, in rows or in columns.

use super::block::Block;
use super::columns::{
    Bools, Header, PrefixBytes, Strings, TYPE_BOOL, TYPE_BYTES, TYPE_PREFIX_BYTES, TYPE_UINT, Uints,
};
use crate::bytes::Cursor;
use crate::table::{BlockCursor, Layout};
use crate::{Comparator, Engine, EntryRef, Error, Kind, Result, key};
use std::cmp::Ordering;

/// The kind of a plain put, the only one whose value has a prefix byte in row blocks.
const PUT: u8 = 1;
/// The bit of the kind that means "obsolete in this table".
const OBSOLETE: u8 = 64;
/// Columns of a data block after those of the key: trailer, prefix changed, value, value is external, obsolete.
const VALUE_COLUMNS: [u8; 5] = [TYPE_UINT, TYPE_BOOL, TYPE_BYTES, TYPE_BOOL, TYPE_BOOL];
/// Columns of the key in the default schema: prefix, suffix.
const DEFAULT_KEY_COLUMNS: [u8; 2] = [TYPE_PREFIX_BYTES, TYPE_BYTES];
/// Most bytes of the header of another schema that are tried.
const SCHEMA_HEADER_MAX: usize = 64;

/// Most bytes of keys that one walk over a block puts together. All keys of a block may share a prefix that is as long as
/// the block, so a walk over a hostile block could take hours.
const WALK_BYTES_MAX: usize = 1 << 30;

/// Encoding of the data blocks of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Rows; whether the values of puts have a prefix byte.
    Rows { prefixes: bool },
    /// Columns with the keys of the default schema.
    Columns,
    /// Columns whose key columns are not known.
    OtherColumns,
}

/// Place of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePlace<'a> {
    /// In the data block.
    Here(&'a [u8]),
    /// In a value block of the table.
    ValueBlock { bytes: u32, block: u32, offset: u32 },
    /// In a blob file.
    Blob { reference: u32, bytes: u32, block: u32, value: u32 },
}

/// A walk over a data block, which it owns.
#[derive(Debug)]
pub(super) struct Entries {
    walk: Walk,
    here: Option<Here>,
}

#[derive(Debug)]
enum Walk {
    Rows { rows: BlockCursor, prefixes: bool },
    Columns { block: Block, columns: Columns, next: usize, key: Vec<u8>, walked: usize },
}

/// Sequence number and kind of the entry.
#[derive(Debug, Clone, Copy)]
struct Here {
    sequence: u64,
    kind: u8,
}

#[derive(Debug)]
struct Columns {
    rows: usize,
    /// Prefix and suffix of the key, `None` when the schema is not known.
    keys: Option<(PrefixBytes, Strings)>,
    trailers: Uints,
    values: Strings,
    external: Bools,
}

impl Columns {
    fn decode(bytes: &[u8], known: bool) -> Result<Self> {
        let header = if known { Header::decode(bytes, 4)? } else { other_header(bytes)?.1 };
        let types = header.types();
        let first = types.len().saturating_sub(VALUE_COLUMNS.len());
        if types.get(first..) != Some(&VALUE_COLUMNS) {
            return Err(Error::damaged(0, "the columns are not those of a data block"));
        }
        let keys = if known {
            if types.get(..first) != Some(&DEFAULT_KEY_COLUMNS) {
                return Err(Error::damaged(
                    0,
                    "the key columns are not those of the default schema",
                ));
            }
            Some((header.prefixed(bytes, 0)?, header.strings(bytes, 1, header.rows)?))
        } else {
            None
        };
        Ok(Self {
            rows: header.rows,
            keys,
            trailers: header.uints(bytes, first, header.rows)?,
            values: header.strings(bytes, first + 2, header.rows)?,
            external: header.bools(bytes, first + 3)?,
        })
    }

    /// Puts the user key of `row` into `key`; it stays empty when the schema is not known.
    fn read_key(&self, bytes: &[u8], row: usize, key: &mut Vec<u8>) -> Result<()> {
        key.clear();
        if let Some((prefixes, suffixes)) = &self.keys {
            prefixes.append(bytes, row, key)?;
            key.extend_from_slice(suffixes.get(bytes, row)?);
        }
        Ok(())
    }

    fn trailer(&self, bytes: &[u8], row: usize) -> Result<Here> {
        let trailer = self.trailers.get(bytes, row)?;
        Ok(Here { sequence: trailer >> 8, kind: trailer.to_le_bytes()[0] & !OBSOLETE })
    }

    /// The first row that `is_before` does not hold for: a binary search. `key` is room for keys.
    fn first_not_before(
        &self,
        bytes: &[u8],
        key: &mut Vec<u8>,
        is_before: impl Fn(&[u8], u64) -> bool,
    ) -> Result<usize> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low.midpoint(high);
            self.read_key(bytes, middle, key)?;
            if is_before(key, self.trailer(bytes, middle)?.sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// The header of a data block of another schema, which writes an unknown number of bytes before it, and that number.
pub(crate) fn other_header(bytes: &[u8]) -> Result<(usize, Header)> {
    let fits = |header: &Header| header.types().ends_with(&VALUE_COLUMNS) && header.ascends();
    (0..=SCHEMA_HEADER_MAX)
        .filter_map(|before| Some((before, Header::decode(bytes, before + 4).ok()?)))
        .find(|(_, header)| fits(header))
        .ok_or_else(|| Error::damaged(0, "the columns are not those of a data block"))
}

impl Entries {
    /// Before the first entry of `block`.
    pub(super) fn new(block: Block, shape: Shape) -> Result<Self> {
        let walk = if let Shape::Rows { prefixes } = shape {
            Walk::Rows { rows: block.rows(Layout::Data)?, prefixes }
        } else {
            let columns = Columns::decode(&block.bytes, shape == Shape::Columns)
                .map_err(|error| block.blame(error))?;
            Walk::Columns { block, columns, next: 0, key: Vec::new(), walked: 0 }
        };
        Ok(Self { walk, here: None })
    }

    /// The offset of the block in the file.
    pub(super) fn offset(&self) -> u64 {
        match &self.walk {
            Walk::Rows { rows, .. } => rows.block().handle().offset,
            Walk::Columns { block, .. } => block.handle.offset,
        }
    }

    /// Goes to the next entry; `false` at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        self.here = None;
        self.here = self.advance()?;
        Ok(self.here.is_some())
    }

    fn advance(&mut self) -> Result<Option<Here>> {
        match &mut self.walk {
            Walk::Rows { rows, .. } => {
                if !rows.advance()? {
                    return Ok(None);
                }
                row_trailer(rows).map(Some)
            }
            Walk::Columns { block, columns, next, key, walked } => {
                if *next >= columns.rows {
                    return Ok(None);
                }
                *walked = walked.saturating_add(key.len());
                if *walked > WALK_BYTES_MAX {
                    let message = "not read: a block whose keys have more than 1 GiB";
                    return Err(Error::not_read(message).at(block.handle.offset));
                }
                let here = columns
                    .read_key(&block.bytes, *next, key)
                    .and_then(|()| columns.trailer(&block.bytes, *next))
                    .map_err(|error| block.blame(error))?;
                *next += 1;
                Ok(Some(here))
            }
        }
    }

    /// Goes to the first entry that is not less than (`user_key`, `sequence`); `false` when there is none.
    pub(super) fn seek(
        &mut self,
        comparator: Comparator,
        user_key: &[u8],
        sequence: u64,
    ) -> Result<bool> {
        self.here = None;
        let is_before = |key: &[u8], at: u64| {
            order(comparator, (key, at), (user_key, sequence)) == Ordering::Less
        };
        match &mut self.walk {
            Walk::Rows { rows, .. } => {
                let before =
                    |key: &[u8]| key::split(key).is_ok_and(|(key, at, _)| is_before(key, at));
                if !rows.seek(before)? {
                    return Ok(false);
                }
                self.here = Some(row_trailer(rows)?);
                Ok(true)
            }
            Walk::Columns { block, columns, next, key, .. } => {
                *next = columns
                    .first_not_before(&block.bytes, key, is_before)
                    .map_err(|error| block.blame(error))?;
                self.next()
            }
        }
    }

    /// The entry.
    pub(super) fn entry(&self) -> Option<EntryRef<'_>> {
        let Here { sequence, kind } = self.here?;
        let user_key = match &self.walk {
            Walk::Rows { rows, .. } => key::split(rows.key()).ok()?.0,
            Walk::Columns { key, .. } => key.as_slice(),
        };
        Some(EntryRef { user_key, sequence, kind: Kind::of(Engine::Pebble, kind) })
    }

    /// The place of the entry's value.
    pub(super) fn stored(&self) -> Result<ValuePlace<'_>> {
        let nowhere = || Error::new(crate::ErrorKind::Invalid, "the cursor stands at no entry");
        let here = self.here.ok_or_else(nowhere)?;
        match &self.walk {
            Walk::Rows { rows, prefixes } => {
                let value = rows.value();
                if !(*prefixes && here.kind == PUT) {
                    return Ok(ValuePlace::Here(value));
                }
                let start = rows.value_range().start;
                stored(value).map_err(|error| rows.block().damaged(start, error.message()))
            }
            Walk::Columns { block, columns, next, .. } => {
                let row = next.checked_sub(1).ok_or_else(nowhere)?;
                let value = columns.values.get(&block.bytes, row);
                let result = value.and_then(|value| {
                    let external = columns.external.get(&block.bytes, row);
                    if external { stored(value) } else { Ok(ValuePlace::Here(value)) }
                });
                result.map_err(|error| block.blame(error))
            }
        }
    }
}

/// Sequence number and kind of a row.
fn row_trailer(rows: &BlockCursor) -> Result<Here> {
    let (_, sequence, kind) = key::split(rows.key())
        .map_err(|error| rows.block().damaged(rows.entry_range().start, error.message()))?;
    Ok(Here { sequence, kind: kind & !OBSOLETE })
}

/// The order of (user key, sequence number): newer entries of a key come first.
pub(super) fn order(comparator: Comparator, a: (&[u8], u64), b: (&[u8], u64)) -> Ordering {
    comparator.compare(a.0, b.0).then_with(|| b.1.cmp(&a.1))
}

/// Takes apart a value with its prefix byte.
fn stored(value: &[u8]) -> Result<ValuePlace<'_>> {
    let mut cursor = Cursor::new(value, 0);
    let at = cursor;
    match cursor.u8()? >> 6 {
        0 => Ok(ValuePlace::Here(cursor.rest())),
        2 => Ok(ValuePlace::ValueBlock {
            bytes: cursor.varint32()?,
            block: cursor.varint32()?,
            offset: cursor.varint32()?,
        }),
        1 => Ok(ValuePlace::Blob {
            reference: cursor.varint32()?,
            bytes: cursor.varint32()?,
            block: cursor.varint32()?,
            value: cursor.varint32()?,
        }),
        _ => Err(at.damaged("a value with an unknown prefix")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Entries, Shape};
    use crate::ErrorKind;

    /// A block of `rows` equal keys of `bytes` bytes, which the block stores once.
    fn equal_keys(rows: u32, bytes: usize) -> Block {
        let types = [4, 3, 2, 1, 3, 1, 1];
        let prefix = [&[0, 0x80][..], &(bytes as u64).to_le_bytes(), &vec![b'k'; bytes]].concat();
        let trailers = [&[0x80][..], &(7_u64 << 8 | 1).to_le_bytes()].concat();
        // Strings without bytes have offsets of no bytes; 1 is a bitmap without any bit set.
        let columns = [prefix, vec![0], trailers, vec![1], vec![0], vec![1], vec![1]];
        let mut block = vec![0; 4];
        block.extend_from_slice(&[1, 7, 0]);
        block.extend_from_slice(&rows.to_le_bytes());
        let mut offset = block.len() + 5 * types.len();
        for (kind, column) in types.iter().zip(&columns) {
            block.push(*kind);
            block.extend_from_slice(&u32::try_from(offset).unwrap().to_le_bytes());
            offset += column.len();
        }
        block.extend(columns.concat());
        block.push(0);
        Block::plain(block)
    }

    #[test]
    fn equal_keys_that_are_stored_once_are_read() {
        let mut entries = Entries::new(equal_keys(3, 5), Shape::Columns).unwrap();
        for _ in 0..3 {
            assert!(entries.next().unwrap());
            let entry = entries.entry().unwrap();
            assert_eq!((entry.user_key, entry.sequence), (&b"kkkkk"[..], 7));
        }
        assert!(!entries.next().unwrap());
    }

    #[test]
    fn a_walk_over_keys_that_take_too_long_to_put_together_ends() {
        let mut entries = Entries::new(equal_keys(1 << 20, 1 << 20), Shape::Columns).unwrap();
        let error = (0..1 << 20).find_map(|_| entries.next().err()).unwrap();
        assert_eq!(error.kind(), ErrorKind::NotRead);
    }
}
