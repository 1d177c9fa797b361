//! Values in blob files of RocksDB and Pebble, and wide columns.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::{Fixture, digest, fixture, fixtures};
use levelscope_foreign::blob::{BlobIndex, PebbleBlobFile, RocksBlobFile, wide_columns};
use levelscope_foreign::text::hex;
use levelscope_foreign::{
    Comparator, Engine, ErrorKind, Files, Kind, MemoryFiles, Problem, Severity, Value, pebble,
    table,
};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// User key, kind, bytes of the value.
type Entry = (Vec<u8>, Kind, Vec<u8>);

/// The entries of the tables of one family.
fn entries(files: &MemoryFiles, family: &Json) -> Vec<Entry> {
    let comparator = Comparator::named(family["comparator"].as_str().unwrap().as_bytes());
    let mut found = Vec::new();
    for level in family["levels"].as_array().unwrap() {
        for file in level["files"].as_array().unwrap() {
            let name = file["name"].as_str().unwrap();
            let table = table::open(files, name, Engine::RocksDb, comparator).unwrap();
            let mut cursor = table.cursor().unwrap();
            cursor.first().unwrap();
            while let Some(entry) = cursor.entry() {
                let (key, kind) = (entry.user_key.to_vec(), entry.kind);
                let Value::Bytes(bytes) = cursor.value().unwrap() else { panic!() };
                found.push((key, kind, bytes));
                cursor.next().unwrap();
            }
        }
    }
    found
}

fn families(json: &Json) -> Vec<Json> {
    json["column_families"].as_array().unwrap().clone()
}

fn blob_name(file: u64) -> String {
    format!("{file:06}.blob")
}

/// The value that a blob index refers to.
fn resolved(files: &dyn Files, key: &[u8], index: &[u8]) -> levelscope_foreign::Result<Vec<u8>> {
    let BlobIndex::Blob { file, offset, bytes, compression, .. } = BlobIndex::decode(index)? else {
        panic!("inlined");
    };
    RocksBlobFile::open(files, &blob_name(file))?.value(key, offset, bytes, compression)
}

