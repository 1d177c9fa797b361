//! A family of another engine as a new database.

use super::copy::{self, Source, hinted};
use crate::native::arguments::ImportArguments;
use crate::native::new_directory::NewDirectory;
use levelscope::limits::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Check, Maintenance, NewDatabase, WriteBatch};
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_foreign::export::{Carried, Carrier};
use levelscope_foreign::{Engine, Severity};
use std::sync::Arc;

/// A batch is written when it has so many bytes.
const BATCH_BYTES: usize = 256 << 10;

/// Imports a family, and reports the entries written and left out.
pub(crate) fn import(arguments: &ImportArguments) -> Response {
    imported(arguments).map_or_else(Response::from, |imported| response(&imported))
}

/// The report of an import.
struct Imported {
    family: String,
    /// Whether the engine has column families.
    has_families: bool,
    carried: Carried,
    /// Entries that are too large for a database, listed one by one.
    too_large: Vec<String>,
    /// Families of the directory that were not asked for.
    others: Vec<String>,
    /// Why there is no new database: no entry could be read.
    failure: Option<Failure>,
}

fn imported(arguments: &ImportArguments) -> Result<Imported, Failure> {
    let target = NewDirectory::of(&arguments.copy.target)?;
    // There is no one else to step the jobs.
    let options = arguments.options.clone().maintenance(Maintenance::Inline);
    let source = Source::open(&arguments.copy.source)?;
    let policy = copy::policy(&arguments.selection);
    source.read(policy, |directory| {
        let (family, others) = copy::chosen(directory, arguments.selection.family.as_deref())?;
        let carrier = Carrier::new(directory, family.id, policy).map_err(hinted)?;
        let mut unsaved = None;
        let filled = target.fill(|path| {
            let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(path)?);
            let new = NewDatabase::begin(Arc::clone(&storage), options)?;
            let filled = fill(&new, carrier, policy.skip_damage).and_then(|done| {
                new.db().request_flush()?;
                if !is_nothing(&done.0) {
                    new.finish()?;
                }
                Ok(done)
            });
            match filled {
                Ok(done) if is_nothing(&done.0) => {
                    unsaved = Some(done);
                    let _ = new.abandon();
                    Err(nothing_saved(&others))
                }
                Ok(done) => {
                    let check = Check::new(storage)?.run()?;
                    if check.is_sound() {
                        return Ok(done);
                    }
                    let message =
                        format!("the new database is damaged: {}", check.problems().join("; "));
                    Err(Failure::new("corruption", message))
                }
                Err(failure) => {
                    // A directory that cannot be deleted is marked as unfinished.
                    let _ = new.abandon();
                    Err(failure)
                }
            }
        });
        let ((carried, too_large), failure) = match (filled, unsaved) {
            (Ok(done), _) => (done, None),
            (Err(failure), Some(done)) => (done, Some(failure)),
            (Err(failure), None) => return Err(failure),
        };
        let has_families = directory.engine() == Engine::RocksDb;
        let family = family.name.clone();
        Ok(Imported { family, has_families, carried, too_large, others, failure })
    })
}

/// Whether no entry was carried, because none could be read.
fn is_nothing(carried: &Carried) -> bool {
    carried.entries == 0 && carried.problems.iter().any(|one| one.severity == Severity::Error)
}

/// The failure of an import that saves nothing, with the families that may have more.
fn nothing_saved(others: &[String]) -> Failure {
    let failure = Failure::new("corruption", "nothing could be saved: no entry can be read");
    if others.is_empty() {
        return failure;
    }
    failure.hint(format!("--family NAME imports another one: {}", words(others)))
}

fn words(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| text::word(name.as_bytes())).collect();
    names.join(", ")
}

/// Writes all entries; with `skip` those that are too large are left out.
fn fill(
    new: &NewDatabase,
    mut carrier: Carrier<'_>,
    skip: bool,
) -> Result<(Carried, Vec<String>), Failure> {
    let (mut batch, mut too_large, mut left_out) = (WriteBatch::new(), Vec::new(), 0);
    while let Some((key, value)) = carrier.next_entry().map_err(hinted)? {
        if key.len() > KEY_BYTES_MAX || value.len() > VALUE_BYTES_MAX {
            left_out += (key.len() + value.len()) as u64;
            let (key, value) = (text::bytes(key.len()), text::bytes(value.len()));
            let message =
                format!("an entry with a key of {key} and a value of {value} is too large");
            if skip {
                too_large.push(message);
                continue;
            }
            let hint = "--skip-damage leaves such entries out and reports them";
            return Err(Failure::usage(message).hint(hint));
        }
        batch.put(&key, &value)?;
        if batch.bytes() >= BATCH_BYTES {
            new.db().write(&batch, None)?;
            batch.clear();
        }
    }
    let mut carried = carrier.finish().map_err(|error| {
        Failure::from(error).hint("--lossy imports the rest, and reports this again")
    })?;
    new.db().write(&batch, None)?;
    carried.entries -= too_large.len() as u64;
    carried.bytes -= left_out;
    Ok((carried, too_large))
}

fn response(imported: &Imported) -> Response {
    let Imported { family, has_families, carried, too_large, others, failure } = imported;
    let mut lines = copy::left_out(carried);
    for entry in too_large {
        let line = OutputLine::new().with(Style::Bad, "skipped").plain("  ");
        lines.push(line.plain(text::printable(entry)));
    }
    if let error @ Some(_) = failure.clone() {
        return Response { error, ..Response::of(lines, copy::result(carried)) };
    }
    let of = match has_families {
        true => format!(" of the column family {}", text::word(family.as_bytes())),
        false => String::new(),
    };
    let counts = format!(
        "       {} ({}){of}; a check of the new database finds no damage.",
        text::counted(carried.entries, "live entry"),
        text::size(carried.bytes),
    );
    lines.push(OutputLine::new().with(Style::Good, "ok").plain(counts));
    if !others.is_empty() {
        let note = format!("Not imported: {}. --family NAME chooses one.", words(others));
        lines.push(OutputLine::note(note));
    }
    let mut result = copy::result(carried);
    if let Some(fields) = result.as_object_mut() {
        fields.insert("family".into(), family.as_str().into());
        fields.insert("tooLarge".into(), serde_json::json!(too_large));
        fields.insert("otherFamilies".into(), serde_json::json!(others));
    }
    Response::of(lines, result)
}
