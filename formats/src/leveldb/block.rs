//! Blocks of foreign tables: entries that share prefixes, restart points, and what other versions add.
//!
//! ```text
//! entry:  varint shared | varint unshared | varint value length | key suffix | value
//! block:  entry ... | restart offset u32 ... | restart count u32
//! ```
//! Unlike the engine's own blocks, these may be empty, may have a table of buckets after their restart
//! points, and may leave out the length of a value that encodes its own length.

use levelscope::internals::coding::Reader;
use levelscope::internals::table::Damage;

/// The highest bit of the restart count: a table of buckets comes before it.
const HAS_BUCKETS: u32 = 1 << 31;

/// Keys of a block are at most so many times as long as it is: the work for a hostile one would grow with the square
/// of its length. With the usual 16 entries from one restart point to the next, they are less than 16 times as long.
const KEYS_RATIO_MAX: usize = 64;

/// The reason for not reading the rest of a block with too many bytes of keys.
pub(crate) const LONG_KEYS: &str =
    "the keys of the block are more than 64 times as long as the block, which is not read";

/// How the values of a block are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// After their lengths.
    Any,
    /// They are handles without a length: two varints, or one for the difference to the one before
    /// when the key shares a prefix.
    Handles,
}

/// A decompressed block whose restart points are known to ascend and to lie among the entries.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    values: Values,
    entries_end: usize,
    restart_count: usize,
    bucket_count: usize,
}

/// Where the parts of one entry are in the block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored {
    /// Where it begins.
    pub(crate) begin: usize,
    /// Bytes of the key that are those of the key before.
    pub(crate) shared: usize,
    /// Where the other bytes of the key begin.
    pub(crate) suffix: usize,
    /// Where the value begins.
    pub(crate) value: usize,
    /// Where the next entry begins.
    pub(crate) end: usize,
}

impl Block {
    /// Checks the frame of a decompressed block.
    ///
    /// # Errors
    /// What is wrong with the restart points.
    pub(crate) fn new(bytes: Vec<u8>, values: Values) -> Result<Self, Damage> {
        let damage = |at, what| Err(Damage { at, what });
        let Some((front, count)) = bytes.split_last_chunk::<4>() else {
            return damage(0, "the block is too short for its restart count");
        };
        let count = u32::from_le_bytes(*count);
        let mut end = front.len();
        let mut bucket_count = 0;
        if count & HAS_BUCKETS != 0 {
            let buckets = front.split_last_chunk::<2>().and_then(|(front, buckets)| {
                let buckets = usize::from(u16::from_le_bytes(*buckets));
                Some((front.len().checked_sub(buckets)?, buckets))
            });
            let Some((begin, buckets)) = buckets else {
                return damage(end, "the block is too short for its buckets");
            };
            (end, bucket_count) = (begin, buckets + 2);
        }
        let restart_count = usize::try_from(count & !HAS_BUCKETS).unwrap_or(usize::MAX);
        let tail = restart_count.checked_mul(4).and_then(|tail| end.checked_sub(tail));
        let Some(entries_end) = tail else {
            return damage(end, "the block is too short for its restart points");
        };
        if restart_count == 0 {
            return damage(end, "the block has no restart point");
        }
        let block = Self { bytes, values, entries_end, restart_count, bucket_count };
        let mut next_min = 0;
        for index in 0..restart_count {
            let restart = block.restart(index);
            let first = index != 0 || restart == 0;
            let inside = restart < entries_end || (restart == 0 && entries_end == 0);
            if !first || restart < next_min || !inside {
                return damage(entries_end + 4 * index, "a restart point is out of order");
            }
            next_min = restart + 1;
        }
        Ok(block)
    }

    /// The whole block.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A part of the block; empty when it is outside.
    pub(crate) fn slice(&self, begin: usize, end: usize) -> &[u8] {
        self.bytes.get(begin..end).unwrap_or_default()
    }

    /// The value of `entry`.
    pub(crate) fn value(&self, entry: Stored) -> &[u8] {
        self.slice(entry.value, entry.end)
    }

    /// Where the entries end and the restart points begin.
    pub(crate) fn entries_end(&self) -> usize {
        self.entries_end
    }

    /// How many restart points there are; at least one.
    pub(crate) fn restart_count(&self) -> usize {
        self.restart_count
    }

    /// Bytes of the table of buckets after the restart points, with its own count.
    pub(crate) fn bucket_bytes(&self) -> usize {
        self.bucket_count
    }

    /// Offset of the restart point `index`; the end of the entries for an index after the last one.
    pub(crate) fn restart(&self, index: usize) -> usize {
        if index >= self.restart_count {
            return self.entries_end;
        }
        let at = self.entries_end + 4 * index;
        let word = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<4>);
        word.map_or(self.entries_end, |word| {
            usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX)
        })
    }

    /// The key at the restart point `index`, which shares nothing and so lies in the block.
    pub(crate) fn restart_key(&self, index: usize) -> Result<&[u8], Damage> {
        let entry = self.entry(self.restart(index))?;
        if entry.shared != 0 {
            let what = "an entry at a restart point shares a prefix";
            return Err(Damage { at: entry.begin, what });
        }
        Ok(self.slice(entry.suffix, entry.value))
    }

    /// The entry at `at`, which must be where an entry begins.
    fn entry(&self, at: usize) -> Result<Stored, Damage> {
        self.parse(at).ok_or(Damage { at, what: "an entry is cut off" })
    }

    fn parse(&self, begin: usize) -> Option<Stored> {
        let bytes = self.bytes.get(begin..self.entries_end)?;
        let mut reader = Reader::new(bytes);
        let mut length = || usize::try_from(reader.varint()?).ok();
        let (shared, unshared) = (length()?, length()?);
        let value_bytes = match self.values {
            Values::Any => length()?,
            Values::Handles => {
                let mut value = Reader::new(reader.rest().get(unshared..)?);
                value.varint()?;
                if shared == 0 {
                    value.varint()?;
                }
                value.position()
            }
        };
        let suffix = begin + reader.position();
        let value = suffix.checked_add(unshared)?;
        let end = value.checked_add(value_bytes).filter(|end| *end <= self.entries_end)?;
        Some(Stored { begin, shared, suffix, value, end })
    }
}

/// A walk over the entries of a block.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    at: usize,
    key: Vec<u8>,
    /// Sum of the lengths of the keys \[bytes\].
    keys_bytes: usize,
}

impl Walk {
    /// From the entry at `at` on, which must be a restart point.
    pub(crate) fn from(at: usize) -> Self {
        Self { at, ..Self::default() }
    }

    /// Whether the keys walked over are so long in all that the rest of `block` is not read.
    pub(crate) fn is_long(&self, block: &Block) -> bool {
        self.keys_bytes > block.bytes.len().saturating_mul(KEYS_RATIO_MAX)
    }

    /// The key of the entry walked over last.
    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The next entry; `None` at the end.
    ///
    /// # Errors
    /// The damage of the entry; the walk is over then.
    pub(crate) fn next(&mut self, block: &Block) -> Result<Option<Stored>, Damage> {
        if self.at >= block.entries_end {
            return Ok(None);
        }
        let at = std::mem::replace(&mut self.at, usize::MAX);
        let entry = block.entry(at)?;
        if entry.shared > self.key.len() {
            let what = "an entry shares more than the key before has";
            return Err(Damage { at, what });
        }
        self.key.truncate(entry.shared);
        self.key.extend_from_slice(block.slice(entry.suffix, entry.value));
        self.keys_bytes = self.keys_bytes.saturating_add(self.key.len());
        self.at = entry.end;
        Ok(Some(entry))
    }
}
