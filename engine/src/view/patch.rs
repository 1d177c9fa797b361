//! How an event changes a view, as data.
//!
//! The catalogue of events computes the patches of each kind from the event's own fields. A reader that
//! holds a view applies them without knowing any kind: [`View::follow`] here, and the page in its own language.

use super::{
    BlockView, EditView, JobView, LevelScore, LevelView, MemtableView, OutputView, RangesView,
    ReadOnlyCause, TableInfo, TransactionView, View, WalView,
};
use crate::event::{Event, JobId, MemtableId, Slowdown, Stall, TransactionId};
use crate::key::SeqNo;
use crate::storage::FileNumber;

/// One change of a [`View`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "of", rename_all = "camelCase", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub enum Patch {
    /// Opening begins: these levels, and nothing else.
    Reset {
        /// The levels.
        levels: Vec<LevelView>,
    },
    /// All levels are known anew.
    Levels {
        /// The levels.
        levels: Vec<LevelView>,
    },
    /// How full each level is; there are as many levels from now on.
    Scores {
        /// L0 first.
        scores: Vec<LevelScore>,
    },
    /// A table enters a level.
    AddTable {
        /// The level, 0 is L0.
        level: usize,
        /// How many tables of the level stand before it.
        position: usize,
        /// The table.
        table: TableInfo,
    },
    /// A table leaves a level.
    RemoveTable {
        /// The level, 0 is L0.
        level: usize,
        /// The table.
        table: FileNumber,
    },
    /// The manifest in use and its length.
    Manifest {
        /// Its number.
        manifest: FileNumber,
        /// Its length \[bytes\].
        bytes: u64,
        /// The edit that was appended, if one was.
        edit: Option<EditView>,
        /// Whether all of its edits are durable; otherwise the appended one is not.
        synced: bool,
    },
    /// The manifest that `CURRENT` names.
    Current {
        /// Its number.
        manifest: FileNumber,
    },
    /// The newest write.
    LastSequence {
        /// Its sequence number.
        sequence: SeqNo,
    },
    /// The logs, oldest first; an added one comes last.
    Log {
        /// The change.
        edit: Edit<WalView, LogChange>,
    },
    /// The memtables, newest first; an added one comes first.
    Memtable {
        /// The change.
        edit: Edit<MemtableView, MemtableChange>,
    },
    /// The jobs that have begun; an added one comes last.
    Job {
        /// The change.
        edit: Edit<JobView, JobChange>,
    },
    /// The open transactions; an added one comes last.
    Transaction {
        /// The change.
        edit: Edit<TransactionView, TransactionChange>,
    },
    /// The pinned sequence numbers; an added one comes last.
    Snapshot {
        /// The sequence number.
        sequence: SeqNo,
        /// Whether it is pinned from now on; otherwise it no longer is.
        held: bool,
    },
    /// Why writes wait; `None`: they do not.
    Stall {
        /// The limit that was reached.
        stall: Option<Stall>,
    },
    /// How much writes are slowed down, and why; `None`: they are not.
    Slowdown {
        /// By how much, and why.
        slowdown: Option<Slowdown>,
    },
    /// The database is read-only.
    ReadOnly {
        /// The error after which no write is taken.
        cause: ReadOnlyCause,
    },
    /// The tables that jobs write; an added one comes last among the outputs of its job.
    Output {
        /// The change.
        edit: Edit<OutputView, OutputChange>,
    },
    /// A table that a job writes has one more block. A view does not show it.
    Block {
        /// The table.
        table: FileNumber,
        /// The block.
        block: BlockView,
    },
}

/// The change of a list of numbered items.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Edit<Item, Change> {
    /// One more.
    Add(Item),
    /// The one with this number is different.
    Change(u64, Change),
    /// The one with this number is gone.
    Remove(u64),
}

/// An item of a list that an [`Edit`] changes.
trait Numbered<Change> {
    fn number(&self) -> u64;
    fn change(&mut self, change: &Change);
}

/// Declares the fields of an item that can change: the fields that are `Some` are different from now on.
macro_rules! changes {
    ($( $(#[doc = $doc:literal])* $change:ident of $item:ident by $number:ident {
        $( $field:ident: $type:ty, )*
    } )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
        pub struct $change {
            $(
                #[doc = concat!("[`", stringify!($item), "::", stringify!($field), "`].")]
                #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
                pub $field: Option<$type>,
            )*
        }

        impl Numbered<$change> for $item {
            fn number(&self) -> u64 {
                self.$number
            }

            fn change(&mut self, change: &$change) {
                $( if let Some(value) = &change.$field {
                    self.$field = value.clone().into();
                } )*
            }
        }
    )* };
}

changes! {
    /// The fields of a log that are different.
    LogChange of WalView by wal {
        bytes: u64,
        written_bytes: u64,
        synced_bytes: u64,
        records: u64,
        written_records: u64,
        synced_records: u64,
        closed: bool,
    }
    /// The fields of a memtable that are different.
    MemtableChange of MemtableView by memtable {
        bytes: usize,
        entries: u64,
        tombstones: u64,
        ranges: RangesView,
        immutable: bool,
    }
    /// The fields of a job that are different.
    JobChange of JobView by job {
        entries_done: u64,
        entries_total: u64,
    }
    /// The fields of a transaction that are different.
    TransactionChange of TransactionView by transaction {
        writes: u64,
        write_bytes: u64,
        reads: u64,
    }
    /// The fields of a table being written that are different.
    OutputChange of OutputView by table {
        filter_bytes: u64,
        index_bytes: u64,
        file_bytes: u64,
        synced: bool,
    }
}

