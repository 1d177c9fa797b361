//! Checkpoints of real files: hard links, copies across storages, and a backup that is checked.

use super::*;
use levelscope::event::EventKind;
use levelscope::storage::NativeStorage;
use std::path::PathBuf;

/// A directory of the operating system for one test, deleted at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let name = format!("levelscope-checkpoint-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_table(name: &str) -> bool {
    matches!(FileName::parse(name), Some(FileName::Table(_)))
}

fn small() -> Options {
    Options::default().memtable_bytes(2048).l0_trigger(2).table_bytes(4096)
}

fn fill(db: &Db, from: u32) {
    for index in from..from + 200 {
        db.put(format!("key{:04}", index % 300), [index.to_le_bytes(); 8].concat()).unwrap();
    }
}

/// The inode of each table in a directory.
#[cfg(unix)]
fn inodes(path: &std::path::Path) -> Vec<(String, u64)> {
    use std::os::unix::fs::MetadataExt;
    let entries =
        std::fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry"));
    let mut found: Vec<(String, u64)> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().ino()))
        .filter(|(name, _)| is_table(name))
        .collect();
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn tables_on_one_file_system_are_hard_links() {
    let place = Place::new("links");
    let (source, target) = (place.0.join("source"), place.0.join("target"));
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let db =
        Db::builder().options(small()).events(Arc::clone(&recorder) as _).open(&source).unwrap();
    fill(&db, 0);
    recorder.drain();
    let report = db.checkpoint(&target).expect("a checkpoint");
    assert!(report.tables_linked > 2 && report.entries_logged > 0, "{report:?}");
    assert_eq!((report.tables_copied, report.bytes_copied), (0, 0));
    let linked = recorder.drain().0;
    let linked = linked
        .iter()
        .filter(|event| matches!(event.kind, EventKind::CheckpointTable { linked: true, .. }));
    assert_eq!(linked.count() as u64, report.tables_linked);
    let (ours, theirs) = (inodes(&source), inodes(&target));
    assert_eq!(theirs.len() as u64, report.tables_linked);
    assert!(theirs.iter().all(|table| ours.contains(table)), "{ours:?} {theirs:?}");

    // The source goes on, and deletes the files that it shares with the copy.
    let model = contents(&db).expect("reads");
    fill(&db, 150);
    db.request_compaction(None).expect("compacts");
    assert!(inodes(&source).iter().all(|table| !theirs.contains(table)), "all were replaced");
    // A backup that is checked: `levelscope check` does this.
    let storage: Arc<dyn Storage> = Arc::new(NativeStorage::read_only(&target).unwrap());
    let checked = Check::new(storage).and_then(Check::run).expect("checks");
    assert_eq!(checked.findings, Vec::new());
    let copied = Db::builder().options(small()).open(&target).expect("opens");
    assert_eq!(contents(&copied).expect("reads"), model);
    // And the copy goes on without a trace in the source.
    let before = contents(&db).expect("reads");
    copied.request_compaction(None).expect("compacts");
    copied.put("key", "value").expect("the put works");
    drop(copied);
    assert_eq!(contents(&db).expect("reads"), before);
    assert!(db.check().expect("checks").is_sound());
}

#[test]
fn damage_in_a_copy_is_found_by_its_check() {
    let place = Place::new("damage");
    let db = Db::builder().options(small()).open(place.0.join("source")).unwrap();
    fill(&db, 0);
    // Copied, not linked: the damage is to be in the copy only.
    let memory = MemoryStorage::new();
    db.checkpoint_in(Arc::new(memory.clone())).expect("a checkpoint");
    let sound = |storage: &MemoryStorage| {
        Check::new(Arc::new(storage.clone())).and_then(Check::run).expect("checks").is_sound()
    };
    assert!(sound(&memory));
    let name = memory.list().unwrap().into_iter().find(|name| is_table(name)).unwrap();
    memory.corrupt(FileName::parse(&name).unwrap(), 40, 1).expect("a byte is flipped");
    assert!(!sound(&memory));
    assert!(db.check().expect("checks").is_sound());
}

#[test]
fn a_checkpoint_goes_from_files_to_memory_and_back() {
    let place = Place::new("across");
    let db = Db::builder().options(small()).open(place.0.join("source")).unwrap();
    fill(&db, 0);
    let model = contents(&db).expect("reads");
    let memory = MemoryStorage::new();
    let report = db.checkpoint_in(Arc::new(memory.clone())).expect("a checkpoint");
    assert_eq!(report.tables_linked, 0);
    assert!(report.tables_copied > 2 && report.bytes_copied > 2048, "{report:?}");
    let copied = open(&(Arc::new(memory) as Arc<dyn Storage>), &small());
    copied.checkpoint(place.0.join("back")).expect("a checkpoint");
    let back = Db::builder().options(small()).open(place.0.join("back")).expect("opens");
    assert_eq!(contents(&back).expect("reads"), model);
    assert!(back.check().expect("checks").is_sound());
}

#[test]
fn a_reader_takes_a_checkpoint_of_a_database_that_is_open() {
    let place = Place::new("reader");
    let source = place.0.join("source");
    let db = Db::builder().options(small()).open(&source).unwrap();
    fill(&db, 0);
    let model = contents(&db).expect("reads");
    let files = Arc::new(NativeStorage::read_only(&source).unwrap());
    let reader = Db::builder().options(small()).read_only().open_in(files).unwrap();
    db.put("key", "later").expect("the put works");
    reader.checkpoint(place.0.join("copy")).expect("a checkpoint");
    let copied = Db::builder().options(small()).open(place.0.join("copy")).expect("opens");
    assert_eq!(contents(&copied).expect("reads"), model, "the state that the reader shows");
}
