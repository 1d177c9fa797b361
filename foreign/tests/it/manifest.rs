//! Manifests of real databases, compared with the output of the real libraries.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

use crate::common::{Fixture, manifest as open, number, numbers};
use levelscope_foreign::manifest::{StepKind, sublevels};
use levelscope_foreign::text::hex;
use levelscope_foreign::{Engine, Family, Files as _, Severity, TableFile};
use serde_json::{Value, json};
use std::sync::Arc;

fn all_with_manifest() -> Vec<Fixture> {
    let all = crate::common::fixtures(&[""]);
    let with: Vec<_> = all
        .into_iter()
        .filter(|fixture| {
            let name = fixture.json["manifest"]["name"].as_str();
            name.is_some_and(|name| fixture.files.length(name).is_some())
        })
        .collect();
    assert!(with.len() > 70, "{} fixtures have a manifest", with.len());
    with
}

#[test]
fn every_edit_is_that_of_the_library() {
    for fixture in all_with_manifest() {
        let manifest = open(&fixture);
        let expected = &fixture.json["manifest"];
        let name = &fixture.name;
        assert_eq!(json!(manifest.edits().len()), expected["edits"], "{name}: edits");
        let history = expected["history"].as_array().unwrap();
        assert_eq!(history.len(), manifest.edits().len(), "{name}: history");
        for (index, expected) in history.iter().enumerate() {
            let (record, edit) = manifest.edit(&fixture.files, index).unwrap();
            let at = format!("{name}: edit {index}");
            assert_eq!(json!(record.offset), expected["at"], "{at}");
            if expected.get("bytes").is_some() {
                assert_eq!(json!(record.data.len()), expected["bytes"], "{at}");
                assert_eq!(json!(edit.family), expected["cf"], "{at}");
            }
            let added: Vec<Value> = edit
                .added
                .iter()
                .map(|(level, table)| json!([level, table.number, table.bytes]))
                .collect();
            assert_eq!(sorted(&json!(added)), sorted(&expected["add"]), "{at}");
            let removed: Vec<Value> =
                edit.removed.iter().map(|(level, number)| json!([level, number])).collect();
            assert_eq!(sorted(&json!(removed)), sorted(&expected["del"]), "{at}");
            check_numbers(&edit, expected, &at);
            check_families(&edit, expected, &at);
        }
    }
}

fn sorted(list: &Value) -> Vec<String> {
    let mut all: Vec<String> =
        list.as_array().into_iter().flatten().map(ToString::to_string).collect();
    all.sort();
    all
}

fn check_numbers(edit: &levelscope_foreign::manifest::Edit, expected: &Value, at: &str) {
    // Pebble's list leaves out zeros.
    let pebble = expected.get("bytes").is_none();
    let wanted = |names: [&str; 2]| names.iter().find_map(|name| expected.get(name)?.as_u64());
    assert_eq!(edit.log_number, wanted(["log", "log_num"]), "{at}: log");
    assert_eq!(edit.next_file, wanted(["next_file", "next_file_num"]), "{at}: next file");
    let last = edit.last_sequence.filter(|last| !pebble || *last != 0);
    assert_eq!(last, wanted(["last_seq", "last_seq_num"]), "{at}: last sequence");
    assert_eq!(edit.previous_log, wanted(["prev_log", ""]), "{at}: previous log");
    assert_eq!(edit.min_log, wanted(["min_log", ""]), "{at}: smallest log");
    let text = |names: [&str; 2]| names.iter().find_map(|name| expected.get(name)?.as_str());
    let comparator = edit.comparator.as_ref().map(|name| std::str::from_utf8(name).unwrap());
    assert_eq!(comparator, text(["comparator", "comparer"]), "{at}: comparator");
}

fn check_families(edit: &levelscope_foreign::manifest::Edit, expected: &Value, at: &str) {
    let wanted = |name: &str| expected.get(name).and_then(Value::as_u64);
    assert_eq!(edit.group_left.map(u64::from), wanted("group_left"), "{at}: group");
    assert_eq!(edit.family_added.as_deref(), expected["cf_add"].as_str(), "{at}: created");
    assert_eq!(edit.family_dropped, expected.get("cf_drop").is_some(), "{at}: dropped");
    let blobs: Vec<_> =
        edit.blobs_added.iter().map(|blob| json!([blob.number, blob.count, blob.bytes])).collect();
    let names = ["BlobFileNumber", "TotalBlobCount", "TotalBlobBytes"];
    assert_eq!(blobs, picked(&expected["blob_add"], names), "{at}: blob files");
    let garbage: Vec<_> =
        edit.blob_garbage.iter().map(|blob| json!([blob.number, blob.count, blob.bytes])).collect();
    let names = ["BlobFileNumber", "GarbageBlobCount", "GarbageBlobBytes"];
    assert_eq!(garbage, picked(&expected["blob_garbage"], names), "{at}: garbage");
    assert_eq!(
        edit.logs_added.len(),
        expected["wal_add"].as_array().map_or(0, Vec::len),
        "{at}: logs added"
    );
}

