//! Replays manifests that are whole, cut, damaged, crashed or contradictory.

mod edit;
mod ranges;

use super::{ManifestState, ManifestWriter, TableMeta, VersionEdit};
use crate::key::{ValueKind, internal_key};
use crate::limits::SEQUENCE_MAX;
use crate::storage::{Crash, FileName, MemoryStorage, Storage};
use crate::wal::file::Log;
use crate::wal::record::{RECORD_HEADER_BYTES, RecordHeader, RecordKind};
use crate::wal::tests::{documented, for_seeds};
use crate::{ErrorKind, Result};
use std::sync::Arc;

const NUMBER: u64 = 4;
const NAME: FileName = FileName::Manifest(NUMBER);

fn own_log() -> Log {
    Log::manifest(NUMBER, Some(MemoryStorage::IDENTITY))
}

fn table(number: u64, smallest: &[u8], largest: &[u8]) -> Arc<TableMeta> {
    Arc::new(TableMeta {
        number,
        run: 1,
        bytes: 1000 + number,
        entries: 10,
        tombstones: 2,
        blocks: 3,
        smallest: internal_key(smallest, number, ValueKind::Put),
        largest: internal_key(largest, number, ValueKind::Delete),
        ranges: None,
        sequence_min: number,
        sequence_max: number,
    })
}

/// [`table`] as a separate run.
fn l0_table(number: u64, smallest: &[u8], largest: &[u8]) -> Arc<TableMeta> {
    Arc::new(TableMeta { run: number, ..TableMeta::clone(&table(number, smallest, largest)) })
}

fn snapshot() -> VersionEdit {
    VersionEdit {
        log_number: Some(2),
        next_file: Some(6),
        last_sequence: Some(0),
        sealed_logs: vec![(1, 500), (2, 24), (3, 1000)],
        ..VersionEdit::default()
    }
}

/// A flush, another one, and a compaction of both.
fn edits() -> Vec<VersionEdit> {
    let flush = |log: u64, table: Arc<TableMeta>| VersionEdit {
        log_number: Some(log),
        next_file: Some(table.number + 1),
        last_sequence: Some(table.number * 10),
        added: vec![(0, table)],
        ..VersionEdit::default()
    };
    vec![
        snapshot(),
        flush(3, l0_table(6, b"a", b"m")),
        flush(5, l0_table(8, b"", b"k")),
        VersionEdit {
            next_file: Some(11),
            removed: vec![(0, 8), (0, 6)],
            added: vec![(1, table(9, b"", b"c")), (1, table(10, b"d", b"m"))],
            ..VersionEdit::default()
        },
    ]
}

fn replay_storage(storage: &MemoryStorage) -> Result<ManifestState> {
    super::replay_bytes(&crate::storage::read_whole(&*storage.open(NAME)?, NAME)?, own_log())
}

fn replay_bytes(bytes: &[u8]) -> Result<ManifestState> {
    let storage = MemoryStorage::new();
    storage.put(&NAME.to_string(), bytes);
    replay_storage(&storage)
}

struct Fixture {
    storage: MemoryStorage,
    /// The state after each edit.
    states: Vec<ManifestState>,
    /// Where each edit begins \[bytes\].
    offsets: Vec<usize>,
}

/// A manifest of `edits`, each synced before the next one.
fn fixture(edits: &[VersionEdit]) -> Fixture {
    let storage = MemoryStorage::new();
    let mut writer = ManifestWriter::create(&storage, own_log(), &edits[0]).unwrap();
    let mut states = Vec::new();
    let mut offsets = vec![own_log().header_bytes()];
    for (index, edit) in edits.iter().enumerate() {
        if index > 0 {
            offsets.push(usize::try_from(writer.bytes()).unwrap());
            writer.append(edit).unwrap();
        }
        writer.sync().unwrap();
        states.push(replay_storage(&storage).unwrap());
        assert_eq!(writer.edits(), index as u64 + 1);
    }
    Fixture { storage, states, offsets }
}

/// The manifest that docs/FORMAT.md shows.
pub(crate) fn example() -> Vec<u8> {
    let storage = MemoryStorage::new();
    let snapshot = VersionEdit {
        log_number: Some(5),
        next_file: Some(6),
        last_sequence: Some(0),
        ..VersionEdit::default()
    };
    let mut writer = ManifestWriter::create(&storage, own_log(), &snapshot).unwrap();
    writer.sync().unwrap();
    let table = TableMeta {
        number: 7,
        run: 2,
        bytes: 300,
        entries: 2,
        tombstones: 1,
        blocks: 1,
        smallest: internal_key(b"apple", 1, ValueKind::Put),
        largest: internal_key(b"fig", 2, ValueKind::Delete),
        ranges: None,
        sequence_min: 1,
        sequence_max: 2,
    };
    let flush = VersionEdit {
        log_number: Some(6),
        next_file: Some(8),
        last_sequence: Some(2),
        added: vec![(0, Arc::new(table))],
        ..VersionEdit::default()
    };
    writer.append(&flush).unwrap();
    writer.sync().unwrap();
    storage.read(NAME).unwrap()
}

