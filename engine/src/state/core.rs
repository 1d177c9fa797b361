//! The part of the shared state that changes under one lock.

use crate::Options;
use crate::compaction::{self, AskedTarget, Claims, Load, Picker, Plan, ReadDue};
use crate::event::{EventId, JobId, MemtableId, Slowdown, Stall, TransactionId};
use crate::key::SeqNo;
use crate::limits::FILE_NUMBER_MAX;
use crate::manifest::{TableMeta, Version};
use crate::memtable::Memtable;
use crate::storage::FileNumber;
use crate::table::{ReadCharges, Table};
use crate::transaction::OpenTransaction;
use crate::view::{JobView, LevelScore, LevelView, WalView};
use crate::wal::EndingLog;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

/// So many flushes run at once: while one waits for the disk, another one compresses.
const FLUSHES_MAX: usize = 2;

/// A memtable that takes no more writes and waits for its flush.
#[derive(Debug, Clone)]
pub(crate) struct Immutable {
    pub(crate) memtable: Arc<Memtable>,
    /// The event that rotated it.
    pub(crate) cause: Option<EventId>,
    /// Why it rotated, in words.
    pub(crate) reason: String,
    /// Its log, when that had no clean end yet.
    pub(crate) log: Option<Arc<EndingLog>>,
}

/// The view of a reader: only the entries of the active memtable change.
#[derive(Debug, Clone)]
pub(crate) struct ReadView {
    /// The active memtable first, then immutable ones, newest first.
    pub(crate) memtables: Vec<Arc<Memtable>>,
    pub(crate) version: Arc<Version>,
}

/// Versions, memtables, logs, jobs, snapshots and file numbers.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) active: Arc<Memtable>,
    /// Newest first.
    pub(crate) immutables: Vec<Immutable>,
    /// Immutable memtables up to this number are to be flushed.
    pub(crate) flush_due: MemtableId,
    pub(crate) version: Arc<Version>,
    /// Versions that readers may still use.
    versions: Vec<Weak<Version>>,
    /// Tables that no version names any more, still on disk.
    pub(crate) obsolete: BTreeSet<FileNumber>,
    /// Tables that jobs have begun, and that no edit of the manifest may name yet.
    unnamed: BTreeSet<FileNumber>,
    /// Closed logs on disk, oldest first; the active one is the writer's.
    pub(crate) closed_wals: Vec<WalView>,
    /// Number of the next log: reserved so that a host can create the file ahead (decision 1).
    pub(crate) next_wal: FileNumber,
    /// Number of the next table: reserved likewise.
    pub(crate) next_table: FileNumber,
    pub(crate) next_file: FileNumber,
    pub(crate) next_memtable: MemtableId,
    next_job: JobId,
    pub(crate) jobs: Vec<JobView>,
    /// Memtables whose flush is under way.
    pub(crate) flushing: Vec<MemtableId>,
    /// The inputs and outputs of running compactions.
    pub(crate) claims: Claims,
    /// Requested compactions, in order.
    pub(crate) asked: Vec<AskedCompaction>,
    /// Tables that reads have made due, in this order.
    pub(crate) read_due: Vec<ReadDue>,
    /// Per level: the largest user key that the last compaction took.
    pub(crate) compaction_cursors: Vec<Vec<u8>>,
    /// Live snapshots and how many hold each.
    pub(crate) snapshots: BTreeMap<SeqNo, usize>,
    /// Open transactions; each holds its sequence number as a snapshot does.
    pub(crate) transactions: crate::few::Few<TransactionId, Arc<OpenTransaction>>,
    next_transaction: TransactionId,
    /// The last event that changed the set of tables.
    pub(crate) last_install: Option<EventId>,
    pub(crate) stall: Option<Stall>,
    /// The slowdown of the last event.
    pub(crate) slowdown: Option<Slowdown>,
    /// Up to here work is already waited for by a writer that is slowed down \[bytes\].
    pub(crate) paid_bytes: u64,
    pub(crate) closing: bool,
}

