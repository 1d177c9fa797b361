//! Directories of other programs and of people: identified, and never written to.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

mod leveldb_log;
mod room;

use leveldb_log::log_of;
use room::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Opening, repairing, checking and benchmarks used to write `CURRENT` and `LOCK` into such directories.
#[test]
fn a_directory_of_another_program_is_never_written_to() {
    let room = Room::new("programs");
    let current: &[u8] = b"MANIFEST-000002\n";
    let directories = [
        (room.copy("leveldb/c_levels_snappy_bloom"), "LevelDB"),
        (room.copy("leveldb/a_empty"), "LevelDB"),
        (room.with("rocks", &[("CURRENT", current), ("IDENTITY", b"x"), ("LOCK", b"")]), "RocksDB"),
        (room.with("headless", &[("OPTIONS-000007", b"x"), ("000009.sst", b"x")]), "RocksDB"),
        (room.with("pebble", &[("marker.format-version.000011.024", b"")]), "Pebble"),
        (room.copy("froopydb/db_l0"), "FroopyDB"),
        (room.with("kvdb", &[("store.db", b"x")]), "kvdb"),
    ];
    let new = room.path("new");
    for (path, program) in &directories {
        let (path, before) = (text(path), content(path));
        assert!(!before.is_empty(), "{path}");
        let reason = format!("database of {program}");
        for commands in ["get a", "put a b", "reset --yes", "fill 3"] {
            refused(&[path, "-c", commands], &reason);
            refused(&[path, "--create-in-nonempty", "-c", commands], &reason);
            let look = [path, "--read-only", "-c", commands];
            // With a manifest, or as files of an experiment, it can be looked at: `get` answers there, and nothing writes.
            let has_manifest = before.keys().any(|name| name.starts_with("MANIFEST-"));
            match (commands, *program) {
                ("get a", "FroopyDB") => assert!(accepted(&look).contains("not found"), "{path}"),
                (_, "FroopyDB" | "kvdb") => assert!(!run(&look).0, "{path}: {commands}"),
                ("get a", _) if has_manifest => {
                    assert!(accepted(&look).contains("not found"), "{path}");
                }
                _ => refused(&look, &reason),
            }
        }
        refused(&["check", path], &reason);
        refused(&["repair", path, text(&new)], &reason);
        refused(&["export", path, text(&new)], &reason);
        refused(&["bench", "--benchmarks=fillseq", "--num=9", "--db", path], &reason);
        refused(
            &["bench", "--benchmarks=fillseq", "--num=9", "--use_existing_db=1", "--db", path],
            &reason,
        );
        assert_eq!(content(Path::new(path)), before, "{path} was written to");
        assert!(!new.exists(), "nothing is made for {path}");
    }
}

#[test]
fn a_directory_with_files_of_unknown_origin_has_to_be_allowed() {
    let room = Room::new("strangers");
    let path = room.with("mine", &[("notes.txt", b"mine")]);
    for commands in ["get a", "put a b", "reset --yes"] {
        refused(&[text(&path), "-c", commands], "\"notes.txt\"");
        refused(&[text(&path), "-c", commands], "--create-in-nonempty");
    }
    assert_eq!(content(&path).len(), 1);
    accepted(&[text(&path), "--create-in-nonempty", "-c", "put a b; reset --yes; put a c"]);
    refused(&[text(&path), "-c", "get a"], "\"notes.txt\"");
    assert!(accepted(&[text(&path), "--create-in-nonempty", "-c", "get a"]).contains('c'));
    assert!(accepted(&[text(&path), "--read-only", "-c", "get a"]).contains('c'));
    accepted(&["check", text(&path)]);
    assert_eq!(content(&path)["notes.txt"], b"mine");
    // A file with a name of ours and other bytes.
    let pictures = room.copy("cloudcentric/s1/db");
    let before = content(&pictures);
    refused(&[text(&pictures), "--create-in-nonempty", "-c", "put a b"], "000001.sst has the name");
    assert_eq!(content(&pictures), before);
}

