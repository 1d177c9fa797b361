//! Long work, in steps.

use levelscope_foreign::directory::{Directory, Target};
use levelscope_foreign::export::{Carrier, Policy, SstWriter};
use levelscope_foreign::files::total;
use levelscope_foreign::problem::sorted;
use levelscope_foreign::{Error, Problem, Result};
use serde::Serialize;

/// Bytes of a table that one step makes.
const STEP_BYTES: usize = 1 << 20;
/// Entries that one step looks at.
const STEP_ENTRIES: u32 = 20_000;
/// Bytes that one step of a check reads at least, unless it is the last one.
const STEP_CHECKED: u64 = 4 << 20;

/// How far work has come.
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
    progress: Progress,
}

impl CheckWork {
    pub(crate) fn new(directory: &Directory<'_>, deep: bool) -> Self {
        let mut waiting = directory.check_targets();
        // The largest come first: the end of a progress should not be slower than its beginning.
        waiting.reverse();
        let total = total(waiting.iter().map(Target::bytes));
        let progress = Progress { done: 0, total: Some(total) };
        Self { waiting, deep, found: directory.problems(), progress }
    }

    /// Goes on; `None` when it is done.
    pub(crate) fn step(&mut self, directory: &Directory<'_>) -> Option<Progress> {
        let mut read = 0;
        while read < STEP_CHECKED {
            let target = self.waiting.pop()?;
            let found = &mut self.found;
            directory.check(&target, self.deep, &mut |problem| found.push(problem));
            read = target.bytes().saturating_add(read);
            self.progress.done = target.bytes().saturating_add(self.progress.done);
        }
        Some(self.progress)
    }

    pub(crate) fn finish(self) -> Vec<Problem> {
        sorted(self.found)
    }
}

/// A table of the live entries of a family, part by part.
pub(crate) struct ExportWork {
    /// Until the last entry was met.
    entries: Option<Carrier<'static>>,
    writer: SstWriter,
    done: u64,
}

impl ExportWork {
    pub(crate) fn new(directory: &'static Directory<'static>, family: u32) -> Result<Self> {
        let writer = SstWriter::new(&directory.family(family)?.comparator_name)?;
        let entries = Carrier::new(directory, family, Policy::default())?;
        Ok(Self { entries: Some(entries), writer, done: 0 })
    }

    /// The next bytes of the table; `None` after its end.
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
            entries.finish()?;
        }
        self.writer.finish()?;
        bytes.append(&mut self.writer.take());
        Ok(())
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress { done: self.done, total: None }
    }
}
