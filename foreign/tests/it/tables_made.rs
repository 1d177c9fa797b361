//! Tables that no fixture has: timestamps that are left out, newer versions, unfinished files.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::blocks;
use crate::common::build::{Builder, entries, handle, internal};
use levelscope_foreign::checksum::Checksum;
use levelscope_foreign::key::SEQUENCE_MAX;
use levelscope_foreign::table::{BlockTable, open};
use levelscope_foreign::{
    Comparator, Engine, Error, ErrorKind, Files, MemoryFiles, Problem, Severity, TableReader,
};

const NAME: &str = "000007.sst";

fn files(bytes: Vec<u8>) -> MemoryFiles {
    MemoryFiles::new([(NAME.to_owned(), bytes)])
}

/// Two blocks of two keys each, with these properties; the index has separators of user keys.
fn small(properties: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut builder = Builder::new(6, Checksum::Crc32c);
    let mut index = Vec::new();
    for keys in [[b"ka", b"kb"], [b"kc", b"kd"]] {
        let rows = keys.map(|key| (internal(key, 9, 1), b"value"));
        let at = builder.block(&entries(&rows), 0);
        index.push((keys[1], handle(at)));
    }
    let index = builder.block(&entries(&index), 0);
    let mut all = properties.to_vec();
    all.push(("rocksdb.index.key.is.user.key", vec![1]));
    all.sort();
    builder.finish(index, &all, &[])
}

fn refused(bytes: Vec<u8>) -> Error {
    let files = files(bytes);
    open(&files, NAME, Engine::RocksDb, Comparator::Bytewise).err().unwrap()
}

fn findings(table: &dyn TableReader, deep: bool) -> Vec<Problem> {
    let mut findings = Vec::new();
    table.check(deep, &mut |problem| findings.push(problem));
    findings
}

#[test]
fn timestamps_that_a_table_leaves_out_are_zeros() {
    let files = files(small(&[("rocksdb.user.defined.timestamps.persisted", vec![0])]));
    let order = Comparator::BytewiseTimestamp;
    let table = BlockTable::open(&files, NAME, Engine::RocksDb, order).unwrap();
    assert_eq!(findings(&table, true), []);
    let mut cursor = table.cursor().unwrap();
    cursor.first().unwrap();
    assert_eq!(cursor.entry().unwrap().user_key, b"ka\0\0\0\0\0\0\0\0");
    // A newer timestamp comes first, so the key with timestamp 0 is the next one.
    for (key, sequence, found) in [
        (b"kc\x05\0\0\0\0\0\0\0", 0, Some(b"kc\0\0\0\0\0\0\0\0")),
        (b"kc\0\0\0\0\0\0\0\0", 9, Some(b"kc\0\0\0\0\0\0\0\0")),
        (b"kc\0\0\0\0\0\0\0\0", 8, Some(b"kd\0\0\0\0\0\0\0\0")),
        (b"kd\0\0\0\0\0\0\0\0", 8, None),
    ] {
        cursor.seek(key, sequence).unwrap();
        assert_eq!(cursor.entry().map(|entry| entry.user_key), found.map(|key| &key[..]));
    }
    let separators: Vec<_> =
        table.data_blocks().unwrap().into_iter().map(|block| block.separator).collect();
    assert_eq!(separators, [b"kb\0\0\0\0\0\0\0\0", b"kd\0\0\0\0\0\0\0\0"]);
}

#[test]
fn an_unknown_order_is_walked_and_not_searched() {
    let files = files(small(&[]));
    let table = open(&files, NAME, Engine::RocksDb, Comparator::Unknown).unwrap();
    let mut cursor = table.cursor().unwrap();
    cursor.first().unwrap();
    let error = cursor.seek(b"kc", SEQUENCE_MAX).unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::Invalid, Some(NAME)));
    cursor.first().unwrap();
    let mut count = 0;
    while cursor.entry().is_some() {
        count += 1;
        cursor.next().unwrap();
    }
    assert_eq!(count, 4);
    cursor.next().unwrap();
    assert_eq!(cursor.entry(), None);
}

