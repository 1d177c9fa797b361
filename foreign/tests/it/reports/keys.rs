//! Tombstones, scans, sizes and the tables over a key.

use super::case::{Read, case, decimal, described, figure, sum, word};
use levelscope_foreign::report::{Cell, Focus, Question, answer};
use levelscope_foreign::{Files, MemoryFiles};
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn tombstones_are_counted_over_and_under() {
    for name in ["x_tombstones", "h_history", "c_families", "m_levels"] {
        let read = case(name);
        let report = read.answer(Question::Tombstones);
        assert_eq!(figure(&report, "Entries"), sum(&read, "entries"), "{name}");
        assert_eq!(figure(&report, "Tombstones"), sum(&read, "deletions"), "{name}");
        let with = described(&read).iter().filter(|(_, _, file)| file["deletions"] != 0).count();
        assert_eq!(report.table.rows.len(), with);
    }
    let read = case("x_tombstones");
    let report = read.answer(Question::Tombstones);
    // One table in level 0 over the only one below it, which has nothing below.
    let files = described(&read);
    let (upper, lower) = (files[0].2, files[1].2);
    assert_eq!(
        figure(&report, "Tombstones over older tables"),
        upper["deletions"].as_u64().unwrap()
    );
    let under = lower["bytes"].as_u64().unwrap();
    assert_eq!(figure(&report, "Size of the older tables below them"), under);
    assert_eq!(
        figure(&report, "Tombstones with no table below"),
        lower["deletions"].as_u64().unwrap()
    );
    let expected = "480 of 880 entries in the tables are tombstones (55 %). 100 of them lie over older tables \
        of 15.3 KiB, whose space comes back when compactions merge them. 380 are in 1 table with no older \
        table below: they stay until that table is compacted and no older snapshot needs them.";
    assert_eq!(report.answer, expected);
    let none = BTreeMap::new();
    let unread = read.without(|evidence| evidence.summaries = &none, Question::Tombstones);
    assert!(unread.answer.contains("not known, because no table was read"), "{}", unread.answer);
    assert!(unread.missing[0].contains("The properties of 2 of 2 tables were not read"));
    // In level 0, older tables count as below.
    let times = case("e_timestamps").answer(Question::Tombstones).answer;
    let expected = "8 of 68 entries in the tables are tombstones (12 %). All of them lie over older tables of \
        4.3 KiB, whose space comes back when compactions merge them.";
    assert_eq!(times, expected);
    // Deleted values in blob files have no tombstone, but keep their space.
    let blobs = case("b_blob_garbage").answer(Question::Tombstones);
    assert!(
        blobs.answer.ends_with("Besides, blob files hold 9.4 KiB of garbage."),
        "{}",
        blobs.answer
    );
    assert_eq!(figure(&blobs, "Tables that the manifest does not name"), 0);
}

/// A table that an old reader still holds, or that a crash has left.
#[test]
fn tables_that_are_left_over_keep_their_space() {
    let mut read = case("m_levels");
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for file in read.fixture.files.list() {
        files
            .push((file.name.clone(), read.fixture.files.read_whole(&file.name, 1 << 20).unwrap()));
    }
    files.push(("000003.sst".to_owned(), vec![0; 2048]));
    read.fixture.files = MemoryFiles::new(files);
    let report = read.answer(Question::Tombstones);
    let expected = "1 table of 2.0 KiB is in the directory without being part of the database";
    assert!(report.answer.contains(expected), "{}", report.answer);
    assert_eq!(figure(&report, "Size of the tables that the manifest does not name"), 2048);
    // With a damaged manifest they may well be part of it.
    let damaged = case("d_manifest_flip").answer(Question::Tombstones).answer;
    assert!(
        damaged.ends_with("but the damaged manifest does not name them: keep them."),
        "{damaged}"
    );
}

/// For each table's smallest key: how many sorted runs hold it, from the described bounds.
fn runs_at_bounds(read: &Read) -> usize {
    let files = described(read);
    let bounds = |file: &Value| {
        (
            file["smallest"].as_str().unwrap().to_owned(),
            file["largest"].as_str().unwrap().to_owned(),
        )
    };
    let over = |name: &str, key: &str| {
        let mut runs = Vec::new();
        for (family, level, file) in &files {
            let (smallest, largest) = bounds(file);
            if family == name && *smallest <= *key && *key <= *largest {
                runs.push((*level, if *level == 0 { file["number"].as_u64() } else { None }));
            }
        }
        runs.sort_unstable();
        runs.dedup();
        runs.len()
    };
    files.iter().map(|(name, _, file)| over(name, &bounds(file).0)).max().unwrap()
}

