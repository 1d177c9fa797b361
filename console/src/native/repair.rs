//! `levelscope repair SOURCE TARGET`: saves good data of a damaged database in a new one.
//!
//! A repair needs two directories and is not done in slices, so it is a matter of the native program.

use super::new_directory::NewDirectory;
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Error, Loss, RepairOptions, RepairReport};
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_formats::exchange::refuse_other_formats;
use std::path::Path;
use std::sync::Arc;

/// Repairs, and reports the saved entries and the losses.
pub(crate) fn run(source: &Path, target: &Path, options: &RepairOptions) -> Response {
    repair(source, target, options).map_or_else(Response::from, |report| response_of(&report))
}

fn repair(source: &Path, target: &Path, options: &RepairOptions) -> Result<RepairReport, Failure> {
    let source = Arc::new(NativeStorage::read_only(source)?);
    refuse_other_formats(&*source)?;
    NewDirectory::of(target)?.fill(|path| {
        let target: Arc<dyn Storage> = Arc::new(NativeStorage::open(path)?);
        levelscope::repair(source, target, options).map_err(|error: Error| error.into())
    })
}

fn response_of(report: &RepairReport) -> Response {
    let mut lines: Vec<OutputLine> = report.notes.iter().map(|what| note(what)).collect();
    lines.extend(report.losses.iter().map(lost));
    let warn =
        |what: &str| OutputLine::new().with(Style::Strong, "warning").plain(format!("  {what}"));
    if report.left_out > 0 {
        lines.push(OutputLine::note(format!("{} more", text::count(report.left_out))));
    }
    for name in &report.not_understood {
        let line = OutputLine::new().with(Style::Strong, "skipped").plain("  ");
        let why = "not understood: it is not a file of this database, and was not read";
        lines.push(line.plain(format!("{}: {why}", text::printable(name))));
    }
    match &report.manifest_doubt {
        Some(doubt) => lines.push(warn(&format!(
            "the manifest cannot be trusted ({doubt}), so all tables and logs were taken, obsolete ones too"
        ))),
        None if !report.manifest_read => lines.push(warn(
            "the manifest cannot be read, so all tables and logs were taken, obsolete ones too",
        )),
        None => {}
    }
    if report.holes {
        lines.push(warn(
            "writes are missing in the middle: newer ones were saved without older ones",
        ));
    }
    if report.values_may_be_older() {
        lines.push(warn("keys whose newest version is lost have an older value, or none"));
    }
    if report.deletes_may_be_undone {
        lines.push(warn("deletes may be undone: deleted keys may be back"));
    }
    let saved = format!(
        "{} saved from {} and {}, written to {} of {}",
        text::counted(report.keys, "key"),
        text::counted(report.tables, "table"),
        text::counted(report.logs, "log"),
        text::counted(report.tables_written, "table"),
        text::size(report.bytes_written),
    );
    let lost = losses(report);
    let mut error = None;
    if report.keys == 0 && !(report.losses.is_empty() && report.manifest_read) {
        let message = format!("nothing was saved: {lost}; the new database is empty");
        error = Some(Failure::new("corruption", message));
    } else if report.check.is_sound() {
        let ok = OutputLine::new().with(Style::Good, "ok");
        lines.push(ok.plain(format!("       {saved}; {lost}; a check of it finds no damage.")));
    } else {
        let message =
            format!("the new database is damaged: {}", report.check.problems().join("; "));
        error = Some(Failure::new("corruption", message));
    }
    Response { error, ..Response::of(lines, report) }
}

/// How much is lost, as a clause.
fn losses(report: &RepairReport) -> String {
    let count = report.losses.len() as u64 + report.left_out;
    let counted = match count {
        1 => "1 loss".to_owned(),
        count => format!("{} losses", text::count(count)),
    };
    match count {
        0 if !report.manifest_read => "the losses cannot be listed without the manifest".to_owned(),
        _ if !report.manifest_read => {
            format!("{counted}; other losses cannot be listed without the manifest")
        }
        0 if !report.not_understood.is_empty() => {
            let files = text::counted(report.not_understood.len() as u64, "file");
            format!("no loss in the files that were understood, and {files} not understood")
        }
        0 if report.torn_tails > 0 => {
            "no loss can be proved: an end that is no whole record was dropped".to_owned()
        }
        0 => "nothing is lost".to_owned(),
        _ => counted,
    }
}

fn note(what: &str) -> OutputLine {
    OutputLine::new().with(Style::Strong, "note").plain(format!("     {}", text::printable(what)))
}

fn lost(loss: &Loss) -> OutputLine {
    let line = OutputLine::new().with(Style::Bad, "lost").plain("     ");
    line.plain(text::printable(&loss.to_string()))
}
