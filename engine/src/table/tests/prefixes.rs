//! Prefix filters and both forms of the prefix index.

use super::*;
use crate::table::prefix_index::{Candidates, PrefixCollector, PrefixIndex};
use std::collections::BTreeSet;

/// The block of prefixes of keys that lie in the given blocks.
fn index_of(keys: &[(&str, u32)], prefix: PrefixExtractor, form: PrefixIndexForm) -> PrefixIndex {
    let mut collector = PrefixCollector::new(prefix, true);
    for (key, position) in keys {
        collector.add(key.as_bytes(), *position);
    }
    let block = Block::new(collector.finish().unwrap()).unwrap();
    let blocks = keys.last().unwrap().1 as usize + 1;
    PrefixIndex::decode(&block, prefix, form, blocks).unwrap().unwrap()
}

/// The blocks that the index names for `key`, in order; `None` when it names the prefix absent.
fn blocks_of(index: &PrefixIndex, key: &[u8]) -> Option<Vec<u32>> {
    match index.find(key).unwrap() {
        Candidates::Absent => None,
        Candidates::Range(blocks) => Some(blocks.collect()),
        Candidates::Among(blocks) => Some(blocks.to_vec()),
        Candidates::One(block) => Some(vec![block]),
    }
}

#[test]
fn the_exact_form_knows_every_prefix_and_no_other() {
    let keys = [("abc1", 0), ("abc2", 1), ("abc3", 2), ("def1", 2), ("xyz1", 3), ("xy", 3)];
    let index = index_of(&keys, PrefixExtractor::Fixed(3), PrefixIndexForm::Exact);
    assert_eq!(blocks_of(&index, b"abc9"), Some(vec![0, 1, 2]));
    assert_eq!(blocks_of(&index, b"def"), Some(vec![2]));
    assert_eq!(blocks_of(&index, b"xyz0"), Some(vec![3]));
    assert_eq!(blocks_of(&index, b"abd0"), None);
    assert_eq!(index.find(b"xy"), None, "too short for a prefix");
}

/// Prefixes that share a bucket share its blocks, none of them lost: neighbouring and equal blocks
/// are where an early version of this structure elsewhere lost some.
#[test]
fn the_compact_form_names_at_least_the_blocks_of_every_prefix() {
    for_seeds(200, |seed| {
        let mut random = SplitMix64::new(seed);
        let mut names = BTreeSet::new();
        for _ in 0..=random.below(60) {
            names.insert(format!("{:03}", random.below(300)));
        }
        let mut keys: Vec<(String, u32)> = Vec::new();
        let mut block = 0;
        for name in &names {
            for number in 0..=random.below(4) {
                keys.push((format!("{name}{number}"), block));
                block += u32::try_from(random.below(2)).unwrap();
            }
        }
        let keys: Vec<(&str, u32)> = keys.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        let prefix = PrefixExtractor::Fixed(3);
        let exact = index_of(&keys, prefix, PrefixIndexForm::Exact);
        let compact = index_of(&keys, prefix, PrefixIndexForm::Compact);
        for name in &names {
            let all = blocks_of(&exact, name.as_bytes()).unwrap();
            let some = blocks_of(&compact, name.as_bytes()).unwrap();
            assert!(all.iter().all(|block| some.contains(block)), "{name}: {all:?} {some:?}");
            assert!(some.is_sorted_by(|left, right| left < right), "{some:?}");
        }
    });
}

#[test]
fn the_compact_form_takes_a_fraction_of_the_memory() {
    let names: Vec<String> = (0..20_000).map(|user| format!("customer-{user:012}-")).collect();
    let keys: Vec<(&str, u32)> =
        (0..).zip(&names).map(|(n, name)| (name.as_str(), n / 40)).collect();
    let prefix = PrefixExtractor::Fixed(22);
    let exact = index_of(&keys, prefix, PrefixIndexForm::Exact).memory_bytes();
    let compact = index_of(&keys, prefix, PrefixIndexForm::Compact).memory_bytes();
    println!("20,000 prefixes of 22 bytes: exact {exact} bytes, compact {compact} bytes");
    assert!(compact * 4 < exact, "{compact} {exact}");
}

