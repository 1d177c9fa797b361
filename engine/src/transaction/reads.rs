//! Where a transaction has read: ranges of user keys, absent ones included.
//!
//! A point read is the range of one key; a scan is the range that its iterator has walked over, so that a key that
//! appears in it later (a phantom) is a change of that range.

use super::ranges::Ranges;
use crate::key::Cut;
use crate::limits::TRANSACTION_READ_BYTES_MAX;
use crate::text;
use crate::{Error, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory of a range beside the bytes of its two keys \[bytes\].
const RANGE_OVERHEAD_BYTES: usize = 96;

/// Ranges of user keys that neither overlap nor touch.
///
/// Cost: the logarithm a call; a scan, however long, grows one range.
#[derive(Debug)]
pub(crate) struct ReadSet {
    ranges: Ranges,
}

impl Default for ReadSet {
    fn default() -> Self {
        Self { ranges: Ranges::new(range_bytes) }
    }
}

/// The memory that a range takes \[bytes\].
fn range_bytes(from: &Cut, to: &Cut) -> usize {
    let bytes = |cut: &Cut| cut.key().map_or(0, <[u8]>::len);
    bytes(from) + bytes(to) + RANGE_OVERHEAD_BYTES
}

impl ReadSet {
    /// Adds the range between two cuts.
    ///
    /// # Errors
    /// `InvalidArgument` when the set exceeds [`TRANSACTION_READ_BYTES_MAX`].
    pub(crate) fn add(&mut self, from: Cut, to: Cut) -> Result<()> {
        let before = self.ranges.bytes();
        self.ranges.add(from, to);
        if self.ranges.bytes() > TRANSACTION_READ_BYTES_MAX && self.ranges.bytes() > before {
            return Err(Error::invalid(format!(
                "a serializable transaction remembers at most {} of what it has read: roll it back \
                 and read less at once",
                text::bytes(TRANSACTION_READ_BYTES_MAX)
            )));
        }
        Ok(())
    }

    /// The first key between two cuts that was read.
    pub(crate) fn first_in(&self, from: &Cut, to: &Cut) -> Option<Vec<u8>> {
        self.ranges.first_in(from, to)
    }

    /// The ranges in order: where each begins and ends.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (&Cut, &Cut)> {
        self.ranges.iter()
    }
}

/// Reports the ranges that iterators have read to their read set.
#[derive(Debug, Clone)]
pub(crate) struct ReadWatch {
    reads: Arc<Mutex<ReadSet>>,
    /// The key that the iterator stands on.
    at: Vec<u8>,
}

impl ReadWatch {
    /// For a new iterator of the transaction with these `reads`.
    pub(crate) fn new(reads: &Arc<Mutex<ReadSet>>) -> Self {
        Self { reads: Arc::clone(reads), at: Vec::new() }
    }

    /// The key that the iterator stood on before its present call.
    pub(crate) fn at(&self) -> &[u8] {
        &self.at
    }

    /// The iterator has walked from one cut to the other and stands on `key` now, or nowhere.
    ///
    /// # Errors
    /// As [`ReadSet::add`].
    pub(crate) fn walked(&mut self, from: Cut, to: Cut, key: Option<&[u8]>) -> Result<()> {
        if let Some(key) = key {
            self.at.clear();
            self.at.extend_from_slice(key);
        }
        locked(&self.reads).add(from, to)
    }
}

fn locked(reads: &Mutex<ReadSet>) -> MutexGuard<'_, ReadSet> {
    reads.lock().unwrap_or_else(PoisonError::into_inner)
}
