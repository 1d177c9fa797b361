//! Virtual tables of Pebble: parts of a table with every kind of bound, a prefix, a suffix.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::fixture;
use levelscope_foreign::pebble::{Bounds, Slice};
use levelscope_foreign::{
    Comparator, EntryCursor, MemoryFiles, RangeDeletion, TableReader, Value, pebble,
};

const ORDER: Comparator = Comparator::Bytewise;

/// The user keys of a table.
fn keys(table: &dyn TableReader) -> Vec<String> {
    let mut cursor = table.cursor().unwrap();
    let mut keys = Vec::new();
    cursor.first().unwrap();
    while let Some(entry) = cursor.entry() {
        keys.push(String::from_utf8(entry.user_key.to_vec()).unwrap());
        cursor.next().unwrap();
    }
    keys
}

fn sliced<'f>(files: &'f MemoryFiles, name: &str, bounds: Bounds) -> Slice<'f> {
    Slice::new(pebble::open(files, name, ORDER).unwrap(), bounds, ORDER)
}

fn bounds(smallest: &str, largest: &str, exclusive: bool) -> Bounds {
    let (smallest, largest) = (smallest.as_bytes().to_vec(), largest.as_bytes().to_vec());
    Bounds { smallest, largest, exclusive, ..Bounds::default() }
}

fn seek(cursor: &mut dyn EntryCursor, key: &str) -> Option<String> {
    cursor.seek(key.as_bytes(), u64::MAX >> 8).unwrap();
    cursor.entry().map(|entry| String::from_utf8(entry.user_key.to_vec()).unwrap())
}

#[test]
fn a_slice_has_the_keys_inside_of_its_bounds() {
    let files = fixture("p_newest_zstd").files;
    let name = "000005.sst";
    let all = keys(pebble::open(&files, name, ORDER).unwrap().as_ref());
    assert_eq!(all.len(), 300);
    for (from, to, exclusive) in [
        ("fleet/00010", "fleet/00020", false),
        ("fleet/00010", "fleet/00020", true),
        ("fleet/000105", "fleet/002005", false),
        ("a", "z", true),
        ("fleet/00299", "fleet/00299", false),
    ] {
        let slice = sliced(&files, name, bounds(from, to, exclusive));
        let inside = |key: &&String| {
            key.as_str() >= from && (key.as_str() < to || !exclusive && key.as_str() == to)
        };
        let wanted: Vec<String> = all.iter().filter(inside).cloned().collect();
        assert_eq!(keys(&slice), wanted, "{from} {to}");
        let mut cursor = slice.cursor().unwrap();
        assert_eq!(seek(cursor.as_mut(), "a").as_ref(), wanted.first());
        assert_eq!(seek(cursor.as_mut(), "zz"), None);
        assert!(cursor.value().is_err());
        for (at, key) in wanted.iter().enumerate().step_by(7) {
            assert_eq!(seek(cursor.as_mut(), key).as_ref(), Some(key));
            assert_eq!(seek(cursor.as_mut(), &format!("{key}~")).as_ref(), wanted.get(at + 1));
        }
        // The blocks of the slice hold all of its keys, and no more than a block at each end beside them.
        let blocks = slice.data_blocks().unwrap();
        assert!(blocks.last().unwrap().separator.as_slice() >= wanted.last().unwrap().as_bytes());
        let first = &blocks[0].separator;
        assert!(first.as_slice() >= from.as_bytes());
    }
    let narrow = sliced(&files, name, bounds("fleet/00010", "fleet/00011", true));
    let whole = pebble::open(&files, name, ORDER).unwrap().data_blocks().unwrap().len();
    assert!(narrow.data_blocks().unwrap().len() <= 2 && whole > 10);
}

#[test]
fn a_slice_adds_its_prefix_and_its_suffix() {
    let files = fixture("p_newest_zstd").files;
    for suffix in ["", "@5"] {
        let bounds = Bounds {
            prefix: b"tenant/".to_vec(),
            suffix: suffix.as_bytes().to_vec(),
            ..bounds("tenant/fleet/00010", "tenant/fleet/00012~", false)
        };
        let slice = sliced(&files, "000005.sst", bounds);
        let key = |number: u32| format!("tenant/fleet/{number:05}{suffix}");
        assert_eq!(keys(&slice), [key(10), key(11), key(12)]);
        let mut cursor = slice.cursor().unwrap();
        assert_eq!(seek(cursor.as_mut(), &key(11)), Some(key(11)));
        assert_eq!(seek(cursor.as_mut(), "fleet/00011"), Some(key(10)));
        assert_eq!(seek(cursor.as_mut(), "tenant/fleet/00011~"), Some(key(12)));
        assert_eq!(seek(cursor.as_mut(), "tenant/fleet/00013"), None);
        assert!(matches!(
            (cursor.first(), cursor.value()),
            (Ok(()), Ok(Value::Bytes(value))) if !value.is_empty()
        ));
    }
}

#[test]
fn a_slice_cuts_range_deletions_and_range_keys() {
    let files = fixture("p_newest_plain").files;
    let name = "000007.sst";
    let whole = pebble::open(&files, name, ORDER).unwrap();
    let deletions = whole.range_deletions().unwrap();
    let RangeDeletion { start, end, sequence } = deletions[0].clone();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    // From after the start of the first deletion to before its end.
    let (from, to) = (format!("{}~", text(&start)), text(end.as_deref().unwrap()));
    let slice = sliced(&files, name, bounds(&from, &to, true));
    let cut = RangeDeletion { start: from.clone().into_bytes(), end: end.clone(), sequence };
    assert_eq!(slice.range_deletions().unwrap(), [cut]);
    let slice = sliced(&files, name, bounds("a", "b", false));
    assert_eq!(slice.range_deletions().unwrap(), []);
    assert_eq!(slice.range_keys().unwrap(), []);
    // An inclusive bound: the deletion reaches over the largest key.
    let slice = sliced(&files, name, bounds("a", "fleet/00012", false));
    let range_keys = slice.range_keys().unwrap();
    assert_eq!(range_keys[0].start, b"fleet/00010");
    assert_eq!(range_keys[0].end, b"fleet/00012\0");
    assert_eq!(range_keys[0].suffix, b"@9");
    assert_eq!(range_keys.len(), 1);
}
