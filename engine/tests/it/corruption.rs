//! Damage: flipped bytes, cut files, exchanged files. The answer is right, or it is an error.

use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{ErrorKind, Maintenance, Options, WalSync};
use std::sync::Arc;

/// A small database with several tables, two levels, and data in its log.
fn fixture(seed: u64) -> (MemoryStorage, Options, Model) {
    let mut random = Random(seed ^ 0x00da_3a6e);
    let options = small_options(&mut random)
        .maintenance(Maintenance::Manual)
        .memtable_bytes(1024)
        .flush_trigger_bytes(0)
        .block_bytes(256)
        .table_bytes(1024)
        .l0_trigger(2)
        .wal_sync(WalSync::Group);
    let memory = MemoryStorage::default();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let db = open(&storage, &options);
    let mut model = Model::new();
    for op in random_script(&mut random, 120) {
        if !matches!(op, Op::Reopen) {
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
        }
    }
    drop(db);
    (memory.fork(), options, model)
}

fn names(memory: &MemoryStorage) -> Vec<FileName> {
    let listed = memory.list().expect("lists");
    let names = listed.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| *name != FileName::Lock).collect()
}

/// Opens a damaged copy; everything that is answered must be right.
fn verify(damaged: MemoryStorage, options: &Options, model: &Model, context: &str) -> bool {
    let storage: Arc<dyn Storage> = Arc::new(damaged);
    let db = match open_watched(storage, options.clone(), None) {
        Ok(db) => db,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}");
            assert!(error.file().is_some(), "{context}: {error}");
            return false;
        }
    };
    let mut intact = true;
    match contents(&db) {
        Ok(found) => assert!(&found == model, "{context}: a scan gives a wrong answer"),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}");
            intact = false;
        }
    }
    for index in 0..120 {
        let key = format!("key{index:03}").into_bytes();
        match db.get(&key) {
            Ok(value) => assert_eq!(
                value.as_deref(),
                model.get(&key).map(Vec::as_slice),
                "{context}: key{index:03}"
            ),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}");
                intact = false;
            }
        }
    }
    intact
}

#[test]
fn flipped_bytes_never_give_wrong_answers() {
    let mut technique = Technique::new("flipped bytes", 2);
    while let Some(seed) = technique.next_seed() {
        let (memory, options, model) = fixture(seed);
        for name in names(&memory) {
            let length = memory.read(name).expect("reads").len() as u64;
            for offset in (seed % 5..length).step_by(5) {
                let damaged = memory.fork();
                let mask = 1 << ((offset + seed) % 8);
                damaged.corrupt(name, offset, mask).expect("inside the file");
                let context = format!("seed {seed}, {name} at {offset} with {mask:#x}");
                verify(damaged, &options, &model, &context);
                technique.count(1);
            }
        }
    }
}

#[test]
fn cut_tables_and_manifests_never_give_wrong_answers() {
    let mut technique = Technique::new("cut files", 2);
    while let Some(seed) = technique.next_seed() {
        let (memory, options, model) = fixture(seed);
        for name in names(&memory) {
            // A log that is cut loses its end like the torn tail of a crash: see the crash images.
            if matches!(name, FileName::Wal(_) | FileName::Manifest(_)) {
                continue;
            }
            let length = memory.read(name).expect("reads").len() as u64;
            for cut in (0..length).step_by(5) {
                let damaged = memory.fork();
                damaged.truncate(name, cut).expect("shorter");
                let context = format!("seed {seed}, {name} cut to {cut}");
                verify(damaged, &options, &model, &context);
                technique.count(1);
            }
        }
    }
}

#[test]
fn exchanged_tables_are_found_out() {
    let (memory, options, model) = fixture(1);
    let storage: Arc<dyn Storage> = Arc::new(memory.fork());
    let levels = open(&storage, &options).view().levels;
    let tables = levels.iter().flat_map(|level| &level.tables);
    let mut tables: Vec<FileName> = tables.map(|info| FileName::Table(info.table)).collect();
    // Opening may have flushed logs.
    tables.retain(|table| memory.read(*table).is_ok());
    assert!(tables.len() >= 2, "the fixture has tables to exchange");
    for pair in tables.windows(2) {
        let damaged = memory.fork();
        let (left, right) = (damaged.read(pair[0]).unwrap(), damaged.read(pair[1]).unwrap());
        damaged.put(&pair[0].to_string(), &right);
        damaged.put(&pair[1].to_string(), &left);
        let context = format!("{} and {} exchanged", pair[0], pair[1]);
        assert!(!verify(damaged, &options, &model, &context), "{context}: not noticed");
    }
}
