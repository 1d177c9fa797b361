//! Whole directories against what the real libraries see in them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::{Fixture, fixture, fixtures};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::SstWriter;
use levelscope_foreign::query::answer::StepLine;
use levelscope_foreign::query::{Part, Query};
use levelscope_foreign::read::{RowValue, Snapshot};
use levelscope_foreign::report::Question;
use levelscope_foreign::summary::summarize;
use levelscope_foreign::{Comparator, CountedFiles, Engine, MemoryFiles, table};
use serde_json::Value as Json;

/// Damage that needs no error: RocksDB reads these as if nothing were wrong.
const SOUND: [&str; 2] = ["d_manifest_tag_safe", "d_options_missing"];

fn errors(summary: &Json) -> Vec<&Json> {
    let problems = summary["problems"].as_array().unwrap().iter();
    problems.filter(|problem| problem["severity"] == "error").collect()
}

#[test]
fn families_and_live_entries_are_those_that_the_library_sees() {
    let (mut compared, mut incomplete) = (0, 0);
    for Fixture { name, json, files } in fixtures(&[""]) {
        if json.get("damage").is_some() {
            continue;
        }
        let summary = summarize(&files);
        assert_eq!(summary["engine"], json["engine"], "{name}");
        if let Some(last) = json.get("last_sequence") {
            assert_eq!(&summary["last_sequence"], last, "{name}");
        }
        let found = summary["column_families"].as_array().unwrap();
        let wanted = json["column_families"].as_array().unwrap();
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!(found["name"], wanted["name"], "{name}");
            if wanted["live"]["status"] != "OK" {
                continue;
            }
            if found["live"]["incomplete"] == true {
                incomplete += 1;
                continue;
            }
            assert_eq!(found["live"]["count"], wanted["live"]["count"], "{name}");
            assert_eq!(found["live"]["sha256"], wanted["live"]["sha256"], "{name}");
            compared += 1;
        }
    }
    // BZip2, plain and cuckoo tables are not read, and reported as such.
    assert_eq!(incomplete, 3);
    assert_eq!(compared, 69);
}

#[test]
fn a_sound_directory_has_no_error_and_a_damaged_one_names_its_file() {
    for Fixture { name, json, files } in fixtures(&[""]) {
        let summary = summarize(&files);
        let Some(damage) = json.get("damage") else {
            assert_eq!(errors(&summary), Vec::<&Json>::new(), "{name}");
            continue;
        };
        if SOUND.contains(&name.as_str()) {
            assert_eq!(errors(&summary), Vec::<&Json>::new(), "{name}");
            continue;
        }
        let file = damage["file"].as_str().unwrap();
        let stem = file.split('.').next().unwrap();
        let problems = summary["problems"].to_string();
        assert!(problems.contains(stem), "{name} does not name {file}: {problems}");
    }
}

fn answer(directory: &Directory<'_>, query: &Query) -> serde_json::Value {
    serde_json::from_str(directory.answer(query).unwrap().get()).unwrap()
}

#[test]
fn every_question_has_an_answer_in_every_directory() {
    for Fixture { name, files, .. } in fixtures(&[""]) {
        let files = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&files) else {
            assert!(name.starts_with('d'), "{name} does not open");
            continue;
        };
        let steps = directory.manifest().steps().len();
        let lines = directory.step_lines(0, steps).unwrap();
        assert_eq!(lines.len(), steps, "{name}");
        let json = |line: &StepLine| serde_json::to_value(line).unwrap();
        // A manifest without an edit has no step.
        for step in (0..steps).step_by(1 + steps / 3) {
            let line = directory.step_line(step).unwrap();
            assert_eq!(json(&line), json(&lines[step]), "{name}, step {step}");
        }
        for family in directory.state().families.keys().copied() {
            for step in [None, Some(steps / 2)] {
                let levels = directory.levels(family, step).unwrap();
                let tables = levels.levels.iter().flat_map(|level| &level.tables);
                for table in tables {
                    assert!(
                        0.0 <= table.from && table.from <= table.to && table.to <= 1.0,
                        "{name}"
                    );
                }
            }
            for question in Question::all() {
                let report = directory.report(question.id(), Some(family), None).unwrap();
                assert!(!report.answer.is_empty(), "{name}: {}", question.id());
            }
        }
        let checked = answer(&directory, &Query::Check { deep: true });
        assert!(checked["problems"].is_array() && checked["extent"].is_string());
    }
}

#[test]
fn a_lookup_and_a_scan_find_the_same_entries() {
    for name in ["h_history", "p_history", "l_history", "e_range_deletions", "c_families"] {
        let Fixture { files, .. } = fixture(name);
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        for family in directory.state().families.keys().copied() {
            let rows =
                directory.rows(family, &Part { limit: 500, ..Part::default() }).unwrap().rows;
            for row in rows.iter().step_by(17) {
                let query = Query::Get { family, key: row.key.hex.clone(), sequence: None };
                let found = answer(&directory, &query);
                assert_eq!(found["row"], serde_json::to_value(row).unwrap(), "{name}");
                let found_in_one = found["stops"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|stop| stop["outcome"] == "found" || stop["outcome"] == "operand");
                assert!(found_in_one, "{name}: {found}");
            }
        }
    }
}

#[test]
fn an_exported_table_holds_the_live_entries_in_order() {
    for name in ["h_history", "c_reverse_order", "e_odd_keys"] {
        let Fixture { files, .. } = fixture(name);
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        let family = directory.family(0).unwrap();
        let mut writer = SstWriter::new(&family.comparator_name).unwrap();
        let mut scan = directory.scan(0, None, None, Snapshot::default()).unwrap();
        scan.first().unwrap();
        let mut wanted = Vec::new();
        while let Some(row) = scan.next_row().unwrap() {
            let RowValue::Bytes(value) = row.value else { panic!("{name} has plain values") };
            writer.add(&row.key, &value).unwrap();
            wanted.push((row.key, value));
        }
        let summary = writer.finish().unwrap();
        let bytes = writer.take();
        assert_eq!((summary.entries, summary.bytes), (wanted.len() as u64, bytes.len() as u64));
        let made = MemoryFiles::new([("000001.sst".to_owned(), bytes)]);
        let order = Comparator::named(family.comparator_name.as_bytes());
        let reader = table::open(&made, "000001.sst", Engine::RocksDb, order).unwrap();
        let mut problems = Vec::new();
        reader.check(true, &mut |problem| problems.push(problem));
        assert_eq!(problems, [], "{name}");
        assert_eq!(reader.summary().global_sequence, Some(0), "{name}");
        let mut cursor = reader.cursor().unwrap();
        cursor.first().unwrap();
        for (key, value) in wanted {
            assert_eq!(cursor.entry().unwrap().user_key, key, "{name}");
            assert_eq!(cursor.value().unwrap(), levelscope_foreign::Value::Bytes(value), "{name}");
            cursor.next().unwrap();
        }
        assert!(cursor.entry().is_none(), "{name}");
    }
}
