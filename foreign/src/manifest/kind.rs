//! Kinds of edits, concluded from the edit alone.

use super::edit::Edit;
use crate::sorting::set;
use crate::{Engine, TableFile};
use std::collections::BTreeSet;

/// Kind of a step: its change of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// The state that the manifest begins with.
    Snapshot,
    /// A buffer was written to tables.
    Flush,
    /// Logs were written to tables when the database was opened.
    Recovery,
    /// Tables were merged into new ones.
    Compaction,
    /// Tables changed their level and were not rewritten.
    Move,
    /// Tables that were made elsewhere were added.
    Ingestion,
    /// Pebble: a range of keys was cut out of tables.
    Excise,
    /// Tables were dropped.
    Deletion,
    /// A family was created.
    FamilyCreated,
    /// A family was dropped.
    FamilyDropped,
    /// No table changed.
    Bookkeeping,
}

impl StepKind {
    /// When a step of this kind made `table`, in seconds since 1970: a table that is moved, cut, or in a snapshot keeps
    /// the time of its creation.
    pub(crate) fn created(self, table: &TableFile) -> Option<u64> {
        let is_new = !matches!(self, Self::Move | Self::Snapshot) && !table.is_virtual();
        table.created_seconds.filter(|seconds| is_new && *seconds > 0)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Flush => "flush",
            Self::Recovery => "recovery",
            Self::Compaction => "compaction",
            Self::Move => "move",
            Self::Ingestion => "ingestion",
            Self::Excise => "excise",
            Self::Deletion => "deletion",
            Self::FamilyCreated => "family created",
            Self::FamilyDropped => "family dropped",
            Self::Bookkeeping => "bookkeeping",
        }
    }

    /// The kind of a step of several edits.
    pub(super) fn of_group(kinds: impl IntoIterator<Item = Self>) -> Self {
        let kinds = kinds.into_iter().filter(|kind| *kind != Self::Bookkeeping);
        kinds.min().unwrap_or(Self::Bookkeeping)
    }
}

/// The kind of `edit`. With `recovers`, tables of RocksDB may come from recovery.
pub(super) fn of(engine: Engine, edit: &Edit, recovers: bool) -> StepKind {
    if edit.family_dropped {
        return StepKind::FamilyDropped;
    }
    if edit.family_added.is_some() {
        return StepKind::FamilyCreated;
    }
    match (edit.added.is_empty(), edit.removed.is_empty()) {
        (true, true) if edit.changes_tables() => StepKind::Compaction,
        (true, true) => StepKind::Bookkeeping,
        (true, false) => StepKind::Deletion,
        (false, true) => added_only(engine, edit, recovers),
        (false, false) => replaced(edit),
    }
}

fn added_only(engine: Engine, edit: &Edit, recovers: bool) -> StepKind {
    // LevelDB writes a buffer to a deeper level when nothing there overlaps it.
    let level_0 = engine == Engine::LevelDb || edit.added.iter().all(|(level, _)| *level == 0);
    let Some(log) = edit.log_number.filter(|_| level_0) else { return StepKind::Ingestion };
    let recovered = match engine {
        Engine::RocksDb => recovers,
        // The new log is created after the tables of recovery, but before the table of a flush.
        // Opening reads logs into memory, not into tables.
        Engine::Levelscope => false,
        Engine::Pebble | Engine::LevelDb => edit.added.iter().all(|(_, table)| table.number < log),
    };
    if recovered { StepKind::Recovery } else { StepKind::Flush }
}

/// Whether an edit of RocksDB right after a snapshot is a flush, because the manifest was replaced while the database
/// ran: the new log and the table have consecutive numbers. On recovery, the log number is that of the last log
/// plus one, which is the number of an older table or of the new one. `is_table` recognizes the numbers of tables.
pub(super) fn is_running_flush(edit: &Edit, is_table: impl Fn(u64) -> bool) -> bool {
    let first = edit.added.iter().map(|(_, table)| table.number).min();
    match (edit.log_number, first) {
        (Some(log), Some(first)) => log.checked_add(1) == Some(first) && !is_table(log),
        _ => false,
    }
}

fn replaced(edit: &Edit) -> StepKind {
    let removed: BTreeSet<u64> = set(edit.removed.iter().map(|(_, number)| *number));
    let added: BTreeSet<u64> = set(edit.added.iter().map(|(_, table)| table.number));
    if added == removed {
        return StepKind::Move;
    }
    let new_slice = |number: &u64, backing: u64| *number != backing && !removed.contains(number);
    let cut = edit.added.iter().any(|(_, table)| new_slice(&table.number, table.backing));
    if !cut {
        return StepKind::Compaction;
    }
    // Tables that are no slices came from outside.
    let ingested = edit.added.iter().any(|(_, table)| !table.is_virtual());
    if ingested { StepKind::Ingestion } else { StepKind::Excise }
}
