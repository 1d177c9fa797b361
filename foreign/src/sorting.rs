//! One sorting routine for all lists.
//!
//! `slice::sort_by` is compiled anew for each type and each order, some kilobytes every time. The module of the page
//! has to be small, and no list here is so long that the order of its places could not be sorted instead.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Sorts `list`; elements that are equal keep their order.
pub(crate) fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut places: Vec<usize> = (0..list.len()).collect();
    sort_places(&mut places, &|a, b| match (list.get(a), list.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    // The target of each element.
    let mut targets = vec![0; list.len()];
    for (target, place) in places.iter().enumerate() {
        if let Some(slot) = targets.get_mut(*place) {
            *slot = target;
        }
    }
    for at in 0..list.len() {
        while let Some(target) = targets.get(at).copied().filter(|target| *target != at) {
            list.swap(at, target);
            targets.swap(at, target);
        }
    }
}

/// As [`sort_by`], by a key of each element.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// The set of `items`. To collect them would sort them first, by a routine for each type.
pub(crate) fn set<T: Ord>(items: impl Iterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

#[inline(never)]
fn sort_places(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_key};

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
        }
    }
}
