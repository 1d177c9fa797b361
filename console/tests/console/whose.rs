//! Whose an opened file is, by the files around it and by its name.

use super::console;
use levelscope_console::Foreign;

const CURRENT: &[u8] = b"MANIFEST-000005\n";

/// What is told of the file of this name among `files`.
fn what_of(files: &[(&str, &[u8])], name: &str) -> serde_json::Value {
    let mut console = console("default");
    let foreign =
        |(name, bytes): &(&str, &[u8])| Foreign { name: (*name).into(), bytes: bytes.to_vec() };
    let files = files.iter().map(foreign).collect();
    let response = console.run_files(files, None);
    let states = response.result["files"].as_array().cloned().unwrap_or_default();
    states.into_iter().find(|state| state["name"] == name).expect("it is opened")
}

#[test]
fn the_directory_tells_whose_a_file_of_a_shared_form_is() {
    let alone = what_of(&[("CURRENT", CURRENT)], "CURRENT");
    let what = alone["what"].as_str().unwrap_or_default();
    assert!(what.starts_with("CURRENT of LevelDB or RocksDB (leveldb-current), likely"), "{what}");
    assert_eq!(alone["database"], "@CURRENT");
    let rocks = [("db/CURRENT", CURRENT), ("db/IDENTITY", &b"x"[..])];
    let rocks = what_of(&rocks, "db/CURRENT");
    assert!(rocks["what"].as_str().unwrap_or_default().starts_with("CURRENT of RocksDB"));
    assert_eq!(rocks["database"], serde_json::Value::Null);
    let level = [("db/000005.ldb", &b""[..]), ("db/CURRENT", CURRENT), ("x/IDENTITY", b"x")];
    let level_current = what_of(&level, "db/CURRENT");
    assert!(level_current["what"].as_str().unwrap_or_default().starts_with("CURRENT of LevelDB ("));
    let table = what_of(&level, "db/000005.ldb");
    assert_eq!(table["database"], "@db");
    assert_eq!(table["damage"], serde_json::Value::Null, "a crash leaves empty tables");
    assert_eq!(table["what"], "an empty file");
}

#[test]
fn a_file_that_only_its_name_shows_to_be_a_log_is_damaged() {
    let noise: Vec<u8> = (1..=99).collect();
    let log = what_of(&[("1795221886453_9007.log", &noise)], "1795221886453_9007.log");
    let why = log["damage"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("called like a log of FroopyDB"), "{log}");
}
