//! A map of few entries.

use std::borrow::Borrow;

/// A map of so few entries that one list holds them, in the order of their keys. To insert one or to remove one moves those
/// after it.
///
/// The standard map is compiled anew for each type of its entries, some kilobytes every time, and the module of the
/// page has to be small. Things of any number, such as keys, need the standard map.
#[derive(Debug, Clone)]
pub struct Few<K, V> {
    pairs: Vec<(K, V)>,
}

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Few<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { pairs: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// All, by ascending keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.pairs.iter().map(|(key, value)| (key, value))
    }

    /// The keys, ascending.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.pairs.iter().map(|(key, _)| key)
    }

    /// The values, by ascending keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.pairs.iter().map(|(_, value)| value)
    }

    /// The same, without the map.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.pairs.into_iter().map(|(_, value)| value)
    }

    /// Removes the entry with the largest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.pairs.pop()
    }

    /// Keeps the entries for which `keep` returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.pairs.retain(|(key, value)| keep(key, value));
    }

    /// Where the entry of `key` is, or where it would be.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.pairs.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// The value of `key`.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.pairs.get(self.place(key).ok()?).map(|(_, value)| value)
    }

    /// The value of `key`, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.pairs.get_mut(place).map(|(_, value)| value)
    }

    /// Whether `key` has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Removes the value of `key`.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(self.pairs.remove(place).1)
    }
}

impl<K: Ord, V> Few<K, V> {
    /// Gives `key` a value; the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => {
                let (_, old) = self.pairs.get_mut(place)?;
                Some(std::mem::replace(old, value))
            }
            Err(place) => {
                self.pairs.insert(place, (key, value));
                None
            }
        }
    }

    /// The value of `key`, made by `make` when there is none.
    #[expect(clippy::indexing_slicing, reason = "the entry is there, or was just inserted")]
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = self.place(&key).unwrap_or_else(|place| {
            self.pairs.insert(place, (key, make()));
            place
        });
        &mut self.pairs[place].1
    }

    /// The value of `key`, the default one when there is none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert_with(key, V::default)
    }
}

impl<K, V> IntoIterator for Few<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.pairs.into_iter()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Few<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut few = Self::new();
        for (key, value) in pairs {
            few.insert(key, value);
        }
        few
    }
}

#[cfg(test)]
mod tests {
    use super::Few;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_a_map() {
        let (mut ours, mut theirs) = (Few::new(), BTreeMap::new());
        let mut state = 7u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % limit
        };
        for _ in 0..5000 {
            let (key, value) = (below(20), below(1000));
            match below(6) {
                0 => assert_eq!(ours.remove(&key), theirs.remove(&key)),
                1 => {
                    *ours.or_default(key) += value;
                    *theirs.entry(key).or_default() += value;
                }
                2 => assert_eq!(ours.pop_last(), theirs.pop_last()),
                3 => {
                    ours.retain(|known, _| known % 5 != key % 5);
                    theirs.retain(|known, _| known % 5 != key % 5);
                }
                _ => assert_eq!(ours.insert(key, value), theirs.insert(key, value)),
            }
            assert_eq!(ours.get(&key), theirs.get(&key));
            assert_eq!(ours.get_mut(&value), theirs.get_mut(&value));
            assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
            assert!(ours.iter().eq(theirs.iter()));
        }
        assert!(ours.into_values().eq(theirs.into_values()));
    }
}
