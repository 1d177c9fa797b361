//! Databases to change: five that differ in everything that a file format knows.

use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, Compression, Maintenance, Options, StepOutcome};
use std::sync::Arc;

/// A closed or killed database, its options and its content.
pub struct Fixture {
    pub disk: MemoryStorage,
    pub options: Options,
    pub model: Model,
}

/// The fixtures: plain, compressed, without filters, in many levels, and killed with everything in logs.
pub fn fixtures() -> Vec<Fixture> {
    (0..5).map(fixture).collect()
}

pub fn fixture(index: u64) -> Fixture {
    let options = Options::default()
        .memtable_bytes(if index == 4 { 1 << 20 } else { 1024 })
        .block_bytes(256)
        .restart_interval([1, 4, 16, 4, 4][index as usize])
        .table_bytes(1024)
        .l0_trigger(2)
        .level_base_bytes(if index == 3 { 1024 } else { 8192 })
        .level_multiplier(2)
        .compression(if index == 1 { Compression::Snappy } else { Compression::None })
        .bloom_bits(if index == 2 { 0 } else { 10 })
        .maintenance(Maintenance::Manual);
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options);
    let mut random = Random(index ^ 0x005e_ed01);
    let mut model = Model::new();
    for _ in 0..90 {
        let op = match random.below(10) {
            0 => Op::Delete(random_key(&mut random)),
            _ => Op::Put(random_key(&mut random), b"value ".repeat(1 + random.below(8) as usize)),
        };
        write(&db, &batch_of(&op).unwrap(), None).unwrap();
        apply_to_model(&mut model, &op);
        if index != 4 && random.below(8) == 0 {
            while db.step(Budget::Phase).unwrap() != StepOutcome::Idle {}
        }
    }
    let disk = if index == 4 { disk.fork() } else { disk };
    drop(db);
    Fixture { disk, options, model }
}

/// The files of the database, `LOCK` left out.
pub fn files(disk: &MemoryStorage) -> Vec<FileName> {
    let listed = disk.list().expect("lists");
    let names = listed.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| *name != FileName::Lock).collect()
}
