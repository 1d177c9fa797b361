//! Reads beside writers: every kind of walk agrees with the model of its moment, which lookups give.
//!
//! The seed decides the options and the work of each thread. The system decides how they meet, so a seed replays
//! a schedule only approximately.

use crate::common::*;
use crate::fuzz::ops::Walk;
use crate::fuzz::walker::{Walker, between};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{
    Bound, Db, ErrorKind, Isolation, Maintenance, Options, ScanOptions, TransactionOptions,
    WalSync, WriteBatch,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const KEYS: u64 = 48;

/// Reads of the last entry of a prefix for each seed.
const READS: u64 = 800;

fn key(number: u64) -> Vec<u8> {
    format!("reg{:03}", number % KEYS).into_bytes()
}

/// Memtables that rotate every few writes, up to the default.
fn live_options(seed: u64) -> Options {
    Options::default()
        .memtable_bytes([4 << 10, 1 << 10, 16 << 10, 4 << 20][seed as usize % 4])
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(2))
}

fn live_database(seed: u64) -> Db {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    open(&storage, &live_options(seed))
}

/// Stops the writers of a test, also when a reader fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Puts, deletes and, in some seeds, range deletes, until `stop`.
fn write_until(db: &Db, seed: u64, stop: &AtomicBool) {
    let mut random = Random(seed);
    let deletes = [0, 2, 4][seed as usize % 3];
    for round in 0_u64.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let number = random.below(KEYS);
        let mut batch = WriteBatch::new();
        match random.below(20) {
            0 if deletes > 2 => {
                let end = number + 1 + random.below(20);
                batch.delete_range(key(number), format!("reg{end:03}")).unwrap();
            }
            drawn if drawn < deletes => batch.delete(key(number)).unwrap(),
            _ => batch.put(key(number), round.to_string()).unwrap(),
        }
        db.write(&batch, Some(false)).unwrap();
    }
}

fn random_bound(random: &mut Random) -> Bound<Vec<u8>> {
    match random.below(4) {
        0 => Bound::Included(key(random.next())),
        1 => Bound::Excluded(key(random.next())),
        _ => Bound::Unbounded,
    }
}

/// One that goes somewhere from anywhere, or any.
fn random_walk(random: &mut Random, is_first: bool) -> Walk {
    let target = |random: &mut Random| {
        let end: &[u8] = [&b""[..], b"x"][random.below(2) as usize];
        [&key(random.next()), end].concat()
    };
    match random.below(if is_first { 6 } else { 16 }) {
        0 => Walk::First,
        1 => Walk::Last,
        2 | 3 => Walk::Seek(target(random)),
        4 | 5 => Walk::SeekForPrev(target(random)),
        6..11 => Walk::Next,
        _ => Walk::Prev,
    }
}

