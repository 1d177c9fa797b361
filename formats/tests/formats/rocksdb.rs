//! Tables of `RocksDB` with hash indexes, against what the JSON beside each says, the answers of the
//! original index included.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::fixture::{fixtures, format, unhex};
use crate::leveldb::fixture::{find, is_damaged, read_json, tree};
use levelscope::{ErrorKind, text};
use levelscope_formats::rocksdb::{HashIndex, Properties, Span};
use levelscope_formats::{Likeness, SearchMethod, Trail, recognize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const ID: &str = "rocksdb-table";

fn all() -> Vec<(String, Vec<u8>, Value)> {
    ["tiny", "activities_fv0", "activities_fv2", "binary_prefix5"]
        .map(|name| {
            let path = fixtures().join("rocksdb").join(name);
            let file = std::fs::read(path.with_extension("sst")).unwrap();
            (name.to_owned(), file, read_json(&path.with_extension("json")))
        })
        .to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

#[test]
fn tables_are_recognized_and_named_byte_by_byte() {
    for (name, file, json) in all() {
        let found = recognize("", &file);
        assert_eq!(
            (found[0].format.info().id, found[0].likeness),
            (ID, Likeness::Certain),
            "{name}"
        );
        let tree = tree(ID, &name, &file);
        assert!(!is_damaged(&tree), "{name}");
        assert_eq!(tree.bytes, json["size"].as_u64().unwrap());
        let version = find(&tree, &|node| node.name == "format version");
        let said = json["format_version"].as_u64().unwrap();
        // Version 0 has the footer of LevelDB, which says no version.
        let shown = version.map_or(0, |node| node.value.parse().unwrap());
        assert_eq!(shown, said, "{name}");
        let checksum = find(&tree, &|node| node.name == "checksum type");
        assert!(checksum.is_none_or(|node| node.value == "1: CRC-32C"), "{name}");
        for (meta, place) in json["metaindex"].as_object().unwrap() {
            let entry = find(&tree, &|node| node.name == format!("meta block {meta}")).unwrap();
            let [offset, bytes] = [0, 1].map(|part| place[part].as_u64().unwrap());
            let bytes = text::bytes(bytes);
            assert_eq!(entry.value, format!("{bytes} at offset {}", text::count(offset)), "{name}");
        }
        let blocks: Vec<_> = tree.children.iter().filter(|node| node.kind == "block").collect();
        let said = json["blocks"].as_array().unwrap();
        assert_eq!(blocks.len(), said.len());
        for (block, said) in blocks.iter().zip(said) {
            assert_eq!(
                (block.offset, block.bytes - 5),
                (said["offset"].as_u64().unwrap(), said["size"].as_u64().unwrap())
            );
        }
    }
}

#[test]
fn properties_and_entries_are_those_of_the_description() {
    for (name, file, json) in all() {
        let properties = Properties::of(&file).unwrap();
        let found: BTreeMap<String, String> = properties
            .iter()
            .map(|(name, value)| (String::from_utf8(name.to_vec()).unwrap(), hex(value)))
            .collect();
        assert_eq!(json!(found), json["properties"], "{name}");
        let entries = json["blocks"].as_array().unwrap().iter().flat_map(|block| {
            block["entries"].as_array().unwrap().iter().map(|entry| {
                assert_eq!(entry[2], 1, "puts only");
                (
                    entry[0].as_str().unwrap(),
                    entry[1].as_u64().unwrap(),
                    entry[3].as_str().unwrap(),
                    block["offset"].as_u64().unwrap(),
                )
            })
        });
        let mut scan = format(ID).scan(&file);
        for (key, sequence, value, offset) in entries {
            let entry = scan.next().unwrap().unwrap();
            assert_eq!(hex(&entry.key), key);
            assert_eq!(hex(&entry.value.unwrap()), value);
            assert_eq!((entry.sequence, entry.offset), (Some(sequence), offset));
        }
        assert!(scan.next().is_none());
    }
}

#[test]
fn both_forms_of_the_hash_index_answer_as_the_original() {
    let mut answers = 0;
    for (name, file, json) in all() {
        let index = HashIndex::of(&file).unwrap().unwrap();
        let said = &json["hashindex"];
        let prefixes: Vec<u8> = index.records().flat_map(|(prefix, _)| prefix.to_vec()).collect();
        assert_eq!(hex(&prefixes), said["prefixes_hex"].as_str().unwrap(), "{name}");
        let records: Vec<Value> = index
            .records()
            .map(|(prefix, Span { first, count })| json!([hex(prefix), first, count]))
            .collect();
        assert_eq!(json!(records), said["records"], "{name}");
        let map: BTreeMap<String, [u32; 2]> = index
            .map()
            .into_iter()
            .map(|(prefix, Span { first, count })| (hex(prefix), [first, count]))
            .collect();
        assert_eq!(json!(map), said["v1_map"], "{name}");
        let buckets = index.buckets();
        let v2 = json!({
            "num_buckets": buckets.buckets().len(), "buckets": buckets.buckets(),
            "block_array": buckets.blocks(), "memory_bytes_4_each": buckets.memory_bytes(),
        });
        assert_eq!(v2, said["v2"], "{name}");
        for (prefix, blocks) in json["real_rocksdb_7_8_3_GetBlocks"].as_object().unwrap() {
            assert_eq!(&json!(buckets.blocks_of(&unhex(prefix))), blocks, "{name} {prefix}");
            answers += 1;
        }
        let extractor = Properties::of(&file).unwrap().extractor();
        let length = json["prefix_length"].as_u64().unwrap() as usize;
        assert_eq!(extractor, Some(levelscope::PrefixExtractor::Fixed(length)));
    }
    assert!(answers > 100, "{answers}");
}

#[test]
fn every_search_finds_every_key_and_no_other() {
    for (_, file, _) in all() {
        let table = format(ID);
        let mut newest = BTreeMap::new();
        for entry in table.scan(&file).map(Result::unwrap) {
            newest.entry(entry.key.to_vec()).or_insert(entry);
        }
        for (number, (key, entry)) in newest.iter().enumerate() {
            for search in [SearchMethod::Binary, SearchMethod::PrefixHash] {
                assert_eq!(table.get(&file, key, search).unwrap().as_ref(), Some(entry));
                for stranger in [[key.as_slice(), b"\0"].concat(), key[..key.len() - 1].to_vec()] {
                    let found = table.get(&file, &stranger, search).unwrap();
                    assert_eq!(found.as_ref(), newest.get(&stranger));
                }
            }
            if number % 31 == 0 {
                let found = table.get(&file, key, SearchMethod::Sequential).unwrap();
                assert_eq!(found.as_ref(), Some(entry));
            }
        }
    }
}

#[test]
fn a_prefix_that_no_bucket_has_reads_no_block() {
    let (_, file, json) = all().remove(3);
    let prefixes = json["real_rocksdb_7_8_3_GetBlocks"].as_object().unwrap();
    let absent = prefixes.iter().find(|(_, blocks)| blocks.as_array().unwrap().is_empty());
    let mut trail = Trail::default();
    let key = unhex(absent.unwrap().0);
    let found = format(ID).explain(&file, &key, SearchMethod::PrefixHash, &mut trail).unwrap();
    assert_eq!(found, None);
    let what: Vec<_> = trail.accesses.iter().map(|access| access.what).collect();
    assert_eq!((what, trail.comparisons), (vec!["footer", "hash index"], 0));
    let table = format("leveldb-table");
    assert!(table.get(&file, b"", SearchMethod::PrefixHash).is_err());
}

#[test]
fn a_table_in_another_order_is_not_read_and_not_called_damaged() {
    let file = std::fs::read(fixtures().join("rocksdb/reverse_order.sst")).unwrap();
    let order = "rocksdb.ReverseBytewiseComparator";
    let whole = tree(ID, "000018.sst", &file);
    assert!(!is_damaged(&whole));
    let unread = find(&whole, &|node| node.kind == "unread").unwrap();
    assert!(unread.value.contains(order) && !unread.value.contains("damaged"), "{unread:?}");
    let format = format(ID);
    let errors: Vec<_> = format.scan(&file).filter_map(Result::err).collect();
    let searched = format.get(&file, b"user:000100", SearchMethod::Binary).unwrap_err();
    for error in errors.iter().chain([&searched]) {
        assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{error}");
        assert!(error.to_string().contains(order), "{error}");
        assert_eq!(error.offset(), Some(unread.offset), "{error}");
    }
    assert_eq!(errors.len(), 1);
}
