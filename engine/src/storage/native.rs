//! Files of the operating system, in one directory.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this file and native_directory.rs touch the file system, no other file of the engine"
)]

use super::memory::{missing, opened_for_reading};
use super::native_directory::{NativeDirectory, unusable};
use super::native_lock::NativeLock;
use super::native_process::{self, random_identity};
use super::{File, FileName, LockGuard, Storage, native_directory};
use crate::identity::Identity;
use crate::text;
use crate::{Error, ErrorKind, Result};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A directory of the file system; clones are handles of the same directory.
///
/// Durability is as good as the system's `fsync`; on Apple systems the standard library asks for the
/// full one. Directories are synced on Unix, also the parents of new ones; elsewhere the system gives no way to do it.
#[derive(Debug, Clone)]
pub struct NativeStorage {
    directory: NativeDirectory,
    writable: bool,
    identity: Identity,
}

impl NativeStorage {
    /// The database directory `path`. One that does not exist is created with its first file.
    ///
    /// # Errors
    /// `Io` when there is something else at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let directory = path.as_ref().to_path_buf();
        if directory.exists() && !directory.is_dir() {
            return Err(unusable(&directory, io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self::of(directory, true))
    }

    fn of(directory: PathBuf, writable: bool) -> Self {
        let directory = NativeDirectory::new(directory);
        Self { directory, writable, identity: random_identity() }
    }

    /// The existing directory `path`, for reading only: no file of it is opened for writing.
    ///
    /// # Errors
    /// `NotFound` when there is no such directory.
    pub fn read_only(path: impl AsRef<Path>) -> Result<Self> {
        let directory = path.as_ref().to_path_buf();
        if !directory.is_dir() {
            let message = format!("there is no directory {}", directory.display());
            return Err(Error::new(ErrorKind::NotFound, message));
        }
        Ok(Self::of(directory, false))
    }

    /// The same directory, in which a database gets `identity` when it is created: for comparisons and tests.
    #[must_use]
    pub fn with_identity(self, identity: Identity) -> Self {
        Self { identity, ..self }
    }

    fn require_writable(&self) -> Result<()> {
        if self.writable {
            return Ok(());
        }
        Err(Error::new(ErrorKind::ReadOnly, "the directory was opened for reading only"))
    }

    /// Where the files are.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    fn path_of(&self, name: FileName) -> PathBuf {
        self.path().join(name.to_string())
    }

    /// Refuses pipes and sockets: opening a pipe without another end waits for ever.
    fn refuse_pipe(&self, name: FileName) -> Result<()> {
        match fs::metadata(self.path_of(name)) {
            Ok(what) if is_pipe(&what) => {
                Err(Error::in_file(ErrorKind::Io, name, "it is not a regular file"))
            }
            // Opening reports all other reasons.
            _ => Ok(()),
        }
    }
}

#[cfg(unix)]
fn is_pipe(what: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    what.file_type().is_fifo() || what.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

impl Storage for NativeStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.require_writable()?;
        self.directory.ensure()?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(self.path_of(name));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(name),
            _ => failed(name, "create this file", error),
        })?;
        Ok(Arc::new(NativeFile { file, name, end: Some(Mutex::new(0)) }))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.refuse_pipe(name)?;
        let writable = matches!(name, FileName::Current | FileName::Other(_)) && self.writable;
        let mut options = OpenOptions::new();
        // Windows syncs only files that are opened for writing.
        options.read(true).write(writable || cfg!(windows));
        let file = options.open(self.path_of(name));
        let file = file.map_err(|error| failed(name, "open this file", error))?;
        let length = file.metadata().map_err(|error| failed(name, "open this file", error))?.len();
        Ok(Arc::new(NativeFile { file, name, end: writable.then(|| Mutex::new(length)) }))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.require_writable()?;
        let deleted = fs::remove_file(self.path_of(name));
        deleted.map_err(|error| failed(name, "delete this file", error))
    }

    fn list(&self) -> Result<Vec<String>> {
        let names = fs::read_dir(self.path()).and_then(|entries| {
            entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
        });
        let mut names: Vec<String> = match names {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.writable => Vec::new(),
            names => {
                names.map_err(|error| directory_failed("list the database directory", error))?
            }
        };
        names.sort_unstable();
        Ok(names)
    }

    fn sync_directory(&self) -> Result<()> {
        self.require_writable()?;
        self.directory.ensure()?;
        native_directory::sync(self.path())
            .map_err(|error| directory_failed("sync the database directory", error))
    }

    fn identity(&self) -> Identity {
        self.identity
    }

    fn has_threads(&self) -> bool {
        true
    }

    /// A hard link. Where the system makes none (another file system, or one without links), the bytes are copied.
    fn link(&self, name: FileName, into: &dyn Storage) -> Result<bool> {
        let Some(directory) = into.directory() else { return Ok(false) };
        match fs::hard_link(self.path_of(name), directory.join(name.to_string())) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(name)),
            Err(_) => Ok(false),
        }
    }

    fn directory(&self) -> Option<&Path> {
        Some(self.path())
    }

    fn open_files_max(&self) -> Option<usize> {
        native_process::open_files_max()
    }

    /// A directory opened for reading is locked through its existing lock file. Without that file, no program
    /// can have the database open.
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        if self.writable {
            self.directory.ensure()?;
        }
        self.refuse_pipe(FileName::Lock)?;
        let mut options = OpenOptions::new();
        options.read(true).write(self.writable).create(self.writable).truncate(false);
        let file = match options.open(self.path_of(FileName::Lock)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.writable => {
                return Ok(Box::new(NativeLock::default()));
            }
            opened => opened.map_err(|error| failed(FileName::Lock, "open this file", error))?,
        };
        let lock = NativeLock::take(file, |error| failed(FileName::Lock, "lock this file", error))?;
        Ok(Box::new(lock))
    }
}

