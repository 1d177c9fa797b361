//! Explaining a read: the same answers and figures as without, and a path that adds up.

use crate::common::*;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::inspect::{Scope, annotate_scope};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{
    Among, BlockStop, Budget, Db, EntryOrder, FilterAnswer, Maintenance, Options, ReadStop, Search,
    Snapshot, StepOutcome, TableVerdict,
};
use std::sync::Arc;

/// Two databases with the same random history.
fn twins(seed: u64) -> [(Arc<dyn Storage>, MemoryStorage, Db); 2] {
    [(), ()].map(|()| {
        let mut random = Random(seed ^ 0x9e0b);
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let db = open(&storage, &small_options(&mut random));
        for op in random_script(&mut random, 200) {
            run(&db, &op).expect("the operation works");
        }
        (storage, memory, db)
    })
}

fn assert_search(search: &Search, context: &str) {
    let mut known = (0, search.count);
    for turn in &search.turns {
        assert!(turn.middle < search.count && turn.high <= search.count, "{context}");
        assert_eq!(turn.again, !(turn.low..turn.high).contains(&turn.middle), "{context}");
        assert!(!turn.again || search.among != Among::Restarts, "{context}");
        if turn.before {
            known.0 = known.0.max(turn.middle + 1);
        } else {
            known.1 = known.1.min(turn.middle);
        }
    }
    assert!(search.found <= search.count, "{context}");
    if search.among == Among::Restarts {
        // A search ends where no position is left.
        assert_eq!(known, (search.found, search.found), "{context}");
    }
}

fn assert_filter(filter: &FilterAnswer, context: &str) {
    for bit in &filter.asked {
        assert!(bit.bit < filter.bits, "{context}");
        assert_eq!(bit.byte >> (bit.bit % 8) & 1 == 1, bit.set, "{context}");
    }
    assert_eq!(filter.maybe, filter.asked.iter().all(|bit| bit.set), "{context}");
}

fn assert_block(db: &Db, table: u64, block: &BlockStop, key: &[u8], context: &str) {
    let search = block.restarts.as_ref().expect("a block is searched");
    assert_search(search, context);
    let entries = &block.entries;
    for entry in entries {
        let order = entry.key.head.as_slice().cmp(key);
        match entry.order {
            EntryOrder::Before => assert!(order.is_le(), "{context}"),
            EntryOrder::Found => assert!(order.is_eq(), "{context}"),
            EntryOrder::After => assert!(order.is_gt(), "{context}"),
        }
    }
    let ended = entries.iter().position(|entry| entry.order != EntryOrder::Before);
    assert!(ended.is_none_or(|at| at + 1 == entries.len()), "{context}");
    // The file as the inspector reads it has this block, with so many restart points.
    let name = FileName::Table(table);
    let root = db.look_into(name, |source| annotate_scope(name, source, Scope::OUTLINE));
    let root = root.expect("the file is read");
    let known = root.children.iter().any(|node| node.offset == block.offset);
    assert!(known, "{context}: no block at {}", block.offset);
}

