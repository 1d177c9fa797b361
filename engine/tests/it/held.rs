//! A storage that holds syncs of some files back for a while.

use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{FileName, Storage};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// No sync is held longer, so that a test that fails comes to its end.
const HELD_MAX: Duration = Duration::from_secs(10);

/// Holds syncs of the files that `is_held` names back, from [`Self::hold`] until [`Self::release`].
pub struct HeldSyncs {
    is_held: Box<dyn Fn(FileName) -> bool + Send + Sync>,
    holding: Mutex<bool>,
    held: AtomicU64,
    changed: Condvar,
}

impl fmt::Debug for HeldSyncs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldSyncs").field("holding", &self.holding).finish_non_exhaustive()
    }
}

impl HeldSyncs {
    pub fn over(
        inner: Arc<dyn Storage>,
        is_held: impl Fn(FileName) -> bool + Send + Sync + 'static,
    ) -> (Arc<Self>, Arc<dyn Storage>) {
        let (holding, changed) = (Mutex::new(false), Condvar::new());
        let (is_held, held) = (Box::new(is_held), AtomicU64::new(0));
        let held = Arc::new(Self { is_held, holding, held, changed });
        let watcher: Arc<dyn Watcher> = Arc::<Self>::clone(&held);
        (held, Arc::new(WatchedStorage::new(inner, watcher)))
    }

    /// Syncs that were held back so far.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::SeqCst)
    }

    pub fn hold(&self) {
        *self.holding.lock().unwrap() = true;
    }

    pub fn release(&self) {
        *self.holding.lock().unwrap() = false;
        self.changed.notify_all();
    }
}

impl Watcher for HeldSyncs {
    fn done(&self, _operation: Operation, _ok: bool) {}

    fn syncing(&self, name: FileName) {
        if (self.is_held)(name) {
            let holding = self.holding.lock().unwrap();
            self.held.fetch_add(u64::from(*holding), Ordering::SeqCst);
            let is_held = |holding: &mut bool| *holding;
            drop(self.changed.wait_timeout_while(holding, HELD_MAX, is_held).unwrap());
        }
    }
}

/// Waits until `is_so`; panics when it takes more than some seconds.
pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..5_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{what} does not come");
}
