//! Compares tables with a sorted vector, and checks the content of a table file.

mod ahead;
mod cache;
mod damage;
mod hostile;
mod prefixes;

use super::*;
use crate::cache::BlockCache;
use crate::identity::Owner;
use crate::iter::Cursor;
use crate::iter::testing::{Pair, compare_walk};
use crate::key::{SeqNo, compare_internal, internal_key, parse_internal_key, user_key};
use crate::manifest::TableMeta;
use crate::memtable::{SplitMix64, for_seeds};
use crate::probe::{NoProbe, Probe, ReadPath, ReadStop};
use crate::storage::{File, FileName, MemoryStorage, Storage};
use crate::{Compression, Error, ErrorKind, PrefixExtractor, PrefixIndexForm, Result, ValueKind};
use std::sync::{Arc, Mutex};

const PLAIN: TableOptions = TableOptions {
    block_bytes: 256,
    restart_interval: 4,
    compression: Compression::None,
    bloom_bits: 10,
    prefix: PrefixExtractor::None,
    prefix_filter: false,
    prefix_index: false,
    database: Some(MemoryStorage::IDENTITY),
};

const OWNER: Owner = Owner { identity: Some(MemoryStorage::IDENTITY), from: 0 };

/// Writes `entries` as table 7 of a new storage.
fn build(entries: &[Pair], options: TableOptions) -> (MemoryStorage, TableMeta, Vec<BlockWritten>) {
    let storage = MemoryStorage::new();
    let file = storage.create(FileName::Table(7)).unwrap();
    let mut builder = TableBuilder::new(file, 7, options);
    let mut blocks = Vec::new();
    for (key, value) in entries {
        blocks.extend(builder.add(key, value).unwrap().map(|block| *block));
    }
    blocks.extend(builder.finish_block().unwrap().map(|block| *block));
    assert_eq!(builder.finish_block().unwrap(), None);
    let filter = builder.write_filter().unwrap();
    let index = builder.write_index().unwrap();
    let bytes = builder.write_footer().unwrap();
    let meta = builder.sync().unwrap();
    assert_eq!(filter.keys > 0, options.bloom_bits > 0);
    assert_eq!((index.blocks as usize, meta.blocks as usize), (blocks.len(), blocks.len()));
    assert_eq!((meta.bytes, meta.number, meta.entries), (bytes, 7, entries.len() as u64));
    (storage, meta, blocks)
}

const FORMS: [PrefixIndexForm; 3] =
    [PrefixIndexForm::None, PrefixIndexForm::Exact, PrefixIndexForm::Compact];

fn open(storage: &MemoryStorage, meta: &TableMeta, cache_bytes: usize) -> Result<Arc<Table>> {
    open_as(PrefixIndexForm::None, storage, meta, cache_bytes)
}

fn open_as(
    form: PrefixIndexForm,
    storage: &MemoryStorage,
    meta: &TableMeta,
    cache_bytes: usize,
) -> Result<Arc<Table>> {
    let cache = Arc::new(BlockCache::new(cache_bytes));
    let tables = TableCache::new(Arc::new(storage.clone()), 4, cache, form, OWNER);
    tables.open(meta)
}

/// [`Table::get`] with its value copied out.
fn lookup<P: Probe>(
    table: &Table,
    user_key: &[u8],
    sequence: SeqNo,
    level: usize,
    probe: &mut P,
) -> Result<Option<(SeqNo, ValueKind, Vec<u8>)>> {
    Ok(match table.get(&LookupKey::new(user_key, sequence), level, probe)? {
        Searched::Found(sequence, kind, value) => Some((sequence, kind, value.into_vec())),
        _ => None,
    })
}

fn random_key(random: &mut SplitMix64) -> Vec<u8> {
    let length = if random.one_in(40) { random.below(300) } else { random.below(7) };
    (0..length).map(|_| [0, 1, b'a', b'b', 0xfe, 0xff][random.below(6)]).collect()
}