fn picked(list: &Value, names: [&str; 3]) -> Vec<Value> {
    let pick = |entry: &Value| json!([entry[names[0]], entry[names[1]], entry[names[2]]]);
    list.as_array().into_iter().flatten().map(pick).collect()
}

#[test]
fn the_last_state_has_the_levels_of_the_library() {
    let mut compared = 0;
    for fixture in all_with_manifest() {
        let manifest = open(&fixture);
        let Some(expected) = fixture.json["column_families"].as_array() else { continue };
        let opened = fixture.json["open"].as_object().unwrap();
        let status = opened.get("open_read_only").or_else(|| opened.get("status")).unwrap();
        if status != "OK" || expected.is_empty() {
            continue;
        }
        compared += 1;
        let name = &fixture.name;
        let state = manifest.last();
        let ids: Vec<u64> = state.families.keys().map(|id| u64::from(*id)).collect();
        assert_eq!(ids, numbers(expected, "id"), "{name}: families");
        for (family, expected) in state.families.values().zip(expected) {
            let at = format!("{name}: {}", family.name);
            assert_eq!(json!(family.name), expected["name"], "{at}");
            if let Some(comparator) = expected["comparator"].as_str() {
                assert_eq!(family.comparator_name, comparator, "{at}");
            }
            check_levels(family, expected, state.engine == Engine::Pebble, &at);
            check_blobs(family, expected, &at);
        }
        if let Some(count) = fixture.json["l0_sublevels"].as_u64().filter(|count| *count > 0) {
            let family = &state.families[&0];
            let tables = family.levels.get(&0).map_or(&[][..], Vec::as_slice);
            let found = sublevels(tables, family.comparator).len();
            assert_eq!(found as u64, count, "{name}: sublevels");
        }
    }
    assert!(compared > 60, "{compared} fixtures were compared");
}

fn check_levels(family: &Family, expected: &Value, is_pebble: bool, at: &str) {
    let wanted: Vec<&Value> = expected["levels"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|level| level["files"].as_array().is_some_and(|files| !files.is_empty()))
        .collect();
    let levels: Vec<u64> = family.levels.keys().map(|level| u64::from(*level)).collect();
    assert_eq!(levels, numbers(wanted.iter().copied(), "level"), "{at}: levels");
    for (tables, wanted) in family.levels.values().zip(wanted) {
        let files = wanted["files"].as_array().unwrap();
        let mut expected: Vec<&Value> = files.iter().collect();
        let found: Vec<&Arc<TableFile>> = tables.iter().collect();
        let level = number(wanted, "level").unwrap();
        if level == 0 && is_pebble {
            // Its list of level 0 has the oldest first.
            expected.reverse();
        }
        let found_numbers: Vec<u64> = found.iter().map(|table| table.number).collect();
        assert_eq!(found_numbers, numbers(expected.iter().copied(), "number"), "{at}: L{level}");
        for (table, file) in found.iter().zip(expected) {
            check_table(table, file, &format!("{at}: table {}", table.number));
        }
    }
}

fn check_table(table: &TableFile, file: &Value, at: &str) {
    let Some(bytes) = number(file, "bytes") else { return };
    assert_eq!(table.bytes, bytes, "{at}");
    assert_eq!(json!(hex(&table.smallest.user_key)), file["smallest"], "{at}: smallest");
    assert_eq!(json!(hex(&table.largest.user_key)), file["largest"], "{at}: largest");
    assert_eq!(table.smallest_sequence, number(file, "smallest_seq"), "{at}");
    assert_eq!(table.largest_sequence, number(file, "largest_seq"), "{at}");
    let unless_zero = |name: &str| number(file, name).filter(|number| *number != 0);
    assert_eq!(table.oldest_blob_file, unless_zero("oldest_blob_file"), "{at}: blob file");
    // Before 7.9 nothing writes epochs; the newer library, which was asked, infers them.
    if file.get("epoch").is_some() && !at.starts_with("v7_8_") {
        assert_eq!(table.epoch.unwrap_or(0), number(file, "epoch").unwrap(), "{at}: epoch");
    }
    if file.get("created").is_some() {
        assert_eq!(table.created_seconds, unless_zero("created"), "{at}: created");
    }
    if let Some(backing) = number(file, "backing") {
        assert_eq!(table.backing, backing, "{at}");
        assert_eq!(json!(table.is_virtual()), file["virtual"], "{at}");
    }
}

