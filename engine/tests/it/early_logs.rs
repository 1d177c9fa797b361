//! Logs that get their clean end while writes go on in the next one: both after crashes.

use crate::common::*;
use crate::held::{HeldSyncs, wait_until};
use levelscope::event::{Grain, Recorder};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::view::View;
use levelscope::{Check, Db, ErrorKind, Maintenance, Options, RepairOptions, WalSync, repair};
use std::sync::Arc;
use std::time::Duration;

fn options() -> Options {
    Options::default()
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(1))
        // No memtable is flushed, so that every log stays.
        .flush_trigger_bytes(1 << 30)
        .immutable_count_max(64)
}

/// A database in the middle: `a` is durable, and `b` is in a log whose end is held back while `c` is in the next one.
fn in_between(disk: &MemoryStorage) -> (Arc<HeldSyncs>, Db) {
    let is_held = |name| matches!(name, FileName::Wal(_));
    let (held, storage) = HeldSyncs::over(Arc::new(disk.clone()), is_held);
    let db = open_watched(storage, options(), None).unwrap();
    db.put("a", "value").unwrap();
    db.sync().unwrap();
    db.put("b", "value").unwrap();
    held.hold();
    assert!(db.rotate().unwrap(), "a rotation does not wait for the end of the old log");
    db.put("c", "value").unwrap();
    (held, db)
}

fn reopened(image: &MemoryStorage) -> levelscope::Result<String> {
    let manual = options().maintenance(Maintenance::Manual);
    let db = open_watched(Arc::new(image.clone()), manual, None)?;
    assert!(db.check()?.problems().is_empty());
    let keys = contents(&db)?.into_keys().flatten().collect();
    Ok(String::from_utf8(keys).unwrap())
}

fn logs(disk: &MemoryStorage) -> Vec<FileName> {
    let names = disk.list().unwrap();
    let mut logs: Vec<FileName> = names.iter().filter_map(|name| FileName::parse(name)).collect();
    logs.retain(|name| matches!(name, FileName::Wal(_)));
    logs.sort_unstable();
    logs
}

/// How many keys a repair saves of `image` when its manifest is lost.
fn repaired_without_manifest(image: &MemoryStorage) -> usize {
    for name in image.list().unwrap() {
        let name = FileName::parse(&name).unwrap();
        if matches!(name, FileName::Manifest(_) | FileName::Current) {
            image.delete(name).unwrap();
        }
    }
    let repaired: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let source = Arc::new(image.fork());
    repair(source, Arc::clone(&repaired), &RepairOptions::default()).unwrap();
    contents(&open(&repaired, &Options::default())).unwrap().len()
}

/// The disk with a bit of the last record of the log before the newest one flipped.
fn with_damage_in_the_old_log(disk: &MemoryStorage, from_end: usize) -> MemoryStorage {
    let image = disk.fork();
    let logs = logs(&image);
    let old = logs[logs.len() - 2];
    let mut bytes = image.read(old).unwrap();
    let at = bytes.len() - from_end;
    bytes[at] ^= 1;
    image.put(&old.to_string(), &bytes);
    image
}

#[test]
fn a_killed_process_loses_nothing() {
    let disk = MemoryStorage::new();
    let (held, db) = in_between(&disk);
    let image = disk.crash_image(Crash::KeepAll);
    assert_eq!(reopened(&image).unwrap(), "abc");
    let reader = Db::builder().read_only().open_in(Arc::new(disk.fork())).unwrap();
    assert_eq!(contents(&reader).unwrap().len(), 3, "a reader sees all of it meanwhile");
    assert!(db.check().unwrap().problems().is_empty());
    held.release();
}

