//! Threads with transactions and batches in groups, judged afterwards: the sequence numbers of the commits order them,
//! and the reads of each must agree with this order.

use super::*;
use crate::group::GatedStorage;
use levelscope::storage::Crash;
use levelscope::{ScanOptions, Stats};
use std::sync::Mutex;
use std::time::Duration;

const KEYS: u64 = 10;

/// A write: of one key, or of the keys of a range.
#[derive(Debug, Clone)]
enum Change {
    One(Vec<u8>, Option<Vec<u8>>),
    DeleteRange(Vec<u8>, Vec<u8>),
}

/// A range without its end, and its content.
#[derive(Debug)]
struct RangeRead {
    from: Vec<u8>,
    to: Vec<u8>,
    found: Model,
}

/// A transaction or batch that was committed.
#[derive(Debug)]
struct Committed {
    /// Its isolation level and its snapshot; none for a batch.
    transaction: Option<(Isolation, u64)>,
    last: u64,
    changes: Vec<Change>,
    seen: Vec<RangeRead>,
}

fn key(index: u64) -> Vec<u8> {
    format!("k{index:02}").into_bytes()
}

fn apply(model: &mut Model, changes: &[Change]) {
    for change in changes {
        match change {
            Change::One(key, Some(value)) => drop(model.insert(key.clone(), value.clone())),
            Change::One(key, None) => drop(model.remove(key)),
            Change::DeleteRange(from, to) => model.retain(|key, _| key < from || key >= to),
        }
    }
}

fn touches(changes: &[Change], from: &[u8], to: &[u8]) -> bool {
    changes.iter().any(|change| match change {
        Change::One(key, _) => &key[..] >= from && &key[..] < to,
        Change::DeleteRange(begin, end) => &begin[..] < to && from < &end[..],
    })
}

fn look(own: &Transaction, random: &mut Random) -> RangeRead {
    let from = random.below(KEYS);
    if random.below(2) == 0 {
        let (from, to) = (key(from), [key(from), vec![0]].concat());
        let found = own.get(&from).unwrap().map(|value| (from.clone(), value.into_vec()));
        return RangeRead { from, to, found: found.into_iter().collect() };
    }
    let (from, to) = (key(from), key(from + 1 + random.below(4)));
    let options = ScanOptions::default().range(..&to[..]);
    let mut iterator = own.iter(&options).unwrap();
    iterator.seek(&from).unwrap();
    let mut found = Model::new();
    while iterator.valid() {
        found.insert(iterator.key().to_vec(), iterator.value().to_vec());
        iterator.next().unwrap();
    }
    RangeRead { from, to, found }
}

fn random_changes(random: &mut Random) -> Vec<Change> {
    let one = |random: &mut Random| match random.below(8) {
        0 => {
            let from = random.below(KEYS);
            Change::DeleteRange(key(from), key(from + 1 + random.below(3)))
        }
        1 | 2 => Change::One(key(random.below(KEYS)), None),
        _ => Change::One(key(random.below(KEYS)), Some(random.bytes(6))),
    };
    (0..=random.below(2)).map(|_| one(random)).collect()
}

/// Runs one transaction; its changes if it has committed.
fn run_transaction(db: &Db, random: &mut Random, sync: bool) -> Option<Committed> {
    let mut own = db.begin(&BOTH[random.below(2) as usize]);
    let transaction = Some((own.isolation(), own.sequence()));
    let seen = (0..=random.below(3)).map(|_| look(&own, random)).collect();
    let changes = random_changes(random);
    for change in &changes {
        match change {
            Change::One(key, Some(value)) => own.put(key, value).unwrap(),
            Change::One(key, None) => own.delete(key).unwrap(),
            Change::DeleteRange(from, to) => own.delete_range(&from[..]..&to[..]).unwrap(),
        }
    }
    match own.commit(Some(sync)) {
        Ok(last) => Some(Committed { transaction, last, changes, seen }),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
            None
        }
    }
}

fn run_batch(db: &Db, random: &mut Random, sync: bool) -> Committed {
    let changes = random_changes(random);
    let mut batch = WriteBatch::new();
    for change in &changes {
        match change {
            Change::One(key, Some(value)) => batch.put(key, value).unwrap(),
            Change::One(key, None) => batch.delete(key).unwrap(),
            Change::DeleteRange(from, to) => batch.delete_range(from, to).unwrap(),
        }
    }
    let last = db.write(&batch, Some(sync)).unwrap();
    Committed { transaction: None, last, changes, seen: Vec::new() }
}

