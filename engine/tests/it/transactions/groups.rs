//! Transactions in a group: they share its sync and its failure, and are checked against one another.

use super::*;
use crate::group::{GatedStorage, WRITERS, options, write_together};
use levelscope::storage::FileName;
use levelscope::{Result, ScanOptions};
use std::sync::Mutex;

fn gated() -> (GatedStorage, Db) {
    let storage = GatedStorage::default();
    let db = open_watched(Arc::new(storage.clone()), options(), None).unwrap();
    (storage, db)
}

/// Runs `round` until its writers have met in one group.
fn until_they_meet(mut round: impl FnMut() -> bool) {
    assert!((0..100).any(|_| round()), "{WRITERS} writers never shared a sync");
}

#[test]
fn commits_that_wait_share_one_sync() {
    type Commit = fn(&Db, Vec<u8>) -> Result<u64>;
    let commits: [Commit; 4] = [
        |db, key| {
            let mut own = db.begin(&SNAPSHOT);
            own.put(key, b"")?;
            own.commit(None)
        },
        |db, key| {
            let mut own = db.begin(&SERIALIZABLE);
            own.get(&key)?;
            own.put(key, b"")?;
            own.commit(None)
        },
        |db, key| db.transact(|own| own.put(&key, b"")).map(|()| 0),
        |db, key| db.update(key, |_| Some(Vec::new())).map(|_| 0),
    ];
    for commit in commits {
        until_they_meet(|| {
            let (storage, db) = gated();
            let outcomes =
                write_together(&storage.gate, false, |writer| commit(&db, vec![writer as u8]));
            assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
            assert_eq!(db.stats().transactions_committed, WRITERS as u64);
            let image = storage.disk.crash_image(levelscope::storage::Crash::KeepSynced);
            let reopened = open_watched(Arc::new(image), options(), None).unwrap();
            assert_eq!(contents(&reopened).unwrap().len(), WRITERS, "all of them are durable");
            db.stats().wal_syncs == 2
        });
    }
}

/// The work of a transaction.
type Work = fn(&mut Transaction) -> Result<()>;

fn scan(own: &Transaction) -> Result<()> {
    let mut iterator = own.iter(&ScanOptions::default())?;
    iterator.seek_to_first()?;
    while iterator.valid() {
        iterator.next()?;
    }
    Ok(())
}

/// Both wait for the same sync, and neither sees the other's writes.
#[test]
fn of_two_conflicting_members_of_a_group_one_commits() {
    let put: Work = |own| own.put(b"k", b"1");
    let delete: Work = |own| own.delete(b"k");
    let delete_range: Work = |own| own.delete_range(&b"j"[..]..&b"l"[..]);
    let delete_from: Work = |own| own.delete_range(&b"a"[..]..);
    let read_k: Work = |own| {
        own.get(b"k")?;
        own.put(b"x", b"")
    };
    let read_x: Work = |own| {
        own.get(b"x")?;
        own.put(b"k", b"")
    };
    let scan_for_y: Work = |own| scan(own).and_then(|()| own.put(b"y", b""));
    let scan_for_z: Work = |own| scan(own).and_then(|()| own.delete_range(&b"z"[..]..));
    // The last: whether the snapshot level lets both commit.
    let pairs: [(Work, Work, bool); 8] = [
        (put, put, false),
        (put, delete, false),
        (put, delete_range, false),
        (delete_range, delete_range, false),
        (delete_from, delete, false),
        (read_k, read_x, true),
        (scan_for_y, scan_for_y, false),
        (scan_for_z, scan_for_y, true),
    ];
    for (index, (one, other, skew)) in pairs.into_iter().enumerate() {
        for level in BOTH {
            let both = skew && level.isolation == Isolation::Snapshot;
            until_they_meet(|| {
                let (storage, db) = gated();
                let pair = Mutex::new(vec![(db.begin(&level), one), (db.begin(&level), other)]);
                let outcomes = write_together(&storage.gate, false, |writer| {
                    if writer > 2 {
                        return Ok(0);
                    } else if writer == 0 {
                        return db.sync().map(|()| 0);
                    }
                    let (mut own, work) = pair.lock().unwrap().pop().unwrap();
                    work(&mut own)?;
                    let outcome = own.commit(None);
                    assert!(own.has_ended());
                    outcome
                });
                let lost: Vec<_> =
                    outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
                let context = format!("pair {index}, {level:?}: {outcomes:?}");
                assert!(lost.iter().all(|error| error.kind() == ErrorKind::Conflict), "{context}");
                assert!(db.view().transactions.is_empty(), "{context}");
                assert_eq!(lost.len(), usize::from(!both), "{context}");
                db.stats().wal_syncs == 2
            });
        }
    }
}