impl Patch {
    pub(crate) fn log(wal: FileNumber, change: LogChange) -> Self {
        Self::Log { edit: Edit::Change(wal, change) }
    }

    pub(crate) fn memtable(memtable: MemtableId, change: MemtableChange) -> Self {
        Self::Memtable { edit: Edit::Change(memtable, change) }
    }

    pub(crate) fn job(job: JobId, change: JobChange) -> Self {
        Self::Job { edit: Edit::Change(job, change) }
    }

    pub(crate) fn transaction(transaction: TransactionId, change: TransactionChange) -> Self {
        Self::Transaction { edit: Edit::Change(transaction, change) }
    }

    pub(crate) fn output(table: FileNumber, change: OutputChange) -> Self {
        Self::Output { edit: Edit::Change(table, change) }
    }
}

impl LogChange {
    /// It is like `log` from now on.
    pub(crate) fn to(log: &WalView) -> Self {
        Self {
            bytes: Some(log.bytes),
            written_bytes: Some(log.written_bytes),
            synced_bytes: Some(log.synced_bytes),
            records: Some(log.records),
            written_records: Some(log.written_records),
            synced_records: Some(log.synced_records),
            closed: Some(log.closed),
        }
    }

    /// All of a log of this length and with so many records is in its file and durable.
    pub(crate) fn durable(bytes: u64, records: u64) -> Self {
        Self {
            bytes: Some(bytes),
            written_bytes: Some(bytes),
            synced_bytes: Some(bytes),
            records: Some(records),
            written_records: Some(records),
            synced_records: Some(records),
            closed: None,
        }
    }
}

impl View {
    /// Becomes the view after `event`, the next one of the stream.
    pub fn follow(&mut self, event: &Event) {
        for patch in event.patches() {
            self.apply(patch);
        }
        self.time = event.time;
    }

    /// Makes one change.
    pub fn apply(&mut self, patch: Patch) {
        match patch {
            Patch::Reset { levels } => *self = Self { levels, ..Self::default() },
            Patch::Levels { levels } => self.levels = levels,
            Patch::Scores { scores } => self.rescore(scores),
            Patch::AddTable { level, position, table } => {
                if let Some(level) = self.levels.get_mut(level) {
                    level.tables.insert(position.min(level.tables.len()), table);
                }
            }
            Patch::RemoveTable { level, table } => {
                if let Some(level) = self.levels.get_mut(level) {
                    level.tables.retain(|known| known.table != table);
                }
            }
            Patch::Manifest { manifest, bytes, edit, synced } => {
                if self.manifest != manifest {
                    self.manifest_edits.clear();
                }
                (self.manifest, self.manifest_bytes) = (manifest, bytes);
                let appended = u64::from(edit.is_some());
                self.manifest_unsynced = if synced { 0 } else { self.manifest_unsynced + appended };
                if let Some(edit) = edit {
                    EditView::append(&mut self.manifest_edits, edit);
                }
            }
            Patch::Current { manifest } => self.current = manifest,
            Patch::LastSequence { sequence } => self.last_sequence = sequence,
            Patch::Log { edit } => applied(&mut self.wals, edit, Vec::push),
            Patch::Memtable { edit } => {
                applied(&mut self.memtables, edit, |all, newest| all.insert(0, newest));
            }
            Patch::Job { edit } => applied(&mut self.jobs, edit, Vec::push),
            Patch::Transaction { edit } => applied(&mut self.transactions, edit, Vec::push),
            Patch::Snapshot { sequence, held: true } => self.snapshots.push(sequence),
            Patch::Snapshot { sequence, held: false } => {
                self.snapshots.retain(|held| *held != sequence);
            }
            Patch::Stall { stall } => self.stall = stall,
            Patch::Slowdown { slowdown } => self.slowdown = slowdown,
            Patch::ReadOnly { cause } => self.read_only = Some(cause),
            Patch::Output { edit: Edit::Add(output) } => {
                if let Some(job) = self.jobs.iter_mut().find(|job| job.job == output.job) {
                    job.outputs.push(output.table);
                }
            }
            // A view names outputs, but has none of their entries.
            Patch::Output { .. } | Patch::Block { .. } => {}
        }
    }

    fn rescore(&mut self, scores: Vec<LevelScore>) {
        let mut tables = std::mem::take(&mut self.levels).into_iter().map(|level| level.tables);
        let mut with_tables =
            |score| LevelView { score, tables: tables.next().unwrap_or_default() };
        self.levels = scores.into_iter().map(&mut with_tables).collect();
    }
}

fn applied<Item: Numbered<Change>, Change>(
    list: &mut Vec<Item>,
    edit: Edit<Item, Change>,
    add: impl FnOnce(&mut Vec<Item>, Item),
) {
    match edit {
        Edit::Add(item) => add(list, item),
        Edit::Change(number, change) => {
            if let Some(item) = list.iter_mut().find(|item| item.number() == number) {
                item.change(&change);
            }
        }
        Edit::Remove(number) => list.retain(|item| item.number() != number),
    }
}
