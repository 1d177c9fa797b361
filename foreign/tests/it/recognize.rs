//! Directories of real databases are recognized, and others are refused.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

use crate::common::engine_of;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::{CountedFiles, Engine, ErrorKind, MemoryFiles, Severity, recognize};
use serde_json::json;

fn files(list: &[(&str, &[u8])]) -> MemoryFiles {
    MemoryFiles::new(list.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())))
}

#[test]
fn every_fixture_is_recognized_and_its_manifest_found() {
    for fixture in crate::common::fixtures(&[""]) {
        let name = &fixture.name;
        let found = recognize(&fixture.files).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.engine, engine_of(&fixture.json), "{name}: {:?}", found.evidence);
        assert!(!found.evidence.is_empty(), "{name}");
        assert_eq!(json!(found.manifest), fixture.json["manifest"]["name"], "{name}");
        if let Some(version) = fixture.json["format_major_version"].as_u64() {
            assert_eq!(found.format_version.map(u64::from), Some(version), "{name}");
        }
        let damaged = fixture.json["damage"]["file"].as_str().unwrap_or("");
        let names_it = ["d_current_garbage", "d_current_missing", "d_current_names_missing"];
        if names_it.contains(&name.as_str()) || name == "dp_marker_missing" {
            let first = &found.problems[0];
            assert_eq!(first.severity, Severity::Error, "{name}");
            let named = |file: &str| found.problems.iter().any(|problem| problem.file == file);
            assert!(named(damaged), "{name}: {:?}", found.problems);
            assert!(damaged.starts_with("marker") || named("CURRENT"), "{name}");
        } else {
            assert_eq!(found.problems, [], "{name}");
        }
    }
}

#[test]
fn the_engine_is_known_without_markers_options_and_identity() {
    for fixture in crate::common::fixtures(&[""]) {
        let keep = |name: &str| {
            let marks = ["OPTIONS-", "IDENTITY", "marker.", "LOG"];
            !marks.iter().any(|mark| name.starts_with(mark))
        };
        let name = &fixture.name;
        let others = fixture.without(keep);
        let found = recognize(&others).unwrap_or_else(|error| panic!("{name}: {error}"));
        let manifest_is_empty = name == "d_manifest_empty";
        let tables_decide = name.starts_with("p_") || name.starts_with("dp_");
        if tables_decide || !manifest_is_empty {
            assert_eq!(found.engine, engine_of(&fixture.json), "{name}: {:?}", found.evidence);
        }
    }
}

#[test]
fn tables_of_every_layout_prove_their_engine() {
    for (magic, engine) in [
        (0x8242_2296_63bf_9564_u64, Engine::RocksDb),
        (0x4f34_18eb_7a8f_13b8, Engine::RocksDb),
        (0x9267_89d0_c5f1_7873, Engine::RocksDb),
        (0x88e2_41b7_85f4_cff7, Engine::RocksDb),
        (0xdb47_7524_8b80_fb57, Engine::LevelDb),
    ] {
        let table = [vec![0; 100], magic.to_le_bytes().to_vec()].concat();
        let manifest: &[u8] = &[];
        let directory = files(&[
            ("CURRENT", b"MANIFEST-000007\n"),
            ("MANIFEST-000007", manifest),
            ("000005.sst", &table),
        ]);
        let found = recognize(&directory).unwrap();
        let decides = |line: &String| line.starts_with("000005.sst ends in the magic number");
        assert!(found.evidence.iter().any(decides), "{magic:016x}: {:?}", found.evidence);
        assert_eq!(found.engine, engine, "{magic:016x}");
    }
}

#[test]
fn a_current_file_without_newline_is_named() {
    let manifest: &[u8] = &[];
    let directory = files(&[("CURRENT", b"MANIFEST-000007"), ("MANIFEST-000007", manifest)]);
    let found = recognize(&directory).unwrap();
    assert_eq!((found.manifest.as_str(), found.problems.len()), ("MANIFEST-000007", 1));
    assert!(found.problems[0].message.contains("newline"), "{:?}", found.problems);
}

#[test]
fn the_marker_with_the_highest_iteration_counts() {
    let directory = files(&[
        ("MANIFEST-000001", b""),
        ("MANIFEST-000009", b""),
        ("MANIFEST-000011", b""),
        ("marker.format-version.000002.013", b""),
        ("marker.format-version.000010.019", b""),
        ("marker.manifest.000009.MANIFEST-000001", b""),
        ("marker.manifest.000010.MANIFEST-000009", b""),
    ]);
    let found = recognize(&directory).unwrap();
    assert_eq!((found.manifest.as_str(), found.format_version), ("MANIFEST-000009", Some(19)));
}

#[test]
fn damage_in_the_slots_of_levelscope_leaves_the_newest_manifest() {
    let own = files(&[("CURRENT", b"lvsc.cur...."), ("MANIFEST-000001", b"lvsc.man....")]);
    let found = recognize(&own).unwrap();
    assert_eq!((found.engine, found.manifest.as_str()), (Engine::Levelscope, "MANIFEST-000001"));
    assert!(found.problems[0].message.contains("no slot of it is valid"), "{found:?}");
}

