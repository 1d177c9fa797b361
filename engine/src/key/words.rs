//! Sorted user keys, searched by eight bytes of each that lie side by side.
//!
//! A binary search in keys jumps from one place in memory to another; one in numbers stays in a few
//! cache lines. The prefix that all keys share does not order them, so the eight bytes after it are used.

use crate::coding::shared_prefix;
use std::ops::Range;

/// The first bytes of sorted user keys, which a search compares before whole keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KeyWords {
    /// The common prefix of all keys.
    shared: Vec<u8>,
    /// The next eight bytes of each key as a number that orders like them.
    words: Vec<u64>,
}

impl KeyWords {
    /// Of `count` keys in ascending order.
    pub(crate) fn new<'a>(count: usize, key: impl Fn(usize) -> &'a [u8]) -> Self {
        let Some(last) = count.checked_sub(1) else { return Self::default() };
        // Keys ascend, so all of them share the common prefix of the first and the last.
        let first = key(0);
        let shared = first.get(..shared_prefix(first, key(last))).unwrap_or_default().to_vec();
        let words = (0..count).map(|position| order_word(key(position), shared.len())).collect();
        Self { shared, words }
    }

    /// The positions whose keys have to be compared: all earlier keys come before `user_key`, all later keys
    /// after it. `compared` is called for each step of the search: with the position compared (`None` for
    /// the shared prefix), and whether it comes before `user_key`.
    #[inline]
    pub(crate) fn unclear(
        &self,
        user_key: &[u8],
        mut compared: impl FnMut(Option<usize>, bool),
    ) -> Range<usize> {
        if !user_key.starts_with(&self.shared) {
            compared(None, user_key > self.shared.as_slice());
            let place = if user_key < self.shared.as_slice() { 0 } else { self.words.len() };
            return place..place;
        }
        let word = order_word(user_key, self.shared.len());
        let first = self.words.partition_point(|other| {
            let before = *other < word;
            compared(Some(place_in(&self.words, other)), before);
            before
        });
        let rest = self.words.get(first..).unwrap_or_default();
        if rest.first() != Some(&word) {
            return first..first;
        }
        first..first + rest.partition_point(|other| *other == word)
    }

    /// Whether the key at `position` comes before `user_key`, as far as the word decides it.
    #[inline]
    pub(crate) fn is_before(&self, position: usize, user_key: &[u8]) -> bool {
        user_key.starts_with(&self.shared)
            && self
                .words
                .get(position)
                .is_some_and(|word| *word < order_word(user_key, self.shared.len()))
    }
}

/// The position of `item`, which is one of `items`.
#[inline]
pub(crate) fn place_in<T>(items: &[T], item: &T) -> usize {
    let bytes = std::ptr::from_ref(item).addr().wrapping_sub(items.as_ptr().addr());
    bytes / size_of::<T>().max(1)
}

/// Eight bytes of `key` from `skip` on, as a number that orders like them; missing bytes count as zeros.
#[inline]
fn order_word(key: &[u8], skip: usize) -> u64 {
    let rest = key.get(skip..).unwrap_or_default();
    if let Some(word) = rest.first_chunk() {
        return u64::from_le_bytes(*word).swap_bytes();
    }
    // The last eight bytes of the key, without those before `skip`: copying fewer, byte by byte, takes longer.
    let last = key.last_chunk().copied().unwrap_or_else(|| {
        let mut last = [0; 8];
        last.iter_mut().rev().zip(key.iter().rev()).for_each(|(place, byte)| *place = *byte);
        last
    });
    let others = u64::BITS - 8 * u32::try_from(rest.len()).unwrap_or(0);
    u64::from_le_bytes(last).checked_shr(others).unwrap_or(0).swap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memtable::{SplitMix64, for_seeds};

    #[test]
    fn a_search_agrees_with_one_in_the_keys() {
        for_seeds(300, |seed| {
            let mut random = SplitMix64::new(seed);
            let prefix: Vec<u8> = (0..random.below(4)).map(|_| b'p').collect();
            let key = |random: &mut SplitMix64| {
                let letters = (0..random.below(12)).map(|_| [0, b'a', b'b', 255][random.below(4)]);
                prefix.iter().copied().chain(letters.collect::<Vec<u8>>()).collect::<Vec<u8>>()
            };
            let mut keys: Vec<_> = (0..random.below(40)).map(|_| key(&mut random)).collect();
            keys.sort();
            let words = KeyWords::new(keys.len(), |position| keys[position].as_slice());
            for _ in 0..50 {
                let mut target = key(&mut random);
                if random.one_in(4) {
                    target = target.split_off(target.len().min(1));
                }
                let unclear = words.unclear(&target, |_, _| ());
                assert!(keys[..unclear.start].iter().all(|key| *key < target), "{target:?}");
                assert!(keys[unclear.end..].iter().all(|key| *key > target), "{target:?}");
                for (position, key) in keys.iter().enumerate() {
                    assert!(!words.is_before(position, &target) || *key < target, "{target:?}");
                }
            }
        });
    }
}
