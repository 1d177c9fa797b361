//! The probe that keeps everything: the data of an explanation.

use super::{Among, BlockStop, EntryStop, Hit, LookupTrace, Probe, ReadStop, Search, Turn, Walked};
use crate::event::ShownKey;
use crate::key::{parse_internal_key, user_key};
use std::ops::Range;

/// The path of one lookup, stop by stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReadPath {
    /// The stops, in order.
    pub stops: Vec<ReadStop>,
    trace: LookupTrace,
    /// Where the search going on can still end.
    places: Range<usize>,
    /// Whether that search is one among restart points, those of the last block.
    in_block: bool,
    /// The internal key walked over last.
    key: Vec<u8>,
}

impl ReadPath {
    /// The entry that decided: lookups end at the first place that has the key, or a range tombstone over it.
    pub fn winner(&self) -> Option<Hit> {
        let is_range = |stop: &&ReadStop| matches!(stop, ReadStop::RangeDelete { .. });
        let range = self.stops.iter().find(is_range).and_then(ReadStop::hit);
        range.or_else(|| self.stops.iter().find_map(ReadStop::hit))
    }

    fn searching(&mut self) -> Option<&mut Search> {
        if self.in_block {
            self.trace.blocks.last_mut().and_then(|block| block.restarts.as_mut())
        } else {
            self.trace.searches.last_mut()
        }
    }
}

impl Probe for ReadPath {
    fn comparison(&mut self) {
        self.trace.comparisons += 1;
    }

    fn search(&mut self, among: Among, count: usize) {
        let search = Search::new(among, count);
        self.places = 0..count;
        self.in_block = among == Among::Restarts;
        if !self.in_block {
            self.trace.searches.push(search);
        } else if let Some(block) = self.trace.blocks.last_mut() {
            block.restarts = Some(search);
        }
    }

    fn narrow(&mut self, places: Range<usize>) {
        self.places = places.clone();
        if let Some(search) = self.searching() {
            search.found = places.start;
        }
    }

    fn compared(&mut self, before: bool, place: impl FnOnce() -> (usize, ShownKey)) {
        self.comparison();
        let (middle, key) = place();
        let turn = Turn::new(&self.places, middle, key, before);
        self.places = turn.left();
        let found = self.places.start;
        if let Some(search) = self.searching() {
            search.turns.push(turn);
            search.found = found;
        }
    }

    fn block(&mut self, stop: impl FnOnce() -> BlockStop) {
        self.trace.blocks.push(stop());
    }

    fn entry<'a>(&mut self, entry: impl FnOnce() -> Walked<'a>) {
        let Walked { offset, shared, suffix, order } = entry();
        self.key.truncate(shared);
        self.key.extend_from_slice(suffix);
        let sequence = parse_internal_key(&self.key).map_or(0, |key| key.sequence);
        let key = ShownKey::new(user_key(&self.key));
        if let Some(block) = self.trace.blocks.last_mut() {
            block.entries.push(EntryStop { offset, shared, key, sequence, order });
        }
    }

    fn stop(&mut self, stop: impl FnOnce(LookupTrace) -> ReadStop) {
        let trace = std::mem::take(&mut self.trace);
        self.stops.push(stop(trace));
    }
}
