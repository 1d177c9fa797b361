//! The entries of a memtable as bytes: records in chunks that never move, nothing ever removed.
//!
//! ```text
//!  0       4         8          8+k       16+k
//!  ├ key k ┼ value v ┼ user key ┼ trailer ┼ value ─┤      little-endian; the next record begins at a
//!    bytes   bytes     k bytes    8 bytes   v bytes       multiple of four
//! ```
//!
//! User key and trailer stand together, so that the internal key can be lent as it lies there.

use crate::key::SplitKey;
use std::cmp::Ordering;

/// Where a record is: its chunk in the upper 14 bits, its offset in units of four bytes in the others.
pub(super) type Record = u32;

/// Chunks grow up to this size \[bytes\], the most that a record can address.
const CHUNK_BYTES_MAX: usize = 1 << 20;

/// The first chunk \[bytes\].
const CHUNK_BYTES_MIN: usize = 4096;

/// A record longer than this \[bytes\] gets a separate chunk, so that little of any chunk is wasted.
const SHARED_BYTES_MAX: usize = CHUNK_BYTES_MAX / 8;

const OFFSET_BITS: u32 = 18;
const OFFSET_MASK: u32 = (1 << OFFSET_BITS) - 1;

/// Bytes of a record before its key.
const LENGTHS_BYTES: usize = 8;
const TRAILER_BYTES: usize = 8;

/// Memory of a record beside key and value before it is rounded up \[bytes\].
pub(super) const RECORD_OVERHEAD_BYTES: usize = LENGTHS_BYTES + TRAILER_BYTES;

/// One entry, borrowed from its chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) user_key: &'a [u8],
    pub(super) trailer: u64,
    pub(super) internal_key: &'a [u8],
    pub(super) value: &'a [u8],
}

impl Entry<'_> {
    /// Memory of its record before it is rounded up \[bytes\].
    fn stored_bytes(&self) -> usize {
        LENGTHS_BYTES + self.internal_key.len() + self.value.len()
    }
}

/// All records of one memtable.
#[derive(Default)]
pub(super) struct Records {
    chunks: Vec<Vec<u8>>,
    /// The chunk that takes short records, and the capacity of all such chunks \[bytes\].
    filling: usize,
    capacity: usize,
}

impl Records {
    /// Appends an entry.
    pub(super) fn append(&mut self, target: SplitKey<'_>, value: &[u8]) -> Record {
        let SplitKey { user_key, trailer } = target;
        let bytes = RECORD_OVERHEAD_BYTES + user_key.len() + value.len();
        let number = self.chunk_for(bytes);
        let Some(chunk) = self.chunks.get_mut(number) else { return 0 };
        let offset = chunk.len();
        let lengths = length(user_key) | (length(value) << 32);
        chunk.extend_from_slice(&lengths.to_le_bytes());
        chunk.extend_from_slice(user_key);
        chunk.extend_from_slice(&trailer.to_le_bytes());
        chunk.extend_from_slice(value);
        chunk.resize(chunk.len().next_multiple_of(4), 0);
        let record = (number << OFFSET_BITS) | (offset / 4);
        let record = Record::try_from(record).unwrap_or(Record::MAX);
        assert!(record < Record::MAX, "a memtable never has so many chunks: see Memtable");
        record
    }

    /// The number of a chunk with room for a record of `bytes`.
    fn chunk_for(&mut self, bytes: usize) -> usize {
        if bytes > SHARED_BYTES_MAX {
            self.chunks.push(Vec::with_capacity(bytes.next_multiple_of(4)));
            return self.chunks.len() - 1;
        }
        let fits = |chunk: &Vec<u8>| chunk.capacity() - chunk.len() >= bytes.next_multiple_of(4);
        if !self.chunks.get(self.filling).is_some_and(fits) {
            // Each chunk is as large as all before it, so that a small memtable stays small.
            let room = bytes.next_power_of_two().max(CHUNK_BYTES_MIN);
            let capacity = self.capacity.clamp(room, CHUNK_BYTES_MAX);
            self.filling = self.chunks.len();
            self.capacity += capacity;
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.filling
    }

    /// The entry of `record`; an empty one when there is none.
    #[inline]
    pub(super) fn entry(&self, record: Record) -> Entry<'_> {
        let (key_bytes, value_bytes, bytes) = self.parts(record);
        let (internal_key, rest) =
            bytes.split_at_checked(key_bytes + TRAILER_BYTES).unwrap_or_default();
        let (user_key, trailer) = internal_key.split_last_chunk().unwrap_or((&[], &[0; 8]));
        Entry {
            user_key,
            trailer: u64::from_le_bytes(*trailer),
            internal_key,
            value: rest.get(..value_bytes).unwrap_or_default(),
        }
    }

