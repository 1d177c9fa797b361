//! Shared by the integration tests: a seeded random source, a model, and random scripts.

mod watched;

pub use crate::technique::Technique;
pub use watched::*;

use levelscope::{
    Budget, Compression, Db, ErrorKind, Maintenance, Options, PrefixExtractor, PrefixIndexForm,
    ScanOptions, StepOutcome, Strategy, WalSync, WriteBatch,
};
use std::collections::BTreeMap;

/// splitmix64: small, seeded, the same everywhere.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

/// The expected content of a database: keys with their values.
pub type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// One operation of a random script.
#[derive(Debug, Clone)]
pub enum Op {
    Put(Vec<u8>, Vec<u8>),
    Delete(Vec<u8>),
    Batch(Vec<(Vec<u8>, Option<Vec<u8>>)>),
    /// Up to the end of all keys when there is no second key.
    DeleteRange(Vec<u8>, Option<Vec<u8>>),
    Rotate,
    Flush,
    Compact(Option<usize>),
    Step(u32),
    Sync,
    Reopen,
}

/// A key from a small space, so that overwrites and deletes hit.
pub fn random_key(random: &mut Random) -> Vec<u8> {
    match random.below(20) {
        0 => Vec::new(),
        1 => {
            let length = 1 + random.below(30) as usize;
            random.bytes(length)
        }
        _ => format!("key{:03}", random.below(120)).into_bytes(),
    }
}

fn random_value(random: &mut Random) -> Vec<u8> {
    let length = match random.below(20) {
        0 => 0,
        1 => 300 + random.below(900) as usize,
        _ => random.below(60) as usize,
    };
    random.bytes(length)
}

/// `count` random operations.
pub fn random_script(random: &mut Random, count: usize) -> Vec<Op> {
    (0..count)
        .map(|_| match random.below(100) {
            0..=54 => Op::Put(random_key(random), random_value(random)),
            55..=66 => Op::Delete(random_key(random)),
            67..=69 => random_range(random),
            70..=77 => {
                let entries = 1 + random.below(8);
                let entry = |random: &mut Random| {
                    let key = random_key(random);
                    let value = (random.below(3) > 0).then(|| random_value(random));
                    (key, value)
                };
                Op::Batch((0..entries).map(|_| entry(random)).collect())
            }
            78..=80 => Op::Rotate,
            81..=83 => Op::Flush,
            84..=85 => Op::Compact((random.below(2) == 0).then(|| random.below(3) as usize)),
            86..=95 => Op::Step(1 + random.below(400) as u32),
            96..=97 => Op::Sync,
            _ => Op::Reopen,
        })
        .collect()
}

/// The deletion of a range, mostly of a short one, so that something is left.
pub fn random_range(random: &mut Random) -> Op {
    match random.below(12) {
        0 => Op::DeleteRange(random_key(random), None),
        1 => Op::DeleteRange(random_key(random), Some(random_key(random))),
        _ => {
            let begin = random.below(120);
            let key = |number: u64| format!("key{number:03}").into_bytes();
            Op::DeleteRange(key(begin), Some(key(begin + 1 + random.below(12))))
        }
    }
}

/// Options in which little data makes many files.
pub fn small_options(random: &mut Random) -> Options {
    let prefix = [PrefixExtractor::None, PrefixExtractor::Fixed(4), PrefixExtractor::Until(b'0')]
        [random.below(3) as usize];
    let indexes = [PrefixIndexForm::None, PrefixIndexForm::Exact, PrefixIndexForm::Compact];
    let count = if prefix == PrefixExtractor::None { 1 } else { 3 };
    let pick =
        |random: &mut Random, values: &[u64]| values[random.below(values.len() as u64) as usize];
    Options::default()
        .memtable_bytes(pick(random, &[256, 1024, 4096]) as usize)
        .flush_trigger_bytes(pick(random, &[0, 0, 3000]) as usize)
        .immutable_count_max(pick(random, &[1, 2, 4]) as usize)
        .block_bytes(pick(random, &[64, 256, 4096]) as usize)
        .restart_interval(pick(random, &[1, 4, 16]) as usize)
        .compression(if random.below(2) == 0 { Compression::None } else { Compression::Snappy })
        .bloom_bits(pick(random, &[0, 1, 10]) as usize)
        .prefix(prefix)
        .prefix_filter(random.below(2) == 0)
        .prefix_index(indexes[random.below(count) as usize])
        .cache_bytes(pick(random, &[0, 4096, 1 << 20]) as usize)
        .open_tables_max(pick(random, &[4, 500]) as usize)
        .table_bytes(pick(random, &[512, 2048, 1 << 20]))
        .level_count(pick(random, &[2, 3, 7]) as usize)
        .l0_trigger(pick(random, &[1, 2, 4]) as usize)
        .l0_slowdown(pick(random, &[1, 3, 6, 10]) as usize)
        .l0_stall(6)
        .debt_slowdown_bytes(pick(random, &[0, 2000, 1 << 30]))
        .level_base_bytes(pick(random, &[1024, 4096]))
        .level_multiplier(pick(random, &[2, 4, 10]))
        .manifest_bytes(pick(random, &[64, 1024, 64 << 10]))
        .wal_sync(
            [WalSync::Each, WalSync::Group, WalSync::Interval(700), WalSync::None]
                [random.below(4) as usize],
        )
        .strategy(match random.below(4) {
            0 => Strategy::Tiered,
            1 => Strategy::LazyLeveled,
            _ => Strategy::Leveled,
        })
        .wal_buffer_bytes(pick(random, &[0, 0, 100, 4096]))
        .maintenance(if random.below(2) == 0 { Maintenance::Manual } else { Maintenance::Inline })
        .read_compaction_bytes(pick(random, &[0, 1 << 30]))
}

