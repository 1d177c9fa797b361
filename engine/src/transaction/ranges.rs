//! Ranges of user keys, made one where they overlap or touch.

use crate::key::Cut;
use std::collections::BTreeMap;

/// Ranges that neither overlap nor touch. Cost: the logarithm a call.
#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    by_begin: BTreeMap<Cut, Cut>,
    /// Returns the memory of one range \[bytes\].
    size: fn(&Cut, &Cut) -> usize,
    bytes: usize,
}

impl Ranges {
    /// An empty set; `size` returns the memory of one range \[bytes\].
    pub(crate) fn new(size: fn(&Cut, &Cut) -> usize) -> Self {
        Self { by_begin: BTreeMap::new(), size, bytes: 0 }
    }

    /// Adds the range between two cuts.
    pub(crate) fn add(&mut self, mut from: Cut, mut to: Cut) {
        if from >= to {
            return;
        }
        let before = self.by_begin.range(..=&from).next_back();
        if let Some((begin, end)) = before.filter(|(_, end)| **end >= from) {
            if *end >= to {
                return;
            }
            from = begin.clone();
        }
        // Every range that begins in the new one, or where it ends, becomes a part of it.
        while let Some((begin, end)) = self.by_begin.range(&from..=&to).next() {
            let begin = begin.clone();
            to = to.max(end.clone());
            if let Some(end) = self.by_begin.remove(&begin) {
                self.bytes = self.bytes.saturating_sub((self.size)(&begin, &end));
            }
        }
        self.bytes = self.bytes.saturating_add((self.size)(&from, &to));
        self.by_begin.insert(from, to);
    }

    /// The ranges in order: where each begins and ends.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Cut, &Cut)> {
        self.by_begin.iter()
    }

    /// Whether `key` lies in one of them.
    pub(crate) fn holds(&self, key: &[u8]) -> bool {
        let before = self.by_begin.range(..=Cut::before(key)).next_back();
        before.is_some_and(|(_, end)| end.is_after(key))
    }

    /// The first key between two cuts that lies in one of them.
    pub(crate) fn first_in(&self, from: &Cut, to: &Cut) -> Option<Vec<u8>> {
        if from >= to {
            return None;
        }
        let before = self.by_begin.range(..=from).next_back();
        if before.is_some_and(|(_, end)| end > from) {
            return from.next_key();
        }
        let (begin, _) = self.by_begin.range(from..to).next()?;
        begin.next_key()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.by_begin.len()
    }

    /// Memory of the ranges \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}
