//! Files of the experiments as a directory; each file stands for a column family.
//!
//! A [`Format`] works on the whole content of a file, so one file at a time is held in memory.

mod file;
mod lines;
mod make;
mod reads;

pub(crate) use file::FormatFile;
pub(super) use lines::NAME;
pub(crate) use lines::format_lines as format_list;
pub(crate) use make::Write;
pub(crate) use reads::{Way, stops_of};

use crate::output::Failure;
use crate::text;
use levelscope_foreign::files::total;
use levelscope_foreign::name::plain;
use levelscope_foreign::recognize::owner;
use levelscope_foreign::{Error, ErrorKind, FileInfo, Files};
use levelscope_formats::{self as formats, Format};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Largest file that is read \[bytes\].
pub(super) const FILE_BYTES_MAX: u64 =
    if cfg!(target_arch = "wasm32") { 256 << 20 } else { 4 << 30 };
/// Files that are recognized, and bytes of them: the formats of more are not looked for.
const FILES_MAX: usize = 1024;
const BYTES_MAX: u64 = if cfg!(target_arch = "wasm32") { 1 << 30 } else { 1 << 40 };

/// All bytes of a file.
type Content = Rc<Vec<u8>>;

/// Files that were opened to be looked at, and those that commands have made beside them.
pub struct FileSet<'f> {
    files: &'f dyn Files,
    given: Option<&'static dyn Format>,
    known: OnceCell<Vec<Rc<FormatFile>>>,
    /// Files in memory with their content: they hide those of the same names.
    made: RefCell<Vec<(Rc<FormatFile>, Content)>>,
    /// The content that was read last.
    content: RefCell<Option<(String, Content)>>,
}

impl<'f> FileSet<'f> {
    /// The set of `files`, read as the format called `given`; without one their content decides.
    ///
    /// # Errors
    /// There is no such format.
    pub fn new(files: &'f dyn Files, given: Option<&str>) -> Result<Self, Failure> {
        let given = given.map(|word| format_called(word.as_bytes())).transpose()?;
        let (made, content) = (RefCell::default(), RefCell::default());
        Ok(Self { files, given, known: OnceCell::new(), made, content })
    }

    /// Whether some of the files have a format of the experiments, by their content. Cost: reads files up to the first such one.
    pub fn has_experiments(&self) -> bool {
        self.files.list().iter().take(FILES_MAX).any(|FileInfo { name, .. }| {
            let content = self.content(name).ok();
            content.is_some_and(|content| file::recognize(plain(name), &content).0.is_some())
        })
    }

    /// The files in the order of their names, then those that were made. All are read on the first call.
    pub(crate) fn known(&self) -> Vec<Rc<FormatFile>> {
        let known = self.known.get_or_init(|| self.recognized().map(Rc::new).collect());
        let made = self.made.borrow();
        let in_memory = |name: &str| made.iter().map(|(it, _)| it).find(|it| it.name == name);
        let is_new = |file: &&Rc<FormatFile>| known.iter().all(|it| it.name != file.name);
        let read = known.iter().map(|file| in_memory(&file.name).unwrap_or(file));
        read.chain(made.iter().map(|(file, _)| file).filter(is_new)).cloned().collect()
    }

    /// The files that were opened, one after the other: each is read when it is its turn.
    fn recognized(&self) -> impl Iterator<Item = FormatFile> + use<'_, 'f> {
        let mut room = BYTES_MAX;
        self.files.list().iter().enumerate().map(move |(place, info)| {
            let FileInfo { name, bytes } = info;
            let unread = |why: String| FormatFile::unread(name, *bytes, Some(why));
            if place >= FILES_MAX || *bytes > room {
                let (files, most) = (text::count(FILES_MAX as u64), text::size(BYTES_MAX));
                return unread(format!("only the first {files} files are read, up to {most}"));
            }
            room -= bytes;
            match self.content(name) {
                Ok(content) => FormatFile::new(name, &content, self.given, owner(self.files, info)),
                Err(failure) => unread(failure.message),
            }
        })
    }

    /// All bytes of a file.
    ///
    /// # Errors
    /// It is not there, too large, or cannot be read.
    pub(crate) fn content(&self, name: &str) -> Result<Content, Failure> {
        if let Some((_, content)) = self.made.borrow().iter().find(|(file, _)| file.name == name) {
            return Ok(Rc::clone(content));
        }
        if let Some((_, content)) = self.content.borrow().as_ref().filter(|(of, _)| of == name) {
            return Ok(Rc::clone(content));
        }
        let content = Rc::new(self.files.read_whole(name, FILE_BYTES_MAX)?);
        *self.content.borrow_mut() = Some((name.to_owned(), Rc::clone(&content)));
        Ok(content)
    }

    /// The file called `name`.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn file(&self, name: &str) -> Result<Rc<FormatFile>, Failure> {
        self.known().into_iter().find(|file| file.name == name).ok_or_else(|| {
            let shown = text::short_word(name.as_bytes(), 64);
            Failure::usage(format!("there is no file {shown}")).hint("`files` lists all")
        })
    }

    /// The file that stands for the column family `number`.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn family(&self, number: u32) -> Result<Rc<FormatFile>, Failure> {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let file = self.known().get(place).cloned();
        file.ok_or_else(|| Failure::usage("there is no file to read").hint("`files` lists all"))
    }

    /// Puts a file into memory, in the place of one that has its name.
    pub(crate) fn put(&self, file: FormatFile, content: Content) -> Rc<FormatFile> {
        let file = Rc::new(file);
        let mut made = self.made.borrow_mut();
        let entry = (Rc::clone(&file), content);
        match made.iter_mut().find(|(known, _)| known.name == file.name) {
            Some(known) => *known = entry,
            None => made.push(entry),
        }
        file
    }

    /// The file that was made last: its name and its content.
    pub(super) fn last_made(&self) -> Option<(String, Content)> {
        let made = self.made.borrow();
        made.last().map(|(file, content)| (file.name.clone(), Rc::clone(content)))
    }

    /// Bytes of all files.
    fn bytes(&self) -> u64 {
        total(self.known().iter().map(|file| file.bytes))
    }
}

/// The format that is called `word`.
pub(crate) fn format_called(word: &[u8]) -> Result<&'static dyn Format, Failure> {
    let word_text = std::str::from_utf8(word).ok();
    word_text.and_then(formats::find).ok_or_else(|| {
        let shown = text::short_word(word, 32);
        let failure = Failure::usage(format!("there is no format {shown}"));
        let names = formats::infos().map(|info| info.id);
        let meant = word_text.and_then(|word| crate::language::closest(word, names));
        failure.meant(meant, "`formats` lists all")
    })
}

/// A failure of the command language as one of a directory.
pub fn refused(failure: &Failure) -> Error {
    let kind = match failure.kind.as_ref() {
        "corruption" => ErrorKind::Damaged,
        "unsupportedFormat" => ErrorKind::NotRead,
        "notFound" => ErrorKind::Missing,
        "io" => ErrorKind::Io,
        _ => ErrorKind::Invalid,
    };
    Error::new(kind, failure.message.clone())
}
