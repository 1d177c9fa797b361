//! Question 10 on every damaged fixture, before and after a deep check, and other reports of damage.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its golden file"
)]

mod manifest;
mod reads;

use crate::common::{Fixture, fixture, fixtures};
use levelscope_foreign::directory::{Directory, Target};
use levelscope_foreign::files::{LeftOut, Reason};
use levelscope_foreign::query::Part;
use levelscope_foreign::report::{Cell, Report};
use levelscope_foreign::summary::summarize;
use levelscope_foreign::{CountedFiles, FileInfo, Files, MemoryFiles, Problem, Result, Severity};
use std::fmt::Write as _;

fn damage(directory: &Directory<'_>) -> Report {
    directory.report("damage", None, None).unwrap()
}

/// `sound` with one bit of the byte at `offset` of file `name` flipped.
fn with_flip(sound: &MemoryFiles, name: &str, offset: usize) -> MemoryFiles {
    MemoryFiles::new(sound.list().iter().map(|file| {
        let mut bytes = sound.read_whole(&file.name, u64::MAX).unwrap();
        if file.name == name {
            bytes[offset] ^= 0x40;
        }
        (file.name.clone(), bytes)
    }))
}

fn figure(report: &Report, label: &str) -> u64 {
    match report.figure_named(label) {
        Some(Cell::Number(number)) => *number,
        other => panic!("{label}: {other:?} in {}", report.answer),
    }
}

#[test]
fn the_answers_about_damaged_fixtures() {
    let mut text = String::new();
    for Fixture { name, files, .. } in fixtures(&["d"]) {
        let files = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&files) else { continue };
        let before = damage(&directory);
        directory.check_all(true);
        let after = damage(&directory);
        writeln!(text, "## {name}\n{}", before.answer).unwrap();
        if after.answer != before.answer {
            writeln!(text, "After a deep check: {}", after.answer).unwrap();
        }
        for words in &after.missing {
            writeln!(text, "- {words}").unwrap();
        }
        text.push_str(&after.table.csv().replace('\r', ""));
        text.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/damage.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap();
    for (line, wanted) in text.lines().zip(golden.lines()) {
        assert_eq!(line, wanted);
    }
    assert_eq!(text.len(), golden.len());
}

#[test]
fn question_10_knows_what_a_check_has_found() {
    for (name, file) in [
        ("d_table_flip", "000010.sst"),
        ("d_table_footer", "000010.sst"),
        ("dp_table_flip", "000005.sst"),
        ("d_blob_flip", "000013.blob"),
    ] {
        for deep in [false, true] {
            let files = fixture(name).files;
            let files = CountedFiles::new(&files);
            let directory = Directory::open(&files).unwrap();
            let before = damage(&directory);
            // Opening the tables meets a damaged footer.
            let met = u64::from(name == "d_table_footer");
            assert_eq!(figure(&before, "Errors"), met, "{name}");
            assert!(before.missing.iter().any(|one| one.starts_with("No check ran")), "{name}");
            // One part after the other, as the page does it.
            for target in directory.check_targets() {
                directory.check(&target, deep, &mut |_| {});
            }
            let after = damage(&directory);
            assert!(figure(&after, "Errors") > 0, "{name}: {}", after.answer);
            assert!(after.answer.contains(file.split('.').next().unwrap().trim_start_matches('0')));
            assert!(!after.missing.iter().any(|one| one.starts_with("No check ran")));
            let all = figure(&after, "Tables and blob files");
            // The blocks of a table without a footer are not reached.
            let reached = all - u64::from(name == "d_table_footer");
            assert_eq!(figure(&after, "Of these, checksums compared"), reached);
            let decoded = if deep { reached } else { 0 };
            assert_eq!(figure(&after, "Of these, entries decoded"), decoded);
            let overview = directory.overview().unwrap();
            assert!(overview.problems.iter().any(|problem| problem.file == file), "{name}");
            let lines = directory.levels(0, None).unwrap();
            let tables = lines.levels.iter().flat_map(|level| &level.tables);
            let marked: Vec<&str> =
                tables.filter(|table| table.is_damaged).map(|table| &*table.file).collect();
            let blobs = lines.blob_files.iter().filter(|blob| blob.is_damaged);
            let blobs: Vec<&str> = blobs.map(|blob| &*blob.file).collect();
            assert_eq!([marked, blobs].concat(), [file], "{name}");
        }
    }
}

#[test]
fn a_stopped_check_counts_the_compared_tables() {
    let files = fixture("m_levels").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let targets = directory.check_targets();
    directory.check(&targets[0], false, &mut |_| {});
    directory.check(&targets[1], true, &mut |_| {});
    let report = damage(&directory);
    let all = targets.len();
    let compared =
        format!("A check compared the checksums of 2 of {all} tables, then it was stopped.");
    let decoded = format!("A deep check decoded the entries of 1 of {all} tables.");
    assert_eq!(report.missing[report.missing.len() - 2..], [compared, decoded]);
}

