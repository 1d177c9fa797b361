//! The conformance suite on every storage of this crate, and on every decorator while it is transparent.

use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::FaultStorage;
use levelscope::storage::trace::StorageTrace;
use levelscope::storage::{MemoryStorage, NativeStorage, Storage};
use levelscope::testing::conformance::{cases, failures, names};
use levelscope::testing::order::OrderWatcher;
use std::collections::BTreeSet;
use std::sync::Arc;

fn passes<S: Storage>(fresh: impl Fn(&'static str) -> S) {
    let failures = failures(fresh, |_, storage| drop(storage));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Some decorators hand out an `Arc<dyn Storage>`; the suite is generic.
fn passes_shared(fresh: impl Fn() -> Arc<dyn Storage>) {
    for case in cases() {
        let outcome = (case.run)(&*fresh());
        assert_eq!(outcome, Ok(()), "{}", case.name);
    }
}

#[test]
fn the_suite_is_large_and_its_names_are_unique() {
    let names: BTreeSet<_> = cases().iter().map(|case| case.name).collect();
    assert_eq!(names.len(), cases().len());
    assert!(names.len() >= 60, "only {} cases", names.len());
}

#[test]
fn memory() {
    passes(|_| MemoryStorage::new());
}

#[test]
fn native() {
    let root = crate::native::Directory::new("conformance");
    passes(|name| NativeStorage::open(root.path().join(name)).unwrap());
}

#[test]
fn fault_over_memory() {
    passes(|_| FaultStorage::over_memory(&MemoryStorage::new()));
}

#[test]
fn fault_with_much_capacity() {
    passes(|_| {
        let storage = FaultStorage::new(Arc::new(MemoryStorage::new()));
        storage.set_capacity(Some(1 << 30));
        storage
    });
}

#[test]
fn blocking_when_everything_is_admitted() {
    passes(|_| {
        let storage = BlockingStorage::new(Arc::new(MemoryStorage::new()));
        storage.admit_everything();
        storage
    });
}

#[test]
fn blocking_when_the_names_of_the_suite_are_admitted() {
    // A host cannot admit a deleted name again in the middle of a case.
    let recreates = ["a_name_created_again_is_empty", "a_deleted_file_cannot_be_opened"];
    for case in cases().iter().filter(|case| !recreates.contains(&case.name)) {
        let storage = BlockingStorage::new(Arc::new(MemoryStorage::new()));
        for name in names() {
            storage.admit(name);
        }
        assert_eq!((case.run)(&storage), Ok(()), "{}", case.name);
        assert_eq!(storage.refusals(), 0, "{}", case.name);
    }
}

#[test]
fn trace() {
    passes_shared(|| StorageTrace::over(Arc::new(MemoryStorage::new())).1);
}

#[test]
fn order() {
    passes_shared(|| OrderWatcher::over(Arc::new(MemoryStorage::new())).1);
}

#[test]
fn a_broken_storage_is_found() {
    let failures = failures(
        |_| {
            let storage = FaultStorage::over_memory(&MemoryStorage::new());
            storage.inject(levelscope::storage::fault::Fault::ShortRead, 1, true);
            storage
        },
        |_, storage| drop(storage),
    );
    assert!(failures.len() > 20, "{}", failures.join("\n"));
}
