//! `open`: files come in, one a step.

use super::list;
use super::state::{directory_state, state};
use super::telling::{tell, tell_directory};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{OpenResult, OpenedState};
use crate::session::{Session, Stop, Task, Turn};
use crate::shelf::{Foreign, OpenedDirectory, OpenedFile, place_of, plain, tidy};
use crate::text;
use levelscope_formats::{self as formats, Directory, Format};
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
    Ok(Box::new(Opening { pick, waiting: paths, ..Opening::of(Vec::new(), given) }))
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
    /// They are here, and came together.
    Files(Vec<Foreign>),
    /// It is here.
    File(Foreign),
}

/// Files on their way in.
pub(crate) struct Opening {
    /// None was named: the host asks for them.
    pick: bool,
    given: Option<&'static dyn Format>,
    waiting: VecDeque<Source>,
    opened: Vec<Arc<OpenedFile>>,
    /// The first file that was not opened; others are opened all the same.
    refused: Option<Failure>,
    /// One file, whose directory its caller has judged.
    alone: bool,
    /// The directory of the current files, and the evidence that its files give together.
    directory: Option<(String, Directory)>,
}

impl Opening {
    /// Opens `files`, which the host has read, as `given`.
    pub(crate) fn of(files: Vec<Foreign>, given: Option<&'static dyn Format>) -> Self {
        let waiting = VecDeque::from([Source::Files(files)]);
        let opened = Vec::new();
        Self { pick: false, given, waiting, opened, refused: None, alone: false, directory: None }
    }

    /// Opens `file`, whose directory its caller has judged.
    pub(crate) fn of_one(
        file: Foreign,
        given: Option<&'static dyn Format>,
        directory: Directory,
    ) -> Self {
        let place = place_of(&tidy(&file.name)).to_owned();
        Self { alone: true, directory: Some((place, directory)), ..Self::of(vec![file], given) }
    }

    /// The evidence of the files in the directory of `file`: opened ones, and those that follow.
    fn directory(&mut self, session: &Session, file: &Foreign) -> Directory {
        let name = tidy(&file.name);
        let place = place_of(&name);
        if let Some((known, directory)) = &self.directory
            && known == place
        {
            return directory.clone();
        }
        let opened = session.shelf.all();
        // Files that were opened one by one have no directory in common.
        let opened = opened.iter().filter(|_| !place.is_empty());
        let opened = opened.map(|file| (file.name.clone(), file.bytes.as_slice()));
        let following = self.waiting.iter().filter_map(|source| match source {
            Source::File(file) => Some(file),
            Source::Path(_) | Source::Files(_) => None,
        });
        let following =
            following.chain([file]).map(|file| (tidy(&file.name), file.bytes.as_slice()));
        let all: Vec<(String, &[u8])> =
            opened.chain(following).filter(|(name, _)| place_of(name) == place).collect();
        let directory = Directory::of(all.iter().map(|(name, bytes)| (plain(name), *bytes)));
        self.directory = Some((place.to_owned(), directory.clone()));
        directory
    }

    fn put(&mut self, session: &mut Session, foreign: Foreign) -> Result<(), Failure> {
        let directory = self.directory(session, &foreign);
        let Foreign { name, bytes } = foreign;
        session.shelf.room(&name, bytes.len() as u64, session.host.opened_bytes_max())?;
        let name = session.shelf.free_name(&name);
        let file = Arc::new(OpenedFile::new(name, bytes, self.given, directory));
        // Its directory tells of the others, once all are there.
        if self.alone || file.directory_id().is_none() {
            tell(session, &file);
        }
        self.shelve(session, file);
        Ok(())
    }

    fn shelve(&mut self, session: &Session, file: Arc<OpenedFile>) {
        session.shelf.put(Arc::clone(&file));
        self.opened.push(file);
    }

    /// Looks at the directories that got files.
    fn directories(&self, session: &Session) -> Vec<OpenedDirectory> {
        if self.alone {
            return Vec::new();
        }
        let got = |known: &OpenedDirectory| {
            let is_in = |file: &Arc<OpenedFile>| file.directory_id().as_ref() == Some(&known.id);
            self.opened.iter().any(is_in)
        };
        session.shelf.directories().into_iter().filter(got).collect()
    }

    /// Takes the next file or path.
    fn next(&mut self, session: &mut Session, source: Source) -> Result<(), Failure> {
        let path = match source {
            Source::File(file) => return self.put(session, file),
            Source::Files(mut files) => {
                session.shelf.keep_apart(&mut files);
                for file in files.into_iter().rev() {
                    self.waiting.push_front(Source::File(file));
                }
                return Ok(());
            }
            Source::Path(path) => path,
        };
        // An opened file again, as another format.
        if let Some(file) = session.shelf.find(&path) {
            let (name, bytes) = (file.name.clone(), file.bytes.clone());
            let again = OpenedFile::new(name, bytes, self.given, file.directory.clone());
            let again = Arc::new(again);
            tell(session, &again);
            self.shelve(session, again);
            return Ok(());
        }
        self.waiting.push_front(Source::Files(session.host.read_files(&path)?));
        Ok(())
    }
}

impl Task for Opening {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if self.pick {
            if !session.host.pick_files() {
                return Ok(Turn::Done(list(session)));
            }
            session.say(OutputLine::note("Choose files; or drop some anywhere on the page."));
            let nothing = OpenResult { files: Vec::new(), directories: Vec::new() };
            return Ok(Turn::Done(Answer::opened(nothing)));
        }
        if let Some(source) = self.waiting.pop_front() {
            if let Err(failure) = self.next(session, source) {
                // A refused file is reported; later files are still opened.
                if self.waiting.is_empty() && self.opened.is_empty() && self.refused.is_none() {
                    return Err(failure.into());
                }
                session.say(OutputLine::note(failure.message.clone()));
                self.refused.get_or_insert(failure);
            }
            return Ok(Turn::More);
        }
        let directories = self.directories(session);
        for directory in &directories {
            tell_directory(session, directory);
        }
        if let Some(failure) = self.refused.take() {
            return Err(failure.into());
        }
        let files: Vec<OpenedState> = self.opened.iter().map(|file| state(file)).collect();
        if let [only] = files.as_slice() {
            let mut ways = vec![format!("layout {}", only.id), format!("hex {}", only.id)];
            if only.format.as_ref().is_some_and(|format| !format.searches.is_empty()) {
                ways.push(format!("entries {}", only.id));
                ways.push(format!("lookup {} KEY", only.id));
            }
            session.say(OutputLine::note(format!("Look inside: {}", ways.join(", "))));
        }
        let directories = directories.iter().map(directory_state).collect();
        Ok(Turn::Done(Answer::opened(OpenResult { files, directories })))
    }

    fn position(&self) -> (u64, Option<u64>) {
        let done = self.opened.len() as u64;
        (done, Some(done + self.waiting.len() as u64))
    }
}
