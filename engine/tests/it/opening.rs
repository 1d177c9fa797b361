//! A host that opens files late: opening waits for files before it reads logs, and reads each log once.

use crate::common::*;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use levelscope::{Budget, ErrorKind, Maintenance, Options, StepOutcome, WalSync, WriteBatch};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Bytes that were read from each file.
#[derive(Debug, Default)]
struct Read(Mutex<BTreeMap<FileName, u64>>);

impl Watcher for Read {
    fn done(&self, _: Operation, _: bool) {}

    fn read(&self, name: FileName, bytes: usize) {
        *self.0.lock().expect("unpoisoned").entry(name).or_default() += bytes as u64;
    }
}

fn options() -> Options {
    Options::default()
        .memtable_bytes(32 << 10)
        .immutable_count_max(4)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Manual)
}

/// A database that was killed with several logs, one of them after a flush, and with files that opening deletes.
fn killed(seed: u64) -> MemoryStorage {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let mut random = Random(seed);
    for life in 0..3 {
        let db = open(&storage, &options());
        for _ in 0..30 {
            let mut batch = WriteBatch::new();
            for _ in 0..20 {
                batch.put(random_key(&mut random), random.bytes(100)).expect("within limits");
            }
            write(&db, &batch, None).expect("the write works");
        }
        if life == 0 {
            run(&db, &Op::Flush).expect("the flush works");
        }
    }
    memory
}

/// The largest part of a log that is read to learn whose it is \[bytes\].
const SAMPLE_BYTES: u64 = 512;

#[test]
fn recovery_reads_each_log_once_however_late_files_are_opened() {
    for seed in 1..=24 {
        let memory = killed(seed);
        let names = memory.list().expect("listed");
        let names: Vec<FileName> = names.iter().filter_map(|name| FileName::parse(name)).collect();
        let lengths: BTreeMap<FileName, u64> = names
            .iter()
            .map(|name| (*name, memory.open(*name).and_then(|file| file.len()).expect("measured")))
            .collect();
        let read = Arc::new(Read::default());
        let counting = WatchedStorage::new(Arc::new(memory), Arc::<Read>::clone(&read));
        let host = BlockingStorage::new(Arc::new(counting));
        let storage: Arc<dyn Storage> = Arc::new(host.clone());
        let mut random = Random(seed);
        let mut attempts = 0;
        let db = loop {
            attempts += 1;
            match try_open(&storage, &options()) {
                Ok(db) => break db,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    host.admit(error.blocked_on().expect("a file"));
                    // A host may have opened any other file meanwhile.
                    host.admit(names[random.below(names.len() as u64) as usize]);
                }
                Err(error) => panic!("seed {seed}: {error}"),
            }
        };
        let read = read.0.lock().expect("unpoisoned").clone();
        let logs: Vec<FileName> =
            names.iter().copied().filter(|name| matches!(name, FileName::Wal(_))).collect();
        assert!(logs.len() > 2, "seed {seed}: {names:?}");
        for log in logs {
            let (bytes, length) = (read.get(&log).copied().unwrap_or(0), lengths[&log]);
            let most = length + SAMPLE_BYTES;
            assert!(bytes <= most, "seed {seed}, {attempts} attempts: {bytes} of {log}: {length}");
        }
        drop(db);
    }
}

fn count_of(disk: &MemoryStorage, ending: &str) -> usize {
    disk.list().expect("listed").iter().filter(|name| name.ends_with(ending)).count()
}

/// Programs that write once and end left a log each, which all later ones had to replay.
#[test]
fn short_sessions_leave_few_files() {
    for maintenance in [Maintenance::Manual, Maintenance::Inline, Maintenance::Threads(1)] {
        for flush_trigger_bytes in [0, 1 << 20] {
            let options = Options::default()
                .maintenance(maintenance)
                .flush_trigger_bytes(flush_trigger_bytes);
            let memory = MemoryStorage::new();
            let storage: Arc<dyn Storage> = Arc::new(memory.clone());
            let mut model = Model::new();
            for session in 0..60_u8 {
                let db = open(&storage, &options);
                assert_same(&db, &model, &format!("{maintenance:?}, session {session}"));
                db.put([session % 50], [session; 20]).expect("the put works");
                model.insert(vec![session % 50], vec![session; 20]);
                while maintenance == Maintenance::Manual
                    && db.step(Budget::Job).expect("steps") != StepOutcome::Idle
                {}
                db.close().expect("closes");
                let logs = count_of(&memory, ".wal");
                assert!(logs <= 6, "{maintenance:?}, session {session}: {logs} logs");
                let tables = count_of(&memory, ".sst");
                // With threads a session may end before its compaction has begun.
                let most = if matches!(maintenance, Maintenance::Threads(_)) { 24 } else { 8 };
                assert!(tables <= most, "{maintenance:?}, session {session}: {tables} tables");
            }
            let db = open(&storage, &options);
            assert_same(&db, &model, &format!("{maintenance:?}"));
            assert!(db.check().expect("checks").problems().is_empty());
        }
    }
}

/// Several logs in one memtable: whatever a crash leaves of an opening.
#[test]
fn logs_that_share_a_memtable_survive_any_crash() {
    let options = options().wal_sync(WalSync::Group);
    let memory = MemoryStorage::new();
    let mut model = Model::new();
    for session in 0..12_u8 {
        let frames: Arc<Mutex<Vec<MemoryStorage>>> = Arc::default();
        let taken = Arc::clone(&frames);
        let storage = after_each_operation(&memory, move |_, _, disk| {
            taken.lock().expect("unpoisoned").push(disk.fork());
        });
        let db = open(&storage, &options);
        let opening = std::mem::take(&mut *frames.lock().expect("unpoisoned"));
        for (index, frame) in opening.iter().enumerate() {
            for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(index as u64)] {
                let context = format!("session {session}, operation {index}, {crash:?}");
                let image: Arc<dyn Storage> = Arc::new(frame.crash_image(crash));
                let db = open(&image, &options);
                assert_same(&db, &model, &context);
                assert!(db.check().expect("checks").problems().is_empty(), "{context}");
            }
        }
        if session == 5 {
            db.delete_range([1_u8]..[3_u8]).expect("the deletion works");
            model.retain(|key, _| !(1..3).contains(&key[0]));
        }
        db.put([session], [session; 20]).expect("the put works");
        model.insert(vec![session], vec![session; 20]);
    }
}

/// All but the first of the logs that share a memtable were called obsolete.
#[test]
fn no_log_that_is_needed_is_called_obsolete() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    for session in 0..6_u8 {
        open(&storage, &options()).put([session], b"").expect("the put works");
    }
    let reader =
        levelscope::Db::builder().read_only().open_in(Arc::clone(&storage)).expect("opens");
    for db in [reader, open(&storage, &options())] {
        let files = db.files().expect("listed").into_iter();
        let needed = files.filter(|file| file.role == "log of memtable 1").count();
        assert_eq!(needed, 6);
    }
}
