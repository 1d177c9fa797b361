//! The everyday reads of a database, a snapshot and a transaction.

use super::read::{get_probed, iter_over, view_at};
use super::{Db, ScanOptions, Snapshot, Transaction};
use crate::event::EventKind;
use crate::iter::{DbIterator, Entries, KeyRange, PinnedValue};
use crate::probe::NoProbe;
use crate::{Error, Result};

/// # Read
impl Db {
    /// Returns the current value of `key`, without copying it.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<PinnedValue>> {
        Ok(self.lookup(key.as_ref(), None)?.0)
    }

    /// Returns the values of `keys` at one moment, in the order of `keys`.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn multi_get<K: AsRef<[u8]>>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<Vec<Option<PinnedValue>>> {
        let moment = self.snapshot();
        keys.into_iter().map(|key| moment.get(key)).collect()
    }

    /// Returns a cursor over user keys, forward and backward. It has no position before the first `seek`.
    ///
    /// It reads the state at the time of the call (or of the snapshot) as long as it lives.
    ///
    /// # Errors
    /// As [`Db::get`].
    #[expect(clippy::iter_not_returning_iterator, reason = "it can fail and goes both ways")]
    pub fn iter(&self, options: &ScanOptions<'_>) -> Result<DbIterator> {
        let shared = self.shared();
        let (view, sequence) = view_at(shared, options.snapshot.map(Snapshot::moment));
        let iterator = iter_over(shared, Vec::new(), Vec::new(), view, sequence, options)?;
        shared.events.emit(None, None, || EventKind::OpScan {});
        Ok(iterator)
    }
}

impl Snapshot {
    /// Returns the value of `key` at the time of the snapshot.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<PinnedValue>> {
        let moment = Some(self.moment());
        Ok(get_probed(self.shared(), key.as_ref(), moment, &mut NoProbe)?.0)
    }

    /// A cursor over the user keys of the snapshot, forward and backward, that can seek.
    ///
    /// # Errors
    /// As [`Db::iter`]; `InvalidArgument` when the options name a snapshot.
    #[expect(clippy::iter_not_returning_iterator, reason = "it can fail and goes both ways")]
    pub fn iter(&self, options: &ScanOptions<'_>) -> Result<DbIterator> {
        if options.snapshot.is_some() {
            return Err(Error::invalid("a snapshot reads at its own moment, not at another"));
        }
        let shared = self.shared();
        let view = self.moment().view(shared);
        iter_over(shared, Vec::new(), Vec::new(), view, self.sequence(), options)
    }
}

macro_rules! everyday {
    ($reader:ty) => {
        impl $reader {
            /// Whether `key` has a value.
            ///
            /// # Errors
            /// As [`Db::get`].
            pub fn contains_key(&self, key: impl AsRef<[u8]>) -> Result<bool> {
                Ok(self.get(key)?.is_some())
            }

            /// The entries of a range of keys, in their order; `.rev()` takes them from its end.
            ///
            /// ```
            /// # use levelscope::{Db, storage::MemoryStorage};
            /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
            /// db.put("apple", "red")?;
            /// db.put("banana", "yellow")?;
            /// db.put("cherry", "dark")?;
            /// let mut keys = Vec::new();
            /// for entry in db.range("a".."c")?.rev() {
            ///     let (key, _) = entry?;
            ///     keys.push(key);
            /// }
            /// assert_eq!(keys, [b"banana".to_vec(), b"apple".to_vec()]);
            /// # Ok::<(), levelscope::Error>(())
            /// ```
            ///
            /// # Errors
            /// As [`Db::get`]; later ones come with the entries.
            pub fn range(&self, keys: impl KeyRange) -> Result<Entries> {
                let (lower, upper) = keys.into_bounds();
                Ok(Entries::new(self.iter(&ScanOptions {
                    lower,
                    upper,
                    ..ScanOptions::default()
                })?))
            }

            /// The entries whose keys begin with `prefix`, in their order, as [`Self::range`]. Tables whose
            /// prefix filter or prefix index knows that they have none are skipped.
            ///
            /// # Errors
            /// As [`Self::range`].
            pub fn prefix(&self, prefix: impl AsRef<[u8]>) -> Result<Entries> {
                let prefix = Some(prefix.as_ref().to_vec());
                Ok(Entries::new(self.iter(&ScanOptions { prefix, ..ScanOptions::default() })?))
            }
        }
    };
}

everyday!(Db);
everyday!(Snapshot);
everyday!(Transaction);
