//! Files of real programs that are sound, and were called damaged.

use levelscope::ErrorKind;
use levelscope::inspect::{Node, Scope};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::{Directory, Format, SearchMethod, find, recognize};
use std::path::Path;

fn read(path: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/reports");
    std::fs::read(root.join(path)).unwrap()
}

fn table() -> &'static dyn Format {
    find("leveldb-table").unwrap()
}

/// The values of the nodes of this kind.
fn values(node: &Node, kind: &str) -> Vec<String> {
    let own = (node.kind == kind).then(|| node.value.clone());
    let below = node.children.iter().chain(&node.inside).flat_map(|part| values(part, kind));
    own.into_iter().chain(below).collect()
}

#[test]
fn a_table_in_another_order_of_keys_is_sound_and_listed() {
    let file = read("chrome-indexeddb/000012.ldb");
    assert_eq!(recognize("000012.ldb", &file)[0].format.info().id, "leveldb-table");
    let entries: Vec<_> = table().scan(&file).collect::<Result<_, _>>().unwrap();
    assert_eq!(entries.len(), 7412);
    assert_eq!(table().other_order(&file), Some(9259));
    let tree = table().annotate("000012.ldb", &file, Scope::ALL);
    assert_covers(&tree, &file);
    assert_eq!(values(&tree, "damaged"), Vec::<String>::new());
    // A linear scan finds each key, also one after a larger one.
    for entry in entries.iter().step_by(97) {
        let found = table().get(&file, &entry.key, SearchMethod::Sequential).unwrap().unwrap();
        assert_eq!(found.key, entry.key);
    }
    assert_eq!(table().get(&file, b"\xff none", SearchMethod::Sequential).unwrap(), None);
}

#[test]
fn keys_out_of_order_are_damage_only_where_the_manifest_names_the_bytewise_order() {
    let file = read("chrome-indexeddb/000012.ldb");
    let offset = table().other_order(&file).unwrap();
    let current: (&str, &[u8]) = ("CURRENT", b"MANIFEST-000001\n");
    let chrome = read("chrome-indexeddb/MANIFEST-000001");
    // The first edit of LevelDB: comparator, log number, next file, last sequence number.
    let bytewise = read("chrome-local-storage/MANIFEST-000001");
    for (manifest, kind, why) in [
        (Some(&chrome), ErrorKind::UnsupportedFormat, "idb_cmp1, as the manifest says"),
        (Some(&bytewise), ErrorKind::Corruption, "not in bytewise order"),
        (None, ErrorKind::UnsupportedFormat, "a comparator that only the manifest names"),
    ] {
        let manifest = manifest.map(|manifest| ("MANIFEST-000001", manifest.as_slice()));
        let error = Directory::of([current].into_iter().chain(manifest)).judge_order(offset);
        assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{error}");
        assert!(error.message().contains(why), "{error}");
    }
}

#[test]
fn a_table_of_minecraft_is_named_as_raw_deflate_and_not_as_damage() {
    let file = read("minecraft-world/000105.ldb");
    for entry in table().scan(&file) {
        let error = entry.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{error}");
        assert!(error.message().contains("raw deflate"), "{error}");
    }
    let tree = table().annotate("000105.ldb", &file, Scope::ALL);
    assert_covers(&tree, &file);
    assert_eq!(values(&tree, "damaged"), Vec::<String>::new());
    let unread = values(&tree, "unread");
    assert!(unread.len() > 2 && unread.iter().all(|why| why.contains("raw deflate")), "{unread:?}");
    // A flipped bit in a block is found by its checksum all the same.
    let mut flipped = file.clone();
    flipped[1000] ^= 1;
    assert!(!values(&table().annotate("", &flipped, Scope::ALL), "damaged").is_empty());
}
