//! Writes a table.

use super::{TOMBSTONE, filter, stamped};
use crate::{Entry, u32_of};
use levelscope::{Error, Result};

/// Number of a table: its file is called `LEVEL_INCREMENT.sst`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableNumber {
    /// The level: 0 for tables from memtables.
    pub level: u16,
    /// Its number in the level.
    pub increment: u16,
}

impl TableNumber {
    /// The table with `entries`, in ascending order of keys followed by their times; an entry
    /// without a sequence number has the time 0. Cost: their bytes, twice.
    ///
    /// # Errors
    /// `InvalidArgument` when the order is wrong, when a key or a value is too long for its length of two
    /// bytes, when a value is the one byte 0, which would be a tombstone, or beyond 4 GiB.
    pub fn write(self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let (mut file, mut items, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut last: Option<Vec<u8>> = None;
        for entry in entries {
            let key = stamped(&entry.key, entry.sequence.unwrap_or(0));
            if last.is_some_and(|last| last >= key) {
                return Err(Error::invalid(
                    "this key and its time are not larger than those before",
                ));
            }
            let value = stored(entry)?;
            starts.push(items.len());
            put_length(&mut items, &key)?;
            items.extend_from_slice(&u32_of(file.len())?.to_le_bytes());
            put_length(&mut file, value)?;
            last = Some(key);
        }
        let index_offset = file.len();
        file.append(&mut items);
        for start in starts {
            let start = index_offset.saturating_add(start);
            file.extend_from_slice(&u32_of(start)?.to_le_bytes());
        }
        let filter_offset = file.len();
        file.append(&mut filter::build(entries.iter().map(|entry| &*entry.key)));
        file.extend_from_slice(&self.level.to_le_bytes());
        file.extend_from_slice(&self.increment.to_le_bytes());
        for number in [entries.len(), index_offset, filter_offset] {
            file.extend_from_slice(&u32_of(number)?.to_le_bytes());
        }
        Ok(file)
    }
}

/// Appends a length of two bytes and the bytes.
fn put_length(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    out.extend_from_slice(&u16_of(bytes.len())?.to_le_bytes());
    out.extend_from_slice(bytes);
    Ok(())
}

/// The stored value of `entry`.
pub(super) fn stored<'e>(entry: &'e Entry<'_>) -> Result<&'e [u8]> {
    match entry.value.as_deref() {
        Some(TOMBSTONE) => {
            Err(Error::invalid("a value of the one byte 0 would be read as a tombstone"))
        }
        value => Ok(value.unwrap_or(TOMBSTONE)),
    }
}

pub(super) fn u16_of(bytes: usize) -> Result<u16> {
    u16::try_from(bytes).map_err(|_| {
        let what = "two bytes cannot hold a length of more than 65,535 bytes; a key has 8 more for its time";
        Error::invalid(what)
    })
}