/// A host that checks on threads of its own hands over what they found.
#[test]
fn findings_of_other_threads_are_kept() {
    let files = fixture("d_table_flip").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let checker = levelscope_foreign::directory::Checker::new(
        &files,
        std::sync::Arc::clone(directory.manifest().last()),
    );
    for target in directory.check_targets() {
        let mut found = Vec::new();
        let examined = checker.check(&target, false, &mut |problem| found.push(problem));
        directory.keep(&target, false, examined, &found);
    }
    assert_eq!(figure(&damage(&directory), "Errors"), 1);
}

#[test]
fn reads_that_met_damage_count() {
    for name in ["d_table_flip", "dp_table_flip", "d_blob_flip"] {
        let files = fixture(name).files;
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        let rows = directory.rows(0, &Part { limit: 10_000, ..Part::default() }).unwrap();
        assert!(!rows.problems.is_empty(), "{name}");
        let read = damage(&directory);
        assert_eq!(figure(&read, "Errors"), 1, "{name}: {}", read.answer);
        // A check finds the same damage, which is reported once.
        directory.check_all(false);
        assert_eq!(figure(&damage(&directory), "Errors"), 1, "{name}");
    }
}

#[test]
fn each_missing_file_is_reported_once() {
    for Fixture { name, json, files } in
        fixtures(&["d_table_missing", "dp_table_missing", "d_blob_missing"])
    {
        let file = json["damage"]["file"].as_str().unwrap().to_owned();
        let of =
            |problems: &[Problem]| problems.iter().filter(|problem| problem.file == file).count();
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        assert_eq!(of(&directory.check_all(true)), 1, "{name}");
        directory.rows(0, &Part { limit: 10_000, ..Part::default() }).unwrap();
        assert_eq!(of(&directory.findings()), 1, "{name}");
        let listed = summarize(&files)["problems"].clone();
        let listed = listed.as_array().unwrap().iter().filter(|problem| problem["file"] == *file);
        assert_eq!(listed.count(), 1, "{name}");
    }
}

#[test]
fn a_damaged_log_lists_kept_and_left_out_batches() {
    let read = fixture("d_log_flip");
    let files = CountedFiles::new(&read.files);
    let directory = Directory::open(&files).unwrap();
    let log = &directory.logs().unwrap().files[0];
    // The library's own figures are about its reader, which went on after the damage.
    let expected = &read.json["logs"]["000010.log"];
    let (first, last) = log.sequences.unwrap();
    assert_eq!(first, expected["first_seq"].as_u64().unwrap());
    let left = &log.left_out;
    assert!(left.batches > 0 && left.sequences.unwrap().0 > last + 1);
    // With the whole log, the same entries are there.
    let whole = fixture(read.json["damage"]["base"].as_str().unwrap());
    let counted = CountedFiles::new(&whole.files);
    let sound = Directory::open(&counted).unwrap();
    let sound = &sound.logs().unwrap().files[0];
    let lost = left.sequences.unwrap().0 - last - 1;
    let entries = |families: &std::collections::BTreeMap<u32, (usize, usize)>| {
        families.values().map(|(all, _)| *all as u64).sum::<u64>()
    };
    let kept =
        entries(&log.families) + left.families.iter().map(|(_, one)| one.entries).sum::<u64>();
    assert_eq!(kept + lost, entries(&sound.families));
    let words = directory.logs().unwrap().problems.iter().map(|one| one.message.as_str());
    let words = words.collect::<Vec<_>>().join("\n");
    assert!(words.contains("recovery keeps the 47 batches before it"), "{words}");
    assert!(directory.levels(0, None).unwrap().logs[0].is_damaged);
}

#[test]
fn entries_in_logs_are_the_same_number_everywhere() {
    for Fixture { name, files, .. } in fixtures(&[""]) {
        let files = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&files) else { continue };
        let overview = directory.overview().unwrap();
        for family in overview.families {
            let logs = directory.levels(family.id, None).unwrap().logs;
            let sum: usize = logs.iter().map(|log| log.entries).sum();
            assert_eq!(family.log_entries, sum, "{name}, {}", family.name);
        }
    }
}

#[test]
fn tables_that_refer_to_a_lost_blob_file_are_concerned() {
    for name in ["d_blob_missing", "d_blob_flip"] {
        let files = fixture(name).files;
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        directory.check_all(false);
        let report = damage(&directory);
        assert!(figure(&report, "Tables concerned") > 0, "{name}: {}", report.answer);
        assert_eq!(figure(&report, "Damaged or missing blob files"), 1, "{name}");
        assert!(report.answer.contains("with keys between"), "{}", report.answer);
        let row = &report.table.rows[0];
        assert!(row[4..].iter().all(|cell| *cell != Cell::Unknown), "{row:?}");
    }
    // Pebble names every blob file of a table.
    let fixture = fixture("p_blob_files");
    let blobs: Vec<String> = {
        let counted = CountedFiles::new(&fixture.files);
        let directory = Directory::open(&counted).unwrap();
        let families = directory.state().families.values();
        let all = families.flat_map(|family| family.blob_files.keys());
        all.map(|number| format!("{number:06}.blob")).collect()
    };
    for blob in blobs {
        let list = fixture.files.list().iter().filter(|file| file.name != blob);
        let files = MemoryFiles::new(list.map(|file| {
            (file.name.clone(), fixture.files.read_whole(&file.name, u64::MAX).unwrap())
        }));
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        let report = damage(&directory);
        assert!(figure(&report, "Tables that refer to these blob files") > 0, "{}", report.answer);
    }
}

