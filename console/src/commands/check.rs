//! `check`: all files of the database, whether it is open or could not be opened.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine, Style, selection};
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::storage::FileName;
use levelscope::{Check, CheckReport, Error, ErrorKind, Finding, Severity};

/// Blocks, logs or entries that one step may check: each takes microseconds.
const UNITS: usize = 64;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "check",
    group: "look inside",
    usage: "check",
    purpose: "Reads every file from end to end and reports what is damaged, missing or contradictory.",
    example: "check",
    ..Verb::READ
}
.starts(check)
.synonyms(&["verify"])];

fn check(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(Box::new(Checking { check: None, printed: 0 }))
}

struct Checking {
    /// `None` before the first step.
    check: Option<Check>,
    /// Findings printed.
    printed: usize,
}

impl Task for Checking {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(check) = &mut self.check else {
            self.check = Some(match session.database() {
                Some(db) => db.checker()?,
                None => Check::new(session.storage()).map_err(beside)?,
            });
            return Ok(Turn::More);
        };
        let mut more = true;
        for _ in 0..UNITS {
            more = check.step()?;
            if !more {
                break;
            }
        }
        let report = check.report();
        session.lines.extend(report.findings.iter().skip(self.printed).map(line));
        self.printed = report.findings.len();
        if more {
            return Ok(Turn::More);
        }
        finish(session, report)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let position = self.check.as_ref().map(Check::position);
        position.map_or((0, None), |(done, total)| (done, Some(total)))
    }
}

/// Adds a hint when another program has the database open.
fn beside(error: Error) -> Stop {
    if error.kind() != ErrorKind::Locked {
        return Stop::Engine(error);
    }
    let hint = "close it there; or check beside it: levelscope DIR --read-only -c check";
    Stop::Failed(Failure::from(error).hint(hint))
}

/// A finding as one line.
fn line(finding: &Finding) -> OutputLine {
    let style = match finding.severity {
        Severity::Error => Style::Bad,
        Severity::Warning => Style::Strong,
        Severity::Note => Style::Dim,
    };
    let line = OutputLine::new().with(style, finding.severity.to_string()).pad_to(9);
    let line = match FileName::parse(&finding.file) {
        Some(name) => line.link(selection(name), finding.file.clone()),
        None => line.plain(text::printable(&finding.file)),
    };
    let line = match finding.offset {
        Some(offset) => line.dim(format!(" at {}", text::count(offset))),
        None => line,
    };
    line.plain(format!(": {}", text::printable(&finding.what)))
}

/// Whether `finding` is the torn end of a log or manifest: damage to its last record looks the same.
fn may_be_damage(finding: &Finding) -> bool {
    let file = FileName::parse(&finding.file);
    finding.severity == Severity::Warning
        && finding.offset.is_some()
        && matches!(file, Some(FileName::Wal(_) | FileName::Manifest(_)))
}

fn finish(session: &mut Session, report: &CheckReport) -> Result<Turn, Stop> {
    if report.left_out > 0 {
        let more = text::counted(report.left_out, "finding");
        session.print(OutputLine::note(format!("{more} more of the same files")));
    }
    let read = format!(
        "{}, {} with {} in {}, {}, {} read",
        text::counted(report.files, "file"),
        text::counted(report.tables, "table"),
        text::counted(report.entries, "entry"),
        text::counted(report.blocks, "block"),
        text::counted(report.batches, "log record"),
        text::size(report.bytes_read),
    );
    if !report.is_sound() {
        let errors = text::counted(report.errors, "error");
        let message = format!("{errors} found: {read}");
        let failure = Failure::new("corruption", message).hint(session.bytes_shown_by());
        return Err(Stop::Failed(failure.advised(session.advice())));
    }
    let ok = OutputLine::new().with(Style::Good, "ok").pad_to(9);
    let warnings = match report.warnings {
        0 => String::new(),
        count => format!(", {}", text::counted(count, "warning")),
    };
    let proven = if report.findings.iter().any(may_be_damage) { " proven" } else { "" };
    session.print(ok.plain(format!("no damage{proven}{warnings}: {read}.")));
    Ok(Turn::Done(Answer::other(report)))
}
