//! One open directory, and the questions to it.

use crate::files::{Host, HostFiles};
use crate::terminal;
use crate::work::{CheckWork, ExportWork, Form, Progress};
use levelscope_console::directory::{Cursor, FileSet, Opened, refused};
use levelscope_foreign::directory::Basis;
use levelscope_foreign::export::Policy;
use levelscope_foreign::query::Query;
use levelscope_foreign::{CountedFiles, Error, ErrorKind, Files, Result};
use serde_json::json;
use std::rc::Rc;

/// The directory that a module instance has opened. It is never freed, which a directory that borrows its files would
/// need; the worker ends with it.
pub struct Lens {
    directory: &'static Opened<'static>,
    check: Option<CheckWork>,
    export: Option<ExportWork>,
    losses: Vec<String>,
    is_refused: bool,
    /// Files that `save` has written since they were taken: name and content.
    saved: Vec<(String, Vec<u8>)>,
}

/// The state of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The answer, as JSON.
    Answer(String),
    /// It takes longer: [`Lens::advance`] goes on.
    More(Progress),
}

impl Lens {
    /// Opens the database in `folder`, which is empty or ends in `/`, of the files `all` (name with folders, bytes). A
    /// directory without a manifest opens with all of its tables, as single files do; what no engine has written opens as
    /// a set of files.
    ///
    /// # Errors
    /// The manifest of a database cannot be read at all.
    pub fn open(all: &[(String, u64)], folder: &str, host: impl Host + 'static) -> Result<Self> {
        let host = Rc::new(host);
        let files = HostFiles::new(all, folder, Rc::clone(&host));
        let files: &'static dyn Files = Box::leak(Box::new(files));
        let opened = match Basis::of(files, !folder.is_empty()) {
            Ok(basis) => {
                let basis: &'static Basis<'_> = Box::leak(Box::new(basis));
                let counted = Box::leak(Box::new(CountedFiles::new(basis.files(files))));
                Opened::Engine(Box::new(basis.open(counted)?))
            }
            Err(error) if error.kind() == ErrorKind::Invalid && !all.is_empty() => {
                let files: &'static dyn Files =
                    Box::leak(Box::new(HostFiles::every(all, folder, host)));
                let set = FileSet::new(files, None).map_err(|failure| refused(&failure))?;
                Opened::Files(Box::new(set))
            }
            Err(error) => return Err(error),
        };
        let (directory, losses) = (Box::leak(Box::new(opened)), Vec::new());
        Ok(Self {
            directory,
            check: None,
            export: None,
            saved: Vec::new(),
            losses,
            is_refused: false,
        })
    }

    /// Whether it is a database, and not a set of files.
    pub fn is_database(&self) -> bool {
        self.directory.engine().is_ok()
    }

    /// Asks a question, which is JSON: one about the directory, or one about bytes that the playground has, too. A check goes on with [`Lens::advance`]; another one replaces it.
    ///
    /// # Errors
    /// `Invalid` when it is no question; those of the directory.
    pub fn ask(&mut self, question: &str) -> Result<Reply> {
        if let Ok(query) = levelscope_console::Query::read(question) {
            let answer = levelscope_console::directory::answer(self.directory, &query);
            return Ok(Reply::Answer(
                answer.map_err(|failure| refused(&failure))?.value.to_string(),
            ));
        }
        let query = parsed(question)?;
        if let (Query::Check { deep }, Opened::Engine(directory)) = (&query, self.directory) {
            self.check = Some(CheckWork::new(directory, *deep));
            return self.advance();
        }
        Ok(Reply::Answer(self.directory.answer(&query)?.to_string()))
    }

    /// Goes on with a check.
    ///
    /// # Errors
    /// `Invalid` when none is going on.
    pub fn advance(&mut self) -> Result<Reply> {
        let going = || Error::new(ErrorKind::Invalid, "no check is going on");
        let check = self.check.as_mut().ok_or_else(going)?;
        let directory = self.directory.engine().map_err(|failure| refused(&failure))?;
        if let Some(progress) = check.step(directory) {
            return Ok(Reply::More(progress));
        }
        let outcome = self.check.take().map(|check| check.finish(directory));
        Ok(Reply::Answer(json!(outcome).to_string()))
    }