#[test]
fn files_of_the_operating_system_are_no_strangers() {
    let room = Room::new("system");
    let path = room.with("database", &[(".DS_Store", b"x"), ("desktop.ini", b"y")]);
    std::fs::create_dir(path.join("lost+found")).expect("a directory");
    accepted(&[text(&path), "-c", "put a b"]);
    assert!(accepted(&[text(&path), "-c", "get a"]).contains('b'));
    assert_eq!(content(&path)[".DS_Store"], b"x");
}

/// A `get` on a name with a typing error used to make a database there.
#[test]
fn reading_makes_no_database() {
    let room = Room::new("absent");
    let absent = room.path("absent");
    let empty = room.with("empty", &[]);
    for path in [&absent, &empty] {
        for commands in ["get a", "scan", "stats", "check", "lsm", "explain get a", "files"] {
            refused(&[text(path), "-c", commands], "there is no database");
            assert!(content(path).is_empty(), "{commands}");
        }
        accepted(&[text(path), "-c", "help"]);
        assert!(content(path).is_empty());
    }
    for arguments in [
        &["check", text(&absent)][..],
        &["repair", text(&absent), text(&empty)],
        &[text(&absent), "--read-only", "-c", "get a"],
    ] {
        refused(arguments, "there is no");
    }
    assert!(!absent.exists());
    // The first command that changes something makes it.
    accepted(&[text(&absent), "-c", "put a b; get a"]);
    assert!(accepted(&[text(&absent), "-c", "get a"]).contains('b'));
}

/// It used to print that nothing is lost.
#[test]
fn a_repair_gives_no_all_clear_about_files_that_it_did_not_understand() {
    let room = Room::new("repair");
    let path = room.path("database");
    accepted(&[text(&path), "-c", "put a b; flush"]);
    std::fs::write(path.join("notes.txt"), "mine").expect("a file");
    std::fs::write(path.join("000090.ldb"), "who knows").expect("a file");
    let out = accepted(&["repair", text(&path), text(&room.path("new"))]);
    assert!(!out.contains("nothing is lost"), "{out}");
    assert!(out.contains("not understood") && out.contains("notes.txt"), "{out}");
    assert!(out.contains("000090.ldb"), "{out}");
}

/// A database of `LevelDB` with this log as its newest one.
fn with_log(room: &Room, name: &str, key_bytes: usize) -> PathBuf {
    let keys: Vec<Vec<u8>> = (0..2_000_u32)
        .map(|number| format!("key{number:05}").into_bytes())
        .chain([vec![b'z'; key_bytes]])
        .collect();
    let path = room.copy("leveldb/a_empty");
    let renamed = room.path(name);
    std::fs::rename(path, &renamed).expect("renamed");
    std::fs::write(renamed.join("000003.log"), log_of(&keys)).expect("a file");
    renamed
}

/// It used to leave a database that a check called sound.
#[test]
fn an_import_that_is_refused_halfway_leaves_nothing() {
    let room = Room::new("halfway");
    let source = with_log(&room, "long", (64 << 10) + 1);
    let before = content(&source);
    let target = room.path("new");
    refused(&["import", text(&source), text(&target)], "65,537 bytes");
    assert!(!target.exists(), "nothing is left");
    let out = accepted(&["import", text(&source), text(&target), "--skip-damage"]);
    assert!(out.contains("2,000 live entries") && out.contains("65,537 bytes"), "{out}");
    accepted(&["check", text(&target)]);
    assert!(!content(&target).contains_key("UNFINISHED"));
    assert_eq!(content(&source), before);
}

