//! Imports and repairs that fail leave nothing.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Check, Error, Maintenance, NewDatabase, Options, RepairOptions, repair};
use std::sync::Arc;

fn options() -> Options {
    Options::default().maintenance(Maintenance::Inline)
}

/// The files of a failed import or repair used to stay, those of a repair without a mark.
#[test]
fn an_import_or_a_repair_that_fails_leaves_nothing() {
    let source = MemoryStorage::new();
    let db = open_watched(Arc::new(source.clone()), options(), None).unwrap();
    (0..200).for_each(|index| db.put(format!("key{index}").as_bytes(), b"value").unwrap());
    drop(db);
    for is_import in [true, false] {
        let mut failures = 0;
        for at in 1.. {
            let disk = MemoryStorage::new();
            let failing = Arc::new(FaultStorage::over_memory(&disk));
            failing.inject(Fault::Io, at, false);
            let target: Arc<dyn Storage> = Arc::clone(&failing) as Arc<dyn Storage>;
            let made = if is_import {
                made_by_import(target)
            } else {
                repair(Arc::new(source.clone()), target, &RepairOptions::default()).map(drop)
            };
            if failing.injected() == 0 {
                made.unwrap();
                break;
            }
            let left = disk.list().unwrap();
            if made.is_err() && !left.is_empty() {
                // Deleting failed, too, or nothing but reading the result did.
                let whole = Check::new(Arc::new(disk.clone())).and_then(Check::run);
                let marked = left.iter().any(|name| name == "UNFINISHED");
                let sound = whole.is_ok_and(|report| report.is_sound());
                assert!(marked || sound, "failure {at}: {left:?}");
            }
            failures += 1;
        }
        assert!(failures > 10, "{failures}");
    }
}

/// As the native program imports.
fn made_by_import(storage: Arc<dyn Storage>) -> Result<(), Error> {
    let new = NewDatabase::begin(storage, options())?;
    let mut keys = 0..2_000_u32;
    let filled = keys.try_for_each(|key| new.db().put(key.to_le_bytes(), [7; 40]));
    let filled = filled.and_then(|()| new.db().request_flush()).and_then(|_| new.finish());
    if filled.is_err() {
        let _ = new.abandon();
    }
    filled
}
