//! Records a search in a file: each read of the file, each comparison.

use levelscope::SeqNo;
use levelscope::event::ShownKey;
use levelscope::internals::probe::{
    Among, EntryOrder, EntryStop, FilterAnswer, Probe, Search, Turn,
};
use std::ops::Range;

/// One read of the file, with its comparisons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Name of the bytes: `footer`, `index block`, `data block`, `record`.
    pub what: &'static str,
    /// Its offset \[bytes\].
    pub offset: u64,
    /// Its stored length \[bytes\].
    pub bytes: u64,
    /// Key comparisons in it.
    pub comparisons: u32,
    /// The binary searches in it, in order.
    pub searches: Vec<Search>,
    /// The entries walked over in it, in order: the first [`Trail::ENTRIES_MAX`].
    pub entries: Vec<EntryStop>,
    /// The answer of the filter in it, if it is one.
    pub filter: Option<FilterAnswer>,
}

/// The way of one search through a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trail {
    /// Reads of the file, in order.
    pub accesses: Vec<Access>,
    /// Key comparisons in all.
    pub comparisons: u32,
    /// Range in which the present search can still end.
    places: Range<usize>,
}

impl Trail {
    /// Entries that are recorded of each access: a linear scan can meet millions.
    pub const ENTRIES_MAX: usize = 1_000;
}

impl Probe for Trail {
    fn access(&mut self, what: &'static str, offset: u64, bytes: u64) {
        let (searches, entries) = (Vec::new(), Vec::new());
        let access =
            Access { what, offset, bytes, comparisons: 0, searches, entries, filter: None };
        self.accesses.push(access);
    }

    fn comparison(&mut self) {
        self.comparisons = self.comparisons.saturating_add(1);
        if let Some(access) = self.accesses.last_mut() {
            access.comparisons = access.comparisons.saturating_add(1);
        }
    }

    fn search(&mut self, among: Among, count: usize) {
        self.places = 0..count;
        if let Some(access) = self.accesses.last_mut() {
            access.searches.push(Search::new(among, count));
        }
    }

    fn narrow(&mut self, places: Range<usize>) {
        self.places = places.clone();
        let searching = self.accesses.last_mut().and_then(|access| access.searches.last_mut());
        if let Some(search) = searching {
            search.found = places.start;
        }
    }

    fn compared(&mut self, before: bool, place: impl FnOnce() -> (usize, ShownKey)) {
        self.comparison();
        let (middle, key) = place();
        let turn = Turn::new(&self.places, middle, key, before);
        self.places = turn.left();
        let found = self.places.start;
        let searching = self.accesses.last_mut().and_then(|access| access.searches.last_mut());
        if let Some(search) = searching {
            search.turns.push(turn);
            search.found = found;
        }
    }

    fn filtered(&mut self, answer: impl FnOnce() -> FilterAnswer) {
        if let Some(access) = self.accesses.last_mut() {
            access.filter = Some(answer());
        }
    }

    fn walked(&mut self, entry: impl FnOnce() -> EntryStop) {
        if let Some(access) = self.accesses.last_mut()
            && access.entries.len() < Self::ENTRIES_MAX
        {
            access.entries.push(entry());
        }
    }
}

/// An entry of a file that is read by a linear scan.
pub(crate) fn passed(offset: usize, key: &[u8], sequence: SeqNo, is_it: bool) -> EntryStop {
    let order = if is_it { EntryOrder::Found } else { EntryOrder::Before };
    EntryStop::new(offset, 0, ShownKey::new(key), sequence, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_records_each_access() {
        let mut trail = Trail::default();
        trail.access("footer", 90, 8);
        trail.access("index block", 60, 30);
        trail.search(Among::Blocks, 5);
        trail.compared(true, || (2, ShownKey::new(b"c")));
        trail.compared(false, || (4, ShownKey::new(b"e")));
        trail.access("data block", 0, 60);
        trail.comparison();
        assert_eq!(trail.comparisons, 3);
        assert_eq!(
            trail.accesses.iter().map(|access| access.comparisons).collect::<Vec<_>>(),
            [0, 2, 1]
        );
        let search = &trail.accesses[1].searches[0];
        assert_eq!((search.found, search.turns[1].low, search.turns[1].high), (3, 3, 5));
    }
}