/// Sorted entries with random keys: some with many versions, some large.
fn random_entries(random: &mut SplitMix64) -> Vec<Pair> {
    let count = 1 + random.below(400);
    let mut key = Vec::new();
    let mut entries: Vec<Pair> = Vec::new();
    for sequence in 1..=count as u64 {
        if !random.one_in(3) {
            key = random_key(random);
        }
        let delete = random.one_in(6);
        let kind = if delete { ValueKind::Delete } else { ValueKind::Put };
        let value_bytes = match random.below(30) {
            _ if delete => 0,
            0 => random.below(5000),
            1..6 => 0,
            _ => random.below(40),
        };
        let letter = b'a' + u8::try_from(random.below(26)).unwrap();
        entries.push((internal_key(&key, sequence * 3, kind), vec![letter; value_bytes]));
    }
    entries.sort_by(|left, right| compare_internal(&left.0, &right.0));
    entries
}

fn random_options(random: &mut SplitMix64) -> TableOptions {
    TableOptions {
        block_bytes: 64 << random.below(11),
        restart_interval: 1 + random.below(32),
        compression: [Compression::None, Compression::Snappy][random.below(2)],
        bloom_bits: [0, 4, 10][random.below(3)],
        prefix: [PrefixExtractor::Fixed(1 + random.below(3)), PrefixExtractor::Until(b'a')]
            [random.below(2)],
        prefix_filter: random.one_in(2),
        prefix_index: !random.one_in(4),
        ..PLAIN
    }
}

/// The model's version of `user_key` at `sequence`.
fn newest(
    entries: &[Pair],
    user_key: &[u8],
    sequence: SeqNo,
) -> Option<(SeqNo, ValueKind, Vec<u8>)> {
    entries.iter().find_map(|(key, value)| {
        let key = parse_internal_key(key).unwrap();
        let found = key.user_key == user_key && key.sequence <= sequence;
        found.then(|| (key.sequence, key.kind, value.clone()))
    })
}

#[test]
fn lookups_agree_with_a_sorted_vector() {
    for_seeds(60, |seed| {
        let mut random = SplitMix64::new(seed);
        let entries = random_entries(&mut random);
        let (storage, meta, _) = build(&entries, random_options(&mut random));
        let form = FORMS[random.below(3)];
        let table = open_as(form, &storage, &meta, random.below(100_000)).unwrap();
        for (key, value) in &entries {
            let key = parse_internal_key(key).unwrap();
            let found = lookup(&table, key.user_key, key.sequence, 1, &mut NoProbe).unwrap();
            assert_eq!(found, Some((key.sequence, key.kind, value.clone())));
        }
        for _ in 0..300 {
            let sequence = random.below(entries.len() * 3 + 2) as u64;
            let key = random_key(&mut random);
            let found = lookup(&table, &key, sequence, 1, &mut NoProbe).unwrap();
            assert_eq!(found, newest(&entries, &key, sequence), "{key:?} {sequence}");
        }
    });
}

/// A file whose reads block at random.
#[derive(Debug)]
struct Reluctant {
    file: Arc<dyn File>,
    random: Mutex<SplitMix64>,
}

impl File for Reluctant {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.file.append(bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        if self.random.lock().unwrap().one_in(4) {
            return Err(Error::would_block(FileName::Table(7)));
        }
        self.file.read_at(offset, buffer)
    }

    fn sync(&self) -> Result<()> {
        self.file.sync()
    }

    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}

