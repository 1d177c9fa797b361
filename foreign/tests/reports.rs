//! The ten reports on fixtures, with sentences and figures compared with values that are counted another way.

#![allow(clippy::unwrap_used, reason = "tests fail where fixtures are odd")]

mod fixtures;

use fixtures::Fixture;
use levelscope_foreign::events::{Events, Log};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::options::OptionsFile;
use levelscope_foreign::report::{Cell, Evidence, Focus, Question, Report, answer};
use levelscope_foreign::{Files, MemoryFiles, Problem, State, TableSummary, table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A fixture, read as far as it can be.
struct Read {
    fixture: Fixture,
    manifest: Manifest,
    options: Option<OptionsFile>,
    events: Option<Events>,
    summaries: BTreeMap<u64, TableSummary>,
    problems: Vec<Problem>,
}

fn case(name: &str) -> Read {
    read_files(fixtures::one(name))
}

fn read_files(fixture: Fixture) -> Read {
    let engine = fixtures::engine_of(&fixture.json);
    let files = &fixture.files;
    let manifest = fixture.json["manifest"]["name"].as_str().unwrap();
    let manifest = Manifest::open(files, manifest, engine).unwrap();
    let options = OptionsFile::read(files).unwrap();
    let has_log = !Log::names(files).is_empty();
    let events = has_log.then(|| Log::read(files));
    let mut summaries = BTreeMap::new();
    let mut problems = manifest.problems().to_vec();
    for family in manifest.last().families.values() {
        for file in family.levels.values().flatten() {
            let name = match files.length(&file.file_name()) {
                Some(_) => file.file_name(),
                None => format!("{:06}.ldb", file.backing),
            };
            match table::open(files, &name, engine, family.comparator) {
                Ok(table) => {
                    summaries.insert(file.backing, table.summary().clone());
                }
                Err(error) => problems.push(Problem::of(&error, &name)),
            }
        }
    }
    Read { fixture, manifest, options, events, summaries, problems }
}

impl Read {
    fn evidence(&self) -> Evidence<'_> {
        Evidence {
            files: &self.fixture.files,
            manifest: Some(&self.manifest),
            state: self.manifest.last(),
            options: self.options.as_ref(),
            events: self.events.as_ref(),
            summaries: &self.summaries,
            problems: &self.problems,
        }
    }

    /// With less evidence.
    fn without<'a>(&'a self, take: impl FnOnce(&mut Evidence<'a>), question: Question) -> Report {
        let mut evidence = self.evidence();
        take(&mut evidence);
        answer(question, &evidence, None)
    }

    fn answer(&self, question: Question) -> Report {
        answer(question, &self.evidence(), None)
    }
}

/// The tables of the description: family, level, table.
fn described(read: &Read) -> Vec<(String, u64, &Value)> {
    let mut found = Vec::new();
    for family in read.fixture.json["column_families"].as_array().unwrap() {
        let name = family["name"].as_str().unwrap();
        for level in family["levels"].as_array().unwrap() {
            for file in level["files"].as_array().unwrap() {
                found.push((name.to_owned(), level["level"].as_u64().unwrap(), file));
            }
        }
    }
    found
}

fn sum(read: &Read, field: &str) -> u64 {
    described(read).iter().map(|(_, _, file)| file[field].as_u64().unwrap()).sum()
}

/// Replays the described edits: after each one, the tables of level 0 of family 0, and the bytes of all tables.
fn replayed(read: &Read) -> Vec<(u64, u64)> {
    let mut tables: BTreeMap<(u64, u64, u64), u64> = BTreeMap::new();
    let mut found = Vec::new();
    for edit in read.fixture.json["manifest"]["history"].as_array().unwrap() {
        let family = edit["cf"].as_u64().unwrap_or(0);
        for gone in edit["del"].as_array().into_iter().flatten() {
            tables.remove(&(family, gone[0].as_u64().unwrap(), gone[1].as_u64().unwrap()));
        }
        for added in edit["add"].as_array().into_iter().flatten() {
            let number = |place: usize| added[place].as_u64().unwrap();
            tables.insert((family, number(0), number(1)), number(2));
        }
        let level0 = tables.keys().filter(|key| key.0 == 0 && key.1 == 0).count() as u64;
        found.push((level0, tables.values().sum()));
    }
    found
}

fn figure(report: &Report, label: &str) -> u64 {
    match report.figure_named(label) {
        Some(Cell::Number(number)) => *number,
        other => panic!("{label} is {other:?} in {:?}", report.figures),
    }
}

fn word(report: &Report, label: &str) -> String {
    match report.figure_named(label) {
        Some(Cell::Text(text)) => text.clone(),
        other => panic!("{label} is {other:?}"),
    }
}

