//! Background threads under load: writers, readers and snapshots at once, each compared with a model.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Db, ErrorKind, Maintenance, Options, ScanOptions, Snapshot, WalSync, WriteBatch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const KEYS_A_WRITER: u64 = 300;

/// A sync that the log's own thread makes ahead of need, and that fails, ends all writes: no caller waits for it.
#[test]
fn a_failed_sync_ahead_ends_writes() {
    let memory = MemoryStorage::new();
    let storage = FaultStorage::over_memory(&memory);
    let options = Options::default()
        .memtable_bytes(64 << 20)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(1));
    let db = open(&(Arc::new(storage.clone()) as Arc<dyn Storage>), &options);
    db.put("first", "durable").unwrap();
    db.sync().unwrap();
    storage.inject(Fault::SyncError, 1, false);
    let value = vec![b'v'; 64 << 10];
    let refused = (0..100_000).find_map(|key: u32| {
        std::thread::sleep(Duration::from_millis(1));
        db.put(key.to_le_bytes(), &value).err()
    });
    assert_eq!(refused.unwrap().kind(), ErrorKind::ReadOnly);
    assert_eq!(storage.injected(), 1);
    assert!(db.get("first").unwrap().is_some(), "reads go on");
    db.close().unwrap_err();
    drop(db);
    let db = open(&(Arc::new(memory) as Arc<dyn Storage>), &options);
    assert!(db.get("first").unwrap().is_some(), "it was durable");
}

/// The key range of one writer: no other thread writes there, so its model is exact.
fn writer_key(writer: u64, index: u64) -> Vec<u8> {
    format!("{writer}-{index:04}").into_bytes()
}

/// Puts, deletes and batches, all of one generation: a batch changes the two keys of a pair together.
fn write_range(db: &Db, writer: u64, stop: &AtomicBool) -> Model {
    let mut random = Random(writer);
    let mut model = Model::new();
    for generation in 0_u64.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let pair = random.below(KEYS_A_WRITER / 2) * 2;
        let keys = [writer_key(writer, pair), writer_key(writer, pair + 1)];
        let mut batch = WriteBatch::new();
        let padding = b"v".repeat(usize::try_from(random.below(120)).unwrap());
        let value = [generation.to_le_bytes().to_vec(), padding].concat();
        let delete = random.below(4) == 0;
        for key in &keys {
            if delete {
                batch.delete(key).unwrap();
                model.remove(key);
            } else {
                batch.put(key, &value).unwrap();
                model.insert(key.clone(), value.clone());
            }
        }
        db.write(&batch, Some(generation % 64 == 0)).unwrap();
        if generation % 16 == 0 {
            assert_eq!(
                db.get(&keys[0]).unwrap().as_deref(),
                model.get(&keys[0]).map(Vec::as_slice),
                "its own write"
            );
        }
        match generation % 1500 {
            700 => drop(db.rotate().unwrap()),
            900 => drop(db.request_flush().unwrap()),
            1100 => drop(db.request_compaction(Some((writer % 3) as usize)).unwrap()),
            _ => {}
        }
    }
    model
}

fn scan(db: &Db, snapshot: Option<&Snapshot>, backward: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
    let options = ScanOptions::default().snapshot(snapshot);
    let mut iterator = db.iter(&options).unwrap();
    let mut found = Vec::new();
    if backward { iterator.seek_to_last() } else { iterator.seek_to_first() }.unwrap();
    while iterator.valid() {
        found.push((iterator.key().to_vec(), iterator.value().to_vec()));
        if backward { iterator.prev() } else { iterator.next() }.unwrap();
        if found.len() % 100 == 0 {
            // Lets tables go away under the iterator.
            std::thread::yield_now();
        }
    }
    if backward {
        found.reverse();
    }
    found
}

/// In every state that a reader may see, the two keys of a pair are there with one value or not at all.
fn assert_whole_batches(found: &[(Vec<u8>, Vec<u8>)]) {
    assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "a scan is out of order");
    assert_eq!(found.len() % 2, 0, "a scan shows half of a batch");
    for pair in found.chunks(2) {
        assert_eq!(pair[0].1, pair[1].1, "a scan shows half of a batch: {:?}", pair[0].0);
    }
}

