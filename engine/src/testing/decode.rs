//! One entry point for each decoder: it takes bytes, and may return an error but must not panic.
//!
//! Checksums are corrected before the bytes are read, so that the code after the checksum is reached. The
//! same entry points serve the mutation fuzzer of the tests and the coverage-guided targets in `fuzz/`.

use super::forge::{EditForge, LogForge, RecordFields, TableForge, database, slot};
use super::rewrite::repair;
use crate::batch;
use crate::filter::{Filter, hash};
use crate::inspect;
use crate::manifest::VersionEdit;
use crate::storage::{FileName, MemoryStorage, Storage};
use crate::table::{PREFIX_FILTER_NAME, PREFIX_INDEX_NAME};
use crate::{Check, Db, Maintenance, Options, ScanOptions};
use std::sync::Arc;

/// One decoder.
#[derive(Debug, Clone, Copy)]
pub struct Decoder {
    /// The input that it reads; also the name of its corpus.
    pub name: &'static str,
    /// Reads the bytes; panics are bugs, errors are not.
    pub run: fn(&[u8]),
}

/// All decoders.
pub const DECODERS: &[Decoder] = &[
    Decoder { name: "wal", run: wal },
    Decoder { name: "manifest", run: manifest },
    Decoder { name: "edit", run: edit },
    Decoder { name: "current", run: current },
    Decoder { name: "table", run: table },
    Decoder { name: "block", run: block },
    Decoder { name: "filter", run: filter },
    Decoder { name: "prefixes", run: prefixes },
    Decoder { name: "batch", run: batch },
    Decoder { name: "inspect", run: inspect },
];

const WAL: FileName = FileName::Wal(3);
const MANIFEST: FileName = FileName::Manifest(1);
const TABLE: FileName = FileName::Table(7);

/// Checks the database on the disk, opens it and reads all of it, in both directions.
fn read_all(disk: MemoryStorage) {
    // Before an opening, which may repair something.
    let _ = Check::new(Arc::new(disk.clone())).and_then(Check::run);
    let options =
        Options { maintenance: Maintenance::Manual, cache_bytes: 0, ..Options::default() };
    let Ok(db) = Db::builder().options(options).open_in(Arc::new(disk)) else { return };
    // Errors are answers; a scan of damaged data ends with one.
    let _ = scan(&db, false);
    let _ = scan(&db, true);
    for key in [&b""[..], b"key010", b"key0100", b"\xff\xff"] {
        let _ = db.get(key);
    }
    let _ = db.check();
    db.view();
}

fn scan(db: &Db, backward: bool) -> crate::Result<()> {
    let mut iterator = db.iter(&ScanOptions::default())?;
    if backward { iterator.seek_to_last() } else { iterator.seek_to_first() }?;
    while iterator.valid() {
        if backward { iterator.prev() } else { iterator.next() }?;
    }
    iterator.seek(b"key020")
}

fn repaired(name: FileName, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    repair(name, &mut bytes);
    bytes
}

/// A log: the newest one, and one whose end an earlier recovery has noted.
fn wal(bytes: &[u8]) {
    let log = repaired(WAL, bytes);
    let half = log.len() as u64 / 2;
    for edit in [EditForge::snapshot(3, 9, 0), EditForge::snapshot(3, 9, 0).sealed(3, half)] {
        read_all(database(vec![edit], &[(WAL, log.clone())]));
    }
}

/// A manifest that `CURRENT` names.
fn manifest(bytes: &[u8]) {
    let disk = database(Vec::new(), &[]);
    disk.put(&MANIFEST.to_string(), &repaired(MANIFEST, bytes));
    read_all(disk);
}

/// The body of a manifest record; one that can be read is written as it was.
fn edit(bytes: &[u8]) {
    if let Ok(edit) = VersionEdit::decode(bytes, MANIFEST, 0) {
        let again = VersionEdit::decode(&edit.encode(), MANIFEST, 0);
        assert!(again.as_ref() == Ok(&edit), "an edit changes when it is written again");
    }
    let (snapshot, tables) = EditForge::snapshot(3, 9, 0).finish();
    let log = LogForge::manifest(1).record(RecordFields::edit(1, tables), &snapshot);
    let count = u32::from(bytes.first().copied().unwrap_or(0));
    let disk = database(Vec::new(), &[]);
    disk.put(&MANIFEST.to_string(), &log.record(RecordFields::edit(2, count), bytes).finish());
    read_all(disk);
}

/// Both slots of `CURRENT`, beside a manifest that is sound.
fn current(bytes: &[u8]) {
    let disk = database(vec![EditForge::snapshot(3, 9, 0)], &[]);
    disk.put(&FileName::Current.to_string(), &repaired(FileName::Current, bytes));
    read_all(disk);
}