fn decimal(report: &Report, label: &str) -> f64 {
    match report.figure_named(label) {
        Some(Cell::Decimal(number)) => *number,
        other => panic!("{label} is {other:?}"),
    }
}

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
        let held = format!("held at most {most} files after step {step}");
        assert!(report.answer.contains(&held), "{}", report.answer);
    }
    let history = case("h_history").answer(Question::LevelZero);
    let expected = "Level 0 of family \"default\" held at most 4 files after step 29, which reached the \
        compaction trigger of 4 but not the slowdown of writes at 20; now it holds 0 files, and 5 \
        compactions took files out of it, each on average in 58.3 ms.";
    assert_eq!(history.answer, expected);
    assert_eq!(figure(&history, "Compactions from level 0 in the LOG"), 5);
    assert_eq!(figure(&history, "Flushes in the LOG"), 20);
    let lines: Vec<_> = history.pictures[0].references.iter().map(|line| line.value).collect();
    assert_eq!(lines, [4.0, 20.0, 36.0]);
    assert!(history.missing.is_empty(), "{:?}", history.missing);
}

#[test]
fn level_0_without_options_log_and_in_other_styles() {
    let history = case("h_history");
    let alone = history.without(
        |evidence| (evidence.options, evidence.events) = (None, None),
        Question::LevelZero,
    );
    assert!(
        alone.answer.ends_with("its trigger is unknown; now it holds 0 files."),
        "{}",
        alone.answer
    );
    assert_eq!(alone.missing.len(), 2);
    assert!(alone.pictures[0].references.is_empty());
    let fifo = case("m_fifo").answer(Question::LevelZero).answer;
    assert!(fifo.contains("in FIFO compaction all files stay in level 0"), "{fifo}");
    let families = case("c_families").answer(Question::LevelZero).answer;
    assert!(families.contains("as many as in another family"), "{families}");
    let rolled = case("h_manifest_rolled").answer(Question::LevelZero);
    assert!(
        rolled.missing.iter().any(|missing| missing.contains("snapshot")),
        "{:?}",
        rolled.missing
    );
}

const STALLS: &str = r#"2026/11/22-03:00:01.000000 1 [WARN] [/column_family.cc:991] [default] Stalling writes because we have 20 level-0 files rate 16777216
2026/11/22-03:00:02.000000 1 [WARN] [/column_family.cc:980] [users] Stopping writes because we have 2 immutable memtables (waiting for flush), max_write_buffer_number is set to 2
2026/11/22-03:00:03.000000 1 [/db_impl.cc:432] [default] Level summary: files[2 0 0] max score 0.50, estimated pending compaction bytes 0
"#;

#[test]
fn stalls_name_the_family_and_the_cause() {
    let mut levels = case("m_levels");
    let quiet = levels.answer(Question::Stalls);
    assert!(
        quiet.answer.starts_with("No line of the LOG, which covers 1 opening, says"),
        "{}",
        quiet.answer
    );
    let log = MemoryFiles::new([("LOG".to_owned(), STALLS.as_bytes().to_vec())]);
    levels.events = Some(Log::read(&log));
    let stalled = levels.answer(Question::Stalls);
    let expected = "Writes of family \"default\" slowed down 1 time, for at least 2.0 s in all, mostly \
        because of files in level 0, at most 20; 1 other family stalled, too;";
    assert!(stalled.answer.starts_with(expected), "{}", stalled.answer);
    assert_eq!(figure(&stalled, "Stalls"), 2);
    assert_eq!(stalled.table.rows.len(), 2);
    assert_eq!(stalled.pictures[0].series.len(), 2);
    let unknown = levels.without(|evidence| evidence.events = None, Question::Stalls);
    assert!(unknown.answer.starts_with("Whether writes stalled is unknown without a LOG"));
    let leveldb = case("l_history").answer(Question::Stalls).answer;
    assert!(leveldb.starts_with("Writes of family \"default\" stopped 55 times"), "{leveldb}");
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
    assert_eq!(figure(&report, "Size of the tables that they lie over"), under);
    assert_eq!(
        figure(&report, "Tombstones with no table below"),
        lower["deletions"].as_u64().unwrap()
    );
    let expected = "480 of 880 entries in the tables are tombstones (55 %): 100 lie over tables of 15.4 KiB \
        with older entries, whose space comes back only when compactions merge them, and 380 are in 1 \
        table with nothing below, where they stay until the table is compacted and no older snapshot \
        needs them.";
    assert_eq!(report.answer, expected);
    let none = BTreeMap::new();
    let unread = read.without(|evidence| evidence.summaries = &none, Question::Tombstones);
    assert!(unread.answer.contains("unknown, because no table was read"), "{}", unread.answer);
    assert!(unread.missing[0].contains("The properties of 2 of 2 tables were not read"));
    // In level 0, older tables count as below.
    let times = case("e_timestamps").answer(Question::Tombstones).answer;
    assert!(times.contains("all lie over tables") || times.contains("nothing below"), "{times}");
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
        assert!(cover.answer.contains(&format!("a read looks into up to {most} sorted runs")));
    }
    let read = case("x_tombstones");
    let scan = read.answer(Question::Scans);
    assert!((decimal(&scan, "Share of tombstones") - 480.0 / 880.0).abs() < 1e-9);
    let read_each = 880.0 / 400.0;
    let reported = decimal(&scan, "Entries read for each returned there, at least");
    assert!((reported - read_each).abs() < 1e-9, "{reported}");
    assert!(scan.answer.contains("at least 2.2 entries are read there for each one returned"));
    let none = BTreeMap::new();
    let unread = read.without(|evidence| evidence.summaries = &none, Question::Scans);
    assert!(unread.answer.contains("how many entries it skips is unknown"), "{}", unread.answer);
}

