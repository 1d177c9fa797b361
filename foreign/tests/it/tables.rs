//! Tables of RocksDB and LevelDB: entries, seeks, properties, blocks and damage as the real library sees them.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::{Fixture, fixture, fixtures};
use levelscope_foreign::table::BlockTable;
use levelscope_foreign::text::hex;
use levelscope_foreign::{
    Comparator, Engine, ErrorKind, Kind, RangeDeletion, Severity, TableReader, Value,
};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Prefixes of the sound fixtures with tables of RocksDB in blocks.
const SOUND: [&str; 12] =
    ["t_", "i_", "e_", "b_", "c_", "m_", "h_", "w_", "x_", "v7_8_", "v9_8_", "d_"];

type Entry = (Vec<u8>, u64, Kind, Vec<u8>);

fn open<'f>(fixture: &'f Fixture, name: &str, expected: &Json) -> BlockTable<'f> {
    let order = fixture.comparator(expected);
    BlockTable::open(&fixture.files, name, Engine::RocksDb, order)
        .unwrap_or_else(|error| panic!("{}: {error}", fixture.name))
}

fn walk(table: &dyn TableReader) -> levelscope_foreign::Result<Vec<Entry>> {
    let mut cursor = table.cursor()?;
    cursor.first()?;
    let mut entries = Vec::new();
    while let Some(entry) = cursor.entry() {
        let (key, sequence, kind) = (entry.user_key.to_vec(), entry.sequence, entry.kind);
        let Value::Bytes(value) = cursor.value()? else { panic!("a value in a blob of Pebble") };
        entries.push((key, sequence, kind, value));
        cursor.next()?;
    }
    Ok(entries)
}

/// Every sound table in blocks, with its description.
fn each(mut then: impl FnMut(&Fixture, &str, &Json)) {
    let mut count = 0;
    for fixture in fixtures(&SOUND) {
        for (name, expected) in fixture.tables() {
            // Plain and cuckoo tables have no format version here, damaged ones are not read.
            if expected["read"] == "OK" && expected["format_version"].is_u64() {
                then(&fixture, &name, &expected);
                count += 1;
            }
        }
    }
    assert!(count >= 231, "only {count} tables");
}

fn is_bzip2(expected: &Json) -> bool {
    expected["compression"] == "BZip2"
}

#[test]
fn entries_are_those_that_rocksdb_reads() {
    each(|fixture, name, expected| {
        if is_bzip2(expected) {
            return;
        }
        let table = open(fixture, name, expected);
        let entries = walk(&table).unwrap_or_else(|error| panic!("{}: {error}", fixture.name));
        let at = format!("{}/{name}", fixture.name);
        assert_eq!(entries.len() as u64, expected["entries"].as_u64().unwrap(), "{at}");
        let rows: Vec<Json> = entries
            .iter()
            .map(|(key, sequence, kind, value)| {
                let value =
                    if value.len() > 200 { format!("#{}", value.len()) } else { hex(value) };
                json!([hex(key), sequence, kind.word(), value])
            })
            .collect();
        let mut kinds = BTreeMap::new();
        for (_, _, kind, _) in &entries {
            *kinds.entry(kind.word()).or_insert(0) += 1;
        }
        assert_eq!(json!(kinds), expected["kinds"], "{at}");
        for (row, expected) in
            [(rows.first(), &expected["first_entry"]), (rows.last(), &expected["last_entry"])]
        {
            if let Some(row) = row {
                assert_eq!(row.as_array().unwrap()[..3], expected.as_array().unwrap()[..], "{at}");
            }
        }
        let hash = Sha256::digest(serde_json::to_string(&rows).unwrap());
        assert_eq!(json!(hex(&hash)), expected["entries_sha256"], "{at}");
    });
}