#[test]
fn a_loss_of_power_leaves_no_hole() {
    let disk = MemoryStorage::new();
    let (held, db) = in_between(&disk);
    assert_eq!(reopened(&disk.crash_image(Crash::KeepSynced)).unwrap(), "a");
    let mut cut_off = 0;
    for seed in 0..400 {
        let image = disk.crash_image(Crash::Random(seed));
        let newest = logs(&image).pop().unwrap();
        let has_newest = logs(&image).len() == logs(&disk).len();
        let is_used = has_newest && image.read(newest).unwrap().iter().any(|byte| *byte != 0);
        let found = Check::new(Arc::new(image.fork())).unwrap().run().unwrap();
        assert!(found.problems().is_empty(), "seed {seed}: {:?}", found.problems());
        let repaired: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let source = Arc::new(image.fork());
        let report = repair(source, Arc::clone(&repaired), &RepairOptions::default()).unwrap();
        assert!(report.is_complete(), "seed {seed}: {report:?}");
        let saved = contents(&open(&repaired, &Options::default())).unwrap().len();
        let image_before = image.fork();
        let keys = reopened(&image).unwrap();
        assert!(["a", "ab", "abc"].contains(&keys.as_str()), "seed {seed}: {keys}");
        assert_eq!(saved, keys.len(), "seed {seed}: a repair saves the same");
        let saved = repaired_without_manifest(&image_before);
        assert_eq!(saved, keys.len(), "seed {seed}: also without a manifest");
        // A decision of opening stays, also when opening has no time to do more.
        let again = image.crash_image(Crash::Random(seed));
        assert_eq!(reopened(&again).unwrap(), keys, "seed {seed}");
        cut_off += usize::from(is_used && keys == "a");
    }
    assert!(cut_off > 15, "{cut_off} images had a newest log of which nothing counts");
    held.release();
    db.sync().unwrap();
    assert_eq!(reopened(&disk.crash_image(Crash::KeepSynced)).unwrap(), "abc");
}

#[test]
fn a_sync_waits_for_the_end_of_the_log_before() {
    let disk = MemoryStorage::new();
    let (held, db) = in_between(&disk);
    std::thread::scope(|scope| {
        let synced = scope.spawn(|| db.sync());
        std::thread::sleep(Duration::from_millis(30));
        assert!(!synced.is_finished());
        held.release();
        synced.join().unwrap().unwrap();
    });
    assert_eq!(reopened(&disk.crash_image(Crash::KeepSynced)).unwrap(), "abc");
}

