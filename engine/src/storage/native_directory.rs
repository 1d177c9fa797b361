//! The directory of a database: makes it and its missing ancestors, and syncs the parent of each.
#![expect(
    clippy::disallowed_types,
    reason = "a part of storage/native.rs, which touches the file system"
)]

use super::FileName;
use super::native::kind_of;
use crate::text;
use crate::{Error, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The path of a database directory, which may not exist yet; clones share what they know about it.
#[derive(Debug, Clone)]
pub(super) struct NativeDirectory {
    path: PathBuf,
    /// Whether [`NativeDirectory::ensure`] has synced its name in its parent.
    name_synced: Arc<AtomicBool>,
}

impl NativeDirectory {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, name_synced: Arc::default() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the directory and its missing ancestors durable. A directory without `CURRENT` may be that of a process
    /// that was killed, or whose sync failed, so its name is synced, too. `CURRENT` is created only after this.
    ///
    /// # Errors
    /// `Io` or `OutOfSpace`; then the directories that this call made are removed.
    pub(super) fn ensure(&self) -> Result<()> {
        self.ensure_with(sync)
    }

    fn ensure_with(&self, sync: impl Fn(&Path) -> io::Result<()>) -> Result<()> {
        let has_database = || self.path.join(FileName::Current.to_string()).exists();
        let name_synced = self.name_synced.load(Ordering::Acquire);
        if self.path.is_dir() && (name_synced || has_database()) {
            return Ok(());
        }
        // Without a dot at the end, which no call can make.
        let path: PathBuf = self.path.components().collect();
        let mut made = Vec::new();
        if let Err(error) = make_all(&path, &sync, &mut made) {
            for directory in made.iter().rev() {
                let _ = fs::remove_dir(directory);
            }
            return Err(error);
        }
        self.name_synced.store(true, Ordering::Release);
        Ok(())
    }
}

/// Makes `path` and its missing ancestors, the topmost first, and notes them in `made`.
fn make_all(
    path: &Path,
    sync: &impl Fn(&Path) -> io::Result<()>,
    made: &mut Vec<PathBuf>,
) -> Result<()> {
    let named = |directory: &Path| !directory.as_os_str().is_empty();
    let missing = path.ancestors().take_while(|ancestor| named(ancestor) && !ancestor.is_dir());
    let missing: Vec<&Path> = missing.collect();
    let existing = missing.last().map_or(Some(path), |topmost| topmost.parent());
    sync_existing(existing.filter(|existing| named(existing)).unwrap_or(Path::new(".")), sync)?;
    for directory in missing.into_iter().rev() {
        match fs::create_dir(directory) {
            Ok(()) => made.push(directory.to_owned()),
            // Another process has made it, and may not have synced its name yet.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(unusable(path, io::ErrorKind::NotADirectory.into()));
            }
            Err(error) => return Err(unusable(path, error)),
        }
        let parent = directory.parent().filter(|parent| named(parent)).unwrap_or(Path::new("."));
        sync(parent).map_err(|error| unsynced(parent, directory, "was made", error))?;
    }
    Ok(())
}

/// Syncs the name of a directory that existed before. A parent that this process may not read, or whose file system
/// is not writable or gives no way to sync it, is left alone: this process made no name there.
fn sync_existing(directory: &Path, sync: &impl Fn(&Path) -> io::Result<()>) -> Result<()> {
    // The parent of `.` or of a link is in no path.
    let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let Some(parent) = real.parent().filter(|parent| !parent.as_os_str().is_empty()) else {
        return Ok(());
    };
    match sync(parent) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synced => synced.map_err(|error| unsynced(parent, directory, "is", error)),
    }
}

/// Makes the names in `directory` durable.
#[cfg(unix)]
pub(super) fn sync(directory: &Path) -> io::Result<()> {
    fs::File::open(directory)?.sync_all()
}

/// Windows gives no way to sync a directory.
#[cfg(windows)]
pub(super) fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}

fn unsynced(parent: &Path, directory: &Path, verb: &str, error: io::Error) -> Error {
    let (parent, directory) = (parent.display(), directory.display());
    let reason = text::system(&error);
    let message =
        format!("the directory {parent}, in which {directory} {verb}, cannot be synced: {reason}");
    Error::new(kind_of(&error), message).caused_by(error)
}

