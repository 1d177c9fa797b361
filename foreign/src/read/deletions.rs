//! Range deletions of a family as one list without overlaps.

use crate::sorting::sort_by;
use crate::{Comparator, RangeDeletion};
use std::cmp::Ordering;

/// A range deletion, cut to the bounds of its table: beyond them a deletion does not count, because newer keys outside
/// may have lost their sequence numbers in the meantime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// First user key that is deleted.
    pub start: Vec<u8>,
    /// End of the range; `None`: it has none.
    pub end: Option<Vec<u8>>,
    /// Whether `end` itself is deleted, because the table ends there with a point key.
    pub includes_end: bool,
    /// Its sequence number.
    pub sequence: u64,
}

impl Cut {
    /// `deletion` within [`smallest`, `largest`], which includes `largest` unless it is `exclusive`; `None` when
    /// nothing is left of it.
    pub fn within(
        deletion: RangeDeletion,
        bounds: Option<(&[u8], &[u8], bool)>,
        comparator: Comparator,
    ) -> Option<Self> {
        let RangeDeletion { start, end, sequence } = deletion;
        let mut cut = Self { start, end, includes_end: false, sequence };
        if let Some((smallest, largest, exclusive)) = bounds {
            if comparator.compare(&cut.start, smallest).is_lt() {
                cut.start = smallest.to_vec();
            }
            if cut.end.as_ref().is_none_or(|end| comparator.compare(end, largest).is_gt()) {
                cut.end = Some(largest.to_vec());
                cut.includes_end = !exclusive;
            }
        }
        let order = cut.end.as_ref().map(|end| comparator.compare(&cut.start, end));
        let holds = |order: Ordering| order.is_lt() || (order.is_eq() && cut.includes_end);
        order.is_none_or(holds).then_some(cut)
    }
}

/// A place on the axis of keys: before a key or after it; without one the end of all keys.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    key: Option<Vec<u8>>,
    after: bool,
}

impl Edge {
    /// Its order to the place before (or `after`) `key`.
    fn order(&self, key: Option<&[u8]>, after: bool, comparator: Comparator) -> Ordering {
        match (self.key.as_deref(), key) {
            (Some(own), Some(other)) => comparator.compare(own, other).then(self.after.cmp(&after)),
            (own, other) => own.is_none().cmp(&other.is_none()),
        }
    }
}

/// All range deletions of a family: fragments in order, each with the sequence numbers that cover it, the
/// largest first.
#[derive(Debug, Clone, Default)]
pub struct Deletions {
    starts: Vec<Edge>,
    sequences: Vec<Vec<u64>>,
}

impl Deletions {
    /// Fragments of `cuts`. Cost: n log n and the sum of all overlaps.
    pub fn new(cuts: &[Cut], comparator: Comparator) -> Self {
        let order = |a: &Edge, b: &Edge| a.order(b.key.as_deref(), b.after, comparator);
        let mut edges: Vec<Edge> = Vec::with_capacity(cuts.len() * 2);
        for cut in cuts {
            edges.push(Edge { key: Some(cut.start.clone()), after: false });
            edges.push(Edge { key: cut.end.clone(), after: cut.includes_end });
        }
        sort_by(&mut edges, order);
        edges.dedup();
        let mut sequences = vec![Vec::new(); edges.len()];
        for cut in cuts {
            let start = Edge { key: Some(cut.start.clone()), after: false };
            let end = Edge { key: cut.end.clone(), after: cut.includes_end };
            let from = edges.partition_point(|edge| order(edge, &start).is_lt());
            let to = edges.partition_point(|edge| order(edge, &end).is_lt());
            for of_fragment in sequences.iter_mut().take(to).skip(from) {
                of_fragment.push(cut.sequence);
            }
        }
        for of_fragment in &mut sequences {
            of_fragment.sort_unstable_by(|a: &u64, b| b.cmp(a));
            of_fragment.dedup();
        }
        Self { starts: edges, sequences }
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The largest sequence number, at most `snapshot`, of a deletion that covers `user_key`; 0 when none does.
    pub fn covering(&self, user_key: &[u8], snapshot: u64, comparator: Comparator) -> u64 {
        let place = self
            .starts
            .partition_point(|edge| edge.order(Some(user_key), false, comparator).is_le());
        let fragment = place.checked_sub(1).and_then(|place| self.sequences.get(place));
        let visible = fragment.and_then(|all| all.iter().find(|sequence| **sequence <= snapshot));
        visible.copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Deletions};
    use crate::{Comparator, RangeDeletion};

    fn deletion(start: &str, end: &str, sequence: u64) -> RangeDeletion {
        RangeDeletion { start: start.into(), end: Some(end.into()), sequence }
    }

    #[test]
    fn the_largest_visible_sequence_number_covers() {
        let order = Comparator::Bytewise;
        let cuts: Vec<Cut> = [deletion("b", "f", 5), deletion("d", "h", 9)]
            .into_iter()
            .filter_map(|deletion| Cut::within(deletion, None, order))
            .collect();
        let deletions = Deletions::new(&cuts, order);
        let at = |key: &str, snapshot| deletions.covering(key.as_bytes(), snapshot, order);
        assert_eq!(
            [at("a", 99), at("b", 99), at("d", 99), at("f", 99), at("h", 99)],
            [0, 5, 9, 9, 0]
        );
        assert_eq!([at("d", 8), at("d", 4), at("g", 8)], [5, 0, 0]);
    }

    #[test]
    fn a_deletion_is_cut_to_the_bounds_of_its_table() {
        let order = Comparator::Bytewise;
        let bounds = |exclusive| Some((b"c".as_slice(), b"e".as_slice(), exclusive));
        let closed = Cut::within(deletion("a", "z", 7), bounds(false), order).unwrap();
        let deletions = Deletions::new(&[closed], order);
        let at = |key: &str| deletions.covering(key.as_bytes(), 99, order);
        assert_eq!([at("b"), at("c"), at("e"), at("ea")], [0, 7, 7, 0]);
        let open = Cut::within(deletion("a", "z", 7), bounds(true), order).unwrap();
        let deletions = Deletions::new(&[open], order);
        assert_eq!(deletions.covering(b"e", 99, order), 0);
        assert_eq!(Cut::within(deletion("f", "z", 7), bounds(false), order), None);
    }

    #[test]
    fn in_a_reverse_order_a_range_runs_down() {
        let order = Comparator::ReverseBytewise;
        let cut = Cut::within(deletion("f", "b", 5), None, order).unwrap();
        let deletions = Deletions::new(&[cut], order);
        let at = |key: &str| deletions.covering(key.as_bytes(), 99, order);
        assert_eq!([at("g"), at("f"), at("c"), at("b")], [0, 5, 5, 0]);
    }
}
