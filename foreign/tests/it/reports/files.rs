//! Blob files, logs, damage, and all reports of all fixtures.

use super::case::{case, described, figure, read_files, sum, word};
use levelscope_foreign::directory::Logs;
use levelscope_foreign::report::{Cell, Question};
use levelscope_foreign::{Files, MemoryFiles, State};
use std::collections::BTreeMap;
use std::sync::Arc;

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
    let expected = "2 blob files hold 21.9 KiB of values, 9.4 KiB of it garbage (43 %). The most is in blob \
        file 10 of family \"default\" (9.4 KiB of 14.2 KiB), and it stays until the whole file is \
        garbage, because garbage collection of blob files is off.";
    assert_eq!(garbage.answer(Question::Blobs).answer, expected);
    let alone = garbage.without(|evidence| evidence.options = None, Question::Blobs);
    assert!(alone.answer.ends_with("(9.4 KiB of 14.2 KiB)."), "{}", alone.answer);
    assert!(alone.missing.iter().any(|missing| missing.contains("whether garbage is collected")));
    let none = case("h_history").answer(Question::Blobs);
    assert_eq!(none.answer, "The database uses no blob file: all values are in tables and logs.");
}

#[test]
fn logs_and_the_family_that_holds_the_oldest() {
    let read = case("c_families");
    let report = read.answer(Question::Logs);
    let list: Vec<_> =
        read.fixture.files.list().iter().filter(|file| file.name.contains(".log")).collect();
    assert_eq!(figure(&report, "Logs"), list.len() as u64);
    assert_eq!(
        figure(&report, "Size of all logs"),
        list.iter().map(|file| file.bytes).sum::<u64>()
    );
    // Each family's last log number among the described edits.
    let mut needed: BTreeMap<u64, u64> = BTreeMap::new();
    let mut least = 0;
    for edit in read.fixture.json["manifest"]["history"].as_array().unwrap() {
        let family = edit["cf"].as_u64().unwrap_or(0);
        if let Some(log) = edit["log"].as_u64() {
            needed.insert(family, log);
        }
        if edit.get("cf_drop").is_some() {
            needed.remove(&family);
        }
        least = edit["min_log"].as_u64().unwrap_or(least);
    }
    assert_eq!(
        figure(&report, "Oldest log that is needed"),
        least.max(*needed.values().min().unwrap())
    );
    let holders = word(&report, "Families that may need the oldest log");
    assert_eq!(holders, "default, events, größe");
    let expected = "2 logs (3.2 KiB) are needed, the oldest is 16: it holds 40 entries of family \"größe\" \
        that no table has. A flush of \"größe\" frees 3.0 KiB.";
    assert_eq!(report.answer, expected);
    let tables_only = MemoryFiles::default();
    let alone = read.without(|evidence| evidence.files = &tables_only, Question::Logs);
    assert!(alone.answer.starts_with("No log is in the directory"), "{}", alone.answer);
    assert!(alone.missing[0].contains("wal_dir"));
    let pebble = case("p_history").answer(Question::Logs);
    assert_eq!(figure(&pebble, "Obsolete logs"), 1);
    let columns: Vec<_> = pebble.table.columns.iter().map(|column| column.name).collect();
    assert!(!columns.iter().any(|name| name.contains("famil")), "{columns:?}");
}

/// A prepared transaction keeps its log although every family has flushed: the report used to be silent about it.
#[test]
fn a_prepared_transaction_holds_its_log() {
    let read = case("w_prepared_transaction");
    let report = read.answer(Question::Logs);
    assert_eq!(figure(&report, "Prepared transactions without an end"), 1);
    assert_eq!(figure(&report, "Oldest log that is needed"), 4);
    let expected = "Log 4 (2.1 KiB) is needed: it holds 36 entries of family \"default\" that no table has. The \
        prepared transaction ";
    assert!(report.answer.starts_with(expected), "{}", report.answer);
    assert!(report.answer.ends_with(" keeps its log until it is committed or rolled back."));
    // After a flush of all families it alone holds the log.
    let mut state = State::clone(read.manifest.last());
    for family in state.families.values_mut() {
        family.log_number = 9;
    }
    let logs = Logs::read(&read.fixture.files, &state, false).unwrap();
    let flushed = read.without(
        |evidence| (evidence.state, evidence.logs) = (&state, Some(&logs)),
        Question::Logs,
    );
    assert!(flushed.answer.starts_with("No log in the directory is needed"), "{}", flushed.answer);
    let held = read.without(|evidence| evidence.state = &state, Question::Logs);
    assert_eq!(figure(&held, "Logs that are needed"), 1, "{}", held.answer);
}

#[test]
fn where_no_log_is_needed_there_is_no_oldest_one() {
    let report = case("h_history").answer(Question::Logs);
    let oldest = report.figure_named("Oldest log that is needed");
    assert_ne!(oldest, Some(&Cell::Number(0)), "{}", report.answer);
    let empty = MemoryFiles::default();
    let none = case("h_history");
    let none = none.without(|evidence| evidence.files = &empty, Question::Logs);
    assert_eq!(word(&none, "Oldest log that is needed"), "none");
}

#[test]
fn damage_names_file_family_keys_and_share() {
    let missing = case("d_table_missing");
    let report = missing.answer(Question::Damage);
    let file = missing.fixture.json["damage"]["file"].as_str().unwrap();
    let sound = case(missing.fixture.json["damage"]["base"].as_str().unwrap());
    let gone = described(&sound)
        .into_iter()
        .find(|(_, _, table)| file == format!("{:06}.sst", table["number"].as_u64().unwrap()))
        .unwrap();
    assert_eq!(figure(&report, "Size of these tables"), gone.2["bytes"].as_u64().unwrap());
    assert_eq!(figure(&report, "Size of all tables"), sum(&sound, "bytes"));
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
    let expected = "000010.blob of family \"default\" is missing, so up to 20 live values (4.7 KiB) are lost: \
        table 17 refers to it, with keys between \"user:000000\" and \"user:000059\".";
    assert_eq!(blob.answer, expected);
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
    for fixture in crate::common::fixtures(&[""]) {
        let manifest = fixture.json["manifest"]["name"].as_str();
        if manifest.is_none_or(|name| fixture.files.length(name).is_none()) {
            continue;
        }
        let name = fixture.name.clone();
        let read = read_files(fixture);
        for question in Question::all() {
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

#[test]
fn numbers_of_a_hostile_manifest_do_not_overflow() {
    for name in ["m_levels", "b_blob_garbage", "x_tombstones"] {
        let mut read = case(name);
        let mut state = State::clone(read.manifest.last());
        for family in state.families.values_mut() {
            for table in family.levels.values_mut().flatten() {
                Arc::make_mut(table).bytes = u64::MAX;
            }
            for blob in family.blob_files.values_mut() {
                (blob.total_bytes, blob.garbage_bytes) = (u64::MAX, u64::MAX - 1);
                blob.file_bytes = u64::MAX;
            }
        }
        for summary in read.summaries.values_mut() {
            (summary.entries, summary.deletions) = (Some(u64::MAX), Some(u64::MAX));
            (summary.raw_key_bytes, summary.raw_value_bytes) = (Some(u64::MAX), Some(1));
        }
        for question in Question::all() {
            let report = read.without(|evidence| evidence.state = &state, question);
            assert!(report.answer.ends_with('.'), "{name}: {}", report.answer);
        }
    }
}
