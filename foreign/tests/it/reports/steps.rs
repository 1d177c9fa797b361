//! Sentences of steps: which families, tables and reasons they name; and rows that agree with them.

use super::case::{case, figure};
use crate::common::fixture;
use levelscope_foreign::CountedFiles;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::query::answer::StepLine;
use levelscope_foreign::report::{Cell, Question, Report};

fn steps(name: &str) -> Vec<StepLine> {
    let fixture = fixture(name);
    let files = CountedFiles::new(&fixture.files);
    let directory = Directory::open(&files).unwrap();
    directory.step_lines(0, usize::MAX).unwrap()
}

fn sentences(name: &str) -> Vec<String> {
    steps(name).into_iter().map(|step| step.sentence).collect()
}

/// The cells of a column.
fn column<'r>(report: &'r Report, name: &str) -> Vec<&'r Cell> {
    let place = report.table.columns.iter().position(|column| column.name == name).unwrap();
    report.table.rows.iter().map(|row| &row[place]).collect()
}

#[test]
fn a_step_of_several_families_names_all_of_them() {
    let atomic = sentences("c_atomic_flush");
    let all: Vec<_> = atomic.iter().filter(|line| line.contains(" wrote 3 tables ")).collect();
    assert!(!all.is_empty(), "{atomic:?}");
    for line in all {
        assert!(
            line.starts_with("A flush of \"default\", \"a\" and \"b\" wrote 3 tables to L0"),
            "{line}"
        );
    }
}

#[test]
fn families_are_named_when_they_come_and_go() {
    let lines = sentences("c_families");
    assert_eq!(lines[1], "Bookkeeping: no table changed.");
    assert_eq!(lines[2], "Column family \"users\" was created.");
    assert_eq!(lines[10], "A flush of \"drop me\" wrote 1 table to L0 (1.6 KiB).");
    assert_eq!(lines[15], "Column family \"drop me\" was dropped with its only table.");
    let replay = case("c_families").answer(Question::Replay);
    assert_eq!(column(&replay, "families")[15], &Cell::from("drop me"));
    assert_eq!(column(&replay, "families")[2], &Cell::from("users"));
}

#[test]
fn an_ingestion_that_cuts_a_table_counts_only_what_came_in() {
    let lines = sentences("p_virtual_tables");
    assert_eq!(lines[3], "An ingestion added 1 table to L6 (1.5 KiB) and cut table 5 in two.");
    let replay = case("p_virtual_tables").answer(Question::Replay);
    assert_eq!(figure(&replay, "Bytes ingested") >> 10, 1, "{:?}", replay.figures);
}

#[test]
fn fifo_names_the_table_the_limit_and_the_reason() {
    let steps = steps("m_fifo");
    let step = &steps[12];
    assert_eq!(
        step.sentence,
        "FIFO compaction dropped table 9, because the tables took more than max_table_files_size (20.0 KiB)."
    );
    assert_eq!(step.reason.as_deref(), Some("FIFOMaxSize"));
    assert_eq!(step.duration_micros, Some(726));
    let replay = case("m_fifo").answer(Question::Replay);
    assert_eq!(column(&replay, "reason")[12], &Cell::from("FIFOMaxSize"));
    assert_eq!(column(&replay, "duration")[12], &Cell::Number(726));
    assert_eq!(column(&replay, "time")[12], &Cell::from(step.micros));
    let limit = "FIFO compaction drops the oldest tables when they take more than 20.0 KiB \
        (max_table_files_size); they take 18.3 KiB now (92 %).";
    assert!(replay.answer.contains(limit), "{}", replay.answer);
    let level0 = case("m_fifo").answer(Question::LevelZero);
    assert!(level0.answer.contains(limit), "{}", level0.answer);
    let drawn = level0.pictures[0].references.iter();
    assert!(drawn.clone().all(|line| line.label != "compaction trigger"), "{level0:?}");
}

#[test]
fn a_move_has_neither_the_reason_nor_the_duration_of_the_flush() {
    for question in [Question::LevelZero, Question::Replay] {
        let report = case("c_families").answer(question);
        let moves = column(&report, "kind").iter().position(|kind| **kind == Cell::from("move"));
        let row = moves.unwrap();
        assert_eq!(column(&report, "reason")[row], &Cell::Unknown, "{question:?}");
        assert_eq!(column(&report, "duration")[row], &Cell::Unknown, "{question:?}");
    }
    assert_eq!(steps("c_families")[14].duration_micros, None);
}

#[test]
fn times_of_the_levels_are_those_of_the_report() {
    for name in
        ["b_blob_garbage", "h_reopened", "m_fifo", "h_history", "h_manifest_rolled", "p_history"]
    {
        let report = case(name).answer(Question::Replay);
        for (line, row) in steps(name).iter().zip(column(&report, "time")) {
            assert_eq!(&Cell::from(line.micros), row, "{name}: {}", line.sentence);
        }
        // No job wrote the snapshot that a manifest begins with.
        assert_eq!(column(&report, "reason")[0], &Cell::Unknown, "{name}");
        assert_eq!(column(&report, "time")[0], &Cell::Unknown, "{name}");
    }
    let alone = case("b_blob_garbage").answer(Question::Replay);
    let expected = "No LOG is there: times are those at which tables were created, to the second; reasons and \
        durations are unknown.";
    assert!(alone.missing.iter().any(|line| line == expected), "{:?}", alone.missing);
}

#[test]
fn edits_of_an_unfinished_group_are_counted_apart() {
    let report = case("d_manifest_group").answer(Question::Replay);
    assert_eq!(figure(&report, "Edits"), 23);
    assert_eq!(figure(&report, "Edits that were not applied"), 3);
    assert!(report.answer.contains("20 of 23 edits"), "{}", report.answer);
}

#[test]
fn lines_of_level_0_begin_at_the_first_step() {
    use levelscope_foreign::report::SeriesData;
    let report = case("c_families").answer(Question::LevelZero);
    assert!(
        report.answer.contains("as many as in \"users\", \"events\" and \"drop me\""),
        "{}",
        report.answer
    );
    for series in &report.pictures[0].series {
        let SeriesData::Steps(points) = &series.data else { panic!("no steps") };
        assert_eq!(points[0], (0.0, 0.0), "{}", series.label);
    }
}
