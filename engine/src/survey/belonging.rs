//! Whose logs and tables have to be, and what files say of themselves.

use crate::few::Few;
use crate::identity::{Identity, Owner, mismatch};
use crate::storage::{File, FileName, FileNumber, Storage, read_at_most};
use crate::wal::file::Log;
use crate::{Result, table};

/// At least the header of a log is among so many bytes at its beginning \[bytes\].
const LOG_HEAD_BYTES: u64 = 64;

/// The number and the identity that the log, manifest or table `name` says of itself; `None` when it is
/// damaged, or says nothing.
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
    /// No manifest says from which number on files carry the identity, so those without one may be older.
    pub(crate) older_allowed: bool,
}

impl Belonging {
    /// What file `number` has to carry, when it says of itself that it carries `found`.
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

    /// What is wrong with a spare file that carries the identity `found`: only another database's is. A
    /// database without an identity cannot tell.
    pub(super) fn stranger(self, found: Option<Identity>) -> Option<String> {
        let found = found.filter(|_| self.owner.identity.is_some());
        found.and_then(|found| mismatch(self.owner.identity, Some(found)))
    }

    /// What most of the files in `names` carry, for want of anything that says it.
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
