//! Findings of a check, and the files that it covers.

use super::fileset::FileSet;
use super::{Opened, lines};
use crate::output::{Failure, OutputLine, Response, Style};
use crate::text;
use levelscope_foreign::directory::{Directory, Reach, Target};
use levelscope_foreign::{Engine, Problem, Severity};
use std::collections::BTreeSet;

/// How much of a directory was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The reads of opening: names and lengths of files, the manifest, the logs.
    Opened,
    /// Every checksum, too.
    Checksums,
    /// Every entry, too.
    Entries,
}

/// The findings, and the files that were read to find them. Damage is a failure of the command, as `check` of an own
/// database fails, except where nothing was checked.
pub fn response(directory: &Directory<'_>, problems: &[Problem], depth: Depth) -> Response {
    let mut shown = problems.to_vec();
    if directory.engine() != Engine::RocksDb {
        // The others have no column families.
        for problem in &mut shown {
            problem.family = None;
        }
    }
    let mut lines = lines::problems(&shown);
    let covered = covered(directory, problems, depth);
    let mut error = None;
    match errors_found(problems) {
        None => {
            let what = match depth {
                Depth::Opened => "no damage so far",
                _ if left_out(directory, depth).is_empty() => "no damage",
                _ => "no damage in the parts that were read",
            };
            let ok = OutputLine::new().with(Style::Good, "ok");
            lines.push(ok.plain(format!("        {what}: {covered}.")));
        }
        Some(message) => {
            lines.push(OutputLine::note(format!("Looked at: {covered}.")));
            error = Some(lines::damaged(message)).filter(|_| depth != Depth::Opened);
        }
    }
    Response { error, ..Response::of(lines, problems) }
}

/// The number of errors, and the file of the first; `None` without one.
pub fn errors_found(problems: &[Problem]) -> Option<String> {
    let errors = || problems.iter().filter(|problem| problem.severity == Severity::Error);
    let first = text::printable(&errors().next()?.file);
    Some(format!("{} found, the first in {first}", text::counted(errors().count(), "error")))
}

/// The findings about a set of files. Where nothing could be checked the check has failed, too.
pub(super) fn of_files(files: &FileSet<'_>) -> Response {
    let problems = files.problems();
    let mut lines = lines::problems(&problems);
    let error = match errors_found(&problems) {
        Some(message) => {
            lines.push(OutputLine::note(format!("Looked at: {}.", files.extent())));
            Some(Failure::new("corruption", message))
        }
        None if files.has_known() => {
            let ok = OutputLine::new().with(Style::Good, "ok");
            lines.push(ok.plain(format!("        no damage: {}.", files.extent())));
            None
        }
        None => Some(Failure::new("unsupportedFormat", files.extent())),
    };
    Response { error, ..Response::of(lines, problems) }
}

/// The findings so far: of opening, of checks, and of reads that met damage.
pub(super) fn so_far(opened: &Opened<'_>) -> Response {
    let directory = match opened {
        Opened::Engine(directory) => directory,
        Opened::Files(files) => return Response { error: None, ..of_files(files) },
    };
    let targets = directory.check_targets();
    let all = |is_done: fn(Reach) -> bool| {
        !targets.is_empty()
            && targets.iter().all(|target| directory.reach(target).is_some_and(is_done))
    };
    let depth = if all(|reach| reach.decoded) {
        Depth::Entries
    } else if all(|reach| reach.compared) {
        Depth::Checksums
    } else {
        Depth::Opened
    };
    // A list of known findings is no check: damage in it is no failure.
    Response { error: None, ..response(directory, &directory.findings(), depth) }
}

/// The parts that were read, and those that were not.
fn covered(directory: &Directory<'_>, problems: &[Problem], depth: Depth) -> String {
    // A file of a kind that this version does not read has one finding about that.
    let unread: BTreeSet<&str> = problems
        .iter()
        .filter(|problem| problem.severity == Severity::NotRead && problem.offset.is_none())
        .map(|problem| problem.file.as_str())
        .collect();
    let length = |target: &Target| directory.files().length(&directory.name_of(target));
    let all = directory.check_targets();
    let missing = all.iter().filter(|target| length(target).is_none()).count();
    let is_covered = |target: &Target| match depth {
        Depth::Opened => length(target).is_some(),
        Depth::Checksums => directory.reach(target).is_some_and(|reach| reach.compared),
        Depth::Entries => directory.reach(target).is_some_and(|reach| reach.decoded),
    };
    let targets: Vec<Target> = all.into_iter().filter(is_covered).collect();
    // The whole files, of which virtual tables are slices.
    let size = text::size(targets.iter().filter_map(length).fold(0, u64::saturating_add));
    let tables = targets.iter().filter(|target| !target.is_blob).count();
    let mut content = text::counted(tables, "table");
    if tables < targets.len() {
        content = format!("{content} and {}", text::counted(targets.len() - tables, "blob file"));
    }
    let content = format!("{content} ({size})");
    let manifest = format!(
        "{} of {}{}",
        text::counted(directory.manifest().applied(), "version edit"),
        text::printable(directory.manifest().name()),
        lines::not_applied(directory.manifest().cut().map_or(0, |cut| cut.edits))
    );
    let (first, middle) = if directory.has_manifest() {
        (format!("{manifest}, "), format!(", {manifest} and "))
    } else {
        (String::new(), " and ".to_owned())
    };
    let logs = directory.logs().map_or(&[][..], |logs| &logs.files);
    let read: Vec<_> = logs.iter().filter(|log| log.is_read()).collect();
    let bytes = read.iter().map(|log| log.bytes).fold(0, u64::saturating_add);
    let logs = format!("{} ({})", text::counted(read.len(), "log"), text::size(bytes));
    let mut but = String::new();
    if depth == Depth::Opened && !unread.is_empty() {
        but = format!("; this version does not read {}", text::counted(unread.len(), "file"));
    }
    for clause in left_out(directory, depth) {
        but.push_str("; ");
        but.push_str(&clause);
    }
    match missing {
        0 => {}
        1 => but.push_str("; 1 file is missing"),
        more => {
            but.push_str("; ");
            but.push_str(&text::count(more as u64));
            but.push_str(" files are missing");
        }
    }
    let (were, their) = if targets.len() == 1 { ("was", "its") } else { ("were", "their") };
    match depth {
        Depth::Opened if targets.is_empty() => {
            format!("{first}{logs} and the lengths of all files were read{but}")
        }
        Depth::Opened => format!(
            "{first}{logs} and the lengths of all files were read; {content} {were} not read: \
             `check` compares {their} checksums{but}"
        ),
        Depth::Checksums => format!(
            "every checksum of {content}{middle}{logs}{but}; entries were not decoded: `check \
             --deep` does it, too"
        ),
        Depth::Entries => format!(
            "every checksum and every entry of {content}{middle}{logs}{but}; files that the \
             database does not read were not checked"
        ),
    }
}

/// Parts not examined: tables, blob files and logs that count.
fn left_out(directory: &Directory<'_>, depth: Depth) -> Vec<String> {
    if depth == Depth::Opened {
        return Vec::new();
    }
    let mut clauses = directory.checked().left_out();
    let logs = directory.logs().map_or(&[][..], |logs| &logs.files);
    let unread = logs.iter().filter(|log| log.counts && !log.is_read()).count();
    if unread > 0 {
        let were = if unread == 1 { "was" } else { "were" };
        clauses.push(format!("{} {were} not read", text::counted(unread, "log")));
    }
    clauses
}
