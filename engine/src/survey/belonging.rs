//! The owner that logs and tables must have, and the number and identity in their content.

use crate::few::Few;
use crate::identity::{Identity, Owner, mismatch};
use crate::storage::{File, FileName, FileNumber, Storage, read_at_most};
use crate::wal::file::Log;
use crate::{Result, table};

/// At least the header of a log is among so many bytes at its beginning \[bytes\].
const LOG_HEAD_BYTES: u64 = 64;

/// The number and the identity in the content of the log, manifest or table `name`; `None` when it is damaged or has
/// neither.
///
/// # Errors
/// Those of the storage.
pub(crate) fn claims(
    storage: &dyn Storage,
    name: FileName,
) -> Result<Option<(FileNumber, Option<Identity>)>> {
    match name {
        FileName::Wal(_) | FileName::Manifest(_) => {
            let file = storage.open(name)?;
            Ok(Log::claims(&read_at_most(&*file, name, 0, LOG_HEAD_BYTES)?))
        }
        FileName::Table(_) => table::claims(&*storage.open(name)?, name),
        FileName::Current | FileName::Lock | FileName::Other(_) => Ok(None),
    }
}

/// Whose the logs and tables have to be, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Belonging {
    pub(crate) owner: Owner,
    /// No manifest records the first file number with an identity, so files without one may be older.
    pub(crate) older_allowed: bool,
}

impl Belonging {
    /// The identity that file `number` must carry; `found` is the identity in its content.
    pub(crate) fn expected(self, number: FileNumber, found: Option<Identity>) -> Option<Identity> {
        if found.is_none() && self.older_allowed { None } else { self.owner.of(number) }
    }

    /// The log `number`, whose bytes are `file`.
    pub(crate) fn wal(self, number: FileNumber, file: &[u8]) -> Log {
        let claimed = Log::claims(file);
        let expected = claimed.map(|(_, found)| self.expected(number, found));
        Log::wal(number, expected.unwrap_or_else(|| self.owner.of(number)))
    }

    /// The log `number`, which is in `file` under the name `name`.
    ///
    /// # Errors
    /// Those of the file.
    pub(crate) fn wal_in(self, number: FileNumber, file: &dyn File, name: FileName) -> Result<Log> {
        Ok(self.wal(number, &read_at_most(file, name, 0, LOG_HEAD_BYTES)?))
    }

    /// The flaw of a spare file with the identity `found`: only that of another database is one. A database without an
    /// identity cannot decide that.
    pub(super) fn stranger(self, found: Option<Identity>) -> Option<String> {
        let found = found.filter(|_| self.owner.identity.is_some());
        found.and_then(|found| mismatch(self.owner.identity, Some(found)))
    }

    /// The identity of most files in `names`, for lack of a record of it.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn of_most(storage: &dyn Storage, names: &[FileName]) -> Result<Self> {
        let mut counts: Few<Identity, usize> = Few::new();
        for name in names {
            match claims(storage, *name) {
                Ok(Some((_, Some(identity)))) => *counts.or_default(identity) += 1,
                Err(error) if error.blocked_on().is_some() => return Err(error),
                _ => {}
            }
        }
        let most = counts.into_iter().max_by_key(|(identity, count)| (*count, *identity));
        let owner = Owner { identity: most.map(|(identity, _)| identity), from: 0 };
        Ok(Self { owner, older_allowed: true })
    }
}
