//! Level 0, stalls and the history.

use super::case::{case, figure, replayed};
use levelscope_foreign::events::Log;
use levelscope_foreign::report::{Cell, Question, SeriesData};
use levelscope_foreign::{Files, MemoryFiles};

#[test]
fn level_0_most_files_step_and_limits() {
    for name in ["h_history", "m_levels", "l_history"] {
        let read = case(name);
        let report = read.answer(Question::LevelZero);
        let replayed = replayed(&read);
        let most = replayed.iter().map(|shape| shape.0).max().unwrap();
        let first = replayed.iter().position(|shape| shape.0 == most).unwrap();
        assert_eq!(figure(&report, "Most files in level 0"), most);
        let step = read.manifest.step_of(first).unwrap() as u64;
        assert_eq!(figure(&report, "Step with the most files"), step);
        assert_eq!(figure(&report, "Files in level 0 now"), replayed.last().unwrap().0);
        let held = format!("held {most} files at its fullest, after step {step}");
        assert!(report.answer.contains(&held), "{}", report.answer);
    }
    let history = case("h_history").answer(Question::LevelZero);
    let expected = "Level 0 of family \"default\" held 4 files at its fullest, after step 29. That reached the \
        compaction trigger of 4, but not the slowdown of writes at 20. It is empty now; 5 compactions took \
        files out of it, each on average in 58.3 ms.";
    assert_eq!(history.answer, expected);
    assert_eq!(figure(&history, "Compactions from level 0 in the LOG"), 5);
    assert_eq!(figure(&history, "Flushes in the LOG"), 20);
    let lines: Vec<_> = history.pictures[0].references.iter().map(|line| line.value).collect();
    assert_eq!(lines, [4.0, 20.0, 36.0]);
    assert!(history.missing.is_empty(), "{:?}", history.missing);
    let SeriesData::Spans(spans) = &history.pictures[1].series[0].data else { panic!("no spans") };
    assert_eq!(spans.len(), 5);
    assert!(spans.iter().all(|span| span.label == "LevelL0FilesNum to level 1"), "{spans:?}");
}

#[test]
fn level_0_without_options_log_and_in_other_styles() {
    let history = case("h_history");
    let alone = history.without(
        |evidence| (evidence.options, evidence.events) = (None, None),
        Question::LevelZero,
    );
    assert!(
        alone.answer.ends_with("the compaction trigger is not known. It is empty now."),
        "{}",
        alone.answer
    );
    assert_eq!(alone.missing.len(), 2);
    assert!(alone.pictures[0].references.is_empty());
    let fifo = case("m_fifo").answer(Question::LevelZero).answer;
    assert!(fifo.contains("In FIFO compaction all files stay in level 0"), "{fifo}");
    let families = case("c_families").answer(Question::LevelZero).answer;
    assert!(families.contains("as many as in \"users\""), "{families}");
    let rolled = case("h_manifest_rolled").answer(Question::LevelZero);
    assert!(
        rolled.missing.iter().any(|missing| missing.contains("snapshot")),
        "{:?}",
        rolled.missing
    );
}

const STALLS: &str = "2026/11/22-03:00:01.000000 1 [WARN] [/column_family.cc:991] [default] Stalling writes because we have 20 level-0 files rate 16777216
2026/11/22-03:00:02.000000 1 [WARN] [/column_family.cc:980] [users] Stopping writes because we have 2 immutable memtables (waiting for flush), max_write_buffer_number is set to 2
2026/11/22-03:00:03.000000 1 [/db_impl.cc:432] [default] Level summary: files[2 0 0] max score 0.50, estimated pending compaction bytes 0
";

#[test]
fn stalls_name_the_family_and_the_cause() {
    let mut levels = case("m_levels");
    let quiet = levels.answer(Question::Stalls);
    assert!(
        quiet.answer.starts_with("The LOG, which covers 1 opening of the database, has no line"),
        "{}",
        quiet.answer
    );
    let log = MemoryFiles::new([("LOG".to_owned(), STALLS.as_bytes().to_vec())]);
    levels.events = Some(Log::read(&log));
    let stalled = levels.answer(Question::Stalls);
    let expected = "Writes of family \"default\" slowed down 1 time, for at least 2.0 s in all, mostly \
        because of files in level 0, at most 20. 1 other family stalled, too.";
    assert!(stalled.answer.starts_with(expected), "{}", stalled.answer);
    assert_eq!(figure(&stalled, "Stalls"), 2);
    assert_eq!(stalled.table.rows.len(), 2);
    assert_eq!(stalled.pictures[0].series.len(), 2);
    let unknown = levels.without(|evidence| evidence.events = None, Question::Stalls);
    assert!(unknown.answer.starts_with("Without a LOG it is not known whether writes stalled."));
    let leveldb = case("l_history").answer(Question::Stalls).answer;
    assert!(leveldb.starts_with("Writes stopped 55 times"), "{leveldb}");
}

/// RocksDB wrote its own estimate into level summaries; no compaction ran while this one was printed.
#[test]
fn the_debt_is_the_one_that_rocksdb_logged() {
    let levels = case("m_levels");
    let report = levels.answer(Question::Stalls);
    let text = levels.fixture.files.read_whole("LOG", 1 << 20).unwrap();
    let text = String::from_utf8(text).unwrap();
    let logged = text.split("estimated pending compaction bytes ").skip(1);
    let logged: Vec<u64> = logged
        .map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(
        figure(&report, "Largest compaction debt, estimated"),
        *logged.iter().max().unwrap()
    );
}

#[test]
fn the_replay_counts_steps_and_bytes() {
    for name in ["h_history", "l_history", "p_history"] {
        let read = case(name);
        let report = read.answer(Question::Replay);
        let edits = read.fixture.json["manifest"]["edits"].as_u64().unwrap();
        assert_eq!(figure(&report, "Edits"), edits, "{name}");
        assert_eq!(report.table.rows.len(), read.manifest.steps().len());
        let last = replayed(&read).last().unwrap().1;
        assert_eq!(report.table.rows.last().unwrap().last(), Some(&Cell::Number(last)), "{name}");
    }
    let read = case("h_history");
    let report = read.answer(Question::Replay);
    // The LOG counts the same jobs.
    let log = &read.fixture.json["log_events"];
    for (step, event) in [
        ("Steps: flush", "flush_finished"),
        ("Steps: compaction", "compaction_finished"),
        ("Steps: ingestion", "ingest_finished"),
        ("Steps: trivial move", "trivial_move"),
    ] {
        assert_eq!(figure(&report, step), log[event].as_u64().unwrap(), "{step}");
    }
    let timed = report.table.rows.iter().filter(|row| row[9] != Cell::Unknown).count();
    assert_eq!(timed, 20 + 5 + 80 + 1 + 2, "every step that adds or removes tables has a time");
    let expected = "In 214 edits the database did 20 flushes, 5 compactions, 1 trivial move, 80 ingestions \
        and 2 deletions of tables. It has 57 tables of 94.5 KiB now. Compactions wrote 34.8 KiB, so each \
        byte that came into tables was written 1.2 times, not counting logs and blob files.";
    assert_eq!(report.answer, expected);
    let alone = read.without(|evidence| evidence.manifest = None, Question::Replay);
    assert_eq!(alone.answer, "Without a manifest it is not known how it got like this.");
    assert!(alone.missing[0].starts_with("No manifest"));
}
