//! Transactions from many threads at once, with and without threads in the background.

use super::*;
use levelscope::{PinnedValue, ScanOptions};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ACCOUNTS: u64 = 12;
const START: i64 = 1000;

fn account(index: u64) -> Vec<u8> {
    format!("account{index:02}").into_bytes()
}

fn balance(value: Option<PinnedValue>) -> i64 {
    text(value).expect("the account is there").parse().expect("a number")
}

/// Tries until it is committed; how often it lost.
fn transact(db: &Db, options: &TransactionOptions, work: impl Fn(&mut Transaction)) -> u64 {
    for losses in 0.. {
        let mut own = db.begin(options);
        work(&mut own);
        let outcome = loop {
            match own.commit(None) {
                Err(error) if error.kind() == ErrorKind::Stalled => drop(db.step(Budget::Job)),
                outcome => break outcome,
            }
        };
        match outcome {
            Ok(_) => return losses,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Conflict, "{error}"),
        }
    }
    0
}

fn total(own: &Transaction, forward: bool) -> i64 {
    let mut iterator = own.iter(&ScanOptions::default()).unwrap();
    if forward { iterator.seek_to_first() } else { iterator.seek_to_last() }.unwrap();
    let mut sum = 0;
    while iterator.valid() {
        sum += balance(Some(iterator.pinned_value()));
        if forward { iterator.next() } else { iterator.prev() }.unwrap();
    }
    sum
}

/// Money moves between accounts; every reader sees the same sum at every moment, and so does the end.
#[test]
fn transfers_keep_the_sum() {
    let mut technique = Technique::new("transfers", 4);
    while let Some(seed) = technique.next_seed() {
        println!("LEVELSCOPE_SEED={seed}");
        let mut random = Random(seed ^ 0xba2c);
        let maintenance = [Maintenance::Threads(2), Maintenance::Inline][(seed % 2) as usize];
        let options = small_options(&mut random).maintenance(maintenance);
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let db = open(&storage, &options);
        for index in 0..ACCOUNTS {
            db.put(account(index), START.to_string().as_bytes()).unwrap();
        }
        let (done, losses) = (AtomicBool::new(false), AtomicU64::new(0));
        let sum = ACCOUNTS.cast_signed() * START;
        std::thread::scope(|scope| {
            let movers: Vec<_> = (0..4_u64)
                .map(|mover| {
                    let (db, losses) = (&db, &losses);
                    scope.spawn(move || {
                        let mut random = Random(seed << 8 | mover);
                        for _ in 0..60 {
                            losses.fetch_add(transfer(db, &mut random), Ordering::Relaxed);
                        }
                    })
                })
                .collect();
            let reader = scope.spawn(|| {
                let mut forward = false;
                while !done.load(Ordering::Relaxed) {
                    forward = !forward;
                    assert_eq!(total(&db.begin(&SNAPSHOT), forward), sum, "seed {seed}");
                }
            });
            // Whatever fails, the reader has to end.
            let moved: Vec<_> =
                movers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
            done.store(true, Ordering::Relaxed);
            reader.join().unwrap();
            assert!(moved.iter().all(Result::is_ok), "seed {seed}");
        });
        assert_eq!(total(&db.begin(&SNAPSHOT), true), sum, "seed {seed}");
        let stats = db.stats();
        assert_eq!(stats.conflicts, losses.load(Ordering::Relaxed), "seed {seed}");
        assert_eq!(stats.transactions_committed, 4 * 60, "seed {seed}");
        assert!(db.view().transactions.is_empty());
        drop(db);
        assert_eq!(total(&open(&storage, &options).begin(&SNAPSHOT), true), sum, "seed {seed}");
        technique.count(4 * 60);
    }
}

fn transfer(db: &Db, random: &mut Random) -> u64 {
    let from = random.below(ACCOUNTS);
    let to = (from + 1 + random.below(ACCOUNTS - 1)) % ACCOUNTS;
    let amount = 1 + random.below(50).cast_signed();
    let options = &BOTH[random.below(2) as usize];
    transact(db, options, |own| {
        let (left, right) = (own.get(account(from)).unwrap(), own.get(account(to)).unwrap());
        let (left, right) = (balance(left) - amount, balance(right) + amount);
        own.put(account(from), left.to_string().as_bytes()).unwrap();
        own.put(account(to), right.to_string().as_bytes()).unwrap();
    })
}

/// Each looks at all and adds one key more: the counts that they saw are all different.
#[test]
fn serializable_transactions_run_one_after_the_other() {
    let disk: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = by_hand().maintenance(Maintenance::Threads(1));
    let db = open(&disk, &options);
    std::thread::scope(|scope| {
        for writer in 0..4_u8 {
            let db = &db;
            scope.spawn(move || {
                for index in 0..25_u8 {
                    transact(db, &SERIALIZABLE, |own| {
                        let mut iterator = own.iter(&ScanOptions::default()).unwrap();
                        iterator.seek_to_first().unwrap();
                        let mut count = 0_u64;
                        while iterator.valid() {
                            count += 1;
                            iterator.next().unwrap();
                        }
                        own.put([writer, index], format!("{count:03}").as_bytes()).unwrap();
                    });
                }
            });
        }
    });
    let mut counts: Vec<Vec<u8>> = contents(&db).unwrap().into_values().collect();
    counts.sort_unstable();
    let expected: Vec<Vec<u8>> = (0..100).map(|count| format!("{count:03}").into_bytes()).collect();
    assert_eq!(counts, expected);
}

/// Batches queue after a transaction, and transactions after batches. Each has its own sequence numbers,
/// and readers see each batch and transaction whole or not at all.
#[test]
fn batches_and_transactions_share_the_log() {
    let disk: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = by_hand().maintenance(Maintenance::Threads(1));
    let db = open(&disk, &options);
    let pair = |writer: u8, index: u8| [[writer, index, 0], [writer, index, 1]];
    let mut sequences: Vec<u64> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..6_u8)
            .map(|writer| {
                let db = &db;
                scope.spawn(move || -> Vec<u64> {
                    (0..40_u8)
                        .map(|index| {
                            let [first, second] = pair(writer, index);
                            if writer % 2 == 0 {
                                let mut own = db.begin(&BOTH[usize::from(index % 2)]);
                                own.put(first, b"t").unwrap();
                                own.put(second, b"t").unwrap();
                                return own.commit(Some(index % 3 == 0)).unwrap();
                            }
                            let mut batch = WriteBatch::new();
                            batch.put(first, b"b").unwrap();
                            batch.put(second, b"b").unwrap();
                            db.write(&batch, Some(index % 3 == 0)).unwrap()
                        })
                        .collect()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    sequences.sort_unstable();
    assert_eq!(sequences, (1..=240).map(|count| count * 2).collect::<Vec<u64>>());
    assert_eq!(contents(&db).unwrap().len(), 480);
    drop(db);
    assert_eq!(contents(&open(&disk, &options)).unwrap().len(), 480);
}