/// A requested compaction.
#[derive(Debug, Clone)]
pub(crate) struct AskedCompaction {
    pub(crate) level: usize,
    /// Smallest and largest user key; `None`: all keys.
    pub(crate) range: Option<(Vec<u8>, Vec<u8>)>,
    pub(crate) target: AskedTarget,
    pub(crate) cause: EventId,
}

impl AskedCompaction {
    /// How to do it; `None` when there is nothing to compact.
    pub(crate) fn plan(&self, picker: &Picker<'_>) -> Option<Plan> {
        let range = self.range.as_ref().map(|(smallest, largest)| (&smallest[..], &largest[..]));
        picker.manual(self.level, range, self.target)
    }
}

/// The result of recovery, from which a [`Core`] starts.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) active: Arc<Memtable>,
    pub(crate) immutables: Vec<Immutable>,
    pub(crate) version: Arc<Version>,
    pub(crate) closed_wals: Vec<WalView>,
    pub(crate) next_file: FileNumber,
    pub(crate) next_memtable: MemtableId,
}

impl Core {
    /// The state right after recovery.
    pub(crate) fn new(recovered: Recovered) -> Self {
        let Recovered { active, immutables, version, closed_wals, next_file, next_memtable } =
            recovered;
        Self {
            versions: vec![Arc::downgrade(&version)],
            active,
            immutables,
            flush_due: 0,
            version,
            obsolete: BTreeSet::new(),
            unnamed: BTreeSet::new(),
            closed_wals,
            next_wal: next_file,
            next_table: number_after(next_file),
            next_file: number_after(number_after(next_file)),
            next_memtable,
            next_job: 1,
            jobs: Vec::new(),
            flushing: Vec::new(),
            claims: Claims::default(),
            asked: Vec::new(),
            read_due: Vec::new(),
            compaction_cursors: Vec::new(),
            snapshots: BTreeMap::new(),
            transactions: crate::few::Few::new(),
            next_transaction: 1,
            last_install: None,
            stall: None,
            slowdown: None,
            paid_bytes: 0,
            closing: false,
        }
    }

    /// Takes over the memtables and the version of `newer`, which is the same database as it was read later.
    /// Snapshots, transactions and numbers of this handle stay.
    pub(crate) fn refresh(&mut self, newer: Self) {
        let Self { active, immutables, version, closed_wals, next_memtable, .. } = newer;
        let Self { next_wal, next_table, next_file, .. } = newer;
        (self.active, self.immutables, self.version) = (active, immutables, version);
        (self.closed_wals, self.next_memtable) = (closed_wals, next_memtable);
        (self.next_wal, self.next_table, self.next_file) = (next_wal, next_table, next_file);
    }

    /// The view for readers.
    pub(crate) fn read_view(&self) -> ReadView {
        let immutables = self.immutables.iter().map(|waiting| &waiting.memtable);
        ReadView {
            memtables: std::iter::once(&self.active).chain(immutables).cloned().collect(),
            version: Arc::clone(&self.version),
        }
    }

    /// Takes the reserved number of the next log and reserves another.
    pub(crate) fn take_wal_number(&mut self) -> FileNumber {
        let number = std::mem::replace(&mut self.next_wal, self.next_file);
        self.next_file = number_after(self.next_file);
        number
    }

    /// Takes the reserved number of the next table and reserves another. No edit names the table before
    /// [`Self::name_tables`].
    pub(crate) fn take_table_number(&mut self) -> FileNumber {
        let number = std::mem::replace(&mut self.next_table, self.next_file);
        self.next_file = number_after(self.next_file);
        self.unnamed.insert(number);
        number
    }

    /// Gives back the number taken last, because its file cannot be created yet: a call that has to wait
    /// changes nothing, also not the numbers of later files.
    pub(crate) fn return_table_number(&mut self, number: FileNumber) {
        self.unnamed.remove(&number);
        if self.next_file == number_after(self.next_table) {
            self.next_file = self.next_table;
            self.next_table = number;
        }
    }

    /// An edit is about to name `tables`: whatever becomes of it, they must stay.
    pub(crate) fn name_tables(&mut self, tables: &[Arc<TableMeta>]) {
        self.unnamed.retain(|number| tables.iter().all(|table| table.number != *number));
    }

