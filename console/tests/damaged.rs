//! Files and directories that are damaged, not read, or left incomplete: reported as such.
#![cfg(feature = "native")]
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, and change files that the program has closed"
)]

mod room;

use room::*;
use std::collections::BTreeMap;

/// A directory with one closed database: a manifest, a log with entries, a table.
fn own(room: &Room) -> BTreeMap<String, Vec<u8>> {
    let path = room.path("own");
    accepted(&[text(&path), "-c", "fill 40; flush; fill 9 --seed 2; put last one"]);
    content(&path)
}

/// Several of these used to be "of no known format" with exit code 0, and a cut table to be one of `FroopyDB`.
#[test]
fn a_damaged_file_that_is_called_like_one_of_a_database_is_damaged() {
    let room = Room::new("named");
    let files = own(&room);
    let leveldb = content(&room.copy("leveldb/c_levels_snappy_bloom"));
    for (name, bytes) in files.iter().chain(&leveldb) {
        let known = ["CURRENT", "MANIFEST-"].iter().any(|form| name.starts_with(form))
            || [".wal", ".sst", ".ldb", ".log"].iter().any(|form| name.ends_with(form));
        if !known || bytes.is_empty() {
            continue;
        }
        accepted(&["inspect", text(&room.with("whole", &[(name, bytes)]).join(name))]);
        let half = &bytes[..bytes.len() / 2];
        let zeros = vec![0; bytes.len()];
        let noise: Vec<u8> = (0..=255).cycle().take(bytes.len()).collect();
        let mut head = bytes.clone();
        head[..8.min(bytes.len())].fill(0xa5);
        // A manifest of LevelDB is framed as a log is.
        let is_framed = name.starts_with("MANIFEST-") && leveldb.contains_key(name);
        let is_log = name.ends_with(".wal") || name.ends_with(".log") || is_framed;
        for (how, damaged) in
            [("half", half), ("noise", &noise), ("head", &head), ("zeros", &zeros)]
        {
            // Zeros are space that was reserved for a log; a crash leaves half of a log or of a manifest.
            let is_torn = how == "half" && (is_log || name.starts_with("MANIFEST-"));
            if is_torn || is_log && how == "zeros" {
                continue;
            }
            let path = room.with(how, &[(name, damaged)]).join(name);
            let (good, out) = run(&["inspect", text(&path)]);
            assert!(!good, "{how} {name}: {out}");
            assert!(out.contains("damaged") || out.contains("error"), "{how} {name}: {out}");
            assert!(!out.contains("froopy"), "{how} {name}: {out}");
            // A byte that is named is one of the file.
            let named = out.split("the first bad byte is at offset ").nth(1);
            if let Some(named) = named.and_then(|rest| rest.split(':').next()) {
                let offset: usize = named.replace(',', "").parse().expect("a number");
                assert!(offset < damaged.len(), "{how} {name}: {out}");
            }
        }
    }
}

#[test]
fn a_text_is_of_no_known_format_unless_it_is_called_like_a_table() {
    let room = Room::new("text");
    let path = room.with("notes", &[("notes.txt", b"just a text")]).join("notes.txt");
    let printed = accepted(&["inspect", text(&path)]);
    assert!(printed.contains("of no known format"), "{printed}");
    assert!(printed.contains("files of Levelscope, RocksDB, Pebble and LevelDB"), "{printed}");
    // Nothing is damaged, but nothing was checked, either.
    refused(&[text(&path), "--read-only", "-c", "check"], "nothing was checked");
    let directory = path.parent().expect("it is in a directory");
    refused(&[text(directory), "--read-only", "-c", "check"], "identifies its files");
    let path = room.with("table", &[("000005.sst", b"just a text")]).join("000005.sst");
    let (good, printed) = run(&["inspect", text(&path)]);
    assert!(!good && printed.contains("is called like a table, but is none"), "{printed}");
    assert!(!printed.contains("no known format"), "{printed}");
}

/// They used to be damaged at offset 0.
#[test]
fn what_is_not_read_is_not_damaged() {
    let room = Room::new("unread");
    let tables = content(&room.copy("leveldb/o_zstd"));
    let (name, table) = tables.iter().find(|(name, _)| name.ends_with(".ldb")).expect("a table");
    let out = accepted(&["inspect", text(&room.with("zstd", &[(name, table)]).join(name))]);
    assert!(out.contains("no damage"), "{out}");
    let mut flipped = table.clone();
    flipped[10] ^= 1;
    let path = room.with("flipped", &[(name, &flipped)]).join(name);
    refused(&["inspect", text(&path)], "at offset 0");
    let path = room.with("blob", &[("000018.blob", b"who knows")]).join("000018.blob");
    assert!(accepted(&["inspect", text(&path)]).contains("not read"));
}

