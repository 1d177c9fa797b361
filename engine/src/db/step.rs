//! Background work by the host: its steps, the next plan, requests.

use super::open::LOGS_APART_MAX;
use super::write::log_failed;
use super::{Db, closed};
use crate::compaction::AskedTarget;
use crate::event::EventKind;
use crate::job::{Budget, Job, StepOutcome};
use crate::state::{AskedCompaction, Core};
use crate::storage::FileName;
use crate::view::CompactionOutlook;
use crate::{Error, ErrorKind, Maintenance, Result};
use std::sync::PoisonError;

/// # Do the background work
///
/// For hosts with [`Maintenance::Manual`].
impl Db {
    /// Goes on with background work within `budget`; begins the next job when none is under way.
    ///
    /// Flushes come before compactions. A job once begun goes on until it is done. With background
    /// threads there is nothing to step.
    ///
    /// # Errors
    /// The failure that ended the job; the database is read-only from then on.
    pub fn step(&self, budget: Budget) -> Result<StepOutcome> {
        let shared = self.shared();
        let mut current = self.inner.current.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.core().closing {
            return Err(closed());
        }
        if matches!(shared.options.maintenance, Maintenance::Threads(_)) {
            return Ok(StepOutcome::Idle);
        }
        let asked = shared.core().asked.len();
        let Some(mut job) = current.take().or_else(|| Job::next(shared)) else {
            // A request with nothing left to compact was dropped: this call has changed something.
            let dropped = shared.core().asked.len() < asked;
            return Ok(if dropped { StepOutcome::More } else { StepOutcome::Idle });
        };
        match job.step(shared, budget) {
            Ok(true) => {
                let id = job.id();
                drop(job);
                self.end_stall_if_over();
                Ok(StepOutcome::Finished(id))
            }
            Ok(false) => {
                *current = Some(job);
                Ok(StepOutcome::More)
            }
            Err(error) => match (error.kind(), error.file()) {
                (ErrorKind::WouldBlock, Some(file)) => {
                    *current = Some(job);
                    Ok(StepOutcome::Blocked(file))
                }
                _ => Err(error),
            },
        }
    }

    /// Whether [`Db::step`] would find something to do.
    pub fn has_work(&self) -> bool {
        let current = self.inner.current.lock().unwrap_or_else(PoisonError::into_inner);
        let core = self.shared().core();
        !core.closing && (current.is_some() || self.job_may_begin(&core))
    }

    fn job_may_begin(&self, core: &Core) -> bool {
        self.shared().failure().is_none() && self.work_waits(core)
    }

    fn work_waits(&self, core: &Core) -> bool {
        core.flush_candidate().is_some() || core.compaction_waits(&self.shared().options)
    }

    /// Describes the next step in a sentence; `None` when there is no work.
    pub fn next_step(&self) -> Option<String> {
        let current = self.inner.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = current.as_ref() {
            return Some(job.next_step(self.shared()));
        }
        let core = self.shared().core();
        if core.closing || !self.job_may_begin(&core) {
            return None;
        }
        Some(core.flush_candidate().map_or_else(
            || "A compaction will be picked.".to_owned(),
            |waiting| format!("A flush of memtable {} will begin.", waiting.memtable.id()),
        ))
    }

    /// Lets reads cause flushes and compactions from now on, as they do inline and with threads: see
    /// [`Options::read_compaction_bytes`](crate::Options#structfield.read_compaction_bytes). With manual maintenance they
    /// do not otherwise, so that only writes make work for [`Db::step`].
    pub fn charge_reads(&self) {
        let shared = self.shared();
        shared.tables.charges().turn_on(shared.options.bytes_a_charged_read());
    }

    /// The next compaction with its reason, and how full each level is. Changes nothing.
    ///
    /// Requested compactions, which come first, are not part of it.
    pub fn plan(&self) -> CompactionOutlook {
        let options = self.options();
        let core = self.shared().core();
        CompactionOutlook {
            strategy: options.strategy.name().to_owned(),
            scores: core.scores(options),
            next: core.picker(options).pick().map(|plan| plan.view()),
        }
    }

