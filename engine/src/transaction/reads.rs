//! Where a transaction has read: ranges of user keys, absent ones included.
//!
//! A point read is the range of one key; a scan is the range that its iterator has walked over, so that
//! a key that appears in it later (a phantom) is a change of what was read.

use crate::limits::TRANSACTION_READ_BYTES_MAX;
use crate::text;
use crate::{Bound, Error, Result};
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a range takes beside the bytes of its two keys \[bytes\].
const RANGE_OVERHEAD_BYTES: usize = 96;

/// A place between two user keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cut {
    /// Right before the key or, when the second field is true, right after it.
    At(Vec<u8>, bool),
    /// After every key.
    End,
}

impl Cut {
    /// Right before `key`.
    pub(crate) fn before(key: &[u8]) -> Self {
        Self::At(key.to_vec(), false)
    }

    /// Right after `key`.
    pub(crate) fn after(key: &[u8]) -> Self {
        Self::At(key.to_vec(), true)
    }

    /// Where a range with this lower bound begins.
    pub(crate) fn lower(bound: &Bound<Vec<u8>>) -> Self {
        match bound {
            Unbounded => Self::before(b""),
            Included(key) => Self::before(key),
            Excluded(key) => Self::after(key),
        }
    }

    /// Where a range with this upper bound ends.
    pub(crate) fn upper(bound: &Bound<Vec<u8>>) -> Self {
        match bound {
            Unbounded => Self::End,
            Included(key) => Self::after(key),
            Excluded(key) => Self::before(key),
        }
    }

    /// Whether it lies after `key`.
    pub(crate) fn is_after(&self, key: &[u8]) -> bool {
        match self {
            Self::At(at, false) => key < at.as_slice(),
            Self::At(at, true) => key <= at.as_slice(),
            Self::End => true,
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::At(key, _) => key.len(),
            Self::End => 0,
        }
    }
}

/// Ranges of user keys that neither overlap nor touch.
///
/// Cost: the logarithm a call; a scan, however long, grows one range.
#[derive(Debug, Default)]
pub(crate) struct ReadSet {
    ranges: BTreeMap<Cut, Cut>,
    bytes: usize,
}

impl ReadSet {
    /// Adds what lies between two cuts.
    ///
    /// # Errors
    /// `InvalidArgument` when the set would exceed [`TRANSACTION_READ_BYTES_MAX`].
    pub(crate) fn add(&mut self, mut from: Cut, mut to: Cut) -> Result<()> {
        if from >= to {
            return Ok(());
        }
        let before = self.ranges.range(..=&from).next_back();
        if let Some((begin, end)) = before.filter(|(_, end)| **end >= from) {
            if *end >= to {
                return Ok(());
            }
            from = begin.clone();
        }
        // Every range that begins in the new one, or where it ends, becomes a part of it.
        while let Some((begin, end)) = self.ranges.range(&from..=&to).next() {
            let begin = begin.clone();
            to = to.max(end.clone());
            if let Some(end) = self.ranges.remove(&begin) {
                self.bytes = self.bytes.saturating_sub(range_bytes(&begin, &end));
            }
        }
        let bytes = self.bytes.saturating_add(range_bytes(&from, &to));
        self.ranges.insert(from, to);
        self.bytes = bytes;
        if bytes > TRANSACTION_READ_BYTES_MAX {
            return Err(Error::invalid(format!(
                "a serializable transaction remembers at most {} of what it has read: roll it back \
                 and read less at once",
                text::bytes(TRANSACTION_READ_BYTES_MAX)
            )));
        }
        Ok(())
    }

    /// The ranges in order: where each begins and ends.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (&Cut, &Cut)> {
        self.ranges.iter()
    }
}

fn range_bytes(from: &Cut, to: &Cut) -> usize {
    from.bytes() + to.bytes() + RANGE_OVERHEAD_BYTES
}

/// Tells a read set where its iterators have been.
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
