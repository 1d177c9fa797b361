//! Syncs ahead of need: when a log asks for one, and the effect of one that fails.

use super::failure::Failing;
use super::*;
use crate::wal::{AheadSyncs, AheadWork};
use std::sync::Arc;

/// A log on `storage` that is synced ahead by calls of `next`.
fn log(storage: &Failing) -> (WalWriter, Arc<AheadSyncs>) {
    let syncs = Arc::new(AheadSyncs::default());
    let writer = WalWriter::create(storage, NUMBER).unwrap().synced_ahead(Some(Arc::clone(&syncs)));
    (writer, syncs)
}

/// Does the waiting work; `None` when there is nothing any more.
fn work(syncs: &AheadSyncs) -> Option<Result<()>> {
    Some(match syncs.next()? {
        AheadWork::Sync(file) => file.sync(),
        AheadWork::End(log) => log.end(|_, _, _| {}),
    })
}

/// Appends and writes a batch of 256 KiB.
fn write(writer: &mut WalWriter, sequence: SeqNo) -> Result<()> {
    let mut batch = WriteBatch::new();
    batch.put("key", vec![b'v'; 256 << 10]).unwrap();
    writer.append(sequence, 1, batch.body())?;
    writer.write()
}

#[test]
fn a_log_is_offered_whenever_a_mebibyte_has_gathered() {
    let storage = Failing::at(usize::MAX);
    let (mut writer, syncs) = log(&storage);
    for sequence in 1..=12 {
        write(&mut writer, sequence).unwrap();
        assert_eq!(syncs.waits(), sequence % 4 == 0, "after {sequence} batches");
        if syncs.waits() {
            let before = storage.calls();
            work(&syncs).unwrap().unwrap();
            assert_eq!(storage.calls(), before + 1, "one sync");
        }
    }
    assert_eq!((writer.durable_bytes(), writer.synced_records()), (0, 0), "nothing counts on them");
    write(&mut writer, 13).unwrap();
    writer.sync().unwrap();
    for sequence in 14..=16 {
        write(&mut writer, sequence).unwrap();
        assert!(!syncs.waits(), "a sync of the writer itself begins the count anew");
    }
    write(&mut writer, 17).unwrap();
    assert!(syncs.waits());
    syncs.end();
    assert!(work(&syncs).is_none());
}

#[test]
fn a_failed_sync_ahead_fails_every_later_sync() {
    // The header, four batches, and then the sync.
    let storage = Failing::at(5);
    let (mut writer, syncs) = log(&storage);
    (1..=4).for_each(|sequence| write(&mut writer, sequence).unwrap());
    assert_eq!(work(&syncs).unwrap().unwrap_err().kind(), ErrorKind::OutOfSpace);
    // The disk would answer that all is well now.
    assert_eq!(writer.sync().unwrap_err().kind(), ErrorKind::OutOfSpace);
    assert_eq!(write(&mut writer, 5).unwrap_err().kind(), ErrorKind::ReadOnly);
    assert_eq!(writer.close().unwrap_err().kind(), ErrorKind::ReadOnly);
}

#[test]
fn a_log_that_has_ended_is_not_synced_again() {
    let storage = Failing::at(usize::MAX);
    let (mut writer, syncs) = log(&storage);
    (1..=4).for_each(|sequence| write(&mut writer, sequence).unwrap());
    writer.close().unwrap();
    let before = storage.calls();
    assert!(syncs.waits(), "it was offered before");
    work(&syncs).unwrap().unwrap();
    assert_eq!(storage.calls(), before, "its file may be deleted by now");
}