    /// Asks for the compaction of `level` into the next one; `None`: of every level, from the top.
    /// The deepest level has no next one: when it has several runs, they become one. Returns whether
    /// there was anything to compact. Inline and with threads it is done on return.
    ///
    /// # Errors
    /// As [`Db::step`]; `InvalidArgument` for the deepest level when it is one run, and beyond it.
    pub fn request_compaction(&self, level: Option<usize>) -> Result<bool> {
        let shared = self.shared();
        shared.writable()?;
        let deepest = shared.options.level_count - 1;
        let levels = {
            let core = shared.core();
            if core.closing {
                return Err(closed());
            }
            match level {
                Some(level) if level == deepest && core.version.runs(level).len() > 1 => {
                    level..level + 1
                }
                Some(level) if level >= deepest => {
                    return Err(Error::invalid(format!(
                        "L{level} cannot be compacted: the deepest level is L{deepest}"
                    )));
                }
                Some(level) => level..level + 1,
                None => 0..deepest,
            }
        };
        let mut causes = Vec::new();
        for level in levels {
            let mut core = shared.core();
            let has_tables = !core.version.runs(level).is_empty();
            let reached = !causes.is_empty() && level < core.version.level_count();
            if has_tables || reached {
                let cause = shared.events.emit(None, None, || EventKind::OpCompact { level });
                let target = if level == deepest {
                    AskedTarget::OneRun
                } else {
                    AskedTarget::Level(level + 1)
                };
                core.asked.push(AskedCompaction { level, range: None, target, cause });
                causes.push(cause);
            }
        }
        self.asked_for(&causes)
    }

    /// Writes the log's buffer to the file, so that it survives the death of the process. Only with `wal_buffer_bytes`
    /// is there ever anything to do. For hosts with nothing else to do.
    ///
    /// # Errors
    /// `Io`, `OutOfSpace`: the database is read-only from now on. `ReadOnly`, `Closed` when writes that
    /// were acknowledged can no longer be handed over.
    pub fn write_out(&self) -> Result<()> {
        let shared = self.shared();
        if shared.options.wal_buffer_bytes == 0 {
            return Ok(());
        }
        let mut writer = self.writer();
        if writer.wal.buffered_bytes() == 0 {
            return Ok(());
        }
        self.takes_writes()?;
        let written = writer.wal.write();
        written.map_err(|error| log_failed(shared, &writer, None, error))?;
        let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
        shared.events.emit(None, None, || EventKind::WalWrite { wal, bytes, records });
        Ok(())
    }

    /// Files that the engine will create soon: a host that opens asynchronously opens them ahead.
    pub fn files_wanted_soon(&self) -> Vec<FileName> {
        let core = self.shared().core();
        let mut wanted = vec![FileName::Wal(core.next_wal), FileName::Table(core.next_table)];
        drop(core);
        wanted.extend(self.shared().manifest_reserved().map(FileName::Manifest));
        wanted
    }

    /// With inline maintenance: does all work that there is.
    pub(super) fn finish_inline_work(&self) -> Result<()> {
        if self.options().maintenance != Maintenance::Inline {
            return Ok(());
        }
        loop {
            match self.step(Budget::Job) {
                Ok(StepOutcome::More | StepOutcome::Finished(_)) => {}
                // Blocked: the write itself is done; the next call or step goes on with the job.
                Ok(StepOutcome::Idle | StepOutcome::Blocked(_)) => return Ok(()),
                // Closed meanwhile by another thread: the write itself is done all the same.
                Err(error) if error.kind() == ErrorKind::Closed => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// With background threads: waits for the flush of the entries that opening has replayed from many logs. A program
    /// that ends soon would leave them all, and one more. Inline it is done by now, and by hand the host steps.
    pub(super) fn flush_crowd(&self) {
        let core = self.shared().core();
        let newest = core.immutables.first().map(|newest| newest.memtable.id());
        let newest = newest.filter(|_| core.closed_wals.len() > LOGS_APART_MAX);
        drop(core);
        if let Some(newest) = newest {
            // A failure makes the database read-only: writes and closing return it. It can still be read.
            let _ = self.wait_for_threads(&|core| core.flushed(newest));
        }
    }

    fn end_stall_if_over(&self) {
        let shared = self.shared();
        let mut core = shared.core();
        if core.stall.is_some() && core.stall_reason(&shared.options).is_none() {
            core.stall = None;
            drop(core);
            shared.events.emit(None, None, || EventKind::StallEnd {});
        }
    }

    pub(super) fn wait_for_change(&self, done: &dyn Fn(&Core) -> bool) {
        let shared = self.shared();
        let mut core = shared.core();
        while !done(&core) && shared.failure().is_none() {
            core = shared.changed.wait(core).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// With background threads: waits until the request is `done`, not for all of their work.
    pub(super) fn wait_for_threads(&self, done: &dyn Fn(&Core) -> bool) -> Result<()> {
        if matches!(self.options().maintenance, Maintenance::Threads(_)) {
            self.wait_for_change(&|core| core.closing || done(core));
            self.shared().writable()?;
            if self.shared().core().closing {
                return Err(closed());
            }
        }
        Ok(())
    }
}
