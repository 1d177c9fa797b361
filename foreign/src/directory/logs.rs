//! The logs of a directory: their entries for each family, and their ends.

use super::losses::{self, LeftOut};
use crate::batch::{Batch, Pending, Replay, Written};
use crate::frame::header::BLOCK_BYTES;
use crate::frame::{End, LogKind, Records};
use crate::name::FileName;
use crate::read::MemoryRun;
use crate::read::memory::MemoryEntry;
use crate::sorting::sort_by_key;
use crate::text::number;
use crate::{Engine, ErrorKind, Files, Kind, Problem, RangeDeletion, Result, Severity, State};
use std::collections::BTreeMap;

/// Keys and values that are held at most; later ones are reported as not read.
const BYTES_MAX: usize = 160 << 20;

/// One log.
#[derive(Debug, Clone, Default)]
pub struct LogFile {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: u64,
    /// Its length.
    pub bytes: u64,
    /// Whether a recovery would read it.
    pub counts: bool,
    /// Batches in it.
    pub batches: u64,
    /// Entries and deletes by family, of the visible operations that the family still needs.
    pub families: BTreeMap<u32, (usize, usize)>,
    /// Its end; `None` when it was not read.
    pub end: Option<End>,
    /// Sequence numbers of the batches that count: the first and the last.
    pub sequences: Option<(u64, u64)>,
    /// Batches that can be read but do not count, because they or the whole log come after damage.
    pub left_out: LeftOut,
    /// Sequence numbers that damage took, between batches that can be read.
    pub lost: Vec<(u64, u64)>,
    /// Whether a batch after the first damage can be read.
    pub reads_on: bool,
    /// The sequence number of the last batch that was read.
    last: Option<u64>,
}

impl LogFile {
    /// Takes in a batch that can be read, with `damaged` after damage.
    fn see(&mut self, batch: &Batch<'_>, damaged: &mut bool) {
        self.reads_on |= *damaged;
        if batch.count == 0 {
            return;
        }
        let next = self.last.map(|last| last.saturating_add(1));
        if let Some(next) = next.filter(|next| *damaged && batch.sequence > *next) {
            self.lost.push((next, batch.sequence - 1));
        }
        (self.last, *damaged) = (Some(batch.last_sequence()), false);
    }

    /// Whether its records were read, up to its end or to damage.
    pub fn is_read(&self) -> bool {
        match &self.end {
            Some(End::Damaged(error)) => error.kind() != ErrorKind::NotRead,
            end => end.is_some(),
        }
    }
}

/// All logs.
#[derive(Debug, Default)]
pub struct Logs {
    /// The logs in the order of their numbers.
    pub files: Vec<LogFile>,
    /// Entries by family.
    pub runs: BTreeMap<u32, MemoryRun>,
    /// Range deletions by family.
    pub deletions: BTreeMap<u32, Vec<RangeDeletion>>,
    /// Operations on range keys of Pebble by family; they are no entries.
    pub range_keys: BTreeMap<u32, u64>,
    /// Prepared transactions without a commit.
    pub pending: Vec<Pending>,
    /// Largest sequence number in them.
    pub last_sequence: u64,
    /// The log in which recovery stops: name and number. Recovery applies nothing of the logs after it.
    pub stopped: Option<(String, u64)>,
    /// The number of the last log in which recovery met damage: that one, or a later one that begins with damage. RocksDB
    /// compares the log numbers of families with it.
    pub damaged: Option<u64>,
    /// Findings in logs.
    pub problems: Vec<Problem>,
}

/// Progress of a replay of all logs, from one log to the next.
#[derive(Default)]
struct Course {
    replay: Replay,
    /// The log in which recovery stopped.
    stopped: Option<(String, u64)>,
    /// The last log in which it met damage.
    damaged: Option<u64>,
    /// The sequence number after those of the last batch that was applied.
    next: Option<u64>,
}

impl Course {
    /// Whether recovery goes on with `batch`, the first one of its log: RocksDB's point-in-time recovery takes up a log
    /// whose sequence numbers follow those that it has.
    fn takes_up(&self, batch: &Batch<'_>) -> bool {
        matches!(batch.engine, Engine::RocksDb | Engine::Levelscope)
            && self.next == Some(batch.sequence)
    }
}

/// Collects operations while logs are read.
struct Collector<'s> {
    state: &'s State,
    entries: BTreeMap<u32, Vec<MemoryEntry>>,
    deletions: BTreeMap<u32, Vec<RangeDeletion>>,
    range_keys: BTreeMap<u32, u64>,
    bytes: usize,
    is_full: bool,
}