#[test]
fn a_key_and_a_range_can_be_asked_for() {
    let read = case("h_history");
    let key = b"user:000500".to_vec();
    let focus = Focus { family: 0, start: key.clone(), end: key.clone() };
    let one = answer(Question::Cover, &read.evidence(), Some(&focus));
    let hex = levelscope_foreign::problem::hex(&key);
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
    let expected = "The largest family is \"users\" with 18.1 KiB of 32.9 KiB (55 %): 16.6 KiB in level 6 \
        and 18.1 KiB under the prefix \"user:\".";
    assert_eq!(report.answer, expected);
    let blobs = case("b_blob_files").answer(Question::Sizes).answer;
    assert!(blobs.contains("46.3 KiB in blob files"), "{blobs}");
    assert_eq!(
        case("x_empty").answer(Question::Sizes).answer,
        "No family has a table or a blob file."
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
        assert_eq!(report.table.rows.last().unwrap()[13], Cell::Number(last), "{name}");
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
    assert_eq!(timed, 20 + 5 + 80 + 1, "every step that adds tables has a time");
    let expected = "In 214 edits the database did 20 flushes, 5 compactions, 1 trivial move, 80 ingestions \
        and 2 deletions of tables and has 57 tables of 94.6 KiB now; compactions wrote 34.9 KiB, so 1.2 \
        bytes were written for each byte that came in.";
    assert_eq!(report.answer, expected);
    let alone = read.without(|evidence| evidence.manifest = None, Question::Replay);
    assert_eq!(alone.answer, "How it got like this is unknown without a manifest.");
    assert!(alone.missing[0].starts_with("No manifest"));
}

#[test]
fn blob_files_live_and_garbage() {
    for name in ["b_blob_files", "b_blob_garbage"] {
        let read = case(name);
        let report = read.answer(Question::Blobs);
        let files = read.fixture.json["column_families"][0]["blob_files"].as_array().unwrap();
        let sum = |field: &str| files.iter().map(|file| file[field].as_u64().unwrap()).sum::<u64>();
        assert_eq!(figure(&report, "Blob files"), files.len() as u64, "{name}");
        assert_eq!(figure(&report, "Bytes of values"), sum("total_bytes"), "{name}");
        assert_eq!(figure(&report, "Garbage"), sum("garbage_bytes"), "{name}");
        let most = files.iter().max_by_key(|file| file["garbage_bytes"].as_u64()).unwrap();
        assert_eq!(
            figure(&report, "Blob file with the most garbage"),
            most["number"].as_u64().unwrap()
        );
    }
    let garbage = case("b_blob_garbage");
    let expected = "2 blob files hold 21.9 KiB of values, of which 9.5 KiB is garbage (43 %); the most is in \
        blob file 10 of family \"default\" (9.5 KiB of 14.2 KiB), and it stays until the whole file is \
        garbage, because garbage collection of blob files is off.";
    assert_eq!(garbage.answer(Question::Blobs).answer, expected);
    let alone = garbage.without(|evidence| evidence.options = None, Question::Blobs);
    assert!(alone.answer.ends_with("(9.5 KiB of 14.2 KiB)."), "{}", alone.answer);
    assert!(alone.missing.iter().any(|missing| missing.contains("whether garbage is collected")));
    let none = case("h_history").answer(Question::Blobs);
    assert_eq!(none.answer, "No blob file counts in any family, so all values are in tables.");
}

#[test]
fn logs_and_the_family_that_holds_the_oldest() {
    let read = case("c_families");
    let report = read.answer(Question::Logs);
    let list: Vec<_> =
        read.fixture.files.list().iter().filter(|file| file.name.ends_with(".log")).collect();
    assert_eq!(figure(&report, "Logs"), list.len() as u64);
    assert_eq!(
        figure(&report, "Size of all logs"),
        list.iter().map(|file| file.bytes).sum::<u64>()
    );
    // Each family's last log number among the described edits.
    let mut needed: BTreeMap<u64, u64> = BTreeMap::new();
    for edit in read.fixture.json["manifest"]["history"].as_array().unwrap() {
        let family = edit["cf"].as_u64().unwrap_or(0);
        if let Some(log) = edit["log"].as_u64() {
            needed.insert(family, log);
        }
        if edit["cf_drop"].as_bool() == Some(true) {
            needed.remove(&family);
        }
    }
    assert_eq!(figure(&report, "Oldest log that is needed"), *needed.values().min().unwrap());
    let holders = word(&report, "Families that need the oldest log");
    assert_eq!(holders, "family \"default\", family \"events\", family \"größe\"");
    assert!(
        report.answer.starts_with("2 logs of 3.2 KiB are needed, because family \"default\""),
        "{}",
        report.answer
    );
    let tables_only = MemoryFiles::default();
    let alone = read.without(|evidence| evidence.files = &tables_only, Question::Logs);
    assert!(alone.answer.starts_with("No log is in the directory"), "{}", alone.answer);
    assert!(alone.missing[0].contains("wal_dir"));
    let pebble = case("p_history").answer(Question::Logs);
    assert_eq!(figure(&pebble, "Obsolete logs"), 1);
}

#[test]
fn damage_names_file_family_keys_and_share() {
    let missing = case("d_table_missing");
    let report = missing.answer(Question::Damage);
    let file = missing.fixture.json["damage"]["file"].as_str().unwrap();
    let gone = described(&missing)
        .into_iter()
        .find(|(_, _, table)| file == format!("{:06}.sst", table["number"].as_u64().unwrap()))
        .unwrap();
    assert_eq!(figure(&report, "Size of these tables"), gone.2["bytes"].as_u64().unwrap());
    assert_eq!(figure(&report, "Size of all tables"), sum(&missing, "bytes"));
    let expected = "Table 10 in level 6 of family \"default\" is missing, so up to 13.0 KiB of 17.6 KiB in \
        tables are lost (74 %): its keys lie between \"user:000000\" and \"user:000199\".";
    assert_eq!(report.answer, expected);
    let manifest = case("d_manifest_flip").answer(Question::Damage);
    assert!(
        manifest.answer.starts_with("MANIFEST-000005 is damaged at offset "),
        "{}",
        manifest.answer
    );
    let blob = case("d_blob_missing").answer(Question::Damage);
    assert_eq!(blob.answer, "000010.blob is missing, so up to 4.7 KiB of live values are lost.");
    let short = case("d_table_short").answer(Question::Damage);
    assert_eq!(figure(&short, "Tables concerned"), 1);
    assert!(short.answer.contains("is damaged, so up to"), "{}", short.answer);
    for sound in ["h_history", "l_history", "b_blob_files", "c_families"] {
        let report = case(sound).answer(Question::Damage);
        assert_eq!(figure(&report, "Errors"), 0, "{sound}: {}", report.answer);
        assert!(report.answer.starts_with("No damage was found"));
    }
}

/// A report about any state of the history, not only the last one.
#[test]
fn an_earlier_state_can_be_asked_about() {
    let read = case("h_history");
    let step = read.manifest.steps().len() / 2;
    let state: Arc<State> = read.manifest.state_at(&read.fixture.files, step).unwrap();
    let report = read.without(|evidence| evidence.state = &state, Question::Sizes);
    let tables = state.families[&0].levels.values().flatten();
    let bytes: u64 = tables.map(|table| table.bytes).sum();
    assert_eq!(figure(&report, "Size of all tables"), bytes);
}

#[test]
fn every_report_of_every_fixture_is_whole() {
    for fixture in fixtures::all() {
        let manifest = fixture.json["manifest"]["name"].as_str();
        if manifest.is_none_or(|name| fixture.files.length(name).is_none()) {
            continue;
        }
        let name = fixture.name.clone();
        let read = read_files(fixture);
        for question in Question::ALL {
            let report = read.answer(question);
            assert_eq!(Question::named(report.id), Some(question));
            let answer = &report.answer;
            assert!(answer.ends_with('.') && !answer.contains(".."), "{name}: {answer}");
            assert!(answer.len() < 500, "{name}: {answer}");
            let columns = report.table.columns.len();
            assert!(
                report.table.rows.iter().all(|row| row.len() == columns),
                "{name} {}",
                report.id
            );
            let csv = report.table.csv();
            assert!(csv.lines().count() > report.table.rows.len(), "{name} {}", report.id);
            serde_json::to_string(&report).unwrap();
        }
    }
}