#[test]
fn other_directories_are_refused_with_what_was_found() {
    let own = files(&[("CURRENT", b"lvsc.cur....")]);
    let error = recognize(&own).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.message().contains("Levelscope"), "{error}");
    let unrelated = files(&[("a.txt", b"x"), ("b.txt", b"y")]);
    let error = recognize(&unrelated).unwrap_err();
    assert!(error.message().ends_with("it has 2 files: a.txt, b.txt"), "{error}");
    let error = recognize(&files(&[])).unwrap_err();
    assert!(error.message().ends_with("it has no files"), "{error}");
    let lost = files(&[("000005.sst", b"x"), ("000006.log", b"")]);
    let error = recognize(&lost).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.message().contains("1 table, 1 log and 0 blob files"), "{error}");
}

/// A record of a manifest that names nothing but the next file.
fn manifest() -> Vec<u8> {
    let mut bytes = Vec::new();
    crate::common::frames::push_record(&mut bytes, crate::common::frames::Style::Plain, &[3, 9]);
    bytes
}

#[test]
fn a_current_that_is_wrong_in_a_known_way_is_named_with_its_cure() {
    let manifest = manifest();
    let conflict: &[u8] = b"<<<<<<< HEAD\nMANIFEST-000007\n=======\nMANIFEST-000009\n>>>>>>> x\n";
    for (current, used, reason) in [
        (&[0; 16][..], "MANIFEST-000009", "16 zero bytes"),
        (b"MANIFEST-000007\r\n", "MANIFEST-000007", "CR LF"),
        (b"MANIFEST-000007", "MANIFEST-000007", "newline"),
        (b"MANIFEST-000007\nMANIFEST-000009\n", "MANIFEST-000009", "several manifests"),
        (conflict, "MANIFEST-000009", "merge conflict"),
        (b"", "MANIFEST-000009", "empty"),
        (b"\xff\xfe", "MANIFEST-000009", "names no manifest"),
        (b"MANIFEST-000005\r\n", "MANIFEST-000009", "CR LF"),
    ] {
        let directory = files(&[
            ("CURRENT", current),
            ("MANIFEST-000007", &manifest),
            ("MANIFEST-000009", &manifest),
        ]);
        let found = recognize(&directory).unwrap();
        assert_eq!((found.manifest.as_str(), found.problems.len()), (used, 1), "{current:?}");
        let message = &found.problems[0].message;
        let cure = format!("make a copy of the directory, then write `{used}\\n` into CURRENT");
        assert!(message.contains(reason) && message.contains(&cure), "{message}");
    }
}

#[test]
fn pointers_of_git_in_place_of_files_are_named_with_their_command() {
    let manifest = manifest();
    let lfs: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 265658\n";
    let annex: &[u8] = b"/annex/objects/SHA256E-s123--00.ldb\n";
    let current: &[u8] = b"MANIFEST-000007\n";
    for (pointer, command) in [(lfs, "`git lfs pull`"), (annex, "`git annex get`")] {
        let all =
            files(&[("CURRENT", current), ("MANIFEST-000007", pointer), ("000005.ldb", pointer)]);
        let error = recognize(&all).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotRead);
        let message = error.to_string();
        assert!(message.contains(command) && message.contains("2 files"), "{message}");
        let some =
            files(&[("CURRENT", current), ("MANIFEST-000007", &manifest), ("000005.ldb", pointer)]);
        let problem = &recognize(&some).unwrap().problems[0];
        assert_eq!((problem.file.as_str(), problem.severity), ("000005.ldb", Severity::Error));
        assert!(problem.message.contains(command), "{}", problem.message);
    }
}

/// On Unix the end of such a read would give up the lock of the program that reads.
#[test]
fn no_lock_is_read() {
    let manifest = manifest();
    for lock in [&b""[..], b"x"] {
        let all = files(&[
            ("CURRENT", b"MANIFEST-000007\n"),
            ("LOCK", lock),
            ("MANIFEST-000007", &manifest),
        ]);
        let counted = CountedFiles::new(&all);
        counted.begin();
        Directory::open(&counted).unwrap();
        assert!(counted.end().iter().all(|(name, ..)| name != "LOCK"));
    }
}

#[test]
fn files_that_hold_nothing_of_a_database_may_be_encrypted() {
    let manifest = manifest();
    let cipher = |number: u8| {
        let rest = (0..200).map(|at: u8| at.wrapping_mul(57) ^ number ^ 0x5a);
        [&[0x80, 0x1d, 0x30, 0x01][..], &rest.collect::<Vec<_>>()].concat()
    };
    let (current, encrypted, table) = (cipher(1), cipher(2), cipher(3));
    let world =
        [("CURRENT", &current[..20]), ("MANIFEST-000004", &encrypted), ("000005.ldb", &table)];
    let error = recognize(&files(&world)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotRead);
    let message = error.to_string();
    assert!(message.contains("80 1d 30 01") && message.contains("may be encrypted"), "{message}");
    // One sound file, or nothing but zeros, and it is damage.
    for (at, sound) in [(0, &b"MANIFEST-000004\n"[..]), (1, &manifest), (1, &[0; 99]), (1, b"")] {
        let mut damaged = world;
        damaged[at].1 = sound;
        assert!(recognize(&files(&damaged)).is_ok(), "{at}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the fixtures are files")]
fn a_world_of_minecraft_is_read() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/reports/minecraft-world/");
    let names = ["CURRENT", "MANIFEST-000099", "000103.log", "000105.ldb"];
    let read = |name: &str| (name.to_owned(), std::fs::read(format!("{root}{name}")).unwrap());
    let world = MemoryFiles::new(names.map(read));
    let summary = levelscope_foreign::summary::summarize(&world);
    assert_eq!(summary["problems"], json!([]));
    assert!(summary.to_string().contains("\"live\":{\"count\":1213,"));
}
