//! Columnar blocks: a header with the offset of each column, then the columns.
//!
//! ```text
//! [custom header] u8 version 1, u16 columns, u32 rows, per column (u8 type, u32 offset)
//! columns, each aligned as its integers need it, 1 byte of padding
//! ```
//!
//! A column is decoded to its offsets and widths; reading a row takes the bytes of the block again, so that a
//! cursor can own both. Every access is checked: the bytes may be hostile.

use crate::bytes::Cursor;
use crate::{Error, Result};

/// Types of columns.
pub(crate) const TYPE_BOOL: u8 = 1;
pub(crate) const TYPE_UINT: u8 = 2;
pub(crate) const TYPE_BYTES: u8 = 3;
pub(crate) const TYPE_PREFIX_BYTES: u8 = 4;

/// Largest binary logarithm of the keys in a bundle. Pebble writes 4; a larger bundle would make a key cost a long walk
/// to the last one that differs.
const BUNDLE_SHIFT_MAX: u8 = 10;

/// The header of a columnar block.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// Rows of most columns.
    pub(crate) rows: usize,
    columns: Vec<(u8, usize)>,
}

impl Header {
    /// Reads the header of `block` after a custom header of `custom` bytes.
    pub(crate) fn decode(block: &[u8], custom: usize) -> Result<Self> {
        let rest = block.get(custom..).unwrap_or_default();
        let mut cursor = Cursor::new(rest, custom as u64);
        let version = cursor.u8()?;
        if version != 1 {
            return Err(Error::damaged(
                custom as u64,
                format!("a columnar block of version {version}"),
            ));
        }
        let count = cursor.u16()?;
        let at = cursor.offset();
        let rows = cursor.u32()? as usize;
        // Rows differ in at least one byte of some column, so a larger number is damage and would cost memory.
        if rows > block.len() {
            let message = format!("{rows} rows in a block of {} bytes", block.len());
            return Err(Error::damaged(at, message));
        }
        let mut columns = Vec::with_capacity(usize::from(count).min(rest.len() / 5));
        for _ in 0..count {
            columns.push((cursor.u8()?, cursor.u32()? as usize));
        }
        Ok(Self { rows, columns })
    }

    /// The type and the offset of each column.
    pub(crate) fn columns(&self) -> &[(u8, usize)] {
        &self.columns
    }

    /// The types of the columns.
    pub(crate) fn types(&self) -> Vec<u8> {
        self.columns.iter().map(|column| column.0).collect()
    }

    /// Whether each column starts after the one before it.
    pub(crate) fn ascends(&self) -> bool {
        self.columns.iter().zip(self.columns.iter().skip(1)).all(|(one, next)| one.1 <= next.1)
    }

    /// The cursor at the start of `column`, which must be of `wanted` type.
    fn start<'a>(&self, block: &'a [u8], column: usize, wanted: u8) -> Result<Cursor<'a>> {
        let Some(&(kind, offset)) = self.columns.get(column) else {
            return Err(Error::damaged(0, format!("the block has no column {column}")));
        };
        if kind != wanted {
            let message = format!("column {column} has type {kind}, {wanted} is expected");
            return Err(Error::damaged(0, message));
        }
        let rest = block.get(offset..);
        let rest = rest.ok_or_else(|| {
            Error::damaged(0, format!("column {column} starts after the end of its block"))
        })?;
        Ok(Cursor::new(rest, offset as u64))
    }

    /// A column of `rows` integers.
    pub(crate) fn uints(&self, block: &[u8], column: usize, rows: usize) -> Result<Uints> {
        Ok(Uints::decode(self.start(block, column, TYPE_UINT)?, rows)?.0)
    }

    /// A column of truth values.
    pub(crate) fn bools(&self, block: &[u8], column: usize) -> Result<Bools> {
        Bools::decode(self.start(block, column, TYPE_BOOL)?, self.rows)
    }

    /// A column of `rows` strings.
    pub(crate) fn strings(&self, block: &[u8], column: usize, rows: usize) -> Result<Strings> {
        Strings::decode(self.start(block, column, TYPE_BYTES)?, rows)
    }

    /// A column of prefix-compressed strings.
    pub(crate) fn prefixed(&self, block: &[u8], column: usize) -> Result<PrefixBytes> {
        PrefixBytes::decode(self.start(block, column, TYPE_PREFIX_BYTES)?, self.rows)
    }
}

