//! Searches one key among entries: by a linear scan, or by binary search.

use super::coding::{Coding, Content, Walk};
use super::entry;
use crate::Entry;
use levelscope::Result;
use levelscope::event::ShownKey;
use levelscope::internals::probe::{EntryOrder, EntryStop, Probe};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Scans the entries in `range`, which share its first key, for `key`; stops at the first entry after
/// `key`. The second part: the scan has passed `key`.
pub(super) fn walk<'a, P: Probe>(
    content: &Content<'a>,
    coding: Coding,
    range: Range<usize>,
    key: &[u8],
    probe: &mut P,
) -> Result<(Option<Entry<'a>>, bool)> {
    let mut walk = Walk::new(coding, range);
    while let Some(raw) = walk.next(content, false) {
        let raw = raw?;
        let (shared, suffix) = walk.parts(content, &raw);
        probe.comparison();
        let order = match compare(shared, suffix, key) {
            Ordering::Less => EntryOrder::Before,
            Ordering::Equal => EntryOrder::Found,
            Ordering::Greater => EntryOrder::After,
        };
        let stop = || {
            EntryStop::new(raw.at, raw.shared, ShownKey::new(&walk.key(content, &raw)), 0, order)
        };
        probe.walked(stop);
        match order {
            EntryOrder::Before => {}
            EntryOrder::Found => {
                let (key, stored) = (Cow::Owned(key.to_vec()), content.cut(raw.stored.clone()));
                return Ok((Some(entry(key, stored, content.offset_of(raw.at))?), true));
            }
            EntryOrder::After => return Ok((None, true)),
        }
    }
    Ok((None, false))
}

/// Compares a key in two parts with another.
fn compare(shared: &[u8], suffix: &[u8], key: &[u8]) -> Ordering {
    match key.get(..shared.len()) {
        Some(head) => {
            let rest = key.get(shared.len()..).unwrap_or_default();
            shared.cmp(head).then_with(|| suffix.cmp(rest))
        }
        None => [shared, suffix].concat().as_slice().cmp(key),
    }
}