#[test]
fn damage_counts_as_such_once_the_next_log_records_the_end_of_the_old_one() {
    let disk = MemoryStorage::new();
    let (held, db) = in_between(&disk);
    // Nothing proves so far that the last record of the old log was durable.
    let torn = with_damage_in_the_old_log(&disk, 1);
    assert_eq!(reopened(&torn).unwrap(), "a");
    held.release();
    db.sync().unwrap();
    db.put("d", "value").unwrap();
    assert_eq!(reopened(&disk.fork()).unwrap(), "abcd");
    for from_end in [1, 33] {
        let error = reopened(&with_damage_in_the_old_log(&disk, from_end)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
        assert!(matches!(error.file(), Some(FileName::Wal(_))), "{error}");
    }
}

#[test]
fn a_repair_reports_a_hole_before_a_log_that_was_begun_early() {
    let disk = MemoryStorage::new();
    let (held, _db) = in_between(&disk);
    // The record of `a`, which that of `b` proves to have been durable.
    let source = Arc::new(with_damage_in_the_old_log(&disk, 60));
    let target: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let report = repair(source, Arc::clone(&target), &RepairOptions::default()).unwrap();
    assert!(report.holes && report.losses.len() == 1, "{report:?}");
    let saved = contents(&open(&target, &Options::default())).unwrap();
    assert_eq!(saved.into_keys().collect::<Vec<_>>(), [b"c"]);
    held.release();
}

/// The view that the events of a database lead to.
struct FollowedView {
    recorder: Arc<Recorder>,
    view: View,
}

impl FollowedView {
    /// Opens a database whose events are heard.
    fn open(storage: Arc<dyn Storage>, options: Options) -> (Self, Db) {
        let recorder = Arc::new(Recorder::new(10_000, Grain::Phase));
        let db = open_watched(storage, options, Some(Arc::clone(&recorder) as _)).unwrap();
        (Self { recorder, view: View::default() }, db)
    }

    fn compare(&mut self, db: &Db, context: &str) {
        self.recorder.drain().0.iter().for_each(|event| self.view.follow(event));
        assert_eq!(self.view.wals, db.view().wals, "{context}");
    }
}

#[test]
fn events_lead_to_the_view_when_an_end_fails() {
    // The records, and then the clean end.
    for failing_sync in [1, 2] {
        let failing = FaultStorage::over_memory(&MemoryStorage::new());
        let (mut followed, db) = FollowedView::open(Arc::new(failing.clone()), options());
        db.put("a", "value").unwrap();
        db.sync().unwrap();
        db.put("b", "value").unwrap();
        failing.inject(Fault::SyncError, failing_sync, false);
        // The log's own thread may be faster than the writer.
        let _ = db.rotate();
        wait_until("the failure", || db.view().read_only.is_some());
        drop(db.close());
        followed.compare(&db, &format!("sync {failing_sync}"));
    }
}

#[test]
fn events_lead_to_the_view_when_the_directory_cannot_be_synced() {
    let failing = FaultStorage::over_memory(&MemoryStorage::new());
    let (mut followed, db) = FollowedView::open(Arc::new(failing.clone()), options());
    db.put("a", "value").unwrap();
    db.rotate().unwrap();
    wait_until("the end of the log", || db.view().wals.iter().any(|log| log.closed));
    // The record is appended, and then the directory synced.
    failing.inject(Fault::Io, 2, false);
    let mut batch = levelscope::WriteBatch::new();
    batch.put("b", "value").unwrap();
    db.write(&batch, Some(true)).unwrap_err();
    followed.compare(&db, "the name of the new log is not durable");
}

#[test]
fn the_next_write_records_that_the_old_log_has_ended() {
    let disk = MemoryStorage::new();
    let (held, db) = in_between(&disk);
    held.release();
    wait_until("the end of the log", || db.view().wals.iter().any(|log| log.closed));
    let before = disk.fork();
    db.put("d", "value").unwrap();
    assert_eq!(reopened(&before).unwrap(), "abc", "the clean end is enough");
    assert_eq!(reopened(&disk.fork()).unwrap(), "abcd");
    let newest = logs(&disk).pop().unwrap();
    let length = |disk: &MemoryStorage| disk.read(newest).unwrap().len();
    db.put("e", "value").unwrap();
    let record = length(&disk) - length(&before);
    assert_eq!(record % 2, 0);
    assert!(record > 32, "the first record after the end records it");
    let error = reopened(&with_damage_in_the_old_log(&disk, 33)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
}

#[test]
fn events_lead_to_the_view_of_both_logs() {
    for wal_buffer_bytes in [0, 64 << 10] {
        let is_held = |name| matches!(name, FileName::Wal(_));
        let (held, storage) = HeldSyncs::over(Arc::new(MemoryStorage::new()), is_held);
        let (mut followed, db) =
            FollowedView::open(storage, options().wal_buffer_bytes(wal_buffer_bytes));
        let mut compare = |db: &Db, context: &str| {
            followed.compare(db, &format!("{context}, buffer {wal_buffer_bytes}"));
        };
        for round in 0..3 {
            db.put("a", "value").unwrap();
            held.hold();
            db.rotate().unwrap();
            compare(&db, "after a rotation");
            db.put("b", "value").unwrap();
            compare(&db, "before the end");
            held.release();
            let closed = || db.view().wals.iter().filter(|log| log.closed).count();
            wait_until("the end of the log", || closed() > round);
            compare(&db, "after the end");
            db.put("c", "value").unwrap();
            compare(&db, "after the record of the end");
        }
        db.sync().unwrap();
        compare(&db, "after a sync");
    }
}

#[test]
fn an_old_log_that_cannot_be_synced_ends_all_writes() {
    let disk = MemoryStorage::new();
    let failing = FaultStorage::over_memory(&disk);
    let db = open_watched(Arc::new(failing.clone()), options(), None).unwrap();
    db.put("a", "value").unwrap();
    db.sync().unwrap();
    db.put("b", "value").unwrap();
    failing.inject(Fault::SyncError, 1, false);
    // The log's own thread may be faster than the writer.
    let _ = db.rotate();
    let refused = (0..10_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(1));
        db.put("c", "value").err()
    });
    assert_eq!(refused.unwrap().kind(), ErrorKind::ReadOnly);
    assert_eq!(db.sync().unwrap_err().kind(), ErrorKind::ReadOnly);
    drop(db);
    let keys = reopened(&disk.crash_image(Crash::KeepSynced)).unwrap();
    assert_eq!(keys, "a");
}
