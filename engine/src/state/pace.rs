//! Slowing writes down without a clock: bytes written are paid for in bytes of background work.
//!
//! ```text
//! writer   writes n bytes, owes n × pace ── owes enough? ── waits until jobs have processed as many bytes
//! jobs     process entries ── count their bytes ── wake waiting writers, every few of them
//! ```
//!
//! Each byte of work counts for one writer only, so that many writers together are no faster than one. A
//! wait ends when no job runs or is about to run, when the slowdown ends, or when the database fails or
//! closes.

use super::{Core, Shared};
use crate::Maintenance;
use crate::event::{EventId, EventKind, JobId};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, PoisonError};

/// Owed work from which on a writer waits \[bytes of work\].
const OWED_BYTES_MIN: u64 = 64 << 10;

/// The most that one writer waits for at once \[bytes of work\].
const OWED_BYTES_MAX: u64 = 4 << 20;

/// Work after which those who wait look again \[bytes\].
const WAKE_BYTES: u64 = 16 << 10;

/// The pace of writes, and the work that pays for them.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Bytes of work for each byte written; 0: writes are free.
    price: AtomicU64,
    /// Work done since the database was opened, while writes had a price \[bytes\].
    done: AtomicU64,
    /// Writers who wait.
    waiting: AtomicUsize,
    /// Waited on while the lock of `core` is held.
    turn: Condvar,
}

impl Pace {
    /// Wakes all waiting writers, which then check again.
    pub(super) fn wake(&self) {
        self.turn.notify_all();
    }
}

impl Shared {
    /// Computes the pace from the pending background work, and emits an event when a slowdown begins, changes
    /// or ends. Called after every change of versions or memtables, under the same lock.
    pub(crate) fn update_pace(&self, core: &mut Core, job: Option<JobId>, cause: Option<EventId>) {
        let (before, now) = (core.slowdown, core.slowdown_now(&self.options));
        let reported = |slow: Option<crate::event::Slowdown>| {
            slow.map(|slow| (slow.pace, std::mem::discriminant(&slow.why)))
        };
        if reported(before) == reported(now) {
            return;
        }
        core.slowdown = now;
        if matches!(self.options.maintenance, Maintenance::Threads(_)) {
            self.pace.price.store(now.map_or(0, |slow| slow.pace), Ordering::Relaxed);
        }
        if let Some(slowdown) = now {
            self.counters.slowdowns.add(u64::from(before.is_none()));
            self.events.emit(job, cause, || EventKind::SlowdownBegin { slowdown });
            return;
        }
        core.paid_bytes = 0;
        self.events.emit(job, cause, || EventKind::SlowdownEnd {});
        self.pace.wake();
    }

    /// Bytes of work that `bytes` written cost now. Cost: one load.
    pub(crate) fn price_of(&self, bytes: usize) -> u64 {
        self.pace.price.load(Ordering::Relaxed).saturating_mul(bytes as u64)
    }

    /// Whether a writer that owes `bytes` of work has to wait before it writes again.
    pub(crate) fn must_wait_for_work(&self, bytes: u64) -> bool {
        bytes >= OWED_BYTES_MIN && self.pace.price.load(Ordering::Relaxed) > 0
    }

    /// Waits until jobs have processed `bytes` more than the bytes that other writers wait for.
    pub(crate) fn wait_for_work(&self, bytes: u64) {
        let pace = &self.pace;
        let mut waited = false;
        let mut core = self.core();
        // Earlier work does not count: it belongs to earlier writes.
        let from = core.paid_bytes.max(pace.done.load(Ordering::SeqCst));
        let target = from.saturating_add(bytes.min(OWED_BYTES_MAX));
        core.paid_bytes = target;
        pace.waiting.fetch_add(1, Ordering::SeqCst);
        while core.slowdown.is_some()
            && pace.done.load(Ordering::SeqCst) < target
            && !core.closing
            && self.failure().is_none()
            && (core.job_under_way() || core.work_may_begin(&self.options))
        {
            waited = true;
            core = pace.turn.wait(core).unwrap_or_else(PoisonError::into_inner);
        }
        self.counters.slowdown_waits.add(u64::from(waited));
        pace.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    /// Notes that a job has got through `bytes`. Cost: one load while writes are free.
    pub(crate) fn work_done(&self, bytes: impl FnOnce() -> u64) {
        let pace = &self.pace;
        if pace.price.load(Ordering::Relaxed) == 0 {
            return;
        }
        let bytes = bytes();
        let before = pace.done.fetch_add(bytes, Ordering::SeqCst);
        let woken = before / WAKE_BYTES != before.saturating_add(bytes) / WAKE_BYTES;
        if woken && pace.waiting.load(Ordering::SeqCst) > 0 {
            // A waiter that has not seen these bytes under this lock is asleep by now.
            drop(self.core());
            pace.wake();
        }
    }
}
