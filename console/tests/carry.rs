//! Column families of other programs that become databases and tables: whole, or refused with a sentence.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

mod room;

use room::*;
use std::path::Path;

/// The entries of a database of this program, as `scan` prints them.
fn entries(path: &Path) -> Vec<(String, String)> {
    let out = accepted(&[text(path), "--json", "-c", "scan --limit 1000000"]);
    let out: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let entries = out["result"]["entries"].as_array().expect("a list").iter();
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    entries.map(|entry| (text(&entry["key"]), text(&entry["value"]))).collect()
}

fn count(path: &Path) -> usize {
    entries(path).len()
}

#[test]
fn a_family_is_chosen_by_name() {
    let room = Room::new("family");
    let source = room.copy_lsm("c_families");
    let before = content(&source);
    let counts = [("default", 301), ("users", 261), ("events", 99), ("größe", 34)];
    for (family, live) in counts {
        let target = room.path(family);
        let out = accepted(&["import", text(&source), text(&target), "--family", family]);
        assert!(out.contains(&format!("{live} live entries")) && out.contains(family), "{out}");
        assert!(out.contains("Not imported: "), "{out}");
        assert_eq!(count(&target), live, "{family}");
        accepted(&["check", text(&target)]);
    }
    let unnamed = room.path("unnamed");
    let out = accepted(&["import", text(&source), text(&unnamed)]);
    assert!(out.contains("Not imported: users, events, größe. --family NAME"), "{out}");
    assert_eq!(entries(&unnamed), entries(&room.path("default")));
    let absent = room.path("absent");
    let words = ["import", text(&source), text(&absent), "--family", "nope"];
    refused(&words, "there is no column family nope");
    refused(&words, "there are: default, users, events, größe");
    assert!(!absent.exists());
    assert_eq!(content(&source), before);
}

#[test]
fn the_only_family_needs_no_name() {
    let room = Room::new("only");
    for (fixture, live) in [("p_history", "p"), ("l_history", "l")] {
        let source = room.copy_lsm(fixture);
        let (unnamed, named) = (room.path(live), room.path(&format!("{live}-named")));
        accepted(&["import", text(&source), text(&unnamed)]);
        accepted(&["import", text(&source), text(&named), "--family", "default"]);
        assert!(count(&unnamed) > 100);
        assert_eq!(entries(&unnamed), entries(&named), "{fixture}");
        let target = room.path("other");
        refused(&["import", text(&source), text(&target), "--family", "users"], "column family");
        assert!(!target.exists());
    }
}

#[test]
fn values_in_blob_files_and_operands_are_followed() {
    let room = Room::new("followed");
    for (fixture, live) in
        [("b_blob_files", None), ("p_blob_files", None), ("e_merge_operands", Some(88))]
    {
        let source = room.copy_lsm(fixture);
        let target = room.path("new");
        let out = accepted(&["import", text(&source), text(&target)]);
        assert!(!out.contains("warning"), "{out}");
        assert!(live.is_none_or(|live| count(&target) == live), "{fixture}");
        std::fs::remove_dir_all(&target).expect("removed");
    }
}

#[test]
fn what_has_no_plain_value_is_refused_named_and_counted() {
    let room = Room::new("lossy");
    let columns = room.copy_lsm("e_wide_columns");
    let operands = room.copy_lsm("e_merge_operands");
    std::fs::remove_file(operands.join("OPTIONS-000007")).expect("removed");
    let range_keys = room.copy_lsm("p_columns_kinds");
    let (target, table) = (room.path("new"), room.path("new.sst"));
    for (source, reason) in [
        (&columns, "other columns left out"),
        (&operands, "merge operands without a known operator"),
        (&range_keys, "range key"),
    ] {
        for (words, made) in [
            (["import", text(source), text(&target)], &target),
            (["export", text(source), text(&table)], &table),
        ] {
            refused(&words, reason);
            refused(&words, "--lossy");
            assert!(!made.exists(), "{words:?}");
            if source == &operands && made == &table {
                // All of its entries have operands.
                let lossy = [&words[..], &["--lossy"]].concat();
                refused(&lossy, "ingests no empty table");
                continue;
            }
            let lossy: Vec<&str> = words.iter().copied().chain(["--lossy"]).collect();
            let out = accepted(&lossy);
            assert!(out.contains("warning") && out.contains(reason), "{out}");
        }
        accepted(&["check", text(&target)]);
        std::fs::remove_dir_all(&target).expect("removed");
        let _ = std::fs::remove_file(&table);
    }
    let timestamps = room.copy_lsm("e_timestamps");
    let out = accepted(&["import", text(&timestamps), text(&target)]);
    assert!(out.contains("36 entries had a timestamp"), "{out}");
    assert_eq!(count(&target), 36);
}

