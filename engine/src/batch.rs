//! Write batches: operations that become visible and durable together, or not at all.
//!
//! The body of a batch is the body of one record of the write-ahead log:
//!
//! ```text
//! entry*   entry = kind u8 | key length varint | value length varint | key | value
//! ```
//!
//! A tombstone has the value length 0. A range delete has its first key as the key, and the key before
//! which it ends as the value; without a value it has no end. The number of entries and the first sequence number stand in
//! the header of the record; entry `i` has sequence number `first + i`.

use crate::coding::{Reader, put_varint, varint_bytes};
use crate::key::ValueKind;
use crate::limits::{BATCH_BYTES_MAX, BATCH_COUNT_MAX, KEY_BYTES_MAX, VALUE_BYTES_MAX};
use crate::prefix::after_prefix;
use crate::text;
use crate::{Error, ErrorKind, Result};

/// Most bytes of an entry beside key and value: kind, and two lengths of at most four bytes.
const ENTRY_HEADER_BYTES_MAX: usize = 9;

/// Puts, deletes and range deletes that are written as one: after a crash either all of them are there or none.
///
/// Keys and values are arbitrary bytes; both may be empty. Of several operations on one key the last
/// one wins. A call that breaks a limit is refused and leaves the batch as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteBatch {
    body: Vec<u8>,
    count: u32,
    /// Keys and values alone.
    payload_bytes: usize,
    /// Range deletes among the operations.
    ranges: u32,
}

