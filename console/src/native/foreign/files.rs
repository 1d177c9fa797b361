//! The files of a directory that another program wrote, read by ranges and never written.
#![expect(clippy::disallowed_types, reason = "files of others are no part of a database")]

use levelscope_console::text;
use levelscope_foreign::directory::Basis;
use levelscope_foreign::files::{LeftOut, Reason, missing};
use levelscope_foreign::{Error, ErrorKind, FileInfo, Files, Problem, Result, Severity};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that are kept open; one more closes them all.
const OPEN_MAX: usize = 128;
/// Folders of a directory that hold files of the same database.
const FOLDERS: [&str; 2] = ["archive", "wal"];

/// A directory of the disk, or one file of it.
pub(crate) struct NativeFiles {
    root: PathBuf,
    /// Whether it is one file.
    is_single: bool,
    list: Vec<FileInfo>,
    findings: Vec<Problem>,
    left_out: Vec<LeftOut>,
    open: RefCell<BTreeMap<String, Arc<File>>>,
}

/// Links in the directory at `path` that lead to files of git-annex.
pub(crate) fn annexed(path: &Path) -> usize {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let targets = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    targets.filter(|target| target.to_string_lossy().contains(".git/annex/objects")).count()
}

impl NativeFiles {
    /// The directory at `root` as it is now, files that come later are not seen; or the file there.
    ///
    /// # Errors
    /// The system cannot list it; its `CURRENT` is no regular file, so which manifest counts is not known.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        if let Some(refusal) = refusal(root) {
            return Err(io::Error::other(refusal));
        }
        if let Some(file) = single(root) {
            let (list, findings) = (vec![file], Vec::new());
            let (root, open) = (root.parent().unwrap_or(root).to_owned(), RefCell::default());
            return Ok(Self { root, is_single: true, list, findings, left_out: Vec::new(), open });
        }
        let mut listing = Listing { root: root.canonicalize()?, ..Listing::default() };
        listing.add_folder(root, "")?;
        for folder in FOLDERS {
            if root.join(folder).is_dir() {
                listing.note_link(&root.join(folder), folder);
                listing.add_folder(&root.join(folder), &format!("{folder}/"))?;
            }
        }
        listing.list.sort_by(|a, b| a.name.cmp(&b.name));
        let findings = listing.findings();
        let (root, open) = (root.to_owned(), RefCell::default());
        let (list, left_out) = (listing.list, listing.left_out);
        Ok(Self { root, is_single: false, list, findings, left_out, open })
    }

    /// The same list of files, for another thread; none is open yet.
    pub(crate) fn again(&self) -> Self {
        let (root, list, left_out) = (self.root.clone(), self.list.clone(), self.left_out.clone());
        let (is_single, findings) = (self.is_single, self.findings.clone());
        Self { root, is_single, list, findings, left_out, open: RefCell::default() }
    }

    /// Whether it is one file.
    pub(super) fn is_single(&self) -> bool {
        self.is_single
    }

    /// The basis that the database is opened by.
    ///
    /// # Errors
    /// Those of [`Basis::of`].
    pub(super) fn basis(&self) -> Result<Basis<'_>> {
        Basis::of(self, !self.is_single)
    }

    fn file(&self, name: &str) -> Result<Arc<File>> {
        if let Some(file) = self.open.borrow().get(name) {
            return Ok(Arc::clone(file));
        }
        if self.length(name).is_none() {
            return Err(missing(name));
        }
        let file = File::open(self.root.join(name)).map_err(|error| failed(name, &error))?;
        let file = Arc::new(file);
        let mut open = self.open.borrow_mut();
        if open.len() >= OPEN_MAX {
            open.clear();
        }
        open.insert(name.to_owned(), Arc::clone(&file));
        Ok(file)
    }
}

/// The regular file at `path`, by its own name.
fn single(path: &Path) -> Option<FileInfo> {
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    Some(FileInfo { name: path.file_name()?.to_str()?.to_owned(), bytes })
}

/// Why the directory at `root` is not read at all: a `CURRENT` that is a pipe would never answer.
pub(crate) fn refusal(root: &Path) -> Option<String> {
    let what = fs::metadata(root.join("CURRENT")).ok()?;
    (!what.is_file()).then(|| "CURRENT is not a regular file".to_owned())
}

