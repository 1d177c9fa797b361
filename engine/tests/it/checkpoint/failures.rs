//! A crash or a failure at every step of a checkpoint: the target is refused or whole, the source unharmed.

use super::*;
use levelscope::OpenPolicy;
use levelscope::storage::Crash;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::testing::crash::{after_each_operation, images};
use std::sync::Mutex;

/// A database with tables, memtables and logs.
fn source(seed: u64) -> (Db, FaultStorage, Options, Model) {
    let mut random = Random(seed ^ 0xc4f0);
    let options = small_options(&mut random).maintenance(Maintenance::Manual).open_tables_max(4);
    let faulty = FaultStorage::over_memory(&MemoryStorage::new());
    let db = open(&(Arc::new(faulty.clone()) as Arc<dyn Storage>), &options);
    let mut model = Model::new();
    for op in random_script(&mut random, 100) {
        if !matches!(op, Op::Reopen) {
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
        }
    }
    (db, faulty, options, model)
}

/// Whether the target holds the whole copy; otherwise everything that would open, check or repair it refuses.
fn is_whole(target: &MemoryStorage, model: &Model, context: &str) -> bool {
    let storage: Arc<dyn Storage> = Arc::new(target.fork());
    let options = Options::default();
    let existing = open_as(Arc::clone(&storage), options, OpenPolicy::EXISTING, None);
    match existing {
        Ok(db) => {
            assert!(&contents(&db).expect("reads") == model, "{context}: a part of the data");
            assert!(db.check().expect("checks").problems().is_empty(), "{context}");
            true
        }
        Err(error) => {
            let kinds = [ErrorKind::Corruption, ErrorKind::NotFound];
            assert!(kinds.contains(&error.kind()), "{context}: {error}");
            if error.kind() == ErrorKind::Corruption {
                assert!(error.to_string().contains("was interrupted"), "{context}: {error}");
            }
            for refused in [
                Db::builder().read_only().open_in(Arc::clone(&storage)).err(),
                Check::new(storage).and_then(Check::run).err(),
            ] {
                let refused = refused.unwrap_or_else(|| panic!("{context}: not refused"));
                assert_eq!(refused.kind(), error.kind(), "{context}");
            }
            false
        }
    }
}

#[test]
fn a_crash_at_every_write_leaves_a_whole_copy_or_one_that_is_refused() {
    let mut technique = Technique::new("crashes during checkpoints", 8);
    while let Some(seed) = technique.next_seed() {
        let (db, _, _, model) = source(seed);
        let frames: Arc<Mutex<Vec<MemoryStorage>>> = Arc::default();
        let disk = MemoryStorage::new();
        let taken = Arc::clone(&frames);
        let target = after_each_operation(&disk, move |_, _, disk| {
            taken.lock().unwrap().push(disk.fork());
        });
        db.checkpoint_in(target).expect("a checkpoint");
        let frames = std::mem::take(&mut *frames.lock().unwrap());
        let mut whole = 0;
        for (index, frame) in frames.iter().enumerate() {
            for (crash, image) in images(frame, seed << 8 | index as u64, 8) {
                let context = format!("seed {seed}, operation {index}, {crash:?}");
                whole += usize::from(is_whole(&image, &model, &context));
                technique.count(1);
            }
        }
        assert!(whole >= 8, "seed {seed}: only {whole} images are whole");
        // The call has returned: nothing may be lost any more.
        assert!(is_whole(&disk.crash_image(Crash::KeepSynced), &model, "after the call"));
    }
}

#[test]
fn a_failure_at_every_operation_of_the_target_leaves_nothing_or_the_mark() {
    let mut technique = Technique::new("failing checkpoints", 3);
    while let Some(seed) = technique.next_seed() {
        let (db, _, _, model) = source(seed);
        for (fault, forever) in
            Fault::ALL.into_iter().flat_map(|fault| [(fault, false), (fault, true)])
        {
            for at in 1.. {
                let memory = MemoryStorage::new();
                let target = FaultStorage::over_memory(&memory);
                target.inject(fault, at, forever);
                let outcome = db.checkpoint_in(Arc::new(target.clone()));
                let context = format!("seed {seed}, {fault:?} at {at}, forever: {forever}");
                technique.count(1);
                if target.injected() == 0 {
                    assert!(is_whole(&memory, &model, &context), "{context}");
                    break;
                }
                let whole = is_whole(&memory, &model, &context);
                assert!(outcome.is_err() || whole, "{context}: reported as done");
                for (crash, image) in images(&memory, at, 4) {
                    let context = format!("{context}, {crash:?}");
                    let whole = is_whole(&image, &model, &context);
                    assert!(outcome.is_err() || whole, "{context}: reported as done");
                }
            }
        }
        assert_same(&db, &model, "the source");
        db.put("key", "value").expect("the source takes writes");
    }
}

#[test]
fn a_failure_at_every_operation_of_the_source_leaves_nothing() {
    let mut technique = Technique::new("checkpoints of failing sources", 3);
    while let Some(seed) = technique.next_seed() {
        let (db, source, options, model) = source(seed);
        for fault in [Fault::Io, Fault::ReadError, Fault::ShortRead] {
            for at in 1.. {
                let memory = MemoryStorage::new();
                source.inject(fault, at, false);
                let outcome = db.checkpoint_in(Arc::new(memory.clone()));
                let injected = source.injected();
                source.heal();
                let context = format!("seed {seed}, {fault:?} at {at}");
                technique.count(1);
                if injected == 0 {
                    outcome.expect("a checkpoint");
                    assert_is(&memory, &options, &model, &context);
                    break;
                }
                if outcome.is_err() {
                    let left = memory.list().expect("lists");
                    assert_eq!(left, Vec::<String>::new(), "{context}");
                } else {
                    assert_is(&memory, &options, &model, &context);
                }
            }
        }
        assert_same(&db, &model, &format!("seed {seed}: the source"));
    }
}
