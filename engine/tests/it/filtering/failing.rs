//! Filters that panic or give impossible values: the job fails, no thread hangs, nothing is lost.

use super::*;
use levelscope::limits::VALUE_BYTES_MAX;

struct Panics;

impl CompactionFilter for Panics {
    fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision {
        assert!(entry.key != b"key7", "seven is one argument too many");
        FilterDecision::Remove
    }
}

struct TooLong;

impl CompactionFilter for TooLong {
    fn decide(&self, _: &FilterEntry<'_>) -> FilterDecision {
        FilterDecision::Change(vec![0; VALUE_BYTES_MAX + 1])
    }
}

fn fill(db: &Db) {
    for index in 0..10 {
        db.put(format!("key{index}"), "value").unwrap();
    }
}

/// The error of a compaction whose filter fails, and the check that nothing is lost.
fn failure(filter: Arc<dyn CompactionFilter>, maintenance: Maintenance) -> String {
    let disk = MemoryStorage::new();
    let options = calm().maintenance(maintenance);
    let db = open_filtered(&disk, &options, filter);
    fill(&db);
    db.request_flush().unwrap();
    while maintenance == Maintenance::Manual && db.step(Budget::Job).unwrap() != StepOutcome::Idle {
    }
    let asked = db.compact_range(b"", b"z");
    let error = match maintenance {
        Maintenance::Manual => db.step(Budget::Job).unwrap_err(),
        _ => asked.unwrap_err(),
    };
    let refused = db.put("late", "no").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ReadOnly);
    assert!(refused.to_string().contains("compaction filter"), "{refused}");
    assert_eq!(db.step(Budget::Job).unwrap(), StepOutcome::Idle);
    assert_eq!(contents(&db).unwrap().len(), 10, "reads go on");
    let _ = db.snapshot();
    assert!(db.close().unwrap_err().to_string().contains("compaction filter"));
    drop(db);
    let db = open(&(Arc::new(disk) as Arc<dyn Storage>), &options);
    assert_eq!(contents(&db).unwrap().len(), 10);
    db.put("late", "yes").unwrap();
    assert!(db.check().unwrap().problems().is_empty());
    error.to_string()
}

#[test]
fn a_filter_that_panics_ends_the_compaction_in_every_mode() {
    for maintenance in [Maintenance::Manual, Maintenance::Inline, Maintenance::Threads(2)] {
        let error = failure(Arc::new(Panics), maintenance);
        assert!(error.contains(
            "the compaction filter panicked (seven is one argument too many) at key \"key7\""
        ));
    }
}

#[test]
fn a_value_that_is_too_long_ends_the_compaction() {
    let error = failure(Arc::new(TooLong), Maintenance::Inline);
    assert!(
        error.contains("gave a value of 67108865 bytes, above the limit of 67108864"),
        "{error}"
    );
}