/// `check` named the header of a record whose body is damaged, `inspect` the body.
#[test]
fn check_and_inspect_name_the_same_first_bad_byte() {
    let room = Room::new("same");
    let files = own(&room);
    for (name, bytes) in &files {
        let is_known =
            name.ends_with(".wal") || name.ends_with(".sst") || name.starts_with("MANIFEST");
        for part in 1..8 {
            if !is_known || bytes.is_empty() {
                continue;
            }
            let path = room.path("flipped");
            for (name, bytes) in &files {
                room.with("flipped", &[(name, bytes)]);
            }
            let mut flipped = bytes.clone();
            flipped[bytes.len() * part / 8] ^= 8;
            std::fs::write(path.join(name), &flipped).expect("a file");
            let (_, out) = run(&["inspect", text(&path.join(name))]);
            let offset = out.split(&format!("{name} at offset ")).nth(1);
            let offset = offset.and_then(|rest| rest.split([':', ' ']).next()).unwrap_or_default();
            let offset = offset.trim_end_matches(',');
            let (_, checked) = run(&["check", text(&path)]);
            let plain = offset.replace(',', "");
            let same = checked.contains(&format!("{name} at {plain}:"))
                || checked.contains(&format!("{name} at {offset}:"));
            assert!(same, "{name} part {part}: inspect finds {offset}, check {checked}");
        }
    }
}

/// Only files of other programs were listed and searched.
#[test]
fn entries_of_own_tables_and_logs_are_listed_and_searched() {
    let room = Room::new("entries");
    let path = room.path("own");
    accepted(&[
        text(&path),
        "-c",
        "put apple red; put fig blue; del fig; flush; put pear green; put apple x",
    ]);
    for (name, bytes) in content(&path) {
        let path = room.with("one", &[(&name, &bytes)]).join(&name);
        let ask = |commands: &str| run(&[text(&path), "--read-only", "-c", commands]);
        if name.ends_with(".sst") {
            let (good, out) = ask("scan");
            assert!(good && out.contains("apple") && out.contains("red"), "{out}");
            for search in ["binary", "sequential"] {
                let (good, out) = ask(&format!("explain get apple --search {search} --detail"));
                assert!(good && out.contains("red"), "{out}");
                let (good, out) = ask(&format!("explain get fig --search {search}"));
                assert!(good && out.contains("The newest entry is a tombstone"), "{out}");
                let (good, out) = ask(&format!("explain get nothing --search {search}"));
                assert!(good && out.contains("not found"), "{out}");
            }
        }
        if name.ends_with(".wal") && !bytes.is_empty() {
            let (good, out) = ask("scan; get apple");
            assert!(good && out.contains("pear") && out.contains("\"x\""), "{out}");
        }
    }
}

/// Three commands named three owners.
#[test]
fn a_file_of_another_program_beside_ours_gets_one_answer() {
    let room = Room::new("beside");
    own(&room);
    let path = room.path("own");
    for stray in ["IDENTITY", "OPTIONS-000005"] {
        std::fs::write(path.join(stray), "who knows").expect("a file");
        let reason = format!("a database of Levelscope and a file of RocksDB ({stray})");
        refused(&[text(&path), "-c", "put a b"], &reason);
        refused(&["import", text(&path), text(&room.path("new"))], &reason);
        let out = accepted(&["check", text(&path)]);
        assert!(out.contains(&format!("{stray}: not a file of this database")), "{out}");
        assert!(accepted(&[text(&path), "--read-only", "-c", "get last"]).contains("one"));
        std::fs::remove_file(path.join(stray)).expect("it is there");
    }
}

/// They were called damaged.
#[test]
fn a_directory_of_single_tables_is_recognized() {
    let room = Room::new("tables");
    let path = room.copy("cloudcentric/s1/db");
    let new = room.path("new");
    for arguments in [
        &["check", text(&path)][..],
        &["repair", text(&path), text(&new)],
        &["export", text(&path), text(&new)],
    ] {
        refused(arguments, "holds no database of Levelscope: 000001.sst is a");
        assert!(!new.exists());
    }
}

#[test]
fn a_log_without_a_byte_is_named() {
    let room = Room::new("empty-log");
    own(&room);
    let path = room.path("own");
    let logs = content(&path)
        .into_iter()
        .filter(|(name, bytes)| name.ends_with(".wal") && !bytes.is_empty());
    let (name, _) = logs.max().expect("a log with entries");
    std::fs::write(path.join(&name), "").expect("a file");
    let (_, out) = run(&["check", text(&path)]);
    assert!(out.contains(&format!("{name}: the log is empty")), "{out}");
}

