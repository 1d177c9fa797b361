//! Background work as values: a job is made, stepped and done. The maintenance mode decides who steps it.
//!
//! ```text
//! flush       begin → create → block* → filter → index → footer → sync → edit → sync → install → delete log → done
//! compaction  pick → begin → (create → block* → filter → index → footer → sync)* → edit → sync → install → delete inputs* → done
//! ```
//!
//! Each arrow is one phase with one event. A job holds its inputs, changes nothing that readers see before its edit is
//! durable, and may be dropped at any step. When it fails before its edit, it deletes its outputs; closing deletes the
//! outputs of abandoned jobs, and opening those of a killed process. A step that answers `WouldBlock` has changed
//! nothing and may be repeated.

mod compact;
mod flush;
mod output;
#[cfg(not(target_arch = "wasm32"))]
mod parts;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod threads;

use crate::compaction::JudgedRange;
use crate::event::{EventKind, JobId, JobKind, MergeHead, ShownKey, ShownRange, Verdict};
use crate::key::{parse_internal_key, user_key};
use crate::state::{Core, Immutable, Shared};
use crate::storage::FileName;
use crate::view::JobView;
use crate::{ErrorKind, Result};
use compact::CompactJob;
use flush::FlushJob;

/// How much one call of [`crate::Db::step`] may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// One entry, or one phase where no entries are handled.
    Entry,
    /// Up to and with the next phase event.
    Phase,
    /// About so many entries; a phase counts as sixteen.
    Entries(u32),
    /// To the end of the job.
    Job,
}

/// The result of a call of [`crate::Db::step`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    /// There was nothing to do, and nothing was changed.
    Idle,
    /// A job went on and has more to do, or a request with nothing left to compact was dropped.
    More,
    /// This job is done.
    Finished(JobId),
    /// The host must open this file; then the same step can be made.
    Blocked(FileName),
}

/// The result of one advance of a job.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Advance {
    /// Entries handled.
    pub(crate) entries: u64,
    /// Whether a phase came to its end.
    pub(crate) phase: bool,
    /// Whether the job is done.
    pub(crate) done: bool,
    /// Whether nothing can be done before other threads have done something.
    pub(crate) waits: bool,
}

impl Advance {
    /// One phase without entries.
    pub(crate) const PHASE: Self = Self { entries: 0, phase: true, done: false, waits: false };
    /// Nothing: the job waits for other threads.
    pub(crate) const WAITS: Self = Self { entries: 0, phase: false, done: false, waits: true };
    /// The last phase.
    pub(crate) const DONE: Self = Self { entries: 0, phase: true, done: true, waits: false };
}

/// One piece of background work.
#[derive(Debug)]
pub(crate) enum Job {
    Flush(Box<FlushJob>),
    Compact(Box<CompactJob>),
}

impl Job {
    /// The next job that may begin now: a flush before a compaction. At most two flushes at once, and as many
    /// compactions as are not in one another's way ([`crate::compaction::Claims`]).
    ///
    /// Cost: the scores of all levels when no flush is due.
    pub(crate) fn next(shared: &Shared) -> Option<Self> {
        if let Some(flush) = Self::due_flush(shared, Core::next_flush) {
            return Some(flush);
        }
        let mut core = shared.core();
        if shared.failure().is_some() {
            return None;
        }
        let asked = core.asked.len();
        let Some((plan, cause)) = compact::choose(&mut core, &shared.options) else {
            if core.asked.len() < asked {
                // Callers wait for the requested compaction, but there was nothing to compact.
                shared.changed.notify_all();
            }
            return None;
        };
        let id = core.take_job();
        core.claims.add(id, &plan, cause);
        let version = std::sync::Arc::clone(&core.version);
        Some(Self::Compact(Box::new(CompactJob::new(id, plan, cause, version))))
    }

    /// The flush that `next` names: [`Core::next_flush`] or [`Core::only_flush`].
    pub(crate) fn due_flush(
        shared: &Shared,
        next: impl FnOnce(&Core) -> Option<&Immutable>,
    ) -> Option<Self> {
        let mut core = shared.core();
        // Checked under the lock: a failed job releases its claim only after it has reported the failure.
        if shared.failure().is_some() {
            return None;
        }
        let waiting = next(&core).cloned()?;
        core.flushing.push(waiting.memtable.id());
        let id = core.take_job();
        Some(Self::Flush(Box::new(FlushJob::new(id, waiting))))
    }