    /// The newest `limit` entries and some older ones, if there are so many, in no order.
    ///
    /// Cost: a walk over the chunks that hold them, two megabytes of short entries at most.
    pub(super) fn newest(&self, limit: usize) -> Vec<Entry<'_>> {
        let (mut found, mut short) = (Vec::new(), 0);
        for number in (0..self.chunks.len()).rev() {
            let begin = found.len();
            found.extend(self.chunk_entries(number));
            // A chunk holds its entries in the order in which they came.
            found.drain(begin..(found.len() - limit.min(found.len() - begin)));
            let is_short = |entry: &&Entry<'_>| entry.stored_bytes() <= SHARED_BYTES_MAX;
            short += found.get(begin..).unwrap_or_default().iter().filter(is_short).count();
            // A long entry is not ordered with those of the chunk before, so only short ones count.
            if short >= limit {
                break;
            }
        }
        found
    }

    fn chunk_entries(&self, number: usize) -> impl Iterator<Item = Entry<'_>> {
        let end = self.chunks.get(number).map_or(0, Vec::len);
        let mut offset = 0;
        std::iter::from_fn(move || {
            let record = Record::try_from((number << OFFSET_BITS) | (offset / 4)).ok()?;
            let entry = (offset < end).then(|| self.entry(record))?;
            offset += entry.stored_bytes().next_multiple_of(4);
            Some(entry)
        })
    }

    /// Key and trailer of `record`.
    #[inline]
    pub(super) fn target(&self, record: Record) -> SplitKey<'_> {
        let (key_bytes, _, bytes) = self.parts(record);
        let (user_key, rest) = bytes.split_at_checked(key_bytes).unwrap_or_default();
        let trailer = rest.first_chunk().map_or(0, |trailer| u64::from_le_bytes(*trailer));
        SplitKey { user_key, trailer }
    }

    /// Whether `record` comes before `target`.
    #[inline]
    pub(super) fn is_before(&self, record: Record, target: &SplitKey<'_>) -> bool {
        let own = self.target(record);
        match compare(own.user_key, target.user_key) {
            Ordering::Less => true,
            Ordering::Equal => own.trailer > target.trailer,
            Ordering::Greater => false,
        }
    }

    /// Lengths of key and value, and the record's bytes after them.
    #[inline]
    fn parts(&self, record: Record) -> (usize, usize, &[u8]) {
        let chunk = self.chunks.get((record >> OFFSET_BITS) as usize);
        let offset = (record & OFFSET_MASK) as usize * 4;
        let bytes = chunk.and_then(|chunk| chunk.get(offset..)).unwrap_or_default();
        let Some((&[k0, k1, k2, k3, v0, v1, v2, v3], bytes)) = bytes.split_first_chunk() else {
            return (0, 0, &[]);
        };
        let key_bytes = u32::from_le_bytes([k0, k1, k2, k3]) as usize;
        (key_bytes, u32::from_le_bytes([v0, v1, v2, v3]) as usize, bytes)
    }

    /// Memory of the records \[bytes\].
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }
}

/// A length as stored. The limits of keys and values keep it far below 2³²; one that wrapped around
/// would lose data.
fn length(bytes: &[u8]) -> u64 {
    assert!(bytes.len() < u32::MAX as usize, "a memtable has no key or value of 4 GiB");
    bytes.len() as u64
}

/// The order of slices, eight bytes at a time: on short keys a sixth faster than calling `memcmp`.
fn compare(mut left: &[u8], mut right: &[u8]) -> Ordering {
    while let (Some((a, left_rest)), Some((b, right_rest))) =
        (left.split_first_chunk::<8>(), right.split_first_chunk::<8>())
    {
        if a != b {
            return u64::from_le_bytes(*a).swap_bytes().cmp(&u64::from_le_bytes(*b).swap_bytes());
        }
        (left, right) = (left_rest, right_rest);
    }
    left.cmp(right)
}
