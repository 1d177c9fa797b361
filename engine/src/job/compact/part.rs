//! One part of a compaction: a range of keys of the inputs becomes outputs, phase by phase.
//!
//! Most compactions have one part. The parts of a large one share only the inputs and the counts of progress, so that
//! several threads may each step one ([`crate::job::threads`]).

use super::merge::Merge;
use super::tally::Tally;
use crate::Result;
use crate::compaction::Plan;
use crate::event::{EventId, EventKind, JobId};
use crate::job::output::OutputTable;
use crate::job::{Advance, update_view};
use crate::key::SeqNo;
use crate::manifest::{TableMeta, Version};
use crate::state::Shared;
use crate::table::{BlockWritten, Table};
use std::sync::{Arc, Mutex, PoisonError};

/// The state that all parts of a compaction share.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) job: JobId,
    pub(super) picked: EventId,
    pub(super) plan: Arc<Plan>,
    pub(super) version: Arc<Version>,
    /// The input files, kept open.
    pub(super) inputs: Vec<Arc<Table>>,
    /// The sequence numbers that readers could read at when the compaction began.
    pub(super) snapshots: Vec<SeqNo>,
    pub(super) last_sequence: SeqNo,
    /// The last reported counts of each part.
    tallies: Mutex<Vec<Tally>>,
}

impl Task {
    /// Opens the inputs of `plan`, of which `version` names the others.
    ///
    /// # Errors
    /// Those of opening a table; `WouldBlock` has changed nothing.
    pub(super) fn open(
        shared: &Shared,
        (job, picked): (JobId, EventId),
        plan: &Arc<Plan>,
        version: &Arc<Version>,
    ) -> Result<Self> {
        let inputs = plan.inputs.iter().map(|(_, meta)| shared.table(meta));
        let inputs = inputs.collect::<Result<Vec<Arc<Table>>>>()?;
        let core = shared.core();
        let (snapshots, last_sequence) = (core.snapshot_list(), shared.visible_sequence());
        drop(core);
        Ok(Self {
            job,
            picked,
            plan: Arc::clone(plan),
            version: Arc::clone(version),
            inputs,
            snapshots,
            last_sequence,
            tallies: Mutex::new(vec![Tally::default(); plan.boundaries.len() + 1]),
        })
    }

    /// Emits an event of the job.
    pub(super) fn emit(&self, shared: &Shared, build: impl FnOnce() -> EventKind) {
        shared.events.emit(Some(self.job), Some(self.picked), build);
    }

    /// Emits the progress of all parts after part `number` has reached `tally`. Returns the number of entries that all
    /// of them have read.
    fn report(&self, shared: &Shared, number: usize, tally: Tally) -> u64 {
        // Locked until the event is emitted, so that the counts of a job never go down.
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = tallies.get_mut(number) {
            *place = tally;
        }
        let Tally { read, written, shadowed, tombstones_dropped, range_deleted, filter, .. } =
            tallies.iter().sum();
        update_view(shared, self.job, |view| view.entries_done = read);
        self.emit(shared, || EventKind::CompactionProgress {
            read,
            written,
            shadowed,
            tombstones_dropped,
            range_deleted,
            filtered: filter.dropped,
        });
        read
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Merge,
    Finish,
    Done,
}

/// One part of a compaction.
#[derive(Debug)]
pub(crate) struct Part {
    pub(super) task: Arc<Task>,
    /// Which part it is, from 0.
    pub(super) number: usize,
    pub(super) stage: Stage,
    /// None before it is opened.
    pub(super) merge: Option<Merge>,
    pub(super) output: Option<OutputTable>,
    /// A block that the entry before has closed, not yet reported.
    pub(super) closed: Option<Box<BlockWritten>>,
    pub(super) finished: Vec<Arc<TableMeta>>,
    /// Entries handled since the last phase, over all calls: how finely a host steps, or how often it has to wait for a
    /// file, must not change the events.
    pub(super) quiet: u64,
    pub(super) tally: Tally,
    /// Inputs that need not be read, not yet reported.
    pub(super) skipped: Vec<EventKind>,
}

impl Part {
    /// Part `number` of `task`, from 0.
    pub(super) fn new(task: &Arc<Task>, number: usize) -> Self {
        Self {
            task: Arc::clone(task),
            number,
            stage: Stage::Merge,
            merge: None,
            output: None,
            closed: None,
            finished: Vec::new(),
            quiet: 0,
            tally: Tally::default(),
            skipped: Vec::new(),
        }
    }

    /// The compaction that it is a part of.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn job(&self) -> JobId {
        self.task.job
    }

    /// Whether all its outputs are written.
    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// One phase, or at most `entries_max` entries of one.
    ///
    /// # Errors
    /// As those of a job: `WouldBlock` has changed nothing, anything else ends the whole compaction.
    pub(crate) fn advance(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        if self.merge.is_none() && self.stage == Stage::Merge {
            self.open(shared)?;
        }
        match self.stage {
            Stage::Merge => return self.merge_some(shared, entries_max),
            Stage::Finish => self.finish_output(shared)?,
            Stage::Done => {}
        }
        Ok(Advance::PHASE)
    }

    /// Goes on for about `entries` entries, a phase counted as sixteen; whether it is done.
    ///
    /// # Errors
    /// As [`Self::advance`].
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn step(&mut self, shared: &Shared, entries: u64) -> Result<bool> {
        let mut spent = 0;
        while spent < entries && !self.is_done() {
            let advance = self.advance(shared, entries - spent)?;
            if advance.entries > 0 {
                let entry_bytes = || self.task.plan.entry_bytes();
                shared.work_done(|| advance.entries.saturating_mul(entry_bytes()));
            }
            spent += (advance.entries + if advance.phase { 16 } else { 0 }).max(1);
        }
        Ok(self.is_done())
    }

    fn finish_output(&mut self, shared: &Shared) -> Result<()> {
        let Some(output) = self.output.as_mut() else {
            self.end();
            return Ok(());
        };
        let (_, finished) = output.finish(shared)?;
        if let Some(meta) = finished {
            shared.counters.compaction_write_bytes.add(meta.bytes);
            self.finished.push(self.task.plan.in_output_run(&meta));
            self.output = None;
            if self.merge.as_ref().is_some_and(Merge::has_more) {
                self.stage = Stage::Merge;
            } else {
                self.end();
            }
        }
        Ok(())
    }

    /// Nothing is left to do; its inputs are not needed any more.
    pub(super) fn end(&mut self) {
        self.merge = None;
        self.stage = Stage::Done;
    }

    pub(super) fn report_block(&mut self, shared: &Shared, closed: Option<Box<BlockWritten>>) {
        let read = self.progress(shared);
        if let (Some(block), Some(output)) = (closed, self.output.as_mut()) {
            output.announce(shared, &block, read);
        }
    }

    /// Emits the progress of the compaction. Returns the number of entries that all parts have read.
    pub(super) fn progress(&self, shared: &Shared) -> u64 {
        self.task.report(shared, self.number, self.tally)
    }

    /// Describes its next phase, as a sentence without a subject.
    pub(super) fn next_step(&self) -> String {
        match (self.stage, &self.output) {
            (Stage::Merge, None) => {
                format!("create a table file in L{}", self.task.plan.output_level)
            }
            (Stage::Merge, Some(output)) => output.next_step(true),
            (_, Some(output)) => output.next_step(false),
            (_, None) => "end".to_owned(),
        }
    }
}