#[test]
fn scans_and_covers_count_sorted_runs() {
    for name in ["h_history", "m_levels", "m_universal", "b_blob_files", "x_tombstones"] {
        let read = case(name);
        let most = runs_at_bounds(&read) as u64;
        let scan = read.answer(Question::Scans);
        assert_eq!(figure(&scan, "Sorted runs over one key, at most"), most, "{name}");
        let cover = read.answer(Question::Cover);
        assert_eq!(figure(&cover, "Read amplification"), most, "{name}");
        assert!(cover.answer.contains(&format!("A read looks into up to {most} sorted runs")));
    }
    let read = case("x_tombstones");
    let scan = read.answer(Question::Scans);
    assert!((decimal(&scan, "Share of tombstones") - 480.0 / 880.0).abs() < 1e-9);
    let read_each = 880.0 / 400.0;
    let reported = decimal(&scan, "Entries read for each returned there, at least");
    assert!((reported - read_each).abs() < 1e-9, "{reported}");
    assert!(scan.answer.contains("at least 2.2 entries are read for each one returned"));
    let none = BTreeMap::new();
    let unread = read.without(|evidence| evidence.summaries = &none, Question::Scans);
    assert!(unread.answer.contains("How many entries it skips is not known"), "{}", unread.answer);
}

#[test]
fn a_key_and_a_range_can_be_asked_for() {
    let read = case("h_history");
    let key = b"user:000500".to_vec();
    let focus = Focus { family: 0, start: key.clone(), end: key.clone() };
    let one = answer(Question::Cover, &read.evidence(), Some(&focus));
    let hex = levelscope_foreign::text::hex(&key);
    let files = described(&read);
    let holds = |file: &&(String, u64, &Value)| {
        file.2["smallest"].as_str().unwrap() <= &*hex
            && &*hex <= file.2["largest"].as_str().unwrap()
    };
    let expected: Vec<u64> =
        files.iter().filter(holds).map(|file| file.2["number"].as_u64().unwrap()).collect();
    let mut listed: Vec<u64> = Vec::new();
    for row in &one.table.rows {
        if let Cell::Number(number) = row[1] {
            listed.push(number);
        }
    }
    assert_eq!(listed, expected);
    let focus = Focus { family: 0, start: key, end: b"user:000600".to_vec() };
    let range = answer(Question::Cover, &read.evidence(), Some(&focus));
    assert!(
        range.answer.starts_with("The keys from \"user:000500\" to \"user:000600\""),
        "{}",
        range.answer
    );
    assert!(range.table.rows.len() >= one.table.rows.len());
    let focus = Focus { family: 9, ..focus };
    let lost = answer(Question::Cover, &read.evidence(), Some(&focus));
    assert_eq!(lost.answer, "There is no family with the number 9.");
    let empty = case("x_empty").answer(Question::Cover);
    assert!(empty.table.rows.is_empty() && empty.answer.starts_with("No table"));
}

#[test]
fn sizes_by_family_level_and_prefix() {
    let read = case("c_families");
    let report = read.answer(Question::Sizes);
    assert_eq!(figure(&report, "Size of all tables"), sum(&read, "bytes"));
    let mut families: BTreeMap<String, u64> = BTreeMap::new();
    for (name, _, file) in described(&read) {
        *families.entry(name).or_default() += file["bytes"].as_u64().unwrap();
    }
    let largest = families.iter().max_by_key(|family| family.1).unwrap();
    assert_eq!(word(&report, "Largest family"), *largest.0);
    assert_eq!(figure(&report, "Size of the largest family"), *largest.1);
    let expected = "The largest family is \"users\" with 18.0 KiB of 32.9 KiB (55 %). Its largest level is 6 with \
        16.6 KiB, its largest prefix is \"user:\" with 18.0 KiB.";
    assert_eq!(report.answer, expected);
    let blobs = case("b_blob_files").answer(Question::Sizes).answer;
    assert!(blobs.contains("46.2 KiB of it in blob files"), "{blobs}");
    assert_eq!(
        case("x_empty").answer(Question::Sizes).answer,
        "There is no table and no blob file: all entries are in the logs."
    );
}
