//! Facts of each object, beside the levels that it is in.

use crate::common::{Fixture, fixture, fixtures};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::query::Object;
use levelscope_foreign::query::answer::{Facts, Levels};
use levelscope_foreign::{CountedFiles, ErrorKind, Files, Result};

fn text<'f>(facts: &'f Facts, label: &str) -> &'f str {
    facts.rows.iter().find(|row| row.label == label).map_or("", |row| &row.text)
}

/// Asks about everything that `levels` names; returns how many objects there are.
fn all(directory: &Directory<'_>, levels: &Levels) -> usize {
    let mut objects = 0;
    let mut known = |typed: &str| -> Facts {
        objects += 1;
        let object = Object::parse(typed).unwrap();
        let facts = directory.facts(levels.family, Some(levels.step), &object).unwrap();
        assert!(!facts.title.is_empty() && !facts.rows.is_empty(), "{typed}: {facts:?}");
        assert!(facts.rows.iter().all(|row| !row.text.is_empty() || row.key.is_some()), "{typed}");
        facts
    };
    known("");
    for level in &levels.levels {
        let facts = known(&format!("level:{}", level.level));
        assert!(!text(&facts, "Target").is_empty());
        for table in &level.tables {
            let facts = known(&format!("table:{}", table.number));
            assert_eq!((&facts.title, &facts.what), (&table.file, &format!("L{}", level.level)));
            let keys: Vec<_> = facts.rows.iter().filter_map(|row| row.key.as_ref()).collect();
            assert_eq!(keys, [&table.smallest, &table.largest]);
            assert_eq!(facts.file.is_none(), table.is_missing);
            assert_eq!(facts.life.len(), directory.life_lines(table.number).unwrap().len());
        }
    }
    for log in &levels.logs {
        assert_eq!(known(&format!("@{}", log.file)).file.as_ref(), Some(&log.file));
    }
    for blob in &levels.blob_files {
        known(&format!("@{}", blob.file));
    }
    objects
}

/// Pebble does not count the values of its blob files, which is not the number 0.
#[test]
fn values_are_counted_where_the_manifest_does() {
    for (name, counts) in [("b_blob_garbage", true), ("p_blob_files", false)] {
        let files = fixture(name).files;
        let counted = CountedFiles::new(&files);
        let directory = Directory::open(&counted).unwrap();
        let levels = directory.levels(0, None).unwrap();
        assert!(!levels.blob_files.is_empty());
        for blob in &levels.blob_files {
            assert_eq!((blob.count.is_some(), blob.garbage_count.is_some()), (counts, counts));
            let object = Object::parse(&format!("@{}", blob.file)).unwrap();
            let facts = directory.facts(0, None, &object).unwrap();
            assert_eq!(text(&facts, "Values").contains(" value"), counts, "{facts:?}");
            assert_eq!(text(&facts, "Garbage").contains(" value"), counts, "{facts:?}");
        }
    }
}

#[test]
fn every_object_of_every_step_has_facts() {
    let mut objects = 0;
    for Fixture { files, .. } in fixtures(&[""]) {
        let counted = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&counted) else { continue };
        let last = directory.manifest().steps().len().saturating_sub(1);
        let families: Vec<u32> = directory.state().families.keys().copied().collect();
        for family in families {
            for step in [0, last / 2, last] {
                let Ok(levels) = directory.levels(family, Some(step)) else { continue };
                objects += all(&directory, &levels);
            }
        }
    }
    assert!(objects > 1_000, "{objects}");
}

fn about(files: &dyn Files, step: Option<usize>, typed: &str) -> Result<Facts> {
    let counted = CountedFiles::new(files);
    let directory = Directory::open(&counted)?;
    directory.facts(0, step, &Object::parse(typed)?)
}

#[test]
fn a_table_is_known_before_and_after_its_life() {
    let Fixture { files, .. } = fixture("l_history");
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).unwrap();
    let dead = (0..400).find(|number| directory.life_lines(*number).unwrap().len() > 1).unwrap();
    let facts = about(&files, None, &dead.to_string()).unwrap();
    assert!(facts.what.starts_with("in no level") && facts.rows.is_empty(), "{facts:?}");
    assert!(facts.life.len() > 1 && facts.notes.is_empty());
    let never = about(&files, None, "table:99999").unwrap();
    assert_eq!(never.notes, ["No edit of this manifest names table 99999."]);
}

#[test]
fn what_names_no_object_is_refused() {
    let Fixture { files, .. } = fixture("l_history");
    for typed in ["level:9", "@000001.log", "@000007.blob", "nothing", "table:x", "LOCK"] {
        let error = about(&files, None, typed).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{typed}: {error}");
    }
}
