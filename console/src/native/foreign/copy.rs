//! Code that import and export of a family share.

use super::files::NativeFiles;
use crate::native::arguments::Selection;
use crate::native::leveldb_lock::LevelDbLock;
use levelscope_console::{Failure, MAY_BE_OLDER, OutputLine, Style, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carried, Policy};
use levelscope_foreign::{CountedFiles, Error, ErrorKind, Family};
use std::path::Path;

/// Findings that are printed one by one.
const FINDINGS_MAX: usize = 20;

/// The directory of another engine that no program has open.
pub(super) struct Source {
    files: NativeFiles,
    _lock: Option<LevelDbLock>,
}

impl Source {
    /// # Errors
    /// The directory cannot be listed; another program has the database open.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        // All three engines lock the same file in the same way. A single file has no lock.
        let lock = if path.is_file() { None } else { Some(LevelDbLock::take(path)?) };
        let files = NativeFiles::open(path).map_err(|error| {
            let message = levelscope::text::system(&error);
            Failure::new("io", message)
        })?;
        Ok(Self { files, _lock: lock })
    }

    /// The result of `read` on the opened directory.
    ///
    /// # Errors
    /// It is no database that can be read; those of `read`.
    pub(super) fn read<T>(
        &self,
        policy: Policy,
        read: impl FnOnce(&Directory<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let basis = self.files.basis().map_err(hinted)?;
        let files = CountedFiles::new(basis.files(&self.files));
        // With `--skip-damage` tables count that damage in the manifest hides.
        let opened =
            if policy.skip_damage { Directory::rescue(&files) } else { Directory::open(&files) };
        let directory = opened.map_err(hinted)?;
        read(&directory)
    }
}

/// The family called `name`, or without a name the only one or `default`; with the names of all others.
///
/// # Errors
/// There is none.
pub(super) fn chosen<'d>(
    directory: &'d Directory<'_>,
    name: Option<&str>,
) -> Result<(&'d Family, Vec<String>), Failure> {
    let families = &directory.state().families;
    let only = families.values().next().filter(|_| families.len() == 1 && name.is_none());
    let wanted = name.unwrap_or("default");
    let found = only.or_else(|| families.values().find(|family| family.name == wanted));
    let Some(found) = found else {
        let names: Vec<String> =
            families.values().map(|family| text::word(family.name.as_bytes())).collect();
        let message = format!("there is no column family {}", text::word(wanted.as_bytes()));
        return Err(Failure::usage(message).hint(format!("there are: {}", names.join(", "))));
    };
    let others = families.values().filter(|family| family.id != found.id);
    Ok((found, others.map(|family| family.name.clone()).collect()))
}

/// The losses that the command line allows.
pub(super) fn policy(selection: &Selection) -> Policy {
    Policy { lossy: selection.lossy, skip_damage: selection.skip_damage }
}

/// A failure of reading, with the way out.
pub(super) fn hinted(error: Error) -> Failure {
    let is_in_file = (error.file().is_some() || error.kind() == ErrorKind::Missing)
        && error.kind() != ErrorKind::Io;
    let failure = Failure::from(error);
    if !is_in_file {
        return failure;
    }
    failure.hint(
        "--skip-damage takes the rest; where a block, a table or a part of a log is lost, older values and \
         deleted keys can come back",
    )
}

/// The entries left out, for people.
pub(super) fn left_out(carried: &Carried) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    let findings = &carried.problems;
    for finding in findings.iter().take(FINDINGS_MAX) {
        let message = format!("  {}: {}", finding.file, finding.message);
        lines.push(OutputLine::new().with(Style::Bad, "skipped").plain(text::printable(&message)));
    }
    lines.extend(OutputLine::rest("", findings.len(), FINDINGS_MAX, "more finding", ""));
    let mut warnings = carried.losses();
    if !findings.is_empty() {
        warnings.push(MAY_BE_OLDER.to_owned());
    }
    for warning in warnings {
        let line = OutputLine::new().with(Style::Strong, "warning");
        lines.push(line.plain(text::printable(&format!("  {warning}"))));
    }
    let note = |note: &String| OutputLine::note(text::printable(note));
    lines.extend(carried.notes().iter().map(note));
    lines
}

/// The entries carried over and left out, for programs.
pub(super) fn result(carried: &Carried) -> serde_json::Value {
    serde_json::json!({
        "entries": carried.entries,
        "bytes": carried.bytes,
        "losses": carried.losses(),
        "notes": carried.notes(),
        "skipped": carried.problems,
    })
}
