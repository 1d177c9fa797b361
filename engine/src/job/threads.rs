#![expect(clippy::disallowed_methods, reason = "the one file in which the engine starts threads")]
//! Native background threads: drivers that step jobs to their end, nothing more.

use super::{Budget, Job};
use crate::state::Shared;
use crate::{Error, ErrorKind, Maintenance, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The threads of one database.
#[derive(Debug)]
pub(crate) struct Threads {
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Threads {
    /// Starts as many threads as the options say, or none.
    ///
    /// # Errors
    /// `Io` when the system refuses a thread.
    pub(crate) fn start(shared: &Arc<Shared>) -> Result<Self> {
        let count = match shared.options.maintenance {
            Maintenance::Threads(count) => count,
            Maintenance::Manual | Maintenance::Inline => 0,
        };
        let threads = Self { handles: Mutex::default() };
        for index in 0..count {
            let worker = Arc::clone(shared);
            let builder = std::thread::Builder::new().name(format!("levelscope-{index}"));
            let spawned = builder.spawn(move || work(&worker));
            match spawned {
                Ok(handle) => threads.handles().push(handle),
                Err(error) => {
                    // Those that did start must not outlive the lock of the database.
                    shared.core().closing = true;
                    shared.changed.notify_all();
                    threads.join();
                    let message = format!("a background thread could not start: {error}");
                    return Err(Error::new(ErrorKind::Io, message));
                }
            }
        }
        Ok(threads)
    }

    fn handles(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until every thread has seen that the database closes.
    pub(crate) fn join(&self) {
        let handles = std::mem::take(&mut *self.handles());
        for handle in handles {
            // A panic in a job is a bug that has already been reported by the thread itself.
            let _ = handle.join();
        }
    }
}

fn work(shared: &Shared) {
    loop {
        if shared.core().closing || shared.failure().is_some() {
            return;
        }
        if let Some(mut job) = Job::next(shared) {
            run(shared, &mut job);
            continue;
        }
        let core = shared.core();
        // Checked again under the lock: a notification before this thread sleeps would be lost.
        if core.closing || core.work_may_begin(&shared.options) {
            continue;
        }
        drop(shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner));
    }
}

/// Runs `job` in slices, so that neither a closing database nor a flush waits for a long compaction.
fn run(shared: &Shared, job: &mut Job) {
    const SLICE: Budget = Budget::Entries(16 * 1024);
    while let Ok(false) = job.step(shared, SLICE) {
        if shared.core().closing {
            return;
        }
        if job.is_compaction()
            && let Some(mut flush) = Job::due_flush(shared)
        {
            run(shared, &mut flush);
        }
    }
}
