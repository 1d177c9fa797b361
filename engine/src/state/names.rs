//! Names of files that were made: a sync of the directory makes all of them durable at once.

use crate::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of a name, counted from opening on. 0: opening made the file, and has synced the directory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MadeName(u64);

impl MadeName {
    /// Every name, also those that are made while it is asked for: only a sync that begins now covers them.
    pub(crate) const ALL: Self = Self(u64::MAX);
}

/// How many names were made since opening, and how many of them are durable.
#[derive(Debug, Default)]
pub(super) struct Names {
    made: AtomicU64,
    durable: AtomicU64,
    /// The sync of the directory that failed, if one did. Held during each sync.
    failure: Mutex<Option<Error>>,
}

impl Names {
    /// Counts a name that was made just now.
    pub(super) fn count(&self) -> MadeName {
        MadeName(self.made.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Whether a sync of the directory has covered `name`.
    #[inline]
    pub(super) fn is_durable(&self, name: MadeName) -> bool {
        self.durable.load(Ordering::Acquire) >= name.0
    }

    /// Syncs the directory by `sync`, one caller at a time, unless a sync that it waited for has covered `name`.
    ///
    /// # Errors
    /// Those of `sync`; no name becomes durable from then on, because a later sync may report success although the
    /// failed one has lost a name for good: `ReadOnly`.
    pub(super) fn sync(&self, name: MadeName, sync: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_durable(name) {
            return Ok(());
        }
        if let Some(failure) = &*failure {
            let message = format!("names of files may be lost since this failure: {failure}");
            return Err(Error::new(ErrorKind::ReadOnly, message));
        }
        // A name that is made during the sync may be missed by it.
        let made = self.made.load(Ordering::Acquire);
        sync().inspect_err(|error| *failure = Some(error.clone()))?;
        self.durable.fetch_max(made, Ordering::AcqRel);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_covers_the_names_made_before_it() {
        let names = Names::default();
        assert!(names.is_durable(MadeName::default()));
        let first = names.count();
        assert!(!names.is_durable(first));
        let mut during = MadeName::default();
        names
            .sync(MadeName::ALL, || {
                during = names.count();
                Ok(())
            })
            .unwrap();
        assert!(names.is_durable(first));
        assert!(!names.is_durable(during), "the system may have read the directory before");
        names.sync(during, || Ok(())).unwrap();
        assert!(names.is_durable(during));
        names.sync(during, || Err(Error::invalid("nothing is left to sync"))).unwrap();
    }

    #[test]
    fn a_failed_sync_covers_nothing() {
        let names = Names::default();
        let name = names.count();
        names.sync(name, || Err(Error::invalid("no"))).unwrap_err();
        assert!(!names.is_durable(name));
        let refused = names.sync(name, || Ok(())).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ReadOnly, "the sync after it proves nothing");
        assert!(!names.is_durable(name));
    }
}
