//! One plain English sentence for each event: read by page, terminal, log and screen reader alike.

mod jobs;
mod transactions;

use super::words::{bytes, clause, count, entries, level};
use super::{
    Event, EventKind, JobKind, RotateReason, Slowdown, SlowdownReason, Stall, Verdict, WalEnd,
};
use crate::key::ValueKind;
use jobs::{compaction, flush, manifest, table};
use std::fmt;
use transactions::transaction;

impl Event {
    /// What happened, in one sentence that can be read aloud.
    pub fn sentence(&self) -> String {
        let kind = &self.kind;
        let name = kind.name();
        let job = || self.job.map_or_else(|| "The engine".to_owned(), |job| format!("Job {job}"));
        match name.split_once('.').map_or(name, |(group, _)| group) {
            "op" => operation(kind),
            "wal" => log(kind),
            "memtable" | "stall" | "slowdown" => memory(kind),
            "flush" => flush(kind, &job()),
            "compaction" => compaction(kind, &job()),
            "table" => table(kind, &job()),
            "manifest" => manifest(kind, &job()),
            "recovery" => recovery(kind),
            _ => other(kind, &job()),
        }
    }
}

fn operation(kind: &EventKind) -> String {
    match kind {
        EventKind::OpPut { key, value_bytes, sequence } => format!(
            "The caller puts {key} with a value of {}; the write gets sequence number {sequence}.",
            bytes(*value_bytes)
        ),
        EventKind::OpDelete { key, sequence } => {
            format!("The caller deletes {key}; the tombstone gets sequence number {sequence}.")
        }
        EventKind::OpBatch { count: number, bytes: size, first_sequence } => format!(
            "The caller writes a batch of {} in {}; its first sequence number is {first_sequence}.",
            count(*number, "operation"),
            bytes(*size)
        ),
        EventKind::OpDone { op, durable: true } => {
            format!("Operation {op} is acknowledged: it is durable.")
        }
        EventKind::OpDone { op, durable: false } => {
            format!("Operation {op} is acknowledged; it becomes durable when its log is synced.")
        }
        EventKind::OpFailed { op, error } => format!("Operation {op} failed: {}.", clause(error)),
        EventKind::OpGet { key, found: true } => format!("The caller gets {key} and finds it."),
        EventKind::OpGet { key, found: false } => {
            format!("The caller gets {key} and finds nothing.")
        }
        EventKind::OpScan => "The caller opens an iterator.".to_owned(),
        EventKind::OpSnapshot { sequence } => format!(
            "The caller takes a snapshot at sequence number {sequence}: later writes do not change it."
        ),
        EventKind::OpRelease { sequence, .. } => {
            format!("The caller releases the snapshot at sequence number {sequence}.")
        }
        EventKind::OpSync => "The caller asks to make all writes so far durable.".to_owned(),
        EventKind::OpRotate => "The caller asks for a new memtable.".to_owned(),
        EventKind::OpCompact { level: from } => {
            format!("The caller asks for a compaction of {}.", level(*from))
        }
        EventKind::OpCompactRange { smallest, largest, down_to } => format!(
            "The caller asks for a compaction of the keys from {smallest} to {largest}, down to {}.",
            level(*down_to)
        ),
        kind => transaction(kind),
    }
}

fn log(kind: &EventKind) -> String {
    match kind {
        EventKind::WalCreate { wal, bytes: length } => {
            format!("WAL {wal} was created with a header of {}.", bytes(*length))
        }
        EventKind::WalAppend { wal, offset, bytes: length, records, buffered_bytes } => {
            let waiting = match buffered_bytes {
                0 => String::new(),
                _ => format!("; {} of the log wait in memory", bytes(*buffered_bytes)),
            };
            let appended = bytes(length.saturating_sub(*offset));
            format!(
                "Record {records} of WAL {wal} was appended at offset {offset}: {appended}{waiting}."
            )
        }
        EventKind::WalWrite { wal, bytes: length, records } => format!(
            "What WAL {wal} held in memory was written to its file: {} with {}.",
            bytes(*length),
            count(*records, "record")
        ),
        EventKind::WalSync { wal, bytes: length, records } => format!(
            "WAL {wal} was synced: all its {} with {} are durable.",
            bytes(*length),
            count(*records, "record")
        ),
        EventKind::WalClose { wal, bytes: length } => format!(
            "WAL {wal} was closed with a clean-end record and synced; it has {}.",
            bytes(*length)
        ),
        EventKind::WalDelete { wal } => {
            format!("WAL {wal} was deleted: tables hold everything that was in it.")
        }
        _ => String::new(),
    }
}

