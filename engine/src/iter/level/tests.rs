//! A level of small tables against one sorted vector; blocking, failing and lossy tables.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::super::testing::{Mood, Pair, VecCursor, compare_walk};
use super::*;
use crate::ValueKind;
use crate::key::{internal_key, seek_key};
use crate::memtable::{SplitMix64, for_seeds};
use std::sync::Mutex;

/// Tables in memory; opening one may block.
struct TablesInMemory {
    tables: Vec<Vec<Pair>>,
    block_one_in: usize,
    random: Mutex<SplitMix64>,
}

impl OpenTable for TablesInMemory {
    type Cursor = VecCursor;

    fn open_cursor(&self, table: RunTable<'_>) -> Result<VecCursor> {
        let meta = table.meta;
        let mut random = self.random.lock().unwrap();
        let entries = self.tables[meta.number as usize].clone();
        if self.block_one_in == 0 {
            return Ok(VecCursor::new(entries, Mood::Willing));
        }
        if random.one_in(self.block_one_in) {
            return Err(Error::would_block(FileName::Table(meta.number)));
        }
        let seed = random.next_u64();
        Ok(VecCursor::new(entries, Mood::BlocksOneIn(self.block_one_in, SplitMix64::new(seed))))
    }
}

fn run(tables: &[Vec<Pair>]) -> Arc<Run> {
    let metas = tables.iter().enumerate().map(|(number, entries)| TableMeta {
        number: number as u64,
        run: 1,
        bytes: 1,
        entries: entries.len() as u64,
        tombstones: 0,
        blocks: 1,
        smallest: entries[0].0.clone(),
        largest: entries[entries.len() - 1].0.clone(),
        ranges: None,
        sequence_min: 1,
        sequence_max: 9,
    });
    Arc::new(Run::new(1, metas.map(Arc::new).collect()))
}

fn level(tables: Vec<Vec<Pair>>, block_one_in: usize, seed: u64) -> LevelCursor<TablesInMemory> {
    let run = run(&tables);
    let random = Mutex::new(SplitMix64::new(seed));
    LevelCursor::new(run, Arc::new(TablesInMemory { tables, block_one_in, random }))
}

#[test]
fn random_walks_agree_with_a_sorted_vector() {
    for_seeds(200, |seed| {
        let mut random = SplitMix64::new(seed);
        let mut tables: Vec<Vec<Pair>> = Vec::new();
        for key in 0..random.below(40) {
            let key = format!("k{:02}", 2 * key);
            if tables.is_empty() || random.one_in(3) {
                tables.push(Vec::new());
            }
            for sequence in (1..=1 + random.below(3) as u64).rev() {
                let pair = (internal_key(key.as_bytes(), sequence, ValueKind::Put), vec![]);
                tables.last_mut().unwrap().push(pair);
            }
        }
        let all = tables.concat();
        let targets: Vec<_> =
            (0..84).map(|key| seek_key(format!("k{:02}", key / 2).as_bytes(), key % 4)).collect();
        let mut cursor = level(tables, [0, 2, 6][random.below(3)], seed);
        compare_walk(&mut cursor, &all, &targets, &mut random, 150);
    });
}

#[test]
fn a_table_that_ends_early_is_damage_not_the_end() {
    let pair = |key: &str| (seek_key(key.as_bytes(), 1), vec![]);
    let tables = vec![vec![pair("a"), pair("b"), pair("c")], vec![pair("d"), pair("e")]];
    let run = run(&tables);
    for lost in 0..3 {
        let mut short = tables.clone();
        short[0].truncate(lost);
        let opener =
            TablesInMemory { tables: short, block_one_in: 0, random: SplitMix64::new(0).into() };
        let mut cursor = LevelCursor::new(run.clone(), Arc::new(opener));
        let mut result = cursor.seek_to_first();
        while result.is_ok() && cursor.valid() {
            result = cursor.next();
        }
        let error = result.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption);
        assert_eq!(error.file(), Some(FileName::Table(0)));
        assert!(!cursor.valid());
        assert_eq!(cursor.seek_to_last(), Err(error));
    }
    let opener = TablesInMemory {
        tables: vec![vec![], vec![]],
        block_one_in: 0,
        random: SplitMix64::new(0).into(),
    };
    let mut cursor = LevelCursor::new(run, Arc::new(opener));
    assert!(cursor.seek_to_last().is_err());
}

#[test]
fn a_level_without_tables_is_empty() {
    let mut cursor = level(Vec::new(), 0, 0);
    for call in [LevelCursor::seek_to_first, LevelCursor::seek_to_last, LevelCursor::next] {
        call(&mut cursor).unwrap();
        assert!(!cursor.valid());
    }
}
