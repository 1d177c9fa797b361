//! Directories of real databases are told apart, and others are refused.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

mod common;

use common::engine_of;
use levelscope_foreign::{ErrorKind, MemoryFiles, Severity, recognize};
use serde_json::json;

fn files(list: &[(&str, &[u8])]) -> MemoryFiles {
    MemoryFiles::new(list.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())))
}

#[test]
fn every_fixture_is_recognized_and_its_manifest_found() {
    for fixture in common::fixtures(&[""]) {
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
    for fixture in common::fixtures(&[""]) {
        let keep = |name: &str| {
            let marks = ["OPTIONS-", "IDENTITY", "marker.", "LOG"];
            !marks.iter().any(|mark| name.starts_with(mark))
        };
        let name = &fixture.name;
        let others = fixture.without(keep);
        let found = recognize(&others).unwrap_or_else(|error| panic!("{name}: {error}"));
        let manifest_is_empty = name == "d_manifest_empty";
        let tables_tell = name.starts_with("p_") || name.starts_with("dp_");
        if tables_tell || !manifest_is_empty {
            assert_eq!(found.engine, engine_of(&fixture.json), "{name}: {:?}", found.evidence);
        }
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
fn other_directories_are_refused_with_what_was_found() {
    let own = files(&[("CURRENT", b"lvsc.cur...."), ("MANIFEST-000001", b"lvsc.man....")]);
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