#[cfg(unix)]
#[test]
fn an_import_that_is_killed_is_absent_whole_or_refused() {
    let room = Room::new("killed");
    let source = with_log(&room, "source", 10);
    // Each file that appears is a moment to kill at; the list ends with "never".
    let moments = ["UNFINISHED", "LOCK", "CURRENT", "000002.wal", "never"];
    for moment in moments {
        let target = room.path(moment);
        let target = target.join("new");
        let mut child = Command::new(env!("CARGO_BIN_EXE_levelscope"))
            .args(["import", text(&source), text(&target), "--preset", "classroom"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program runs");
        while !target.join(moment).exists() && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().expect("it ended");
        if target.join("UNFINISHED").exists() {
            refused(&[text(&target), "-c", "get key00000"], "do it again");
            refused(&[text(&target), "-c", "put a b"], "do it again");
            refused(&["check", text(&target)], "do it again");
            refused(&["repair", text(&target), text(&room.path("repaired"))], "do it again");
        } else if target.join("CURRENT").exists() {
            accepted(&["check", text(&target)]);
            let out = accepted(&[text(&target), "-c", "count"]);
            assert!(out.contains("2,001"), "{out}");
        }
    }
}

/// An importer that holds the lock of `LevelDB`, as a program that has the database open does.
#[cfg(unix)]
#[test]
fn a_database_of_leveldb_that_is_in_use_is_not_imported() {
    use rustix::fs::{FlockOperation, fcntl_lock};
    let room = Room::new("in-use");
    let source = room.copy("leveldb/c_levels_snappy_bloom");
    let target = room.path("new");
    let lock = std::fs::File::options().write(true).open(source.join("LOCK")).expect("a file");
    fcntl_lock(&lock, FlockOperation::NonBlockingLockExclusive).expect("free");
    refused(&["import", text(&source), text(&target)], "in use by another program");
    assert!(!target.exists());
    drop(lock);
    accepted(&["import", text(&source), text(&target)]);
    // Without the file no program has it open, and none is made.
    std::fs::remove_file(source.join("LOCK")).expect("removed");
    accepted(&["import", text(&source), text(&room.path("second"))]);
    assert!(!content(&source).contains_key("LOCK"));
}

#[test]
fn an_import_of_damage_names_the_way_out_and_its_risk() {
    let room = Room::new("damage");
    let source = room.copy("leveldb/g_corrupt_block");
    let target = room.path("new");
    refused(&["import", text(&source), text(&target)], "--skip-damage takes the rest");
    refused(&["import", text(&source), text(&target)], "deleted keys can come back");
    let out = accepted(&["import", text(&source), text(&target), "--skip-damage"]);
    assert!(out.contains("deleted keys may be back"), "{out}");
}

/// It used to be offset 0: with the index gone, every block was called damaged.
#[test]
fn the_first_bad_byte_is_the_same_for_every_command() {
    let room = Room::new("first");
    let source = room.copy("leveldb/d_plain_nobloom");
    let name = content(&source).into_iter().find(|(name, _)| name.contains(".ldb"));
    let (name, mut table) = name.expect("it has a table");
    // The footer has the place of the index: varints of the meta index, then those of the index.
    let mut at = table.len() - 48;
    let mut varint = || {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = table[at];
            at += 1;
            value |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return value;
            }
        }
    };
    let (_, _, index) = (varint(), varint(), varint());
    let index = usize::try_from(index).expect("small");
    table[index + 3] ^= 1;
    std::fs::write(source.join(&name), &table).expect("a file");
    let grouped = levelscope_console::text::count(index as u64);
    let path = source.join(&name);
    for commands in ["check", "scan"] {
        let (_, out) = run(&[text(&path), "--read-only", "-c", commands]);
        assert!(out.contains(&format!("offset {grouped}")), "{commands}: {out}");
    }
    refused(&["inspect", text(&path)], &format!("offset {grouped}"));
    refused(&["import", text(&source), text(&room.path("new"))], &format!("offset {index}"));
}

/// A flipped bit in the length of the last but one record made the rest of the manifest a torn tail: 228 of
/// 603 entries were lost without a word.
#[test]
fn an_import_refuses_a_torn_manifest_that_leaves_tables_without_a_name() {
    let room = Room::new("torn-manifest");
    let source = room.copy("leveldb/m_plyvel_1_22");
    let path = source.join("MANIFEST-000002");
    let mut manifest = std::fs::read(&path).expect("a manifest");
    manifest[55] ^= 2;
    std::fs::write(&path, manifest).expect("a file");
    let (damaged, target) = (text(&source), room.path("new"));
    refused(&["import", damaged, text(&target)], "--skip-damage");
    assert!(!target.exists());
    let out = accepted(&["import", damaged, text(&target), "--skip-damage"]);
    assert!(out.contains("603 live entries"), "{out}");
    assert!(out.contains("deleted keys may be back"), "{out}");
}

#[test]
fn a_missing_file_is_reported_in_words() {
    let (good, out) = run(&["nope", "--read-only", "-c", "files"]);
    assert!(!good && out.contains("there is no directory nope"), "{out}");
    assert!(!out.contains("os error"), "{out}");
}

