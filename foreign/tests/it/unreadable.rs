//! Files that the host cannot read, or that are in another place: the rest of the directory is shown.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::fixture;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::{
    CountedFiles, Engine, Error, ErrorKind, FileInfo, Files, MemoryFiles, Result, Severity,
};

/// Files of which the host may not read one.
struct Forbidden<'f> {
    files: &'f MemoryFiles,
    name: &'f str,
}

impl Files for Forbidden<'_> {
    fn list(&self) -> &[FileInfo] {
        self.files.list()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        if name == self.name {
            return Err(Error::new(ErrorKind::Io, "Permission denied").in_file(name));
        }
        self.files.read_at(name, offset, buffer)
    }
}

#[test]
fn an_unreadable_file_is_reported_and_the_rest_is_shown() {
    let fixture = fixture("c_families");
    for name in ["000017.sst", "OPTIONS-000022", "000016.log"] {
        let files = Forbidden { files: &fixture.files, name };
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        assert_eq!(directory.engine(), Engine::RocksDb, "{name}");
        assert!(directory.overview().is_ok(), "{name}");
        let all = directory.check_all(false);
        let is_denied = |problem: &levelscope_foreign::Problem| {
            problem.file == name && problem.message.contains("Permission denied")
        };
        assert!(all.iter().any(is_denied), "{name}: {all:?}");
        for family in directory.state().families.values() {
            assert!(directory.levels(family.id, None).is_ok(), "{name}");
        }
    }
}

/// `wal_dir` may be the folder `wal` of the directory.
#[test]
fn logs_in_a_folder_of_the_directory_are_read() {
    let fixture = fixture("c_families");
    let moved = fixture.files.list().iter().map(|file| {
        let bytes = fixture.files.read_whole(&file.name, 1 << 20).unwrap();
        let folder = if file.name.contains(".log") { "wal/" } else { "" };
        (format!("{folder}{}", file.name), bytes)
    });
    let files = MemoryFiles::new(moved);
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).unwrap();
    let sound = CountedFiles::new(&fixture.files);
    let sound = Directory::open(&sound).unwrap();
    let (logs, expected) = (directory.logs().unwrap(), sound.logs().unwrap());
    assert!(expected.last_sequence > 0);
    assert_eq!(logs.last_sequence, expected.last_sequence);
    for family in sound.state().families.keys() {
        assert_eq!(logs.entries_of(*family), expected.entries_of(*family));
    }
    assert_eq!(directory.problems(), sound.problems());
}

/// `wal_dir` leads to a directory that is not here, and no log is.
#[test]
fn logs_in_another_directory_are_missed() {
    let fixture = fixture("c_families");
    let options = fixture.files.read_whole("OPTIONS-000022", 1 << 20).unwrap();
    let text = String::from_utf8(options).unwrap();
    let moved = text.replacen("[DBOptions]", "[DBOptions]\n  wal_dir=/logs/of/it", 1);
    let is_kept = |name: &str| !name.contains(".log") && name != "OPTIONS-000022";
    let kept = fixture.files.list().iter().filter(|file| is_kept(&file.name));
    let mut files: Vec<(String, Vec<u8>)> = kept
        .map(|file| (file.name.clone(), fixture.files.read_whole(&file.name, 1 << 20).unwrap()))
        .collect();
    files.push(("OPTIONS-000022".to_owned(), moved.into_bytes()));
    let files = MemoryFiles::new(files);
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).unwrap();
    let problems = directory.problems();
    let found = problems.iter().find(|problem| problem.message.contains("/logs/of/it")).unwrap();
    assert_eq!(found.severity, Severity::NotRead);
}