/// A whole table that the manifest describes as it describes itself, as far as it can be read.
fn table(bytes: &[u8]) {
    let file = repaired(TABLE, bytes);
    let mut forge = TableForge::new(7);
    forge.claim([1, 0, 1, 1000], b"", &[0xff; 9]);
    let (_, mut claim) = forge.finish();
    if let Some(length) = claim.numbers.get_mut(2) {
        *length = file.len() as u64;
    }
    let edit = EditForge::snapshot(3, 9, 1000).added(&claim);
    read_all(database(vec![edit], &[(TABLE, file)]));
}

/// A sound table around blocks that are not.
fn with_table(build: impl FnOnce(&mut TableForge)) {
    let mut forge = TableForge::new(7);
    build(&mut forge);
    forge.claim([1, 0, 1, 1000], b"", &[0xff; 9]);
    let (file, claim) = forge.finish();
    let edit = EditForge::snapshot(3, 9, 1000).added(&claim);
    read_all(database(vec![edit], &[(TABLE, file)]));
}

/// An index key after every user key of less than nine bytes.
fn last_key() -> Vec<u8> {
    super::forge::internal_key(&[0xff; 9], 1, 1)
}

/// A data block, stored as it is or compressed.
fn block(bytes: &[u8]) {
    for compression in [0, 1] {
        with_table(|table| table.data(&last_key(), bytes, compression));
    }
}

/// A filter, alone and in a table.
fn filter(bytes: &[u8]) {
    if let Some(filter) = Filter::decode(bytes.to_vec()) {
        filter.may_contain(hash(b"key010"));
    }
    with_table(|table| table.filter(bytes));
}

/// The filter and the index of prefixes.
fn prefixes(bytes: &[u8]) {
    for name in [PREFIX_FILTER_NAME, PREFIX_INDEX_NAME] {
        with_table(|table| {
            table.data(&last_key(), &[0, 0, 0, 0, 1, 0, 0, 0], 0);
            table.meta(name, bytes);
        });
    }
}

/// The operations of a batch: the first byte is their number.
fn batch(bytes: &[u8]) {
    let Some((count, body)) = bytes.split_first() else { return };
    let count = u32::from(*count);
    for entry in batch::decode(body, count) {
        drop(entry);
    }
    let log = LogForge::wal(3).record(RecordFields::batch(1, count), body).finish();
    read_all(database(vec![EditForge::snapshot(3, 9, 0)], &[(WAL, log)]));
}

/// The annotator, which names every byte of any file: as each kind of file, repaired or not.
fn inspect(bytes: &[u8]) {
    for name in [WAL, MANIFEST, TABLE, FileName::Current] {
        for file in [bytes.to_vec(), repaired(name, bytes)] {
            let _ = inspect::annotate(name, &file);
        }
    }
}

/// Sound inputs for the decoder `name`: where a fuzzer begins.
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let disk = MemoryStorage::new();
    let _ = write_small(&disk);
    let files: Vec<(FileName, Vec<u8>)> = disk
        .list()
        .unwrap_or_default()
        .iter()
        .filter_map(|name| FileName::parse(name))
        .filter_map(|name| Some((name, disk.read(name).ok()?)))
        .collect();
    let all = |wanted: fn(&FileName) -> bool| {
        let files = files.iter().filter(|(name, _)| wanted(name));
        files.map(|(_, bytes)| bytes.clone()).collect::<Vec<_>>()
    };
    match name {
        "wal" => all(|name| matches!(name, FileName::Wal(_))),
        "manifest" => all(|name| matches!(name, FileName::Manifest(_))),
        "current" => vec![[slot(1, 2, 1), slot(1, 1, 1)].concat()],
        "table" => all(|name| matches!(name, FileName::Table(_))),
        "inspect" => all(|name| !matches!(name, FileName::Current | FileName::Lock)),
        "edit" => vec![EditForge::snapshot(3, 9, 7).sealed(2, 40).removed(1, 5).finish().0],
        "block" => vec![
            super::forge::BlockForge::default()
                .restart()
                .entry(0, &super::forge::internal_key(b"key010", 2, 1), b"value")
                .entry(5, &super::forge::internal_key(b"1", 1, 0), b"")
                .finish(),
        ],
        "filter" => vec![vec![0x55; 9], vec![0xff, 6]],
        "batch" => vec![
            [&[2][..], &super::forge::put_entry(b"key010", b"value"), &[0, 1, 0, b'k']].concat(),
        ],
        _ => vec![vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    }
}

/// A database with a log, tables and a manifest of several edits.
fn write_small(disk: &MemoryStorage) -> crate::Result<()> {
    let options = Options {
        memtable_bytes: 1024,
        block_bytes: 128,
        restart_interval: 4,
        l0_trigger: 2,
        level_base_bytes: 2048,
        maintenance: Maintenance::Inline,
        ..Options::default()
    };
    let db = Db::builder().options(options).open_in(Arc::new(disk.clone()))?;
    for index in 0..60_u8 {
        let key = format!("key{:03}", index % 40);
        if index % 7 == 3 {
            db.delete(key.as_bytes())?;
        } else {
            db.put(key.as_bytes(), vec![b'v'; usize::from(index % 30)])?;
        }
    }
    Ok(())
}