    /// The progress of the running check since the last call, as JSON; `None`: no check is running.
    pub fn check_news(&mut self) -> Option<String> {
        self.check.as_mut().map(|check| json!(check.news()).to_string())
    }

    /// Runs a line of commands, as `levelscope DIR --read-only` does; returns a [`crate::Ran`] as JSON.
    /// `family` and `step`: the cursor.
    pub fn run(&mut self, line: &str, family: u32, step: Option<usize>) -> String {
        let (ran, mut saved) = terminal::run(self.directory, line, Cursor { family, step });
        self.saved.append(&mut saved);
        json!(ran).to_string()
    }

    /// The next file that `save` has written: its name and its content.
    pub fn take_saved(&mut self) -> Option<(String, Vec<u8>)> {
        self.saved.pop()
    }

    /// Ways to go on at `at` \[bytes\] in `line`, as JSON.
    pub fn complete(&self, line: &str, at: usize) -> String {
        json!(terminal::complete(self.directory, line, at)).to_string()
    }

    /// The table of a report as comma-separated values; `question` is one for a report.
    ///
    /// # Errors
    /// `Invalid` when it is no such question.
    pub fn csv(&self, question: &str) -> Result<String> {
        let Query::Report { id, family, key } = parsed(question)? else {
            return Err(Error::new(ErrorKind::Invalid, "only reports have tables"));
        };
        let directory = self.directory.engine().map_err(|failure| refused(&failure))?;
        Ok(directory.report_of(&id, family, key.as_deref())?.table.csv())
    }

    /// Begins a file of the live entries of a family, in the place of one that was begun before. `policy`: what may be
    /// left out, see [`Lens::losses`].
    ///
    /// # Errors
    /// There is no such family, or its order of keys is not known. Unless damage may be left out: the manifest or a log
    /// is damaged, or a file is missing.
    pub fn begin_export(&mut self, family: u32, policy: Policy, form: Form) -> Result<()> {
        self.losses.clear();
        self.is_refused = false;
        self.export = Some(ExportWork::new(self.directory, family, policy, form)?);
        Ok(())
    }

    /// The next bytes of the table; `None` after its end.
    ///
    /// # Errors
    /// An entry cannot be read, or has no plain bytes; the table is given up then.
    pub fn export(&mut self) -> Result<Option<Vec<u8>>> {
        let going = || Error::new(ErrorKind::Invalid, "no table is being made");
        let next = self.export.as_mut().ok_or_else(going)?.step();
        if !matches!(next, Ok(Some(_)))
            && let Some(work) = self.export.take()
        {
            self.is_refused = work.is_refused();
            self.losses = work.into_losses();
        }
        next
    }

    /// Entries that the last table lacks, a sentence for each kind; empty unless losses are allowed.
    pub fn losses(&self) -> &[String] {
        &self.losses
    }

    /// Whether the last table was refused because something would be lost: a lossy one can be made.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// The progress of the exported table.
    pub fn exported(&self) -> Progress {
        let progress = self.export.as_ref().map(ExportWork::progress);
        progress.unwrap_or(Progress { done: 0, total: None })
    }
}

fn parsed(question: &str) -> Result<Query> {
    serde_json::from_str(question).map_err(|error| {
        Error::new(ErrorKind::Invalid, format!("this is no question to a directory: {error}"))
    })
}

/// The word for the kind of a failure.
pub fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Damaged => "damaged",
        ErrorKind::NotRead => "not_read",
        ErrorKind::Missing => "missing",
        ErrorKind::Io => "io",
        ErrorKind::Stopped => "stopped",
        _ => "invalid",
    }
}

/// A failure as a sentence; a name of a file at its beginning stays as it is.
pub fn sentence(error: &Error) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let begun = match (error.file(), letters.next()) {
        (None, Some(first)) => first.to_uppercase().chain(letters).collect(),
        _ => text,
    };
    if begun.ends_with(['.', '!', '?']) { begun } else { format!("{begun}.") }
}
