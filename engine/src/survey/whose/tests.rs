use super::super::evidence::{LEVEL_MAGIC, ROCKS_MAGIC};
use super::super::names::{Kind, kind};
use super::*;
use crate::storage::MemoryStorage;

fn survey(files: &[(&str, &[u8])]) -> Survey {
    let storage = MemoryStorage::new();
    for (name, bytes) in files {
        storage.put(name, bytes);
    }
    Survey::of(&storage).unwrap()
}

fn own_current() -> Vec<u8> {
    let mut bytes = vec![0; 8192];
    bytes[4096..4104].copy_from_slice(b"lvsc.cur");
    bytes
}

const CREATE: OpenPolicy = OpenPolicy { create_if_missing: true, beside_other_files: false };
const BESIDE: OpenPolicy = OpenPolicy { create_if_missing: true, beside_other_files: true };

#[test]
fn every_name_has_one_owner() {
    for (name, expected) in [
        ("CURRENT", Kind::Own(FileName::Current)),
        ("000012.sst", Kind::Own(FileName::Table(12))),
        (".DS_Store", Kind::System),
        ("._000012.sst", Kind::System),
        (".nfs000000000123", Kind::System),
        ("lost+found", Kind::System),
        ("bench", Kind::System),
        ("UNFINISHED", Kind::Unfinished),
        ("000005.ldb", Kind::Of(Program::LevelDb)),
        ("000005.log", Kind::Of(Program::LevelDb)),
        ("OPTIONS-000007", Kind::Of(Program::RocksDb)),
        ("IDENTITY", Kind::Of(Program::RocksDb)),
        ("000018.blob", Kind::Of(Program::RocksDb)),
        ("marker.manifest.000001.MANIFEST-000001", Kind::Of(Program::Pebble)),
        ("0_3.sst", Kind::Of(Program::FroopyDb)),
        ("1795221885727_1012.log", Kind::Of(Program::FroopyDb)),
        ("store.db", Kind::Of(Program::Kvdb)),
        ("KEYREGISTRY", Kind::Of(Program::Badger)),
        ("000001.vlog", Kind::Of(Program::Badger)),
        ("LOG", Kind::Stranger),
        ("readme.txt", Kind::Stranger),
        ("MANIFEST-9", Kind::Stranger),
        (".ldb", Kind::Stranger),
    ] {
        assert_eq!(kind(name), expected, "{name}");
    }
}

#[test]
fn a_directory_without_files_is_created_only_when_that_is_allowed() {
    for files in [&[][..], &[("LOCK", &b""[..])], &[(".DS_Store", b"x")]] {
        let survey = survey(files);
        assert_eq!(survey.allow_open(CREATE), Ok(()));
        assert_eq!(survey.allow_new(), Ok(()));
        let refused = survey.allow_open(OpenPolicy::EXISTING).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotFound);
        assert_eq!(survey.allow_reading().unwrap_err().kind(), ErrorKind::NotFound);
    }
}

#[test]
fn an_interrupted_creation_begins_anew() {
    let manifest = [&b"lvsc.man"[..], &[7; 30]].concat();
    for files in [
        &[("CURRENT", &b""[..])][..],
        &[("CURRENT", &[0; 8192]), ("MANIFEST-000001", &manifest), ("000002.wal", b"")],
        &[("CURRENT", b"garbage of a power failure"), ("MANIFEST-000001", &manifest)],
        &[("MANIFEST-000001", b"garbage of a power failure")],
    ] {
        let survey = survey(files);
        assert_eq!(survey.allow_open(CREATE), Ok(()), "{files:?}");
        let refused = survey.allow_open(OpenPolicy::EXISTING).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotFound, "{files:?}");
    }
}

#[test]
fn a_database_is_known_by_any_file_that_proves_it() {
    let table = [&[7; 100][..], b"lvsc.sst"].concat();
    for files in [
        &[("CURRENT", &own_current()[..])][..],
        &[("CURRENT", b"spoilt"), ("000004.wal", b"lvsc.wal and more")],
        &[("000009.sst", &table)],
    ] {
        let survey = survey(files);
        assert_eq!(survey.allow_open(OpenPolicy::EXISTING), Ok(()), "{files:?}");
        assert_eq!(survey.allow_reading(), Ok(()), "{files:?}");
        assert_eq!(survey.allow_import().unwrap_err().kind(), ErrorKind::UnsupportedFormat);
    }
}

#[test]
fn files_of_other_programs_are_never_written_to() {
    let rocks = [&[7; 100][..], &ROCKS_MAGIC].concat();
    let level = [&[7; 100][..], &LEVEL_MAGIC].concat();
    let current = own_current();
    for (files, program) in [
        (&[("CURRENT", &b"MANIFEST-000002\n"[..]), ("LOCK", b"")][..], "LevelDB"),
        (&[("CURRENT", b"MANIFEST-000002\n"), ("IDENTITY", b"x")], "RocksDB"),
        (&[("000009.sst", &rocks)], "RocksDB"),
        (&[("000009.sst", &level)], "LevelDB"),
        (&[("MANIFEST-000005", b"1234567\x01\x1aleveldb.BytewiseComparator")], "LevelDB"),
        (&[("0_0.sst", b"x")], "FroopyDB"),
        (&[("CURRENT", &current), ("000005.ldb", b"")], "LevelDB"),
    ] {
        let survey = survey(files);
        for policy in [CREATE, BESIDE, OpenPolicy::EXISTING] {
            let error = survey.allow_open(policy).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{files:?}");
            assert!(error.to_string().contains(&format!(" of {program} (")), "{error}");
        }
    }
}

#[test]
fn files_of_unknown_origin_are_allowed_only_when_asked_for() {
    let current = own_current();
    for files in
        [&[("notes.txt", &b"mine"[..])][..], &[("CURRENT", &current), ("notes.txt", b"mine")]]
    {
        let survey = survey(files);
        let error = survey.allow_open(CREATE).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("\"notes.txt\""), "{error}");
        assert_eq!(survey.allow_open(BESIDE), Ok(()));
    }
    let doubtful = survey(&[("000004.sst", b"some picture"), ("CURRENT", b"a word")]);
    assert_eq!(doubtful.allow_open(BESIDE).unwrap_err().kind(), ErrorKind::UnsupportedFormat);
}

#[test]
fn an_unfinished_import_is_neither_opened_nor_read() {
    let survey = survey(&[("CURRENT", &own_current()), ("UNFINISHED", b"")]);
    for refused in [survey.allow_open(CREATE), survey.allow_reading(), survey.allow_new()] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption);
        assert!(error.to_string().contains("do it again"), "{error}");
    }
}
