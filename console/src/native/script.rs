//! Commands that come as a whole, or line by line from a pipe.

use super::print::Printer;
use super::{Interrupt, foreign};
use levelscope_console::lesson::Tutor;
use levelscope_console::lexer::lex;
use levelscope_console::{Failure, OutputLine, Progress, unfinished};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Units of work between two looks at Ctrl-C.
const SLICE: u32 = 256;

/// A console, and the program around it.
pub(crate) struct Session<'a> {
    pub(crate) tutor: &'a mut Tutor,
    pub(crate) interrupt: &'a Interrupt,
    /// The directory that was opened for reading only: some questions are put to its files.
    pub(crate) read_only: Option<&'a Path>,
}

/// Runs all of `text`; `false` when a command failed. Later commands are then not run, as in `sqlite3` and
/// `psql -c`: they may depend on the one that failed. JSON lists each of them, text only their number.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn run(
    session: &mut Session<'_>,
    text: &str,
    printer: &mut Printer,
) -> io::Result<bool> {
    if let Some(path) = session.read_only.filter(|path| foreign::asks_files(path, text)) {
        return foreign::explored(path, None, Some(text.trim()), printer);
    }
    // As JSON every command is one object; a text that cannot be taken apart is one, too.
    let Ok(statements) = lex(text) else {
        return execute(session, text, printer);
    };
    if !printer.is_json() {
        return execute(session, text, printer);
    }
    let mut good = true;
    for statement in statements {
        let command = text.get(statement.start..statement.end).unwrap_or("").trim();
        if !good {
            printer.response(command, &Failure::not_run().into())?;
            continue;
        }
        good = execute(session, command, printer)?;
        if session.tutor.console().has_ended() {
            break;
        }
    }
    Ok(good)
}

/// Runs lines as they come, until the input ends or a command fails.
///
/// # Errors
/// Standard input or output failed.
pub(crate) fn run_lines(
    session: &mut Session<'_>,
    mut input: impl BufRead,
    printer: &mut Printer,
) -> io::Result<bool> {
    let mut text = String::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        let count = input.read_until(b'\n', &mut line)?;
        let Ok(part) = std::str::from_utf8(&line) else {
            let failure = Failure::usage("the script is not UTF-8 text")
                .hint("write other bytes as \\xNN or 0x...");
            let response = failure.into();
            printer.response("", &response)?;
            return Ok(false);
        };
        text.push_str(part);
        // At the end of input what is unfinished stays so, and becomes a failure.
        if count > 0 && unfinished(&text).is_some() {
            continue;
        }
        if !text.trim().is_empty() && !run(session, &text, printer)? {
            return Ok(false);
        }
        if count == 0 || session.tutor.console().has_ended() {
            return Ok(true);
        }
        text.clear();
    }
}

/// Runs one line to its end; `false` when it failed.
///
/// # Errors
/// Standard output cannot be written to; the line is stopped then.
fn execute(session: &mut Session<'_>, text: &str, printer: &mut Printer) -> io::Result<bool> {
    let Session { tutor, interrupt, .. } = session;
    let json = printer.is_json();
    let mut kept: Vec<OutputLine> = Vec::new();
    interrupt.store(false, Ordering::SeqCst);
    printer.begin();
    tutor.start(text);
    loop {
        if interrupt.swap(false, Ordering::SeqCst) {
            tutor.cancel();
        }
        let mut show = |lines: Vec<OutputLine>, printer: &mut Printer| {
            if json {
                kept.extend(lines);
                return Ok(());
            }
            printer.lines(&lines)
        };
        match tutor.advance(SLICE) {
            Progress::Idle => return Ok(true),
            Progress::More { done, total, label, lines, .. } => {
                show(lines, printer)?;
                printer.progress(&label, done, total);
            }
            Progress::Blocked(_, lines) => {
                // Native storage opens files by itself: it never has to be asked twice.
                show(lines, printer)?;
                tutor.cancel();
            }
            Progress::Done(mut response) => {
                kept.append(&mut response.lines);
                response.lines = kept;
                printer.response(text.trim(), &response)?;
                return Ok(response.error.is_none());
            }
        }
    }
}
