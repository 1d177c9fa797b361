//! Live entries as a table that `RocksDB` ingests.
#![expect(clippy::disallowed_types, reason = "files of others are no part of a database")]

use super::copy::{self, Source, hinted};
use crate::native::arguments::{CopyArguments, ExportArguments};
use crate::native::exchange::opened;
use crate::native::files::failed;
use crate::native::unopened;
use levelscope::ScanOptions;
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carried, Carrier, Policy, SstSummary, SstWriter};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// The name in `RocksDB` of the order of keys of this program.
const BYTEWISE: &str = "leveldb.BytewiseComparator";

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
        let writer = SstWriter::new(comparator)?;
        let file = File::create_new(path).map_err(|error| failed(path, "written", &error))?;
        Ok(Self { path, file, writer, waiting: Vec::new() })
    }

    fn add(&mut self, key: &[u8], value: &[u8]) -> Result<(), Failure> {
        self.writer.add(key, value)?;
        self.waiting.append(&mut self.writer.take());
        if self.waiting.len() >= WRITE_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Failure> {
        let bytes = std::mem::take(&mut self.waiting);
        self.file.write_all(&bytes).map_err(|error| failed(self.path, "written", &error))
    }

    fn finish(&mut self) -> Result<SstSummary, Failure> {
        let summary = self.writer.finish()?;
        self.waiting.append(&mut self.writer.take());
        self.write()?;
        self.file.sync_all().map_err(|error| failed(self.path, "written", &error))?;
        Ok(summary)
    }
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

/// `levelscope export DIR FILE.sst`: a family of another engine, or a database of this one.
pub(crate) fn export(arguments: &ExportArguments) -> Response {
    let ExportArguments { copy: CopyArguments { source, target, .. }, selection } = arguments;
    let done = if super::is_foreign(source) {
        Source::open(source).and_then(|source| {
            source.read(copy::policy(selection), |directory| {
                let (of, _) = copy::chosen(directory, selection.family.as_deref())?;
                family(directory, of.id, target, copy::policy(selection))
            })
        })
    } else if selection.family.is_some() {
        Err(Failure::usage("--family is for databases of RocksDB and Pebble"))
    } else {
        own(source, target)
    };
    done.map_or_else(Response::from, |exported| response(&exported))
}

/// The table, and the parts that it does not hold.
pub(super) struct Exported {
    table: SstSummary,
    carried: Carried,
}

/// The live entries of a family of another engine.
pub(super) fn family(
    directory: &Directory<'_>,
    family: u32,
    path: &Path,
    policy: Policy,
) -> Result<Exported, Failure> {
    let of = directory.family(family)?;
    let mut carried = Carried::default();
    let table = written(path, &of.comparator_name, |table| {
        let mut carrier = Carrier::new(directory, family, policy).map_err(hinted)?;
        while let Some((key, value)) = carrier.next_entry().map_err(hinted)? {
            table.add(&key, &value)?;
        }
        carried = carrier.finish().map_err(|error| {
            Failure::from(error).hint("--lossy exports the rest, and reports this again")
        })?;
        Ok(())
    })?;
    Ok(Exported { table, carried })
}

/// The live entries of a database of this program.
fn own(source: &Path, path: &Path) -> Result<Exported, Failure> {
    let db = opened(source).map_err(unopened)?;
    let table = written(path, BYTEWISE, |table| {
        let mut entries = db.iter(&ScanOptions::default())?;
        entries.seek_to_first()?;
        while entries.valid() {
            table.add(entries.key(), entries.value())?;
            entries.next()?;
        }
        Ok(())
    })?;
    Ok(Exported { table, carried: Carried::default() })
}

/// The report, for people and programs.
pub(super) fn response(exported: &Exported) -> Response {
    let Exported { table, carried } = exported;
    let mut lines = copy::left_out(carried);
    let counts = format!(
        "       {} in a table of {}, which RocksDB's IngestExternalFile takes.",
        text::counted(table.entries, "live entry"),
        text::size(table.bytes)
    );
    lines.push(OutputLine::new().with(Style::Good, "ok").plain(counts));
    let mut result = copy::result(carried);
    if let Some(fields) = result.as_object_mut() {
        fields.insert("entries".into(), table.entries.into());
        fields.insert("bytes".into(), table.bytes.into());
    }
    Response::of(lines, result)
}