#[test]
fn the_documented_example_is_what_is_written() {
    assert_eq!(documented("Manifest"), example());
}

#[test]
fn edits_add_up() {
    let fixture = fixture(&edits());
    let last = fixture.states.last().unwrap();
    let numbers = |level: usize| -> Vec<u64> {
        last.version.level(level).map(|table| table.number).collect()
    };
    assert_eq!((numbers(0), numbers(1)), (vec![], vec![9, 10]));
    assert_eq!((last.log_number, last.next_file, last.last_sequence), (5, 11, 80));
    assert_eq!((last.edits, last.sealed_logs.len()), (4, 0));
    assert_eq!(fixture.states[0].sealed_logs, [(2, 24), (3, 1000)]);
    assert_eq!(fixture.states[2].version.level(0).next().unwrap().number, 8);
}

#[test]
fn a_manifest_begins_with_a_snapshot() {
    let storage = MemoryStorage::new();
    for incomplete in [
        VersionEdit::default(),
        VersionEdit { log_number: None, ..snapshot() },
        VersionEdit { removed: vec![(0, 1)], ..snapshot() },
    ] {
        let error = ManifestWriter::create(&storage, own_log(), &incomplete).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    assert!(storage.list().unwrap().is_empty());
}

#[test]
fn every_flipped_byte_of_a_synced_edit_is_corruption() {
    let fixture = fixture(&edits());
    let good = fixture.storage.read(NAME).unwrap();
    let last_mark = good.len() - RECORD_HEADER_BYTES;
    for (at, mask) in (0..good.len()).flat_map(|at| [1, 0x80].map(|mask| (at, mask))) {
        let mut bytes = good.clone();
        bytes[at] ^= mask;
        match replay_bytes(&bytes) {
            // The mark only proves that the bytes before it had been synced.
            Ok(found) => {
                assert!(at >= last_mark, "byte {at}");
                assert_eq!(found.valid_bytes, last_mark as u64, "byte {at}");
                let full = fixture.states.last().unwrap();
                assert_eq!(ManifestState { valid_bytes: full.valid_bytes, ..found }, *full);
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corruption, "byte {at}: {error}");
                assert_eq!(error.file(), Some(NAME), "byte {at}: {error}");
                let offset = usize::try_from(error.offset().unwrap()).unwrap();
                assert!(offset <= at && offset + 200 > at, "byte {at}: {error}");
                assert!(at < last_mark, "byte {at}: {error}");
            }
        }
    }
}

#[test]
fn a_cut_manifest_keeps_its_whole_edits() {
    let fixture = fixture(&edits());
    let good = fixture.storage.read(NAME).unwrap();
    let mut ends: Vec<usize> =
        fixture.offsets[1..].iter().map(|end| end - RECORD_HEADER_BYTES).collect();
    ends.push(good.len() - RECORD_HEADER_BYTES);
    for cut in 0..good.len() {
        let whole = ends.iter().filter(|end| **end <= cut).count();
        match (replay_bytes(&good[..cut]), whole.checked_sub(1)) {
            (Err(error), None) => assert_eq!(error.kind(), ErrorKind::Corruption, "cut to {cut}"),
            (Ok(found), Some(last)) => {
                let expected = &fixture.states[last];
                assert_eq!(found.version, expected.version, "cut to {cut}");
                assert_eq!(found.edits, expected.edits, "cut to {cut}");
                assert!(found.valid_bytes >= ends[last] as u64, "cut to {cut}");
            }
            (found, _) => panic!("cut to {cut}: {found:?}"),
        }
    }
}

#[test]
fn a_crash_leaves_all_synced_edits() {
    for_seeds(150, |random, seed| {
        let storage = MemoryStorage::new();
        let mut writer = ManifestWriter::create(&storage, own_log(), &snapshot()).unwrap();
        writer.sync().unwrap();
        storage.sync_directory().unwrap();
        let mut states = vec![replay_storage(&storage).unwrap()];
        let mut synced = 0;
        for index in 0..random.below(12) {
            let key = vec![b'k'; random.up_to(600)];
            let edit = VersionEdit {
                next_file: Some(100 + index),
                added: vec![(0, l0_table(50 + index, &key, &key))],
                ..VersionEdit::default()
            };
            writer.append(&edit).unwrap();
            states.push(replay_storage(&storage).unwrap());
            if random.below(3) == 0 {
                writer.sync().unwrap();
                synced = states.len() - 1;
            }
        }
        for variant in 0..10 {
            let image = storage.crash_image(Crash::Random(seed * 100 + variant));
            let found = replay_storage(&image)
                .unwrap_or_else(|error| panic!("seed {seed}, variant {variant}: {error}"));
            let edits = usize::try_from(found.edits).unwrap() - 1;
            assert!(edits >= synced, "seed {seed}, variant {variant}");
            assert_eq!(found.version, states[edits].version, "seed {seed}, variant {variant}");
        }
    });
}