#[test]
fn properties_are_those_of_rocksdb() {
    each(|fixture, name, expected| {
        let table = open(fixture, name, expected);
        let (at, summary) = (format!("{}/{name}", fixture.name), table.summary());
        assert_eq!(json!(summary.checksum), expected["checksum"], "{at}");
        for (number, field) in [
            (summary.entries, "num_entries"),
            (summary.deletions, "num_deletions"),
            (summary.merge_operands, "num_merge_operands"),
            (summary.range_deletions, "num_range_deletions"),
            (summary.raw_key_bytes, "raw_key_size"),
            (summary.raw_value_bytes, "raw_value_size"),
        ] {
            assert_eq!(json!(number), expected[field], "{at}: {field}");
        }
        assert_eq!(json!(summary.comparator), expected["comparator"], "{at}");
        for (property, value) in expected["user_properties"].as_object().unwrap() {
            let own = summary.properties.get(property).map(|bytes| hex(bytes));
            assert_eq!(json!(own), *value, "{at}: {property}");
        }
    });
}

/// `deletions` cut where any begins or ends, the newest of each part.
fn fragments(order: Comparator, deletions: &[RangeDeletion]) -> Vec<(Vec<u8>, Vec<u8>, u64)> {
    let mut bounds: Vec<&[u8]> =
        deletions.iter().flat_map(|one| [&one.start[..], one.end.as_deref().unwrap()]).collect();
    bounds.sort_by(|a, b| order.compare(a, b));
    bounds.dedup();
    let less = |a: &[u8], b: &[u8]| order.compare(a, b) == Ordering::Less;
    let parts = bounds.windows(2).filter_map(|pair| {
        let covers = |one: &&RangeDeletion| {
            !less(pair[0], &one.start) && less(pair[0], one.end.as_deref().unwrap())
        };
        let newest = deletions.iter().filter(covers).map(|one| one.sequence).max()?;
        Some((pair[0].to_vec(), pair[1].to_vec(), newest))
    });
    parts.collect()
}

#[test]
fn range_deletions_are_those_that_rocksdb_reads() {
    let mut found = 0;
    each(|fixture, name, expected| {
        let table = open(fixture, name, expected);
        let deletions = table.range_deletions().unwrap();
        let own: Vec<Json> = fragments(fixture.comparator(expected), &deletions)
            .iter()
            .map(|(start, end, sequence)| json!([hex(start), hex(end), sequence]))
            .collect();
        assert_eq!(json!(own), expected["range_deletions"], "{}/{name}", fixture.name);
        found += own.len();
    });
    assert!(found > 0);
}

#[test]
fn a_seek_finds_what_a_walk_finds() {
    let mut reverse = 0;
    each(|fixture, name, expected| {
        if is_bzip2(expected) {
            return;
        }
        let order = fixture.comparator(expected);
        reverse += usize::from(order.is_reverse());
        let table = open(fixture, name, expected);
        let entries = walk(&table).unwrap();
        let mut cursor = table.cursor().unwrap();
        let step = entries.len() / 40 + 1;
        for (key, sequence, ..) in entries.iter().step_by(step).chain(entries.last()) {
            let (mut longer, mut shorter) = (key.clone(), key.clone());
            longer.insert(longer.len() - order.timestamp_bytes(), 0);
            if key.len() > order.timestamp_bytes() {
                shorter.remove(key.len() - order.timestamp_bytes() - 1);
            }
            let keys = [key, &longer, &shorter];
            let sequences = [*sequence, sequence.wrapping_add(1), sequence.saturating_sub(1)];
            for (key, sequence) in
                keys.iter().zip(sequences).chain(keys.iter().zip([u64::MAX >> 8, 0, 7]))
            {
                let wanted =
                    entries.iter().find(|(other, at, ..)| match order.compare(other, key) {
                        Ordering::Less => false,
                        Ordering::Equal => *at <= sequence,
                        Ordering::Greater => true,
                    });
                cursor.seek(key, sequence).unwrap();
                let found = cursor.entry().map(|entry| (entry.user_key.to_vec(), entry.sequence));
                let wanted = wanted.map(|entry| (entry.0.clone(), entry.1));
                assert_eq!(found, wanted, "{}/{name}: {} @ {sequence}", fixture.name, hex(key));
            }
        }
    });
    assert!(reverse > 0);
}

