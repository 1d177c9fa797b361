//! Checkpoints of databases with range deletes: in tables, in memtables, and among writes to the same keys.

use super::*;

/// Writes to few keys, among which every other one deletes a range.
fn script(random: &mut Random, count: usize) -> Vec<Op> {
    let mut ops = random_script(random, count);
    for op in &mut ops {
        if random.below(4) == 0 {
            *op = random_range(random);
        }
    }
    ops.retain(|op| !matches!(op, Op::Reopen));
    ops
}

#[test]
fn a_checkpoint_has_the_range_deletes_of_tables_and_memtables() {
    let mut technique = Technique::new("checkpoints with range deletes", 16);
    let (mut in_tables, mut in_memtables) = (0, 0);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xc4f1);
        let options = options(&mut random, seed);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let db = open(&storage, &options);
        let mut model = Model::new();
        for (index, op) in script(&mut random, 120).into_iter().enumerate() {
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
            if random.below(10) == 0 {
                let context = format!("seed {seed}, operation {index}");
                let view = db.view();
                let tables = view.levels.iter().flat_map(|level| &level.tables);
                in_tables += tables.filter(|table| table.ranges.is_some()).count();
                let memtables = view.memtables.iter();
                in_memtables += memtables.filter(|memtable| memtable.ranges.is_some()).count();
                assert_is(&copy(&db, &context), &options, &model, &context);
                technique.count(1);
            }
        }
    }
    assert!(in_tables > 20 && in_memtables > 20, "{in_tables} and {in_memtables} are too few");
}

/// A range tombstone between two versions of a key keeps its place in the log of a checkpoint.
#[test]
fn the_log_of_a_checkpoint_has_range_deletes_in_the_order_of_writes() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default().maintenance(Maintenance::Manual);
    let db = open(&storage, &options);
    for key in ["a", "b", "c"] {
        db.put(key, "old").expect("the put works");
    }
    db.delete_range("a".."c").expect("deletes");
    db.put("b", "new").expect("the put works");
    db.delete_range("c"..).expect("deletes");
    db.put("d", "newer").expect("the put works");
    let target = copy(&db, "the order");
    let copied = open(&(Arc::new(target) as Arc<dyn Storage>), &options);
    assert_eq!(copied.view().last_sequence, db.view().last_sequence);
    assert_eq!(contents(&copied).expect("reads"), contents(&db).expect("reads"));
    assert_eq!(contents(&copied).expect("reads").into_keys().collect::<Vec<_>>(), [b"b", b"d"]);
    let ranges = |db: &Db| db.view().memtables.iter().find_map(|memtable| memtable.ranges.clone());
    assert_eq!(ranges(&copied), ranges(&db), "both are in a memtable again");
}

/// The manifest of a copy records range tombstones in tables; one without them has none of their marks.
#[test]
fn the_manifest_of_a_checkpoint_marks_range_deletes_only_where_there_are_some() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default().maintenance(Maintenance::Inline);
    let db = open(&storage, &options);
    db.put("a", "old").expect("the put works");
    db.request_flush().expect("flushes");
    db.delete_range("a".."b").expect("deletes");
    db.request_flush().expect("flushes");
    let ranges = |db: &Db| {
        let levels = db.view().levels;
        let tables = levels.iter().flat_map(|level| &level.tables);
        tables.filter_map(|table| table.ranges.clone()).collect::<Vec<_>>()
    };
    let copied = |context: &str| {
        let storage: Arc<dyn Storage> = Arc::new(copy(&db, context));
        let copied = open(&storage, &options);
        assert_eq!(contents(&copied).expect("reads"), Model::new(), "{context}");
        ranges(&copied)
    };
    assert_eq!(copied("in a table").len(), 1);
    assert_eq!(copied("in a table"), ranges(&db));
    db.compact(..).expect("compacts");
    assert_eq!(copied("compacted away"), []);
    assert_eq!(db.stats().table_range_tombstones, 0);
}
