//! Lookups and scans beside damage: unreadable values are not absent, and possibly stale answers have a caution.

use super::with_flip;
use crate::common::fixture;
use levelscope_foreign::CountedFiles;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::query::Part;
use levelscope_foreign::query::answer::Lookup;

fn get(name: &str, key: &str, sequence: Option<u64>) -> Lookup {
    let files = fixture(name).files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    directory.lookup(0, key.as_bytes(), sequence).unwrap()
}

#[test]
fn a_key_whose_value_cannot_be_read_is_not_called_absent() {
    let files = fixture("d_blob_missing").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let everything = Part { limit: 10_000, ..Part::default() };
    let rows = directory.rows(0, &everything).unwrap();
    let sound = fixture("b_blob_garbage").files;
    let counted = CountedFiles::new(&sound);
    let sound = Directory::open(&counted).unwrap();
    let all = sound.rows(0, &everything).unwrap();
    let lost: Vec<&str> = all
        .rows
        .iter()
        .map(|row| row.key.text.as_str())
        .filter(|text| rows.rows.iter().all(|row| row.key.text != *text))
        .collect();
    assert!(!lost.is_empty());
    for key in &lost {
        let lookup = directory.lookup(0, key.as_bytes(), None).unwrap();
        assert_eq!(lookup.outcome, "unreadable");
        assert_eq!(lookup.answer, "has a value that cannot be read: 000010.blob is missing");
        // Nothing of later keys is read.
        assert_eq!(lookup.problems.len(), 1, "{:?}", lookup.problems);
        assert!(lookup.row.is_none());
        // Where it can be read, its read is one of the lookup's.
        let lookup = sound.lookup(0, key.as_bytes(), None).unwrap();
        let stop = lookup.stops.last().unwrap();
        assert_eq!((stop.place.as_str(), stop.outcome), ("blob file 10", "found"));
        assert!(stop.reads.iter().all(|(file, _, bytes)| file == "000010.blob" && *bytes > 0));
        let read: u64 = lookup.stops.iter().flat_map(|stop| &stop.reads).map(|read| read.2).sum();
        assert!(!stop.reads.is_empty() && lookup.read_bytes == read, "{:?}", lookup.stops);
    }
    // Each row that is left out is reported with its key.
    assert_eq!(rows.problems.len(), lost.len());
    assert!(rows.problems.iter().all(|problem| problem.keys.is_some()));
    let read = directory.lookup(0, rows.rows[0].key.text.as_bytes(), None).unwrap();
    assert_eq!((read.outcome, read.answer.as_str()), ("value", "has a value"));
    assert_eq!(directory.lookup(0, b"no such key", None).unwrap().outcome, "none");
}

#[test]
fn a_key_of_a_table_that_is_missing_is_not_known() {
    let lookup = get("dp_table_missing", "fleet/00001", None);
    assert_eq!(lookup.outcome, "unknown");
    assert_eq!(lookup.answer, "is not known: 000005.sst is missing");
}

/// The block of the older table was read for the answer, and its damage stood below "Not read".
#[test]
fn damage_of_a_table_that_is_not_read_is_not_met() {
    let files = fixture("d_table_flip").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let lookup = directory.lookup(0, b"user:000001", None).unwrap();
    assert_eq!(lookup.stops.last().map(|stop| stop.outcome), Some("skipped"));
    assert_eq!(lookup.outcome, "value");
    assert!(lookup.problems.is_empty(), "{:?}", lookup.problems);
    assert!(directory.findings().iter().all(|found| found.file != "000010.sst"));
}

