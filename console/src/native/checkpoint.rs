//! `levelscope checkpoint DIR NEW`: a consistent copy of a database, open or not.

use super::new_directory::NewDirectory;
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{CheckpointReport, Db, ErrorKind, Options};
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_formats::exchange::refuse_other_formats;
use std::path::Path;
use std::sync::Arc;

/// Copies `source` into `target`, and reports how many tables were linked and copied.
pub(super) fn run(source: &Path, target: &Path) -> Response {
    match copied(source, target) {
        Ok((report, open_elsewhere)) => response_of(&report, open_elsewhere, target),
        Err(failure) => super::unopened(failure).into(),
    }
}

/// The report, and whether another program has the source open.
fn copied(source: &Path, target: &Path) -> Result<(CheckpointReport, bool), Failure> {
    let target = NewDirectory::of(target)?;
    let storage = Arc::new(NativeStorage::read_only(source)?);
    refuse_other_formats(&*storage)?;
    // Held to the end, if it is free, so that no program begins to write meanwhile.
    let lock = match storage.lock() {
        Ok(lock) => Some(lock),
        Err(error) if error.kind() == ErrorKind::Locked => None,
        Err(error) => return Err(error.into()),
    };
    let options = Options::default();
    let db = Db::builder().options(options).read_only().open_in(storage)?;
    let report = target.fill(|path| Ok(db.checkpoint(path)?))?;
    Ok((report, lock.is_none()))
}

fn response_of(report: &CheckpointReport, open_elsewhere: bool, target: &Path) -> Response {
    let mut lines = Vec::new();
    if open_elsewhere {
        let what = "     another program has the database open: the checkpoint has everything that was in its files \
                    when the checkpoint began, without writes that the program still keeps in memory";
        lines.push(OutputLine::new().with(Style::Strong, "note").plain(what));
    }
    let copied = match report.tables_copied {
        0 => "none copied".to_owned(),
        count => format!("{} copied ({})", text::count(count), text::size(report.bytes_copied)),
    };
    let counts = format!(
        "       up to sequence number {}: {} linked, {copied}, {} from logs; `levelscope check {}` checks it.",
        text::count(report.sequence),
        text::counted(report.tables_linked, "table"),
        text::counted(report.entries_logged, "entry"),
        text::printable(&target.display().to_string()),
    );
    lines.push(OutputLine::new().with(Style::Good, "ok").plain(counts));
    let mut result = serde_json::to_value(report).unwrap_or_default();
    if let Some(result) = result.as_object_mut() {
        result.insert("openElsewhere".into(), open_elsewhere.into());
    }
    Response::of(lines, result)
}