#[test]
fn an_offset_after_the_end_of_a_file_is_an_error() {
    let room = Room::new("hex");
    let path = room.with("file", &[("notes", b"0123456789")]).join("notes");
    let ask = |commands: &str| run(&[text(&path), "--read-only", "-c", commands]);
    let (good, out) = ask("hex notes --at 11");
    assert!(!good && out.contains("there is no offset 11 in notes, which has 10 bytes"), "{out}");
    assert!(ask("hex notes --at 9").0);
}

/// A failed export left its tables, a failed repair tables without a mark.
#[test]
fn what_fails_leaves_no_directory() {
    let room = Room::new("leftovers");
    let source = room.with("source", &[("CURRENT", b"MANIFEST-000002\n")]);
    let new = room.path("new");
    for arguments in [
        &["import", text(&source), text(&new)][..],
        &["export", text(&source), text(&new)],
        &["repair", text(&source), text(&new)],
    ] {
        let (good, out) = run(arguments);
        assert!(!good && !new.exists(), "{arguments:?}: {out}");
    }
}

/// They named the command `check`, which cannot run there; `levelscope check` named itself.
#[test]
fn the_way_out_of_damage_is_one_that_can_be_gone() {
    let room = Room::new("way-out");
    own(&room);
    let path = room.path("own");
    std::fs::write(path.join("CURRENT"), "").expect("a file");
    let path = text(&path);
    for command in ["layout CURRENT", "files", "check", "hex CURRENT", "get a"] {
        for options in [&[path, "-c", command][..], &[path, "--read-only", "-c", command]] {
            let (good, out) = run(options);
            assert!(!good && !out.contains("`check`") && !out.contains("`layout`"), "{out}");
            for way in ["levelscope check DIR", "levelscope inspect FILE", "levelscope repair DIR"]
            {
                assert!(out.contains(way), "{options:?}: {out}");
            }
            assert!(out.contains("CURRENT: it is empty"), "{out}");
        }
    }
    let (good, out) = run(&["export", path, text(&room.path("exported"))]);
    assert!(!good && out.contains("levelscope check DIR") && !out.contains("`layout`"), "{out}");
    let (good, out) = run(&["check", path]);
    assert!(!good && !out.contains("levelscope check") && !out.contains("`layout`"), "{out}");
    for way in ["levelscope inspect FILE", "levelscope repair DIR NEW"] {
        assert!(out.contains(way), "{out}");
    }
}

/// It was damaged at offset 0.
#[test]
fn a_missing_file_is_missing() {
    let room = Room::new("missing");
    let files = own(&room);
    let path = room.path("own");
    for (form, reason) in [
        (".sst", "the manifest has it in L0, but it does not exist"),
        ("MANIFEST", "CURRENT names this manifest, but it does not exist"),
        ("CURRENT", "it does not exist, but the database has data"),
    ] {
        let (name, bytes) = files.iter().rfind(|(name, _)| name.contains(form)).expect("a file");
        std::fs::remove_file(path.join(name)).expect("removed");
        refused(&[text(&path), "-c", "get a"], &format!("error: {name}: {reason}"));
        std::fs::write(path.join(name), bytes).expect("a file");
    }
}

/// It made an empty database.
#[test]
fn an_import_of_rubbish_leaves_no_directory() {
    let room = Room::new("rubbish");
    let noise = [0x5a; 900];
    let files: &[(&str, &[u8])] = &[
        ("CURRENT", b"a text\n"),
        ("MANIFEST-000002", &noise),
        ("000003.log", &noise),
        ("000005.ldb", &noise),
        ("000007.ldb", b""),
    ];
    let source = room.with("source", files);
    let new = room.path("new");
    let arguments = ["import", text(&source), text(&new), "--skip-damage"];
    refused(&arguments, "nothing could be saved: no entry can be read");
    assert!(!new.exists());
    // A directory that is not there has no damage that could be skipped.
    let (good, out) = run(&["import", text(&room.path("nowhere")), text(&new)]);
    assert!(!good && out.contains("there is no such file or directory"), "{out}");
    assert!(!out.contains("hint"), "{out}");
}

/// The value of the last write of a killed process was damaged: `check` called that no damage.
#[test]
fn a_torn_tail_is_not_called_undamaged() {
    let room = Room::new("killed");
    let path = room.path("open");
    let db = levelscope::Db::open(&path).expect("a directory");
    db.put("a", "first").expect("a write");
    db.put("b", "second").expect("a write");
    // As the death of the process leaves them.
    let mut files = content(&path);
    drop(db);
    let (_, log) = files.iter_mut().find(|(name, _)| name.ends_with(".wal")).expect("a log");
    let value = log.windows(6).position(|bytes| bytes == b"second").expect("the value");
    log[value] ^= 1;
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let out = accepted(&["check", text(&room.with("killed", &files))]);
    assert!(out.contains("no damage proven, 1 warning"), "{out}");
}