    /// Whether it is a compaction.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn is_compaction(&self) -> bool {
        self.kind() == JobKind::Compaction
    }

    /// Whether it is a compaction that has not opened its inputs.
    #[cfg(not(target_arch = "wasm32"))]
    fn is_beginning(&self) -> bool {
        matches!(self, Self::Compact(job) if job.is_beginning())
    }

    /// Hands out a part of a compaction that another thread may step, when there are at least two to do.
    #[cfg(not(target_arch = "wasm32"))]
    fn lend_part(&mut self) -> Option<compact::Part> {
        match self {
            Self::Flush(_) => None,
            Self::Compact(job) => job.lend_part(),
        }
    }

    /// Takes back a part that was lent.
    #[cfg(not(target_arch = "wasm32"))]
    fn return_part(&mut self, part: compact::Part) {
        if let Self::Compact(job) = self {
            job.return_part(part);
        }
    }

    /// Whether it is a flush whose table waits until those of older memtables are installed.
    #[cfg(not(target_arch = "wasm32"))]
    fn waits_for_older(&self, core: &Core) -> bool {
        match self {
            Self::Flush(job) => job.edits_next() && !core.is_oldest(job.memtable()),
            Self::Compact(_) => false,
        }
    }

    /// Whether only parts that are lent are left to do.
    #[cfg(not(target_arch = "wasm32"))]
    fn waits_for_parts(&self) -> bool {
        match self {
            Self::Flush(_) => false,
            Self::Compact(job) => job.waits_for_parts(),
        }
    }

    /// Ends the job because something that it needs has failed in another thread.
    #[cfg(not(target_arch = "wasm32"))]
    fn fail(&self, shared: &Shared, error: crate::Error) {
        // The caller has nothing else to do with it: the database is read-only now.
        let _ = self.failed(shared, error);
    }

    /// Number of the job.
    pub(crate) fn id(&self) -> JobId {
        match self {
            Self::Flush(job) => job.id,
            Self::Compact(job) => job.id,
        }
    }

    fn kind(&self) -> JobKind {
        match self {
            Self::Flush(_) => JobKind::Flush,
            Self::Compact(_) => JobKind::Compaction,
        }
    }

    /// Describes the next phase in a sentence.
    pub(crate) fn next_step(&self, shared: &Shared) -> String {
        let (what, edits) = match self {
            Self::Flush(job) => ("Flush", job.edits_next()),
            Self::Compact(job) => ("Compaction", job.edits_next()),
        };
        match (self, shared.manifest_reserved().filter(|_| edits)) {
            (_, Some(manifest)) => format!(
                "{what} job {} will write the whole state of the database to the new manifest \
                 {manifest}, because the present one has grown long.",
                self.id()
            ),
            (Self::Flush(job), None) => job.next_step(),
            (Self::Compact(job), None) => job.next_step(),
        }
    }

    fn advance(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        match self {
            Self::Flush(job) => job.advance(shared, entries_max),
            Self::Compact(job) => job.advance(shared, entries_max),
        }
    }

    /// Goes on within `budget`; true when the job is done.
    ///
    /// # Errors
    /// `WouldBlock`: nothing was changed by the last advance, call again. Anything else ended the job
    /// and made the database read-only.
    pub(crate) fn step(&mut self, shared: &Shared, budget: Budget) -> Result<bool> {
        let mut spent = 0;
        loop {
            let entries_max = match budget {
                Budget::Entry => 1,
                Budget::Entries(count) => u64::from(count).saturating_sub(spent).max(1),
                Budget::Phase | Budget::Job => u64::MAX,
            };
            let advance = self.advance(shared, entries_max).map_err(|error| {
                if error.kind() == ErrorKind::WouldBlock {
                    error
                } else {
                    self.failed(shared, error)
                }
            })?;
            if advance.entries > 0 {
                shared.work_done(|| advance.entries.saturating_mul(self.entry_bytes()));
            }
            spent += advance.entries + if advance.phase { 16 } else { 0 };
            if advance.done {
                self.release(shared);
                return Ok(true);
            }
            let enough = match budget {
                Budget::Entry => true,
                Budget::Phase => advance.phase,
                Budget::Entries(count) => spent >= u64::from(count),
                Budget::Job => false,
            };
            if enough || advance.waits {
                return Ok(false);
            }
        }
    }

    /// Average size of its entries \[bytes\].
    fn entry_bytes(&self) -> u64 {
        match self {
            Self::Flush(job) => job.entry_bytes(),
            Self::Compact(job) => job.entry_bytes(),
        }
    }

    fn failed(&self, shared: &Shared, error: crate::Error) -> crate::Error {
        let (id, what) = (self.id(), self.kind());
        shared
            .events
            .emit(Some(id), None, || EventKind::JobFailed { what, error: error.to_string() });
        let error = shared.fail(error);
        shared.delete_unnamed(Some(id));
        self.release(shared);
        error
    }

    fn release(&self, shared: &Shared) {
        let mut core = shared.core();
        match self {
            Self::Flush(job) => core.flushing.retain(|memtable| *memtable != job.memtable()),
            Self::Compact(job) => core.claims.release(job.id),
        }
        core.jobs.retain(|view| view.job != self.id());
        drop(core);
        shared.wake_all();
    }
}

/// Changes `job` in views.
fn update_view(shared: &Shared, job: JobId, change: impl FnOnce(&mut JobView)) {
    if let Some(view) = shared.core().jobs.iter_mut().find(|view| view.job == job) {
        change(view);
    }
}

/// The detail event for the fate of a range tombstone, or of a part of one.
fn range_event((tombstone, verdict): &JudgedRange) -> EventKind {
    EventKind::MergeRange {
        range: ShownRange::new(&tombstone.begin, tombstone.stored_end()),
        sequence: tombstone.sequence,
        verdict: *verdict,
    }
}

/// The detail event for the fate of the entry under `key`, with the reason, when its inputs stood at `heads`.
fn merge_event(key: &[u8], verdict: Verdict, heads: Vec<MergeHead>) -> EventKind {
    let (sequence, kind) = parse_internal_key(key)
        .map_or((0, crate::ValueKind::Put), |parsed| (parsed.sequence, parsed.kind));
    let key = ShownKey::new(user_key(key));
    EventKind::MergeEntry { key, sequence, entry: kind, verdict, heads }
}
