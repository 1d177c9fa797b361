//! The storage decorators: injected faults, refusals, and the watcher.

use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::trace::StorageTrace;
use levelscope::storage::{Crash, File, FileName, MemoryStorage, Storage};
use levelscope::testing::forge::{EditForge, LogForge, RecordFields, TableClaim, internal_key};
use levelscope::testing::order::OrderWatcher;
use levelscope::{ErrorKind, Result};
use std::sync::Arc;

const WAL: FileName = FileName::Wal(1);

/// A small script: creation, two appends, two syncs, a read.
fn script(storage: &dyn Storage) -> Result<usize> {
    let file = storage.create(WAL)?;
    storage.sync_directory()?;
    file.append(b"0123456789")?;
    file.sync()?;
    file.append(b"abcdefghij")?;
    file.sync()?;
    file.read_at(0, &mut [0; 30])
}

#[test]
fn each_operation_can_fail_once_or_for_ever() {
    for (fault, count) in [(Fault::Io, 7), (Fault::OutOfSpace, 6), (Fault::SyncError, 3)] {
        for at in 1..=count + 1 {
            for forever in [false, true] {
                let storage = FaultStorage::over_memory(&MemoryStorage::new());
                storage.inject(fault, at, forever);
                let failed = script(&storage).is_err();
                assert_eq!(failed, at <= count, "{fault:?} at {at}");
                assert_eq!(storage.injected(), u64::from(failed), "{fault:?} at {at}");
                assert_eq!(storage.operations(), at.min(count), "{fault:?} at {at}");
                let again = storage.sync_directory().is_err();
                assert_eq!(again, forever || at > count, "{fault:?} at {at}");
                storage.heal();
                assert!(storage.sync_directory().is_ok());
            }
        }
    }
}