#[test]
fn sound_tables_have_no_findings() {
    each(|fixture, name, expected| {
        let table = open(fixture, name, expected);
        for deep in [false, true] {
            let mut findings = Vec::new();
            let read = table.check(deep, &mut |problem| findings.push(problem)).bytes;
            findings.retain(|problem| problem.severity == Severity::Error || !is_bzip2(expected));
            assert_eq!(findings, [], "{}/{name}", fixture.name);
            assert!(read > 0);
        }
    });
}

#[test]
fn tables_of_leveldb_are_read() {
    let fixture = fixture("l_history");
    let names = fixture.named(&["ldb"]);
    assert_eq!(names.len(), 3);
    for name in &names {
        let table =
            BlockTable::open(&fixture.files, name, Engine::LevelDb, Comparator::Bytewise).unwrap();
        assert_eq!(
            (table.summary().format.as_str(), table.summary().checksum),
            ("LevelDB table", "crc32c")
        );
        let entries = walk(&table).unwrap();
        assert!(entries.len() > 10, "{name}: {}", entries.len());
        assert!(entries.is_sorted_by(|a, b| (&a.0, b.1) < (&b.0, a.1)), "{name}");
        let mut cursor = table.cursor().unwrap();
        for (key, sequence, kind, _) in &entries {
            cursor.seek(key, *sequence).unwrap();
            let entry = cursor.entry().unwrap();
            assert_eq!((entry.user_key, entry.sequence, entry.kind), (&key[..], *sequence, *kind));
        }
        table.check(true, &mut |problem| panic!("{problem:?}"));
    }
}

#[test]
fn tables_of_other_formats_are_not_read_and_not_called_damaged() {
    for name in ["x_plain_table", "x_cuckoo_table"] {
        let fixture = fixture(name);
        for file in fixture.named(&["sst"]) {
            let opened = levelscope_foreign::table::open(
                &fixture.files,
                &file,
                Engine::RocksDb,
                Comparator::Bytewise,
            );
            let error = opened.err().unwrap();
            assert_eq!(error.kind(), ErrorKind::NotRead, "{name}: {error}");
        }
    }
}

#[test]
fn damage_is_found_near_its_offset() {
    for fixture in fixtures(&["d_table_flip", "d_table_footer", "d_table_short"]) {
        let damage = &fixture.json["damage"];
        let (file, offset) = (damage["file"].as_str().unwrap(), damage["offset"].as_u64().unwrap());
        let mut findings = Vec::new();
        match BlockTable::open(&fixture.files, file, Engine::RocksDb, Comparator::Bytewise) {
            Err(error) => findings.push((error.offset().unwrap(), error.to_string())),
            Ok(table) => {
                table.check(false, &mut |problem| {
                    assert_eq!((problem.file.as_str(), problem.severity), (file, Severity::Error));
                    assert!(problem.keys.is_some(), "{problem:?}");
                    findings.push((problem.offset.unwrap(), problem.message));
                });
            }
        }
        assert_eq!(findings.len(), 1, "{}: {findings:?}", fixture.name);
        assert!(findings[0].0.abs_diff(offset) < 100, "{}: {findings:?}", fixture.name);
    }
}

#[test]
fn a_walk_goes_on_after_a_damaged_block() {
    let fixture = fixture("d_table_flip");
    let table =
        BlockTable::open(&fixture.files, "000010.sst", Engine::RocksDb, Comparator::Bytewise)
            .unwrap();
    let mut cursor = table.cursor().unwrap();
    assert_eq!(cursor.first().unwrap_err().offset(), Some(0));
    assert_eq!(cursor.entry(), None);
    let mut count = 0;
    cursor.next().unwrap();
    while cursor.entry().is_some() {
        count += 1;
        cursor.next().unwrap();
    }
    assert!((150..200).contains(&count), "{count}");
}

#[test]
fn an_ingested_table_has_one_sequence_number() {
    let fixture = fixture("x_ingested");
    let mut found = Vec::new();
    for (name, expected) in fixture.tables() {
        let table = open(&fixture, &name, &expected);
        found.extend(table.summary().ingested_sequence(Some(61)));
    }
    assert!(!found.is_empty());
    assert!(found.iter().all(|sequence| *sequence == 61), "{found:?}");
}
