//! Tables that Pebble wrote: all formats, entries, range deletions, range keys, virtual tables, blob references.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::{Fixture, digest, fixture, fixtures};
use levelscope_foreign::pebble::{Bounds, Slice};
use levelscope_foreign::{Comparator, Files, Kind, RangeDeletion, TableReader, Value, pebble};
use serde_json::Value as Json;
use std::collections::BTreeMap;

const ORDER: Comparator = Comparator::Bytewise;

/// The bytes of hexadecimal digits.
fn unhex(digits: &Json) -> Vec<u8> {
    let digits = digits.as_str().unwrap();
    let pair = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// User key, sequence number, kind, value.
type Entry = (Vec<u8>, u64, Kind, Value);

fn entries(table: &dyn TableReader) -> Vec<Entry> {
    let mut cursor = table.cursor().unwrap();
    let mut found = Vec::new();
    cursor.first().unwrap();
    while let Some(entry) = cursor.entry() {
        let (key, sequence, kind) = (entry.user_key.to_vec(), entry.sequence, entry.kind);
        found.push((key, sequence, kind, cursor.value().unwrap()));
        cursor.next().unwrap();
    }
    found
}

fn tables(files: &dyn Files) -> Vec<String> {
    let names = files.list().iter().map(|file| file.name.clone());
    names.filter(|name| name.split('.').next_back() == Some("sst")).collect()
}

/// The tables of the manifest, each with its virtual bounds where it has any.
fn open<'f>(files: &'f dyn Files, file: &Json) -> Box<dyn TableReader + 'f> {
    let name = format!("{:06}.sst", file["backing"].as_u64().unwrap());
    let table = pebble::open(files, &name, ORDER).unwrap();
    if file["virtual"] != true {
        return table;
    }
    let bounds = Bounds {
        smallest: unhex(&file["smallest"]),
        largest: unhex(&file["largest"]),
        ..Bounds::default()
    };
    Box::new(Slice::new(table, bounds, ORDER))
}

fn table_files(sidecar: &Json) -> Vec<Json> {
    let levels = sidecar["column_families"][0]["levels"].as_array().unwrap();
    levels.iter().flat_map(|level| level["files"].as_array().unwrap().clone()).collect()
}

#[test]
fn each_table_decodes_in_order_with_the_entries_that_it_counts() {
    let mut read = 0;
    for Fixture { name, files, .. } in fixtures(&["p_"]) {
        for file in tables(&files) {
            let table = pebble::open(&files, &file, ORDER).unwrap();
            let found = entries(table.as_ref());
            let deletions = table.range_deletions().unwrap();
            let summary = table.summary();
            assert!(summary.format.starts_with("Pebble table"), "{}", summary.format);
            let spans = summary.range_deletions.unwrap();
            assert_eq!(summary.entries, Some(found.len() as u64 + spans), "{name} {file}");
            assert_eq!(spans, deletions.len() as u64, "{name} {file}");
            let deleted = found.iter().filter(|entry| entry.2.is_delete()).count() as u64;
            assert_eq!(summary.deletions, Some(deleted + spans), "{name} {file}");
            let merges = found.iter().filter(|entry| entry.2 == Kind::Merge).count() as u64;
            assert_eq!(summary.merge_operands, Some(merges), "{name} {file}");
            for pair in found.windows(2) {
                let key = (&pair[0].0, u64::MAX - pair[0].1);
                assert!(key < (&pair[1].0, u64::MAX - pair[1].1), "{name} {file}");
            }
            let key_bytes: usize = found.iter().map(|entry| entry.0.len() + 8).sum();
            if spans == 0 {
                assert_eq!(summary.raw_key_bytes, Some(key_bytes as u64), "{name} {file}");
            }
            read += 1;
        }
    }
    assert!(read >= 30, "{read}");
}

#[test]
fn smallest_and_largest_keys_are_those_of_the_manifest() {
    for Fixture { name, files, json: sidecar } in fixtures(&["p_"]) {
        for file in table_files(&sidecar) {
            let table = open(&files, &file);
            let found = entries(table.as_ref());
            let (first, last) = (found.first().unwrap(), found.last().unwrap());
            if table.range_deletions().unwrap().is_empty() && table.range_keys().unwrap().is_empty()
            {
                assert_eq!(first.0, unhex(&file["smallest"]), "{name} {file}");
                assert_eq!(last.0, unhex(&file["largest"]), "{name} {file}");
            }
        }
    }
}

#[test]
fn formats_are_those_that_the_directories_are_made_for() {
    let format = |name: &str, file: &str| {
        let Fixture { files, .. } = fixture(name);
        pebble::open(&files, file, ORDER).unwrap().summary().format.clone()
    };
    assert_eq!(format("p_rows_oldest", "000005.sst"), "Pebble table, format 2 (rows)");
    assert_eq!(format("p_rows_kinds", "000007.sst"), "Pebble table, format 4 (rows)");
    assert_eq!(format("p_columns_kinds", "000007.sst"), "Pebble table, format 5 (columns)");
    assert_eq!(format("p_newest_minlz", "000005.sst"), "Pebble table, format 7 (columns)");
    assert_eq!(format("p_two_level_index", "000005.sst"), "Pebble table, format 7 (columns)");
}