#[test]
fn slices_of_a_file_are_not_counted_as_the_whole_file() {
    let read = fixture("p_virtual_tables");
    let files = CountedFiles::new(&read.files);
    let directory = Directory::open(&files).unwrap();
    let mut exact = 0;
    for table in directory.state().families[&0].levels.values().flatten() {
        let mut cursor = directory.tables().cursor(0, table.number).unwrap();
        cursor.first().unwrap();
        while cursor.entry().is_some() {
            exact += 1;
            cursor.next().unwrap();
        }
    }
    let levels = directory.levels(0, None).unwrap();
    let lines = levels.levels.iter().flat_map(|level| &level.tables);
    let shown: u64 = lines.filter_map(|table| table.entries).sum();
    let report = directory.report("tombstones", None, None).unwrap();
    assert_eq!(figure(&report, "Entries"), shown);
    assert!(shown.abs_diff(exact) * 10 < exact, "{shown} are shown, {exact} are there");
    assert!(report.missing.iter().any(|one| one.contains("estimated")), "{:?}", report.missing);
}

/// Files of which some entries of the directory are left out.
struct Partial(MemoryFiles, Vec<LeftOut>);

impl Files for Partial {
    fn list(&self) -> &[FileInfo] {
        self.0.list()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_at(name, offset, buffer)
    }

    fn left_out(&self) -> &[LeftOut] {
        &self.1
    }
}

#[test]
fn what_is_no_regular_file_is_not_called_missing() {
    let left = |name: &str, reason| LeftOut { name: name.to_owned(), reason };
    let left = vec![
        left("000010.sst", Reason::NotRegular),
        left("lost+found", Reason::NotRegular),
        left("\u{fffd}.sst", Reason::NotUtf8),
    ];
    let partial = Partial(fixture("d_table_missing").files, left);
    let files = CountedFiles::new(&partial);
    let directory = Directory::open(&files).unwrap();
    let problems = directory.findings();
    let of = |name: &str| -> Vec<&Problem> {
        problems.iter().filter(|problem| problem.file == name).collect()
    };
    let [table] = of("000010.sst")[..] else { panic!("{problems:?}") };
    assert!(table.message.starts_with("the table is not a regular file"), "{}", table.message);
    assert_eq!(table.severity, Severity::Error);
    assert!(of("lost+found").is_empty());
    let report = damage(&directory);
    assert!(
        report.answer.contains("is not a regular file, so up to 13.0 KiB"),
        "{}",
        report.answer
    );
    assert!(of("\u{fffd}.sst")[0].message.contains("not UTF-8"));
}

#[test]
fn a_target_that_is_not_there_reads_nothing() {
    let files = fixture("d_table_missing").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let is_gone = |target: &&Target| !target.is_blob && target.number == 10;
    let targets = directory.check_targets();
    let gone = targets.iter().find(is_gone).unwrap();
    assert_eq!(directory.check(gone, true, &mut |_| panic!("it is reported already")).bytes, 0);
}

/// The prediction of question 10 about opening agrees with the libraries.
#[test]
fn the_engine_opens_or_refuses_as_the_report_predicts() {
    let (mut refused, mut opened) = (0, 0);
    for Fixture { name, json, files } in fixtures(&["d_", "dp_"]) {
        let files = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&files) else { continue };
        let report = damage(&directory);
        let opening = report.missing.iter().find(|words| words.contains("this directory: "));
        let open = &json["open"];
        let status = open["open_read_only"].as_str().or(open["status"].as_str()).unwrap();
        if let Some(opening) = opening {
            assert_eq!(opening.contains(" refuses to open "), status != "OK", "{name}: {opening}");
            refused += usize::from(status != "OK");
            opened += usize::from(status == "OK");
        } else if status != "OK" {
            // The footer and the blocks of a table are read by a check only.
            assert!(["d_table_footer", "dp_table_flip"].contains(&name.as_str()), "{name}");
        }
    }
    assert!(refused >= 9 && opened >= 6, "{refused} {opened}");
}

/// Bounds of megabytes are shown by their beginnings, also in findings.
#[test]
fn keys_in_findings_are_short() {
    let long = vec![b'k'; 5_000];
    let (smallest, largest) = levelscope_foreign::problem::bounds(&long, b"z");
    assert_eq!((smallest.len(), largest.as_str()), (2_048, "7a"));
}