/// The log used to be read up to the damage, and the import passed for a whole one.
#[test]
fn damage_is_refused_or_reported() {
    let room = Room::new("damaged");
    for fixture in
        ["d_log_flip", "d_table_flip", "d_table_missing", "d_blob_missing", "dp_table_flip"]
    {
        let source = room.copy_lsm(fixture);
        let (target, table) = (room.path("new"), room.path("new.sst"));
        refused(&["import", text(&source), text(&target)], "--skip-damage");
        refused(&["export", text(&source), text(&table)], "--skip-damage");
        assert!(!target.exists() && !table.exists(), "{fixture}");
        let out = accepted(&["import", text(&source), text(&target), "--skip-damage"]);
        assert!(out.contains("skipped") && out.contains("deleted keys may be back"), "{out}");
        accepted(&["check", text(&target)]);
        std::fs::remove_dir_all(&target).expect("removed");
    }
}

#[test]
fn a_table_is_exported_from_a_database_and_from_a_family() {
    let room = Room::new("tables");
    let own = room.path("own");
    accepted(&[text(&own), "-c", "put a 1; put b 2; flush; del a; put c 3"]);
    let table = room.path("own.sst");
    let out = accepted(&["export", text(&own), text(&table)]);
    assert!(out.contains("2 live entries"), "{out}");
    let out = accepted(&["inspect", text(&table)]);
    assert!(out.contains("RocksDB"), "{out}");
    // A file that is there is not replaced.
    refused(&["export", text(&own), text(&table)], "cannot be written");
    refused(&["export", text(&own), text(&room.path("x.sst")), "--family", "a"], "--family");
    refused(&["export", text(&own), text(&room.path("x")), "--lossy"], "--lossy");
    refused(&["export", text(&room.path("nothing")), text(&room.path("x.sst"))], "there is no");
    let families = room.copy_lsm("c_families");
    let users = room.path("users.sst");
    let out = accepted(&["export", text(&families), text(&users), "--family", "users"]);
    assert!(out.contains("261 live entries"), "{out}");
    let empty = room.path("empty");
    accepted(&[text(&empty), "-c", "put a 1; del a"]);
    refused(&["export", text(&empty), text(&room.path("x.sst"))], "ingests no empty table");
    assert!(!room.path("x.sst").exists());
}

#[cfg(unix)]
#[test]
fn a_database_that_is_in_use_is_not_imported() {
    use rustix::fs::{FlockOperation, fcntl_lock};
    let room = Room::new("used");
    for fixture in ["h_history", "p_history"] {
        let source = room.copy_lsm(fixture);
        let (target, table) = (room.path("new"), room.path("new.sst"));
        let lock = std::fs::File::options().write(true).open(source.join("LOCK")).expect("a file");
        fcntl_lock(&lock, FlockOperation::NonBlockingLockExclusive).expect("free");
        refused(&["import", text(&source), text(&target)], "in use by another program");
        refused(&["export", text(&source), text(&table)], "in use by another program");
        assert!(!target.exists() && !table.exists());
        drop(lock);
        accepted(&["import", text(&source), text(&target)]);
        std::fs::remove_dir_all(&target).expect("removed");
    }
}
