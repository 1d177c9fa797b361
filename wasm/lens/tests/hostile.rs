//! Lists of files and hosts that are wrong in every way: an error or an answer, within the memory of a page.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "tests fail by panicking"
)]

mod common;

use cap::Cap;
use common::{Memory, fixture};
use levelscope_foreign::{Error, ErrorKind, Files};
use levelscope_lens::{Host, HostFiles, Lens, Reply, folders, kind, sentence};
use std::alloc::System;

/// The memory that a page may use for a directory of this size.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, 256 << 20);

const OVERVIEW: &str = r#"{"ask":"overview"}"#;
const LEVELS: &str = r#"{"ask":"levels","family":0,"step":null}"#;

/// Asks what a page asks first, whatever comes of it.
fn look(list: &[(String, u64)], host: impl Host + 'static) -> Result<String, String> {
    let mut lens = Lens::open(list, "", host).map_err(|error| sentence(&error))?;
    let mut last = String::new();
    for question in [OVERVIEW, LEVELS, r#"{"ask":"check","deep":true}"#] {
        let mut reply = lens.ask(question);
        while let Ok(Reply::More(_)) = reply {
            reply = lens.advance();
        }
        match reply {
            Ok(Reply::Answer(answer)) => last = answer,
            Ok(Reply::More(_)) => unreachable!(),
            Err(error) => last = sentence(&error),
        }
    }
    Ok(last)
}

fn plain(name: &str) -> Memory {
    let mut memory = fixture(name);
    for (path, _) in &mut memory.files {
        *path = path.rsplit('/').next().unwrap().to_owned();
    }
    memory
}

/// Reports more bytes than it was asked for, and leaves the buffer as it is.
struct Liar;

impl Host for Liar {
    fn read(&self, _: usize, _: u64, buffer: &mut [u8]) -> Result<usize, String> {
        Ok(buffer.len() * 2)
    }
}

/// Cannot read.
struct MovedFile;

impl Host for MovedFile {
    fn read(&self, _: usize, _: u64, _: &mut [u8]) -> Result<usize, String> {
        Err("the file was moved".into())
    }
}

#[test]
fn lengths_that_files_do_not_have_are_errors() {
    for length in [0, 1, 1 << 40, u64::MAX] {
        let memory = plain("h_history");
        let list: Vec<(String, u64)> =
            memory.list().into_iter().map(|(name, _)| (name, length)).collect();
        let answer = look(&list, memory).unwrap_or_else(|error| error);
        assert!(answer.contains("MANIFEST-"), "length {length}: {answer}");
    }
    // Tables alone: the manifest is read, and the tables are reported as damaged.
    let memory = plain("h_history");
    let mut list = memory.list();
    for (name, length) in &mut list {
        if name.ends_with(".sst") {
            *length = u64::MAX;
        }
    }
    let answer = look(&list, memory).unwrap();
    assert!(answer.contains("the manifest records"), "{answer}");
}