#[test]
fn the_left_out_part_of_a_log_is_a_caution() {
    let files = fixture("d_log_flip").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let log = directory.logs().unwrap().files[0].clone();
    let (_, last) = log.sequences.unwrap();
    let left = &log.left_out.families.iter().find(|(id, _)| *id == 0).unwrap().1;
    let lookup = directory.lookup(0, &left.smallest, None).unwrap();
    let [caution] = lookup.cautions.as_slice() else { panic!("{:?}", lookup.cautions) };
    assert!(caution.starts_with("000010.log is damaged: "), "{caution}");
    assert!(caution.contains(&format!("sequence numbers {} and {}", last + 1, last + 2)));
    assert!(caution.contains("recovery leaves out 18 entries"), "{caution}");
    assert!(caution.contains("newer versions of this key may be among them"), "{caution}");
    // The keys of the batches that are left out are known, those of the damaged part are not.
    let other = directory.lookup(0, b"\xff\xff", None).unwrap();
    assert!(!other.cautions[0].contains("leaves out"), "{:?}", other.cautions);
    // Before the damage nothing is missing.
    let before = directory.lookup(0, &left.smallest, Some(last)).unwrap();
    assert_eq!(before.cautions, [""; 0]);
    let rows = directory.rows(0, &Part { limit: 10, ..Part::default() }).unwrap();
    assert_eq!(rows.cautions.len(), 1);
}

#[test]
fn a_table_in_no_level_that_covers_the_key_is_a_caution() {
    let lookup = get("d_manifest_flip", "user:000050", None);
    assert_eq!(lookup.outcome, "none");
    let [caution] = lookup.cautions.as_slice() else { panic!("{:?}", lookup.cautions) };
    assert!(caution.contains("000010.sst"), "{caution}");
    assert!(caution.contains("because the history ends too early"), "{caution}");
    assert_eq!(get("d_manifest_flip", "zzz", None).cautions, [""; 0]);
    // In an unfinished group, the family counts.
    let files = fixture("d_manifest_group").files;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    for problem in directory.findings().iter().filter(|one| one.message.contains("no level has")) {
        let (smallest, _) = problem.keys.as_ref().unwrap();
        let key: Vec<u8> = (0..smallest.len() / 2)
            .map(|at| u8::from_str_radix(&smallest[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        for family in directory.state().families.values() {
            let cautions = directory.lookup(family.id, &key, None).unwrap().cautions;
            let names_it = cautions.iter().any(|caution| caution.contains(&problem.file));
            assert_eq!(names_it, problem.family.as_ref() == Some(&family.name), "{cautions:?}");
        }
    }
    // A sound directory has none.
    assert_eq!(get("m_levels", "user:000050", None).cautions, [""; 0]);
}

/// Wherever a manifest is damaged: an answer without a caution and without a problem is that of the sound directory.
#[test]
fn an_answer_without_a_caution_is_whole() {
    let everything = Part { limit: 10_000, ..Part::default() };
    let values = |directory: &Directory<'_>| {
        let rows = directory.rows(0, &everything).ok()?;
        let values = rows.rows.iter().map(|row| (row.key.hex.clone(), row.value.hex.clone()));
        Some((values.collect::<Vec<_>>(), rows.cautions.is_empty() && rows.problems.is_empty()))
    };
    let (mut whole, mut cautious, mut in_logs) = (0, 0, 0);
    for name in ["h_history", "p_history", "l_history", "p_recycled_log", "p_unclean", "w_unclean"]
    {
        let sound = fixture(name).files;
        let counted = CountedFiles::new(&sound);
        let sound_directory = Directory::open(&counted).unwrap();
        let manifest = sound_directory.manifest();
        let (wanted, _) = values(&sound_directory).unwrap();
        for edit in manifest.edits().iter().rev().take(12) {
            let flipped = usize::try_from(edit.offset).unwrap() + 8;
            let files = with_flip(&sound, manifest.name(), flipped);
            let counted = CountedFiles::new(&files);
            let Ok(directory) = Directory::open(&counted) else { continue };
            // Without the edit that records the order of keys, nothing is read.
            let Some((found, is_sure)) = values(&directory) else { continue };
            if is_sure {
                assert_eq!(found, wanted, "{name} at {}", edit.offset);
                whole += 1;
                let errors = directory.findings();
                in_logs +=
                    usize::from(errors.iter().any(|one| one.message.contains("no level has")));
            } else {
                cautious += 1;
            }
        }
    }
    assert!(whole >= 3 && cautious > 5 && in_logs >= 2, "{whole} {cautious} {in_logs}");
}
