//! A terminal on a directory of `RocksDB`, Pebble or `LevelDB`: the verbs of the command language that read, natively and in
//! the page. Nothing is ever written into it.

mod answers;
mod bytes;
mod check;
mod complete;
pub mod lines;
mod reads;
mod refusal;
mod report;
mod verbs;

pub use bytes::answer;
pub use check::{Depth, response as checked};

use crate::language::lexer::{Statement, lex};
use crate::output::{Completion, Failure, Response};
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use levelscope_foreign::{Engine, Problem};

/// What a host does for a terminal on a directory.
pub trait DirectoryHost {
    /// All findings of a check of `directory`; with `deep` every entry is decoded, too. A host with threads spreads it.
    fn check(&self, directory: &Directory<'_>, deep: bool) -> Vec<Problem> {
        directory.check_all(deep)
    }

    /// Writes the live entries of `family` into the new file `path`.
    ///
    /// # Errors
    /// The file exists or cannot be written; the policy refuses what would be lost.
    fn export(
        &self,
        directory: &Directory<'_>,
        family: u32,
        path: &str,
        policy: Policy,
    ) -> Result<Response, Failure>;
}

/// What the commands are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The number of a column family.
    pub family: u32,
    /// A step of the history; `None`: the last one.
    pub step: Option<usize>,
}

/// A terminal on a directory.
pub struct DirectorySession<'d, 'f> {
    directory: &'d Directory<'f>,
    host: &'d dyn DirectoryHost,
    cursor: Cursor,
    /// Whether answers for programs are wanted, too: they take many times the memory of the lines.
    has_results: bool,
    has_ended: bool,
    last: Line,
}

/// How the last line went.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    /// Whether it was not run to its end.
    has_failed: bool,
    /// Whether it has checked the directory.
    has_checked: bool,
}

impl<'d, 'f> DirectorySession<'d, 'f> {
    /// Begins with the first family that has tables, at the last step.
    pub fn new(
        directory: &'d Directory<'f>,
        host: &'d dyn DirectoryHost,
        has_results: bool,
    ) -> Self {
        let families = || directory.state().families.values();
        let family = families().find(|family| family.levels.values().any(|all| !all.is_empty()));
        let family = family.or_else(|| families().next()).map_or(0, |family| family.id);
        let cursor = Cursor { family, step: None };
        Self { directory, host, cursor, has_results, has_ended: false, last: Line::default() }
    }

    /// What the next command is about.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Moves the cursor, as a page does. A family that does not exist is an error of the next command.
    pub fn set_cursor(&mut self, cursor: Cursor) {
        self.cursor = cursor;
    }

    /// Whether `exit` was typed.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether the last line ended before its end, because a command failed.
    pub fn has_failed(&self) -> bool {
        self.last.has_failed
    }

    /// Whether the last line has checked the directory, so that more findings may be known.
    pub fn has_checked(&self) -> bool {
        self.last.has_checked
    }

    /// The text before a line that is typed, without its last sign.
    pub fn prompt(&self) -> String {
        let engine = self.directory.engine();
        let family = match self.directory.family(self.cursor.family) {
            Ok(family) if engine == Engine::RocksDb => {
                format!(", {}", text::printable(&family.name))
            }
            _ => String::new(),
        };
        let step = self.cursor.step.map_or_else(String::new, |step| format!(", at step {step}"));
        format!("{}{family}{step}", engine.name())
    }

    /// Ways to go on at `cursor` \[bytes\] in `line`, in the order in which they are offered.
    pub fn complete(&self, line: &str, cursor: usize) -> Vec<Completion> {
        complete::complete(self.directory, line, cursor)
    }

    /// Runs the commands of a line until one fails; returns each with its text, also those that were not run after it.
    pub fn run(&mut self, line: &str) -> Vec<(String, Response)> {
        let statements = match lex(line) {
            Ok(statements) => statements,
            Err(error) => {
                self.last.has_failed = true;
                return vec![(line.to_owned(), Failure::from(error).into())];
            }
        };
        let text_of = |statement: &Statement| {
            line.get(statement.start..statement.end).unwrap_or("").trim().to_owned()
        };
        let mut done: Vec<(String, Response)> = Vec::new();
        self.last.has_checked = false;
        for (place, statement) in statements.iter().enumerate() {
            let (is_check, mut response) = match refusal::of(statement, self.directory.engine()) {
                Ok((command, args)) => {
                    let response = (command.start)(self, &args);
                    (command.verb.name == "check", response.unwrap_or_else(Response::from))
                }
                Err(failure) => (false, failure.into()),
            };
            self.last.has_checked |= is_check;
            // Damage that a check finds is its answer: the questions after it are about that.
            let is_answer = is_check && response.error.as_ref().is_some_and(|e| e.kind != "usage");
            let has_failed = response.error.is_some() && !is_answer;
            let left = statements.get(place + 1..).unwrap_or_default();
            if let Some(failure) = response.error.as_mut().filter(|_| has_failed) {
                failure.name_not_run(&left.iter().map(text_of).collect::<Vec<_>>());
            }
            done.push((text_of(statement), response));
            if has_failed {
                done.extend(
                    left.iter().map(|statement| (text_of(statement), Failure::not_run().into())),
                );
            }
            self.last.has_failed = has_failed;
            if has_failed || self.has_ended {
                break;
            }
        }
        done
    }
}
