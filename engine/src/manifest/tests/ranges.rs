//! Tables with range tombstones: their field of an edit, and where they end.

use super::*;
use crate::key::Cut;
use crate::manifest::{RangesMeta, Version};
use crate::probe::NoProbe;

/// A table whose range tombstones cover [`begin`, `end`), without an end when that is empty; its entries are `keys`, if
/// any.
fn deleting(number: u64, begin: &[u8], end: &[u8], keys: Option<(&[u8], &[u8])>) -> Arc<TableMeta> {
    let end = if end.is_empty() { Cut::End } else { Cut::before(end) };
    let ranges = Some(RangesMeta { count: 2, begin: begin.to_vec(), end });
    let (smallest, largest) = keys.unwrap_or((b"x", b"x"));
    let with_entries = TableMeta::clone(&table(number, smallest, largest));
    Arc::new(match keys {
        Some(_) => TableMeta { ranges, ..with_entries },
        None => TableMeta {
            ranges,
            entries: 0,
            tombstones: 0,
            blocks: 0,
            smallest: Vec::new(),
            largest: Vec::new(),
            ..with_entries
        },
    })
}

fn edit_of(tables: &[&Arc<TableMeta>]) -> VersionEdit {
    let added = tables.iter().map(|meta| {
        let meta = TableMeta { run: 1, ..TableMeta::clone(meta) };
        (1, Arc::new(meta))
    });
    VersionEdit { added: added.collect(), ..VersionEdit::default() }
}

#[test]
fn they_round_trip_and_every_cut_is_noticed() {
    let (alone, beside, without) = (
        deleting(7, b"a", b"m", None),
        deleting(8, b"n", b"", Some((b"o", b"p"))),
        table(9, b"m", b"mm"),
    );
    let name = FileName::Manifest(1);
    let edit = edit_of(&[&alone, &beside, &without]);
    let bytes = edit.encode();
    assert_eq!(VersionEdit::decode(&bytes, name, 0).unwrap(), edit);
    // A table without entries needs its range tombstones.
    let alone = edit_of(&[&alone]).encode();
    for cut in 0..alone.len() {
        let decoded = VersionEdit::decode(&alone[..cut], name, 0);
        assert!(cut == 0 || decoded.is_err(), "{cut}");
    }
}

#[test]
fn impossible_range_tombstones_are_refused() {
    let name = FileName::Manifest(1);
    let good = edit_of(&[&table(9, b"a", b"b")]).encode();
    // Tag, table, how many, and the keys with their lengths.
    for field in [
        &[8, 9, 0, 1, b'a', 1, b'm'][..],
        &[8, 9, 2, 1, b'm', 1, b'a'],
        &[8, 9, 2, 1, b'm', 1, b'm'],
        &[8, 6, 2, 1, b'a', 1, b'm'],
        &[8, 9, 2, 1, b'a', 9, b'm'],
        &[8, 9, 2, 1, b'a', 1, b'm', 8, 9, 2, 1, b'a', 1, b'm'],
    ] {
        let bytes = [&good[..], field].concat();
        assert!(VersionEdit::decode(&bytes, name, 0).is_err(), "{field:?}");
    }
    let bytes = [&good[..], &[8, 9, 2, 1, b'a', 1, b'm']].concat();
    assert!(VersionEdit::decode(&bytes, name, 0).is_ok());
}

#[test]
fn tables_of_a_run_may_touch_where_a_range_ends() {
    let left = deleting(7, b"c", b"m", Some((b"d", b"e")));
    let fits = |right: &Arc<TableMeta>| Version::default().apply(&edit_of(&[&left, right]));
    assert!(fits(&table(8, b"m", b"z")).is_ok());
    assert!(fits(&table(8, b"l", b"z")).is_err());
    assert!(fits(&deleting(8, b"a", b"c", None)).is_ok());
    assert!(fits(&deleting(8, b"a", b"d", None)).is_err());
    let version = fits(&deleting(8, b"m", b"", None)).unwrap();
    let run = &version.runs(1)[0];
    let found = |key: &[u8]| run.find(key, &mut NoProbe).map(|found| found.meta.number);
    assert_eq!(
        [b"b", b"c", b"k", b"m", b"z"].map(|key| found(key)),
        [None, Some(7), Some(7), Some(8), Some(8)]
    );
    assert_eq!(found(&[0xff; 20]), Some(8), "it has no end");
    let target = crate::key::seek_key(b"e", 9);
    assert_eq!(run.first_reaching(&target), 0);
    assert_eq!(run.first_reaching(&crate::key::seek_key(b"f", 9)), 2, "no entry is left");
}
