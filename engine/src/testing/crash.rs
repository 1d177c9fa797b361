//! Crash points: the disk as a crash would leave it after each operation of a script.

use crate::storage::trace::{Operation, WatchedStorage, Watcher};
use crate::storage::{Crash, MemoryStorage, Random, Storage};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seed of a randomised test: `LEVELSCOPE_SEED` if it is set, otherwise `default`. Print it.
pub fn seed(default: u64) -> u64 {
    let asked = std::env::var("LEVELSCOPE_SEED").ok();
    asked.and_then(|text| text.trim().parse().ok()).unwrap_or(default)
}

/// `disk`, decorated so that `then` sees it after each operation that changes or syncs something.
///
/// `then` gets the number of the operation (from 1), the operation and the disk. It must not use the
/// decorated storage; it may take images of the disk and judge them.
pub fn after_each_operation(
    disk: &MemoryStorage,
    then: impl Fn(u64, Operation, &MemoryStorage) + Send + Sync + 'static,
) -> Arc<dyn Storage> {
    let points = CrashPoints { disk: disk.clone(), count: AtomicU64::new(0), then: Box::new(then) };
    Arc::new(WatchedStorage::new(Arc::new(disk.clone()), Arc::new(points)))
}

/// `count` crash images of `disk`, each with its description: first everything, then only synced bytes, then random
/// ones.
pub fn images(
    disk: &MemoryStorage,
    seed: u64,
    count: usize,
) -> impl Iterator<Item = (Crash, MemoryStorage)> {
    let mut random = Random::new(seed);
    let extremes = [Crash::KeepAll, Crash::KeepSynced].into_iter();
    let crashes = extremes.chain(std::iter::from_fn(move || Some(Crash::Random(random.any()))));
    crashes.take(count).map(|crash| (crash, disk.crash_image(crash)))
}

type Then = dyn Fn(u64, Operation, &MemoryStorage) + Send + Sync;

struct CrashPoints {
    disk: MemoryStorage,
    count: AtomicU64,
    then: Box<Then>,
}

impl Watcher for CrashPoints {
    fn done(&self, operation: Operation, _ok: bool) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        (self.then)(number, operation, &self.disk);
    }
}

impl fmt::Debug for CrashPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrashPoints").field("count", &self.count).finish_non_exhaustive()
    }
}
