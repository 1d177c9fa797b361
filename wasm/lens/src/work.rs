//! Long work, in steps.

use levelscope_console::Failure;
use levelscope_console::directory::{Opened, refused};
use levelscope_foreign::directory::{Directory, Target};
use levelscope_foreign::export::{Carrier, Policy, SstWriter};
use levelscope_foreign::files::total;
use levelscope_foreign::problem::sorted;
use levelscope_foreign::query::answer::CheckOutcome;
use levelscope_foreign::text::{count, number};
use levelscope_foreign::{Error, ErrorKind, Problem, Result};
use serde::Serialize;

/// Bytes of a table that one step makes.
const STEP_BYTES: usize = 1 << 20;
/// Entries that one step looks at.
const STEP_ENTRIES: u32 = 20_000;
/// Bytes that one step of a check reads at least, unless it is the last one.
const STEP_CHECKED: u64 = 4 << 20;
/// Findings that are named where a table was made without what they concern.
const FINDINGS_NAMED: usize = 4;

/// The progress of a check or an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Of a check: bytes; of a table that is made: entries.
    pub done: u64,
    /// Of how many, where that is known.
    pub total: Option<u64>,
}

/// A check, part by part.
pub(crate) struct CheckWork {
    waiting: Vec<Target>,
    deep: bool,
    found: Vec<Problem>,
    /// How many of these were reported.
    reported: usize,
    parts: usize,
    progress: Progress,
}

/// The progress of a check since the last call: a check that is stopped ends with its worker.
#[derive(Debug, Serialize)]
pub struct CheckNews<'w> {
    /// Tables and blob files that are checked.
    parts: usize,
    /// Tables and blob files that are not.
    left: usize,
    /// The first of these.
    next: Vec<String>,
    /// Findings not reported before.
    problems: &'w [Problem],
}

/// Parts that are named while they wait.
const NEXT_NAMED: usize = 3;

impl CheckWork {
    pub(crate) fn new(directory: &Directory<'_>, deep: bool) -> Self {
        let mut waiting = directory.check_targets();
        // The largest come first: the end of a progress should not be slower than its beginning.
        waiting.reverse();
        let total = total(waiting.iter().map(|target| target.bytes));
        let progress = Progress { done: 0, total: Some(total) };
        Self { waiting, deep, found: directory.problems(), reported: 0, parts: 0, progress }
    }

    /// Goes on; `None` when it is done.
    pub(crate) fn step(&mut self, directory: &Directory<'_>) -> Option<Progress> {
        let mut read = 0;
        while read < STEP_CHECKED {
            let target = self.waiting.pop()?;
            let found = &mut self.found;
            directory.check(&target, self.deep, &mut |problem| found.push(problem));
            self.parts += 1;
            read = target.bytes.saturating_add(read);
            self.progress.done = target.bytes.saturating_add(self.progress.done);
        }
        Some(self.progress)
    }

    pub(crate) fn news(&mut self) -> CheckNews<'_> {
        let name = |target: &Target| {
            let kind = if target.is_blob { "blob file" } else { "table" };
            format!("{kind} {}", target.number)
        };
        let problems = self.found.get(self.reported..).unwrap_or_default();
        self.reported = self.found.len();
        CheckNews {
            parts: self.parts,
            left: self.waiting.len(),
            next: self.waiting.iter().rev().take(NEXT_NAMED).map(name).collect(),
            problems,
        }
    }

    pub(crate) fn finish(self, directory: &Directory<'_>) -> CheckOutcome {
        let extent = directory.checked().extent(self.deep);
        CheckOutcome { problems: sorted(self.found), extent }
    }
}

/// Output format of a family's live entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A table that `RocksDB` ingests.
    Table,
    /// A log of records that the playground opens.
    Log,
}

/// Writes the file.
enum Writer {
    Table(Box<SstWriter>),
    Log(Vec<u8>),
}

impl Writer {
    fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        match self {
            Self::Table(writer) => writer.add(key, value),
            Self::Log(out) => levelscope_formats::kvdb::put(out, key, Some(value))
                .map_err(|error| Error::new(ErrorKind::Invalid, error.message())),
        }
    }

    /// The bytes since the last call.
    fn take(&mut self) -> Vec<u8> {
        match self {
            Self::Table(writer) => writer.take(),
            Self::Log(out) => std::mem::take(out),
        }
    }

    fn finish(&mut self) -> Result<()> {
        match self {
            Self::Table(writer) => writer.finish().map(|_| ()),
            Self::Log(_) => Ok(()),
        }
    }
}

/// The order of keys of files without an engine.
const BYTEWISE: &str = "leveldb.BytewiseComparator";