#[test]
fn random_walks_agree_with_a_sorted_vector() {
    for_seeds(60, |seed| {
        let mut random = SplitMix64::new(seed);
        let entries = random_entries(&mut random);
        let (storage, meta, _) = build(&entries, random_options(&mut random));
        let file = storage.open(FileName::Table(7)).unwrap();
        let reluctant = Mutex::new(SplitMix64::new(random.next_u64()));
        let file = Arc::new(Reluctant { file, random: reluctant });
        let cache = Arc::new(BlockCache::new(0));
        let form = FORMS[random.below(3)];
        let table = loop {
            match Table::open(file.clone(), 7, meta.bytes, Arc::clone(&cache), form, OWNER) {
                Ok(table) => break Arc::new(table),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
        };
        let mut targets: Vec<Vec<u8>> = entries.iter().map(|(key, _)| key.clone()).collect();
        for _ in 0..20 {
            let sequence = random.below(1000) as u64;
            targets.push(internal_key(&random_key(&mut random), sequence, ValueKind::Put));
        }
        compare_walk(&mut table.cursor(), &entries, &targets, &mut random, 600);
    });
}

#[test]
fn blocks_are_cut_before_they_exceed_their_size() {
    for_seeds(40, |seed| {
        let mut random = SplitMix64::new(seed);
        let entries = random_entries(&mut random);
        let options = random_options(&mut random);
        let (storage, meta, blocks) = build(&entries, options);
        let file = storage.read(FileName::Table(7)).unwrap();
        let table = open(&storage, &meta, 0).unwrap();
        let mut rest = entries.as_slice();
        let mut raw_sum = 0;
        for (position, block) in blocks.iter().enumerate() {
            let (here, after) = rest.split_at(block.entries as usize);
            rest = after;
            assert_eq!(user_key(&here[0].0), block.first);
            assert_eq!(user_key(&here[here.len() - 1].0), block.last);
            assert!(block.raw_bytes as usize <= options.block_bytes || block.entries == 1);
            assert_eq!(block.index as usize, position);
            assert!(block.stored_bytes <= block.raw_bytes && block.offset < file.len() as u64);
            raw_sum += u64::from(block.raw_bytes);
        }
        assert!(rest.is_empty());
        let properties = table.properties();
        assert_eq!(properties.data_raw_bytes, raw_sum);
        assert_eq!(properties.smallest, user_key(&entries[0].0));
        assert_eq!(properties.largest, user_key(&meta.largest));
        assert_eq!(
            properties.key_bytes,
            entries.iter().map(|(key, _)| key.len() as u64).sum::<u64>()
        );
        assert_eq!(properties.entries, entries.len() as u64);
        assert_eq!(properties.restart_interval, options.restart_interval as u64);
    });
}

fn numbered(count: u64, value_bytes: usize) -> Vec<Pair> {
    let key = |number: u64| format!("user{number:06}").into_bytes();
    let pair = |n: u64| (internal_key(&key(n), n + 1, ValueKind::Put), vec![b'v'; value_bytes]);
    (0..count).map(pair).collect()
}

/// A table of some hundred entries, some of them versions of one key.
pub(crate) fn sample(options: TableOptions) -> Vec<u8> {
    let mut entries = numbered(200, 20);
    let older = (1..40).rev();
    let versions = older.map(|s| (internal_key(b"user000100!", s, ValueKind::Delete), Vec::new()));
    entries.splice(101..101, versions);
    let (storage, ..) = build(&entries, options);
    storage.read(FileName::Table(7)).unwrap()
}

/// The table that docs/FORMAT.md shows.
pub(crate) fn example() -> Vec<u8> {
    let entries = [
        (internal_key(b"apple", 1, ValueKind::Put), b"red".to_vec()),
        (internal_key(b"apricot", 3, ValueKind::Put), b"orange".to_vec()),
        (internal_key(b"fig", 2, ValueKind::Delete), Vec::new()),
    ];
    let options = TableOptions { compression: Compression::Snappy, ..PLAIN };
    let (storage, ..) = build(&entries, options);
    storage.read(FileName::Table(7)).unwrap()
}

#[test]
fn the_documented_example_is_what_is_written() {
    assert_eq!(crate::wal::tests::documented("Table files"), example());
}

#[test]
fn huge_entries_and_many_versions_round_trip() {
    let mut entries = vec![(internal_key(&[0; 64 * 1024], 9, ValueKind::Put), vec![5; 3 << 20])];
    entries.extend((1..3000).rev().map(|s| (internal_key(b"k", s, ValueKind::Put), vec![1; 9])));
    entries.push((internal_key(&[0xff; 500], 1, ValueKind::Delete), Vec::new()));
    for compression in [Compression::None, Compression::Snappy] {
        let options = TableOptions { block_bytes: 4096, compression, ..PLAIN };
        let (storage, meta, _) = build(&entries, options);
        let table = open(&storage, &meta, 1 << 20).unwrap();
        assert_eq!(table.properties().filter_keys, 3);
        let mut cursor = table.cursor();
        cursor.seek_to_first().unwrap();
        for (key, value) in &entries {
            assert_eq!((cursor.key(), cursor.value()), (key.as_slice(), value.as_slice()));
            cursor.next().unwrap();
        }
        assert!(!cursor.valid());
        for sequence in [1, 17, 2999] {
            let found = lookup(&table, b"k", sequence, 0, &mut NoProbe).unwrap();
            assert_eq!(found.map(|found| found.0), Some(sequence));
        }
    }
}

#[test]
fn a_lookup_records_its_path() {
    let entries = numbered(500, 20);
    let (storage, meta, blocks) = build(&entries, PLAIN);
    let table = open(&storage, &meta, 1 << 20).unwrap();
    let block_of = |number: u32| {
        let mut first = 0;
        blocks
            .iter()
            .find(|block| {
                first += block.entries;
                first > number
            })
            .unwrap()
    };
    for expected_cached in [false, true] {
        let mut path = ReadPath::default();
        lookup(&table, b"user000123", 1000, 2, &mut path).unwrap().unwrap();
        let [
            ReadStop::Table {
                level: 2, table: 7, filter: Some(_), blocks, comparisons, hit, ..
            },
        ] = &path.stops[..]
        else {
            panic!("{path:?}");
        };
        assert_eq!(hit.unwrap().sequence, 124);
        assert_eq!((blocks[0].offset, blocks[0].cached), (block_of(123).offset, expected_cached));
        assert!((5..20).contains(comparisons), "{comparisons}");
    }
    let mut path = ReadPath::default();
    assert!((0..100).all(|n| {
        lookup(&table, format!("stranger{n}").as_bytes(), 1000, 2, &mut path).unwrap().is_none()
    }));
    let filtered = |stop: &&ReadStop| matches!(stop, ReadStop::Filtered { level: 2, table: 7, .. });
    assert!(path.stops.iter().filter(filtered).count() > 90);
    assert_eq!(path.stops.len(), 100);
}

#[test]
fn the_builder_refuses_what_would_break_the_table() {
    let storage = MemoryStorage::new();
    let mut builder = TableBuilder::new(storage.create(FileName::Table(7)).unwrap(), 7, PLAIN);
    let key = internal_key(b"b", 5, ValueKind::Put);
    builder.add(&key, b"").unwrap();
    let older_first = internal_key(b"b", 6, ValueKind::Put);
    let too_long = internal_key(&vec![b'c'; 64 * 1024 + 1], 1, ValueKind::Put);
    for bad in [&key, &older_first, &internal_key(b"a", 1, ValueKind::Put), &too_long, &vec![1; 7]]
    {
        assert_eq!(builder.add(bad, b"").unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert!(builder.write_filter().is_err(), "a block is open");
    builder.finish_block().unwrap();
    assert!(builder.write_index().is_err(), "out of order");
    let mut empty = TableBuilder::new(storage.create(FileName::Table(8)).unwrap(), 8, PLAIN);
    empty.write_filter().unwrap();
    assert!(empty.write_index().is_err(), "no entries");
}

#[test]
fn the_same_entries_give_the_same_bytes_in_large_appends() {
    let entries = numbered(20_000, 30);
    let options = TableOptions { block_bytes: 4096, compression: Compression::Snappy, ..PLAIN };
    let (one, meta, _) = build(&entries, options);
    let (two, ..) = build(&entries, options);
    assert_eq!(one.read(FileName::Table(7)).unwrap(), two.read(FileName::Table(7)).unwrap());
    assert!(one.operations() <= 4 + meta.bytes / (256 * 1024), "{}", one.operations());
}
