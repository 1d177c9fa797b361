//! The packed form of keys and values. Lengths are 32 bits, little-endian, and stand before their bytes.
//!
//! ```text
//! operations   (kind u8 | key length | value length | key | value)*      kind: 0 delete, 1 put, 2 delete range
//! keys         (key length | key)*
//! values       (value length, or 2^32 - 1 where there is none | value)*
//! entries      (key length | value length | key | value)*
//! range        flags u8 | snapshot u32 | lower bound | upper bound
//! bound        kind u8 | key length | key                                kind: 0 none, 1 inclusive, 2 exclusive
//! ```
//!
//! A range is deleted from its key up to, but not including, its value; without a value it has no end.

use levelscope::{Error, Result, WriteBatch};
use std::ops::Bound;

/// The length that stands for an absent value.
pub const ABSENT: u32 = u32::MAX;

const PUT: u8 = 1;
const DELETE: u8 = 0;
const DELETE_RANGE: u8 = 2;

/// Keys and values are wanted from the last to the first.
pub const REVERSE: u8 = 1;
/// Keys are wanted.
pub const KEYS: u8 = 2;
/// Values are wanted.
pub const VALUES: u8 = 4;

/// The range of an iterator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// From the last to the first.
    pub reverse: bool,
    /// Whether keys are wanted.
    pub keys: bool,
    /// Whether values are wanted.
    pub values: bool,
    /// Number of the snapshot to read; 0: the present.
    pub snapshot: u32,
    /// Smallest key.
    pub lower: Bound<Vec<u8>>,
    /// Largest key.
    pub upper: Bound<Vec<u8>>,
}

/// Takes packed parts from the front of what is left.
struct Unpacked<'a>(&'a [u8]);