/// Live entries in the order of their keys.
enum Entries {
    /// Of a family.
    Carried(Box<Carrier<'static>>),
    /// Of a file, and what was left out of it.
    Live(std::vec::IntoIter<(Vec<u8>, Vec<u8>)>, Vec<String>),
}

impl Entries {
    fn next_entry(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        match self {
            Self::Carried(entries) => entries.next_entry(),
            Self::Live(entries, _) => Ok(entries.next()),
        }
    }
}

/// The live entries of a family as a file, part by part.
pub(crate) struct ExportWork {
    /// Until the last entry was met.
    entries: Option<Entries>,
    writer: Writer,
    done: u64,
    losses: Vec<String>,
    is_refused: bool,
}

impl ExportWork {
    pub(crate) fn new(
        opened: &'static Opened<'static>,
        family: u32,
        policy: Policy,
        form: Form,
    ) -> Result<Self> {
        let refused = |failure: Failure| refused(&failure);
        let (entries, comparator) = match opened {
            Opened::Engine(directory) => {
                let name = directory.family(family)?.comparator_name.clone();
                (Entries::Carried(Box::new(Carrier::new(directory, family, policy)?)), name)
            }
            Opened::Files(files) => {
                let (live, losses) = files.live(family, policy.skip_damage).map_err(refused)?;
                (Entries::Live(live.into_iter(), losses), BYTEWISE.to_owned())
            }
        };
        // Another kind than that of damage: to leave something out would not help.
        let table = || SstWriter::new(&comparator);
        let writer = match form {
            Form::Table => Writer::Table(Box::new(
                table().map_err(|error| Error::new(ErrorKind::Invalid, error.to_string()))?,
            )),
            Form::Log => Writer::Log(Vec::new()),
        };
        Ok(Self { entries: Some(entries), writer, done: 0, losses: Vec::new(), is_refused: false })
    }

    /// The next bytes of the file; `None` after its end.
    pub(crate) fn step(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(entries) = &mut self.entries else { return Ok(None) };
        let mut bytes = Vec::new();
        for _ in 0..STEP_ENTRIES {
            let Some((key, value)) = entries.next_entry()? else {
                self.finish(&mut bytes)?;
                break;
            };
            self.writer.add(&key, &value)?;
            bytes.append(&mut self.writer.take());
            self.done += 1;
            if bytes.len() >= STEP_BYTES {
                break;
            }
        }
        Ok(Some(bytes))
    }

    fn finish(&mut self, bytes: &mut Vec<u8>) -> std::result::Result<(), Error> {
        // A table that is not whole must not pass for one.
        if let Some(entries) = self.entries.take() {
            self.losses = match entries {
                Entries::Live(_, losses) => losses,
                Entries::Carried(entries) => {
                    // It fails only when something would be lost that may not be.
                    let carried = entries.finish().inspect_err(|_| self.is_refused = true)?;
                    [carried.losses(), left_out(&carried.problems)].concat()
                }
            };
        }
        self.writer.finish()?;
        bytes.append(&mut self.writer.take());
        Ok(())
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress { done: self.done, total: None }
    }

    /// Entries that the new table lacks, a sentence for each kind.
    pub(crate) fn into_losses(self) -> Vec<String> {
        self.losses
    }

    /// Whether a lossy table could be made where this one failed.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }
}

/// The unread parts, a sentence for each finding: one that many entries meet is listed once.
fn left_out(problems: &[Problem]) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for Problem { file, offset, message, .. } in problems {
        let at = offset.map_or(String::new(), |offset| format!(" at offset {}", number(offset)));
        let sentence = format!("{file}{at}: {message}");
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    let more = sentences.len().saturating_sub(FINDINGS_NAMED);
    sentences.truncate(FINDINGS_NAMED);
    if more > 0 {
        sentences.push(format!("{} that could not be read", count(more as u64, "other place")));
    }
    sentences
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests read files of the disk")]

    use super::CheckWork;
    use levelscope_foreign::directory::Directory;
    use levelscope_foreign::{CountedFiles, MemoryFiles};

    #[test]
    fn a_check_reports_its_progress_and_its_next_tables() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/lsm/d_table_flip");
        let files = std::fs::read_dir(root).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        });
        let files = MemoryFiles::new(files);
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        let mut check = CheckWork::new(&directory, false);
        let all = check.waiting.len();
        let news = check.news();
        assert_eq!((news.parts, news.left, news.problems.len()), (0, all, 0));
        assert!(news.next[0].starts_with("table "), "{news:?}");
        assert!(check.step(&directory).is_none(), "so few bytes are one step");
        let news = check.news();
        assert_eq!((news.parts, news.left, news.next.len()), (all, 0, 0));
        assert_eq!(news.problems.len(), 1);
        assert_eq!(check.news().problems.len(), 0, "they are reported once");
        let outcome = check.finish(&directory);
        assert_eq!(outcome.problems.len(), 1);
        assert_eq!(outcome.extent, "every checksum was compared");
    }
}