/// The content after the commits up to `sequence`.
fn content_at(history: &[Committed], sequence: u64) -> Model {
    let mut model = Model::new();
    history
        .iter()
        .filter(|one| one.last <= sequence)
        .for_each(|one| apply(&mut model, &one.changes));
    model
}

/// Of each transaction: its reads are those of its snapshot; no other writer has committed a key that it writes (or,
/// serializable, has read) between its snapshot and its commit.
fn judge(history: &[Committed], context: &str) {
    for (place, one) in history.iter().enumerate() {
        let Some((isolation, begun)) = one.transaction else { continue };
        let snapshot = content_at(history, begun);
        let between: Vec<_> = history[..place].iter().filter(|other| other.last > begun).collect();
        for RangeRead { from, to, found } in &one.seen {
            let then = snapshot.range(from.clone()..to.clone());
            let then: Model = then.map(|(key, value)| (key.clone(), value.clone())).collect();
            assert_eq!(*found, then, "{context}: read by {one:?}");
            let touched = between.iter().find(|other| touches(&other.changes, from, to));
            let changed = touched.filter(|_| isolation == Isolation::Serializable);
            assert!(changed.is_none(), "{context}: {changed:?} changed what {one:?} has read");
        }
        for change in &one.changes {
            let (from, to) = match change {
                Change::One(key, _) => (key.clone(), [key, &[0][..]].concat()),
                Change::DeleteRange(from, to) => (from.clone(), to.clone()),
            };
            let touched = between.iter().find(|other| touches(&other.changes, &from, &to));
            assert!(touched.is_none(), "{context}: {touched:?} is overwritten unseen by {one:?}");
        }
    }
}

#[test]
fn the_order_of_commits_explains_every_read_and_every_crash() {
    let mut technique = Technique::new("histories of transactions", 4);
    while let Some(seed) = technique.next_seed() {
        let context = format!("LEVELSCOPE_SEED={seed}");
        let mut random = Random(seed ^ 0x5e7a);
        let options = small_options(&mut random)
            .maintenance(Maintenance::Threads(1 + random.below(2) as usize))
            .wal_sync(WalSync::Group)
            .memtable_bytes(4 << 10);
        let storage = GatedStorage::default();
        storage.gate.slow_down(Duration::from_micros(300));
        let db = open_watched(Arc::new(storage.clone()), options.clone(), None).unwrap();
        let (history, durable) = (Mutex::new(Vec::new()), Mutex::new(0));
        let mut images = Vec::new();
        std::thread::scope(|scope| {
            for writer in 0..6_u64 {
                let (db, history, durable) = (&db, &history, &durable);
                scope.spawn(move || {
                    let mut random = Random(seed << 8 | writer);
                    for _ in 0..60 {
                        let sync = random.below(8) > 0;
                        let done = match writer {
                            0 => Some(run_batch(db, &mut random, sync)),
                            _ => run_transaction(db, &mut random, sync),
                        };
                        let Some(done) = done else { continue };
                        if sync {
                            let mut durable = durable.lock().unwrap();
                            *durable = done.last.max(*durable);
                        }
                        history.lock().unwrap().push(done);
                    }
                });
            }
            for index in 0..8 {
                std::thread::sleep(Duration::from_millis(4));
                let least = *durable.lock().unwrap();
                images.push((least, storage.disk.crash_image(Crash::Random(seed * 100 + index))));
            }
        });
        let mut history = history.into_inner().unwrap();
        history.sort_unstable_by_key(|one: &Committed| one.last);
        judge(&history, &context);
        assert_eq!(contents(&db).unwrap(), content_at(&history, u64::MAX), "{context}");
        let Stats { conflicts, wal_syncs, .. } = db.stats();
        let shared = conflicts > 0 && wal_syncs < history.len() as u64;
        assert!(shared, "{context}: {conflicts} conflicts, {wal_syncs} syncs, {}", history.len());
        for (least, image) in images {
            let reopened = open_watched(Arc::new(image), options.clone(), None).unwrap();
            let found = contents(&reopened).unwrap();
            let ends = history.iter().map(|one| one.last).filter(|last| *last >= least);
            // The manifest may have recorded a later number than that of the last record which the crash left.
            let last = reopened.view().last_sequence;
            let mut ends = ends.chain((least == 0).then_some(0)).filter(|end| *end <= last);
            let explained = ends.any(|end| content_at(&history, end) == found);
            assert!(explained, "{context}: {found:?} at {last}, at least {least}");
        }
        technique.count(history.len() as u64);
    }
}
