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
fn a_file_of_another_engine_is_read_by_itself() {
    let alone = what_of(&[("CURRENT", CURRENT)], "CURRENT");
    let why = alone["unread"]["why"].as_str().unwrap_or_default();
    assert!(why.starts_with("this is CURRENT of LevelDB, RocksDB or Pebble"), "{alone}");
    assert!(why.contains("`levelscope FILE --read-only` reads"), "{alone}");
    assert_eq!(alone["database"], serde_json::Value::Null);
}

#[test]
fn a_file_that_only_its_name_shows_to_be_a_log_is_damaged() {
    let noise: Vec<u8> = (1..=99).collect();
    let log = what_of(&[("1795221886453_9007.log", &noise)], "1795221886453_9007.log");
    let why = log["damage"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("called like a log of FroopyDB"), "{log}");
}
