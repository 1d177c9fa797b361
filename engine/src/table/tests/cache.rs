//! The table cache.

use super::*;
use crate::table::TablePin;

#[test]
fn the_table_cache_closes_the_oldest_and_checks_identity() {
    let storage = MemoryStorage::new();
    let (made, meta, _) = build(&numbered(50, 20), PLAIN);
    let bytes = made.read(FileName::Table(7)).unwrap();
    storage.put("000007.sst", &bytes);
    storage.put("000008.sst", &bytes);
    let cache = Arc::new(BlockCache::new(0));
    let tables = TableCache::new(Arc::new(storage.clone()), 2, cache, PrefixIndexForm::None, OWNER);
    let held = tables.open(&meta).unwrap();
    assert!(Arc::ptr_eq(&held, &tables.open(&meta).unwrap()));
    let wrong_number = TableMeta { number: 8, ..meta.clone() };
    let error = tables.open(&wrong_number).unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::Corruption, Some(FileName::Table(8))));
    let wrong_entries = TableMeta { entries: 51, ..meta.clone() };
    tables.evict(7);
    assert_eq!(tables.open(&wrong_entries).unwrap_err().kind(), ErrorKind::Corruption);
    assert!(tables.open_numbers().is_empty());

    for number in [10, 11, 12] {
        tables.open(&one_entry(&storage, number)).unwrap();
    }
    assert_eq!(tables.open_numbers(), [11, 12]);
    storage.delete(FileName::Table(7)).unwrap();
    assert!(lookup(&held, b"user000001", 99, 0, &mut NoProbe).unwrap().is_some(), "still readable");
}

#[test]
fn half_of_the_tables_may_be_kept_open_without_a_lookup() {
    let storage = MemoryStorage::new();
    let metas: Vec<TableMeta> = (10..16).map(|number| one_entry(&storage, number)).collect();
    let cache = Arc::new(BlockCache::new(0));
    let tables = TableCache::new(Arc::new(storage.clone()), 4, cache, PrefixIndexForm::None, OWNER);
    let mut pins: Vec<TablePin> = metas.iter().map(|_| TablePin::default()).collect();
    for _ in 0..2 {
        for (meta, pin) in metas.iter().zip(&pins) {
            tables.open_pinned(meta, pin).unwrap();
            assert!(tables.open_numbers().len() <= 4, "{:?}", tables.open_numbers());
        }
    }
    let held = |pins: &[TablePin]| pins.iter().filter(|pin| pin.table().is_some()).count();
    assert_eq!(held(&pins), 2);
    assert!(pins[0].table().is_some(), "the first ones are kept");
    // Pinned tables count as open, and are not closed although they were not looked up recently.
    assert!(tables.open_numbers().starts_with(&[10, 11]));
    pins.drain(..2);
    tables.open_pinned(&metas[5], &pins[3]).unwrap();
    assert_eq!(held(&pins), 1, "places that are gone make room");
}

fn one_entry(storage: &MemoryStorage, number: u64) -> TableMeta {
    let file = storage.create(FileName::Table(number)).unwrap();
    let mut builder = TableBuilder::new(file, number, PLAIN);
    builder.add(&internal_key(b"k", 1, ValueKind::Put), b"v").unwrap();
    builder.finish_block().unwrap();
    builder.write_filter().unwrap();
    builder.write_index().unwrap();
    builder.write_footer().unwrap();
    builder.sync().unwrap()
}