#[test]
fn a_lie_and_a_failure_of_the_host_are_reported() {
    let list = plain("h_history").list();
    let answer = look(&list, Liar).unwrap();
    assert!(answer.contains(r#""file":"MANIFEST-000005""#), "{answer}");
    let answer = look(&list, MovedFile).unwrap_err();
    assert!(answer.ends_with(": the file was moved."), "{answer}");
    assert!(Lens::open(&[], "", MovedFile).is_err());
}

#[test]
fn a_file_that_ends_early_is_damage() {
    let mut memory = plain("m_levels");
    let list = memory.list();
    for (name, bytes) in &mut memory.files {
        if name.ends_with(".sst") {
            bytes.truncate(bytes.len() / 2);
        }
    }
    let answer = look(&list, memory).unwrap();
    assert!(answer.contains("\"severity\":\"error\""), "{answer}");
}

#[test]
fn questions_that_are_none_are_refused() {
    let memory = plain("h_history");
    let mut lens = Lens::open(&memory.list(), "", memory).unwrap();
    for question in [
        "",
        "{",
        "[]",
        r#"{"ask":"everything"}"#,
        r#"{"ask":"levels"}"#,
        r#"{"ask":"levels","family":4294967296,"step":null}"#,
        r#"{"ask":"get","family":0,"key":"6","sequence":null}"#,
        r#"{"ask":"get","family":0,"key":"zz","sequence":null}"#,
        r#"{"ask":"get","family":77,"key":"00","sequence":null}"#,
        r#"{"ask":"levels","family":0,"step":99999999}"#,
        r#"{"ask":"report","id":"weather","family":0,"key":null}"#,
    ] {
        let error = lens.ask(question).expect_err(question);
        assert_eq!(error.kind(), ErrorKind::Invalid, "{question}: {error}");
        assert_eq!(kind(&error), "invalid");
    }
    // Limits are those of the directory, not of the question.
    let everything = u64::MAX;
    for question in [
        format!(r#"{{"ask":"steps","from":0,"limit":{everything}}}"#),
        format!(r#"{{"ask":"steps","from":{everything},"limit":{everything}}}"#),
        r#"{"ask":"facts","family":0,"step":null,"object":"18446744073709551615"}"#.to_owned(),
    ] {
        assert!(matches!(lens.ask(&question), Ok(Reply::Answer(_))), "{question}");
    }
}

#[test]
fn folders_are_those_with_a_manifest() {
    let of = |names: &[&str]| folders(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(of(&["CURRENT", "MANIFEST-000001"]), [""]);
    assert_eq!(of(&["a/b/MANIFEST-000001", "a/MANIFEST-000002", "c/000001.sst"]), ["a/", "a/b/"]);
    // Without any, the folders of tables and logs; opening one reports the missing manifest.
    assert_eq!(of(&["db/000001.sst", "db/archive/000007.log", "notes.txt"]), ["db/"]);
    assert_eq!(of(&["myarchive/000007.log"]), ["myarchive/"]);
    assert!(of(&["notes.txt", "a/b.md"]).is_empty());
}

#[test]
fn files_of_other_folders_do_not_count_and_the_first_of_two_does() {
    let all = [
        ("db/b.sst", 1),
        ("db/b.sst", 2),
        ("db/x/a.sst", 3),
        ("a.sst", 4),
        ("db/archive/1.log", 5),
    ];
    let all = all.map(|(name, bytes)| (name.to_owned(), bytes));
    let files = HostFiles::new(&all, "db/", Liar);
    let list: Vec<(&str, u64)> =
        files.list().iter().map(|file| (file.name.as_str(), file.bytes)).collect();
    assert_eq!(list, [("archive/1.log", 5), ("b.sst", 1)]);
}

#[test]
fn reads_across_pages_are_whole() {
    let bytes: Vec<u8> = (0..300_000u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let memory = Memory { files: vec![("a".into(), bytes.clone())], ..Memory::default() };
    let files = HostFiles::new(&memory.list(), "", memory);
    for (start, count) in
        [(0, 1), (65_535, 2), (65_530, 70_000), (1, 64 << 10), (299_990, 10), (120_000, 60_000)]
    {
        let read = files.read("a", start as u64, count).unwrap();
        assert!(read == bytes[start..start + count], "{start} {count}");
    }
    let mut rest = [0; 100];
    assert_eq!(files.read_at("a", 299_960, &mut rest), Ok(40));
    assert_eq!(files.read_at("a", 300_000, &mut rest), Ok(0));
    assert_eq!(files.read_at("a", u64::MAX, &mut rest), Ok(0));
}

#[test]
fn failures_are_sentences() {
    let error = Error::new(ErrorKind::Invalid, "this is none");
    assert_eq!(sentence(&error), "This is none.");
    let memory = Memory { files: vec![("notes.txt".into(), b"abc".to_vec())], ..Memory::default() };
    let mut lens = Lens::open(&memory.list(), "", memory).unwrap();
    let error = lens.ask(LEVELS).unwrap_err();
    assert_eq!(sentence(&error), "Files have no levels, history, reports and families.");
}
