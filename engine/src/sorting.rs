//! One sorting routine for all lists.
//!
//! `slice::sort_by` is compiled anew for each type and each order, some kilobytes every time, and so is the code that
//! collects a map. The module of the page has to be small, and no list here is sorted often (decision 85).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts `list`; elements that are equal keep their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let Some(mut targets) = targets(list.len(), &|a, b| match (list.get(a), list.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    }) else {
        return;
    };
    for at in 0..list.len() {
        while let Some(target) = targets.get(at).copied().filter(|target| *target != at) {
            list.swap(at, target);
            targets.swap(at, target);
        }
    }
}

/// As [`sort_by`], by a key of each element.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// As [`sort_by`], in the order of the elements.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// The set of `items`. To collect them would sort them first, by a routine for each type.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

/// The map of `pairs`, as [`set`] makes one.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in pairs {
        map.insert(key, value);
    }
    map
}

/// Where each of `count` elements goes; `None`: they are in order.
#[inline(never)]
fn targets(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..count).all(|at| compare(at - 1, at) != Ordering::Greater) {
        return None;
    }
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    let mut targets = vec![0; count];
    for (target, place) in places.iter().enumerate() {
        if let Some(slot) = targets.get_mut(*place) {
            *slot = target;
        }
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use super::{sort, sort_by, sort_by_key};

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut state = 7u64;
        for length in 0..60 {
            let list: Vec<(u64, usize)> = (0..length)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 33) % 9, place)
                })
                .collect();
            let (mut ours, mut theirs) = (list.clone(), list.clone());
            sort_by_key(&mut ours, |pair| pair.0);
            theirs.sort_by_key(|pair| pair.0);
            assert_eq!(ours, theirs);
            sort_by(&mut ours, |a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            assert_eq!(ours, theirs);
            sort(&mut ours);
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }
}