#[test]
fn a_seek_finds_the_entry_that_a_walk_finds() {
    for Fixture { name, files, .. } in fixtures(&["p_"]) {
        for file in tables(&files) {
            let table = pebble::open(&files, &file, ORDER).unwrap();
            let found = entries(table.as_ref());
            let mut cursor = table.cursor().unwrap();
            for (at, entry) in found.iter().enumerate() {
                cursor.seek(&entry.0, entry.1).unwrap();
                assert_eq!(cursor.entry().unwrap().user_key, entry.0, "{name} {file}");
                assert_eq!(cursor.value().unwrap(), entry.3, "{name} {file}");
                // One sequence number less is the next entry.
                if let Some(before) = entry.1.checked_sub(1) {
                    cursor.seek(&entry.0, before).unwrap();
                    let next = cursor.entry().map(|entry| entry.user_key.to_vec());
                    assert_eq!(next, found.get(at + 1).map(|entry| entry.0.clone()));
                }
            }
            cursor.seek(&[0xff; 9], 1).unwrap();
            assert!(cursor.entry().is_none());
            cursor.seek(b"", 1).unwrap();
            assert_eq!(cursor.entry().unwrap().user_key, found[0].0);
        }
    }
}

#[test]
fn range_keys_are_those_that_the_library_sees() {
    let (mut seen, mut others) = (0, Vec::new());
    for Fixture { name, files, json: sidecar } in fixtures(&["p_"]) {
        // The newest range keys of p_unclean are in its log.
        if name == "p_unclean" {
            continue;
        }
        let mut found = Vec::new();
        for file in tables(&files) {
            let keys = pebble::open(&files, &file, ORDER).unwrap().range_keys().unwrap();
            others.extend(keys.iter().filter(|key| key.kind != Kind::RangeKeySet).cloned());
            found.extend(keys.into_iter().filter(|key| key.kind == Kind::RangeKeySet));
        }
        found.sort_by(|a, b| a.start.cmp(&b.start));
        let wanted = sidecar["range_keys"].as_array().cloned().unwrap_or_default();
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (key, wanted) in found.iter().zip(&wanted) {
            assert_eq!(key.start, unhex(&wanted["start"]), "{name}");
            assert_eq!(key.end, unhex(&wanted["end"]), "{name}");
            assert_eq!(key.suffix, unhex(&wanted["keys"][0]["suffix"]), "{name}");
            assert_eq!(key.value, unhex(&wanted["keys"][0]["value"]), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 9);
    // Between the ranges that are left, one part was unset and one deleted.
    let unset = others.iter().filter(|key| key.kind == Kind::RangeKeyUnset);
    assert_eq!(unset.map(|key| key.suffix.as_slice()).collect::<Vec<_>>(), [b"@9"; 3]);
    assert_eq!(others.len(), 6);
}

/// The values that a reader sees: the newest version of each key, operands joined, deleted keys left out.
fn live(files: &dyn Files, sidecar: &Json) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut versions: BTreeMap<Vec<u8>, Vec<(u64, Kind, Value)>> = BTreeMap::new();
    let mut deletions: Vec<RangeDeletion> = Vec::new();
    for file in table_files(sidecar) {
        let table = open(files, &file);
        deletions.extend(table.range_deletions().unwrap());
        let ingested = file["smallest_seq"] == file["largest_seq"];
        for (key, sequence, kind, value) in entries(table.as_ref()) {
            let sequence = if ingested { file["largest_seq"].as_u64().unwrap() } else { sequence };
            versions.entry(key).or_default().push((sequence, kind, value));
        }
    }
    let mut live = BTreeMap::new();
    for (key, mut versions) in versions {
        versions.sort_by_key(|version| u64::MAX - version.0);
        let hidden = deletions
            .iter()
            .filter(|range| range.start <= key && range.end.as_ref().is_none_or(|end| key < *end))
            .map(|range| range.sequence)
            .max();
        let mut operands = Vec::new();
        for (sequence, kind, value) in versions {
            if hidden.is_some_and(|hidden| hidden > sequence) || kind.is_delete() {
                break;
            }
            let Value::Bytes(bytes) = value else { panic!("{value:?}") };
            operands.push(bytes);
            if kind == Kind::Put {
                break;
            }
        }
        operands.reverse();
        if !operands.is_empty() {
            live.insert(key, operands.concat());
        }
    }
    live
}

#[test]
fn the_live_contents_are_those_that_the_library_sees() {
    // The logs of the other directories have newer entries.
    for name in ["p_history", "p_virtual_tables"] {
        let Fixture { files, json: sidecar, .. } = fixture(name);
        let live = live(&files, &sidecar);
        let wanted = &sidecar["column_families"][0]["live"];
        assert_eq!(wanted["count"], live.len(), "{name}");
        assert_eq!(wanted["sha256"], digest(&live), "{name}");
    }
}