    /// Takes the tables off the list that no edit names: those of `job`, or all of them.
    pub(crate) fn take_unnamed(&mut self, job: Option<JobId>) -> Vec<FileNumber> {
        let Some(job) = job else { return std::mem::take(&mut self.unnamed).into_iter().collect() };
        let of_job = self.jobs.iter().filter(|view| view.job == job);
        let mut outputs: Vec<FileNumber> = of_job.flat_map(|view| view.outputs.clone()).collect();
        outputs.retain(|table| self.unnamed.remove(table));
        outputs
    }

    /// Takes a number for a file that is neither a log nor a table.
    pub(crate) fn take_file_number(&mut self) -> FileNumber {
        let number = self.next_file;
        self.next_file = number_after(number);
        number
    }

    /// A new job number.
    pub(crate) fn take_job(&mut self) -> JobId {
        let job = self.next_job;
        self.next_job += 1;
        job
    }

    /// A new transaction number.
    pub(crate) fn take_transaction(&mut self) -> TransactionId {
        let transaction = self.next_transaction;
        self.next_transaction += 1;
        transaction
    }

    /// Makes `version` the current one; tables that only older versions name become obsolete.
    pub(crate) fn install(&mut self, version: Arc<Version>, removed: &[FileNumber]) {
        self.versions.retain(|held| held.strong_count() > 0);
        self.versions.push(Arc::downgrade(&version));
        self.version = version;
        self.obsolete.extend(removed);
    }

    /// Takes an obsolete table that no version in use names off the list.
    pub(crate) fn take_deletable(&mut self) -> Option<FileNumber> {
        if self.obsolete.is_empty() {
            return None;
        }
        let held: Vec<Arc<Version>> = self.versions.iter().filter_map(Weak::upgrade).collect();
        let in_use: BTreeSet<FileNumber> =
            held.iter().flat_map(|version| version.tables()).map(|(_, meta)| meta.number).collect();
        let number = self.obsolete.iter().find(|number| !in_use.contains(number)).copied()?;
        self.obsolete.remove(&number);
        Some(number)
    }

    /// Marks immutable memtables for flushing when they reach the number in the options, or all of them.
    pub(crate) fn update_flush_due(&mut self, options: &Options, all: bool) {
        let Some(newest) = self.immutables.first() else { return };
        let immutable: usize = self.immutables.iter().map(|waiting| waiting.memtable.bytes()).sum();
        let due = all
            || options.flush_trigger_bytes == 0
            || immutable + self.active.bytes() > options.flush_trigger_bytes
            || self.immutables.len() >= options.immutable_count_max;
        if due {
            self.flush_due = self.flush_due.max(newest.memtable.id());
        }
    }

    /// The oldest immutable memtable, if it is to be flushed now.
    pub(crate) fn flush_candidate(&self) -> Option<&Immutable> {
        self.immutables.last().filter(|oldest| oldest.memtable.id() <= self.flush_due)
    }

    /// The oldest immutable memtable whose flush is due and can begin now.
    pub(crate) fn next_flush(&self) -> Option<&Immutable> {
        if self.flushing.len() >= FLUSHES_MAX {
            return None;
        }
        let due = self.immutables.iter().rev();
        let mut due = due.take_while(|waiting| waiting.memtable.id() <= self.flush_due);
        due.find(|waiting| !self.flushing.contains(&waiting.memtable.id()))
    }