fn read_everything(db: &Db, reader: u64, stop: &AtomicBool) -> u64 {
    let mut random = Random(1000 + reader);
    let mut rounds = 0;
    while !stop.load(Ordering::Relaxed) {
        let snapshot = db.snapshot();
        let first = scan(db, Some(&snapshot), reader == 0);
        assert_whole_batches(&first);
        assert_whole_batches(&scan(db, None, reader == 1));
        for _ in 0..20 {
            let key = writer_key(random.below(4), random.below(KEYS_A_WRITER));
            let expected = first.iter().find(|(found, _)| *found == key).map(|(_, value)| value);
            let value = snapshot.get(&key).unwrap();
            assert_eq!(value.as_deref(), expected.map(Vec::as_slice), "a snapshot changed");
        }
        assert!(first == scan(db, Some(&snapshot), reader == 1), "a snapshot changed");
        db.view();
        db.files().unwrap();
        db.stats();
        rounds += 1;
    }
    rounds
}

#[test]
fn threads_writers_readers_and_snapshots_agree_with_their_models() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default()
        .memtable_bytes(8 * 1024)
        .immutable_count_max(2)
        .block_bytes(256)
        .table_bytes(4096)
        .cache_bytes(16 * 1024)
        .open_tables_max(4)
        .l0_trigger(2)
        .l0_stall(3)
        .level_base_bytes(16 * 1024)
        .level_multiplier(2)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(2));
    let db = open(&storage, &options);
    let stop = AtomicBool::new(false);
    let mut model = Model::new();
    std::thread::scope(|scope| {
        let (db, stop) = (&db, &stop);
        let writers: Vec<_> =
            (0..4).map(|writer| scope.spawn(move || write_range(db, writer, stop))).collect();
        let readers: Vec<_> =
            (0..2).map(|reader| scope.spawn(move || read_everything(db, reader, stop))).collect();
        std::thread::sleep(Duration::from_secs(2));
        stop.store(true, Ordering::Relaxed);
        for writer in writers {
            model.extend(writer.join().unwrap());
        }
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
    let stats = db.stats();
    assert!(stats.flushes > 10 && stats.compactions > 10, "{stats:?}");
    assert_same(&db, &model, "after the threads");
    drop(db);
    let db = open(&storage, &options);
    assert_same(&db, &model, "after reopening");
    db.request_compaction(None).unwrap();
    assert_same(&db, &model, "after compacting everything");
}

/// One thread is in the middle of a long compaction when a flush becomes due.
#[test]
fn threads_a_flush_never_waits_for_a_compaction() {
    let options = Options::default()
        .memtable_bytes(64 << 20)
        .l0_trigger(100)
        .l0_stall(200)
        .maintenance(Maintenance::Threads(1));
    // Whether the compaction is still under way is up to the scheduler: tried again when it is not.
    let met = (0..10).any(|_| {
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let db = open(&storage, &options);
        for round in 0..2_u64 {
            for batch in 0..100_u64 {
                let mut writes = WriteBatch::new();
                for index in 0..500_u64 {
                    let key = (batch * 500 + index) * 2 + round;
                    writes.put(format!("{key:08}").as_bytes(), b"value").unwrap();
                }
                db.write(&writes, None).unwrap();
            }
            db.request_flush().unwrap();
        }
        let compacting = |db: &Db| db.view().jobs.iter().any(|job| job.output_level == 1);
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| db.request_compaction(Some(0)).unwrap());
            while !compacting(&db) && !asked.is_finished() {
                std::thread::yield_now();
            }
            db.put(b"late", b"1").unwrap();
            assert!(db.request_flush().unwrap());
            let met = compacting(&db) && db.stats().compactions == 0;
            assert!(asked.join().unwrap());
            assert_eq!(db.stats().compactions, 1, "who asked waits for it");
            assert_eq!(db.view().levels[0].tables.len(), 1, "the late flush");
            met
        })
    });
    assert!(met, "in ten attempts no flush was done during a compaction");
}

#[test]
fn a_job_given_up_at_closing_is_in_no_view() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default().maintenance(Maintenance::Manual));
    db.put(b"key", b"value").unwrap();
    db.request_flush().unwrap();
    db.step(levelscope::Budget::Phase).unwrap();
    assert_eq!(db.view().jobs.len(), 1);
    db.close().unwrap();
    assert_eq!(db.view().jobs, []);
}