/// Walks at random over an iterator within random bounds; as many walks as it made.
fn walk_about(
    random: &mut Random,
    model: &Model,
    open: impl Fn(&ScanOptions<'_>) -> levelscope::Result<levelscope::DbIterator>,
) -> u64 {
    let (lower, upper) = (random_bound(random), random_bound(random));
    let prefix = (random.below(3) == 0).then(|| key(random.next())[..5].to_vec());
    let mut items = between(model, &lower, &upper);
    items.retain(|(key, _)| prefix.as_ref().is_none_or(|prefix| key.starts_with(prefix)));
    let mut options = ScanOptions::default().range((lower, upper));
    options.prefix = prefix;
    let mut walker = Walker::new(open(&options).unwrap(), items);
    let walks = 1 + random.below(30);
    for index in 0..walks {
        let walk = random_walk(random, index == 0);
        let same = walker.walk(&walk).unwrap();
        same.unwrap_or_else(|what| panic!("{what}; {options:?}"));
    }
    walks
}

/// The model of a moment, from lookups.
fn looked_up<V: AsRef<[u8]>>(get: impl Fn(&[u8]) -> levelscope::Result<Option<V>>) -> Model {
    let entry = |key: Vec<u8>| Some((get(&key).unwrap()?.as_ref().to_vec(), key));
    (0..KEYS).map(key).filter_map(entry).map(|(value, key)| (key, value)).collect()
}

/// One snapshot, one transaction with writes of its own, and many iterators over each.
fn read_one_moment(db: &Db, random: &mut Random) -> u64 {
    let mut walks = 0;
    let snapshot = db.snapshot();
    let model = looked_up(|key| snapshot.get(key));
    for _ in 0..10 {
        walks += walk_about(random, &model, |options| snapshot.iter(options));
    }
    let isolation = [Isolation::Snapshot, Isolation::Serializable][random.below(2) as usize];
    let mut own = db.begin(&TransactionOptions::new(isolation));
    for round in 0..random.below(6) {
        match random.below(4) {
            0 => own.delete(key(random.next())).unwrap(),
            1 => own.delete_range(key(random.next())..key(random.next())).unwrap(),
            _ => own.put(key(random.next()), format!("own {round}")).unwrap(),
        }
    }
    let model = looked_up(|key| own.get(key));
    for _ in 0..10 {
        walks += walk_about(random, &model, |options| own.iter(options));
    }
    walks
}

#[test]
fn every_walk_beside_writers_agrees_with_its_moment() {
    let mut technique = Technique::new("reads beside writers", 4);
    while let Some(seed) = technique.next_seed() {
        println!("LEVELSCOPE_SEED={seed}");
        let db = live_database(seed);
        let stop = AtomicBool::new(false);
        let walks = std::thread::scope(|scope| {
            let _stop = Stop(&stop);
            for writer in 0..2 {
                let (db, stop) = (&db, &stop);
                scope.spawn(move || write_until(db, seed * 2 + writer, stop));
            }
            let mut random = Random(seed ^ 0x11e);
            (0..20).map(|_| read_one_moment(&db, &mut random)).sum()
        });
        technique.count(walks);
    }
}

/// One thread appends, another writes elsewhere: the last entry is never older than the newest that was acknowledged
/// before it was asked for.
#[test]
fn the_last_entry_of_a_prefix_is_the_last_one_acknowledged() {
    let mut technique = Technique::new("last of a prefix beside writers", 4);
    while let Some(seed) = technique.next_seed() {
        println!("LEVELSCOPE_SEED={seed}");
        let db = live_database(seed);
        let entry = |number: u64| format!("log/{number:08}");
        db.put(entry(0), "the first").unwrap();
        let (stop, acknowledged) = (AtomicBool::new(false), AtomicU64::new(0));
        std::thread::scope(|scope| {
            let _stop = Stop(&stop);
            scope.spawn(|| {
                for number in 1.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    db.put(entry(number), "an entry").unwrap();
                    acknowledged.store(number, Ordering::Release);
                }
            });
            scope.spawn(|| write_until(&db, seed, &stop));
            for _ in 0..READS {
                let oldest = acknowledged.load(Ordering::Acquire);
                let (last, _) = db.prefix("log/").unwrap().next_back().unwrap().unwrap();
                let last = String::from_utf8(last).unwrap();
                assert!(last >= entry(oldest), "{last} after {oldest} was acknowledged");
            }
        });
        technique.count(READS);
    }
}

/// Serializable transactions append after the last entry: each that commits makes a new entry.
#[test]
fn serializable_appends_overwrite_nothing() {
    let mut technique = Technique::new("serializable appends", 4);
    while let Some(seed) = technique.next_seed() {
        println!("LEVELSCOPE_SEED={seed}");
        let db = live_database(seed);
        db.put("log/00000000", "the first").unwrap();
        let stop = AtomicBool::new(false);
        let commits: u64 = std::thread::scope(|scope| {
            let _stop = Stop(&stop);
            scope.spawn(|| write_until(&db, seed, &stop));
            let append = || (0..250).map(|_| u64::from(append(&db))).sum::<u64>();
            let other = scope.spawn(append);
            append() + other.join().unwrap()
        });
        let entries = db.prefix("log/").unwrap().count() as u64 - 1;
        assert_eq!(entries, commits, "a committed entry was overwritten");
        technique.count(commits);
    }
}

/// Appends one entry; false after a conflict.
fn append(db: &Db) -> bool {
    let mut own = db.begin(&TransactionOptions::new(Isolation::Serializable));
    let (last, _) = own.prefix("log/").unwrap().next_back().unwrap().unwrap();
    let number: u64 = std::str::from_utf8(&last[4..]).unwrap().parse().unwrap();
    own.put(format!("log/{:08}", number + 1), "an entry").unwrap();
    match own.commit(None) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
            false
        }
    }
}
