//! Missing files are reported as missing, and unknown counts as unknown.

use super::case::{case, figure, word};
use levelscope_foreign::report::{Cell, Question, Report, SeriesData};

fn cell<'r>(report: &'r Report, row: usize, name: &str) -> &'r Cell {
    let place = report.table.columns.iter().position(|column| column.name == name).unwrap();
    &report.table.rows[row][place]
}

#[test]
fn a_missing_blob_file_is_reported_and_drawn_apart() {
    let report = case("d_blob_missing").answer(Question::Blobs);
    let expected =
        "Blob file 10 is missing from the directory: its 4.7 KiB of live values cannot be read.";
    assert!(report.answer.ends_with(expected), "{}", report.answer);
    assert_eq!(figure(&report, "Missing blob files"), 1);
    let series: Vec<_> = report.pictures[0].series.iter().collect();
    let labels: Vec<_> = series.iter().map(|series| series.label.as_str()).collect();
    assert_eq!(labels, ["live", "garbage", "missing"]);
    let values = |place: usize| match &series[place].data {
        SeriesData::Bars(bars) => bars.iter().map(|bar| bar.1).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!((values(0)[0], values(1)[0], values(2)[1]), (0.0, 0.0, 0.0));
    assert!(values(2)[0] > 14_000.0 && values(0)[1] > 7000.0, "{series:?}");
    let sizes = case("d_blob_missing").answer(Question::Sizes).answer;
    let expected = "1 blob file (14.2 KiB) of it is missing from the directory.";
    assert!(sizes.ends_with(expected), "{sizes}");
}

#[test]
fn tables_that_need_a_blob_file_are_not_known_to_be_none() {
    let report = case("b_blob_garbage").answer(Question::Blobs);
    assert_eq!(cell(&report, 0, "tables that need it"), &Cell::Number(1));
    assert_eq!(cell(&report, 1, "tables that need it"), &Cell::Unknown);
}

#[test]
fn a_missing_table_has_no_counts() {
    let read = case("dp_table_missing");
    let sizes = read.answer(Question::Sizes);
    assert!(
        sizes.answer.ends_with("1 table (15.8 KiB) of it is missing from the directory."),
        "{}",
        sizes.answer
    );
    assert_eq!(cell(&sizes, 1, "entries"), &Cell::Unknown);
    assert_eq!(cell(&sizes, 1, "keys and values before compression"), &Cell::Unknown);
    for question in [Question::Tombstones, Question::Scans, Question::Sizes] {
        let report = read.answer(question);
        let expected =
            "Table 5 is missing from the directory: its entries and tombstones are not counted.";
        assert_eq!(report.missing[0], expected);
    }
}

#[test]
fn tables_that_a_damaged_manifest_leaves_out_are_not_in_the_logs() {
    let sizes = case("d_manifest_flip").answer(Question::Sizes);
    let expected = "No level holds a table, but 2 tables of 17.6 KiB are in the directory: the damaged manifest \
        does not name them.";
    assert_eq!(sizes.answer, expected);
}

#[test]
fn families_of_the_oldest_log_are_those_of_its_row() {
    let report = case("c_families").answer(Question::Logs);
    assert_eq!(word(&report, "Families that may need the oldest log"), "default, events, größe");
    let row = cell(&report, 0, "families that may need it");
    assert_eq!(row, &Cell::from("default, events, größe"));
    assert_eq!(word(&report, "Families with entries in it that no table has"), "größe");
    let row = cell(&report, 0, "families with entries in it that no table has");
    assert_eq!(row, &Cell::from("größe"));
}

#[test]
fn range_deletions_are_counted_and_what_they_hide_is_not() {
    let read = case("e_range_deletions");
    let tombstones = read.answer(Question::Tombstones);
    assert_eq!(figure(&tombstones, "Range deletions"), 4);
    let expected =
        "All of them are range deletions: each one deletes all older entries in its range.";
    assert!(tombstones.answer.contains(expected), "{}", tombstones.answer);
    let sum: u64 = (0..tombstones.table.rows.len())
        .map(|row| match cell(&tombstones, row, "range deletions") {
            Cell::Number(number) => *number,
            other => panic!("{other:?}"),
        })
        .sum();
    assert_eq!(sum, 4);
    let scans = read.answer(Question::Scans);
    assert!(!scans.answer.contains("at least"), "{}", scans.answer);
    let expected = "4 of the tombstones are range deletions, which hide all older entries in their ranges: how many \
        entries a scan reads for each one returned is not known. A scan counts them.";
    assert!(scans.answer.ends_with(expected), "{}", scans.answer);
}
