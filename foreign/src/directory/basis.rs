//! The basis of a database: its manifest, its remaining tables and logs, or single files.

use super::{Directory, rescue};
use crate::recognize::{LooseFiles, Recognized, names_manifest, owner, recognize};
use crate::{CountedFiles, Engine, Error, ErrorKind, Files, Result};

/// Basis of a database: it decides which files count.
pub enum Basis<'f> {
    /// Its manifest.
    Manifest(Recognized),
    /// The manifest is missing: all tables and logs count.
    Remains(Recognized),
    /// Single files, each recognized by its content.
    Single(LooseFiles<'f>),
}

impl<'f> Basis<'f> {
    /// The basis of `files`; `is_directory`: they are all that a directory holds, not a choice of them.
    ///
    /// # Errors
    /// `Invalid` when no file is one of these engines; `Missing` when a manifest is missing and no table is there; `NotRead`
    /// and those of the host as [`recognize`] has them.
    pub fn of(files: &'f dyn Files, is_directory: bool) -> Result<Self> {
        let error = match recognize(files) {
            Ok(recognized) => return Ok(Self::Manifest(recognized)),
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::Invalid) => error,
            Err(error) => return Err(error),
        };
        let owners = files.list().iter().filter_map(|file| owner(files, file));
        let has_others = || owners.clone().any(|owner| owner != Engine::Levelscope.name());
        let is_whole = is_directory || files.list().iter().any(names_manifest);
        if is_whole && rescue::is_without_manifest(&error) && has_others() {
            return rescue::recognized(files, error).map(Self::Remains);
        }
        // Each file of Levelscope is one of a database.
        let counts = |loose: &LooseFiles<'_>| {
            !is_directory || loose.engine == Engine::Levelscope || loose.has_entries()
        };
        let loose = LooseFiles::of(files).filter(counts).map(Self::Single);
        loose.ok_or_else(|| Error::new(ErrorKind::Invalid, error.message()))
    }

    /// The engine of the files.
    pub fn engine(&self) -> Engine {
        match self {
            Self::Manifest(recognized) | Self::Remains(recognized) => recognized.engine,
            Self::Single(loose) => loose.engine,
        }
    }

    /// `files` as the basis reads them.
    pub fn files<'b>(&'b self, files: &'b dyn Files) -> &'b dyn Files {
        match self {
            Self::Single(loose) => loose,
            Self::Manifest(_) | Self::Remains(_) => files,
        }
    }

    /// Opens the database of [`Basis::files`].
    ///
    /// # Errors
    /// Its manifest cannot be read.
    pub fn open<'c>(&self, files: &'c CountedFiles<'c>) -> Result<Directory<'c>> {
        match self {
            Self::Manifest(recognized) => Directory::by_manifest(files, recognized.clone(), false),
            Self::Remains(recognized) => Ok(Directory::remaining(files, recognized.clone())),
            Self::Single(_) => Directory::open(files),
        }
    }
}
