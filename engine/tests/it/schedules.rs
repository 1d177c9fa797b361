//! Threads that interleave in many orders: at every file operation, a thread may yield.
//!
//! The seed decides the work of each thread and where it yields. The system decides the rest, so a seed
//! replays a schedule only approximately. Two threads write, one reads, one iterates, one requests jobs,
//! and in every other seed one closes the database in the middle.

use crate::common::*;
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Db, ErrorKind, Maintenance, ScanOptions, WriteBatch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const WRITES: u64 = 40;

/// Gives turns away.
#[derive(Debug)]
struct Turns(AtomicU64);

impl Turns {
    fn lose_one(&self) {
        let drawn = Random(self.0.fetch_add(1, Ordering::Relaxed)).next();
        match drawn % 16 {
            0..=5 => {}
            15 => std::thread::sleep(Duration::from_micros(drawn >> 32 & 0x7f)),
            turns => (0..turns).for_each(|_| std::thread::yield_now()),
        }
    }
}

impl Watcher for Turns {
    fn done(&self, _operation: Operation, _ok: bool) {
        self.lose_one();
    }
}

fn key(writer: u64, half: u64) -> Vec<u8> {
    format!("{writer}-{half}").into_bytes()
}

/// Whether the call went well; only a database that was closed may refuse.
fn done<T>(result: levelscope::Result<T>) -> bool {
    match result {
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::Closed => false,
        Err(error) => panic!("{error}"),
    }
}

/// Sets both halves to 1, 2, 3 and so on; the last number that was acknowledged.
fn write_pairs(db: &Db, writer: u64, turns: &Turns) -> u64 {
    for number in 1..=WRITES {
        let mut batch = WriteBatch::new();
        for half in 0..2 {
            let value = [&number.to_le_bytes()[..], &[b'v'; 40]].concat();
            batch.put(key(writer, half), &value).expect("within limits");
        }
        if !done(db.write(&batch, Some(number % 4 == 0))) {
            return number - 1;
        }
        turns.lose_one();
    }
    WRITES
}

fn number(value: Option<&[u8]>) -> u64 {
    value.map_or(0, |value| u64::from_le_bytes(value[..8].try_into().expect("eight bytes")))
}

/// At a snapshot both halves are equal, and later snapshots never show an older state.
fn read_pairs(db: &Db, turns: &Turns) {
    let mut newest = [0; 2];
    for round in 0..WRITES {
        let snapshot = db.snapshot();
        let writer = round % 2;
        let first = snapshot.get(key(writer, 0)).expect("a get");
        turns.lose_one();
        let second = snapshot.get(key(writer, 1)).expect("a get");
        assert_eq!(first, second, "a snapshot shows half of a batch");
        let found = number(first.as_deref());
        let before = &mut newest[usize::try_from(writer).expect("small")];
        assert!(found >= *before, "{found} after {before}");
        *before = found;
    }
}

fn walk_pairs(db: &Db, turns: &Turns) {
    for round in 0..WRITES / 4 {
        let mut iterator = db.iter(&ScanOptions::default()).expect("an iterator");
        let mut found = Vec::new();
        if round % 2 == 0 { iterator.seek_to_first() } else { iterator.seek_to_last() }
            .expect("seek");
        while iterator.valid() {
            found.push(iterator.value().to_vec());
            turns.lose_one();
            if round % 2 == 0 { iterator.next() } else { iterator.prev() }.expect("a move");
        }
        assert!(found.chunks(2).all(|pair| pair[0] == pair[1]), "an iterator shows half a batch");
    }
}

fn ask_for_jobs(db: &Db, random: &mut Random, turns: &Turns) {
    for _ in 0..8 {
        let went = match random.below(4) {
            0 => done(db.rotate()),
            1 => done(db.request_flush()),
            2 => done(db.request_compaction(None)),
            _ => done(db.sync()),
        };
        if !went {
            return;
        }
        turns.lose_one();
    }
}

fn run_one(seed: u64) {
    let mut random = Random(seed ^ 0x5c4e);
    let options = small_options(&mut random)
        .memtable_bytes(256 << random.below(3))
        .maintenance(Maintenance::Threads(1 + random.below(3) as usize));
    let turns = Arc::new(Turns(AtomicU64::new(seed << 24)));
    let watcher: Arc<dyn Watcher> = Arc::<Turns>::clone(&turns);
    let storage: Arc<dyn Storage> =
        Arc::new(WatchedStorage::new(Arc::new(MemoryStorage::new()), watcher));
    let db = open(&storage, &options);
    let closes = random.below(2) == 0;
    let pause = random.below(3000);
    let acknowledged: Vec<u64> = std::thread::scope(|scope| {
        let (db, turns, random) = (&db, &*turns, &mut random);
        let writers: Vec<_> =
            (0..2).map(|writer| scope.spawn(move || write_pairs(db, writer, turns))).collect();
        scope.spawn(move || read_pairs(db, turns));
        scope.spawn(move || walk_pairs(db, turns));
        scope.spawn(move || ask_for_jobs(db, random, turns));
        if closes {
            std::thread::sleep(Duration::from_micros(pause));
            db.close().expect("it closes");
        }
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    });
    drop(db);
    let db = open(&storage, &options);
    for (writer, acknowledged) in (0..).zip(acknowledged) {
        let halves = [0, 1].map(|half| db.get(key(writer, half)).expect("a get"));
        assert_eq!(halves[0], halves[1], "seed {seed}: half of a batch");
        let found = number(halves[0].as_deref());
        assert_eq!(found, acknowledged, "seed {seed}: writer {writer}");
    }
    assert!(db.check().expect("check").problems().is_empty(), "seed {seed}");
}

#[test]
fn threads_meet_in_every_order() {
    let mut technique = Technique::new("schedules", 6);
    while let Some(seed) = technique.next_seed() {
        run_one(seed);
        technique.count(1);
    }
}