#[test]
fn blob_files_of_rocksdb_have_the_records_that_the_manifest_counts() {
    let mut seen = 0;
    for Fixture { name, files, json } in fixtures(&["b_", "v7_8_fv2_blob_cf"]) {
        for family in families(&json) {
            let mut used: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for (_, kind, bytes) in entries(&files, &family) {
                if kind != Kind::BlobIndex {
                    continue;
                }
                if let BlobIndex::Blob { file, offset, .. } = BlobIndex::decode(&bytes).unwrap() {
                    used.entry(file).or_default().insert(offset);
                }
            }
            for expected in family["blob_files"].as_array().unwrap() {
                let number = |name: &str| expected[name].as_u64().unwrap();
                let blob = RocksBlobFile::open(&files, &blob_name(number("number"))).unwrap();
                assert_eq!(blob.count(), Some(number("count")), "{name}");
                for deep in [false, true] {
                    let mut problems = Vec::new();
                    blob.check(deep, &mut |problem| problems.push(problem));
                    assert_eq!(problems, [], "{name}");
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 9);
}

#[test]
fn each_blob_index_of_rocksdb_resolves_and_the_live_contents_are_those_that_the_library_sees() {
    let (mut values, mut compared) = (0, 0);
    for Fixture { name, files, json } in fixtures(&["b_", "v7_8_fv2_blob_cf"]) {
        for family in families(&json) {
            let mut live = BTreeMap::new();
            for (key, kind, bytes) in entries(&files, &family) {
                let value = match kind {
                    Kind::BlobIndex => {
                        values += 1;
                        resolved(&files, &key, &bytes).unwrap()
                    }
                    Kind::Put => bytes,
                    _ => continue,
                };
                // Level 0 stands first, so the first version of a key is the newest.
                live.entry(key).or_insert(value);
            }
            if family["log_entries"] == 0 {
                assert_eq!(family["live"]["count"], live.len(), "{name}");
                assert_eq!(family["live"]["sha256"], digest(&live), "{name}");
                compared += 1;
            }
        }
    }
    assert!(values > 190, "{values}");
    assert_eq!(compared, 2);
}

#[test]
fn wide_columns_are_those_that_the_library_sees() {
    let Fixture { files, json, .. } = fixture("e_wide_columns");
    let family = &families(&json)[0];
    let expected = family["live"]["entries"].as_array().unwrap();
    let expected: BTreeMap<&str, &Json> =
        expected.iter().map(|entry| (entry[0].as_str().unwrap(), entry)).collect();
    let mut wide = 0;
    for (key, kind, bytes) in entries(&files, family) {
        let entry = expected[hex(&key).as_str()];
        if kind != Kind::WideColumns {
            assert_eq!(entry[1], hex(&bytes));
            continue;
        }
        wide += 1;
        let columns = wide_columns(&bytes).unwrap();
        let pairs = columns.iter().map(|column| json!([hex(&column.name), hex(&column.value)]));
        assert_eq!(entry[2], pairs.collect::<Json>());
        let default = columns.iter().find(|column| column.name.is_empty());
        assert_eq!(entry[1], default.map_or_else(String::new, |column| hex(&column.value)));
    }
    assert!(wide > 40, "{wide}");
}

#[test]
fn a_flipped_byte_and_a_missing_blob_file_are_reported_with_file_and_offset() {
    let Fixture { files, json, .. } = fixture("d_blob_flip");
    let wanted = json["damage"]["offset"].as_u64().unwrap();
    let failures = |files: &MemoryFiles, json: &Json| {
        let found = entries(files, &families(json)[0]);
        let failed = found.iter().filter_map(|entry| resolved(files, &entry.0, &entry.2).err());
        failed.collect::<Vec<_>>()
    };
    let failed = failures(&files, &json);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0].file(), Some("000013.blob"));
    let offset = failed[0].offset().unwrap();
    assert!(offset <= wanted && wanted < offset + 243, "{offset} {wanted}");
    let mut problems = Vec::new();
    let blob = RocksBlobFile::open(&files, "000013.blob").unwrap();
    blob.check(false, &mut |problem| problems.push(problem));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!((problems[0].severity, problems[0].offset), (Severity::Error, Some(offset)));

    let Fixture { files, json, .. } = fixture("d_blob_missing");
    let failed = failures(&files, &json);
    assert_eq!(failed.len(), 20);
    assert!(failed.iter().all(|error| {
        error.kind() == ErrorKind::Missing && error.file() == Some("000010.blob")
    }));
}

#[test]
fn a_value_of_another_key_or_length_is_damage() {
    let Fixture { files, .. } = fixture("b_blob_garbage");
    let blob = RocksBlobFile::open(&files, "000010.blob").unwrap();
    let (record, _) = blob.records().next_record().unwrap().unwrap();
    let (offset, bytes) = (record.value_offset, record.value_bytes);
    assert!(blob.value(b"user:000000", offset, bytes, 0).unwrap().starts_with(b"apple-0"));
    for error in [
        blob.value(b"user:000001", offset, bytes, 0).unwrap_err(),
        blob.value(b"user:00000", offset, bytes, 0).unwrap_err(),
        blob.value(b"user:000000", offset, bytes - 1, 0).unwrap_err(),
        blob.value(b"user:000000", offset + 1, bytes, 0).unwrap_err(),
        blob.value(b"user:000000", u64::MAX, bytes, 0).unwrap_err(),
        blob.value(b"user:000000", 0, u64::MAX, 0).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        assert_eq!(error.file(), Some("000010.blob"), "{error}");
    }
}

/// Key, number of the reference, value.
type ReferredValue = (Vec<u8>, u32, Vec<u8>);

/// The values of a table of Pebble that are in blob files; `references` are their numbers.
fn referred(files: &dyn Files, table: &str, references: &[u64]) -> Vec<ReferredValue> {
    let table = pebble::open(files, table, Comparator::Bytewise).unwrap();
    let mut blobs: Vec<PebbleBlobFile<'_>> = references
        .iter()
        .map(|number| PebbleBlobFile::open(files, &blob_name(*number)).unwrap())
        .collect();
    let mut cursor = table.cursor().unwrap();
    let mut found = Vec::new();
    cursor.first().unwrap();
    while let Some(entry) = cursor.entry() {
        let key = entry.user_key.to_vec();
        if let Value::PebbleBlob { reference, bytes, block, value } = cursor.value().unwrap() {
            let blob = &mut blobs[reference as usize];
            found.push((key, reference, blob.value(block, value, bytes).unwrap()));
        }
        cursor.next().unwrap();
    }
    found
}

#[test]
fn values_in_blob_files_of_pebble_are_those_of_the_log_that_they_come_from() {
    let Fixture { files, .. } = fixture("p_blob_files");
    let log = files.read_whole("000013.log", 1 << 20).unwrap();
    let found = referred(&files, "000018.sst", &[19]);
    assert_eq!(found.len(), 20);
    for (key, _, value) in &found {
        // In a log: key, length of the value as a varint of two bytes, value.
        let (low, high) = (value.len() % 128 + 128, value.len() / 128);
        let length = [u8::try_from(low).unwrap(), u8::try_from(high).unwrap()];
        let record = [key.as_slice(), &length, value].concat();
        assert!(log.windows(record.len()).any(|bytes| bytes == record), "{key:?}");
    }
    let bytes: usize = found.iter().map(|entry| entry.2.len()).sum();
    assert_eq!(bytes, 6000);
}

#[test]
fn values_of_a_compacted_table_are_spread_over_the_blob_files_of_its_manifest() {
    let Fixture { files, .. } = fixture("p_blob_files");
    let found = referred(&files, "000016.sst", &[6, 9, 12, 15]);
    let mut bytes = [0; 4];
    for (_, reference, value) in &found {
        assert!(value.starts_with(b"v"));
        bytes[*reference as usize] += value.len();
    }
    // Value bytes of each reference in the manifest.
    assert_eq!(bytes, [1750, 2000, 1750, 11_250]);
    for (number, bytes) in [(6, 16_750), (9, 15_000), (12, 13_000), (15, 11_250), (19, 6000)] {
        let blob = PebbleBlobFile::open(&files, &blob_name(number)).unwrap();
        assert!(blob.blocks() > 1 && blob.format() == 1);
        let mut problems: Vec<Problem> = Vec::new();
        let read = blob.check(true, &mut |problem| problems.push(problem)).bytes;
        assert_eq!(problems, []);
        assert!(read > bytes / 2 && read < 2 * files.length(&blob_name(number)).unwrap());
    }
}

#[test]
fn a_value_of_pebble_that_does_not_exist_is_damage() {
    let Fixture { files, .. } = fixture("p_blob_files");
    let mut blob = PebbleBlobFile::open(&files, "000019.blob").unwrap();
    let blocks = u32::try_from(blob.blocks()).unwrap();
    for (block, value, bytes) in [(blocks, 0, 300), (0, 1000, 300), (0, u32::MAX, 300), (0, 0, 1)] {
        let error = blob.value(block, value, bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        assert_eq!(error.file(), Some("000019.blob"), "{error}");
        assert!(error.offset().is_some(), "{error}");
    }
}

#[test]
fn values_have_their_place_in_the_table_of_blobs() {
    let directory = fixture("p_blob_files");
    let table = pebble::open(&directory.files, "000018.sst", Comparator::Bytewise).unwrap();
    let mut cursor = table.cursor().unwrap();
    cursor.first().unwrap();
    let Value::PebbleBlob { reference, bytes, block, value } = cursor.value().unwrap() else {
        panic!("the value is in the table");
    };
    assert_eq!((reference, bytes, block, value), (0, 300, 0, 0));
}
