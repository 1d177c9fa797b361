//! Databases that the engine itself writes into memory.

use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{
    Budget, Compression, Db, Maintenance, Options, PrefixExtractor, PrefixIndexForm, Strategy,
    WalSync, WriteBatch,
};
use levelscope_foreign::MemoryFiles;
use std::sync::Arc;

/// Numbers that repeat for one seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// Options with which a few hundred writes make several levels.
pub fn options(random: &mut Random) -> Options {
    let prefixes = [PrefixExtractor::None, PrefixExtractor::Fixed(2), PrefixExtractor::Until(b'1')];
    let prefix = random.pick(&prefixes);
    let index = random.pick(&[PrefixIndexForm::None, PrefixIndexForm::Exact]);
    let index = if prefix == PrefixExtractor::None { PrefixIndexForm::None } else { index };
    Options::default()
        .memtable_bytes(random.pick(&[512, 2048, 8192]))
        .block_bytes(random.pick(&[64, 256, 4096]))
        .restart_interval(random.pick(&[1, 4, 16]))
        .compression(random.pick(&[Compression::None, Compression::Snappy]))
        .bloom_bits(random.pick(&[0, 10]))
        .prefix(prefix)
        .prefix_index(index)
        .table_bytes(random.pick(&[512, 2048, 1 << 20]))
        .level_count(random.pick(&[2, 4, 7]))
        .l0_trigger(random.pick(&[1, 2, 4]))
        .level_base_bytes(random.pick(&[1024, 4096]))
        .level_multiplier(random.pick(&[2, 4]))
        .manifest_bytes(random.pick(&[64, 1024, 64 << 10]))
        .strategy(random.pick(&Strategy::ALL))
        .wal_sync(random.pick(&[WalSync::Each, WalSync::Group, WalSync::None]))
        .maintenance(Maintenance::Manual)
}

pub fn open(disk: &MemoryStorage, options: &Options) -> Db {
    Db::builder().options(options.clone()).open_in(Arc::new(disk.clone())).expect("it opens")
}

/// A key of a small set, so that many are written twice.
pub fn key(random: &mut Random) -> Vec<u8> {
    let number = random.below(120);
    match random.below(12) {
        0 => Vec::new(),
        1 => vec![0xff; usize::try_from(number % 9).unwrap()],
        _ => format!("key{number:03}").into_bytes(),
    }
}

pub fn value(random: &mut Random) -> Vec<u8> {
    let length = random.pick(&[0, 3, 20, 20, 400]);
    (0..length).map(|at| u8::try_from((random.0 ^ at) % 7).unwrap()).collect()
}

/// Writes a batch of a few operations.
pub fn write(db: &Db, random: &mut Random) {
    let mut batch = WriteBatch::new();
    for _ in 0..=random.below(4) {
        let key = key(random);
        match random.below(20) {
            0 => batch.delete_from(&key),
            1 | 2 => batch.delete_range(&key, self::key(random)),
            3..=6 => batch.delete(&key),
            _ => batch.put(&key, value(random)),
        }
        .expect("it fits");
    }
    // A memtable that is full waits for its flush.
    while let Err(error) = db.write(&batch, None) {
        assert_eq!(error.kind(), levelscope::ErrorKind::Stalled, "{error}");
        db.step(Budget::Job).expect("it works");
    }
}

pub fn work(db: &Db) {
    while db.has_work() {
        db.step(Budget::Job).expect("it works");
    }
}

/// The files that are there now.
pub fn contents(disk: &MemoryStorage) -> Vec<(String, Vec<u8>)> {
    let names = disk.list().expect("it lists");
    let names = names.iter().filter_map(|name| FileName::parse(name));
    let names = names.filter(|name| *name != FileName::Lock);
    names.map(|name| (name.to_string(), disk.read(name).expect("it reads"))).collect()
}

pub fn files(disk: &MemoryStorage) -> MemoryFiles {
    MemoryFiles::new(contents(disk))
}

/// A database with levels, history and an unflushed log.
pub fn small() -> MemoryStorage {
    let disk = MemoryStorage::default();
    let options = Options::default()
        .memtable_bytes(4096)
        .table_bytes(4096)
        .level_base_bytes(8192)
        .l0_trigger(2)
        .manifest_bytes(1 << 20)
        .maintenance(Maintenance::Manual);
    let db = open(&disk, &options);
    let mut random = Random(7);
    for _ in 0..400 {
        write(&db, &mut random);
        if random.below(9) == 0 {
            work(&db);
        }
    }
    work(&db);
    db.put(b"last", b"one").expect("it writes");
    db.close().expect("it closes");
    disk
}