impl Collector<'_> {
    /// Takes in an operation of log `number`, unless its family has it in tables.
    fn write(&mut self, file: &mut LogFile, written: Written) {
        if !needs(self.state, file.number, written.family) {
            return;
        }
        self.bytes += written.key.len() + written.value.len() + size_of::<MemoryEntry>();
        if self.bytes > BYTES_MAX {
            self.is_full = true;
            return;
        }
        let Written { family, kind, key, value, sequence } = written;
        let counts = file.families.entry(family).or_default();
        counts.0 += 1;
        counts.1 += usize::from(kind.is_delete() || kind == Kind::RangeDelete);
        match kind {
            Kind::RangeDelete => {
                let is_open = self.state.engine == Engine::Levelscope && value.is_empty();
                let end = (!is_open).then_some(value);
                let deletion = RangeDeletion { start: key, end, sequence };
                self.deletions.entry(family).or_default().push(deletion);
            }
            Kind::RangeKeySet | Kind::RangeKeyUnset | Kind::RangeKeyDelete => {
                *self.range_keys.entry(family).or_default() += 1;
            }
            kind => {
                let entry = MemoryEntry { user_key: key, sequence, kind, value };
                self.entries.entry(family).or_default().push(entry);
            }
        }
    }
}

/// Whether a family has not yet all entries of log `number` in tables.
pub(crate) fn needs(state: &State, number: u64, family: u32) -> bool {
    let family = state.families.get(&family);
    family.is_some_and(|family| number >= family.log_number || number == state.previous_log_number)
}

impl Logs {
    /// Reads the logs that count after `state`, in the order of their numbers. With `keeps_prepared` (`allow_2pc` of
    /// `RocksDB`) those count, too, that are kept for prepared transactions alone.
    ///
    /// # Errors
    /// The host stopped. Damage, and a log that the host cannot read, is a problem of the logs.
    pub fn read(files: &dyn Files, state: &State, keeps_prepared: bool) -> Result<Self> {
        let mut logs = Self { files: list(files, state, keeps_prepared), ..Self::default() };
        let mut collector = Collector {
            state,
            entries: BTreeMap::new(),
            deletions: BTreeMap::new(),
            range_keys: BTreeMap::new(),
            bytes: 0,
            is_full: false,
        };
        let mut course = Course::default();
        let mut list = std::mem::take(&mut logs.files);
        for file in list.iter_mut().filter(|file| file.counts) {
            if collector.is_full {
                let message = "not read: the logs before it are too large";
                logs.problems.push(Problem::new(Severity::NotRead, &file.name, message));
                continue;
            }
            let read = logs.read_one(files, file, &mut course, &mut collector);
            let is_over = match read {
                Err(error) if error.kind() != ErrorKind::Stopped => {
                    let error = error.in_file(&file.name);
                    logs.problems.push(Problem::of(&error, &file.name));
                    true
                }
                read => read?,
            };
            if is_over && course.stopped.is_none() {
                course.stopped = Some((file.name.clone(), file.number));
                course.damaged = Some(file.number);
            }
        }
        if collector.is_full {
            let name = list.last().map(|file| file.name.clone()).unwrap_or_default();
            let message = format!("not read whole: logs of more than {} MiB", BYTES_MAX >> 20);
            logs.problems.push(Problem::new(Severity::NotRead, &name, message));
        }
        logs.files = list;
        logs.pending = course.replay.pending();
        (logs.stopped, logs.damaged) = (course.stopped, course.damaged);
        logs.deletions = collector.deletions;
        logs.range_keys = collector.range_keys;
        let order = |family: &u32| state.families.get(family).map(|family| family.comparator);
        for (family, entries) in collector.entries {
            let comparator = order(&family).unwrap_or(crate::Comparator::Unknown);
            logs.runs.insert(family, MemoryRun::new(entries, comparator));
        }
        Ok(logs)
    }

    /// Entries that the logs add to a family, range deletions and range keys among them, and how many of them delete.
    pub fn entries_of(&self, family: u32) -> (usize, usize) {
        let counts = self.files.iter().filter_map(|file| file.families.get(&family));
        counts.fold((0, 0), |(all, deletes), (more, of_these)| (all + more, deletes + of_these))
    }

