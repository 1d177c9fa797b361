//! Any entries: written, read, searched.

use crate::common::Random;
use crate::fixture::{Pairs, assert_explained, format, pairs};
use crate::technique::Technique;
use levelscope_formats::froopy::Table;
use levelscope_formats::ladder::{MemtableLimits, Memtables, Step, TableSettings};
use levelscope_formats::{Entry, Likeness, SearchMethod, Trail, recognize};
use std::collections::BTreeMap;

/// A key: short, from few letters, with others as its beginning, or of any bytes.
fn key(random: &mut Random) -> Vec<u8> {
    let length = match random.below(8) {
        0 => random.below(3),
        1 => 120 + random.below(20),
        2 => random.below(600),
        _ => 1 + random.below(14),
    };
    let bytes = random.bytes(length as usize);
    match random.below(3) {
        0 => bytes,
        _ => bytes.iter().map(|byte| b'a' + byte % 3).collect(),
    }
}

fn value(random: &mut Random) -> Option<Vec<u8>> {
    let length = match random.below(12) {
        0 | 1 => return None,
        2 => 0,
        3 => 120 + random.below(20),
        4 => random.below(6000),
        _ => random.below(20),
    };
    Some(random.bytes(length as usize))
}

fn sorted(random: &mut Random) -> Pairs {
    let bits = random.below(9);
    let count = random.below(1 << bits);
    let map: BTreeMap<_, _> = (0..count).map(|_| (key(random), value(random))).collect();
    map.into_iter().collect()
}

fn entries(pairs: &Pairs) -> Vec<Entry<'_>> {
    pairs.iter().map(|(key, value)| Entry::new(key, value.as_deref())).collect()
}

/// Keys that are not there, next to some that are.
fn near(pairs: &Pairs, random: &mut Random) -> Vec<Vec<u8>> {
    let mut keys = vec![Vec::new(), vec![0xff; 700], key(random)];
    for _ in 0..5.min(pairs.len()) {
        let (key, _) = &pairs[random.below(pairs.len() as u64) as usize];
        keys.push([&key[..], b"\0"].concat());
        keys.push(key[..key.len().saturating_sub(1)].to_vec());
    }
    keys.retain(|key| pairs.binary_search_by(|(found, _)| found.cmp(key)).is_err());
    keys
}

#[test]
fn tables_of_any_entries() {
    let mut technique = Technique::new("ladder tables", 150);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x1add);
        let pairs_ = sorted(&mut random);
        for step in Step::ALL {
            let context = format!("{step:?}, seed {seed}");
            let mut settings = TableSettings::new(step);
            if random.below(2) == 0 {
                settings.block_bytes = 1 + random.below(5000) as usize;
                settings.chunk_entries = 1 + random.below(20) as usize;
            }
            let file = settings.write(&entries(&pairs_)).unwrap();
            let format = format(step.id());
            assert_eq!(pairs(format.scan(&file), &context), pairs_, "{context}");
            assert_explained(format, &context, &file);
            for method in format.info().searches {
                for (key, value) in pairs_.iter().take(200) {
                    let found = format.get(&file, key, *method).unwrap();
                    let found = found.unwrap_or_else(|| panic!("{context}: {key:?} is lost"));
                    assert_eq!(found.value.as_deref(), value.as_deref(), "{context}");
                }
                for key in near(&pairs_, &mut random) {
                    let mut trail = Trail::default();
                    assert_eq!(format.explain(&file, &key, *method, &mut trail).unwrap(), None);
                    assert!(*method != SearchMethod::Binary || trail.accesses.len() <= 3);
                }
            }
            let mine = recognize("1.sst", &file);
            let mine = mine.iter().find(|found| found.format.info().id == step.id());
            let expected = if pairs_.is_empty() { Likeness::Perhaps } else { Likeness::Likely };
            assert_eq!(mine.map(|found| found.likeness), Some(expected), "{context}");
            technique.count(1);
        }
    }
}

/// The tables of a sequence of writes and what is still in memory hold the newest of everything, each
/// table hardly more than a memtable may take.
#[test]
fn memtables_of_any_writes() {
    let mut technique = Technique::new("ladder memtables", 100);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x3e37);
        let limits = MemtableLimits {
            memtable_bytes: 1 + random.below(3000) as usize,
            flush_bytes: 1 + random.below(6000) as usize,
        };
        let (mut memtables, mut newest) = (Memtables::new(limits), BTreeMap::new());
        for _ in 0..random.below(600) {
            let (key, value) = (key(&mut random), value(&mut random));
            memtables.write(&key, value.as_deref());
            newest.insert(key, value);
        }
        let mut found = BTreeMap::new();
        for table in memtables.tables() {
            assert!(!table.is_empty(), "seed {seed}");
            let file = TableSettings::new(Step::Varint).write(table).unwrap();
            assert!(!file.is_empty());
            let sets = table.iter().filter_map(|entry| Some((&entry.key, entry.value.as_ref()?)));
            let bytes: usize = sets.map(|(key, value)| key.len() + value.len() + 1).sum();
            assert!(bytes <= limits.memtable_bytes || table.len() == 1, "seed {seed}");
            found.extend(table.iter().map(|entry| {
                (entry.key.to_vec(), entry.value.as_ref().map(|value| value.to_vec()))
            }));
        }
        let memory = memtables.in_memory().into_iter();
        found.extend(memory.map(|(key, value)| (key.to_vec(), value.map(<[u8]>::to_vec))));
        assert_eq!(found, newest, "seed {seed}");
        technique.count(1);
    }
}

