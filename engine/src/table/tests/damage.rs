//! Accidental damage: flipped bytes, cut and lengthened files.

use super::*;

fn small(compression: Compression) -> (Vec<Pair>, MemoryStorage, TableMeta) {
    let mut entries = numbered(24, 12);
    entries.insert(5, (internal_key(b"user000004", 1, ValueKind::Delete), Vec::new()));
    let options = TableOptions { block_bytes: 200, compression, ..PLAIN };
    let (storage, meta, blocks) = build(&entries, options);
    assert!(blocks.len() > 2);
    (entries, storage, meta)
}

/// Reads everything in every way: right answers, or `Corruption` (or a version that is unknown).
fn right_or_corrupt(storage: &MemoryStorage, meta: &TableMeta, entries: &[Pair]) -> bool {
    let mut sound = true;
    let mut note = |error: Error| {
        assert!(
            matches!(error.kind(), ErrorKind::Corruption | ErrorKind::UnsupportedFormat),
            "{error}"
        );
        assert_eq!(error.file(), Some(FileName::Table(7)));
        sound = false;
    };
    let table = match open(storage, meta, 0) {
        Ok(table) => table,
        Err(error) => {
            note(error);
            return false;
        }
    };
    for (key, value) in entries {
        let key = parse_internal_key(key).unwrap();
        match lookup(&table, key.user_key, key.sequence, 0, &mut NoProbe) {
            Ok(found) => assert_eq!(found, Some((key.sequence, key.kind, value.clone()))),
            Err(error) => note(error),
        }
    }
    let mut cursor = table.cursor();
    let mut result = cursor.seek_to_first();
    for (key, value) in entries {
        if result.is_err() {
            break;
        }
        assert_eq!((cursor.key(), cursor.value()), (key.as_slice(), value.as_slice()));
        result = cursor.next();
    }
    assert!(!cursor.valid());
    if let Err(error) = result {
        assert_eq!(cursor.seek_to_last().unwrap_err(), error, "the first error stays");
        note(error);
    }
    sound
}

#[test]
fn every_flipped_bit_is_noticed() {
    for compression in [Compression::None, Compression::Snappy] {
        let (entries, storage, meta) = small(compression);
        assert!(right_or_corrupt(&storage, &meta, &entries));
        for offset in 0..meta.bytes {
            for mask in [1, 0x80, 0xff, 1 << (offset % 8)] {
                storage.corrupt(FileName::Table(7), offset, mask).unwrap();
                assert!(!right_or_corrupt(&storage, &meta, &entries), "{offset} {mask}");
                storage.corrupt(FileName::Table(7), offset, mask).unwrap();
            }
        }
        assert!(right_or_corrupt(&storage, &meta, &entries));
    }
}

#[test]
fn every_other_length_is_noticed() {
    let (_, storage, meta) = small(Compression::None);
    let bytes = storage.read(FileName::Table(7)).unwrap();
    for length in (0..meta.bytes).chain(meta.bytes + 1..meta.bytes + 3) {
        let cut = storage.fork();
        cut.truncate(FileName::Table(7), length).unwrap();
        let error = open(&cut, &meta, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption);
        // Also when the manifest was written for the cut file.
        let shortened = TableMeta { bytes: length, ..meta.clone() };
        assert_eq!(
            open(&cut, &shortened, 0).unwrap_err().kind(),
            ErrorKind::Corruption,
            "{length}"
        );
    }
    assert_eq!(bytes.len() as u64, meta.bytes);
}

#[test]
fn a_block_that_could_not_be_read_is_not_the_end() {
    let (entries, storage, meta) = small(Compression::None);
    let table = open(&storage, &meta, 0).unwrap();
    let mut cursor = table.cursor();
    cursor.seek_to_first().unwrap();
    storage.truncate(FileName::Table(7), 100).unwrap();
    let failed = (0..entries.len()).find_map(|_| cursor.next().err()).unwrap();
    assert_eq!(failed.kind(), ErrorKind::Corruption);
    assert!(!cursor.valid() && cursor.key().is_empty() && cursor.value().is_empty());
    assert_eq!(cursor.next(), Err(failed));
}
