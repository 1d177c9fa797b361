//! The other scripts: each shows one thing that the engine does, in the order in which it does it.

use super::{Grain, Session};
use levelscope::storage::Crash;
use levelscope::storage::fault::Fault;
use levelscope::{Options, ScanOptions, WalSync, WriteBatch};

/// A session whose options `change` has changed.
fn session(change: impl FnOnce(&mut Options)) -> Session {
    let mut options = Options::preset("classroom").unwrap();
    change(&mut options);
    Session::with(Grain::Phase, options)
}

fn plain() -> Session {
    session(|_| {})
}

/// Values that fill a table of the classroom.
const LONG: &str = "a value of some length, so that few of them fill a memtable and a table";

#[test]
fn a_batch_is_one_record() {
    let session = plain();
    session.command("batch put a, delete b, put c");
    let mut batch = WriteBatch::new();
    batch.put(b"a", b"1").unwrap();
    batch.delete(b"b").unwrap();
    batch.put(b"c", b"3").unwrap();
    session.db().write(&batch, None).unwrap();
    session.check("a_batch_is_one_record.txt");
}

#[test]
fn unsynced_writes_and_a_sync() {
    let session = session(|options| options.wal_sync = WalSync::None);
    session.put("a", "1");
    session.put("b", "2");
    session.command("sync");
    session.db().sync().unwrap();
    session.put("c", "3");
    session.check("unsynced_writes_and_a_sync.txt");
}

#[test]
fn a_full_memtable_rotates() {
    let session = plain();
    for index in 0..12 {
        session.put(&format!("key{index:02}"), LONG);
    }
    session.check("a_full_memtable_rotates.txt");
}

#[test]
fn writes_wait_for_a_flush() {
    let session = session(|options| options.immutable_count_max = 1);
    for index in 0..22 {
        session.put(&format!("key{index:02}"), LONG);
    }
    session.check("writes_wait_for_a_flush.txt");
}

#[test]
fn two_memtables_are_flushed_in_order() {
    let session = plain();
    session.put("a", "older");
    session.rotate();
    session.put("a", "newer");
    session.flush();
    session.check("two_memtables_are_flushed_in_order.txt");
}

#[test]
fn a_table_moves_without_being_written() {
    let session = session(|options| options.l0_trigger = 1);
    session.put("a", "1");
    session.flush();
    session.check("a_table_moves_without_being_written.txt");
}

#[test]
fn an_output_is_cut_into_several_tables() {
    let session = session(|options| options.table_bytes = 256);
    for round in ["first", "second"] {
        for index in 0..6 {
            session.put(&format!("key{index}"), &format!("{round} {LONG}"));
        }
        session.flush();
    }
    session.check("an_output_is_cut_into_several_tables.txt");
}

#[test]
fn a_tombstone_stays_above_deeper_data() {
    let session = plain();
    session.put("a", "1");
    session.flush();
    session.compact(0);
    session.compact(1);
    session.delete("a");
    session.flush();
    session.compact(0);
    session.check("a_tombstone_stays_above_deeper_data.txt");
}

#[test]
fn a_compaction_that_leaves_nothing() {
    let session = plain();
    session.put("a", "1");
    session.flush();
    session.delete("a");
    session.flush();
    session.check("a_compaction_that_leaves_nothing.txt");
}

#[test]
fn a_snapshot_keeps_a_version() {
    let session = plain();
    session.put("a", "1");
    let snapshot = session.db().snapshot();
    session.put("a", "2");
    session.flush();
    session.compact(0);
    drop(snapshot);
    session.compact(1);
    session.check("a_snapshot_keeps_a_version.txt");
}

#[test]
fn an_iterator_keeps_files() {
    let session = plain();
    session.put("a", "1");
    session.flush();
    session.command("iterate");
    let iterator = session.db().iter(&ScanOptions::default()).unwrap();
    session.compact(0);
    session.put("a", "2");
    session.flush();
    session.compact(0);
    session.command("end of the iteration");
    drop(iterator);
    session.put("a", "3");
    session.flush();
    session.compact(0);
    session.check("an_iterator_keeps_files.txt");
}

#[test]
fn killed_and_opened_again() {
    let mut session = plain();
    session.put("a", "1");
    session.put("b", "2");
    session.kill(Crash::KeepAll);
    session.open();
    session.check("killed_and_opened_again.txt");
}

#[test]
fn power_lost_before_a_sync() {
    let mut session = session(|options| options.wal_sync = WalSync::None);
    session.put("a", "1");
    session.command("sync");
    session.db().sync().unwrap();
    session.put("b", "lost");
    session.kill(Crash::KeepSynced);
    session.open();
    session.check("power_lost_before_a_sync.txt");
}

#[test]
fn killed_twice() {
    let mut session = plain();
    session.put("a", "1");
    session.kill(Crash::KeepAll);
    session.open();
    session.put("b", "2");
    session.kill(Crash::KeepAll);
    session.open();
    session.run();
    session.check("killed_twice.txt");
}

#[test]
fn killed_in_a_flush() {
    let mut session = plain();
    session.put("a", "1");
    session.begin_flush(4);
    session.kill(Crash::KeepAll);
    session.open();
    session.run();
    session.check("killed_in_a_flush.txt");
}

#[test]
fn killed_between_edit_and_deletion() {
    let mut session = plain();
    session.put("a", "1");
    session.begin_flush(10);
    session.kill(Crash::KeepSynced);
    session.open();
    session.check("killed_between_edit_and_deletion.txt");
}

#[test]
fn a_failed_sync_of_the_log() {
    let mut session = plain();
    session.put("a", "1");
    session.fail(Fault::SyncError, 1);
    session.try_put("b", "2");
    session.try_put("c", "3");
    session.close();
    session.open();
    session.check("a_failed_sync_of_the_log.txt");
}

#[test]
fn a_failed_sync_of_the_manifest() {
    let mut session = plain();
    session.put("a", "1");
    session.begin_flush(8);
    session.fail(Fault::LateSyncError, 1);
    session.try_run();
    session.close();
    session.open();
    session.check("a_failed_sync_of_the_manifest.txt");
}

#[test]
fn a_full_disk_in_a_flush() {
    let mut session = plain();
    session.put("a", "1");
    session.begin_flush(1);
    session.fail(Fault::OutOfSpace, 2);
    session.try_run();
    session.close();
    session.open();
    session.run();
    session.check("a_full_disk_in_a_flush.txt");
}

#[test]
fn data_in_every_level_is_found_again() {
    let mut session = plain();
    for depth in (0..3).rev() {
        session.put(&format!("key{depth}"), LONG);
        session.flush();
        (0..depth).for_each(|level| session.compact(level));
    }
    session.close();
    session.open();
    session.check("data_in_every_level_is_found_again.txt");
}

#[test]
fn a_manifest_that_grew_is_written_anew() {
    let session = session(|options| options.manifest_bytes = 64);
    for index in 0..8 {
        session.put(&format!("key{index}"), LONG);
        session.flush();
    }
    session.check("a_manifest_that_grew_is_written_anew.txt");
}

#[test]
fn closing_with_everything_waiting() {
    let mut session = plain();
    session.put("a", "1");
    session.rotate();
    session.put("b", "2");
    session.close();
    session.open();
    session.run();
    session.check("closing_with_everything_waiting.txt");
}
