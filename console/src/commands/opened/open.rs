//! `open`: files come in, one a step.

use super::{list, state, tell};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Failure, OutputLine};
use crate::result::{OpenResult, OpenedState};
use crate::session::{Session, Stop, Task, Turn, structured};
use crate::shelf::{Foreign, OpenedFile};
use crate::text;
use levelscope::formats::{self, Format};
use std::collections::VecDeque;
use std::sync::Arc;

/// Names of other formats in a hint at most.
const NAMES_MAX: usize = 40;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let given = args.value("--as").map(|word| format_called(&word.bytes)).transpose()?;
    let mut paths = VecDeque::new();
    for position in 0..args.words.len() {
        match args.text(position) {
            Some(path) if !path.contains('\0') => paths.push_back(Source::Path(path.to_owned())),
            _ => {
                let shown = text::short_word(&args.bytes(position), 64);
                return Err(Failure::usage(format!("{shown} is no name of a file")));
            }
        }
    }
    let pick = paths.is_empty();
    Ok(Box::new(Opening { pick, given, waiting: paths, opened: Vec::new(), refused: None }))
}

/// The format that is called `word`.
pub(crate) fn format_called(word: &[u8]) -> Result<&'static dyn Format, Failure> {
    let known = std::str::from_utf8(word).ok().and_then(formats::find);
    known.ok_or_else(|| {
        let names: Vec<&str> =
            formats::FORMATS.iter().map(|format| format.info().id).take(NAMES_MAX).collect();
        let shown = text::short_word(word, 32);
        let failure = Failure::usage(format!("there is no format {shown}"));
        match std::str::from_utf8(word)
            .ok()
            .and_then(|word| crate::language::closest(word, names.iter().copied()))
        {
            Some(meant) => failure.hint(format!("did you mean {meant}? `formats` lists all")),
            None => failure.hint("`formats` lists all"),
        }
    })
}

/// Where a file comes from.
enum Source {
    /// The host reads it.
    Path(String),
    /// It is here.
    File(Foreign),
}

/// Files on their way in.
pub(crate) struct Opening {
    /// Nobody named any: the host asks for them.
    pick: bool,
    given: Option<&'static dyn Format>,
    waiting: VecDeque<Source>,
    opened: Vec<OpenedState>,
    /// The first file that was not opened; others are opened all the same.
    refused: Option<Failure>,
}

impl Opening {
    /// Opens `files`, which the host has read, as `given`.
    pub(crate) fn of(files: Vec<Foreign>, given: Option<&'static dyn Format>) -> Self {
        let waiting = files.into_iter().map(Source::File).collect();
        Self { pick: false, given, waiting, opened: Vec::new(), refused: None }
    }

    fn put(&mut self, session: &mut Session, foreign: Foreign) -> Result<(), Failure> {
        let Foreign { name, bytes } = foreign;
        session.shelf.room(&name, bytes.len() as u64, session.host.opened_bytes_max())?;
        let name = session.shelf.free_name(&name);
        let file = OpenedFile::new(name, bytes, self.given);
        self.shelve(session, file);
        Ok(())
    }

    fn shelve(&mut self, session: &mut Session, file: OpenedFile) {
        let file = Arc::new(file);
        session.shelf.put(Arc::clone(&file));
        tell(session, &file);
        self.opened.push(state(&file));
    }

    /// Takes the next file or path.
    fn next(&mut self, session: &mut Session, source: Source) -> Result<(), Failure> {
        let path = match source {
            Source::File(file) => return self.put(session, file),
            Source::Path(path) => path,
        };
        // An opened file again, as another format.
        if let Some(file) = session.shelf.find(&path) {
            let again = OpenedFile::new(file.name.clone(), file.bytes.clone(), self.given);
            self.shelve(session, again);
            return Ok(());
        }
        for file in session.host.read_files(&path)?.into_iter().rev() {
            self.waiting.push_front(Source::File(file));
        }
        Ok(())
    }
}

impl Task for Opening {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if self.pick {
            if !session.host.pick_files() {
                return Ok(Turn::Done(list(session, &session.shelf.all())));
            }
            session.say(OutputLine::note("Choose files; or drop some anywhere on the page."));
            return Ok(Turn::Done(structured(OpenResult { files: Vec::new() })));
        }
        if let Some(source) = self.waiting.pop_front() {
            if let Err(failure) = self.next(session, source) {
                // A file that is refused says so; those behind it are still opened.
                if self.waiting.is_empty() && self.opened.is_empty() && self.refused.is_none() {
                    return Err(failure.into());
                }
                session.say(OutputLine::note(failure.message.clone()));
                self.refused.get_or_insert(failure);
            }
            return Ok(Turn::More);
        }
        if let Some(failure) = self.refused.take() {
            return Err(failure.into());
        }
        if let [only] = self.opened.as_slice() {
            let mut ways = vec![format!("layout {}", only.id), format!("hex {}", only.id)];
            if only.format.as_ref().is_some_and(|format| !format.searches.is_empty()) {
                ways.push(format!("entries {}", only.id));
                ways.push(format!("lookup {} KEY", only.id));
            }
            session.say(OutputLine::note(format!("Look inside: {}", ways.join(", "))));
        }
        let files = std::mem::take(&mut self.opened);
        Ok(Turn::Done(structured(OpenResult { files })))
    }

    fn position(&self) -> (u64, Option<u64>) {
        let done = self.opened.len() as u64;
        (done, Some(done + self.waiting.len() as u64))
    }
}
