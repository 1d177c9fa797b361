//! Manifests that are damaged, missing, older than the tables, or odd but sound.

use super::{changed, damage, has, lacks, opened, text};
use crate::common::zip::report as archive;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::name::FileName;
use levelscope_foreign::query::Part;
use levelscope_foreign::{CountedFiles, Engine, Files as _, MemoryFiles, Severity};

/// Entries of the first family that a rescue saves.
fn rescued(files: &MemoryFiles) -> usize {
    let counted = CountedFiles::new(files);
    let directory = Directory::rescue(&counted).unwrap();
    let policy = Policy { skip_damage: true, ..Policy::default() };
    let mut carrier = Carrier::new(&directory, 0, policy).unwrap();
    let mut entries = 0;
    while carrier.next_entry().unwrap().is_some() {
        entries += 1;
    }
    entries
}

#[test]
fn a_table_that_is_added_twice_alike_is_no_damage() {
    let files = archive("03");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "No damage was found");
        lacks(&words, "contradicts");
    });
    assert_eq!(rescued(&files), 866);
}

#[test]
fn tables_that_a_damaged_snapshot_hides_may_be_live() {
    let files = archive("06");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "5 tables (145.3 KiB: 000005.ldb");
        has(
            &words,
            "3 of them (135.8 KiB) are whole and may be live: the damaged record may name them",
        );
        for table in ["000005.ldb", "000007.ldb", "000009.ldb", "000011.ldb", "000012.ldb"] {
            has(&words, table);
        }
        has(&words, "it may be live, the damaged record may name it");
        has(&words, "LevelDB refuses to open this directory: MANIFEST-000010 is damaged");
        has(&words, "Next step: copy the directory first");
        let lines = directory.overview().unwrap().files;
        let old = lines.iter().find(|line| line.name == "000005.ldb").unwrap();
        assert!(old.in_no_level, "{old:?}");
        lacks(&old.why, "obsolete");
    });
    assert_eq!(rescued(&files), 601);
}

#[test]
fn a_rescue_of_rocksdb_takes_the_tables_that_the_manifest_hides() {
    assert_eq!(rescued(&archive("09b")), 1_001);
    let files = archive("09");
    let entries = rescued(&files);
    assert!(entries > 1_000, "{entries}");
}

/// Nor is it when tables hold what neither the levels nor the logs have.
#[test]
fn a_manifest_cut_off_before_its_last_flushes_is_no_crash() {
    let whole = crate::common::fixture("c_families").files;
    let count = rescued(&whole);
    for length in [200, 260, 400, 600] {
        let files = changed(&whole, |name, bytes| {
            if name.starts_with("MANIFEST-") {
                bytes.truncate(length);
            }
            true
        });
        opened(&files, |directory| {
            let is_lost = |one: &levelscope_foreign::Problem| {
                one.file == "000020.sst" && one.severity == Severity::Error
            };
            assert!(directory.check_all(false).iter().any(is_lost), "{length}");
        });
        assert_eq!(rescued(&files), count, "{length}");
    }
    opened(&whole, |directory| assert!(directory.check_all(true).is_empty()));
}

/// It used to be called the work of a crash: no table was looked at, and nothing was saved.
#[test]
fn a_manifest_cut_off_within_its_snapshot_hides_tables() {
    for (fixture, lengths) in [
        ("h_manifest_rolled", &[5, 60, 200, 400][..]),
        ("l_history", &[5, 20]),
        ("p_history", &[5, 20]),
    ] {
        let whole = crate::common::fixture(fixture).files;
        for length in lengths {
            let files = changed(&whole, |name, bytes| {
                if name.starts_with("MANIFEST-") {
                    bytes.truncate(*length);
                }
                true
            });
            opened(&files, |directory| {
                let words = text(&damage(directory));
                has(&words, "cut off after");
                has(&words, "may be live");
                has(&words, "refuses to open this directory");
            });
            assert!(rescued(&files) > 50, "{fixture} {length}");
        }
    }
}

