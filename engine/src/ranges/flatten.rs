//! Range tombstones made disjoint: of those that overlap, the newest counts.

use super::RangeTombstone;
use crate::few::Few;
use crate::key::{Cut, SeqNo};
use crate::sorting;
use std::collections::BTreeMap;

/// The same deletions as disjoint tombstones in the order of their keys: where several overlap, the newest.
/// Neighbours of one sequence number become one.
///
/// Cost: *n* log *n*; at most two pieces for each tombstone.
pub(crate) fn flatten(tombstones: &[&RangeTombstone]) -> Vec<RangeTombstone> {
    let mut edges: Vec<(Cut<&[u8]>, bool, SeqNo)> = Vec::with_capacity(2 * tombstones.len());
    for tombstone in tombstones {
        let span = tombstone.span();
        edges.push((span.from, true, tombstone.sequence));
        edges.push((span.to, false, tombstone.sequence));
    }
    sorting::sort(&mut edges);
    let mut open: BTreeMap<SeqNo, usize> = BTreeMap::new();
    let mut flat: Vec<RangeTombstone> = Vec::new();
    let mut edges = edges.into_iter().peekable();
    while let Some((place, begins, sequence)) = edges.next() {
        let count = open.entry(sequence).or_default();
        *count = if begins { *count + 1 } else { count.saturating_sub(1) };
        if *count == 0 {
            open.remove(&sequence);
        }
        let Some((next, _, _)) = edges.peek().filter(|(next, _, _)| *next != place) else {
            continue;
        };
        let Some((newest, _)) = open.last_key_value() else { continue };
        match flat.last_mut() {
            Some(last) if last.sequence == *newest && last.end.borrowed() == place => {
                last.end = next.owned();
            }
            _ => flat.extend(place.next_key().map(|begin| RangeTombstone {
                begin,
                end: next.owned(),
                sequence: *newest,
            })),
        }
    }
    flat
}

/// As [`flatten`], but apart for each stripe, so that every reader keeps its view; `stripe_end` gives the end of the
/// stripe of a sequence number. In the order of their beginnings, the newest of each first.
pub(crate) fn flatten_stripes(
    tombstones: &[&RangeTombstone],
    stripe_end: impl Fn(SeqNo) -> SeqNo,
) -> Vec<RangeTombstone> {
    let mut stripes: Few<SeqNo, Vec<&RangeTombstone>> = Few::new();
    for tombstone in tombstones {
        stripes.or_default(stripe_end(tombstone.sequence)).push(tombstone);
    }
    let mut flat: Vec<_> = stripes.values().flat_map(|stripe| flatten(stripe)).collect();
    sorting::sort_by(&mut flat, RangeTombstone::order);
    flat
}

/// Disjoint tombstones, asked in the order of keys, either way.
#[derive(Debug, Default)]
pub(crate) struct Cover {
    pieces: Vec<RangeTombstone>,
    /// The first piece that ends after the key asked for last.
    at: usize,
}

impl Cover {
    /// Of `tombstones` that its reader sees.
    pub(crate) fn new(tombstones: &[&RangeTombstone]) -> Self {
        Self { pieces: flatten(tombstones), at: 0 }
    }

    /// The newest tombstone over `key`, if it hides an entry with `sequence`.
    #[inline]
    pub(crate) fn hides(&mut self, key: &[u8], sequence: SeqNo) -> Option<&RangeTombstone> {
        if self.pieces.is_empty() { None } else { self.search(key, sequence) }
    }

    fn search(&mut self, key: &[u8], sequence: SeqNo) -> Option<&RangeTombstone> {
        let ends_before = |piece: &RangeTombstone| !piece.end.is_after(key);
        let passed = |at: usize| self.pieces.get(at).is_none_or(ends_before);
        // Mostly it is the same one, or its neighbour.
        let here = self.at;
        let stays = here.checked_sub(1).is_none_or(passed)
            && self.pieces.get(here).is_none_or(|piece| !ends_before(piece));
        if !stays {
            self.at = self.pieces.partition_point(ends_before);
        }
        let piece = self.pieces.get(self.at)?;
        (piece.begin.as_slice() <= key && piece.sequence > sequence).then_some(piece)
    }
}
