//! What the import of a `LevelDB` directory reports beside the damage that it meets itself.

use super::files::NativeFiles;
use levelscope_console::Failure;
use levelscope_console::text::printable;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::problem::Standing;
use levelscope_foreign::{CountedFiles, Problem, Severity};
use std::path::Path;

/// A log that is missing, tables that are newer than the manifest, and batches of a log that `LevelDB` leaves out, each
/// as a sentence that begins with its file.
pub(crate) fn lacks(path: &Path) -> Vec<String> {
    let Ok(files) = NativeFiles::open(path) else { return Vec::new() };
    let counted = CountedFiles::new(&files);
    let Ok(directory) = Directory::open(&counted) else { return Vec::new() };
    let is_log = |file: &str| Path::new(file).extension().is_some_and(|end| end == "log");
    let is_lacking = |problem: &Problem| {
        let is_own = match problem.state {
            Standing::LeftOut => true,
            Standing::Missing => is_log(&problem.file),
            Standing::InNoLevel => directory.manifest().cut().is_none(),
            _ => false,
        };
        is_own && problem.severity == Severity::Error
    };
    let problems = directory.problems().into_iter().filter(is_lacking);
    problems.map(|problem| format!("{}: {}", problem.file, problem.message)).collect()
}

/// Refuses a directory that lacks something.
///
/// # Errors
/// `corruption`, with the first thing that it lacks.
pub(crate) fn refuse_lacks(lacks: &[String]) -> Result<(), Failure> {
    let Some(first) = lacks.first() else { return Ok(()) };
    let failure = Failure { kind: "corruption".into(), message: printable(first), hint: None };
    Err(failure.hint("--skip-damage imports the rest"))
}

/// The failure of an import that could save nothing.
pub(crate) fn nothing_saved() -> Failure {
    let message = "nothing could be saved: no entry can be read".to_owned();
    Failure { kind: "corruption".into(), message, hint: None }
}