#[test]
fn a_short_write_keeps_the_first_half() {
    let memory = MemoryStorage::new();
    let storage = FaultStorage::over_memory(&memory);
    storage.inject(Fault::ShortWrite, 2, false);
    assert_eq!(script(&storage).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(memory.read(WAL).unwrap(), b"0123456789abcde");
    assert_eq!(storage.used_bytes(), 15);
}

#[test]
fn a_short_read_succeeds_with_fewer_bytes() {
    let storage = FaultStorage::over_memory(&MemoryStorage::new());
    storage.inject(Fault::ShortRead, 1, false);
    assert_eq!(script(&storage), Ok(10));
    assert_eq!((storage.operations(), storage.injected()), (1, 1));
}

#[test]
fn a_failed_sync_loses_unsynced_bytes() {
    let memory = MemoryStorage::new();
    let storage = FaultStorage::over_memory(&memory);
    let file = storage.create(WAL).unwrap();
    storage.sync_directory().unwrap();
    file.append(b"kept").unwrap();
    file.sync().unwrap();
    file.append(b"lost").unwrap();
    storage.inject(Fault::SyncError, 1, false);
    assert_eq!(file.sync().unwrap_err().kind(), ErrorKind::Io);
    file.sync().unwrap();
    assert_eq!(memory.read(WAL).unwrap(), b"keptlost");
    assert_eq!(memory.crash_image(Crash::KeepSynced).read(WAL).unwrap(), b"kept\0\0\0\0");
}

#[test]
fn a_full_storage_keeps_the_part_that_fits() {
    let memory = MemoryStorage::new();
    let storage = FaultStorage::over_memory(&memory);
    storage.set_capacity(Some(15));
    assert_eq!(script(&storage).unwrap_err().kind(), ErrorKind::OutOfSpace);
    assert_eq!(memory.read(WAL).unwrap(), b"0123456789abcde");
    storage.delete(WAL).unwrap();
    assert_eq!(storage.used_bytes(), 0);
    let current = storage.create(FileName::Current).unwrap();
    current.write_at(0, &[1; 15]).unwrap();
    current.write_at(5, &[2; 10]).unwrap();
    assert_eq!(current.write_at(10, &[3; 10]).unwrap_err().kind(), ErrorKind::OutOfSpace);
    assert_eq!(memory.read(FileName::Current).unwrap().len(), 15);
}

#[test]
fn nothing_happens_before_the_host_has_opened_the_file() {
    let memory = MemoryStorage::new();
    let storage = BlockingStorage::new(Arc::new(memory.clone()));
    assert_eq!(storage.create(WAL).unwrap_err().blocked_on(), Some(WAL));
    assert_eq!(storage.prepare(WAL).unwrap_err().blocked_on(), Some(WAL));
    assert_eq!(storage.open(WAL).unwrap_err().blocked_on(), Some(WAL));
    assert_eq!(memory.operations(), 0);
    assert_eq!(storage.host(|| script(&storage)), Ok(20));
    let file = storage.open(WAL).unwrap();
    storage.evict(WAL);
    assert_eq!(file.read_at(0, &mut [0; 4]).unwrap_err().kind(), ErrorKind::WouldBlock);
    storage.admit(WAL);
    assert_eq!(file.read_at(0, &mut [0; 4]), Ok(4));
    assert_eq!(storage.refusals(), 5);
    storage.delete(WAL).unwrap();
    assert_eq!(storage.open(WAL).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn a_trace_has_one_line_for_each_change() {
    let faulty = FaultStorage::over_memory(&MemoryStorage::new());
    let (trace, storage) = StorageTrace::over(Arc::new(faulty.clone()));
    let _lock = storage.lock().unwrap();
    script(&*storage).unwrap();
    let current = storage.create(FileName::Current).unwrap();
    faulty.inject(Fault::Io, 1, false);
    assert!(current.write_at(4096, b"slot").is_err());
    storage.delete(WAL).unwrap();
    let lines = "lock\ncreate 000001.wal\nsync dir\nappend 000001.wal 10\nsync 000001.wal\n\
        append 000001.wal 10\nsync 000001.wal\ncreate CURRENT\nwrite CURRENT 4096 4 failed\n\
        delete 000001.wal";
    assert_eq!(trace.drain().join("\n"), lines);
    assert!(trace.drain().is_empty());
}

/// The breaches that `work` commits.
fn breaches(work: impl Fn(&dyn Storage) -> Result<()>) -> Vec<String> {
    let (order, storage) = OrderWatcher::over(Arc::new(MemoryStorage::new()));
    work(&*storage).unwrap();
    order.breaches()
}

#[test]
fn an_honest_order_has_no_breach() {
    let found = breaches(|storage| {
        let manifest = storage.create(FileName::Manifest(2))?;
        manifest.append(b"snapshot")?;
        manifest.sync()?;
        storage.sync_directory()?;
        let current = storage.create(FileName::Current)?;
        current.write_at(0, b"slot")?;
        current.sync()?;
        storage.sync_directory()?;
        let wal = storage.create(WAL)?;
        wal.append(b"header")?;
        storage.sync_directory()?;
        wal.append(b"record")?;
        wal.sync()?;
        drop(storage.create(FileName::Wal(3))?);
        manifest.append(&[b'e'; 40])?;
        manifest.sync()?;
        storage.delete(WAL)
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_current_that_names_an_unsynced_manifest_is_a_breach() {
    let found = breaches(|storage| {
        storage.create(FileName::Manifest(2))?.append(b"snapshot")?;
        storage.sync_directory()?;
        storage.create(FileName::Current)?.write_at(0, b"slot")
    });
    assert_eq!(found, ["write CURRENT 0 4: MANIFEST-000002 is not durable yet"]);
    let found = breaches(|storage| {
        storage.create(FileName::Manifest(2))?.sync()?;
        storage.create(FileName::Current)?.write_at(0, b"slot")
    });
    assert_eq!(found, ["write CURRENT 0 4: MANIFEST-000002 is not durable yet"]);
}

#[test]
fn a_new_log_before_the_name_of_the_old_one_is_durable_is_a_breach() {
    let found = breaches(|storage| {
        let wal = storage.create(WAL)?;
        wal.append(b"header")?;
        wal.sync()?;
        storage.create(FileName::Wal(2)).map(drop)
    });
    let breach = "create 000002.wal: the name of 000001.wal, the log before, is not durable";
    assert_eq!(found, [breach]);
}

#[test]
fn a_new_log_before_the_old_one_is_synced_is_a_breach() {
    let found = breaches(|storage| {
        storage.create(WAL)?.append(b"header")?;
        storage.sync_directory()?;
        storage.create(FileName::Wal(2))?.append(b"header")?;
        storage.sync_directory()?;
        storage.create(FileName::Wal(3)).map(drop)
    });
    assert_eq!(found, ["create 000003.wal: 000001.wal has unsynced records"]);
}

#[test]
fn a_sync_of_a_log_before_the_older_one_is_synced_is_a_breach() {
    let found = breaches(|storage| {
        storage.create(WAL)?.append(b"header")?;
        storage.sync_directory()?;
        let next = storage.create(FileName::Wal(2))?;
        next.append(b"header")?;
        next.sync()
    });
    assert_eq!(found, ["sync 000002.wal: 000001.wal has unsynced records"]);
}

#[test]
fn a_deletion_before_the_edit_is_synced_is_a_breach() {
    let found = breaches(|storage| {
        drop(storage.create(FileName::Table(9))?);
        storage.create(FileName::Manifest(2))?.append(b"edit")?;
        storage.delete(FileName::Table(9))
    });
    assert_eq!(found, ["delete 000009.sst: MANIFEST-000002 is not durable yet"]);
}

/// A log with a header under watch, and its watcher.
fn log_whose_next_sync_fails() -> (Arc<OrderWatcher>, Arc<dyn File>) {
    let faulty = FaultStorage::over_memory(&MemoryStorage::new());
    let (order, storage) = OrderWatcher::over(Arc::new(faulty.clone()));
    let wal = storage.create(WAL).unwrap();
    storage.sync_directory().unwrap();
    wal.append(b"header").unwrap();
    faulty.inject(Fault::SyncError, 1, false);
    (order, wal)
}

#[test]
fn going_on_after_a_failed_sync_is_a_breach() {
    let (order, wal) = log_whose_next_sync_fails();
    assert!(wal.sync().is_err());
    wal.append(b"more").unwrap();
    wal.sync().unwrap();
    let reason = "an earlier write or sync of it failed";
    let wanted = [format!("append 000001.wal 4: {reason}"), format!("sync 000001.wal: {reason}")];
    assert_eq!(order.breaches(), wanted);
}

#[test]
fn a_write_that_began_before_another_thread_failed_to_sync_is_no_breach() {
    let (order, wal) = log_whose_next_sync_fails();
    std::thread::scope(|scope| scope.spawn(|| assert!(wal.sync().is_err())).join()).unwrap();
    wal.append(b"under way").unwrap();
    assert!(order.breaches().is_empty(), "{:?}", order.breaches());
    wal.append(b"the next").unwrap();
    let wanted = ["append 000001.wal 8: an earlier write or sync of it failed"];
    assert_eq!(order.breaches(), wanted);
}

/// A manifest that adds table 9 to L1.
fn manifest_with_table() -> Vec<u8> {
    let claim = TableClaim {
        numbers: [1, 1, 9, 100, 1, 0, 1, 1, 1],
        smallest: internal_key(b"k", 1, 1),
        largest: internal_key(b"k", 1, 1),
    };
    let (body, tables) = EditForge::snapshot(1, 10, 1).added(&claim).finish();
    LogForge::manifest(2).record(RecordFields::edit(1, tables), &body).finish()
}

#[test]
fn an_edit_that_adds_an_unsynced_table_is_a_breach() {
    for (sync, sync_directory) in [(false, true), (true, false), (true, true)] {
        let found = breaches(|storage| {
            let table = storage.create(FileName::Table(9))?;
            if sync_directory {
                storage.sync_directory()?;
            }
            table.append(b"entries")?;
            if sync {
                table.sync()?;
            }
            storage.create(FileName::Manifest(2))?.append(&manifest_with_table())
        });
        let early = "append MANIFEST-000002: it adds 000009.sst, not yet durable".to_owned();
        let expected = if sync && sync_directory { vec![] } else { vec![early] };
        assert_eq!(found, expected, "synced: {sync}, directory: {sync_directory}");
    }
}

#[test]
fn an_edit_that_names_a_nameless_log_is_a_breach() {
    for sync_directory in [false, true] {
        let found = breaches(|storage| {
            let table = storage.create(FileName::Table(9))?;
            table.sync()?;
            storage.sync_directory()?;
            storage.create(WAL)?.append(b"header")?;
            if sync_directory {
                storage.sync_directory()?;
            }
            storage.create(FileName::Manifest(2))?.append(&manifest_with_table())
        });
        let early = "append MANIFEST-000002: it names 000001.wal, not yet durable".to_owned();
        let expected = if sync_directory { vec![] } else { vec![early] };
        assert_eq!(found, expected, "directory: {sync_directory}");
    }
}

#[test]
fn deleting_a_file_that_the_manifest_names_is_a_breach() {
    let found = breaches(|storage| {
        drop(storage.create(FileName::Table(9))?);
        let wal = storage.create(WAL)?;
        storage.sync_directory()?;
        wal.append(b"header")?;
        wal.append(b"record")?;
        let manifest = storage.create(FileName::Manifest(2))?;
        manifest.append(&manifest_with_table())?;
        manifest.sync()?;
        storage.delete(FileName::Table(9))?;
        storage.delete(WAL)
    });
    let expected =
        ["delete 000009.sst: the manifest names it", "delete 000001.wal: the manifest needs it"];
    assert_eq!(found, expected);
}