    /// Reads one log; whether recovery stops in it, or stopped in a log before it.
    fn read_one(
        &mut self,
        files: &dyn Files,
        file: &mut LogFile,
        course: &mut Course,
        collector: &mut Collector<'_>,
    ) -> Result<bool> {
        let (engine, state) = (collector.state.engine, collector.state);
        let kind = LogKind::Log { engine, number: file.number };
        let mut records = Records::open(files, &file.name, kind)?;
        if let Some(bytes) = state.sealed_logs.get(&file.number) {
            records.cut_to(*bytes);
        }
        course.replay.begin_log(file.number);
        let reads_on = engine == Engine::LevelDb || is_single_own(files);
        let mut is_over = course.stopped.is_some();
        let (mut is_first, mut is_after_damage, mut damage) = (true, false, None);
        let mut begins_damaged = false;
        // LevelDB drops the rest of a block after a frame that it cannot read.
        let mut dropped_until = 0;
        loop {
            while let Some(record) = records.read()? {
                let batch = Batch::open(engine, &record.data);
                let applied = batch.and_then(|batch| {
                    file.see(&batch, &mut is_after_damage);
                    if std::mem::take(&mut is_first) && is_over && course.takes_up(&batch) {
                        (is_over, course.stopped) = (false, None);
                    }
                    if is_over || record.offset < dropped_until {
                        file.left_out.take(&batch, state, file.number);
                        return Ok(());
                    }
                    file.batches += 1;
                    losses::widen(&mut file.sequences, &batch);
                    course.next = Some(batch.sequence.saturating_add(batch.count.into()));
                    course.replay.apply(&batch, |written| {
                        // A prepared transaction takes its numbers when it is committed.
                        self.last_sequence = self.last_sequence.max(written.sequence);
                        collector.write(file, written);
                    })
                });
                if let Err(error) = applied {
                    let error = record.located(&error);
                    damage.get_or_insert(self.problems.len());
                    self.problems.push(Problem::of(&error.in_file(&file.name), &file.name));
                    is_over |= !reads_on;
                }
                if collector.is_full {
                    return Ok(true);
                }
            }
            let Some(End::Damaged(error)) = records.end().cloned() else { break };
            is_after_damage = true;
            begins_damaged |= is_first;
            if records.drops_block() && engine == Engine::LevelDb {
                dropped_until = (records.position() / BLOCK_BYTES + 1) * BLOCK_BYTES;
            }
            if file.end.is_none() {
                damage.get_or_insert(self.problems.len());
                self.problems.push(Problem::of(&error, &file.name));
                file.end = Some(End::Damaged(error));
            }
            // LevelDB goes on after damage, the others stop and silently leave out the rest.
            is_over |= !reads_on;
            if !records.resume()? {
                break;
            }
        }
        if file.end.is_none() {
            file.end = records.end().cloned();
        }
        self.report(files, file, damage, course.stopped.as_ref(), state);
        // A log that is cut off ends point-in-time recovery, too, unless the next one goes on where it ends.
        let is_torn = matches!(file.end, Some(End::Torn { .. }));
        if course.stopped.is_some() && (begins_damaged || is_first && is_torn) {
            course.damaged = Some(file.number);
        }
        Ok(is_over || (is_torn && matches!(engine, Engine::RocksDb | Engine::Levelscope)))
    }

    /// Adds the findings about a log that was read; `damage` is the place of the first one.
    fn report(
        &mut self,
        files: &dyn Files,
        file: &mut LogFile,
        damage: Option<usize>,
        stopped: Option<&(String, u64)>,
        state: &State,
    ) {
        let lost = std::mem::take(&mut file.lost).into_iter();
        file.lost = lost.filter(|range| !losses::is_in_tables(files, state, *range)).collect();
        // Recovery keeps nothing of a log after the one that it ended in.
        let kept = match stopped {
            None if !is_single_own(files) => format!("; {}", losses::kept_words(file, state)),
            _ => String::new(),
        };
        if let Some(problem) = damage.and_then(|place| self.problems.get_mut(place)) {
            problem.message.push_str(&kept);
        }
        if let Some(End::Torn { offset, bytes }) = &file.end {
            let bytes = number(*bytes);
            let message = format!(
                "the last record is cut off after {bytes} bytes, as a crash leaves it{kept}"
            );
            let mut problem = Problem::new(Severity::Note, &file.name, message);
            problem.offset = Some(*offset);
            self.problems.push(problem);
        }
        let stopped = stopped.map(|(name, _)| name.as_str());
        self.problems.extend(losses::problems(file, stopped, state));
        self.check_synced(file, state);
    }

    /// Compares the length with the synced length in the manifest.
    fn check_synced(&mut self, file: &LogFile, state: &State) {
        let Some(Some(synced)) = state.tracked_logs.get(&file.number) else { return };
        if file.bytes < *synced {
            let (bytes, name) = (file.bytes, &file.name);
            let message = format!(
                "{} bytes were synced, but the file has {}",
                number(*synced),
                number(bytes)
            );
            self.problems.push(Problem::new(Severity::Error, name, message));
        }
    }
}

/// Whether the files are single ones of Levelscope: of their logs all that can be read counts, also after damage.
fn is_single_own(files: &dyn Files) -> bool {
    files.loose() == Some(Engine::Levelscope)
}

/// The logs in the order of their numbers, without those in the archive.
fn list(files: &dyn Files, state: &State, keeps_prepared: bool) -> Vec<LogFile> {
    let mut list: Vec<(u64, u32, LogFile)> = Vec::new();
    let needed = state.families.values().map(|family| family.log_number).min().unwrap_or(0);
    // The entries of an older log are all in tables, but not those of its transactions that were not committed then.
    let smallest =
        if keeps_prepared { state.min_log_number } else { needed.max(state.min_log_number) };
    for info in files.list() {
        let FileName::Log { number, part, archived: false } = files.kind(&info.name) else {
            continue;
        };
        let counts = number >= smallest || number == state.previous_log_number;
        list.push((
            number,
            part,
            LogFile {
                name: info.name.clone(),
                number,
                bytes: info.bytes,
                counts,
                ..LogFile::default()
            },
        ));
    }
    sort_by_key(&mut list, |(number, part, _)| (*number, *part));
    list.into_iter().map(|(_, _, file)| file).collect()
}