/// Such a file used to be reported as not read.
#[test]
fn a_file_is_read_without_its_directory() {
    let room = Room::new("whole");
    for (fixture, is_read) in [
        ("t_fv7_snappy_xxhash64", true),
        ("t_fv4_lz4_xxhash64", true),
        ("i_two_level", true),
        ("p_newest_plain", true),
        // Its values are in blob files that only the manifest names.
        ("p_blob_files", false),
        ("x_plain_table", false),
        ("t_fv5_bzip2_xxhash", false),
    ] {
        let directory = room.copy_lsm(fixture);
        let mut seen = 0;
        for name in content(&directory).keys().filter(|name| name.contains(".sst")) {
            let path = directory.join(name);
            let out = accepted(&["inspect", text(&path)]);
            assert!(
                out.contains("footer") || fixture == "x_plain_table",
                "{fixture}/{name}: {out}"
            );
            let (_, out) = run(&[text(&path), "--read-only", "-c", "stats; scan --limit 3"]);
            let is_reported = out.contains("not read ") || out.contains("is not known");
            assert_eq!(is_reported, !is_read, "{fixture}/{name}: {out}");
            assert!(out.contains("without a manifest"), "{fixture}/{name}: {out}");
            seen += 1;
        }
        assert!(seen > 0, "{fixture}");
    }
}

#[test]
fn the_bytes_of_a_file_of_another_engine_have_names() {
    let room = Room::new("bytes");
    let path = room.copy("../lsm/t_fv3_snappy_xxhash");
    let before = content(&path);
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let table = before.keys().find(|name| name.contains(".sst")).expect("a table");
    let out = look(&format!("layout {table}"));
    for word in
        ["RocksDB block-based table, version 3", "data blocks", "index", "metaindex", "footer"]
    {
        assert!(out.contains(word), "{out}");
    }
    let encoded = "blocks:1/block:1/compressed:1";
    let out = look(&format!("layout {table} --node {encoded}/content:1/entries:1 --limit 3"));
    assert!(out.contains("decompressed content") && out.contains("sequence number"), "{out}");
    assert!(out.contains("parts more: --skip N"), "{out}");
    let out = look(&format!("layout {table} --node blocks:1/block:1/trailer:2"));
    assert!(out.contains("checksum = ") && out.contains(", right"), "{out}");
    assert!(look("layout CURRENT").contains("MANIFEST-"));
    let out = look("hex CURRENT --at 9 --length 4");
    assert!(out.contains("30 30 30 30") && out.contains("bytes 9 to 13 of 16"), "{out}");
    let out = look(&format!("hex {table} --node {encoded} --decoded --find cherry --length 6"));
    assert!(out.contains("63 68 65 72 72 79") && out.contains("decompressed content"), "{out}");
    for (command, reason) in [
        ("hex CURRENT --at 999".to_owned(), "there is no offset 999 in CURRENT"),
        (format!("layout {table} --node blocks:1/block:99999"), "has no part 99999"),
        (format!("layout {table} --node blocks:1/entry:1"), "there is no node blocks:1/entry:1"),
        ("layout CURRENT --node a/b".to_owned(), "there is no node a/b in CURRENT"),
        ("layout nowhere".to_owned(), "the file is missing"),
    ] {
        refused(&[text(&path), "--read-only", "-c", &command], reason);
    }
    assert_eq!(content(&path), before);
}

/// An error used to drop the later commands without a word.
#[test]
fn commands_after_one_that_failed_are_named() {
    let room = Room::new("not-run");
    let path = room.copy_lsm("m_levels");
    let line = "families; table nonsense; levels; problems";
    let arguments = [text(&path), "--read-only", "-c", line];
    refused(&arguments, "is no table, level, log or blob file");
    refused(&arguments, "2 commands after it not run: levels; problems");
    let (good, out) = run(&[&arguments[..], &["--json"]].concat());
    assert!(!good && out.matches("\"notRun\"").count() == 2, "{out}");
    let own = room.path("own");
    refused(&[text(&own), "-c", "put a 1; nonsense; get a; get b"], "2 commands after it not run");
}
