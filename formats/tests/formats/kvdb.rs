//! Logs that are whole databases.

use crate::fixture::{assert_recognized, described, file, format, names, unhex_value};
use levelscope::inspect::Scope;
use levelscope::storage::{MemoryStorage, NativeStorage, Storage};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::kvdb::{After, End, FILE, Store, StoreSettings, summary};
use levelscope_formats::{Likeness, SearchMethod};
use serde_json::Value;
use std::collections::BTreeMap;

/// A value, or the record that has it.
fn value(found: &Value, records: &[Value]) -> Option<Vec<u8>> {
    let text = found.as_str()?;
    let Some(number) = text.strip_prefix("@record offset ") else {
        return Some(unhex_value(found));
    };
    let offset: u64 = number.parse().unwrap();
    let record = records.iter().find(|record| record["offset"] == offset).unwrap();
    Some(unhex_value(&record["value"]))
}

#[test]
fn logs_sound_torn_and_damaged() {
    let log = format("kvdb-log");
    for name in names("kvdb", &[".db"]) {
        let bytes = file(&format!("kvdb/{name}"));
        let description = described(&format!("kvdb/{}", name.replace(".db", ".json")));
        assert_eq!(assert_recognized(&name, &bytes, "kvdb-log"), Likeness::Certain);

        let found = summary(&bytes);
        assert_eq!(Some(found.valid_bytes), description["valid_bytes"].as_u64(), "{name}");
        let end = description["end"].as_str().unwrap();
        match &found.end {
            End::Clean => assert_eq!(end, "clean", "{name}"),
            End::Torn => assert!(end.starts_with("torn"), "{name}: {end}"),
            // A forged huge length looks like a torn tail, unless the reader looks at the bytes after it.
            End::Damaged(after) => {
                assert!(!end.starts_with("torn") || name == "flip_keylen_huge.db", "{name}: {end}");
                assert!(matches!(after, After::Record(_)), "{name}: {after:?}");
            }
        }
        let records = description["records"].as_array().unwrap();
        assert_eq!(found.records, records.len() as u64, "{name}");
        let mut scan = log.scan(&bytes);
        let mut prefix = BTreeMap::new();
        for record in records {
            let entry = scan.next().unwrap().unwrap();
            assert_eq!(Some(entry.offset), record["offset"].as_u64(), "{name}");
            assert_eq!(*entry.key, unhex_value(&record["key"]), "{name}");
            let tombstone = record["kind"] == 1;
            let expected = (!tombstone).then(|| unhex_value(&record["value"]));
            assert_eq!(entry.value.as_deref(), expected.as_deref(), "{name}");
            prefix.insert(entry.key.into_owned(), expected);
        }
        if let Some(next) = scan.next() {
            assert_eq!(next.unwrap_err().offset(), Some(found.valid_bytes), "{name}");
        }
        let state = description["state_of_valid_prefix"].as_object().unwrap();
        let expected: BTreeMap<_, _> = state
            .iter()
            .map(|(key, found)| (unhex_value(&Value::from(key.as_str())), value(found, records)))
            .collect();
        assert_eq!(prefix, expected, "{name}");
        assert_covers(&log.annotate(&name, &bytes, Scope::ALL), &bytes);
        if found.end != End::Damaged(After::Nothing) && !matches!(found.end, End::Damaged(_)) {
            for (key, value) in &prefix {
                let got = log.get(&bytes, key, SearchMethod::Sequential).unwrap().unwrap();
                assert_eq!(got.value.as_deref(), value.as_deref(), "{name}");
            }
            assert_store(&bytes, &prefix, &name);
        }
        let entries: Vec<_> = log.scan(&bytes).take(records.len()).map(Result::unwrap).collect();
        assert!(log.write(&entries).unwrap() == bytes[..found.valid_bytes as usize], "{name}");
    }
}

/// The original program answers wrongly here, or not at all.
fn assert_store(bytes: &[u8], state: &BTreeMap<Vec<u8>, Option<Vec<u8>>>, name: &str) {
    let disk = MemoryStorage::new();
    disk.put("store.db", bytes);
    let mut store = Store::open(&disk, StoreSettings::default()).unwrap();
    for (key, value) in state {
        assert_eq!(&store.get(key).unwrap(), value, "{name}");
    }
    store.put(b"after the crash", b"1").unwrap();
    let store = Store::open(&disk, StoreSettings::default()).unwrap();
    assert_eq!(store.get(b"after the crash").unwrap().as_deref(), Some(&b"1"[..]), "{name}");
    assert_eq!(summary(&disk.read(FILE).unwrap()).end, End::Clean, "{name}");
    assert_eq!(disk.list().unwrap(), ["store.db"]);
}

#[test]
fn a_store_of_native_files() {
    let place = std::env::temp_dir().join(format!("levelscope-kvdb-{}", std::process::id()));
    let native = NativeStorage::open(&place).unwrap();
    let settings = StoreSettings { sync: false, ..StoreSettings::default() };
    let mut store = Store::open(&native, settings).unwrap();
    for number in 0..100_u8 {
        store.put(&[b'k', number % 7], &[number]).unwrap();
    }
    store.sync().unwrap();
    let file = native.open(FILE).unwrap();
    file.append(b"\x29\x8e\xb4\x87\0\0\0\0\x04\0\0\0\x06key1val").unwrap();
    let mut store = Store::open(&native, settings).unwrap();
    assert_eq!(store.torn_bytes(), 20);
    store.put(b"last", b"1").unwrap();
    let store = Store::open(&native, settings).unwrap();
    assert_eq!(store.get(b"k\x01").unwrap(), Some(vec![99]));
    assert_eq!(store.get(b"last").unwrap(), Some(b"1".to_vec()));
    native.delete(FILE).unwrap();
    std::fs::remove_dir_all(place).unwrap();
}