fn events(users: u32, each: u32) -> Vec<Pair> {
    let mut entries = Vec::new();
    for user in 0..users {
        for at in 0..each {
            let key = format!("user{:04}.{at:04}.click", user * 2);
            entries.push((internal_key(key.as_bytes(), 5, ValueKind::Put), vec![b'v'; 30]));
        }
    }
    entries
}

#[test]
fn a_prefix_leads_to_its_block_with_fewer_comparisons() {
    let prefix = PrefixExtractor::Until(b'.');
    let options = TableOptions { prefix, prefix_index: true, bloom_bits: 0, ..PLAIN };
    let (storage, meta, _) = build(&events(300, 5), options);
    let mut spent = Vec::new();
    for form in FORMS {
        let table = open_as(form, &storage, &meta, 1 << 20).unwrap();
        assert_eq!(table.prefixes().form_for(b"user0000."), form);
        let (mut comparisons, mut blocks) = (0, 0);
        for user in 0..600 {
            let key = format!("user{user:04}.0003.click");
            let mut path = ReadPath::default();
            let found = lookup(&table, key.as_bytes(), 9, 1, &mut path).unwrap();
            assert_eq!(found.is_some(), user % 2 == 0, "{key}");
            match &path.stops[..] {
                [ReadStop::Table { comparisons: asked, blocks: read, prefix_index, .. }] => {
                    assert_eq!(*prefix_index, form);
                    comparisons += asked;
                    blocks += read.len();
                }
                [ReadStop::NoPrefix { .. }] => assert!(form != PrefixIndexForm::None),
                other => panic!("{other:?}"),
            }
        }
        println!(
            "{form:?}: {comparisons} comparisons, {blocks} blocks, {} bytes",
            table.prefixes().memory_bytes()
        );
        spent.push((comparisons, blocks, table.prefixes().memory_bytes()));
    }
    let [none, exact, compact] = spent[..] else { panic!() };
    assert!(exact.0 < none.0 && compact.0 < none.0, "{spent:?}");
    assert!(none.1 > 590 && exact.1 == 300, "only prefixes that are there cost a block");
    assert!(compact.1 < none.1 && compact.2 < exact.2, "{spent:?}");
}

#[test]
fn a_prefix_filter_alone_excludes_absent_prefixes() {
    let prefix = PrefixExtractor::Until(b'.');
    let options = TableOptions { prefix, prefix_filter: true, ..PLAIN };
    let (storage, meta, _) = build(&events(300, 5), options);
    let table = open(&storage, &meta, 0).unwrap();
    let may = |user: u32| table.prefixes().may_have(format!("user{user:04}.00").as_bytes());
    assert!((0..300).all(|user| may(user * 2)));
    assert!((0..300).filter(|user| may(user * 2 + 1)).count() < 12);
    assert!(table.prefixes().may_have(b"user"), "not yet a whole prefix");
}

#[test]
fn blocks_of_prefixes_that_no_writer_makes_are_refused() {
    let prefix = PrefixExtractor::Fixed(2);
    let entry = |key: &[u8], value: &[u8]| (key.to_vec(), value.to_vec());
    let hostile: [&[(Vec<u8>, Vec<u8>)]; 9] = [
        &[entry(b"a", &[0, 1])],
        &[entry(b"abc", &[0, 1])],
        &[entry(b"ab", &[0, 0])],
        &[entry(b"ab", &[0])],
        &[entry(b"ab", &[0, 1, 0])],
        &[entry(b"ab", &[3, 1])],
        &[entry(b"ab", &[0, 0xff, 0xff, 0xff, 0xff, 0x0f])],
        &[entry(b"ab", &[0, 2]), entry(b"ac", &[0, 1])],
        &[entry(b"ab", &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1])],
    ];
    for entries in hostile {
        let mut builder = BlockBuilder::new(1);
        for (key, value) in entries {
            builder.add(key, value);
        }
        let block = Block::new(builder.finish().to_vec()).unwrap();
        for form in FORMS {
            assert!(PrefixIndex::decode(&block, prefix, form, 3).is_err(), "{entries:?}");
        }
    }
}
