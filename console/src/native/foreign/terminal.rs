//! `levelscope DIR --read-only` for a directory of another engine: commands from `-c`, a terminal, or a pipe.

use super::files::NativeFiles;
use super::{check, export};
use crate::native::print::Printer;
use crate::native::repl::{self, Terminal};
use levelscope_console::directory::{DirectoryHost, DirectorySession, FileSet, Opened};
use levelscope_console::{Completion, Failure, OutputLine, Response};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use levelscope_foreign::{CountedFiles, Error, ErrorKind, Problem};
use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

impl DirectoryHost for NativeFiles {
    fn check(&self, directory: &Directory<'_>, deep: bool) -> Vec<Problem> {
        check::check(directory, self, deep)
    }

    fn export(
        &self,
        directory: &Directory<'_>,
        family: u32,
        path: &str,
        policy: Policy,
    ) -> Result<Response, Failure> {
        let exported = export::family(directory, family, path.as_ref(), policy)?;
        Ok(export::response(&exported))
    }

    fn save(&self, path: &str, content: &[u8], force: bool) -> Result<(), Failure> {
        crate::native::files::write(path.as_ref(), content, force)
    }
}

impl Terminal for DirectorySession<'_, '_> {
    fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion> {
        DirectorySession::complete(self, line, cursor)
    }

    fn prompt(&self) -> String {
        DirectorySession::prompt(self)
    }

    fn has_ended(&self) -> bool {
        DirectorySession::has_ended(self)
    }

    fn enter(&mut self, line: &str, printer: &mut Printer) -> io::Result<bool> {
        let mut good = true;
        for (command, response) in self.run(line) {
            good &= response.error.is_none();
            // On the terminal the failure before has named the commands that were not run.
            let is_named = response.error.as_ref().is_some_and(Failure::is_not_run);
            if printer.is_json() || !is_named {
                printer.response(&command, &response)?;
            }
        }
        Ok(good)
    }
}

/// Opens the directory or the file at `path`, as files of `format` if that is given, and runs `commands`, or typed lines;
/// whether every command went well.
///
/// # Errors
/// Standard input or output failed.
pub(crate) fn explored(
    path: &Path,
    format: Option<&str>,
    commands: Option<&str>,
    printer: &mut Printer,
) -> io::Result<bool> {
    let files = NativeFiles::open(path)?;
    let basis = match format {
        Some(format) => super::basis_as(&files, format),
        None => match files.basis() {
            Ok(basis) => Some(basis),
            Err(error) if error.kind() == ErrorKind::Invalid => None,
            Err(error) => return refused(error, printer),
        },
    };
    let Some(basis) = basis else {
        return match FileSet::new(&files, format) {
            Ok(set) => entered(&Opened::Files(Box::new(set)), &files, commands, printer),
            Err(failure) => printer.response("open", &failure.into()).map(|()| false),
        };
    };
    let counted = CountedFiles::new(basis.files(&files));
    match basis.open(&counted) {
        Ok(directory) => entered(&Opened::Engine(Box::new(directory)), &files, commands, printer),
        Err(error) => refused(error, printer),
    }
}

fn refused(error: Error, printer: &mut Printer) -> io::Result<bool> {
    printer.response("open", &Failure::from(error).into())?;
    Ok(false)
}

/// Runs `commands`, or typed lines.
fn entered(
    opened: &Opened<'_>,
    files: &NativeFiles,
    commands: Option<&str>,
    printer: &mut Printer,
) -> io::Result<bool> {
    let mut session = DirectorySession::new(opened, files, printer.is_json());
    if let Some(commands) = commands {
        return session.enter(commands, printer);
    }
    if io::stdin().is_terminal() {
        let hello = "Opened to be looked at: nothing in the directory is changed. help lists the commands; Tab \
            completes; Ctrl-D ends.";
        printer.lines(&[OutputLine::note(hello)])?;
        session.enter("stats", printer)?;
        return repl::run(&RefCell::new(session), printer).map(|()| true);
    }
    let mut good = true;
    for line in io::stdin().lock().lines() {
        good &= session.enter(&line?, printer)?;
        // Damage that a check finds does not end the lines after it.
        if session.has_failed() || session.has_ended() {
            break;
        }
    }
    Ok(good)
}