#[derive(Debug)]
struct NativeFile {
    file: fs::File,
    name: FileName,
    /// Where the next append goes; none in a handle for reading.
    end: Option<Mutex<u64>>,
}

impl NativeFile {
    /// Writes at `offset`, or at the end.
    fn write(&self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        let end = self.end.as_ref().ok_or_else(|| opened_for_reading(self.name))?;
        let mut end = end.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = offset.unwrap_or(*end);
        let written_end = offset.checked_add(bytes.len() as u64).ok_or_else(|| {
            let message = "the file would be longer than any file can be";
            Error::in_file(ErrorKind::OutOfSpace, self.name, message)
        })?;
        write_all_at(&self.file, bytes, offset).map_err(|error| {
            let (bytes, offset) = (text::bytes(bytes.len()), text::count(offset));
            let what = format!("write {bytes} at offset {offset}");
            failed(self.name, &what, error)
        })?;
        *end = written_end.max(*end);
        Ok(())
    }
}

impl File for NativeFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.write(None, bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write(Some(offset), bytes)
    }

    fn truncate(&self, length: u64) -> Result<()> {
        let end = self.end.as_ref().ok_or_else(|| opened_for_reading(self.name))?;
        let mut end = end.lock().unwrap_or_else(PoisonError::into_inner);
        let length = length.min(*end);
        self.file.set_len(length).map_err(|error| failed(self.name, "shorten this file", error))?;
        *end = length;
        Ok(())
    }

    fn reserve(&self, end: u64) {
        let Some(written) = &self.end else { return };
        let written = written.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(length) = self.file.metadata().map(|metadata| metadata.len()) else { return };
        let end = end.max(*written);
        // Only a hint: where it fails, the file is as it was.
        if end <= length || write_zeros(&self.file, length, end).is_err() {
            let _ = self.file.set_len(end.min(length));
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let wanted = buffer.len();
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(done as u64);
            if i64::try_from(at).is_err() {
                break; // No system has files that long.
            }
            match read_once_at(&self.file, rest, at) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let (bytes, offset) = (text::bytes(wanted), text::count(offset));
                    let what = format!("read {bytes} at offset {offset}");
                    return Err(failed(self.name, &what, error));
                }
            }
        }
        Ok(done)
    }

    fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|error| failed(self.name, "sync this file", error))
    }

    fn len(&self) -> Result<u64> {
        let metadata = self.file.metadata();
        Ok(metadata.map_err(|error| failed(self.name, "measure this file", error))?.len())
    }
}

/// Makes the file longer, from `length` to `end`. Written zeros have blocks on the disk, which a hole has not:
/// a record that overwrites them allocates none, so its sync commits no metadata (decision 52).
fn write_zeros(file: &fs::File, length: u64, end: u64) -> io::Result<()> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let mut offset = length;
    while offset < end {
        let count = usize::try_from(end - offset).map_or(ZEROS.len(), |rest| rest.min(ZEROS.len()));
        write_all_at(file, ZEROS.get(..count).unwrap_or(&ZEROS), offset)?;
        offset = offset.saturating_add(count as u64);
    }
    Ok(())
}

#[cfg(unix)]
fn write_all_at(file: &fs::File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(unix)]
fn read_once_at(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn write_all_at(file: &fs::File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = bytes.get(count..).unwrap_or_default();
                offset = offset.saturating_add(count as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn read_once_at(file: &fs::File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

pub(super) fn kind_of(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            ErrorKind::OutOfSpace
        }
        _ => ErrorKind::Io,
    }
}

fn exists(name: FileName) -> Error {
    let message = "this file exists already, so it cannot be created";
    Error::in_file(ErrorKind::InvalidArgument, name, message)
}

fn failed(name: FileName, what: &str, error: io::Error) -> Error {
    let failure = match (error.kind(), kind_of(&error)) {
        (io::ErrorKind::NotFound, _) => missing(name),
        (_, ErrorKind::OutOfSpace) => {
            let message = format!("there is no space left to {what}: {}", text::system(&error));
            Error::in_file(ErrorKind::OutOfSpace, name, message)
        }
        (_, kind) => Error::in_file(kind, name, format!("cannot {what}: {}", text::system(&error))),
    };
    failure.caused_by(error)
}

fn directory_failed(what: &str, error: io::Error) -> Error {
    Error::new(kind_of(&error), format!("cannot {what}: {}", text::system(&error))).caused_by(error)
}
