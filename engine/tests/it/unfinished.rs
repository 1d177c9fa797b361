//! A directory with an interrupted creation: the database was empty, and every command reports that.

use crate::checking::report_of;
use crate::common::*;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::crash::{after_each_operation, images};
use levelscope::{Check, ErrorKind, Options, RepairOptions, Severity, repair};
use std::sync::{Arc, Mutex};

/// The result of a check of a disk: whether there is a database, and whether its creation was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Nothing,
    Unfinished,
    Database,
}

fn verdict(disk: &MemoryStorage, context: &str) -> Verdict {
    let report = match Check::new(Arc::new(disk.clone())).and_then(Check::run) {
        Ok(report) => report,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{context}: {error}");
            return Verdict::Nothing;
        }
    };
    assert_eq!(report.problems(), Vec::<String>::new(), "{context}");
    let interrupted = report.findings.iter().any(|finding| {
        finding.what.contains("interrupted the creation") && finding.severity == Severity::Warning
    });
    if interrupted { Verdict::Unfinished } else { Verdict::Database }
}

/// Opens the disk; whether that began anew.
fn begins_anew(disk: &MemoryStorage, context: &str) -> bool {
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink = Some(Arc::clone(&recorder) as _);
    let db = open_watched(Arc::new(disk.fork()), Options::default(), sink)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(contents(&db).expect("reads").len(), 0, "{context}");
    db.put(b"key", b"value").expect("it takes writes");
    let events = recorder.drain().0;
    let new = events.iter().find_map(|event| match event.kind {
        EventKind::RecoveryDone { new_database, .. } => Some(new_database),
        _ => None,
    });
    new.expect("opening ends")
}

#[test]
fn a_check_and_opening_agree_at_every_crash_point_of_a_creation() {
    let frames: Arc<Mutex<Vec<MemoryStorage>>> = Arc::default();
    let taken = Arc::clone(&frames);
    let disk = MemoryStorage::new();
    taken.lock().unwrap().push(disk.fork());
    let storage = after_each_operation(&disk, move |_, _, disk| {
        taken.lock().unwrap().push(disk.fork());
    });
    let db = open(&storage, &Options::default());
    let frames = std::mem::take(&mut *frames.lock().unwrap());
    drop(db);
    assert!(frames.len() > 8, "{} operations", frames.len());
    let mut technique = Technique::new("checks of interrupted creations", 40);
    let mut seen = [0; 3];
    while let Some(seed) = technique.next_seed() {
        for (point, frame) in frames.iter().enumerate() {
            for (crash, image) in images(frame, seed, 4) {
                let context = format!("seed {seed}, operation {point}, {crash:?}");
                let verdict = verdict(&image, &context);
                let anew = begins_anew(&image, &context);
                assert_eq!(anew, verdict != Verdict::Database, "{context}: {verdict:?}");
                seen[verdict as usize] += 1;
                if verdict == Verdict::Unfinished {
                    nothing_to_repair(&image, &context);
                }
                technique.count(1);
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

fn nothing_to_repair(image: &MemoryStorage, context: &str) {
    let target = Arc::new(MemoryStorage::new());
    let error = repair(Arc::new(image.clone()), target, &RepairOptions::default());
    let error = error.expect_err("nothing was in it");
    assert_eq!(error.kind(), ErrorKind::NotFound, "{context}: {error}");
    assert!(error.to_string().contains("interrupted the creation"), "{context}: {error}");
}

#[test]
fn a_log_or_a_table_with_content_is_no_interrupted_creation() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    open(&storage, &Options::default()).put(b"key", b"value").expect("the put works");
    disk.delete(FileName::Current).expect("it is there");
    let report = report_of(&disk);
    assert!(!report.is_sound(), "{:?}", report.findings);
    assert!(try_open(&storage, &Options::default()).is_err());
}