    /// The same, unless another flush is under way.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn only_flush(&self) -> Option<&Immutable> {
        self.next_flush().filter(|_| self.flushing.is_empty())
    }

    /// Whether no older memtable has to get into its table before `memtable`.
    pub(crate) fn is_oldest(&self, memtable: MemtableId) -> bool {
        self.immutables.last().is_none_or(|oldest| oldest.memtable.id() >= memtable)
    }

    /// Whether a job could begin now. For background threads.
    pub(crate) fn work_may_begin(&self, options: &Options) -> bool {
        self.next_flush().is_some() || self.compaction_waits(options)
    }

    /// Whether a job has begun, or is about to.
    pub(crate) fn job_under_way(&self) -> bool {
        !self.flushing.is_empty() || !self.claims.is_empty()
    }

    /// Whether a compaction that was asked for, or that a full level needs, can begin now.
    pub(crate) fn compaction_waits(&self, options: &Options) -> bool {
        match self.asked.first() {
            // A request with nothing to compact is done at once.
            Some(asked) => {
                let plan = asked.plan(&self.picker(options));
                plan.is_none_or(|plan| !self.claims.forbid(&plan))
            }
            None => self.picker(options).pick().is_some(),
        }
    }

    /// The picker of the next compaction.
    pub(crate) fn picker<'a>(&'a self, options: &'a Options) -> Picker<'a> {
        Picker {
            version: &self.version,
            options,
            cursors: &self.compaction_cursors,
            claims: &self.claims,
            read_due: &self.read_due,
        }
    }

    /// Decides about `table`, which has been charged up to its limit: it is compacted if its charges are worth all
    /// that its compaction would read, and otherwise collects more of them.
    pub(crate) fn settle_reads(&mut self, table: &Table, charges: &ReadCharges, options: &Options) {
        let (reads, walked) = (table.reads().reads(), table.reads().mostly_walked());
        let due = ReadDue { table: table.number(), reads, walked };
        let Some(plan) = self.picker(options).for_reads(due) else {
            // A table that cannot go down now may do so later.
            return table.reads().go_on(2 * reads);
        };
        let needed = charges.reads_for_level(plan.level, plan.cost_bytes());
        if reads < needed {
            // Not at once again when its overlap has grown meanwhile.
            return table.reads().go_on(needed.max(reads + reads / 8 + 1));
        }
        if self.read_due.iter().all(|other| other.table != due.table) {
            self.read_due.push(due);
        }
        table.reads().begin(needed);
    }

    /// Forgets the read counts of the inputs of `plan`, which is done.
    pub(crate) fn forget_reads(&mut self, plan: &Plan) {
        let is_input = |number| plan.inputs.iter().any(|(_, input)| input.number == number);
        self.read_due.retain(|due| !is_input(due.table));
    }

    /// Whether immutable memtables up to number `newest` are all in tables.
    pub(crate) fn flushed(&self, newest: MemtableId) -> bool {
        self.immutables.iter().all(|waiting| waiting.memtable.id() > newest)
    }

    /// Whether the compaction asked for by event `cause` is done.
    pub(crate) fn compacted(&self, cause: EventId) -> bool {
        !self.claims.work_for(cause) && self.asked.iter().all(|asked| asked.cause != cause)
    }

    /// Why a write that needs a new memtable has to wait, if it has to.
    pub(crate) fn stall_reason(&self, options: &Options) -> Option<Stall> {
        compaction::stall(self.immutables.len(), self.version.runs(0).len(), options)
    }

    /// How much writes are to slow down now, and why.
    pub(crate) fn slowdown_now(&self, options: &Options) -> Option<Slowdown> {
        let due = |waiting: &&Immutable| waiting.memtable.id() <= self.flush_due;
        let flushes_due = self.immutables.iter().filter(due).count();
        let load = Load::new(&self.version, options, flushes_due);
        compaction::slowdown(&load, options, self.slowdown.map(|slow| slow.why))
    }

    /// How full each level is.
    pub(crate) fn scores(&self, options: &Options) -> Vec<LevelScore> {
        compaction::scores(&self.version, options)
    }

    /// The levels as views show them.
    pub(crate) fn levels(&self, options: &Options) -> Vec<LevelView> {
        compaction::levels(&self.version, options)
    }

    /// The sequence numbers of snapshots and transactions, in ascending order.
    pub(crate) fn snapshot_list(&self) -> Vec<SeqNo> {
        let transactions = self.transactions.values().map(|open| open.sequence);
        let held: BTreeSet<SeqNo> = self.snapshots.keys().copied().chain(transactions).collect();
        held.into_iter().collect()
    }
}

/// The number after `number`; the one above the largest stands for "none is left", and no file can be
/// made with it ([`crate::storage::FileName::usable`]).
fn number_after(number: FileNumber) -> FileNumber {
    (number + 1).min(FILE_NUMBER_MAX + 1)
}
