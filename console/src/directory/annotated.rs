//! The bytes of files whose parts a tree of nodes names: those of Levelscope, and single ones of the experiments.

use super::bytes::{Answered, FileBytes, no_node, no_offset, not_found, nothing_encoded};
use super::fileset::{FileSet, FormatFile};
use crate::nodes::{digits, named_between};
use crate::result::{HexResult, PartResult, RibbonResult};
use levelscope::inspect::{Node, Scope, Source, annotate_scope, decoded_by, part_by, stretches};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};
use levelscope_foreign::Files;
use levelscope_foreign::files::stored_name;
use std::rc::Rc;

/// Most bytes of one answer.
const LENGTH_MAX: u64 = 1 << 20;
/// Bytes that are searched at once.
const WINDOW_BYTES: u64 = 1 << 20;
/// Logs and manifests are named as a whole: longer ones are not \[bytes\].
const WHOLE_BYTES_MAX: u64 = 256 << 20;

/// A file that is looked into.
pub(super) enum Annotated<'d> {
    /// One of a set, held in memory.
    OfSet(Rc<FormatFile>, Rc<Vec<u8>>),
    /// One of a directory of Levelscope, read by ranges.
    Own(OwnFile<'d>),
}

/// A file of a directory of Levelscope.
pub(super) struct OwnFile<'d> {
    name: String,
    /// The name that the engine gives to it.
    stored: Option<FileName>,
    length: u64,
    read: Box<dyn Fn(u64, u64) -> levelscope::Result<Vec<u8>> + 'd>,
}

impl<'d> Annotated<'d> {
    /// The file called `name` of a set.
    ///
    /// # Errors
    /// It is not there, or cannot be read.
    pub(super) fn of_set(set: &FileSet<'_>, name: &str) -> Answered<Self> {
        Ok(Self::OfSet(set.file(name)?, set.content(name)?))
    }

    /// The file called `name` of a directory of Levelscope.
    ///
    /// # Errors
    /// It is not there.
    pub(super) fn own(files: &'d dyn Files, name: &str) -> Answered<Self> {
        let length = files.length(name).ok_or_else(|| levelscope_foreign::files::missing(name))?;
        let of = name.to_owned();
        let read = move |offset: u64, bytes: u64| {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            let read = files.read(&of, offset, bytes);
            read.map_err(|error| Error::new(ErrorKind::Io, error.to_string()))
        };
        let (stored, name) = (stored_name(files, name), name.to_owned());
        Ok(Self::Own(OwnFile { name, stored, length, read: Box::new(read) }))
    }

    fn source(&self) -> Source<'_> {
        match self {
            Self::OfSet(_, content) => Source::Bytes(content),
            Self::Own(file) => Source::Ranges { read: &*file.read, length: file.length },
        }
    }

    /// Its parts within `scope`.
    ///
    /// # Errors
    /// Its bytes cannot be read.
    pub(super) fn annotate(&self, scope: Scope) -> levelscope::Result<Node> {
        let file = match self {
            Self::OfSet(file, content) => return Ok(file.annotate(content, scope)),
            Self::Own(file) => file,
        };
        let leaf = |value| Node::leaf(file.name.clone(), "bytes", 0, file.length, value);
        let root = match file.stored {
            Some(FileName::Lock) | None => Ok(leaf("not of the database")),
            Some(FileName::Wal(_) | FileName::Manifest(_)) if file.length > WHOLE_BYTES_MAX => {
                Ok(leaf("too long to be named part by part"))
            }
            Some(name) => annotate_scope(name, &self.source(), scope),
        };
        Ok(Node { name: file.name.clone(), ..root? })
    }

    /// Calls `look` with the file, or with the content of the encoded part at `inside` and that part.
    fn look<T>(
        &self,
        inside: Option<&str>,
        look: impl FnOnce(&Source<'_>, Option<Node>) -> Answered<T>,
    ) -> Answered<T> {
        let Some(path) = inside else { return look(&self.source(), None) };
        let decoded = decoded_by(&|scope| self.annotate(scope), &self.source(), path)?;
        let decoded = decoded.ok_or_else(|| nothing_encoded(self.name(), path))?;
        look(&Source::Bytes(&decoded.bytes), Some(decoded.node))
    }
}

impl FileBytes for Annotated<'_> {
    fn name(&self) -> &str {
        match self {
            Self::OfSet(file, _) => &file.name,
            Self::Own(file) => &file.name,
        }
    }

    fn part(&self, path: &str, window: (u64, u64)) -> Answered<PartResult> {
        let part = part_by(&|scope| self.annotate(scope), path, window)?;
        let part = part.ok_or_else(|| no_node(self.name(), path))?;
        Ok(PartResult { file: self.name().to_owned(), file_bytes: self.source().length(), part })
    }

    fn hex(&self, inside: Option<&str>, offset: u64, length: u64) -> Answered<HexResult> {
        self.look(inside, |source, holder| {
            let total = source.length();
            if offset > total {
                return Err(no_offset(self.name(), inside, offset, total));
            }
            let to = offset.saturating_add(length.min(LENGTH_MAX)).min(total);
            let bytes = source.read(offset, to - offset)?;
            let root = named_between(&|scope| self.annotate(scope), holder, total, (offset, to))?;
            let hex = digits(&bytes, "");
            Ok(HexResult { file: self.name().to_owned(), offset, hex, file_bytes: total, root })
        })
    }

    fn place_of(&self, inside: Option<&str>, from: u64, wanted: &[u8]) -> Answered<u64> {
        self.look(inside, |source, _| {
            let mut at = from;
            while at < source.length() {
                let bytes = source.read(at, WINDOW_BYTES)?;
                let found = bytes.windows(wanted.len()).position(|window| window == wanted);
                if let Some(place) = found {
                    return Ok(at.saturating_add(place as u64));
                }
                // A place may begin in this window and end in the next one.
                at = at.saturating_add(WINDOW_BYTES - wanted.len() as u64 + 1);
            }
            Err(not_found(self.name(), wanted))
        })
    }

    fn ribbon(&self, most: u64) -> Answered<RibbonResult> {
        let node = self.annotate(Scope::OUTLINE)?;
        let (file, file_bytes) = (self.name().to_owned(), self.source().length());
        Ok(RibbonResult { file, file_bytes, stretches: stretches(&node, most) })
    }
}
