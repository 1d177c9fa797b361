//! Iterators over memtables that take writes between any two steps of their cursors.

use super::*;
use crate::key::parse_internal_key;
use crate::memtable::MemtableCursor;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The first sequence number that no iterator of a test may show, and how many there are: walks must come to an end.
const LATE: u64 = 1_000;
const LATE_WRITES: u64 = 250;

/// A cursor over a memtable. Before it moves, it mostly writes to the memtable.
struct LiveCursor {
    memtable: Arc<Memtable>,
    cursor: MemtableCursor,
    random: SplitMix64,
    /// The sequence number of the next late write to any of the memtables.
    late: Arc<AtomicU64>,
}

impl LiveCursor {
    fn new(entries: &[Pair], seed: u64, late: &Arc<AtomicU64>) -> Self {
        let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
        for (key, value) in entries {
            let key = parse_internal_key(key).unwrap();
            memtable.insert(key.user_key, key.sequence, key.kind, value);
        }
        let (cursor, late) = (memtable.cursor(), Arc::clone(late));
        Self { memtable, cursor, random: SplitMix64::new(seed), late }
    }

    fn moving(&mut self) -> &mut MemtableCursor {
        if !self.random.one_in(3) && self.late.load(Relaxed) < LATE + LATE_WRITES {
            let mut key = vec![b'a' + self.random.below(9) as u8];
            if self.random.one_in(3) {
                key.push(b'x');
            }
            let kind = if self.random.one_in(4) { ValueKind::Delete } else { ValueKind::Put };
            let sequence = self.late.fetch_add(1, Relaxed);
            self.memtable.insert(&key, sequence, kind, b"late");
        }
        &mut self.cursor
    }
}

impl Cursor for LiveCursor {
    fn valid(&self) -> bool {
        self.cursor.valid()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.moving().seek_to_first()
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.moving().seek_to_last()
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.moving().seek(target)
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.moving().seek_before(target)
    }

    fn next(&mut self) -> Result<()> {
        self.moving().next()
    }

    fn prev(&mut self) -> Result<()> {
        self.moving().prev()
    }

    fn key(&self) -> &[u8] {
        self.cursor.key()
    }

    fn value(&self) -> &[u8] {
        self.cursor.value()
    }
}

/// Over the history of [`history`], whose sources are memtables that go on taking writes.
fn live_iterator(sources: &[Vec<Pair>], seed: u64, sequence: SeqNo, bounds: &Bounds) -> DbIterator {
    let late = Arc::new(AtomicU64::new(LATE));
    let children = sources
        .iter()
        .zip(seed..)
        .map(|(entries, seed)| Source::Other(Box::new(LiveCursor::new(entries, seed, &late))));
    let cursor = MergingCursor::new(children.collect());
    DbIterator::new(cursor, sequence, bounds.0.clone(), bounds.1.clone(), Arc::new(()))
}

#[test]
fn writes_between_any_two_steps_change_nothing_that_an_iterator_shows() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let (sources, maps) = history(&mut random, [10, 60, 120][seed as usize % 3]);
        let all = all_bounds();
        let bounds = if random.one_in(3) { &all[random.below(all.len())] } else { &EVERYTHING };
        let sequence = random.below(maps.len());
        let expected = within(&maps[sequence], bounds);
        let mut it = live_iterator(&sources, seed, sequence as u64, bounds);
        let mut place = None;
        for _ in 0..100 {
            place = random_call(&mut it, &expected, place, &mut random);
            assert_eq!(current(&it).as_ref(), place.and_then(|at| expected.get(at)));
        }
    });
}
