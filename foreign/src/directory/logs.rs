//! The logs of a directory: what they add to each family, and how each one ends.

use super::losses::{self, LeftOut};
use crate::batch::{Batch, Pending, Replay, Written};
use crate::frame::{End, LogKind, Records};
use crate::name::FileName;
use crate::read::MemoryRun;
use crate::read::memory::MemoryEntry;
use crate::sorting::sort_by_key;
use crate::text::number;
use crate::{Engine, ErrorKind, Files, Kind, Problem, RangeDeletion, Result, Severity, State};
use std::collections::BTreeMap;

/// Keys and values that are held at most; what comes after them is named as not read.
const BYTES_MAX: usize = 160 << 20;

/// One log.
#[derive(Debug, Clone)]
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
    /// How it ends; `None` when it was not read.
    pub end: Option<End>,
    /// Sequence numbers of the batches that count: the first and the last.
    pub sequences: Option<(u64, u64)>,
    /// Batches that can be read but do not count, because they or the whole log come after damage.
    pub left_out: LeftOut,
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
    /// What was found.
    pub problems: Vec<Problem>,
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
                let deletion = RangeDeletion { start: key, end: value, sequence };
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
        let mut replay = Replay::default();
        let mut stopped_in: Option<String> = None;
        let mut list = std::mem::take(&mut logs.files);
        for file in list.iter_mut().filter(|file| file.counts) {
            if collector.is_full {
                let message = "not read: the logs before it are too large";
                logs.problems.push(Problem::new(Severity::NotRead, &file.name, message));
                continue;
            }
            let read =
                logs.read_one(files, file, stopped_in.as_deref(), &mut replay, &mut collector);
            let is_over = match read {
                Err(error) if error.kind() != ErrorKind::Stopped => {
                    let error = error.in_file(&file.name);
                    logs.problems.push(Problem::of(&error, &file.name));
                    true
                }
                read => read?,
            };
            if is_over && stopped_in.is_none() {
                stopped_in = Some(file.name.clone());
            }
        }
        if collector.is_full {
            let name = list.last().map(|file| file.name.clone()).unwrap_or_default();
            let message = format!("not read whole: logs of more than {} MiB", BYTES_MAX >> 20);
            logs.problems.push(Problem::new(Severity::NotRead, &name, message));
        }
        logs.files = list;
        logs.pending = replay.pending();
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

    /// Reads one log; whether recovery ends in it, or ended in the log `stopped_in` before it.
    fn read_one(
        &mut self,
        files: &dyn Files,
        file: &mut LogFile,
        stopped_in: Option<&str>,
        replay: &mut Replay,
        collector: &mut Collector<'_>,
    ) -> Result<bool> {
        let engine = collector.state.engine;
        let kind = LogKind::Log { engine, number: file.number };
        let mut records = Records::open(files, &file.name, kind)?;
        replay.begin_log(file.number);
        let mut is_over = stopped_in.is_some();
        let (state, mut damage) = (collector.state, None);
        loop {
            while let Some(record) = records.read()? {
                let batch = Batch::open(engine, &record.data);
                let applied = batch.and_then(|batch| {
                    if is_over {
                        file.left_out.take(&batch, state, file.number);
                        return Ok(());
                    }
                    file.batches += 1;
                    losses::widen(&mut file.sequences, &batch);
                    replay.apply(&batch, |written| {
                        // A prepared transaction takes its numbers when it is committed.
                        self.last_sequence = self.last_sequence.max(written.sequence);
                        collector.write(file, written);
                    })
                });
                if let Err(error) = applied {
                    let error = record.located(&error);
                    damage.get_or_insert(self.problems.len());
                    self.problems.push(Problem::of(&error.in_file(&file.name), &file.name));
                    is_over |= engine != Engine::LevelDb;
                }
                if collector.is_full {
                    return Ok(true);
                }
            }
            let Some(End::Damaged(error)) = records.end().cloned() else { break };
            if file.end.is_none() {
                damage.get_or_insert(self.problems.len());
                self.problems.push(Problem::of(&error, &file.name));
                file.end = Some(End::Damaged(error));
            }
            // LevelDB goes on after damage, the others stop and leave out the rest without a word.
            is_over |= engine != Engine::LevelDb;
            if !records.resume()? {
                break;
            }
        }
        if file.end.is_none() {
            file.end = records.end().cloned();
        }
        // Recovery keeps nothing of a log after the one that it ended in.
        let kept = match stopped_in {
            None => format!("; {}", losses::kept_words(file, state)),
            Some(_) => String::new(),
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
        self.problems.extend(losses::problems(file, stopped_in, state));
        self.tell_synced(file, state);
        Ok(is_over)
    }

    /// Compares the length with that which the manifest says was synced.
    fn tell_synced(&mut self, file: &LogFile, state: &State) {
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

/// The logs in the order of their numbers, without those in the archive.
fn list(files: &dyn Files, state: &State, keeps_prepared: bool) -> Vec<LogFile> {
    let mut list: Vec<(u64, u32, LogFile)> = Vec::new();
    let needed = state.families.values().map(|family| family.log_number).min().unwrap_or(0);
    // The entries of an older log are all in tables, but not those of its transactions that were not committed then.
    let smallest =
        if keeps_prepared { state.min_log_number } else { needed.max(state.min_log_number) };
    for info in files.list() {
        let FileName::Log { number, part, archived: false } = FileName::parse(&info.name) else {
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
                batches: 0,
                families: BTreeMap::new(),
                end: None,
                sequences: None,
                left_out: LeftOut::default(),
            },
        ));
    }
    sort_by_key(&mut list, |(number, part, _)| (*number, *part));
    list.into_iter().map(|(_, _, file)| file).collect()
}
