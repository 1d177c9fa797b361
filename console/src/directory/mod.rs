//! A terminal on a directory of `RocksDB`, Pebble, `LevelDB` or Levelscope, or on single files: the verbs of
//! the command language that read, natively and in the page. Nothing is ever written into it.

mod annotated;
mod answers;
mod bytes;
mod check;
mod complete;
mod fileset;
pub mod lines;
mod making;
mod reads;
mod refusal;
mod report;
mod verbs;

pub use bytes::answer;
pub use check::{Depth, errors_found, response as checked};
pub use fileset::{FileSet, refused};

use crate::language::lexer::{Statement, lex};
use crate::output::{Completion, Failure, Json, Response};
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use levelscope_foreign::query::{Part, Query, bytes_of};
use levelscope_foreign::{Engine, Problem};

/// A name of a file, without the sign of a selection.
fn name_of(typed: &str) -> &str {
    typed.strip_prefix('@').unwrap_or(typed)
}

/// Whether the commands of `line` are questions to a directory, at least one of which no open database answers: `others`
/// knows the verbs of those.
pub fn asks_directory(line: &str, others: impl Fn(&str) -> bool) -> bool {
    let statements = lex(line).unwrap_or_default();
    let verb = |statement: &Statement| {
        let word = statement.words().next().map(|word| String::from_utf8_lossy(&word.bytes));
        word.and_then(|word| verbs::find(&word)).map(|command| command.verb.name)
    };
    let verbs: Vec<Option<&str>> = statements.iter().map(verb).collect();
    verbs.iter().all(Option::is_some) && verbs.iter().flatten().any(|verb| !others(verb))
}

/// A directory that is open to be looked at.
pub enum Opened<'f> {
    /// A database of `RocksDB`, Pebble, `LevelDB` or Levelscope.
    Engine(Box<Directory<'f>>),
    /// Single files of the experiments.
    Files(Box<FileSet<'f>>),
}

impl<'f> Opened<'f> {
    /// The database.
    ///
    /// # Errors
    /// It is a set of files.
    pub fn engine(&self) -> Result<&Directory<'f>, Failure> {
        match self {
            Self::Engine(directory) => Ok(directory),
            Self::Files(_) => {
                let failure = Failure::usage("files have no levels, history, reports and families");
                Err(failure.hint("`files`, `layout`, `hex`, `get` and `scan` look into them"))
            }
        }
    }

    /// The files, where it is a set of them.
    ///
    /// # Errors
    /// It is a database.
    pub(crate) fn files(&self) -> Result<&FileSet<'f>, Failure> {
        match self {
            Self::Files(files) => Ok(files),
            Self::Engine(_) => {
                let failure =
                    Failure::usage("this is for files of the experiments, without an engine");
                Err(failure.hint("`export FILE.sst` writes the entries of this database"))
            }
        }
    }

    /// The name of its engine.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Engine(directory) => directory.engine().name(),
            Self::Files(_) => fileset::NAME,
        }
    }

    /// The names of its files.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Engine(directory) => {
                directory.files().list().iter().map(|file| file.name.clone()).collect()
            }
            Self::Files(files) => files.known().iter().map(|file| file.name.clone()).collect(),
        }
    }

    /// Its column families, and the files that take their place: number and name.
    fn families(&self) -> Vec<(u32, String)> {
        match self {
            Self::Engine(directory) => {
                let families = directory.state().families.values();
                families.map(|family| (family.id, family.name.clone())).collect()
            }
            Self::Files(_) => (0..).zip(self.names()).collect(),
        }
    }

    /// The answer to `query`, in the shape that [`Query`] names for it.
    ///
    /// # Errors
    /// The question makes no sense here, or nothing of its answer can be read.
    pub fn answer(&self, query: &Query) -> levelscope_foreign::Result<Json> {
        let files = match self {
            Self::Engine(directory) => return directory.answer(query).map(Json::from),
            Self::Files(files) => files,
        };
        let value = match query {
            Query::Overview {} => Json::of(files.overview()),
            Query::Scan { family, from, to, limit, sequence } => {
                let part = Part::of([from, to], *limit, *sequence)?;
                Json::of(files.rows(*family, &part).map_err(|failure| refused(&failure))?)
            }
            Query::Get { family, key, sequence } => {
                let (key, way) = (bytes_of(key)?, fileset::Way::default());
                let file = files.family(*family);
                let found = file.and_then(|file| files.lookup(&file, &key, *sequence, way));
                Json::of(found.map_err(|failure| refused(&failure))?)
            }
            Query::Check { .. } => Json::of(files.checked()),
            Query::Levels { .. }
            | Query::Steps { .. }
            | Query::Facts { .. }
            | Query::Report { .. } => {
                self.engine().map_err(|failure| refused(&failure))?;
                Json::default()
            }
        };
        Ok(value)
    }
}

/// The host of a terminal on a directory.
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

    /// Writes the content of a file of the directory to `path`; an existing file is replaced only with `force`.
    ///
    /// # Errors
    /// The file exists or cannot be written.
    fn save(&self, path: &str, content: &[u8], force: bool) -> Result<(), Failure>;
}

/// The subject of the commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The number of a column family.
    pub family: u32,
    /// A step of the history; `None`: the last one.
    pub step: Option<usize>,
}

/// A terminal on a directory.
pub struct DirectorySession<'d, 'f> {
    directory: &'d Opened<'f>,
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
    /// Whether it has checked the directory or made a file.
    has_checked: bool,
}

impl<'d, 'f> DirectorySession<'d, 'f> {
    /// Begins with the largest family, or the first file with entries, at the last step.
    pub fn new(directory: &'d Opened<'f>, host: &'d dyn DirectoryHost, has_results: bool) -> Self {
        let family = match directory {
            Opened::Engine(directory) => directory.largest_family().map_or(0, |family| family.id),
            Opened::Files(files) => files.shown_first(),
        };
        let cursor = Cursor { family, step: None };
        Self { directory, host, cursor, has_results, has_ended: false, last: Line::default() }
    }

    /// The subject of the next command.
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

    /// Whether the last line has checked the directory or made a file, so that more may be known.
    pub fn has_checked(&self) -> bool {
        self.last.has_checked
    }

    /// The text before a line that is typed, without its last sign.
    pub fn prompt(&self) -> String {
        let families = self.directory.families();
        let is_named = match self.directory {
            Opened::Engine(directory) => directory.engine() == Engine::RocksDb,
            Opened::Files(_) => true,
        };
        let found = families.iter().find(|(id, _)| is_named && *id == self.cursor.family);
        let family =
            found.map_or_else(String::new, |(_, name)| format!(", {}", text::printable(name)));
        let step = self.cursor.step.map_or_else(String::new, |step| format!(", at step {step}"));
        format!("{}{family}{step}", self.directory.name())
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
            let (is_check, mut response) = match refusal::of(statement, self.directory.name()) {
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