fn check_blobs(family: &Family, expected: &Value, at: &str) {
    let Some(files) = expected["blob_files"].as_array() else { return };
    let found: Vec<Value> = family
        .blob_files
        .values()
        .map(|blob| {
            json!([
                blob.number,
                blob.file_bytes,
                blob.count,
                blob.total_bytes,
                blob.garbage_count,
                blob.garbage_bytes
            ])
        })
        .collect();
    let names = ["number", "bytes", "count", "total_bytes", "garbage_count", "garbage_bytes"];
    let wanted: Vec<Value> =
        files.iter().map(|file| json!(names.map(|name| file[name].clone()))).collect();
    assert_eq!(found, wanted, "{at}: blob files");
}

#[test]
fn a_sound_manifest_has_no_problem_and_a_damaged_one_is_named() {
    for fixture in all_with_manifest() {
        let manifest = open(&fixture);
        let damaged = fixture.json["damage"]["file"].as_str() == Some(manifest.name());
        let errors = manifest.problems().iter().any(|p| p.severity == Severity::Error);
        let name = &fixture.name;
        if name == "d_manifest_tag_safe" || !damaged {
            assert_eq!(manifest.problems(), [], "{name}");
            continue;
        }
        let problem = manifest.problems().first().unwrap_or_else(|| panic!("{name}: not named"));
        assert_eq!(problem.file, manifest.name(), "{name}");
        // A clean cut is normal after a crash; everything else is damage.
        let torn = name.contains("_torn");
        assert_eq!(errors, !torn, "{name}: {:?}", manifest.problems());
    }
}

#[test]
fn damage_in_the_middle_is_located_and_the_records_after_it_are_counted() {
    let fixture = crate::common::fixture("d_manifest_flip");
    let manifest = open(&fixture);
    let problem = &manifest.problems()[0];
    assert_eq!(manifest.edits().len(), 6);
    assert!(problem.offset.is_some_and(|at| at <= 136), "{problem:?}");
    assert!(problem.message.contains("5 records after it can be read"), "{problem:?}");
    let fixture = crate::common::fixture("d_manifest_tag_unknown");
    let manifest = open(&fixture);
    assert!(manifest.problems()[0].message.starts_with("unknown tag 150"), "{manifest:?}");
}

#[test]
fn the_state_at_every_step_is_that_of_a_replay_from_the_start() {
    for fixture in all_with_manifest() {
        let manifest = open(&fixture);
        let steps = manifest.steps().len();
        for step in 0..steps {
            let state = manifest.state_at(&fixture.files, step).unwrap();
            let tables = |family: &Family| family.levels.values().map(Vec::len).sum::<usize>();
            let found: usize = state.families.values().map(tables).sum();
            let mut expected = 0i64;
            let end = manifest.steps()[step].end as usize;
            for edit in 0..end {
                for change in manifest.changes(edit) {
                    expected += match change.kind {
                        levelscope_foreign::manifest::ChangeKind::TableAdded => 1,
                        levelscope_foreign::manifest::ChangeKind::TableRemoved => -1,
                        _ => 0,
                    };
                }
            }
            assert_eq!(i64::try_from(found).unwrap(), expected, "{}: step {step}", fixture.name);
        }
        if let Some(last) = steps.checked_sub(1) {
            let state = manifest.state_at(&fixture.files, last).unwrap();
            assert_eq!(&state, manifest.last(), "{}", fixture.name);
        }
    }
}

#[test]
fn edits_that_change_no_table_are_one_quiet_step() {
    let fixture = crate::common::fixture("x_empty");
    let manifest = open(&fixture);
    let kinds: Vec<StepKind> = manifest.steps().iter().map(|step| step.kind).collect();
    assert_eq!(kinds, [StepKind::Snapshot, StepKind::Bookkeeping]);
    let fixture = crate::common::fixture("c_atomic_flush");
    let manifest = open(&fixture);
    let group = manifest.steps().iter().find(|step| step.kind == StepKind::Flush).unwrap();
    assert_eq!(group.end - group.first, 4, "a group counts as one step");
}
