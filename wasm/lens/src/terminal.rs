//! The terminal of the page on a directory: one line of commands, and what it printed.

use levelscope_console::directory::{Cursor, DirectoryHost, DirectorySession, Opened};
use levelscope_console::{Completion, Failure, OutputLine, Response, Style};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use serde::Serialize;
use std::cell::RefCell;

/// A page has no paths to write to: files that are saved become downloads.
#[derive(Default)]
struct Page {
    saved: RefCell<Vec<(String, Vec<u8>)>>,
}

impl DirectoryHost for Page {
    fn export(&self, _: &Directory<'_>, _: u32, _: &str, _: Policy) -> Result<Response, Failure> {
        Err(Failure::usage("a page writes no file by itself")
            .hint("Save as a table, under Problems, makes the same table"))
    }

    fn save(&self, path: &str, content: &[u8], _: bool) -> Result<(), Failure> {
        self.saved.borrow_mut().push((path.to_owned(), content.to_vec()));
        Ok(())
    }
}

/// Result of a line of commands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ran {
    /// The printed lines, failures before the last one among it.
    lines: Vec<OutputLine>,
    /// Why it ended early.
    failure: Option<Failure>,
    /// Whether it has checked the directory.
    has_checked: bool,
    /// The family that the next command is about.
    family: u32,
    /// The step that the next command is about; `None`: the last one.
    step: Option<usize>,
}

/// Runs `line` on `directory` at `cursor`; returns also the files that it saves.
pub(crate) fn run(
    directory: &Opened<'_>,
    line: &str,
    cursor: Cursor,
) -> (Ran, Vec<(String, Vec<u8>)>) {
    let page = Page::default();
    let mut session = DirectorySession::new(directory, &page, false);
    session.set_cursor(cursor);
    let (mut lines, mut failure) = (Vec::new(), None);
    for (_, response) in session.run(line) {
        let Some(error) = response.error.filter(|error| !error.is_not_run()) else {
            lines.extend(response.lines);
            continue;
        };
        // Damage that a check found does not end the line.
        if let Some(before) = failure.replace(error) {
            lines.extend(printed(&before));
        }
        lines.extend(response.lines);
    }
    let (Cursor { family, step }, has_checked) = (session.cursor(), session.has_checked());
    let ran = Ran { lines, failure, has_checked, family, step };
    (ran, page.saved.take())
}

fn printed(failure: &Failure) -> impl Iterator<Item = OutputLine> {
    let hint = failure.hint.as_ref().map(OutputLine::note);
    [OutputLine::new().with(Style::Bad, failure.message.clone())].into_iter().chain(hint)
}

/// Ways to go on at `at` \[bytes\] in `line`.
pub(crate) fn complete(directory: &Opened<'_>, line: &str, at: usize) -> Vec<Completion> {
    DirectorySession::new(directory, &Page::default(), false).complete(line, at)
}