#[test]
fn a_path_adds_up_and_asking_for_it_changes_nothing() {
    for seed in 0..12 {
        let [(_, plain_files, plain), (_, probed_files, probed)] = twins(seed);
        let mut random = Random(seed);
        for number in 0..80 {
            let key = random_key(&mut random);
            let context = format!("seed {seed}, lookup {number} of {key:?}");
            let expected = plain.get(&key).expect("reads");
            let (value, path) = probed.explain_get(&key, None).expect("reads");
            assert_eq!(value.as_deref(), expected.as_deref(), "{context}");
            for stop in &path.stops {
                match stop {
                    ReadStop::Filtered { filter, .. } => {
                        assert_filter(filter, &context);
                        assert!(!filter.maybe, "{context}");
                    }
                    ReadStop::Table { table, filter, searches, blocks, comparisons, .. } => {
                        let filter = filter.as_ref();
                        filter.inspect(|filter| assert_filter(filter, &context));
                        assert!(filter.is_none_or(|filter| filter.maybe), "{context}");
                        for search in searches {
                            assert_search(search, &context);
                        }
                        for block in blocks {
                            assert_block(&probed, *table, block, &key, &context);
                        }
                        let restarts = blocks.iter().filter_map(|block| block.restarts.as_ref());
                        let turns = searches.iter().chain(restarts).map(|s| s.turns.len()).sum();
                        let known: usize = turns;
                        assert!(known <= *comparisons as usize, "{context}");
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(plain.stats(), probed.stats(), "seed {seed}");
        assert_eq!(plain_files.hash(), probed_files.hash(), "seed {seed}");
    }
}

#[test]
fn a_merge_reports_the_positions_of_its_inputs() {
    let (mut entries, mut contested) = (0, 0);
    for seed in 0..12 {
        let mut random = Random(seed ^ 0x4ead5);
        let events = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let sink = Some(Arc::clone(&events) as _);
        let db = open_watched(storage, options, sink).expect("opens");
        for op in random_script(&mut random, 200) {
            run(&db, &op).expect("the operation works");
        }
        db.request_compaction(None).expect("asked");
        while db.step(Budget::Job).expect("works") != StepOutcome::Idle {}
        for event in events.drain().0 {
            let EventKind::MergeEntry { key, sequence, entry, heads, .. } = event.kind else {
                continue;
            };
            let Some(head) = heads.iter().find(|head| head.first) else {
                assert!(heads.is_empty(), "seed {seed}: none of {heads:?} is first");
                continue;
            };
            entries += 1;
            contested += usize::from(heads.len() > 1);
            assert_eq!((&head.key, head.sequence, head.entry), (&key, sequence, entry));
            for other in heads.iter().filter(|other| !other.first) {
                let older = other.key == key && other.sequence < sequence;
                assert!(other.key > key || older, "seed {seed}: {heads:?}");
            }
        }
    }
    assert!(entries > 100 && contested > 50, "{entries} entries, {contested} contested");
}

/// The verdict of the only table that was searched for `key`; compares it with the events of false positives.
fn verdict(db: &Db, events: &Recorder, key: &[u8], at: Option<&Snapshot>) -> TableVerdict {
    events.drain();
    let (value, path) = db.explain_get(key, at).expect("reads");
    let verdicts: Vec<TableVerdict> = path
        .stops
        .iter()
        .filter_map(|stop| match stop {
            ReadStop::Table { verdict, .. } => Some(*verdict),
            _ => None,
        })
        .collect();
    let [verdict] = verdicts[..] else { panic!("{path:?}") };
    let (events, _) = events.drain();
    let reported = events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::FilterFalsePositive { .. }))
        .count();
    assert_eq!(reported, usize::from(verdict == TableVerdict::FalsePositive), "{path:?}");
    assert_eq!(value.is_some(), verdict == TableVerdict::Hit, "{path:?}");
    verdict
}

#[test]
fn a_filter_is_right_about_a_key_with_only_newer_versions() {
    // With blocks of 64 bytes the versions of a key fill several: the search then ends in the block after them.
    for (block_bytes, versions) in [(64, 1), (4096, 1), (4096, 5), (64, 2), (64, 3), (64, 9)] {
        for bloom_bits in [0, 10] {
            let options = Options::default()
                .bloom_bits(bloom_bits)
                .block_bytes(block_bytes)
                .maintenance(Maintenance::Manual);
            let events = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
            let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
            let db = open_watched(storage, options, Some(Arc::clone(&events) as _)).expect("opens");
            let before = db.snapshot();
            let mut held = Vec::new();
            for version in 0..versions {
                db.put(b"key", format!("a value of some length {version}").as_bytes()).unwrap();
                held.push(db.snapshot());
            }
            db.put(b"a", b"1").unwrap();
            db.put(b"z", b"1").unwrap();
            db.request_flush().unwrap();
            while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
            let context = format!("{block_bytes} bytes, {versions} versions, {bloom_bits} bits");
            let verdict = |key: &[u8], at| verdict(&db, &events, key, at);
            assert_eq!(verdict(b"key", Some(&before)), TableVerdict::OnlyNewer, "{context}");
            assert_eq!(verdict(b"z", Some(&before)), TableVerdict::OnlyNewer, "{context}");
            assert_eq!(verdict(b"a", Some(&before)), TableVerdict::OnlyNewer, "{context}");
            for snapshot in &held {
                assert_eq!(verdict(b"key", Some(snapshot)), TableVerdict::Hit, "{context}");
            }
            assert_eq!(verdict(b"key", None), TableVerdict::Hit, "{context}");
            // Keys that the table does not have: beside the others, and beside the index keys.
            let strangers = if bloom_bits == 0 { 200 } else { 4000 };
            let mut wrong = 0;
            for number in 0..strangers {
                let key = format!("k{number}");
                if bloom_bits == 0 {
                    assert_eq!(verdict(key.as_bytes(), None), TableVerdict::Absent, "{context}");
                    continue;
                }
                let path = db.explain_get(key.as_bytes(), None).unwrap().1;
                if matches!(path.stops.last(), Some(ReadStop::Table { .. })) {
                    wrong += 1;
                    let verdict = verdict(key.as_bytes(), Some(&before));
                    assert_eq!(verdict, TableVerdict::FalsePositive, "{context}");
                }
            }
            assert!(bloom_bits == 0 || wrong > 0, "{context}: no false positive in {strangers}");
        }
    }
}
