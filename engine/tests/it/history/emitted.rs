//! Histories of events that were emitted too early.

use super::*;
use levelscope::event::{Event, EventKind, EventSink};
use levelscope::storage::Crash;
use std::collections::BTreeSet;

/// The facts on disk that events have reported.
#[derive(Debug, Clone, Default)]
struct Emitted {
    tables: BTreeSet<u64>,
    durable_writes: u64,
    writes: u64,
    manifest: u64,
}

#[derive(Default)]
struct Listener(Mutex<Vec<Emitted>>);

impl EventSink for Listener {
    fn event(&self, event: Event) {
        let mut history = self.0.lock().unwrap();
        let mut emitted = history.last().cloned().unwrap_or_default();
        match &event.kind {
            EventKind::FlushInstall { table, .. } => {
                emitted.tables.extend(table.iter().map(|info| info.table));
            }
            EventKind::CompactionInstall { removed, added, .. } => {
                emitted.tables.retain(|table| removed.iter().all(|input| input.table != *table));
                emitted.tables.extend(added.iter().map(|info| info.table));
            }
            EventKind::OpPut { .. } => emitted.writes += 1,
            EventKind::OpDone { durable: true, .. } => emitted.durable_writes = emitted.writes,
            EventKind::ManifestSwitch { manifest, .. } => emitted.manifest = *manifest,
            _ => return,
        }
        history.push(emitted);
    }
}

/// A job was reported as done before the manifest was durable; a caller that relied on it lost data in a crash.
#[test]
fn work_reported_as_done_is_true_after_a_crash() {
    let options = by_hand().memtable_bytes(1024).l0_trigger(2).table_bytes(1024);
    let disk = MemoryStorage::new();
    let listener = Arc::new(Listener::default());
    let frames: Arc<Mutex<Vec<(Operation, MemoryStorage, usize)>>> = Arc::default();
    let (shot, heard) = (Arc::clone(&frames), Arc::clone(&listener));
    let storage = after_each_operation(&disk, move |_, operation, disk| {
        let so_far = heard.0.lock().unwrap().len();
        shot.lock().unwrap().push((operation, disk.fork(), so_far));
    });
    for _ in 0..2 {
        let db =
            open_watched(Arc::clone(&storage), options.clone(), Some(listener.clone())).unwrap();
        let begun = listener.0.lock().unwrap().last().map_or(0, |emitted| emitted.writes);
        for index in begun..begun + 80 {
            let key = format!("key{index:04}");
            db.put(key.as_bytes(), value(index as usize, 40)).unwrap();
            if index % 20 == 19 {
                while db.step(Budget::Phase).unwrap() != StepOutcome::Idle {}
            }
        }
    }
    let emitted = std::mem::take(&mut *listener.0.lock().unwrap());
    for (operation, frame, so_far) in std::mem::take(&mut *frames.lock().unwrap()) {
        let Some(then) = so_far.checked_sub(1).and_then(|last| emitted.get(last)) else { continue };
        let next = emitted[so_far..].iter().find(|next| next.tables != then.tables);
        let image = frame.crash_image(Crash::KeepSynced);
        assert!(names(&image).contains(&FileName::Manifest(then.manifest)), "after {operation}");
        let db = open(&shared(&image), &options);
        let tables: BTreeSet<u64> = tables_of(&db).into_iter().collect();
        // An edit may be durable before its event, never after it.
        let ahead = next.is_some_and(|next| next.tables == tables);
        assert!(tables == then.tables || ahead, "after {operation}: {tables:?}, emitted {then:?}");
        let found = contents(&db).unwrap().len() as u64;
        assert!(found >= then.durable_writes, "after {operation}: {found} of {then:?}");
    }
}