/// A write of no transaction comes first or last in the group; it never has a conflict.
#[test]
fn a_batch_in_the_group_counts_as_another_writer() {
    let mut lost = 0;
    until_they_meet(|| {
        let (storage, db) = gated();
        let own = Mutex::new(Some(db.begin(&SNAPSHOT)));
        let outcomes = write_together(&storage.gate, false, |writer| match writer {
            0 => db.put(b"first", b""),
            1 => db.delete_prefix(b"k"),
            2 => {
                // It queues after the batch.
                std::thread::sleep(std::time::Duration::from_millis(5));
                let mut own = own.lock().unwrap().take().unwrap();
                own.put(b"k", b"mine")?;
                own.commit(None).map(drop)
            }
            _ => Ok(()),
        });
        assert!(outcomes[0].is_ok() && outcomes[1].is_ok(), "{outcomes:?}");
        let there = text(db.get(b"k").unwrap());
        match &outcomes[2] {
            Ok(()) => assert_eq!(there, None, "the batch came later"),
            Err(error) => {
                lost += 1;
                let message = error.to_string();
                assert!(
                    message.starts_with("the key \"k\", which this transaction writes"),
                    "{message}"
                );
                assert!(message.contains("with sequence number 2 after"), "{message}");
                assert_eq!((error.kind(), there), (ErrorKind::Conflict, None));
            }
        }
        lost > 0 && db.stats().wal_syncs == 2
    });
}

#[test]
fn a_failing_sync_fails_every_transaction_of_the_group() {
    until_they_meet(|| {
        let (storage, db) = gated();
        let outcomes = write_together(&storage.gate, true, |writer| {
            let mut own = db.begin(&BOTH[writer % 2]);
            own.put([b'a', writer as u8], b"")?;
            own.put([b'b', writer as u8], b"")?;
            let outcome = own.commit(None);
            Ok((outcome, own.has_ended()))
        });
        let mut in_group = 0;
        for outcome in outcomes.into_iter().skip(1) {
            let (outcome, ended) = outcome.unwrap();
            let kind = outcome.unwrap_err().kind();
            assert!(matches!(kind, ErrorKind::Io | ErrorKind::ReadOnly), "{kind:?}");
            in_group += usize::from(ended);
        }
        assert_eq!(contents(&db).unwrap().len(), 2, "those of the group are never visible");
        // After reopening each is there whole or not at all.
        let reopened = open_watched(Arc::new(storage.disk.fork()), options(), None).unwrap();
        let found = contents(&reopened).unwrap();
        for writer in 0..WRITERS as u8 {
            let there = [b'a', b'b'].map(|key| found.contains_key(&[key, writer][..]));
            assert_eq!(there[0], there[1]);
        }
        in_group > 1
    });
}

/// An attempt that reads while another write of its key is on its way loses to it.
#[test]
fn an_attempt_after_a_conflict_waits_for_the_write_under_way() {
    let (storage, db) = gated();
    let mut read = Vec::new();
    std::thread::scope(|scope| {
        let written = db.update("k", |old| {
            read.push(old.map(<[u8]>::to_vec));
            if read.len() == 1 {
                db.put("k", "1").unwrap();
                storage.gate.set(true, false);
                scope.spawn(|| db.put("k", "2").unwrap());
                storage.gate.wait_for_a_waiter();
                scope.spawn(|| {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    storage.gate.set(false, false);
                });
            }
            Some(b"3".to_vec())
        });
        written.unwrap();
    });
    assert_eq!(read, [None, Some(b"2".to_vec())], "it has read twice");
}

/// A sync leaves its proof to the record that follows. A transaction that waits then may have a conflict, and write none.
#[test]
fn a_sync_before_a_conflict_is_proved_all_the_same() {
    let (storage, db) = gated();
    db.write(&batch(b"first"), Some(false)).unwrap();
    let mut own = db.begin(&SNAPSHOT);
    own.put(b"k", b"mine").unwrap();
    std::thread::scope(|scope| {
        storage.gate.set(true, false);
        scope.spawn(|| db.write(&batch(b"k"), Some(true)).unwrap());
        storage.gate.wait_for_a_waiter();
        let lost = scope.spawn(|| own.commit(Some(true)).unwrap_err());
        // It waits for the writer.
        std::thread::sleep(std::time::Duration::from_millis(50));
        storage.gate.set(false, false);
        assert_eq!(lost.join().unwrap().kind(), ErrorKind::Conflict);
    });
    let image = storage.disk.fork();
    let names = image.list().unwrap();
    let is_log = |name: &&String| matches!(FileName::parse(name), Some(FileName::Wal(_)));
    let name = names.iter().find(is_log).unwrap();
    let mut log = image.read(FileName::parse(name).unwrap()).unwrap();
    let at = log.windows(5).position(|bytes| bytes == b"first").unwrap();
    log[at] ^= 1;
    image.put(name, &log);
    let opened = open_watched(Arc::new(image), options(), None).map(drop);
    let refused = opened.expect_err("it was durable");
    assert_eq!(refused.kind(), ErrorKind::Corruption);
}

fn batch(key: &[u8]) -> WriteBatch {
    let mut batch = WriteBatch::new();
    batch.put(key, b"").unwrap();
    batch
}
