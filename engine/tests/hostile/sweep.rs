//! Files that are too short, too long, exchanged, stale or there twice: never wrong data.

use crate::common::*;
use crate::fixture::{Fixture, files, fixtures};
use crate::technique::effort;
use levelscope::ErrorKind;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::rewrite::repair;
use std::sync::Arc;

/// Opens a changed copy. Every answer must be right. A crash may cut off the last part of a log or a
/// manifest; `since` lists the earlier contents that are then right too.
fn verify(disk: MemoryStorage, fixture: &Fixture, since: &[Model], context: &str) {
    crate::allocator::lift_the_limit_on_panic();
    let storage: Arc<dyn Storage> = Arc::new(disk);
    let db = match try_open(&storage, &fixture.options) {
        Ok(db) => db,
        Err(error) => {
            let kinds = [ErrorKind::Corruption, ErrorKind::UnsupportedFormat];
            assert!(kinds.contains(&error.kind()), "{context}: {error}");
            return;
        }
    };
    let right = |found: &Model| *found == fixture.model || since.contains(found);
    match contents(&db) {
        Ok(found) => assert!(right(&found), "{context}: a wrong answer"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}"),
    }
    if !since.is_empty() {
        return;
    }
    for index in (0..120).step_by(7) {
        let key = format!("key{index:03}").into_bytes();
        match db.get(&key) {
            Ok(value) => assert_eq!(
                value.as_deref(),
                fixture.model.get(&key).map(Vec::as_slice),
                "{context}"
            ),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}"),
        }
    }
}

/// The contents after each write that a cut of `log` may leave: those of all shorter logs, whole records.
fn earlier(fixture: &Fixture, name: FileName) -> Vec<Model> {
    let newest =
        files(&fixture.disk).into_iter().filter(|name| matches!(name, FileName::Wal(_))).max();
    if Some(name) != newest {
        return Vec::new();
    }
    let length = fixture.disk.read(name).unwrap().len() as u64;
    let mut states: Vec<Model> = Vec::new();
    for cut in 0..length {
        let disk = fixture.disk.fork();
        disk.truncate(name, cut).unwrap();
        let storage: Arc<dyn Storage> = Arc::new(disk);
        let Ok(db) = try_open(&storage, &fixture.options) else { continue };
        let found = contents(&db).unwrap();
        if states.last() != Some(&found) {
            states.push(found);
        }
    }
    // A shorter log never has more writes than a longer one: one more key, or one changed, at a time.
    for pair in states.windows(2) {
        let changed =
            pair[1].iter().filter(|(key, value)| pair[0].get(*key) != Some(value)).count();
        let gone = pair[0].keys().filter(|key| !pair[1].contains_key(*key)).count();
        assert!(changed + gone <= 1, "{name}: {changed} keys changed and {gone} went at once");
    }
    states
}

#[test]
fn files_cut_anywhere_never_give_wrong_answers() {
    let mut technique = Technique::new("cut anywhere", 1);
    technique.next_seed();
    for (index, fixture) in fixtures().iter().enumerate() {
        for name in files(&fixture.disk) {
            let since = earlier(fixture, name);
            let length = fixture.disk.read(name).unwrap().len() as u64;
            // A manifest that loses an edit does not name the edit's tables: then opening must fail, or
            // the logs from which those tables were written must still be there.
            let stride = if name == FileName::Current { 97 } else { 5_u64.div_ceil(effort()) };
            for cut in (0..length).step_by(stride as usize) {
                let disk = fixture.disk.fork();
                disk.truncate(name, cut).unwrap();
                verify(disk, fixture, &since, &format!("fixture {index}, {name} cut to {cut}"));
                technique.count(1);
            }
        }
    }
}

#[test]
fn files_that_grew_never_give_wrong_answers() {
    let mut technique = Technique::new("extended", 1);
    technique.next_seed();
    for (index, fixture) in fixtures().iter().enumerate() {
        for name in files(&fixture.disk) {
            let good = fixture.disk.read(name).unwrap();
            for more in [1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 56, 100, 511, 512, 513, 4095, 4096] {
                let own = good.iter().rev().take(more).rev().copied().collect();
                for tail in [vec![0; more], vec![0xff; more], vec![b'x'; more], own] {
                    let disk = fixture.disk.fork();
                    disk.put(&name.to_string(), &[&good[..], &tail].concat());
                    verify(
                        disk,
                        fixture,
                        &[],
                        &format!("fixture {index}, {name} and {more} bytes"),
                    );
                    technique.count(1);
                }
            }
        }
    }
}

/// Every file under the name of every other of its kind, the other left as it is or exchanged; also with the
/// file number inside corrected, as a forger would do.
#[test]
fn files_under_the_name_of_others_never_give_wrong_answers() {
    let mut technique = Technique::new("exchanged", 1);
    technique.next_seed();
    for (index, fixture) in fixtures().iter().enumerate() {
        let names = files(&fixture.disk);
        // Any other file in the place of the newest log looks like a torn log: only its writes are lost.
        let newest = names.iter().filter(|name| matches!(name, FileName::Wal(_))).max();
        let since = newest.map_or_else(Vec::new, |newest| earlier(fixture, *newest));
        for left in &names {
            for right in names.iter().filter(|right| *right > left) {
                let bytes = [*left, *right].map(|name| fixture.disk.read(name).unwrap());
                for exchange in [false, true] {
                    let disk = fixture.disk.fork();
                    disk.put(&left.to_string(), &bytes[1]);
                    if exchange {
                        disk.put(&right.to_string(), &bytes[0]);
                    }
                    let context = format!("fixture {index}, {left} and {right}, both: {exchange}");
                    verify(disk, fixture, &since, &context);
                    technique.count(1);
                }
            }
        }
        // A stale copy of each table under the next numbers: orphans, swept, never read.
        for name in &names {
            if let FileName::Table(number) = name {
                let disk = fixture.disk.fork();
                disk.put(&FileName::Table(number + 5000).to_string(), &disk.read(*name).unwrap());
                verify(disk, fixture, &[], &format!("fixture {index}, {name} there twice"));
                technique.count(1);
            }
        }
    }
}

/// One table in the place of another of the same length, with that one's number in its footer: the manifest's record
/// must differ, or the tables must be the same.
#[test]
fn a_table_disguised_as_another_is_found_out() {
    let mut technique = Technique::new("disguised", 1);
    technique.next_seed();
    for (index, fixture) in fixtures().iter().enumerate() {
        let tables: Vec<FileName> = files(&fixture.disk)
            .into_iter()
            .filter(|name| matches!(name, FileName::Table(_)))
            .collect();
        for target in &tables {
            for source in tables.iter().filter(|source| *source != target) {
                let mut bytes = fixture.disk.read(*source).unwrap();
                let footer = bytes.len() - 56;
                let number = target.number().unwrap();
                bytes[footer + 32..footer + 40].copy_from_slice(&number.to_le_bytes());
                repair(*target, &mut bytes);
                let disk = fixture.disk.fork();
                disk.put(&target.to_string(), &bytes);
                verify(disk, fixture, &[], &format!("fixture {index}, {source} as {target}"));
                technique.count(1);
            }
        }
    }
}