#[test]
fn tables_without_a_manifest_are_read() {
    let files = archive("08");
    let counted = CountedFiles::new(&files);
    assert!(Directory::open(&counted).is_err());
    let directory = Directory::rescue(&counted).unwrap();
    assert_eq!(directory.engine(), Engine::RocksDb);
    let words = text(&damage(&directory));
    has(&words, "no manifest is here, so all tables and logs count");
    directory.overview().unwrap();
    directory.levels(0, None).unwrap();
    assert_eq!(rescued(&files), 2_217);
}

#[test]
fn a_rescue_without_a_manifest_keeps_to_range_deletions() {
    let files = crate::common::fixture("e_range_deletions").files;
    let whole = rescued(&files);
    let files = changed(&files, |name, _| !name.starts_with("MANIFEST-"));
    assert_eq!((whole, rescued(&files)), (233, 233));
}

/// Such a table has no known bounds: it used to be left out of every search.
#[test]
fn a_rescue_searches_a_table_whose_first_block_is_damaged() {
    let files = changed(&crate::common::fixture("l_history").files, |name, bytes| {
        if name == "000385.ldb" {
            bytes[8] ^= 0x55;
        }
        ["000385.ldb", "CURRENT"].contains(&name)
    });
    let counted = CountedFiles::new(&files);
    let directory = Directory::rescue(&counted).unwrap();
    let part = Part { from: Some(b"page/00102".to_vec()), to: None, limit: 1, sequence: None };
    assert_eq!(directory.rows(0, &part).unwrap().rows.len(), 1);
    for (key, outcome) in [(&b"page/00103"[..], "value"), (b"page/00000", "unknown")] {
        assert_eq!(directory.lookup(0, key, None).unwrap().outcome, outcome);
    }
}

#[test]
fn a_log_that_the_manifest_names_is_missed() {
    let files = archive("10");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "000003.log is missing, so the newest entries are lost");
        has(&words, "log 3, which the manifest names, is not here");
    });
}

/// LevelDB deletes a log after the edit that names the next one: a crash in the midst of that edit leaves the log.
#[test]
fn a_manifest_cut_off_after_the_log_before_it_was_deleted_is_no_crash() {
    let cut = |name: &str, bytes: &mut Vec<u8>| {
        bytes.truncate(bytes.len() - usize::from(name.starts_with("MANIFEST-")));
        true
    };
    let files = changed(&crate::common::fixture("l_history").files, cut);
    opened(&files, |directory| {
        let problems = directory.check_all(true);
        let log = problems.iter().find(|problem| problem.file == "000383.log").unwrap();
        assert_eq!(log.severity, Severity::Error);
        has(&log.message, "is not here, but a later one is");
        has(
            &text(&damage(directory)),
            "000383.log is missing, so entries that no table has are lost",
        );
    });
    let whole = |name: &str| (name.to_owned(), files.read_whole(name, u64::MAX).unwrap());
    let all = files.list().iter().map(|file| whole(&file.name));
    let with_log = MemoryFiles::new(all.chain([("000383.log".to_owned(), Vec::new())]));
    opened(&with_log, |directory| {
        assert!(directory.check_all(true).iter().all(|problem| problem.file != "000383.log"));
    });
}

#[test]
fn tables_newer_than_the_manifest_are_named() {
    let files = archive("21");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        lacks(&words, "No damage was found");
        has(&words, "000019.sst are newer than MANIFEST-000005: RocksDB deletes them when");
        for table in ["000015.sst", "000017.sst", "000019.sst"] {
            has(&words, table);
        }
        has(&words, "RocksDB deletes");
    });
    assert_eq!(rescued(&files), 300);
}

#[test]
fn a_missing_table_has_the_ending_of_the_others() {
    let files = archive("03");
    let mut names = files.list().iter().map(|file| file.name.clone());
    let first = names.find(|name| matches!(FileName::parse(name), FileName::Table(_))).unwrap();
    let files = changed(&files, |name, _| name != first);
    opened(&files, |directory| has(&text(&damage(directory)), &first));
}

#[test]
fn a_table_in_remote_storage_is_not_missing() {
    let files = archive("15");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "REMOTE-OBJ-CATALOG-000001 lists objects in remote storage");
        lacks(&words, "missing");
    });
}
