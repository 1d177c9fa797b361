//! The table cache.

use super::*;

#[test]
fn the_table_cache_closes_the_oldest_and_checks_identity() {
    let storage = MemoryStorage::new();
    let (made, meta, _) = build(&numbered(50, 20), PLAIN);
    let bytes = made.read(FileName::Table(7)).unwrap();
    storage.put("000007.sst", &bytes);
    storage.put("000008.sst", &bytes);
    let cache = Arc::new(BlockCache::new(0));
    let tables = TableCache::new(Arc::new(storage.clone()), 2, cache, PrefixIndexForm::None);
    let held = tables.open(&meta).unwrap();
    assert!(Arc::ptr_eq(&held, &tables.open(&meta).unwrap()));
    let wrong_number = TableMeta { number: 8, ..meta.clone() };
    let error = tables.open(&wrong_number).unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::Corruption, Some(FileName::Table(8))));
    let wrong_entries = TableMeta { entries: 51, ..meta.clone() };
    tables.evict(7);
    assert_eq!(tables.open(&wrong_entries).unwrap_err().kind(), ErrorKind::Corruption);
    assert_eq!(tables.open_numbers(), []);

    for number in [10, 11, 12] {
        let mut builder =
            TableBuilder::new(storage.create(FileName::Table(number)).unwrap(), number, PLAIN);
        builder.add(&internal_key(b"k", 1, ValueKind::Put), b"v").unwrap();
        builder.finish_block().unwrap();
        builder.write_filter().unwrap();
        builder.write_index().unwrap();
        builder.write_footer().unwrap();
        tables.open(&builder.sync().unwrap()).unwrap();
    }
    assert_eq!(tables.open_numbers(), [11, 12]);
    storage.delete(FileName::Table(7)).unwrap();
    assert!(lookup(&held, b"user000001", 99, 0, &mut NoProbe).unwrap().is_some(), "still readable");
}
