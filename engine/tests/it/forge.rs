//! The forges and the rewriter themselves: they make the same bytes as the engine.

use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableForge, database, internal_key, put_entry,
};
use levelscope::testing::rewrite::{number_fields, patch, repair};
use levelscope::{Compression, Maintenance, Options};
use std::sync::Arc;

/// A closed database with a log, tables in two levels and a manifest of several edits.
fn written(compression: Compression) -> MemoryStorage {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let options = Options::default()
        .memtable_bytes(1024)
        .block_bytes(128)
        .l0_trigger(2)
        .maintenance(Maintenance::Inline)
        .compression(compression);
    let db = open(&storage, &options);
    for index in 0..60 {
        db.put(format!("key{index:03}").as_bytes(), [b'v'; 30]).unwrap();
    }
    drop(db);
    disk
}

fn names(disk: &MemoryStorage) -> Vec<FileName> {
    let names = disk.list().unwrap();
    names
        .iter()
        .filter_map(|name| FileName::parse(name))
        .filter(|name| *name != FileName::Lock)
        .collect()
}

#[test]
fn repairing_a_sound_file_changes_nothing() {
    for compression in [Compression::None, Compression::Snappy] {
        let disk = written(compression);
        for name in names(&disk) {
            let good = disk.read(name).unwrap();
            let mut repaired = good.clone();
            repair(name, &mut repaired);
            assert!(repaired == good, "{name}");
        }
    }
}

#[test]
fn a_patched_field_has_right_checksums() {
    let disk = written(Compression::None);
    for name in names(&disk) {
        let good = disk.read(name).unwrap();
        let mut fields = number_fields(name, &good);
        // A slot that was never written has no checksum.
        if name == FileName::Current {
            fields.retain(|field| good[field.offset] != 0);
        }
        assert!(fields.len() >= 3, "{name} has more fields: {fields:?}");
        for field in fields {
            let old = &good[field.offset..field.offset + field.bytes];
            let unchanged = patch(name, &good, field.offset, old);
            assert!(unchanged == good, "{name}, {}", field.name);
            let changed = patch(name, &good, field.offset, &[old[0] ^ 1]);
            let differing = changed.iter().zip(&good).filter(|(new, old)| new != old).count();
            assert!((2..=9).contains(&differing), "{name}, {}: {differing} bytes", field.name);
        }
    }
}

#[test]
fn a_forged_database_is_one() {
    let mut table = TableForge::new(5);
    let entries = [(b"apple", 3, &b"red"[..]), (b"peach", 2, b"pink")];
    let block = entries.iter().fold(BlockForge::default(), |block, (key, sequence, value)| {
        block.restart().entry(0, &internal_key(*key, *sequence, 1), value)
    });
    table.data(&internal_key(b"peach", 2, 1), &block.finish(), 0);
    table.claim([2, 0, 2, 3], b"apple", b"peach");
    let (file, claim) = table.finish();
    let log = LogForge::wal(6)
        .record(RecordFields::batch(4, 1), &put_entry(b"plum", b"blue"))
        .record(RecordFields { kind: 2, ..RecordFields::batch(5, 0) }, b"")
        .finish();
    let edits = vec![EditForge::snapshot(6, 7, 3), EditForge::default().added(&claim)];
    let disk = database(edits, &[(FileName::Table(5), file), (FileName::Wal(6), log)]);
    let storage: Arc<dyn Storage> = Arc::new(disk);
    let db = open(&storage, &Options::default());
    assert_eq!(db.get(b"apple").unwrap().unwrap(), b"red");
    assert_eq!(db.get(b"peach").unwrap().unwrap(), b"pink");
    assert_eq!(db.get(b"plum").unwrap().unwrap(), b"blue");
    assert_eq!(db.check().unwrap().problems(), Vec::<String>::new());
}
