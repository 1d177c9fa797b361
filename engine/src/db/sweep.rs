//! Which files an opening deletes, and which it leaves alone.

use super::open::Logs;
use crate::event::EventKind;
use crate::manifest::current::Slot;
use crate::manifest::{Found, ManifestState};
use crate::storage::FileName;
use crate::survey::{self, Spare};
use crate::{Error, ErrorKind, Result};

/// The files that are not kept and of which nothing says that the engine wrote them.
///
/// # Errors
/// `UnsupportedFormat` when one of them is another program's: it may be the only copy of its data.
pub(super) fn unknown(
    found: &Found<'_>,
    is_kept: &dyn Fn(FileName) -> bool,
) -> Result<Vec<FileName>> {
    let mut unknown = Vec::new();
    for name in found.names.iter().filter(|name| !is_kept(**name)) {
        match survey::spare(found.storage, *name)? {
            Spare::Own => {}
            Spare::Unknown => unknown.push(*name),
            Spare::Of(program) => {
                let message = format!(
                    "this is a file of {program}, and opening would delete it as obsolete: move it away first"
                );
                return Err(Error::in_file(ErrorKind::UnsupportedFormat, *name, message));
            }
        }
    }
    Ok(unknown)
}

/// Whether the new or the previous manifest names the file; the others are swept.
pub(super) fn is_kept(
    name: FileName,
    slot: Option<Slot>,
    state: &ManifestState,
    logs: &Logs,
) -> bool {
    match name {
        FileName::Current | FileName::Lock | FileName::Other(_) => true,
        FileName::Manifest(number) => Some(number) == slot.map(|slot| slot.manifest),
        FileName::Wal(number) => logs.closed.iter().any(|log| log.wal == number),
        FileName::Table(number) => state.version.tables().any(|(_, meta)| meta.number == number),
    }
}

pub(super) fn deleted(name: FileName) -> EventKind {
    match name {
        FileName::Wal(wal) => EventKind::WalDelete { wal },
        FileName::Table(table) => EventKind::TableDelete { table },
        _ => EventKind::ManifestDelete { manifest: name.number().unwrap_or(0) },
    }
}