fn memory(kind: &EventKind) -> String {
    match kind {
        EventKind::MemtableInsert { memtable, bytes: size, entries: number, tombstones } => {
            let tombstones = match tombstones {
                0 => String::new(),
                some => format!(" ({})", count(*some, "tombstone")),
            };
            format!(
                "Memtable {memtable} took the write; it now has {}{tombstones} in {}.",
                entries(*number),
                bytes(*size)
            )
        }
        EventKind::MemtableRotate { memtable, wal, new_memtable, new_wal, reason } => {
            let why = match reason {
                RotateReason::Full => "it is full",
                RotateReason::Asked => "the caller asked for it",
            };
            format!(
                "Memtable {memtable} with WAL {wal} became immutable because {why}; writes go on to \
                 memtable {new_memtable} with WAL {new_wal}."
            )
        }
        EventKind::StallBegin { stall } => format!("Writes stall: {stall}."),
        EventKind::StallEnd => "The stall is over: writes go on.".to_owned(),
        EventKind::SlowdownBegin { slowdown } => format!("Writes slow down: {slowdown}."),
        EventKind::SlowdownEnd => "Writes are no longer slowed down.".to_owned(),
        _ => String::new(),
    }
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memtables { count, limit } => {
                write!(f, "{}, and the limit is {limit}", waiting(*count))
            }
            Self::L0Tables { count: number, limit } => {
                write!(f, "L0 has {}, and the limit is {limit}", count(*number, "table"))
            }
        }
    }
}

impl fmt::Display for Slowdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            SlowdownReason::Memtables { count, .. } => f.write_str(&waiting(count))?,
            SlowdownReason::L0Tables { count: number, .. } => {
                write!(f, "L0 has {}", count(number, "table"))?;
            }
            SlowdownReason::Debt { bytes: debt, .. } => {
                write!(f, "compactions are behind by about {}", bytes(debt))?;
            }
        }
        let limit = match self.why {
            SlowdownReason::Memtables { limit, .. } | SlowdownReason::L0Tables { limit, .. } => {
                limit as u64
            }
            SlowdownReason::Debt { limit_bytes, .. } => limit_bytes,
        };
        let pace = self.pace;
        write!(
            f,
            ", slowing down begins at {limit}, and each byte written is to wait for {pace} bytes of \
             background work"
        )
    }
}

/// Memtables that wait for their flush.
fn waiting(number: usize) -> String {
    if number == 1 {
        "1 immutable memtable waits for a flush".to_owned()
    } else {
        format!("{number} immutable memtables wait for a flush")
    }
}

fn recovery(kind: &EventKind) -> String {
    match kind {
        EventKind::RecoveryBegin { files, foreign_files, .. } => {
            let foreign = match foreign_files {
                0 => String::new(),
                some => format!(", and {} left alone", count(*some, "foreign file")),
            };
            format!("Opening begins: the directory has {}{foreign}.", count(*files, "file"))
        }
        EventKind::RecoveryManifest { manifest, edits, tables, .. } => format!(
            "Manifest {manifest} was read: {} {} a version of {}.",
            count(*edits, "edit"),
            if *edits == 1 { "gives" } else { "give" },
            count(*tables, "table")
        ),
        EventKind::RecoveryWal { wal, records, entries: number, end, .. } => {
            let end = match end {
                WalEnd::Clean => "it ends cleanly".to_owned(),
                WalEnd::Open => "it ends after a whole record, without a clean end".to_owned(),
                WalEnd::Torn { bytes: torn } => format!(
                    "its last {} are the torn end of a write that was never acknowledged as durable",
                    bytes(*torn)
                ),
            };
            format!(
                "WAL {wal} was replayed: {} with {}; {end}.",
                count(*records, "record"),
                entries(*number)
            )
        }
        EventKind::RecoveryDone { new_database: true, .. } => {
            "The database is open; it is new and empty.".to_owned()
        }
        EventKind::RecoveryDone { last_sequence, .. } => {
            format!("The database is open; its last sequence number is {last_sequence}.")
        }
        _ => String::new(),
    }
}

fn other(kind: &EventKind, job: &str) -> String {
    match kind {
        EventKind::JobFailed { what, error } => {
            let what = match what {
                JobKind::Flush => "flush",
                JobKind::Compaction => "compaction",
            };
            format!("{job}, a {what}, failed: {}.", clause(error))
        }
        EventKind::DbReadOnly { error } => format!(
            "The database is read-only until it is reopened, because of a failure: {}.",
            clause(error)
        ),
        EventKind::BatchEntry { key, sequence, entry } => {
            let what = match entry {
                ValueKind::Put => "puts",
                ValueKind::Delete => "deletes",
            };
            format!("The batch {what} {key} with sequence number {sequence}.")
        }
        EventKind::FilterFalsePositive { table, key } => format!(
            "The filter of table {table} let {key} pass, but the table has nothing of it: a false positive."
        ),
        EventKind::MergeEntry { key, sequence, entry, verdict, .. } => {
            let entry = match entry {
                ValueKind::Put => "The value",
                ValueKind::Delete => "The tombstone",
            };
            let verdict = match verdict {
                Verdict::KeptNewest => "is kept: it is the newest version of its key",
                Verdict::KeptForSnapshot => "is kept: a snapshot still reads it",
                Verdict::KeptTombstone => "is kept: it hides older data in deeper levels",
                Verdict::DroppedShadowed => {
                    "is dropped: a newer version hides it from every reader"
                }
                Verdict::DroppedTombstone => "is dropped: nothing below is left for it to hide",
            };
            format!("{entry} of {key} with sequence number {sequence} {verdict}.")
        }
        _ => String::new(),
    }
}