/// A column of integers: `base` + the stored number of `width` bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uints {
    start: usize,
    width: usize,
    base: u64,
    rows: usize,
}

impl Uints {
    /// The column at `cursor`, and the offset of the byte after it.
    fn decode(mut cursor: Cursor<'_>, rows: usize) -> Result<(Self, usize)> {
        if rows == 0 {
            return Ok((Self::default(), place(cursor.offset())));
        }
        let at = cursor;
        let encoding = cursor.u8()?;
        let width = usize::from(encoding & 0x7f);
        if !matches!(width, 0 | 1 | 2 | 4 | 8) {
            return Err(at.damaged(format!("integers of {width} bytes")));
        }
        let base = if encoding & 0x80 == 0 { 0 } else { cursor.u64()? };
        let start = place(cursor.offset()).next_multiple_of(width.max(1));
        cursor.take(start - place(cursor.offset()))?;
        cursor.take(rows.saturating_mul(width))?;
        Ok((Self { start, width, base, rows }, place(cursor.offset())))
    }

    /// Offset of the integers, their width, and the base that is added to each.
    pub(crate) fn shape(&self) -> (usize, usize, u64) {
        (self.start, self.width, self.base)
    }

    /// The integer of `row`.
    pub(crate) fn get(&self, block: &[u8], row: usize) -> Result<u64> {
        if row >= self.rows {
            return Err(Error::damaged(self.start as u64, format!("no row {row}")));
        }
        let start = self.start + row * self.width;
        let stored = block.get(start..start + self.width);
        let stored = stored.ok_or_else(|| Error::damaged(start as u64, "a row is cut short"))?;
        let number = stored.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        Ok(self.base.wrapping_add(number))
    }

    /// The integer of `row` as a place in memory.
    fn place(&self, block: &[u8], row: usize) -> Result<usize> {
        Ok(place(self.get(block, row)?))
    }
}

/// A column of truth values, one bit per row; absent when all are false.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bools {
    start: Option<usize>,
}

impl Bools {
    fn decode(mut cursor: Cursor<'_>, rows: usize) -> Result<Self> {
        let at = cursor;
        match cursor.u8()? {
            0 => {}
            1 => return Ok(Self { start: None }),
            other => return Err(at.damaged(format!("a bitmap of encoding {other}"))),
        }
        let start = place(cursor.offset()).next_multiple_of(8);
        cursor.take(start - place(cursor.offset()))?;
        cursor.take(rows.div_ceil(64) * 8)?;
        Ok(Self { start: Some(start) })
    }

    /// The value of `row`.
    pub(crate) fn get(&self, block: &[u8], row: usize) -> bool {
        let byte = self.start.and_then(|start| block.get(start + row / 8));
        byte.is_some_and(|byte| byte >> (row % 8) & 1 == 1)
    }
}

/// A column of strings: the offsets of their ends in the bytes that follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strings {
    offsets: Uints,
    data: usize,
}

impl Strings {
    /// The offsets of the ends, the first of which is 0, and the start of the strings.
    pub(crate) fn parts(&self) -> (Uints, usize) {
        (self.offsets, self.data)
    }

    fn decode(cursor: Cursor<'_>, rows: usize) -> Result<Self> {
        if rows == 0 {
            return Ok(Self { offsets: Uints::default(), data: place(cursor.offset()) });
        }
        let (offsets, data) = Uints::decode(cursor, rows + 1)?;
        Ok(Self { offsets, data })
    }

    /// The string of `row`.
    pub(crate) fn get<'b>(&self, block: &'b [u8], row: usize) -> Result<&'b [u8]> {
        let (start, end) = (self.offsets.place(block, row)?, self.offsets.place(block, row + 1)?);
        slice(block, self.data, start, end)
    }
}

/// A column of ascending strings: the prefix of all, the prefix of each bundle, and the rest of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrefixBytes {
    shift: u8,
    offsets: Uints,
    data: usize,
    rows: usize,
}

impl PrefixBytes {
    /// The offsets of the ends, the start of the strings, and the binary logarithm of the keys in a bundle.
    pub(crate) fn parts(&self) -> (Uints, usize, u8) {
        (self.offsets, self.data, self.shift)
    }