/// A manifest whose second edit is `edit`.
fn with_edit(edit: &VersionEdit) -> Result<ManifestState> {
    let storage = MemoryStorage::new();
    let base = VersionEdit {
        added: vec![
            (0, l0_table(6, b"a", b"z")),
            (1, table(7, b"c", b"e")),
            (1, table(8, b"g", b"i")),
            (2, table(9, b"c", b"e")),
        ],
        ..snapshot()
    };
    let mut writer = ManifestWriter::create(&storage, own_log(), &base).unwrap();
    writer.append(edit).unwrap();
    replay_storage(&storage)
}

#[test]
fn contradictory_edits_are_corruption() {
    let added = |level, table| VersionEdit { added: vec![(level, table)], ..Default::default() };
    let removed =
        |level, number| VersionEdit { removed: vec![(level, number)], ..VersionEdit::default() };
    for (index, edit) in [
        removed(0, 7),
        removed(1, 99),
        removed(5, 6),
        VersionEdit { removed: vec![(1, 7), (1, 7)], ..VersionEdit::default() },
        added(0, l0_table(6, b"x", b"y")),
        added(1, table(6, b"x", b"y")),
        added(1, table(20, b"a", b"c")),
        added(1, table(20, b"e", b"f")),
        added(1, table(20, b"d", b"d")),
        added(1, table(20, b"a", b"z")),
        added(1, table(20, b"f", b"g")),
        // One run of L0 is one table, whatever their keys.
        added(0, Arc::new(TableMeta { run: 6, ..TableMeta::clone(&table(20, b"za", b"zz")) })),
        VersionEdit {
            added: vec![(3, table(20, b"a", b"c")), (3, table(21, b"c", b"d"))],
            ..VersionEdit::default()
        },
    ]
    .iter()
    .enumerate()
    {
        let error = with_edit(edit).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "edit {index}: {error}");
        assert!(error.offset().unwrap() > own_log().header_bytes() as u64, "edit {index}: {error}");
    }
    for (index, edit) in [
        added(0, l0_table(20, b"a", b"z")),
        added(1, l0_table(20, b"a", b"z")),
        added(1, table(20, b"f", b"f")),
        added(1, table(20, b"", b"b")),
        added(1, table(20, b"j", b"z")),
        added(3, table(20, b"a", b"z")),
        VersionEdit {
            removed: vec![(1, 7)],
            added: vec![(2, table(10, b"f", b"f")), (1, table(11, b"d", b"e"))],
            ..VersionEdit::default()
        },
        VersionEdit {
            removed: vec![(1, 8)],
            added: vec![(2, table(8, b"g", b"i"))],
            ..VersionEdit::default()
        },
    ]
    .iter()
    .enumerate()
    {
        let state = with_edit(edit).unwrap_or_else(|error| panic!("edit {index}: {error}"));
        assert!(state.version.tables().all(|(_, table)| table.number < state.next_file));
    }
}

#[test]
fn a_manifest_of_another_format_is_not_read() {
    for (format, word) in [(1_u32, "older"), (4, "newer")] {
        let mut bytes = fixture(&edits()[..1]).storage.read(NAME).unwrap();
        bytes[8..12].copy_from_slice(&format.to_le_bytes());
        let checksum = crate::coding::crc32(&[&bytes[..36]]);
        bytes[36..40].copy_from_slice(&checksum.to_le_bytes());
        let error = replay_bytes(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn a_missing_or_repeated_edit_is_corruption() {
    for number in [0, 1, 3, SEQUENCE_MAX] {
        let log = own_log();
        let mut bytes = fixture(&edits()[..1]).storage.read(NAME).unwrap();
        let header = RecordHeader {
            body_bytes: 0,
            body_checksum: 0,
            count: 0,
            synced_bytes: 0,
            number,
            kind: RecordKind::Edit,
        };
        let offset = bytes.len() as u64;
        header.encode(log, offset, &mut bytes);
        let error = replay_bytes(&bytes).unwrap_err();
        assert_eq!(error.offset(), Some(offset), "edit {number}: {error}");
    }
}
