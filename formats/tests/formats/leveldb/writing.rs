//! What we write: read again, and byte for byte what the original writes.

use super::fixture::{all, is_damaged, one, tree};
use crate::fixture::format;

use levelscope::storage::Random;
use levelscope::testing::covers::assert_covers;
use levelscope_formats::leveldb::{TableStyle, write_table};
use levelscope_formats::{Entry, SearchMethod, recognize};
use std::collections::BTreeMap;

fn styles(json: &serde_json::Value) -> TableStyle {
    let option = |name: &str, default: u64| json["options"][name].as_u64().unwrap_or(default);
    TableStyle {
        block_bytes: option("bs", 4096) as usize,
        restart_interval: option("ri", 16) as usize,
        snappy: option("snappy", 1) == 1,
        bloom_bits: option("bloom", 0) as usize,
    }
}

#[test]
fn tables_of_the_original_are_written_again_byte_for_byte() {
    let table = format("leveldb-table");
    let (mut same, mut alike) = (0, 0);
    for fixture in all() {
        if fixture.json.get("entries").is_none() || fixture.name == "m_plyvel_1_22" {
            continue;
        }
        let worked = fixture.name == "z_worked_table";
        let style = if worked { TableStyle::default() } else { styles(&fixture.json) };
        for (name, file) in &fixture.files {
            if !(name.ends_with(".ldb") || name.ends_with(".sst")) || file.is_empty() {
                continue;
            }
            let entries: Vec<Entry<'_>> = table.scan(file).map(Result::unwrap).collect();
            let written = write_table(&entries, style).unwrap();
            if worked || !style.snappy {
                assert_eq!(&written, file, "{} {name}", fixture.name);
                same += 1;
                continue;
            }
            // Another encoder may compress otherwise; blocks, and what they hold, are the same.
            let blocks = |file: &[u8]| {
                let tree = tree("leveldb-table", name, file);
                tree.children.iter().filter(|node| node.kind == "block").count()
            };
            assert_eq!(blocks(&written), blocks(file), "{} {name}", fixture.name);
            let again: Vec<Entry<'_>> = table.scan(&written).map(Result::unwrap).collect();
            let plain = |entries: &[Entry<'_>]| -> Vec<_> {
                let parts = |entry: &Entry<'_>| {
                    (entry.key.to_vec(), entry.value.as_deref().map(<[u8]>::to_vec), entry.sequence)
                };
                entries.iter().map(parts).collect()
            };
            assert_eq!(plain(&again), plain(&entries));
            alike += 1;
        }
    }
    println!("{same} the same, {alike} alike");
    assert!(same >= 4 && alike >= 18, "{same} {alike}");
}

/// Sequence number and value.
type Version = (u64, Option<Vec<u8>>);

/// Entries in table order.
fn random_entries(random: &mut Random) -> Vec<Entry<'static>> {
    let mut versions: BTreeMap<Vec<u8>, Vec<Version>> = BTreeMap::new();
    let bytes = |random: &mut Random, most: u64| -> Vec<u8> {
        let alphabet = if random.below(2) == 0 { 256 } else { 3 };
        (0..random.below(most + 1)).map(|_| random.below(alphabet) as u8).collect()
    };
    for sequence in 1..=random.below(400) {
        let key = bytes(random, 12);
        let most = if random.below(20) == 0 { 9000 } else { 40 };
        let value = (random.below(4) > 0).then(|| bytes(random, most));
        versions.entry(key).or_default().push((sequence, value));
    }
    let newest_first = |(key, mut versions): (Vec<u8>, Vec<_>)| {
        versions.reverse();
        versions
            .into_iter()
            .map(move |(sequence, value): Version| {
                let entry =
                    Entry { sequence: Some(sequence), ..Entry::new(&key, value.as_deref()) };
                entry.into_owned()
            })
            .collect::<Vec<_>>()
    };
    versions.into_iter().flat_map(newest_first).collect()
}

fn without_offset(entry: Entry<'_>) -> Entry<'static> {
    Entry { offset: 0, ..entry.into_owned() }
}

#[test]
fn random_entries_are_read_as_they_were_written() {
    super::fixture::for_seeds("formats_leveldb written", 60, |seed| {
        let mut random = Random::new(seed);
        let entries = random_entries(&mut random);
        let style = TableStyle {
            block_bytes: [64, 1024, 4096][random.below(3) as usize],
            restart_interval: [1, 2, 16, 128][random.below(4) as usize],
            snappy: random.below(2) == 0,
            bloom_bits: [0, 1, 10][random.below(3) as usize],
        };
        let file = write_table(&entries, style).unwrap();
        let table = format("leveldb-table");
        assert_eq!(recognize("", &file)[0].format.info().id, "leveldb-table");
        let tree = tree("leveldb-table", "written", &file);
        assert!(!is_damaged(&tree), "{tree:?}");
        let read: Vec<_> = table.scan(&file).map(|entry| without_offset(entry.unwrap())).collect();
        assert_eq!(read, entries);
        for _ in 0..50 {
            let key = match entries.len() {
                0 => vec![],
                count => entries[random.below(count as u64) as usize].key.to_vec(),
            };
            let key = if random.below(3) == 0 { [&key[..], b"!"].concat() } else { key };
            let newest = entries.iter().find(|entry| *entry.key == *key).cloned();
            for search in [SearchMethod::Binary, SearchMethod::Sequential] {
                let found = table.get(&file, &key, search).unwrap().map(without_offset);
                assert_eq!(found, newest, "{search:?}");
            }
        }
        let mut in_order = entries;
        in_order.sort_by_key(|entry| entry.sequence);
        let log = format("leveldb-log");
        let file = log.write(&in_order).unwrap();
        let read: Vec<_> = log.scan(&file).map(|entry| without_offset(entry.unwrap())).collect();
        assert_eq!(read, in_order);
        assert_covers(&super::fixture::tree("leveldb-log", "written", &file), &file);
    });
}

#[test]
fn a_log_is_cut_where_the_original_cuts_it() {
    for name in
        ["z_worked", "e_block_tail_3", "e_block_tail_6", "e_block_tail_7", "e_large_fragments"]
    {
        let file = &one(name).files["000003.log"];
        let log = format("leveldb-log");
        let entries: Vec<_> = log.scan(file).map(Result::unwrap).collect();
        assert_eq!(&log.write(&entries).unwrap(), file, "{name}");
    }
}

#[test]
fn the_wrong_order_is_refused() {
    let entries = [Entry::new(b"b", Some(b"1")), Entry::new(b"a", Some(b"2"))];
    let error = format("leveldb-table").write(&entries).unwrap_err();
    assert_eq!(error.kind(), levelscope::ErrorKind::InvalidArgument);
    for id in ["leveldb-manifest", "leveldb-current", "rocksdb-table"] {
        assert!(format(id).write(&entries).is_err());
    }
}
