//! LOG and LOG.old files: jobs, moves and ingestions of tables, and write stalls.
//!
//! The files are read line by line and only wanted fields are kept, so that a LOG of 100 MB takes some megabytes.
//! [`Log::read`] gives the events in order; [`Events::job_of_table`] and its siblings join them with the edits of a
//! manifest by the numbers of files.

mod json;
mod leveldb;
mod lines;
mod parts;
mod reader;
mod rocksdb;
mod stalls;
mod steps;
mod text;

pub use reader::Log;
pub use stalls::{StallCause, StallSpan};
pub use steps::Place;

use crate::Problem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Writes memtables to level 0.
    Flush,
    /// Merges tables into a deeper level.
    Compaction,
    /// Changes the level of tables without reading them.
    Move,
    /// Reads logs when the database opens; it may write tables to level 0.
    Recovery,
    /// Known only by a file that it made.
    #[default]
    Other,
}

/// A job of background work. Times are microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Job {
    /// Index of the opening that it belongs to.
    pub opening: u32,
    /// Its number; numbers restart with each opening. LevelDB has none.
    pub number: Option<u64>,
    /// Its kind.
    pub kind: JobKind,
    /// The column family, if a line names it.
    pub family: Option<Arc<str>>,
    /// The reason in the words of the LOG.
    pub reason: Option<Arc<str>>,
    /// Its start.
    pub started: Option<u64>,
    /// Its end; `None` without a line about it.
    pub finished: Option<u64>,
    /// Tables that it reads, with their levels.
    pub inputs: Box<[(u32, u64)]>,
    /// Tables that it made.
    pub tables: Vec<u64>,
    /// Blob files that it made.
    pub blob_files: Vec<u64>,
    /// Bytes that it reads: of tables, or of memtables.
    pub input_bytes: Option<u64>,
    /// Bytes of the tables that it made.
    pub output_bytes: u64,
    /// The level that it writes to.
    pub output_level: Option<u32>,
    /// Entries that it read.
    pub input_entries: Option<u64>,
    /// Deletes among the entries that a flush read.
    pub deletes: Option<u64>,
    /// Tables in each level after it.
    pub level_files: Box<[u32]>,
    /// Immutable memtables after it.
    pub immutable_memtables: Option<u64>,
}

impl Job {
    /// Microseconds from start to finish. A move has none: it has only one line with a time, and reads no table.
    pub fn duration_micros(&self) -> Option<u64> {
        if self.kind == JobKind::Move {
            return None;
        }
        self.finished?.checked_sub(self.started?)
    }
}

/// Content of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A job of [`Events::jobs`] started.
    Started(u32),
    /// A job of [`Events::jobs`] finished.
    Finished(u32),
    /// A table was made by a job.
    TableCreated {
        /// Its number.
        number: u64,
        /// Its length.
        bytes: u64,
        /// Index of the job.
        job: u32,
    },
    /// A table was deleted from the disk.
    TableDeleted(u64),
    /// A blob file was made by a job.
    BlobCreated {
        /// Its number.
        number: u64,
        /// Bytes of its values.
        bytes: u64,
        /// Index of the job.
        job: u32,
    },
    /// A blob file was deleted from the disk.
    BlobDeleted(u64),
    /// A table moved to another level.
    Moved {
        /// Its number.
        number: u64,
        /// The new level.
        level: u32,
    },
    /// A table was ingested.
    Ingested {
        /// Its number.
        number: u64,
        /// Its level.
        level: u32,
    },
    /// Writes slow down or stop.
    Stall(Stall),
    /// The files and bytes of a family's levels, from a level summary.
    Levels {
        /// The family.
        family: Arc<str>,
        /// Tables in level 0.
        l0_files: u64,
        /// The estimated pending compaction bytes, where the version prints them.
        pending_bytes: Option<u64>,
    },
    /// An event without a meaning here; it is counted by its name.
    Other,
}