/// A directory while it is listed.
#[derive(Default)]
struct Listing {
    /// The directory, without links in its path.
    root: PathBuf,
    list: Vec<FileInfo>,
    left_out: Vec<LeftOut>,
    /// Links that lead out of the directory, with the files that they lead to.
    links: Vec<(String, PathBuf)>,
}

impl Listing {
    fn add_folder(&mut self, path: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            // A file may go while the directory is listed: another program may be running.
            let Ok(what) = fs::metadata(entry.path()) else { continue };
            let own = entry.file_name();
            let name = format!("{prefix}{}", own.to_string_lossy());
            let reason = match (what.is_file(), own.to_str()) {
                (true, Some(_)) => {
                    if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                        self.note_link(&entry.path(), &name);
                    }
                    self.list.push(FileInfo { name, bytes: what.len() });
                    continue;
                }
                (true, None) => Reason::NotUtf8,
                (false, _) => Reason::NotRegular,
            };
            self.left_out.push(LeftOut { name, reason });
        }
        Ok(())
    }

    /// Remembers a link that leads out of the directory.
    fn note_link(&mut self, path: &Path, name: &str) {
        let target = path.canonicalize().ok();
        if let Some(target) = target.filter(|target| !target.starts_with(&self.root)) {
            self.links.push((name.to_owned(), target));
        }
    }

    /// Notes for a reader of the directory. Links that lead out of it are followed, because users of
    /// `RocksDB` move tables to other disks by links, beside `db_paths` and `wal_dir`, and `RocksDB` follows them,
    /// too. A copy of the directory without their targets would be incomplete.
    fn findings(&mut self) -> Vec<Problem> {
        let mut findings = Vec::new();
        self.links.sort();
        if let Some((name, target)) = self.links.first() {
            let more = match self.links.len() - 1 {
                0 => String::new(),
                1 => ", as does 1 more link".to_owned(),
                more => format!(", as do {} more links", text::count(more as u64)),
            };
            let target = target.display();
            let message = format!(
                "a symbolic link that leads out of the directory, to {target}{more}: it is followed, but a \
                 copy of the directory alone would lack the file"
            );
            findings.push(Problem::new(Severity::Note, name, message));
        }
        findings
    }
}

fn failed(name: &str, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        let message = "the file was here when the directory was listed, and is gone: a program that has the \
                       database open may have deleted it, so ask again";
        return Error::new(ErrorKind::Missing, message).in_file(name);
    }
    Error::new(ErrorKind::Io, levelscope::text::system(error)).in_file(name)
}

impl Files for NativeFiles {
    fn list(&self) -> &[FileInfo] {
        &self.list
    }

    fn findings(&self) -> &[Problem] {
        &self.findings
    }

    fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let file = self.file(name)?;
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match read_once(&file, rest, offset.saturating_add(done as u64)) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(name, &error)),
            }
        }
        Ok(done)
    }

    fn whole(&self, name: &str, _: usize) -> Result<Vec<u8>> {
        crate::native::files::content(&self.root.join(name)).map_err(|error| failed(name, &error))
    }
}

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn entries_that_are_no_files_with_a_name_are_left_out_and_listed() {
        let root = std::env::temp_dir().join(format!("levelscope-left-out-{}", std::process::id()));
        fs::create_dir_all(root.join("000010.sst")).unwrap();
        fs::write(root.join("CURRENT"), b"").unwrap();
        fs::write(root.join(OsStr::from_bytes(b"\xff.sst")), b"").unwrap();
        let files = NativeFiles::open(&root).unwrap();
        fs::remove_dir_all(&root).unwrap();
        let listed: Vec<&str> = files.list().iter().map(|file| file.name.as_str()).collect();
        assert_eq!(listed, ["CURRENT"]);
        let mut left: Vec<(&str, Reason)> =
            files.left_out().iter().map(|file| (file.name.as_str(), file.reason)).collect();
        left.sort_by_key(|(name, _)| *name);
        assert_eq!(left, [("000010.sst", Reason::NotRegular), ("\u{fffd}.sst", Reason::NotUtf8)]);
    }
}
