//! The files of a directory, read by ranges: from a disk, from slices of files that a page was given, or
//! from memory.

use crate::name::{FileName, plain};
use crate::{Engine, Error, ErrorKind, Problem, Result};
use levelscope::inspect::own_name;
use levelscope::internals::manifest::SLOT_BYTES;
use levelscope::internals::table::FOOTER_BYTES;
use levelscope::storage;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::discriminant;

/// A file of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInfo {
    /// Its name relative to the directory, with `/` between folders, such as `archive/000012.log`.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// An entry of a directory that is not in the list of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name; invalid bytes are replaced.
    pub name: String,
    /// Reason that it is not in the list.
    pub reason: Reason,
}

/// Reason that an entry of a directory is not in the list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is a directory, a pipe, a socket or a device.
    NotRegular,
    /// Its name is not UTF-8.
    NotUtf8,
}

/// Read access to the files of one directory. There is no call that writes.
pub trait Files {
    /// All files, in the order of their names. A file that another program deletes later still stands here.
    fn list(&self) -> &[FileInfo];

    /// Findings of the host when it listed the directory, such as files that it does not read.
    fn findings(&self) -> &[Problem] {
        &[]
    }

    /// Fills `buffer` from `offset` of the file on; returns how many bytes there were, fewer than asked for only
    /// at the end of the file.
    ///
    /// # Errors
    /// `Missing` when the file is not there, `Io` when the host cannot read it.
    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize>;

    /// Entries that are not in the list, because a host cannot read or name them.
    fn left_out(&self) -> &[LeftOut] {
        &[]
    }

    /// Kind of the file: in a directory its name decides.
    fn kind(&self, name: &str) -> FileName {
        FileName::parse(name)
    }

    /// The engine of single files that were given without their directory; `None`: the files are a directory.
    fn loose(&self) -> Option<Engine> {
        None
    }

    /// The length of the file, `None` when it is not there.
    fn length(&self, name: &str) -> Option<u64> {
        let list = self.list();
        let place = list.binary_search_by(|file| file.name.as_str().cmp(name)).ok()?;
        list.get(place).map(|file| file.bytes)
    }

    /// The bytes `[offset, offset + length)`.
    ///
    /// # Errors
    /// Those of [`Files::read_at`]; `Damaged` when the file ends before, so the caller has compared `length` with the
    /// length of the file or with a limit before: this allocates what is asked for.
    fn read(&self, name: &str, offset: u64, length: usize) -> Result<Vec<u8>> {
        let there = self.length(name).ok_or_else(|| missing(name))?;
        if offset.checked_add(length as u64).is_none_or(|end| end > there) {
            let message = format!("{length} bytes are expected here, the file has {there}");
            return Err(Error::damaged(offset, message).in_file(name));
        }
        let mut buffer = vec![0; length];
        let read = self.read_at(name, offset, &mut buffer).map_err(|error| error.in_file(name))?;
        if read < length {
            let message = format!("{length} bytes are expected here, {read} could be read");
            return Err(Error::damaged(offset, message).in_file(name));
        }
        Ok(buffer)
    }

    /// A file of at most `bytes_max`, whole.
    ///
    /// # Errors
    /// Those of [`Files::read`]; `NotRead` when it is larger.
    fn read_whole(&self, name: &str, bytes_max: u64) -> Result<Vec<u8>> {
        let length = self.length(name).ok_or_else(|| missing(name))?;
        if length > bytes_max {
            let message = format!("not read: it has {length} bytes, the limit is {bytes_max}");
            return Err(Error::not_read(message).in_file(name));
        }
        self.whole(name, usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// The `length` bytes of a file; files of a disk know how to read large and sparse ones.
    ///
    /// # Errors
    /// Those of [`Files::read`].
    fn whole(&self, name: &str, length: usize) -> Result<Vec<u8>> {
        self.read(name, 0, length)
    }
}

/// Files whose reads can be listed, to show what a question costs.
pub struct CountedFiles<'f> {
    files: &'f dyn Files,
    reads: RefCell<Option<Vec<(String, u64, u64)>>>,
}

/// Reads that a list holds.
const READS_MAX: usize = 10_000;

impl<'f> CountedFiles<'f> {
    /// The same files; no list is begun.
    pub fn new(files: &'f dyn Files) -> Self {
        Self { files, reads: RefCell::new(None) }
    }

