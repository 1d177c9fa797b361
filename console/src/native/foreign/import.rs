//! A family of another engine as a new database.

use super::files::NativeFiles;
use super::{export, tell};
use crate::native::new_directory::NewDirectory;
use levelscope::limits::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Check, Maintenance, NewDatabase, Options, WriteBatch};
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_foreign::CountedFiles;
use levelscope_foreign::directory::Directory;
use std::path::Path;
use std::sync::Arc;

/// A batch is written when it has so many bytes.
const BATCH_BYTES: usize = 256 << 10;

/// Imports the family `default`, and tells what was written.
pub(crate) fn import(source: &Path, target: &Path, options: &Options) -> Response {
    match imported(source, target, options, "default") {
        Ok((entries, bytes)) => {
            let told = format!(
                "       {} ({}) of the column family; a check of the new database finds no damage.",
                text::counted(entries, "live entry"),
                text::size(bytes)
            );
            let lines = vec![OutputLine::new().with(Style::Good, "ok").plain(told)];
            let result = serde_json::json!({ "entries": entries, "bytes": bytes });
            Response { lines, result, ..Response::default() }
        }
        Err(failure) => Response { error: Some(failure), ..Response::default() },
    }
}

fn imported(
    source: &Path,
    target: &Path,
    options: &Options,
    name: &str,
) -> Result<(u64, u64), Failure> {
    let target = NewDirectory::of(target)?;
    let files = NativeFiles::open(source).map_err(|error| {
        let message = levelscope::text::system(&error);
        Failure { kind: "io".into(), message, hint: None }
    })?;
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).map_err(|error| tell::failure(&error))?;
    let family = directory.state().families.values().find(|family| family.name == name);
    let Some(family) = family.map(|family| family.id) else {
        let names: Vec<String> = directory
            .state()
            .families
            .values()
            .map(|family| text::word(family.name.as_bytes()))
            .collect();
        let message = format!("there is no column family {}", text::word(name.as_bytes()));
        return Err(Failure::usage(message).hint(format!("there are {}", names.join(", "))));
    };
    let options = Options { maintenance: Maintenance::Inline, ..options.clone() };
    target.fill(|path| {
        let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(path)?);
        let new = NewDatabase::begin(Arc::clone(&storage), options)?;
        let filled = fill(&new, &directory, family)
            .and_then(|done| new.db().request_flush().map(|_| done).map_err(Failure::from));
        match filled {
            Ok(done) => {
                new.finish()?;
                let check = Check::new(storage)?.run()?;
                if check.is_sound() {
                    return Ok(done);
                }
                let message =
                    format!("the new database is damaged: {}", check.problems().join("; "));
                Err(Failure { kind: "corruption".into(), message, hint: None })
            }
            Err(failure) => {
                // What cannot be deleted is marked as unfinished.
                let _ = new.abandon();
                Err(failure)
            }
        }
    })
}

/// Entries and bytes that were written.
fn fill(new: &NewDatabase, directory: &Directory<'_>, family: u32) -> Result<(u64, u64), Failure> {
    let (mut entries, mut bytes, mut batch) = (0, 0, WriteBatch::new());
    export::each_live(directory, family, |key, value| {
        if key.len() > KEY_BYTES_MAX || value.len() > VALUE_BYTES_MAX {
            let (key, value) = (text::bytes(key.len()), text::bytes(value.len()));
            let message =
                format!("an entry with a key of {key} and a value of {value} is too large");
            return Err(Failure::usage(message));
        }
        batch.put(key, value)?;
        entries += 1;
        bytes += (key.len() + value.len()) as u64;
        if batch.bytes() >= BATCH_BYTES {
            new.db().write(&batch, None)?;
            batch.clear();
        }
        Ok(())
    })?;
    new.db().write(&batch, None)?;
    Ok((entries, bytes))
}
