//! The role of each file, and the fate at opening of those that the database does not need.

use super::belonging::claims;
use super::evidence::{self, Content};
use super::{Frame, Program};
use crate::manifest::ManifestState;
use crate::manifest::current::Slot;
use crate::sorting;
use crate::storage::{FileName, FileNumber, Storage};
use crate::{Error, ErrorKind, Result};

/// The role of a file in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// `CURRENT`, `LOCK` and files of others: present independently of the manifest.
    Always,
    /// The manifest that counts, or any while it is unknown which one does.
    Manifest,
    /// The manifest of the older slot: an opening that succeeds replaces it.
    Fallback,
    /// A log that may have entries which no table has.
    Log,
    /// A table of the version.
    Table,
    /// Nothing names it: opening deletes it if the engine wrote it.
    Spare,
}

impl Frame {
    /// The role of the file `name`.
    pub(crate) fn role(&self, name: FileName) -> Role {
        let names =
            |slot: Option<Slot>| slot.map(|slot| FileName::Manifest(slot.manifest)) == Some(name);
        let state = self.state.as_ref();
        let (role, needed) = match name {
            FileName::Current | FileName::Lock | FileName::Other(_) => (Role::Always, true),
            FileName::Manifest(_) if names(self.slots.previous) => (Role::Fallback, true),
            FileName::Manifest(_) => (Role::Manifest, self.slot.is_none() || names(self.slot)),
            FileName::Wal(number) => {
                (Role::Log, state.is_none_or(|state| number >= state.log_number))
            }
            FileName::Table(number) => {
                let names = |state: &ManifestState| {
                    state.version.tables().any(|(_, meta)| meta.number == number)
                };
                (Role::Table, state.is_none_or(names))
            }
        };
        // A creation that was cut short has left nothing that the next one goes by.
        if needed && !(self.begun && name.number().is_some()) { role } else { Role::Spare }
    }

    /// Numbers of the logs that the manifest needs, ascending; of all logs without a manifest.
    pub(crate) fn logs(&self) -> Vec<FileNumber> {
        let logs = self.names.iter().filter(|name| self.role(**name) == Role::Log);
        let mut logs: Vec<FileNumber> = logs.filter_map(|name| name.number()).collect();
        sorting::sort(&mut logs);
        logs
    }

    /// Whether the engine wrote the spare file `name`, or a crash left it blank: opening deletes such a file. It leaves
    /// files of unknown origin alone.
    ///
    /// # Errors
    /// `Corruption` when the file belongs to another database, `UnsupportedFormat` when it is another program's: it may
    /// be the only copy of its data. Those of reading.
    pub(crate) fn is_own_spare(&self, storage: &dyn Storage, name: FileName) -> Result<bool> {
        let way = "opening would delete it as obsolete: move it away first";
        if let Some((_, found)) = claims(storage, name)?
            && let Some(what) = self.belonging.stranger(found)
        {
            return Err(Error::corruption(name, 0, format!("{what}; {way}")));
        }
        let sample = evidence::sample(storage, name)?;
        let refuse = |program: Program| {
            let message = format!("this is a file of {program}, and {way}");
            Error::in_file(ErrorKind::UnsupportedFormat, name, message)
        };
        match sample.content(name) {
            Content::Blank | Content::Own => Ok(true),
            Content::Of(program) => Err(refuse(program)),
            // A table that a crash cut short has no footer that proves its owner.
            Content::Unknown => Ok(matches!(name, FileName::Table(_)) && sample.may_begin_table()),
        }
    }
}
