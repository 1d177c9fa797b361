//! Tables and logs with times in their keys.

use crate::fixture::{assert_explained, assert_recognized, described, file, format, unhex_value};
use levelscope::inspect::Scope;
use levelscope::testing::covers::assert_covers;
use levelscope_formats::froopy::{FilterState, Table};
use levelscope_formats::{Entry, SearchMethod};
use serde_json::Value;
use std::collections::BTreeMap;

type Version = (Vec<u8>, u64, Option<Vec<u8>>);

/// `{key, ts, value, tombstone}`.
fn versions(list: &Value) -> Vec<Version> {
    let version = |found: &Value| {
        let live = found["tombstone"] == false;
        (
            unhex_value(&found["key"]),
            found["ts"].as_u64().unwrap(),
            live.then(|| unhex_value(&found["value"])),
        )
    };
    list.as_array().unwrap().iter().map(version).collect()
}

fn version(entry: &Entry<'_>) -> Version {
    let value = entry.value.as_ref().map(|value| value.to_vec());
    (entry.key.to_vec(), entry.sequence.unwrap(), value)
}

/// The newest of each key.
fn newest(versions: &[Version]) -> BTreeMap<Vec<u8>, (u64, Option<Vec<u8>>)> {
    let mut newest = BTreeMap::new();
    for (key, time, value) in versions {
        let place = newest.entry(key.clone()).or_insert((*time, value.clone()));
        if place.0 <= *time {
            *place = (*time, value.clone());
        }
    }
    newest
}

fn assert_newest(versions: &[Version], json: &Value, context: &str) {
    let json = json.as_object().unwrap().iter().map(|(key, found)| {
        let value = &found["value"];
        let value = (!value.is_null()).then(|| unhex_value(value));
        (unhex_value(&Value::from(key.as_str())), (found["ts"].as_u64().unwrap(), value))
    });
    assert_eq!(newest(versions), json.collect(), "{context}");
}

fn assert_table(path: &str, json: &Value) -> Vec<Version> {
    let (bytes, table) = (file(path), format("froopy-table"));
    let name = path.rsplit('/').next().unwrap();
    assert_recognized(name, &bytes, "froopy-table");
    assert_explained(table, path, &bytes);
    let expected = versions(&json["entries"]);
    let found: Vec<_> = table.scan(&bytes).map(|entry| version(&entry.unwrap())).collect();
    assert_eq!(found, expected, "{path}");

    let opened = Table::open(&bytes).unwrap();
    let metadata = opened.metadata();
    assert_eq!(json["nkeys"], metadata.keys, "{path}");
    assert_eq!(json["level"], metadata.level, "{path}");
    assert_eq!(json["incr"], metadata.increment, "{path}");
    assert_eq!(json["sorted"], opened.is_sorted(), "{path}");
    assert_eq!(opened.filter(), FilterState::Good, "{path}");
    for (key, (time, value)) in newest(&expected) {
        for method in table.info().searches {
            let found = table.get(&bytes, &key, *method).unwrap().unwrap();
            assert_eq!(version(&found), (key.clone(), time, value.clone()), "{path}");
        }
    }
    // Every version, from its own time on and not before.
    for (key, time, value) in &expected {
        let found = opened.get(key, *time).unwrap().unwrap();
        assert_eq!(version(&found), (key.clone(), *time, value.clone()), "{path}");
        let before = time.checked_sub(1).and_then(|before| opened.get(key, before).unwrap());
        assert!(before.is_none_or(|before| before.sequence < Some(*time)), "{path}");
    }
    if opened.is_sorted() {
        let entries: Vec<_> = table.scan(&bytes).map(Result::unwrap).collect();
        let number = levelscope_formats::froopy::TableNumber {
            level: metadata.level,
            increment: metadata.increment,
        };
        assert!(number.write(&entries).unwrap() == bytes, "{path}: other bytes than the original");
    }
    for absent in [&b""[..], b"absent", b"\xff\xff\xff"] {
        let is_there = expected.iter().any(|(key, ..)| key == absent);
        for method in table.info().searches {
            assert_eq!(table.get(&bytes, absent, *method).unwrap().is_some(), is_there);
        }
    }
    expected
}

fn assert_log(path: &str, json: &Value) -> Vec<Version> {
    let (bytes, log) = (file(path), format("froopy-log"));
    assert_recognized(path.rsplit('/').next().unwrap(), &bytes, "froopy-log");
    assert_covers(&log.annotate(path, &bytes, Scope::ALL), &bytes);
    let mut found: Vec<_> = log.scan(&bytes).collect();
    let torn = found.pop_if(|last| last.is_err()).map(Result::unwrap_err);
    let found: Vec<_> = found.into_iter().map(|entry| version(&entry.unwrap())).collect();
    if let Some(records) = json["records"].as_u64() {
        assert_eq!(found.len() as u64, records, "{path}");
    }
    if let Some(end) = json["valid_bytes"].as_u64() {
        let torn_at = torn.as_ref().and_then(levelscope::Error::offset);
        assert_eq!(torn_at.unwrap_or(bytes.len() as u64), end, "{path}");
        assert_eq!(torn.is_none(), json["end"] == "clean", "{path}");
    }
    for (key, (time, value)) in newest(&found) {
        let got = log.get(&bytes, &key, SearchMethod::Sequential).unwrap().unwrap();
        assert_eq!(version(&got), (key, time, value), "{path}");
    }
    found
}

#[test]
fn single_tables() {
    for name in ["tiny", "binkeys", "versions"] {
        let json = described(&format!("froopydb/{name}.json"));
        let path = format!("froopydb/{name}/{}", json["file"].as_str().unwrap());
        let found = assert_table(&path, &json);
        assert_newest(&found, &json["newest"], name);
    }
}

#[test]
fn single_logs() {
    for name in ["wal", "wal_torn"] {
        let json = described(&format!("froopydb/{name}.json"));
        let path = format!("froopydb/{name}/{}", json["file"].as_str().unwrap());
        let mut counts = json.clone();
        counts["records"] = Value::from(json["records"].as_array().unwrap().len());
        assert_eq!(assert_log(&path, &counts), versions(&json["records"]), "{name}");
    }
}

/// Tables of all levels and the log together have the newest version of every key; the original
/// program finds some of them no more.
#[test]
fn whole_databases() {
    for name in ["db_l0", "db_compacted"] {
        let json = described(&format!("froopydb/{name}.json"));
        let mut all = Vec::new();
        for (file, json) in json["files"].as_object().unwrap() {
            let path = format!("froopydb/{name}/{file}");
            all.extend(match file.strip_suffix(".sst") {
                Some(_) => assert_table(&path, json),
                None => assert_log(&path, json),
            });
        }
        assert_newest(&all, &json["newest"], name);
    }
}