pub(super) fn unusable(directory: &Path, error: io::Error) -> Error {
    let (directory, reason) = (directory.display(), text::system(&error));
    let message = format!("the directory {directory} cannot be used for a database: {reason}");
    Error::new(kind_of(&error), message).caused_by(error)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests write whole files")]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// A directory that is removed with everything in it.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir();
            let path = fs::canonicalize(path).unwrap();
            let path = path.join(format!("levelscope-path-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Ensures a new handle of `path`, and returns the synced directories; the sync with number `failing` fails.
    fn ensured(path: &Path, failing: usize) -> (Result<()>, Vec<PathBuf>) {
        let synced = RefCell::new(Vec::new());
        let sync = |directory: &Path| {
            assert!(directory.is_dir());
            synced.borrow_mut().push(directory.to_owned());
            let fails = synced.borrow().len() == failing + 1;
            if fails { Err(io::Error::other("injected")) } else { Ok(()) }
        };
        let result = NativeDirectory::new(path.to_owned()).ensure_with(sync);
        (result, synced.into_inner())
    }

    const NEVER: usize = usize::MAX - 1;

    #[test]
    fn the_parent_of_each_new_directory_is_synced() {
        let root = Root::new("new");
        let path = root.0.join("s").join("t").join("db");
        let (result, synced) = ensured(&path.join("."), NEVER);
        result.unwrap();
        assert!(path.is_dir());
        let above = root.0.parent().unwrap().to_owned();
        assert_eq!(synced, [above, root.0.clone(), root.0.join("s"), root.0.join("s").join("t")]);
    }

    #[test]
    fn a_failed_sync_leaves_no_directory_and_the_next_opening_syncs_again() {
        let root = Root::new("failing");
        let path = root.0.join("s").join("db");
        for failing in 0..3 {
            let (result, synced) = ensured(&path, failing);
            let error = result.unwrap_err().to_string();
            assert!(error.contains("cannot be synced: injected"), "{error}");
            assert_eq!(synced.len(), failing + 1);
            assert!(!root.0.join("s").exists(), "{failing}");
        }
        let (result, synced) = ensured(&path, NEVER);
        result.unwrap();
        assert_eq!(synced.len(), 3);
    }

    #[test]
    fn the_name_of_a_directory_is_synced_until_it_has_a_database() {
        let root = Root::new("killed");
        let path = root.0.join("s").join("db");
        // As a process that was killed after each call of the system leaves them.
        for made in [root.0.join("s"), path.clone()] {
            fs::create_dir(&made).unwrap();
            let (result, synced) = ensured(&made, 0);
            assert!(result.is_err(), "its sync fails");
            assert_eq!(synced, [made.parent().unwrap()]);
            let (result, synced) = ensured(&made, NEVER);
            result.unwrap();
            assert_eq!(synced, [made.parent().unwrap()]);
        }
        fs::write(path.join("CURRENT"), "").unwrap();
        assert_eq!(ensured(&path, NEVER).1, Vec::<PathBuf>::new());
    }

    #[test]
    fn one_handle_syncs_the_name_once() {
        let root = Root::new("once");
        let directory = NativeDirectory::new(root.0.join("db"));
        directory.ensure().unwrap();
        directory.clone().ensure_with(|_| Err(io::Error::other("injected"))).unwrap();
        fs::remove_dir(directory.path()).unwrap();
        directory.ensure().unwrap();
        assert!(directory.path().is_dir(), "a removed directory is made again");
    }

    #[test]
    fn a_parent_that_this_process_may_not_read_is_left_alone() {
        let root = Root::new("denied");
        let directory = NativeDirectory::new(root.0.clone());
        directory.ensure_with(|_| Err(io::ErrorKind::PermissionDenied.into())).unwrap();
        let new = NativeDirectory::new(root.0.join("db"));
        let error = new.ensure_with(|_| Err(io::ErrorKind::PermissionDenied.into())).unwrap_err();
        assert!(error.to_string().contains("in which"), "{error}");
    }

    #[test]
    fn a_file_among_the_ancestors_is_an_error() {
        let root = Root::new("file");
        fs::write(root.0.join("file"), "").unwrap();
        let error = ensured(&root.0.join("file").join("db"), NEVER).0.unwrap_err().to_string();
        assert!(error.contains("cannot be used for a database: "), "{error}");
    }
}