impl<'a> Unpacked<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(cut)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        self.bytes(1)?.first().copied().ok_or_else(cut)
    }

    fn number(&mut self) -> Result<u32> {
        let bytes = self.bytes(4)?.try_into().map_err(|_| cut())?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn length(&mut self) -> Result<usize> {
        usize::try_from(self.number()?).map_err(|_| cut())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bound(&mut self) -> Result<Bound<Vec<u8>>> {
        let kind = self.byte()?;
        let length = self.length()?;
        let key = self.bytes(length)?.to_vec();
        match kind {
            0 => Ok(Bound::Unbounded),
            1 => Ok(Bound::Included(key)),
            2 => Ok(Bound::Excluded(key)),
            _ => Err(Error::invalid("a bound is inclusive, exclusive or absent")),
        }
    }
}

fn cut() -> Error {
    Error::invalid("what was packed ends in the middle of a key or value")
}

/// Adds packed operations to `batch`.
///
/// # Errors
/// `InvalidArgument` for what is not packed as operations, and where a batch refuses one.
pub fn operations(packed: &[u8], batch: &mut WriteBatch) -> Result<()> {
    let mut rest = Unpacked(packed);
    while !rest.is_empty() {
        let (kind, key, value) = (rest.byte()?, rest.length()?, rest.length()?);
        let (key, value) = (rest.bytes(key)?, rest.bytes(value)?);
        match kind {
            PUT => batch.put(key, value)?,
            DELETE => batch.delete(key)?,
            DELETE_RANGE if value.is_empty() => batch.delete_from(key)?,
            DELETE_RANGE => batch.delete_range(key, value)?,
            _ => return Err(Error::invalid("an operation is a put, a delete or a range delete")),
        }
    }
    Ok(())
}

/// Calls `each` with every packed key.
///
/// # Errors
/// `InvalidArgument` for what is not packed as keys; what `each` returns.
pub fn keys(packed: &[u8], mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let mut rest = Unpacked(packed);
    while !rest.is_empty() {
        let length = rest.length()?;
        each(rest.bytes(length)?)?;
    }
    Ok(())
}

/// The packed range.
///
/// # Errors
/// `InvalidArgument` for what is not packed as one.
pub fn range(packed: &[u8]) -> Result<Range> {
    let mut rest = Unpacked(packed);
    let (flags, snapshot) = (rest.byte()?, rest.number()?);
    Ok(Range {
        reverse: flags & REVERSE != 0,
        keys: flags & KEYS != 0,
        values: flags & VALUES != 0,
        snapshot,
        lower: rest.bound()?,
        upper: rest.bound()?,
    })
}

/// Adds a value to `packed`, or that there is none.
///
/// # Errors
/// `InvalidArgument` for a value of 4 GiB; the engine has none.
pub fn push_value(packed: &mut Vec<u8>, value: Option<&[u8]>) -> Result<()> {
    let Some(value) = value else {
        packed.extend_from_slice(&ABSENT.to_le_bytes());
        return Ok(());
    };
    packed.extend_from_slice(&length_of(value)?.to_le_bytes());
    packed.extend_from_slice(value);
    Ok(())
}

/// Adds an entry to `packed`.
///
/// # Errors
/// As [`push_value`].
pub fn push_entry(packed: &mut Vec<u8>, key: &[u8], value: &[u8]) -> Result<()> {
    packed.extend_from_slice(&length_of(key)?.to_le_bytes());
    packed.extend_from_slice(&length_of(value)?.to_le_bytes());
    packed.extend_from_slice(key);
    packed.extend_from_slice(value);
    Ok(())
}

fn length_of(bytes: &[u8]) -> Result<u32> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length < ABSENT);
    length.ok_or_else(|| Error::invalid("a key or value of 4 GiB cannot be packed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use levelscope::{ErrorKind, ValueKind};

    fn packed(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    #[test]
    fn operations_become_a_batch() {
        let put = packed(&[&[1], &1_u32.to_le_bytes(), &3_u32.to_le_bytes(), b"k", b"val"]);
        let delete = packed(&[&[0], &2_u32.to_le_bytes(), &0_u32.to_le_bytes(), b"kk"]);
        let mut batch = WriteBatch::new();
        let range = packed(&[&[2], &1_u32.to_le_bytes(), &1_u32.to_le_bytes(), b"ab"]);
        let rest = packed(&[&[2], &1_u32.to_le_bytes(), &0_u32.to_le_bytes(), b"x"]);
        let empty = packed(&[&[2], &1_u32.to_le_bytes(), &1_u32.to_le_bytes(), b"ba"]);
        let packed = packed(&[&put, &delete, &range, &rest, &empty]);
        operations(&packed, &mut batch).unwrap();
        let entries: Vec<_> = batch.entries().map(|entry| entry.unwrap()).collect();
        let expected: [(ValueKind, &[u8], &[u8]); 4] = [
            (ValueKind::Put, b"k", b"val"),
            (ValueKind::Delete, b"kk", b""),
            (ValueKind::RangeDelete, b"a", b"b"),
            (ValueKind::RangeDelete, b"x", b""),
        ];
        assert_eq!(entries, expected);
    }

    #[test]
    fn every_cut_is_refused() {
        let whole = packed(&[&[1], &1_u32.to_le_bytes(), &3_u32.to_le_bytes(), b"k", b"val"]);
        for cut in 1..whole.len() {
            let error = operations(&whole[..cut], &mut WriteBatch::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{cut}");
        }
        let huge = packed(&[&[1], &u32::MAX.to_le_bytes(), &u32::MAX.to_le_bytes(), b"k"]);
        assert!(operations(&huge, &mut WriteBatch::new()).is_err());
        assert!(operations(&[7, 0, 0, 0, 0, 0, 0, 0, 0], &mut WriteBatch::new()).is_err());
    }

    #[test]
    fn a_range_has_flags_snapshot_and_bounds() {
        let bytes = packed(&[
            &[REVERSE | VALUES],
            &9_u32.to_le_bytes(),
            &[1],
            &1_u32.to_le_bytes(),
            b"a",
            &[0],
            &0_u32.to_le_bytes(),
        ]);
        let expected = Range {
            reverse: true,
            keys: false,
            values: true,
            snapshot: 9,
            lower: Bound::Included(b"a".to_vec()),
            upper: Bound::Unbounded,
        };
        assert_eq!(range(&bytes).unwrap(), expected);
        for cut in 0..bytes.len() {
            assert!(range(&bytes[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn values_and_entries_are_packed_with_their_lengths() {
        let mut bytes = Vec::new();
        push_value(&mut bytes, Some(b"ab")).unwrap();
        push_value(&mut bytes, None).unwrap();
        push_entry(&mut bytes, b"k", b"v").unwrap();
        let expected: [&[u8]; 4] =
            [&[2, 0, 0, 0], b"ab", &[255; 4], &[1, 0, 0, 0, 1, 0, 0, 0, b'k', b'v']];
        assert_eq!(bytes, expected.concat());
    }
}
