//! A damaged `CURRENT`: `check` and `files` predict the next opening.

use crate::checking::{report_of, small, small_and_indexed};
use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, CheckReport, Db, FileEntry, Maintenance, Options, Severity};
use std::sync::Arc;

const SLOT_BYTES: u64 = 4096;

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

fn by_hand() -> Options {
    Options::default().maintenance(Maintenance::Manual)
}

fn role(files: &[FileEntry], name: &str) -> String {
    files.iter().find(|file| file.name == name).expect("it is listed").role.clone()
}

/// The findings about `CURRENT`, joined; no file may be called obsolete.
fn findings_of(report: &CheckReport) -> String {
    for finding in &report.findings {
        assert!(!finding.what.contains("obsolete"), "{finding}");
        assert!(!finding.what.contains("deletes it"), "{finding}");
    }
    let current = report.findings.iter().filter(|finding| finding.file == "CURRENT");
    let current = current.filter(|finding| finding.severity >= Severity::Warning);
    let words: Vec<String> = current.map(|finding| finding.what.clone()).collect();
    words.join("; ")
}

/// A database in its third session, and the number of its manifest.
fn third_session(disk: &MemoryStorage, edits: bool) -> (Db, u64) {
    for key in [b"a", b"b"] {
        let db = open(&shared(disk), &by_hand());
        db.put(key, b"1").unwrap();
    }
    let db = open(&shared(disk), &by_hand());
    if edits {
        db.request_flush().unwrap();
        while db.has_work() {
            db.step(Budget::Job).unwrap();
        }
    }
    let manifest = db.view().manifest;
    (db, manifest)
}

/// The slot in which epoch 3 stands is the one at offset 4096.
#[test]
fn a_check_reports_that_opening_fails_when_the_older_slot_is_out_of_date() {
    let disk = MemoryStorage::new();
    let (db, manifest) = third_session(&disk, true);
    disk.corrupt(FileName::Current, SLOT_BYTES, 1).unwrap();
    let findings = findings_of(&db.check().unwrap());
    let expected = format!(
        "the slot that named MANIFEST-{manifest:06} is damaged, and the older slot is out of date: \
         the next opening fails, and deletes nothing"
    );
    assert_eq!(findings, expected);
    let role = role(&db.files().unwrap(), "CURRENT");
    assert!(role.starts_with("damaged: names manifest "), "{role}");
    assert!(role.ends_with(&format!(", but {manifest} is in use")), "{role}");
    drop(db);
    let before = disk.list().unwrap();
    let error = try_open(&shared(&disk), &by_hand()).unwrap_err().to_string();
    assert!(error.contains("the older slot is out of date"), "{error}");
    assert_eq!(disk.list().unwrap(), before);
    let findings = findings_of(&report_of(&disk));
    assert!(findings.contains("the older slot is out of date"), "{findings}");
    assert!(!findings.contains("the other one counts"), "{findings}");
}

#[test]
fn a_check_names_the_manifest_that_opening_reads_when_the_older_slot_will_do() {
    let disk = MemoryStorage::new();
    let (db, manifest) = third_session(&disk, false);
    disk.corrupt(FileName::Current, SLOT_BYTES, 1).unwrap();
    let findings = findings_of(&db.check().unwrap());
    assert!(
        findings.starts_with(&format!(
            "the slot that named MANIFEST-{manifest:06} is damaged, so the next opening goes by"
        )),
        "{findings}"
    );
    drop(db);
    let db = try_open(&shared(&disk), &by_hand()).expect("it opens");
    assert_eq!(contents(&db).unwrap().len(), 2);
}

#[test]
fn a_damaged_older_slot_is_only_a_warning() {
    let disk = MemoryStorage::new();
    let (db, manifest) = third_session(&disk, true);
    disk.corrupt(FileName::Current, 0, 1).unwrap();
    let report = db.check().unwrap();
    assert!(report.is_sound(), "{:?}", report.findings);
    assert!(findings_of(&report).contains("the other one counts"), "{:?}", report.findings);
    let expected = format!("names manifest {manifest}; its other slot is not valid");
    assert_eq!(role(&db.files().unwrap(), "CURRENT"), expected);
    drop(db);
    try_open(&shared(&disk), &by_hand()).expect("it opens");
}

