//! Exports that fail, and databases that come in as branches.

use super::carried::own_files;
use super::{console, text};
use levelscope::Options;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::{Console, Failure, Foreign, Host};
use std::sync::{Arc, Mutex};

#[test]
fn an_export_that_fails_hands_out_nothing() {
    for line in ["export", "export --leveldb", "export --entries"] {
        let mut failures = 0;
        for at in 1.. {
            let disk = MemoryStorage::new();
            let failing = Arc::new(FaultStorage::over_memory(&disk));
            let host = FaultyHost { storage: Arc::clone(&failing), saved: Arc::default() };
            let saved = Arc::clone(&host.saved);
            let mut console = Console::new(Box::new(host));
            let mut options = Options::preset("classroom").expect("the preset exists");
            options.set("cache_bytes", "0").expect("the option exists");
            console.open(options).expect("it opens");
            assert!(console.run("fill 40 --words; flush; run").error.is_none());
            failing.inject(Fault::Io, at, false);
            let response = console.run(line);
            let handed_out = saved.lock().expect("no test panicked").len();
            if failing.injected() == 0 {
                assert!(response.error.is_none() && handed_out > 0, "{response:?}");
                break;
            }
            assert_eq!(
                response.error.is_none(),
                handed_out > 0,
                "{line}, failure {at}: {response:?}"
            );
            failures += u64::from(response.error.is_some());
            // The session goes on, and the next export is whole.
            assert!(console.run(line).error.is_none(), "{line}, failure {at}");
            assert!(!saved.lock().expect("no test panicked").is_empty());
        }
        assert!(failures > 3, "{line}: {failures}");
    }
}

/// A host whose files may fail.
struct FaultyHost {
    storage: Arc<FaultStorage>,
    saved: Arc<Mutex<Vec<Foreign>>>,
}

impl Host for FaultyHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.storage) as Arc<dyn Storage>
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn save_files(&self, _: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        *self.saved.lock().expect("no test panicked") = files;
        Ok(())
    }
}

#[test]
fn an_imported_database_is_a_branch_of_none() {
    let mut console = console("classroom");
    let import = console.run_files(own_files());
    assert!(import.error.is_none(), "{import:?}");
    let (branches, current) = console.branches();
    let imported = branches.iter().find(|branch| branch.id == current).expect("a branch");
    assert_eq!((imported.parent, imported.forked_at), (None, None), "{imported:?}");
    let printed = text(&console.run("branches"));
    assert!(printed.contains("a database of its own, not saved"), "{printed}");
    assert!(!printed.contains("left main"), "{printed}");
    console.run("branch main");
    let printed = text(&console.run(&format!("branch {}", imported.name)));
    assert!(
        printed.contains("a database of its own. It is in memory only: not saved."),
        "{printed}"
    );
}
