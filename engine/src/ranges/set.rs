//! Range tombstones that no longer change, and the search for those that cover a key.
//!
//! The edges of all tombstones cut the keys into slots. A segment tree over the slots has each tombstone in
//! at most two nodes of each level, so *n* of them take *n* log *n* room, however they overlap, and a search
//! looks into one node of each level.

use super::RangeTombstone;
use crate::key::{Cut, SeqNo, Span};
use crate::sorting;

/// Range tombstones, in the order of their beginnings.
#[derive(Debug, Clone, Default)]
pub(crate) struct RangeSet {
    tombstones: Vec<RangeTombstone>,
    /// For each tombstone the one that reaches furthest among it and those before it.
    furthest: Vec<usize>,
    /// Beginnings and ends, ascending, each once: the number of a tombstone that has it, and whether as its end.
    edges: Vec<(usize, bool)>,
    /// Node 1 is the root, node *i* has the children 2*i* and 2*i* + 1; tombstones ascend by sequence number.
    nodes: Vec<Vec<u32>>,
}

impl RangeSet {
    /// The set of `tombstones`. Cost: *n* log² *n*.
    pub(crate) fn new(mut tombstones: Vec<RangeTombstone>) -> Self {
        sorting::sort_by(&mut tombstones, RangeTombstone::order);
        let mut set = Self { tombstones, ..Self::default() };
        if set.tombstones.is_empty() {
            return set;
        }
        let numbers = 0..set.tombstones.len();
        let mut edges: Vec<_> = numbers.clone().flat_map(|n| [(n, false), (n, true)]).collect();
        sorting::sort_by(&mut edges, |left, right| set.edge(*left).cmp(&set.edge(*right)));
        edges.dedup_by(|left, right| set.edge(*left) == set.edge(*right));
        set.edges = edges;
        set.furthest = numbers
            .clone()
            .scan(0, |furthest, number| {
                if set.edge((number, true)) > set.edge((*furthest, true)) {
                    *furthest = number;
                }
                Some(*furthest)
            })
            .collect();
        let mut by_sequence: Vec<usize> = numbers.collect();
        sorting::sort_by_key(&mut by_sequence, |number| {
            set.tombstones.get(*number).map(|t| t.sequence)
        });
        set.nodes = vec![Vec::new(); 2 * set.slots()];
        for number in by_sequence {
            set.place(number);
        }
        set
    }

    /// Slots between edges, before the first and after the last one.
    fn slots(&self) -> usize {
        self.edges.len() + 1
    }

    fn edge(&self, (number, is_end): (usize, bool)) -> Cut<&[u8]> {
        match self.tombstones.get(number) {
            Some(tombstone) if is_end => tombstone.end.borrowed(),
            Some(tombstone) => Cut::At(&tombstone.begin, false),
            None => Cut::End,
        }
    }

    /// Edges at or before `place`: the number of the slot right after it.
    fn slot_after(&self, place: Cut<&[u8]>) -> usize {
        self.edges.partition_point(|edge| self.edge(*edge) <= place)
    }

    /// Adds a tombstone to the nodes that together make up its slots.
    fn place(&mut self, number: usize) {
        let (begin, end) = (self.edge((number, false)), self.edge((number, true)));
        let mut first = self.slot_after(begin) + self.slots();
        let mut after = self.slot_after(end) + self.slots();
        let id = u32::try_from(number).unwrap_or(u32::MAX);
        while first < after {
            if first % 2 == 1 {
                self.nodes.get_mut(first).into_iter().for_each(|node| node.push(id));
                first += 1;
            }
            if after % 2 == 1 {
                after -= 1;
                self.nodes.get_mut(after).into_iter().for_each(|node| node.push(id));
            }
            (first, after) = (first / 2, after / 2);
        }
    }

    /// The newest tombstone at or before `sequence` that covers `key`. Cost: log² *n*.
    pub(crate) fn covering(&self, key: &[u8], sequence: SeqNo) -> Option<&RangeTombstone> {
        if self.tombstones.is_empty() {
            return None;
        }
        let of = |id: &u32| self.tombstones.get(*id as usize);
        let mut node = self.slot_after(Cut::At(key, false)) + self.slots();
        let mut newest: Option<&RangeTombstone> = None;
        while node > 0 {
            let here = self.nodes.get(node).map_or(&[][..], Vec::as_slice);
            let older = here.partition_point(|id| of(id).is_some_and(|t| t.sequence <= sequence));
            let found = older.checked_sub(1).and_then(|last| here.get(last)).and_then(of);
            newest = match (newest, found) {
                (Some(known), Some(found)) if known.sequence >= found.sequence => Some(known),
                (known, found) => found.or(known),
            };
            node /= 2;
        }
        newest
    }

    /// The tombstones that overlap `span`. Cost: a search, and a walk from the first that may reach it.
    pub(crate) fn overlapping<'a>(
        &'a self,
        span: &Span<'a>,
    ) -> impl Iterator<Item = &'a RangeTombstone> + use<'a> {
        let span = *span;
        let reach = |number: &usize| self.edge((*number, true)) <= span.from;
        let first = self.furthest.partition_point(reach);
        let rest = self.tombstones.get(first..).unwrap_or_default();
        let begins = move |tombstone: &&RangeTombstone| tombstone.span().from < span.to;
        rest.iter().take_while(begins).filter(move |tombstone| tombstone.span().to > span.from)
    }

    /// All tombstones, in the order of their beginnings, the newest of each first.
    pub(crate) fn all(&self) -> &[RangeTombstone] {
        &self.tombstones
    }

    /// The smallest span with all keys that any of them deletes.
    pub(crate) fn span(&self) -> Option<Span<'_>> {
        let first = self.tombstones.first()?;
        let furthest = self.furthest.last()?;
        Some(Span { from: first.span().from, to: self.edge((*furthest, true)) })
    }

    /// Whether there is none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.tombstones.is_empty()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tombstones.len()
    }

    /// Its tombstones and those of `other` as one set.
    pub(super) fn merged(&self, other: &Self) -> Self {
        Self::new([self.all(), other.all()].concat())
    }
}