    fn decode(mut cursor: Cursor<'_>, rows: usize) -> Result<Self> {
        let at = cursor;
        let shift = cursor.u8()?;
        if shift > BUNDLE_SHIFT_MAX {
            return Err(at.damaged(format!("bundles of 2^{shift} keys")));
        }
        let bundles = rows.div_ceil(1 << shift);
        let (offsets, data) = Uints::decode(cursor, 1 + bundles + rows)?;
        Ok(Self { shift, offsets, data, rows })
    }

    /// Appends the string of `row` to `key`.
    pub(crate) fn append(&self, block: &[u8], row: usize, key: &mut Vec<u8>) -> Result<()> {
        if row >= self.rows {
            return Err(Error::damaged(self.data as u64, format!("no row {row}")));
        }
        let place = |index| self.offsets.place(block, index);
        let bundle = 1 + (row >> self.shift) * ((1 << self.shift) + 1);
        let first = bundle + 1;
        let mut index = first + (row & ((1 << self.shift) - 1));
        // An empty rest repeats the row before.
        while index > first && place(index - 1)? == place(index)? {
            index -= 1;
        }
        key.extend_from_slice(slice(block, self.data, 0, place(0)?)?);
        key.extend_from_slice(slice(block, self.data, place(bundle - 1)?, place(bundle)?)?);
        key.extend_from_slice(slice(block, self.data, place(index - 1)?, place(index)?)?);
        Ok(())
    }
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn slice(block: &[u8], data: usize, start: usize, end: usize) -> Result<&[u8]> {
    let from = data.checked_add(start);
    let to = data.checked_add(end);
    let range = from.zip(to).and_then(|(from, to)| block.get(from..to));
    range.ok_or_else(|| {
        let message = format!("a string from {start} to {end} is not inside of its block");
        Error::damaged(data as u64, message)
    })
}

#[cfg(test)]
mod tests {
    use super::{Header, TYPE_PREFIX_BYTES};

    /// A block with one column, of integers of one byte and the bytes after them.
    fn block(kind: u8, rows: u8, column: &[u8]) -> Vec<u8> {
        [&[1, 1, 0, rows, 0, 0, 0, kind, 12, 0, 0, 0], column].concat()
    }

    #[test]
    fn prefixed_strings_share_what_the_block_and_their_bundle_share_and_may_repeat() {
        // Bundles of four: block prefix, then per bundle its prefix and the rest of each string.
        let parts = [
            &["aa", "bbbc", "", "c", "de", "e", "bbb", "dee", "", "", "eff"][..],
            &["b", "be", "beef", "", "c", "bcceef", "", "", ""],
        ]
        .concat();
        let mut end = 0_u8;
        let mut ends = Vec::new();
        for part in &parts {
            end += u8::try_from(part.len()).unwrap();
            ends.push(end);
        }
        let column = [&[2, 1], ends.as_slice(), parts.concat().as_bytes()].concat();
        let block = block(TYPE_PREFIX_BYTES, 15, &column);
        let strings = Header::decode(&block, 0).unwrap().prefixed(&block, 0).unwrap();
        let found = (0..15).map(|row| {
            let mut key = Vec::new();
            strings.append(&block, row, &mut key).unwrap();
            String::from_utf8(key).unwrap()
        });
        let wanted = [
            "aabbbc", "aabbbcc", "aabbbcde", "aabbbce", "aabbbdee", "aabbbdee", "aabbbdee",
            "aabbbeff", "aabbe", "aabbeef", "aabbeef", "aabc", "aabcceef", "aabcceef", "aabcceef",
        ];
        assert_eq!(found.collect::<Vec<_>>(), wanted);
        assert!(strings.append(&block, 15, &mut Vec::new()).is_err());
    }

    #[test]
    fn bundles_that_are_too_large_and_too_many_rows_are_damage() {
        let large = block(TYPE_PREFIX_BYTES, 1, &[11, 1, 0, 0, 0]);
        assert!(Header::decode(&large, 0).unwrap().prefixed(&large, 0).is_err());
        let rows = block(TYPE_PREFIX_BYTES, 200, &[2, 0]);
        assert!(Header::decode(&rows, 0).is_err());
    }
}
