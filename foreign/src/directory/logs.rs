//! The logs of a directory: what they add to each family, and how each one ends.

use crate::batch::{Batch, Pending, Replay, Written};
use crate::frame::{End, LogKind, Records};
use crate::name::FileName;
use crate::read::MemoryRun;
use crate::read::memory::MemoryEntry;
use crate::sorting::sort_by_key;
use crate::{Engine, Files, Kind, Problem, RangeDeletion, Result, Severity, State};
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
    /// Batches that could be read after damage; the library leaves them out.
    pub left_after_damage: u64,
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
        let Some(family) = self.state.families.get(&written.family) else { return };
        if file.number < family.log_number && file.number != self.state.previous_log_number {
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

impl Logs {
    /// Reads the logs that count after `state`, in the order of their numbers.
    ///
    /// # Errors
    /// The host cannot read a file, or stopped. Damage is a problem of the logs.
    pub fn read(files: &dyn Files, state: &State) -> Result<Self> {
        let mut logs = Self { files: list(files, state), ..Self::default() };
        let mut collector = Collector {
            state,
            entries: BTreeMap::new(),
            deletions: BTreeMap::new(),
            range_keys: BTreeMap::new(),
            bytes: 0,
            is_full: false,
        };
        let mut replay = Replay::default();
        let mut is_stopped = false;
        let mut list = std::mem::take(&mut logs.files);
        for file in list.iter_mut().filter(|file| file.counts) {
            if is_stopped || collector.is_full {
                let message = "not read: recovery stops before this log";
                logs.problems.push(Problem::new(Severity::Note, &file.name, message));
                continue;
            }
            is_stopped = logs.read_one(files, file, &mut replay, &mut collector)?;
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

    /// Reads one log; whether recovery ends in it.
    fn read_one(
        &mut self,
        files: &dyn Files,
        file: &mut LogFile,
        replay: &mut Replay,
        collector: &mut Collector<'_>,
    ) -> Result<bool> {
        let engine = collector.state.engine;
        let kind = LogKind::Log { engine, number: file.number };
        let mut records = Records::open(files, &file.name, kind)?;
        let mut is_over = false;
        replay.begin_log(file.number);
        loop {
            while let Some(record) = records.read()? {
                let batch = Batch::open(engine, &record.data);
                let applied = batch.and_then(|batch| {
                    if is_over {
                        file.left_after_damage += 1;
                        return Ok(());
                    }
                    file.batches += 1;
                    replay.apply(&batch, |written| {
                        // A prepared transaction takes its numbers when it is committed.
                        self.last_sequence = self.last_sequence.max(written.sequence);
                        collector.write(file, written);
                    })
                });
                if let Err(error) = applied {
                    let error = record.located(&error);
                    self.problems.push(Problem::of(&error.in_file(&file.name), &file.name));
                    is_over = engine != Engine::LevelDb;
                }
                if collector.is_full {
                    return Ok(true);
                }
            }
            let Some(End::Damaged(error)) = records.end().cloned() else { break };
            if file.end.is_none() {
                self.problems.push(Problem::of(&error, &file.name));
                file.end = Some(End::Damaged(error));
            }
            // LevelDB goes on after damage, the others stop and leave out the rest without a word.
            is_over = engine != Engine::LevelDb;
            if !records.resume()? {
                break;
            }
        }
        if file.end.is_none() {
            file.end = records.end().cloned();
        }
        self.tell_end(file);
        self.tell_synced(file, collector.state);
        Ok(is_over)
    }

    /// Names a torn end, and batches after damage.
    fn tell_end(&mut self, file: &LogFile) {
        if let Some(End::Torn { offset, bytes }) = &file.end {
            let message =
                format!("the last record is cut off after {bytes} bytes, as a crash leaves it");
            let mut problem = Problem::new(Severity::Note, &file.name, message);
            problem.offset = Some(*offset);
            self.problems.push(problem);
        }
        if file.left_after_damage > 0 {
            let count = file.left_after_damage;
            let batches = if count == 1 { "1 batch".into() } else { format!("{count} batches") };
            let message =
                format!("{batches} after the damage can be read, but recovery leaves them out");
            self.problems.push(Problem::new(Severity::Error, &file.name, message));
        }
    }

    /// Compares the length with that which the manifest says was synced.
    fn tell_synced(&mut self, file: &LogFile, state: &State) {
        let Some(Some(synced)) = state.tracked_logs.get(&file.number) else { return };
        if file.bytes < *synced {
            let (bytes, name) = (file.bytes, &file.name);
            let message = format!("{synced} bytes were synced, but the file has {bytes}");
            self.problems.push(Problem::new(Severity::Error, name, message));
        }
    }
}

/// The logs in the order of their numbers, without those in the archive.
fn list(files: &dyn Files, state: &State) -> Vec<LogFile> {
    let mut list: Vec<(u64, u32, LogFile)> = Vec::new();
    for info in files.list() {
        let FileName::Log { number, part, archived: false } = FileName::parse(&info.name) else {
            continue;
        };
        let needed = state.families.values().map(|family| family.log_number).min().unwrap_or(0);
        let smallest = needed.max(state.min_log_number);
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
                left_after_damage: 0,
            },
        ));
    }
    sort_by_key(&mut list, |(number, part, _)| (*number, *part));
    list.into_iter().map(|(_, _, file)| file).collect()
}