/// Logs in any order, with the same keys again and again: the last write of each counts, also when the
/// end of the file is missing.
#[test]
fn logs_of_any_writes() {
    let mut technique = Technique::new("logs of other programs", 100);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x109);
        let keys: Vec<_> =
            (0..=random.below(30)).map(|_| [b"k", &key(&mut random)[..]].concat()).collect();
        let writes: Pairs = (0..random.below(100))
            .map(|_| (keys[random.below(keys.len() as u64) as usize].clone(), value(&mut random)))
            .filter(|(_, value)| value.as_deref() != Some(&[0]))
            .collect();
        for id in ["kvdb-log", "ladder-log", "froopy-log"] {
            let (log, context) = (format(id), format!("{id}, seed {seed}"));
            let timed: Vec<_> = (1_u64..)
                .zip(&writes)
                .map(|(time, (key, value))| Entry {
                    sequence: Some(time),
                    ..Entry::new(key, value.as_deref())
                })
                .collect();
            let file = log.write(&timed).unwrap();
            assert_eq!(pairs(log.scan(&file), &context), writes, "{context}");
            assert_explained(log, &context, &file);
            if !writes.is_empty() {
                let first = recognize("1.log", &file);
                assert_eq!(first[0].format.info().id, id, "{context}: {first:?}");
            }
            let cut = random.below(file.len() as u64 + 1) as usize;
            let left: Vec<_> = log.scan(&file[..cut]).collect();
            let good = left.iter().filter(|entry| entry.is_ok()).count();
            assert!(left.len() <= good + 1, "{context}");
            for (length, writes) in [(file.len(), &writes[..]), (cut, &writes[..good])] {
                let newest: BTreeMap<_, _> = writes.iter().cloned().collect();
                for key in &keys {
                    let found = log.get(&file[..length], key, SearchMethod::Sequential).unwrap();
                    let found = found.map(|found| found.value.map(|value| value.to_vec()));
                    assert_eq!(found.as_ref(), newest.get(key), "{context}, cut to {length}");
                }
            }
            technique.count(1);
        }
    }
}

/// Tables with versions of keys answer for every time, also when their order is lost.
#[test]
fn versions_at_any_time() {
    let mut technique = Technique::new("tables with times", 100);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xf200);
        let keys: Vec<_> = (0..=random.below(20)).map(|_| key(&mut random)).collect();
        let mut versions = BTreeMap::new();
        for _ in 0..random.below(120) {
            let key = keys[random.below(keys.len() as u64) as usize].clone();
            let time = random.below(20) * if random.below(5) == 0 { 1 << 50 } else { 1 };
            let value = value(&mut random).filter(|value| *value != [0]);
            let stamped = [&key[..], &time.swap_bytes().to_le_bytes()].concat();
            versions.insert(stamped, (key, time, value));
        }
        let entries: Vec<_> = versions
            .values()
            .map(|(key, time, value)| Entry {
                sequence: Some(*time),
                ..Entry::new(key, value.as_deref())
            })
            .collect();
        let (table, context) = (format("froopy-table"), format!("seed {seed}"));
        let file = table.write(&entries).unwrap();
        assert_explained(table, &context, &file);
        let found: Vec<_> = table.scan(&file).map(Result::unwrap).collect();
        assert_eq!(found.len(), entries.len(), "{context}");
        assert!(found.iter().zip(&entries).all(|(left, right)| {
            (&left.key, &left.value, left.sequence) == (&right.key, &right.value, right.sequence)
        }));
        let opened = Table::open(&file).unwrap();
        assert!(opened.is_sorted(), "{context}");
        for key in &keys {
            for time in [0, 1, random.below(20), 1 << 52, u64::MAX] {
                let of_key = versions.values().filter(|(found, at, _)| found == key && *at <= time);
                let expected = of_key.max_by_key(|(_, at, _)| *at);
                let expected = expected.map(|(_, at, value)| (*at, value.as_deref()));
                let found = opened.get(key, time).unwrap();
                let found =
                    found.as_ref().map(|found| (found.sequence.unwrap(), found.value.as_deref()));
                assert_eq!(found, expected, "{context}");
            }
            let both = table.info().searches.iter().map(|method| table.get(&file, key, *method));
            let both: Vec<_> = both.map(Result::unwrap).collect();
            assert_eq!(both[0], both[1], "{context}");
        }
        technique.count(1);
    }
}
