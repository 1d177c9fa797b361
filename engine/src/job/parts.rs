//! Parts of large compactions on their way between threads.
//!
//! ```text
//! thread with the job   lends a part ──> waiting ──> a thread without work steps it ──> returned ──> takes it back
//! ```
//!
//! The thread that has the job installs it, once all parts are back. Its lock is the last one taken.

use super::compact::Part;
use crate::Result;
use crate::event::JobId;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The parts that are lent, apart from those that a thread steps just now.
#[derive(Debug, Default)]
pub(super) struct Parts(Mutex<Lent>);

#[derive(Debug, Default)]
struct Lent {
    /// For a thread without work.
    waiting: Vec<Part>,
    /// Done, or failed.
    returned: Vec<(Part, Result<()>)>,
}

impl Parts {
    fn lent(&self) -> MutexGuard<'_, Lent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a part waits for a thread.
    pub(super) fn any_waits(&self) -> bool {
        !self.lent().waiting.is_empty()
    }

    /// Whether a part of `job` waits for a thread or has been returned.
    pub(super) fn has_some_of(&self, job: JobId) -> bool {
        let lent = self.lent();
        let mut parts = lent.waiting.iter().chain(lent.returned.iter().map(|(part, _)| part));
        parts.any(|part| part.job() == job)
    }

    /// Lets another thread step `part`.
    pub(super) fn lend(&self, part: Part) {
        self.lent().waiting.push(part);
    }

    /// A part for a thread without work.
    pub(super) fn take(&self) -> Option<Part> {
        self.lent().waiting.pop()
    }

    /// A part of `job` that no thread has taken.
    pub(super) fn take_of(&self, job: JobId) -> Option<Part> {
        let mut lent = self.lent();
        let at = lent.waiting.iter().position(|part| part.job() == job)?;
        Some(lent.waiting.swap_remove(at))
    }

    /// Returns a part that is done, or that has failed.
    pub(super) fn give_back(&self, part: Part, result: Result<()>) {
        self.lent().returned.push((part, result));
    }

    /// A returned part of `job`.
    pub(super) fn returned(&self, job: JobId) -> Option<(Part, Result<()>)> {
        let mut lent = self.lent();
        let at = lent.returned.iter().position(|(part, _)| part.job() == job)?;
        Some(lent.returned.swap_remove(at))
    }

    /// Drops the parts of `job`, which has ended without them.
    pub(super) fn forget(&self, job: JobId) {
        let mut lent = self.lent();
        lent.waiting.retain(|part| part.job() != job);
        lent.returned.retain(|(part, _)| part.job() != job);
    }
}
