//! An iterator that stays open while the database changes, with its expected entries.

use super::ops::{Key, Value, Walk};
use crate::common::Model;
use levelscope::{Bound, DbIterator, Result};

/// An iterator and its model.
#[derive(Debug)]
pub struct Walker {
    iterator: DbIterator,
    items: Vec<(Key, Value)>,
    place: Option<usize>,
}

/// The entries of `model` between two bounds, which may exclude each other.
pub fn between(model: &Model, lower: &Bound<Key>, upper: &Bound<Key>) -> Vec<(Key, Value)> {
    let above = |key: &Key| match lower {
        Bound::Unbounded => true,
        Bound::Included(low) => key >= low,
        Bound::Excluded(low) => key > low,
    };
    let below = |key: &Key| match upper {
        Bound::Unbounded => true,
        Bound::Included(high) => key <= high,
        Bound::Excluded(high) => key < high,
    };
    let inside = model.iter().filter(|(key, _)| above(key) && below(key));
    inside.map(|(key, value)| (key.clone(), value.clone())).collect()
}

impl Walker {
    pub fn new(iterator: DbIterator, items: Vec<(Key, Value)>) -> Self {
        Self { iterator, items, place: None }
    }

    /// Makes one move on both; the outer error is that of the engine, the inner one a difference.
    pub fn walk(&mut self, walk: &Walk) -> Result<std::result::Result<(), String>> {
        match walk {
            Walk::First => self.iterator.seek_to_first(),
            Walk::Last => self.iterator.seek_to_last(),
            Walk::Seek(key) => self.iterator.seek(key),
            Walk::SeekForPrev(key) => self.iterator.seek_for_prev(key),
            Walk::Next => self.iterator.next(),
            Walk::Prev => self.iterator.prev(),
        }?;
        let count = self.items.len();
        self.place = match walk {
            Walk::First => Some(0),
            Walk::Last => count.checked_sub(1),
            Walk::Seek(target) => Some(self.items.partition_point(|(key, _)| key < target)),
            Walk::SeekForPrev(target) => {
                self.items.partition_point(|(key, _)| key <= target).checked_sub(1)
            }
            Walk::Next => self.place.map(|place| place + 1),
            Walk::Prev => self.place.and_then(|place| place.checked_sub(1)),
        }
        .filter(|place| *place < count);
        Ok(self.compare(walk))
    }

    fn compare(&self, walk: &Walk) -> std::result::Result<(), String> {
        let wanted = self.place.and_then(|place| self.items.get(place));
        let found = self.current();
        if found == wanted.map(|(key, value)| (&key[..], &value[..])) {
            return Ok(());
        }
        let key = |found: Option<&[u8]>| {
            found.map_or("nothing".into(), |key| format!("{:?}", key.escape_ascii().to_string()))
        };
        let (found, wanted) = (found.map(|(key, _)| key), wanted.map(|(key, _)| &key[..]));
        Err(format!(
            "an iterator shows {} (or a wrong value) after {walk:?}, not {}",
            key(found),
            key(wanted)
        ))
    }

    /// The entries that it shows.
    pub fn current(&self) -> Option<(&[u8], &[u8])> {
        self.iterator.valid().then(|| (self.iterator.key(), self.iterator.value()))
    }

    /// After an error every move has to answer with that error.
    pub fn sticks_to_its_error(&mut self) -> bool {
        self.iterator.seek_to_first().is_err() && self.iterator.next().is_err()
    }
}