/// Writes a batch; when writes stall, steps jobs until there is room.
pub fn write(db: &Db, batch: &WriteBatch, sync: Option<bool>) -> levelscope::Result<()> {
    loop {
        match db.write(batch, sync) {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::Stalled => {
                let outcome = db.step(Budget::Job)?;
                assert_ne!(outcome, StepOutcome::Idle, "a stall with nothing to do: {error}");
            }
            Err(error) => return Err(error),
        }
    }
}

/// The batch of a writing operation; `None` for the others.
pub fn batch_of(op: &Op) -> Option<WriteBatch> {
    let mut batch = WriteBatch::new();
    match op {
        Op::Put(key, value) => batch.put(key, value).expect("within limits"),
        Op::Delete(key) => batch.delete(key).expect("within limits"),
        Op::Batch(entries) => {
            for (key, value) in entries {
                match value {
                    Some(value) => batch.put(key, value).expect("within limits"),
                    None => batch.delete(key).expect("within limits"),
                }
            }
        }
        Op::DeleteRange(begin, Some(end)) => {
            batch.delete_range(begin, end).expect("within limits");
        }
        Op::DeleteRange(begin, None) => batch.delete_from(begin).expect("within limits"),
        _ => return None,
    }
    Some(batch)
}

/// Applies a writing operation to the model.
pub fn apply_to_model(model: &mut Model, op: &Op) {
    if let Op::DeleteRange(begin, end) = op {
        model.retain(|key, _| key < begin || end.as_ref().is_some_and(|end| key >= end));
    }
    let mut set = |key: &Vec<u8>, value: Option<&Vec<u8>>| match value {
        Some(value) => drop(model.insert(key.clone(), value.clone())),
        None => drop(model.remove(key)),
    };
    match op {
        Op::Put(key, value) => set(key, Some(value)),
        Op::Delete(key) => set(key, None),
        Op::Batch(entries) => entries.iter().for_each(|(key, value)| set(key, value.as_ref())),
        _ => {}
    }
}

/// Runs one operation that is not a reopen.
pub fn run(db: &Db, op: &Op) -> levelscope::Result<()> {
    if let Some(batch) = batch_of(op) {
        return write(db, &batch, None);
    }
    match op {
        Op::Rotate => db.rotate().map(drop),
        Op::Flush => db.request_flush().map(drop),
        Op::Compact(level) => {
            let deepest = db.options().level_count - 1;
            db.request_compaction(level.filter(|level| *level < deepest)).map(drop)
        }
        Op::Step(entries) => db.step(Budget::Entries(*entries)).map(drop),
        Op::Sync => db.sync(),
        _ => Ok(()),
    }
}

/// Everything in the database, by a forward scan.
pub fn contents(db: &Db) -> levelscope::Result<Model> {
    let mut iterator = db.iter(&ScanOptions::default())?;
    iterator.seek_to_first()?;
    let mut found = Model::new();
    while iterator.valid() {
        found.insert(iterator.key().to_vec(), iterator.value().to_vec());
        iterator.next()?;
    }
    Ok(found)
}

/// Compares scans in both directions and point lookups with the model, and checks every table.
pub fn assert_same(db: &Db, model: &Model, context: &str) {
    let forward = contents(db).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert!(&forward == model, "{context}: a scan differs from the model");
    let mut iterator = db.iter(&ScanOptions::default()).expect("an iterator");
    iterator.seek_to_last().expect("seek to last");
    let mut expected = model.iter().rev();
    while iterator.valid() {
        let (key, value) = expected.next().expect("no more than in the model");
        assert_eq!((iterator.key(), iterator.value()), (&key[..], &value[..]), "{context}");
        iterator.prev().expect("prev");
    }
    assert_eq!(expected.next(), None, "{context}: a backward scan ends early");
    for index in 0..120 {
        let key = format!("key{index:03}").into_bytes();
        let value = db.get(&key).unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(
            value.as_deref(),
            model.get(&key).map(Vec::as_slice),
            "{context}: key{index:03}"
        );
    }
    let report = db.check().expect("check");
    assert!(report.problems().is_empty(), "{context}: {:?}", report.problems());
}
