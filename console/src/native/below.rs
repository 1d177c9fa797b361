//! Databases in the folders of a directory that is none itself: a world of Minecraft, the profile of a browser.

use super::foreign::{self, NativeFiles};
use levelscope::ErrorKind;
use levelscope_console::{Failure, Response, text};
use levelscope_foreign::Files;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

/// The way to what a directory without a database has.
pub(super) const INSPECT_ALL: &str = "`levelscope inspect DIR` identifies its files";

/// Databases that are named at most.
const NAMED_MAX: usize = 8;
/// Depth of folders that are looked into.
const DEPTH_MAX: usize = 5;
/// Folders that are looked into at most.
const FOLDERS_MAX: usize = 2000;

/// The response, with [`better`] in place of its failure.
pub(super) fn led_on(path: &Path, response: Response) -> Response {
    let better = response.error.as_ref().and_then(|failure| better(path, failure));
    Response { error: better.or(response.error), ..response }
}

/// The failure to find a database at `path` with a way to the databases in folders of it or to its files, or with what is
/// missing of the one that is there; `None` for other failures.
pub(super) fn better(path: &Path, failure: &Failure) -> Option<Failure> {
    if failure.kind == ErrorKind::NotFound.name() && failure.hint.is_none() {
        let has_files = || NativeFiles::open(path).is_ok_and(|files| !files.list().is_empty());
        let way = hint(path).or_else(|| has_files().then(|| INSPECT_ALL.to_owned()))?;
        return Some(failure.clone().hint(way));
    }
    let is_other = failure.kind == ErrorKind::UnsupportedFormat.name();
    if !is_other || foreign::can_explore(path) {
        return None;
    }
    foreign::lost_manifest(path)
        .or_else(|| foreign::stand_in(path))
        .or_else(|| foreign::remnants(path))
}

/// The databases in folders of `path`, in a sentence; `None` when there are none, or `path` is no directory or is one.
pub(super) fn hint(path: &Path) -> Option<String> {
    let found = databases(path);
    let first = found.first()?;
    let shown = |path: &PathBuf| text::word(path.to_string_lossy().as_bytes());
    let named: Vec<String> = found.iter().take(NAMED_MAX).map(shown).collect();
    let more = match found.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (verb, count) =
        (if found.len() == 1 { "is" } else { "are" }, text::counted(found.len(), "database"));
    let open = format!("`levelscope {} --read-only` looks into it", shown(first));
    let which = if found.len() == 1 { "" } else { "the first: " };
    Some(format!("there {verb} {count} in its folders: {}{more}; {which}{open}", named.join(", ")))
}

/// The folders below `path` that hold a `CURRENT` or a manifest, the nearest first.
fn databases(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([(path.to_owned(), 0)]);
    let mut looked_into = 0;
    while let Some((folder, depth)) = folders.pop_front() {
        looked_into += 1;
        if looked_into > FOLDERS_MAX {
            break;
        }
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut below = Vec::new();
        let mut is_database = false;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            is_database |= name == "CURRENT" || name.starts_with("MANIFEST-");
            // Links may lead around in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                below.push(entry.path());
            }
        }
        if is_database && depth == 0 {
            break;
        }
        if is_database {
            found.push(folder);
        } else if depth < DEPTH_MAX {
            below.sort();
            folders.extend(below.into_iter().map(|folder| (folder, depth + 1)));
        }
    }
    found
}
