//! Damaged manifests: where the history ends, and the tables in no level.

use super::{damage, with_flip};
use crate::common::{Fixture, fixture, fixtures};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::name::FileName;
use levelscope_foreign::problem::Standing;
use levelscope_foreign::query::Part;
use levelscope_foreign::{CountedFiles, Files, Severity};
use std::collections::BTreeSet;

/// The tables of the sound fixture that the damaged one has in no level are reported.
#[test]
fn after_a_damaged_manifest_the_tables_in_no_level_are_reported() {
    for name in [
        "d_manifest_flip",
        "d_manifest_group",
        "d_manifest_empty",
        "dp_manifest_flip",
        "d_manifest_torn_add",
        "dp_manifest_torn",
    ] {
        let read = fixture(name);
        let files = CountedFiles::new(&read.files);
        let directory = Directory::open(&files).unwrap();
        let base = fixture(read.json["damage"]["base"].as_str().unwrap());
        let counted = CountedFiles::new(&base.files);
        let sound = Directory::open(&counted).unwrap();
        let files_of = |directory: &Directory<'_>| -> BTreeSet<String> {
            let families = directory.state().families.values();
            let tables = families.flat_map(|family| family.levels.values().flatten());
            tables.map(|table| format!("{:06}.sst", table.backing)).collect()
        };
        let lost =
            files_of(&sound).difference(&files_of(&directory)).cloned().collect::<BTreeSet<_>>();
        let reported = directory
            .findings()
            .into_iter()
            .filter(|problem| problem.message.contains("no level has"));
        let reported: BTreeSet<String> = reported.map(|problem| problem.file).collect();
        assert!(lost.is_subset(&reported), "{name}: {lost:?}, {reported:?}");
        for question in ["tombstones", "sizes", "damage"] {
            let report = directory.report(question, None, None).unwrap();
            let is_noted =
                report.missing.iter().any(|one| one.starts_with("The history ends after "));
            assert_eq!(is_noted, !reported.is_empty(), "{name} {question}: {:?}", report.missing);
        }
        let overview = directory.overview().unwrap();
        for file in overview.files.iter().filter(|file| reported.contains(&file.name)) {
            assert!(file.why.contains("the history ends"), "{name}: {}", file.why);
            assert!(file.in_no_level && !file.counts, "{name}: {}", file.name);
            let problem = directory.findings().into_iter().find(|one| one.file == file.name);
            assert_eq!(problem.unwrap().state, Standing::InNoLevel, "{name}");
        }
        if name == "d_manifest_group" {
            let problems = directory.findings();
            for file in &lost {
                let problem = problems.iter().find(|problem| problem.file == *file).unwrap();
                assert!(problem.family.is_some() && problem.level == Some(0), "{problem:?}");
                assert!(problem.keys.is_some());
            }
        }
    }
    // A sound directory with obsolete files has none.
    for Fixture { name, json, files } in fixtures(&[""]) {
        let counted = CountedFiles::new(&files);
        if json.get("damage").is_some() {
            continue;
        }
        let directory = Directory::open(&counted).unwrap();
        assert!(directory.manifest().cut().is_none(), "{name}");
    }
}

/// Any record of a manifest may be the one that is damaged: no table of the sound state is passed over, and none that
/// was compacted away later counts as lost.
#[test]
fn wherever_a_manifest_is_damaged_no_table_is_passed_over() {
    for name in ["h_history", "p_history", "l_history"] {
        let sound = fixture(name).files;
        let counted = CountedFiles::new(&sound);
        let whole = Directory::open(&counted).unwrap();
        let manifest = whole.manifest();
        let tables = |directory: &Directory<'_>| -> BTreeSet<String> {
            let families = directory.state().families.values();
            let tables = families.flat_map(|family| family.levels.values().flatten());
            tables.map(|table| format!("{:06}.sst", table.backing)).collect()
        };
        let there: BTreeSet<String> =
            sound.list().iter().map(|file| file.name.replace(".ldb", ".sst")).collect();
        for place in [2, 40, 100, manifest.edits().len() - 1] {
            let flipped = usize::try_from(manifest.edits()[place].offset).unwrap() + 8;
            let files = with_flip(&sound, manifest.name(), flipped);
            let counted = CountedFiles::new(&files);
            let directory = Directory::open(&counted).unwrap();
            let at = format!("{name}, edit {place}");
            let cut = directory.manifest().cut().unwrap();
            assert_eq!(cut.edits, (manifest.edits().len() - place - 1) as u64, "{at}");
            assert_eq!(directory.manifest().applied(), place, "{at}");
            let findings = directory.findings();
            let reported: BTreeSet<String> =
                findings.iter().map(|problem| problem.file.replace(".ldb", ".sst")).collect();
            let shown = tables(&directory);
            for table in tables(&whole) {
                assert!(shown.contains(&table) || reported.contains(&table), "{at}: {table}");
            }
            // The damaged edit itself may remove tables, which nothing records.
            let (_, edit) = manifest.edit(&sound, place).unwrap();
            let unknown: BTreeSet<String> =
                edit.removed.iter().map(|(_, number)| format!("{number:06}.sst")).collect();
            let gone = shown.difference(&there).filter(|table| !unknown.contains(*table));
            for table in gone {
                let of = findings.iter().filter(|one| one.file.starts_with(&table[..6]));
                let severities: Vec<Severity> = of.map(|one| one.severity).collect();
                assert_eq!(severities, [Severity::Note], "{at}: {table}");
            }
            let report = damage(&directory);
            assert!(report.answer.len() < 500, "{at}: {}", report.answer);
            assert!(report.answer.contains(&format!("after {place} edits")), "{}", report.answer);
        }
    }
}

/// A manifest without a readable edit has no order of keys: LevelDB has but one, OPTIONS and tables name it.
#[test]
fn without_a_readable_edit_the_order_of_keys_is_known() {
    for name in ["h_history", "p_history", "l_history"] {
        let sound = fixture(name).files;
        let counted = CountedFiles::new(&sound);
        let whole = Directory::open(&counted).unwrap();
        let flipped = usize::try_from(whole.manifest().edits()[0].offset).unwrap() + 8;
        let files = with_flip(&sound, whole.manifest().name(), flipped);
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        assert_eq!(directory.manifest().applied(), 0, "{name}");
        for family in directory.state().families.values() {
            let of_whole = &whole.state().families[&0];
            assert_eq!(family.comparator, of_whole.comparator, "{name}");
            let rows = directory.rows(family.id, &Part { limit: 10, ..Part::default() }).unwrap();
            assert!(!rows.cautions.is_empty(), "{name}: tables are in no level");
        }
    }
}

fn is_table(name: &str) -> bool {
    matches!(FileName::parse(name), FileName::Table(_))
}

/// A person looks for the missing table in a backup, by its name.
#[test]
fn the_last_missing_table_has_the_name_that_its_engine_gives() {
    for (name, ending) in [("l_history", ".ldb"), ("p_history", ".sst"), ("h_history", ".sst")] {
        let files = fixture(name).without(|file| !is_table(file));
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        let missing = directory.findings().into_iter().filter(|one| one.state == Standing::Missing);
        let tables: Vec<String> =
            missing.map(|one| one.file).filter(|file| is_table(file)).collect();
        assert!(!tables.is_empty(), "{name}");
        assert!(
            tables.iter().all(|file| file.strip_suffix(ending).is_some()),
            "{name}: {tables:?}"
        );
    }
}