impl WriteBatch {
    /// A batch without operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds: `key` gets `value`.
    ///
    /// # Errors
    /// `InvalidArgument` when the key is longer than [`KEY_BYTES_MAX`], the value longer than
    /// [`VALUE_BYTES_MAX`], or the batch would exceed [`BATCH_BYTES_MAX`] or [`BATCH_COUNT_MAX`].
    pub fn put(&mut self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<()> {
        self.push(ValueKind::Put, key.as_ref(), value.as_ref())
    }

    /// Adds: `key` has no value from now on.
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`].
    pub fn delete(&mut self, key: impl AsRef<[u8]>) -> Result<()> {
        self.push(ValueKind::Delete, key.as_ref(), &[])
    }

    /// Adds: no key from `begin` up to, but not including, `end` has a value from now on, whatever their number.
    /// Later operations of the batch may put keys there again. Nothing is added when `end` does not come after
    /// `begin`.
    ///
    /// ```
    /// # use levelscope::{Db, WriteBatch, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// db.put("user/7/name", "Ada")?;
    /// let mut batch = WriteBatch::new();
    /// batch.delete_range("user/7/", "user/70")?;
    /// batch.put("user/7/gone", "yes")?;
    /// db.write(&batch, None)?;
    /// assert_eq!(db.prefix("user/7/")?.count(), 1);
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`]; `end` has the limit of a key.
    pub fn delete_range(&mut self, begin: impl AsRef<[u8]>, end: impl AsRef<[u8]>) -> Result<()> {
        let (begin, end) = (begin.as_ref(), end.as_ref());
        if begin < end { self.push(ValueKind::RangeDelete, begin, end) } else { Ok(()) }
    }

    /// Adds: no key from `begin` on has a value from now on.
    ///
    /// # Errors
    /// As [`WriteBatch::delete_range`].
    pub fn delete_from(&mut self, begin: impl AsRef<[u8]>) -> Result<()> {
        self.push(ValueKind::RangeDelete, begin.as_ref(), &[])
    }

    /// Adds: no key that begins with `prefix` has a value from now on.
    ///
    /// # Errors
    /// As [`WriteBatch::delete_range`].
    pub fn delete_prefix(&mut self, prefix: impl AsRef<[u8]>) -> Result<()> {
        let prefix = prefix.as_ref();
        self.push(ValueKind::RangeDelete, prefix, &after_prefix(prefix).unwrap_or_default())
    }

    /// Removes all operations and keeps the memory.
    pub fn clear(&mut self) {
        self.body.clear();
        self.count = 0;
        self.payload_bytes = 0;
        self.ranges = 0;
    }

    /// Number of operations.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are no operations.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Length of the encoded operations \[bytes\].
    pub fn bytes(&self) -> usize {
        self.body.len()
    }

    /// Sum of the lengths of all keys and values \[bytes\].
    pub fn payload_bytes(&self) -> usize {
        self.payload_bytes
    }

    /// Range deletes among the operations.
    pub fn range_deletes(&self) -> u32 {
        self.ranges
    }

    /// The encoded operations.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The operations in order.
    pub fn entries(&self) -> BatchEntries<'_> {
        decode(&self.body, self.count)
    }

    fn push(&mut self, kind: ValueKind, key: &[u8], value: &[u8]) -> Result<()> {
        check_lengths(key.len(), value.len())?;
        if kind == ValueKind::RangeDelete {
            check_lengths(value.len(), 0)?;
        }
        if self.count >= BATCH_COUNT_MAX {
            return Err(Error::invalid(format!(
                "a batch holds at most {}: write this one first, and then another",
                text::counted(BATCH_COUNT_MAX, "operation")
            )));
        }
        let before = self.body.len();
        self.body.reserve(key.len() + value.len() + ENTRY_HEADER_BYTES_MAX);
        self.body.push(kind as u8);
        put_varint(&mut self.body, key.len() as u64);
        put_varint(&mut self.body, value.len() as u64);
        if self.body.len() + key.len() + value.len() > BATCH_BYTES_MAX {
            self.body.truncate(before);
            return Err(Error::invalid(format!(
                "a batch holds at most {}, and this one would have more: it has {} without this operation. \
                 Write what it has first",
                text::bytes(BATCH_BYTES_MAX),
                text::count(before as u64)
            )));
        }
        self.body.extend_from_slice(key);
        self.body.extend_from_slice(value);
        self.count += 1;
        self.payload_bytes += key.len() + value.len();
        self.ranges += u32::from(kind == ValueKind::RangeDelete);
        Ok(())
    }
}

/// Length of one entry in the body of a batch \[bytes\]; a delete has no value.
pub(crate) fn entry_bytes(key: &[u8], value: Option<&[u8]>) -> usize {
    let value = value.map_or(0, <[u8]>::len);
    1 + varint_bytes(key.len()) + varint_bytes(value) + key.len() + value
}

/// Refuses a key or value that is too long; every way into the engine asks here.
pub(crate) fn check_lengths(key: usize, value: usize) -> Result<()> {
    if key > KEY_BYTES_MAX {
        return Err(Error::invalid(format!(
            "the key has {}, but a key has at most {}",
            text::bytes(key),
            text::count(KEY_BYTES_MAX as u64)
        )));
    }
    if value > VALUE_BYTES_MAX {
        return Err(Error::invalid(format!(
            "the value has {}, but a value has at most {}",
            text::bytes(value),
            text::count(VALUE_BYTES_MAX as u64)
        )));
    }
    Ok(())
}

/// One operation of a batch: its kind, key, value. Of a range delete: the first key, and the key before which
/// it ends; empty for the end of all keys.
pub(crate) type BatchEntry<'a> = (ValueKind, &'a [u8], &'a [u8]);

/// The operations of an encoded body that must have exactly `count` of them.
///
/// The body is untrusted: the iterator never panics and ends after its first error, which is a
/// `Corruption` without a file; the reader of the file adds name and offset.
pub fn decode(body: &[u8], count: u32) -> BatchEntries<'_> {
    BatchEntries { reader: Reader::new(body), left: count, done: false }
}

/// Iterator of [`decode`].
#[derive(Debug, Clone)]
pub struct BatchEntries<'a> {
    reader: Reader<'a>,
    left: u32,
    done: bool,
}

impl<'a> BatchEntries<'a> {
    fn entry(&mut self) -> Result<BatchEntry<'a>> {
        let position = self.reader.position();
        let flaw = |what: &str| {
            let message = format!("the batch entry at byte {position} of the body {what}");
            Error::new(ErrorKind::Corruption, message)
        };
        let tag = self.reader.u8().ok_or_else(|| flaw("is missing"))?;
        let kind = ValueKind::from_tag(tag).ok_or_else(|| flaw("has an unknown kind"))?;
        let key_bytes = self.reader.length().ok_or_else(|| flaw("has an impossible key length"))?;
        let value_bytes =
            self.reader.length().ok_or_else(|| flaw("has an impossible value length"))?;
        if check_lengths(key_bytes, value_bytes).is_err() {
            return Err(flaw("breaks the limits of keys and values"));
        }
        if kind == ValueKind::Delete && value_bytes != 0 {
            return Err(flaw("is a tombstone with a value"));
        }
        let key = self.reader.bytes(key_bytes).ok_or_else(|| flaw("ends within its key"))?;
        let value = self.reader.bytes(value_bytes).ok_or_else(|| flaw("ends within its value"))?;
        if kind == ValueKind::RangeDelete && !is_range(key, value) {
            return Err(flaw("is a range delete without keys"));
        }
        Ok((kind, key, value))
    }
}

/// Whether [`begin`, `end`) may be a range delete; an empty `end` stands for the end of all keys.
fn is_range(begin: &[u8], end: &[u8]) -> bool {
    end.is_empty() || begin < end && end.len() <= KEY_BYTES_MAX
}

impl<'a> Iterator for BatchEntries<'a> {
    type Item = Result<BatchEntry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let Some(left) = self.left.checked_sub(1) else {
            self.done = true;
            let rest = self.reader.rest().len();
            return (rest > 0).then(|| {
                let verb = if rest == 1 { "follows" } else { "follow" };
                let rest = text::bytes(rest);
                let message = format!("{rest} {verb} the last entry of the batch");
                Err(Error::new(ErrorKind::Corruption, message))
            });
        };
        self.left = left;
        let entry = self.entry();
        self.done = entry.is_err();
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(body: &[u8], count: u32) -> Result<Vec<BatchEntry<'_>>> {
        decode(body, count).collect()
    }

    #[test]
    fn operations_round_trip() {
        let mut batch = WriteBatch::new();
        assert!(batch.is_empty());
        batch.put(b"key", b"value").unwrap();
        batch.delete(b"").unwrap();
        batch.put(b"", [0xff; 300]).unwrap();
        batch.delete_range(b"a", b"m").unwrap();
        batch.delete_range(b"m", b"m").unwrap();
        batch.delete_range(b"n", b"m").unwrap();
        batch.delete_from(b"x").unwrap();
        batch.delete_prefix(b"ab").unwrap();
        batch.delete_prefix([0xff; 2]).unwrap();
        assert_eq!((batch.len(), batch.bytes()), (7, batch.body().len()));
        let expected: Vec<BatchEntry<'_>> = vec![
            (ValueKind::Put, b"key", b"value"),
            (ValueKind::Delete, b"", b""),
            (ValueKind::Put, b"", &[0xff; 300]),
            (ValueKind::RangeDelete, b"a", b"m"),
            (ValueKind::RangeDelete, b"x", b""),
            (ValueKind::RangeDelete, b"ab", b"ac"),
            (ValueKind::RangeDelete, &[0xff; 2], b""),
        ];
        assert_eq!(batch.entries().collect::<Result<Vec<_>>>().unwrap(), expected);
        batch.clear();
        assert_eq!(batch, WriteBatch::new());
    }

    #[test]
    fn limits_are_the_last_lengths_that_are_taken() {
        let mut batch = WriteBatch::new();
        batch.put(vec![0; KEY_BYTES_MAX], b"").unwrap();
        batch.delete(vec![0; KEY_BYTES_MAX]).unwrap();
        batch.put(b"", vec![0; VALUE_BYTES_MAX]).unwrap();
        let before = batch.clone();
        for refused in [
            batch.put(vec![0; KEY_BYTES_MAX + 1], b""),
            batch.delete(vec![0; KEY_BYTES_MAX + 1]),
            batch.put(b"", vec![0; VALUE_BYTES_MAX + 1]),
            batch.put(b"", vec![0; VALUE_BYTES_MAX]),
            batch.delete_range(b"a", vec![b'b'; KEY_BYTES_MAX + 1]),
            batch.delete_from(vec![0; KEY_BYTES_MAX + 1]),
        ] {
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
        }
        assert_eq!(batch, before);
        batch.count = BATCH_COUNT_MAX - 1;
        batch.put(b"", b"").unwrap();
        assert_eq!(batch.put(b"", b"").unwrap_err().kind(), ErrorKind::InvalidArgument);

        // Kind, two lengths (1 and 4 bytes) and the value fill the batch to its last byte.
        let mut full = WriteBatch::new();
        let largest = BATCH_BYTES_MAX - 6 - VALUE_BYTES_MAX;
        full.put(b"", vec![0; VALUE_BYTES_MAX]).unwrap();
        assert_eq!(full.put(b"", vec![0; largest - 5]).unwrap_err().kind(), {
            ErrorKind::InvalidArgument
        });
        full.put(b"", vec![0; largest - 6]).unwrap();
        assert_eq!(full.bytes(), BATCH_BYTES_MAX);
    }

    #[test]
    fn every_cut_and_every_wrong_count_is_noticed() {
        let mut batch = WriteBatch::new();
        batch.put(b"key", b"value").unwrap();
        batch.delete(b"other").unwrap();
        let body = batch.body();
        assert_eq!(entries(body, 2).unwrap().len(), 2);
        for cut in 0..body.len() {
            assert_eq!(entries(&body[..cut], 2).unwrap_err().kind(), ErrorKind::Corruption);
        }
        for count in [0, 1, 3, u32::MAX] {
            assert_eq!(entries(body, count).unwrap_err().kind(), ErrorKind::Corruption);
        }
    }

    #[test]
    fn hostile_bodies_end_in_one_error() {
        let bodies: [&[u8]; 8] = [
            &[3, 0, 0],
            &[2, 1, 1, b'k', b'k'],
            &[2, 1, 1, b'k', b'a'],
            &[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0],
            &[1, 5, 0, b'k'],
            &[1, 0, 5, b'v'],
            &[0, 0, 1, b'v'],
            &[1, 2, 2, b'k', b'k', b'v'],
        ];
        for body in bodies {
            let mut iterator = decode(body, 3);
            let found = iterator.next().unwrap().unwrap_err();
            assert_eq!(found.kind(), ErrorKind::Corruption, "{body:?}");
            assert!(iterator.next().is_none(), "{body:?}");
        }
        let mut long = vec![1];
        put_varint(&mut long, KEY_BYTES_MAX as u64 + 1);
        long.resize(KEY_BYTES_MAX + 100, 0);
        assert_eq!(entries(&long, 1).unwrap_err().kind(), ErrorKind::Corruption);
    }
}
