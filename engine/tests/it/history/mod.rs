//! Ways in which a storage engine can lose data, one named test each.
//!
//! Every story has happened somewhere: each test describes one failure in a sentence, and shows that it does not happen
//! here. docs/TESTING.md lists them in order.

mod bounds;
mod compaction;
mod emitted;
mod files;
mod filters;
mod jobs;
mod log;
mod manifest;
mod ranges;
mod reads;
mod recovery;
mod snapshots;

use crate::common::*;
use levelscope::storage::trace::Operation;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use levelscope::{Budget, Db, Maintenance, Options, StepOutcome, WalSync, WriteBatch};
use std::sync::{Arc, Mutex};

/// Everything small, and manual maintenance: jobs run when the test steps them.
fn by_hand() -> Options {
    Options::default()
        .memtable_bytes(1 << 20)
        .block_bytes(128)
        .table_bytes(1 << 20)
        .level_count(6)
        .l0_trigger(1000)
        .l0_stall(1000)
        .level_base_bytes(1 << 30)
        .immutable_count_max(60)
        .maintenance(Maintenance::Manual)
        .wal_sync(WalSync::Group)
}

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

/// Runs every job that waits.
fn settle(db: &Db) {
    while db.step(Budget::Job).expect("the job works") != StepOutcome::Idle {}
}

/// The memtable becomes a table of L0.
fn flush(db: &Db) {
    db.request_flush().expect("a flush can be asked for");
    settle(db);
}

/// All of `level` goes into the next one.
fn compact(db: &Db, level: usize) {
    db.request_compaction(Some(level)).expect("a compaction can be asked for");
    settle(db);
}

fn put(db: &Db, key: &str, value: &str) {
    db.put(key.as_bytes(), value.as_bytes()).expect("the put works");
}

fn put_all(db: &Db, keys: &[&str], value: &str) {
    for key in keys {
        put(db, key, value);
    }
}

fn get(db: &Db, key: &str) -> Option<String> {
    let value = db.get(key.as_bytes()).expect("the get works");
    value.map(|value| String::from_utf8(value.into_vec()).expect("text"))
}

/// A value of `bytes` bytes that identifies its write.
fn value(index: usize, bytes: usize) -> Vec<u8> {
    format!("{index:08}").into_bytes().into_iter().cycle().take(bytes).collect()
}

/// A batch that is not synced.
fn put_unsynced(db: &Db, key: &str, value: &[u8]) {
    let mut batch = WriteBatch::new();
    batch.put(key.as_bytes(), value).expect("within limits");
    db.write(&batch, Some(false)).expect("the write works");
}

/// The files of the database on `disk`, by the name they parse to.
fn names(disk: &MemoryStorage) -> Vec<FileName> {
    disk.list().expect("lists").iter().filter_map(|name| FileName::parse(name)).collect()
}

fn tables_on(disk: &MemoryStorage) -> Vec<u64> {
    let number = |name: &FileName| match name {
        FileName::Table(number) => Some(*number),
        _ => None,
    };
    names(disk).iter().filter_map(number).collect()
}

/// The tables that the database names, ascending.
fn tables_of(db: &Db) -> Vec<u64> {
    let levels = db.view().levels;
    let mut tables: Vec<u64> =
        levels.iter().flat_map(|level| &level.tables).map(|info| info.table).collect();
    tables.sort_unstable();
    tables
}

/// The newest log on `disk`.
fn newest_log(disk: &MemoryStorage) -> FileName {
    let logs = names(disk).into_iter().filter(|name| matches!(name, FileName::Wal(_)));
    logs.max().expect("there is a log")
}

/// A copy of the disk after each operation that changes or syncs something.
#[derive(Clone, Default)]
struct Film(Arc<Mutex<Vec<(Operation, MemoryStorage)>>>);

impl Film {
    fn over(disk: &MemoryStorage) -> (Self, Arc<dyn Storage>) {
        let film = Self::default();
        let shot = film.clone();
        let storage = after_each_operation(disk, move |_, operation, disk| {
            shot.0.lock().unwrap().push((operation, disk.fork()));
        });
        (film, storage)
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn frames(&self) -> Vec<(Operation, MemoryStorage)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}
