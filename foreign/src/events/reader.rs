//! Reads the LOG files in order, and keeps the context that later lines need.

use super::lines::each_line;
use super::parts::{Parts, parts};
use super::text::Line;
use super::{Event, Events, Ingestion, Job, JobKind, Opening, TableMove, What};
use crate::{Engine, Files, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Bytes of memory that events may take, estimated; the lines after that are only counted.
const MEMORY_MAX: usize = 192 << 20;
/// Names of events that are counted.
const NAMES_MAX: usize = 200;
/// Bytes of a family's name or a reason that are kept.
const WORD_BYTES_MAX: usize = 300;
/// Quarters of an hour: differences to UTC are whole ones.
const QUARTER: i64 = 15 * 60 * 1_000_000;

/// The LOG files of a directory.
#[derive(Debug)]
pub struct Log;

impl Log {
    /// The names of the LOG files in the order in which they were written: `LOG.old.*` by number, `LOG.old`, `LOG`.
    /// With `db_log_dir` they have a prefix made of the database's path.
    pub fn names(files: &dyn Files) -> Vec<String> {
        let ranked = files.list().iter().filter_map(|file| {
            let name = file.name.rsplit('/').next()?;
            let rest = match name.strip_prefix("LOG") {
                Some(rest) => rest,
                None => name.split_once("_LOG")?.1,
            };
            let rank = match rest.strip_prefix(".old") {
                None if rest.is_empty() => (2, 0),
                Some("") => (1, 0),
                Some(number) => (0, number.strip_prefix('.')?.parse::<u64>().ok()?),
                None => return None,
            };
            Some((rank, file.name.clone()))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort();
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    /// Reads all LOG files. A file that cannot be read is a problem of the answer; the others still count.
    pub fn read(files: &dyn Files) -> Events {
        let mut reader = Reader::default();
        for part in parts(files) {
            reader.events.problems.extend(part.problem());
            reader.begin_file(&part.name);
            for (place, range) in [part.start, part.end].into_iter().enumerate() {
                if place > 0 && !range.is_empty() {
                    reader.skip();
                }
                let read = each_line(files, &part.name, range, &mut |_, line, _| {
                    reader.line(line);
                    true
                });
                if let Err(error) = read {
                    reader.events.problems.push(Problem::of(&error, &part.name));
                }
            }
        }
        reader.events
    }

    /// The files that are too large to be read whole, by their lengths.
    pub fn unread(files: &dyn Files) -> Vec<Problem> {
        parts(files).iter().filter_map(Parts::problem).collect()
    }
}

/// Context of the lines.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) events: Events,
    file: String,
    words: BTreeSet<Arc<str>>,
    memory: usize,
    /// A header began; the next session id decides whether it is a new opening or a LOG that was rolled.
    header: Option<(u64, String)>,
    /// Whether an event of this file has been kept in an opening.
    opened: bool,
    /// Local time less UTC, microseconds.
    zone: Option<i64>,
    /// Indexes of the first event and job of this file: until the difference is known, their times are local.
    local_from: usize,
    local_jobs_from: usize,
    /// Jobs of this opening by number; several families may share one.
    pub(super) running: BTreeMap<u64, Vec<u32>>,
    /// The family in the last text line of a job.
    pub(super) families: BTreeMap<u64, Arc<str>>,
    /// LevelDB's jobs that have not finished: the flush, the compaction.
    pub(super) leveldb: [Option<u32>; 2],
    /// Moves that the next `trivial_move` confirms: number of the table and place in its list.
    pub(super) moves: Vec<(u64, usize)>,
    /// Tables that FIFO compaction picked and has not deleted yet.
    pub(super) dropping: Option<Dropping>,
    /// Sequence numbers from lines before the ingestion's event: number of the table, sequence number.
    pub(super) sequences: BTreeMap<u64, u64>,
}

/// Tables that FIFO compaction picked.
pub(super) struct Dropping {
    pub(super) family: Arc<str>,
    pub(super) reason: Arc<str>,
    pub(super) started: u64,
    pub(super) tables: Vec<u64>,
}

impl Reader {
    fn begin_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.header = None;
        self.opened = false;
        self.zone = None;
        self.local_from = self.events.events.len();
        self.local_jobs_from = self.events.jobs.len();
    }

    /// Lines are left out here: which jobs run is unknown after them.
    fn skip(&mut self) {
        self.running.clear();
        self.families.clear();
        self.moves.clear();
        self.leveldb = [None; 2];
        self.dropping = None;
    }

    fn line(&mut self, bytes: &[u8]) {
        self.events.lines += 1;
        let text = String::from_utf8_lossy(bytes);
        let Some(line) = Line::parse(text.trim_end_matches('\r')) else { return };
        if let Some(version) = line.text.strip_prefix("RocksDB version: ") {
            let version = version.trim();
            self.header = Some((line.local, cut(version).to_owned()));
        } else if let Some(session) = line.text.strip_prefix("DB Session ID:") {
            self.session(session.trim(), line.local);
        } else if let Some((_, json)) = line.text.split_once("EVENT_LOG_v1 ") {
            self.json(json, line.local);
        } else {
            self.text(line.text, line.local);
        }
    }

    /// The header of a LOG that was rolled repeats the session of the LOG before it: the opening goes on.
    fn session(&mut self, session: &str, local: u64) {
        let last = self.events.openings.last();
        if last.is_some_and(|opening| opening.session.as_deref() == Some(session)) {
            self.header = None;
            self.opened = true;
            return;
        }
        let (started, version) = self.header.take().map_or((local, None), |(at, v)| (at, Some(v)));
        self.open(started, Some(cut(session).to_owned()), version);
    }

    fn open(&mut self, started: u64, session: Option<String>, version: Option<String>) {
        self.skip();
        self.opened = true;
        if self.spend(size_of::<Opening>() + 100) {
            let file = self.file.clone();
            let opening = Opening { file, started, session, version };
            self.events.openings.push(opening);
        }
    }

    /// Makes sure that there is an opening that a line at `local` belongs to.
    fn ensure_opening(&mut self, local: u64) {
        if let Some((started, version)) = self.header.take() {
            self.open(started, None, Some(version));
        } else if !self.opened {
            self.open(local, None, None);
        }
    }

    /// The index of the opening that lines belong to now.
    pub(super) fn opening(&self) -> u32 {
        index(self.events.openings.len().saturating_sub(1))
    }

    /// An event had its time in UTC: all local times of this file can be corrected.
    pub(super) fn learn_zone(&mut self, local: u64, utc: u64) {
        if self.zone.is_some() {
            return;
        }
        let difference = local.cast_signed().saturating_sub(utc.cast_signed());
        let zone =
            difference.saturating_add(QUARTER / 2).div_euclid(QUARTER).saturating_mul(QUARTER);
        self.zone = Some(zone);
        for event in self.events.events.iter_mut().skip(self.local_from) {
            event.micros = event.micros.saturating_add_signed(-zone);
        }
        let opening = self.events.openings.last_mut();
        if let Some(opening) = opening.filter(|opening| opening.file == self.file) {
            opening.started = opening.started.saturating_add_signed(-zone);
        }
        for job in self.events.jobs.iter_mut().skip(self.local_jobs_from) {
            for time in [&mut job.started, &mut job.finished].into_iter().flatten() {
                *time = time.saturating_add_signed(-zone);
            }
        }
    }

    /// A local time in UTC, as far as the difference is known.
    pub(super) fn utc(&self, local: u64) -> u64 {
        local.saturating_add_signed(-self.zone.unwrap_or(0))
    }

    /// Counts memory; returns whether there is room: after the limit nothing more is kept.
    fn spend(&mut self, bytes: usize) -> bool {
        self.memory = self.memory.saturating_add(bytes);
        self.events.cut_short |= self.memory > MEMORY_MAX;
        !self.events.cut_short
    }

    /// One copy of each name and reason.
    pub(super) fn word(&mut self, word: &str) -> Arc<str> {
        let word = cut(word);
        if let Some(known) = self.words.get(word) {
            return known.clone();
        }
        self.spend(word.len() + 64);
        let word: Arc<str> = word.into();
        self.words.insert(word.clone());
        word
    }

    pub(super) fn count(&mut self, name: &str) {
        if let Some(count) = self.events.counts.get_mut(name) {
            *count += 1;
        } else if self.events.counts.len() < NAMES_MAX {
            self.events.counts.insert(cut(name).to_owned(), 1);
        }
    }

    /// Keeps an event.
    pub(super) fn push(&mut self, micros: u64, what: What) {
        self.ensure_opening(micros);
        if self.spend(size_of::<Event>()) {
            let opening = self.opening();
            self.events.events.push(Event { micros, opening, what });
        }
    }

    /// Begins a job; `None` when there is no room for it.
    pub(super) fn job(&mut self, kind: JobKind, number: Option<u64>, at: u64) -> Option<u32> {
        self.ensure_opening(at);
        if !self.spend(size_of::<Job>() + 64) {
            return None;
        }
        let job = index(self.events.jobs.len());
        let opening = self.opening();
        let family = number.and_then(|number| self.families.get(&number).cloned());
        self.events.jobs.push(Job { opening, number, kind, family, ..Job::default() });
        if let Some(number) = number {
            self.running.entry(number).or_default().push(job);
        }
        Some(job)
    }

    /// Like [`Reader::job`], of a job that starts now.
    pub(super) fn start(&mut self, kind: JobKind, number: Option<u64>, micros: u64) -> Option<u32> {
        let place = self.job(kind, number, micros)?;
        self.job_mut(place)?.started = Some(micros);
        self.push(micros, What::Started(place));
        Some(place)
    }

    /// A job to write into.
    pub(super) fn job_mut(&mut self, job: u32) -> Option<&mut Job> {
        self.events.jobs.get_mut(job as usize)
    }

    /// Notes that `job` made table or blob file `number`.
    pub(super) fn made(&mut self, number: u64, job: u32) {
        if self.spend(64) {
            self.events.job_of_table.insert(number, job);
        }
    }

    /// A job made a table.
    pub(super) fn table_made(&mut self, number: u64, bytes: u64, job: u32, micros: u64) {
        if let Some(job) = self.job_mut(job) {
            job.tables.push(number);
            job.output_bytes = job.output_bytes.saturating_add(bytes);
        }
        self.made(number, job);
        self.push(micros, What::TableCreated { number, bytes, job });
    }

    /// Notes a deletion from the disk.
    pub(super) fn deleted(&mut self, number: u64, micros: u64) {
        if self.spend(64) {
            self.events.deleted.insert(number, micros);
        }
    }

    /// Takes in the job of a FIFO compaction, which deletes the tables that it picked.
    pub(super) fn dropped(&mut self, dropping: Dropping, micros: u64) {
        self.spend(dropping.tables.len().saturating_mul(64));
        let Some(place) = self.job(JobKind::Compaction, None, micros) else { return };
        for number in &dropping.tables {
            self.events.dropped.insert(*number, place);
        }
        if let Some(job) = self.job_mut(place) {
            (job.started, job.finished) = (Some(dropping.started), Some(micros));
            (job.family, job.reason) = (Some(dropping.family), Some(dropping.reason));
            job.inputs = dropping.tables.into_iter().map(|number| (0, number)).collect();
        }
        self.push(micros, What::Finished(place));
    }

    /// Notes a move of table `number`.
    pub(super) fn move_to(&mut self, number: u64, level: u32, micros: u64, job: Option<u32>) {
        if !self.spend(128) {
            return;
        }
        let moves = self.events.moved.entry(number).or_default();
        moves.push(TableMove { micros, level, job });
        let place = moves.len() - 1;
        if job.is_none() {
            self.moves.push((number, place));
        }
        self.push(micros, What::Moved { number, level });
    }

    /// The moves before a `trivial_move` belong to its job.
    pub(super) fn confirm_moves(&mut self, job: u32, micros: u64) {
        for (number, place) in std::mem::take(&mut self.moves) {
            let moves = self.events.moved.get_mut(&number);
            if let Some(moved) = moves.and_then(|moves| moves.get_mut(place)) {
                moved.job = Some(job);
                moved.micros = micros;
            }
        }
    }

    /// Notes an ingestion.
    pub(super) fn ingest(&mut self, number: u64, level: u32, micros: u64) {
        if self.spend(96) {
            let sequence = self.sequences.remove(&number);
            self.events.ingested.insert(number, Ingestion { micros, level, sequence });
            self.push(micros, What::Ingested { number, level });
        }
    }

    fn text(&mut self, text: &str, local: u64) {
        let micros = self.utc(local);
        if !self.rocksdb_text(text, micros) {
            self.leveldb_text(text, micros);
        }
    }
}

/// Concludes the engine from the LOG alone: RocksDB writes a version or JSON events.
impl Events {
    /// RocksDB or LevelDB, `None` when no line decides it.
    pub fn engine(&self) -> Option<Engine> {
        let version = self.openings.iter().any(|opening| opening.version.is_some());
        if version || !self.counts.is_empty() {
            Some(Engine::RocksDb)
        } else if !self.jobs.is_empty() {
            Some(Engine::LevelDb)
        } else {
            None
        }
    }
}

pub(super) fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn cut(word: &str) -> &str {
    word.get(..word.floor_char_boundary(WORD_BYTES_MAX)).unwrap_or_default()
}