#[test]
fn without_a_slot_files_and_check_report_that_opening_fails() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    assert_eq!(role(&db.files().unwrap(), "CURRENT"), "names manifest 1");
    assert_eq!(role(&FileEntry::list(&disk).unwrap(), "CURRENT"), "names manifest 1");
    disk.corrupt(FileName::Current, SLOT_BYTES + 4, 1).unwrap();
    db.put(b"a", b"1").unwrap();
    let findings = findings_of(&db.check().unwrap());
    assert!(findings.ends_with("the next opening fails, and deletes nothing"), "{findings}");
    assert_eq!(role(&db.files().unwrap(), "CURRENT"), "damaged: names no manifest");
    drop(db);
    assert_eq!(role(&FileEntry::list(&disk).unwrap(), "CURRENT"), "damaged: names no manifest");
    let error = try_open(&shared(&disk), &by_hand()).unwrap_err().to_string();
    assert!(error.contains("it names no manifest"), "{error}");
}

/// An opening that fails deletes nothing, for any reason of the failure.
#[test]
fn spare_files_of_a_damaged_database_are_not_promised_to_the_next_opening() {
    let disk = small(&small_and_indexed());
    let names = disk.list().unwrap();
    let table = names
        .iter()
        .find(|name| matches!(FileName::parse(name), Some(FileName::Table(_))))
        .expect("a table")
        .clone();
    let bytes = disk.read(FileName::parse(&table).unwrap()).unwrap();
    disk.put("000999.sst", &bytes);
    disk.delete(FileName::parse(&table).unwrap()).unwrap();
    let report = report_of(&disk);
    let spare = report.findings.iter().find(|finding| finding.file == "000999.sst");
    let spare = &spare.expect("a finding about the spare file").what;
    assert_eq!(spare, "it is obsolete: the next opening that succeeds deletes it");
    assert!(try_open(&shared(&disk), &small_and_indexed()).is_err());
}

#[test]
fn bytes_read_are_those_of_the_files_each_once() {
    let disk = MemoryStorage::new();
    let (db, _) = third_session(&disk, true);
    db.put(b"c", b"1").unwrap();
    let files = db.files().unwrap();
    let fallback = files.iter().filter(|file| file.role.starts_with("previous manifest"));
    // The check of an open database does not need the manifest before.
    let unread: u64 = fallback.map(|file| file.bytes).sum();
    let all: u64 = files.iter().map(|file| file.bytes).sum();
    let report = db.check().unwrap();
    assert!(report.tables > 0, "{report:?}");
    assert_eq!(report.bytes_read, all - unread);
    drop(db);
    let all: u64 = FileEntry::list(&disk).unwrap().iter().map(|file| file.bytes).sum();
    assert_eq!(report_of(&disk).bytes_read, all);
}

#[test]
fn an_open_log_reports_damage_to_synced_bytes() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    db.put(b"a", b"1").unwrap();
    let log = FileName::Wal(db.view().wals[0].wal);
    disk.corrupt(log, 45, 1).unwrap();
    let parts = format!("{:?}", db.inspect(log).unwrap());
    assert!(
        parts.contains("this is damage, because the first 77 bytes of the file were synced"),
        "{parts}"
    );
    drop(db);
    let unsynced = by_hand().wal_sync(levelscope::WalSync::None);
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &unsynced);
    db.put(b"a", b"1").unwrap();
    disk.corrupt(FileName::Wal(db.view().wals[0].wal), 45, 1).unwrap();
    let parts = format!("{:?}", db.inspect(FileName::Wal(db.view().wals[0].wal)).unwrap());
    assert!(parts.contains("nothing in the file decides between the two"), "{parts}");
}
