//! Live entries as a table that `RocksDB` ingests.
#![expect(clippy::disallowed_types, reason = "files of others are no part of a database")]

use super::tell;
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{LiveEntries, SstSummary, SstWriter};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are written at once.
const WRITE_BYTES: usize = 1 << 20;

/// A new file that is deleted again when its writing fails.
struct NewTable<'p> {
    path: &'p Path,
    file: File,
    writer: SstWriter,
    waiting: Vec<u8>,
}

impl<'p> NewTable<'p> {
    fn make(path: &'p Path, comparator: &str) -> Result<Self, Failure> {
        let writer = SstWriter::new(comparator).map_err(|error| tell::failure(&error))?;
        let file = File::create_new(path).map_err(|error| failed(path, &error))?;
        Ok(Self { path, file, writer, waiting: Vec::new() })
    }

    fn add(&mut self, key: &[u8], value: &[u8]) -> Result<(), Failure> {
        self.writer.add(key, value).map_err(|error| tell::failure(&error))?;
        self.waiting.append(&mut self.writer.take());
        if self.waiting.len() >= WRITE_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Failure> {
        let bytes = std::mem::take(&mut self.waiting);
        self.file.write_all(&bytes).map_err(|error| failed(self.path, &error))
    }

    fn finish(&mut self) -> Result<SstSummary, Failure> {
        let summary = self.writer.finish().map_err(|error| tell::failure(&error))?;
        self.waiting.append(&mut self.writer.take());
        self.write()?;
        self.file.sync_all().map_err(|error| failed(self.path, &error))?;
        Ok(summary)
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let reason = levelscope::text::system(error);
    let message = text::printable(&format!("{} cannot be written: {reason}", path.display()));
    Failure { kind: "io".into(), message, hint: None }
}

/// Writes a new file by `fill`; a failure leaves none.
fn written(
    path: &Path,
    comparator: &str,
    fill: impl FnOnce(&mut NewTable<'_>) -> Result<(), Failure>,
) -> Result<SstSummary, Failure> {
    let mut table = NewTable::make(path, comparator)?;
    let done = fill(&mut table).and_then(|()| table.finish());
    if done.is_err() {
        let _ = std::fs::remove_file(path);
    }
    done
}

/// The live entries of a family of another engine.
pub(super) fn family(
    directory: &Directory<'_>,
    family: u32,
    path: &Path,
) -> Result<SstSummary, Failure> {
    let of = directory.family(family).map_err(|error| tell::failure(&error))?;
    written(path, &of.comparator_name, |table| {
        each_live(directory, family, |key, value| table.add(key, value))
    })
}

/// Calls `take` for every live entry of a family; one that cannot be copied ends it.
pub(super) fn each_live(
    directory: &Directory<'_>,
    family: u32,
    mut take: impl FnMut(&[u8], &[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut entries = LiveEntries::new(directory, family).map_err(|error| tell::failure(&error))?;
    while let Some((key, value)) = entries.next_entry().map_err(|error| tell::failure(&error))? {
        take(&key, &value)?;
    }
    Ok(())
}

/// What was written, for people and programs.
pub(super) fn response(done: &SstSummary) -> Response {
    let told = format!(
        "       {} in a table of {}, which RocksDB's IngestExternalFile takes.",
        text::counted(done.entries, "live entry"),
        text::size(done.bytes)
    );
    let lines = vec![OutputLine::new().with(Style::Good, "ok").plain(told)];
    Response { lines, result: serde_json::json!(done), ..Response::default() }
}