    /// Begins a list.
    pub fn begin(&self) {
        *self.reads.borrow_mut() = Some(Vec::new());
    }

    /// Ends the list: file, offset and bytes of each read, at most 10,000.
    pub fn end(&self) -> Vec<(String, u64, u64)> {
        self.reads.borrow_mut().take().unwrap_or_default()
    }
}

impl Files for CountedFiles<'_> {
    fn list(&self) -> &[FileInfo] {
        self.files.list()
    }

    fn findings(&self) -> &[Problem] {
        self.files.findings()
    }

    fn left_out(&self) -> &[LeftOut] {
        self.files.left_out()
    }

    fn kind(&self, name: &str) -> FileName {
        self.files.kind(name)
    }

    fn loose(&self) -> Option<Engine> {
        self.files.loose()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let count = self.files.read_at(name, offset, buffer)?;
        if let Some(reads) = self.reads.borrow_mut().as_mut()
            && reads.len() < READS_MAX
        {
            reads.push((name.to_owned(), offset, count as u64));
        }
        Ok(count)
    }
}

/// The sum of sizes; those that a file claims may be any number.
pub fn total(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

/// The failure of a file that is not there.
pub fn missing(name: &str) -> Error {
    Error::new(ErrorKind::Missing, "the file is missing").in_file(name)
}

/// A table of Levelscope without a footer is known by its first block, which lies in so many bytes.
const TABLE_START_BYTES: u64 = 1 << 20;

/// The name that the engine gives to the file `name`: in a directory that one, of a single file by its content.
pub fn stored_name(files: &dyn Files, name: &str) -> Option<storage::FileName> {
    if files.loose().is_none() {
        return storage::FileName::parse(name);
    }
    let kind = match files.kind(name) {
        FileName::Table(number) => storage::FileName::Table(number),
        FileName::Log { number, .. } => storage::FileName::Wal(number),
        FileName::Manifest(number) => storage::FileName::Manifest(number),
        FileName::Current => storage::FileName::Current,
        _ => return None,
    };
    let own = content_name(files, name);
    own.filter(|own| discriminant(own) == discriminant(&kind)).or(Some(kind))
}

/// The name that the content of the file `name` has in a directory; `None`: it is no file of the engine.
pub(crate) fn content_name(files: &dyn Files, name: &str) -> Option<storage::FileName> {
    let plain = plain(name);
    let length = files.length(name)?;
    let most = match storage::FileName::parse(plain) {
        Some(storage::FileName::Table(_)) => TABLE_START_BYTES,
        _ => 2 * SLOT_BYTES as u64,
    };
    let part = |offset, bytes: u64| {
        files.read(name, offset, usize::try_from(bytes).unwrap_or(usize::MAX)).unwrap_or_default()
    };
    let end = length.min(FOOTER_BYTES as u64);
    let own = own_name("", &part(length - end, end));
    own.or_else(|| own_name(plain, &part(0, length.min(most))))
}

/// Files in memory, for tests and for archives that were unpacked.
#[derive(Debug, Default, Clone)]
pub struct MemoryFiles {
    list: Vec<FileInfo>,
    contents: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Files with these names and contents.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let contents: BTreeMap<String, Vec<u8>> = files.into_iter().collect();
        let list = contents
            .iter()
            .map(|(name, bytes)| FileInfo { name: name.clone(), bytes: bytes.len() as u64 })
            .collect();
        Self { list, contents }
    }
}

impl Files for MemoryFiles {
    fn list(&self) -> &[FileInfo] {
        &self.list
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let content = self.contents.get(name).ok_or_else(|| missing(name))?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
        let rest = content.get(start..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}
