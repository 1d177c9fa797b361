#![expect(clippy::disallowed_methods, reason = "the one file in which the engine starts threads")]
//! Native background threads: drivers that step jobs to their end, nothing more.
//!
//! A thread without a job steps a part of a large compaction that another thread runs.

use super::compact::Part;
use super::parts::Parts;
use super::{Budget, Job};
use crate::state::{Core, Shared};
use crate::wal::{AheadSyncs, AheadWork};
use crate::{Error, ErrorKind, Maintenance, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The threads of one database.
#[derive(Debug)]
pub(crate) struct Threads {
    handles: Mutex<Vec<JoinHandle<()>>>,
    /// The work of the log's thread.
    ahead: Arc<AheadSyncs>,
}

impl Threads {
    /// Starts the number of threads in the options and one for the log, or none.
    ///
    /// # Errors
    /// `Io` when the system refuses a thread.
    pub(crate) fn start(shared: &Arc<Shared>) -> Result<Self> {
        let count = match shared.options.maintenance {
            Maintenance::Threads(count) => count,
            Maintenance::Auto | Maintenance::Manual | Maintenance::Inline => 0,
        };
        let threads = Self { handles: Mutex::default(), ahead: Arc::default() };
        let parts = Arc::new(Parts::default());
        let workers = (0..count).map(|index| {
            let (worker, parts) = (Arc::clone(shared), Arc::clone(&parts));
            let builder = std::thread::Builder::new().name(format!("levelscope-{index}"));
            builder.spawn(move || work(&worker, &parts))
        });
        let log = (count > 0).then(|| {
            let (shared, ahead) = (Arc::clone(shared), Arc::clone(&threads.ahead));
            let builder = std::thread::Builder::new().name("levelscope-log".to_owned());
            builder.spawn(move || sync_logs(&shared, &ahead))
        });
        for spawned in workers.chain(log) {
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

    /// Who syncs logs ahead; `None` without threads.
    pub(crate) fn ahead(&self) -> Option<Arc<AheadSyncs>> {
        (!self.handles().is_empty()).then(|| Arc::clone(&self.ahead))
    }

    /// Waits until every thread has seen that the database closes.
    pub(crate) fn join(&self) {
        self.ahead.end();
        let handles = std::mem::take(&mut *self.handles());
        for handle in handles {
            // A panic in a job is a bug that has already been reported by the thread itself.
            let _ = handle.join();
        }
    }
}

/// Entries of one slice: neither a closing database nor a flush waits for a long compaction.
const SLICE_ENTRIES: u32 = 16 * 1024;

fn work(shared: &Shared, parts: &Parts) {
    loop {
        if ends(shared) {
            return;
        }
        if let Some(mut job) = Job::next(shared) {
            run(shared, parts, &mut job);
            continue;
        }
        if let Some(part) = parts.take() {
            run_part(shared, parts, part);
            continue;
        }
        let core = shared.core();
        // Checked again under the lock: a notification before this thread sleeps would be lost.
        if core.closing || core.work_may_begin(&shared.options) || parts.any_waits() {
            continue;
        }
        drop(shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner));
    }
}

/// Ends logs that are full, and syncs the one in use ahead, until the database closes.
fn sync_logs(shared: &Shared, ahead: &AheadSyncs) {
    while let Some(work) = ahead.next() {
        let done = match work {
            AheadWork::End(log) => shared.end_log(&log),
            AheadWork::Sync(file) => file.sync(),
        };
        if let Err(error) = done {
            shared.fail(error);
        }
    }
}

fn ends(shared: &Shared) -> bool {
    shared.core().closing || shared.failure().is_some()
}

/// Wakes the threads that wait for the change.
fn wake(shared: &Shared) {
    // A thread that has not seen the change under this lock is asleep by now.
    drop(shared.core());
    shared.changed.notify_all();
}

/// Runs `job` in slices, and lends its parts.
fn run(shared: &Shared, parts: &Parts, job: &mut Job) {
    loop {
        // One at a time: parts that no thread takes stay with the job.
        if !parts.any_waits()
            && let Some(part) = job.lend_part()
        {
            parts.lend(part);
            wake(shared);
        }
        // A job has no parts before it has begun.
        let slice = if job.is_beginning() { Budget::Phase } else { Budget::Entries(SLICE_ENTRIES) };
        if !matches!(job.step(shared, slice), Ok(false)) {
            break;
        }
        let goes_on = if job.is_compaction() {
            take_back(shared, parts, job)
        } else {
            wait_for_older(shared, job)
        };
        if !goes_on || shared.core().closing {
            break;
        }
    }
    parts.forget(job.id());
}

/// Between two slices of a flush: waits while only its edit is left to do, and that of an older memtable comes first.
/// Whether the job can go on.
fn wait_for_older(shared: &Shared, job: &Job) -> bool {
    let mut core = shared.core();
    while job.waits_for_older(&core) {
        if core.closing {
            return false;
        }
        if let Some(failure) = shared.failure() {
            drop(core);
            job.fail(shared, failure);
            return false;
        }
        core = shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner);
    }
    true
}

/// Between two slices of a compaction: runs a flush that is due, and takes returned parts back. Waits for one when
/// the job has nothing else to do. Whether the job can go on.
fn take_back(shared: &Shared, parts: &Parts, job: &mut Job) -> bool {
    loop {
        run_due_flush(shared, parts);
        while let Some((part, result)) = parts.returned(job.id()) {
            if let Err(error) = result {
                job.fail(shared, error);
                return false;
            }
            job.return_part(part);
        }
        if !job.waits_for_parts() {
            return true;
        }
        if let Some(part) = parts.take_of(job.id()) {
            job.return_part(part);
            return true;
        }
        if let Some(failure) = shared.failure() {
            // The thread that had the part has dropped it.
            job.fail(shared, failure);
            return false;
        }
        let core = shared.core();
        if core.closing {
            return false;
        }
        if core.only_flush().is_some() || parts.has_some_of(job.id()) || shared.failure().is_some()
        {
            continue;
        }
        drop(shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner));
    }
}

/// A compaction makes way for a flush when no thread has one. Then it is that of the oldest memtable, and waits for none.
fn run_due_flush(shared: &Shared, parts: &Parts) {
    if let Some(mut flush) = Job::due_flush(shared, Core::only_flush) {
        run(shared, parts, &mut flush);
    }
}

/// Steps a part of the job of another thread to its end, in slices.
fn run_part(shared: &Shared, parts: &Parts, mut part: Part) {
    loop {
        match part.step(shared, u64::from(SLICE_ENTRIES)) {
            Ok(false) if ends(shared) => return,
            Ok(false) => run_due_flush(shared, parts),
            ended => {
                parts.give_back(part, ended.map(drop));
                wake(shared);
                return;
            }
        }
    }
}