#[test]
fn a_check_compares_order_separators_and_counts() {
    let files_in_order = files(small(&[("rocksdb.num.entries", vec![5])]));
    let table = open(&files_in_order, NAME, Engine::RocksDb, Comparator::Bytewise).unwrap();
    assert_eq!(findings(&*table, false), []);
    let found = findings(&*table, true);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "the properties count 5 entries, the blocks have 4");
    // The same keys in the opposite order are wrong in both blocks, and between them.
    let table = open(&files_in_order, NAME, Engine::RocksDb, Comparator::ReverseBytewise).unwrap();
    let found = findings(&*table, true);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|problem| problem.severity == Severity::Error));
    assert!(found[0].message.contains("not after the one before"), "{found:?}");
    assert_eq!(found[1].keys, Some(("6b62".to_owned(), "6b64".to_owned())));
}

#[test]
fn each_damaged_block_is_one_finding_at_its_offset() {
    let sound = small(&[]);
    let files_sound = files(sound.clone());
    for block in blocks(&files_sound, Engine::RocksDb, NAME) {
        let at = usize::try_from(block.offset).unwrap();
        for place in [at, at + usize::try_from(block.bytes).unwrap() - 1] {
            let mut bytes = sound.clone();
            bytes[place] ^= 1;
            let files = files(bytes);
            let found = match open(&files, NAME, Engine::RocksDb, Comparator::Bytewise) {
                Ok(table) => findings(&*table, false),
                Err(error) => vec![Problem::of(&error, NAME)],
            };
            assert_eq!(found.len(), 1, "{block:?}: {found:?}");
            assert_eq!(found[0].severity, Severity::Error);
            let offset = found[0].offset.unwrap();
            let end = block.offset + block.bytes;
            assert!((block.offset..end).contains(&offset), "{block:?}: {found:?}");
        }
    }
}

/// A table without checksums stores 0 in their place. So a footer that lost the kind of its checksums is found.
#[test]
fn a_footer_whose_kind_of_checksum_is_lost_is_damage() {
    let mut builder = Builder::new(5, Checksum::Crc32c);
    let at = builder.block(&entries(&[(internal(b"ka", 9, 1), b"value")]), 0);
    let index = builder.block(&entries(&[(b"ka", handle(at))]), 0);
    let mut bytes = builder.finish(index, &[("rocksdb.index.key.is.user.key", vec![1])], &[]);
    let kind = bytes.len() - 53;
    assert_eq!(std::mem::take(&mut bytes[kind]), 1);
    assert_eq!(refused(bytes).kind(), ErrorKind::Damaged);
}

#[test]
fn entries_of_leveldb_are_read_without_the_metaindex() {
    let fixture = crate::common::fixture("l_history");
    let bytes = fixture.files.read_whole("000387.ldb", 1 << 20).unwrap();
    let sound = files(bytes.clone());
    let table = BlockTable::open(&sound, NAME, Engine::LevelDb, Comparator::Bytewise).unwrap();
    let metaindex = table.footer().metaindex.offset;
    let mut damaged = bytes;
    damaged[usize::try_from(metaindex).unwrap()] ^= 1;
    let damaged = files(damaged);
    let table = open(&damaged, NAME, Engine::LevelDb, Comparator::Bytewise).unwrap();
    let found = findings(&*table, true);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].offset, Some(metaindex));
    let mut cursor = table.cursor().unwrap();
    cursor.first().unwrap();
    assert!(cursor.entry().is_some());
}

#[test]
fn newer_versions_and_other_formats_are_not_read() {
    let mut bytes = small(&[]);
    let version = bytes.len() - 12;
    bytes[version] = 8;
    let error = refused(bytes.clone());
    assert_eq!((error.kind(), error.message()), (ErrorKind::NotRead, "not read: version 8"));
    let magic = bytes.len() - 8;
    bytes[magic..].copy_from_slice(b"\xf0\x9f\xaa\xb3\xf0\x9f\xaa\xb3");
    refused(bytes.clone());
    bytes[magic..].fill(0);
    let error = refused(bytes);
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Damaged, Some(magic as u64)));
    for length in [0, 7, 20] {
        let error = refused(small(&[]).split_off(small(&[]).len() - length));
        assert_eq!((error.kind(), error.file()), (ErrorKind::Damaged, Some(NAME)), "{length}");
    }
    let files = MemoryFiles::default();
    let error = open(&files, NAME, Engine::RocksDb, Comparator::Bytewise).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Missing);
}
