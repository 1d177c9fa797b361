//! The terminal on an open database of this program.

use super::print::Printer;
use super::repl::{self, Terminal};
use super::script::{self, Session};
use levelscope_console::lesson::Tutor;
use levelscope_console::{Completion, OutputLine, text};
use std::cell::RefCell;
use std::io;

impl Terminal for Session<'_> {
    fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion> {
        self.tutor.complete(line, cursor)
    }

    fn prompt(&self) -> String {
        let console = self.tutor.console();
        if let Some(lesson) = self.tutor.lesson() {
            return lesson.head.id.clone();
        }
        match (console.looks_at(), console.current_transaction()) {
            (Some(step), _) => format!("levelscope, at step {step}"),
            (None, None) => "levelscope".to_owned(),
            (None, Some(number)) => format!("levelscope, in transaction {number}"),
        }
    }

    fn has_ended(&self) -> bool {
        self.tutor.console().has_ended()
    }

    fn enter(&mut self, line: &str, printer: &mut Printer) -> io::Result<bool> {
        script::run(self, line, printer)
    }
}

/// Reads and runs lines until the input ends.
///
/// # Errors
/// The terminal or standard output failed.
pub(crate) fn run(session: Session<'_>, printer: &mut Printer) -> io::Result<()> {
    if !printer.is_json() {
        printer.lines(&hello(session.tutor))?;
    }
    repl::run(&RefCell::new(session), printer)
}

fn hello(tutor: &Tutor) -> Vec<OutputLine> {
    let mut lines = vec![OutputLine::note("help lists the commands; Tab completes; Ctrl-D ends.")];
    if tutor.console().is_absent() {
        let absent = "There is no database here yet: the first command that changes something, such as put, makes one.";
        lines.push(OutputLine::note(absent));
    }
    if let Some(reader) = tutor.console().db().filter(|db| db.is_read_only()) {
        let only = format!(
            "Opened for reading only: nothing in the directory is changed. Shown is the state up to sequence \
             number {}; `refresh` shows a newer one, `refresh --lag` prints its age.",
            text::count(reader.view().last_sequence)
        );
        lines.push(OutputLine::note(only));
    }
    lines
}
