//! Opens the files of a recovery before it begins, so that a host that opens files late learns all of them at once, and
//! an attempt that has to be repeated reads no log.

use crate::manifest::ManifestState;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Frame, Role};
use crate::{Error, ErrorKind, Result};

/// The numbers of the manifest and of the log that opening makes.
pub(super) fn numbers(frame: &Frame, state: &ManifestState) -> [FileNumber; 2] {
    let number = state.next_file.max(frame.next_number());
    [number, number + 1]
}

/// Opens the logs, and unless the database is only read the obsolete files that must be looked into before they are
/// deleted, and prepares the files that are made. All of them are asked for, whatever the first ones answer: the
/// storage of a host may note each name, and open all of them together.
///
/// Cost: each of those files is opened once more than it is read.
///
/// # Errors
/// `WouldBlock`, on the first file that is not open. Other damage of a file is reported when it is read; `OutOfSpace`
/// when there is no number left for a file.
pub(super) fn open_all(
    storage: &dyn Storage,
    frame: &Frame,
    state: &ManifestState,
    reading: bool,
) -> Result<()> {
    let mut blocked: Option<Error> = None;
    let mut ask = |outcome: Result<()>| {
        if let Err(error) = outcome
            && error.kind() == ErrorKind::WouldBlock
        {
            blocked.get_or_insert(error);
        }
    };
    for name in frame.names.iter().copied() {
        let is_read = match frame.role(name) {
            Role::Log => true,
            Role::Fallback | Role::Spare => !reading,
            Role::Always | Role::Manifest | Role::Table => false,
        };
        if is_read {
            ask(storage.open(name).map(drop));
        }
    }
    if !reading {
        let [manifest, log] = numbers(frame, state);
        ask(storage.prepare(FileName::Manifest(manifest).usable()?));
        ask(storage.prepare(FileName::Wal(log).usable()?));
        if !frame.has(FileName::Current) {
            ask(storage.prepare(FileName::Current));
        }
    }
    blocked.map_or(Ok(()), Err)
}