/// A line with the reason of a write slowdown or stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Stall {
    /// The family; LevelDB has only `default`.
    pub family: Arc<str>,
    /// Whether writes stop; else they slow down.
    pub stop: bool,
    /// The cause.
    pub cause: StallCause,
    /// Files, memtables or bytes, depending on the cause.
    pub number: Option<u64>,
    /// Bytes per second that writes are slowed down to.
    pub rate: Option<u64>,
}

/// An event with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Microseconds since 1970 in UTC; in local time if no line of the file has the time zone.
    pub micros: u64,
    /// Index of the opening.
    pub opening: u32,
    /// The event.
    pub what: What,
}

/// One opening of the database: jobs count from 1 in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opening {
    /// The file that it begins in.
    pub file: String,
    /// The time of its first line, microseconds since 1970.
    pub started: u64,
    /// Its session id, where the version writes one.
    pub session: Option<String>,
    /// The version of the library.
    pub version: Option<String>,
}

/// A table that was ingested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ingestion {
    /// Its time, microseconds since 1970.
    pub micros: u64,
    /// The level that it went to.
    pub level: u32,
    /// The sequence number of its entries, if a line has it.
    pub sequence: Option<u64>,
}

/// A table that moved to another level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableMove {
    /// Its time, microseconds since 1970.
    pub micros: u64,
    /// The new level.
    pub level: u32,
    /// Index of the job in [`Events::jobs`], if a line names it.
    pub job: Option<u32>,
}

/// The content of the LOG files, in order.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// Events in the order of the lines.
    pub events: Vec<Event>,
    /// Jobs in the order in which they started.
    pub jobs: Vec<Job>,
    /// Openings in order.
    pub openings: Vec<Opening>,
    /// Number of events of each kind in `EVENT_LOG_v1`.
    pub counts: BTreeMap<String, u64>,
    /// Lines in all files.
    pub lines: u64,
    /// Whether the rest was left out because it would take too much memory.
    pub cut_short: bool,
    /// Files and lines that could not be read.
    pub problems: Vec<Problem>,
    job_of_table: BTreeMap<u64, u32>,
    deleted: BTreeMap<u64, u64>,
    ingested: BTreeMap<u64, Ingestion>,
    moved: BTreeMap<u64, Vec<TableMove>>,
    dropped: BTreeMap<u64, u32>,
}

impl Events {
    /// The job that made table or blob file `number`.
    pub fn job_of_table(&self, number: u64) -> Option<&Job> {
        self.jobs.get(*self.job_of_table.get(&number)? as usize)
    }

    /// The time at which file `number` was deleted from the disk. It may be long after the edit that removed it, as
    /// long as a reader holds it.
    pub fn deleted(&self, number: u64) -> Option<u64> {
        self.deleted.get(&number).copied()
    }

    /// The ingestion of table `number`.
    pub fn ingested(&self, number: u64) -> Option<Ingestion> {
        self.ingested.get(&number).copied()
    }

    /// The moves of table `number`, in order.
    pub fn moved(&self, number: u64) -> &[TableMove] {
        self.moved.get(&number).map_or(&[], Vec::as_slice)
    }

    /// The time of the edit that added table `number` to `level`: it was moved or ingested there, or the job that made
    /// it finished. `None` without such a line.
    pub fn added_at(&self, number: u64, level: u32) -> Option<u64> {
        if let Some(moved) = self.moved(number).iter().find(|moved| moved.level == level) {
            return Some(moved.micros);
        }
        if let Some(ingested) = self.ingested(number).filter(|ingested| ingested.level == level) {
            return Some(ingested.micros);
        }
        let job = self.job_of_table(number)?;
        job.finished.or(job.started)
    }

    /// The compactions that read tables of `level`. LevelDB's LOG lists no inputs: they follow from the level
    /// that they write to.
    pub fn compactions_from(&self, level: u32) -> impl Iterator<Item = &Job> {
        let reads = move |job: &&Job| {
            let into = job.inputs.is_empty() && job.output_level == level.checked_add(1);
            let listed = job.inputs.iter().any(|input| input.0 == level);
            job.kind == JobKind::Compaction && (listed || into)
        };
        self.jobs.iter().filter(reads)
    }
}
