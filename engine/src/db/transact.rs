//! Reads and writes in one step, repeated after a conflict.

use super::{Db, Transaction, TransactionOptions};
use crate::event::Isolation;
use crate::{ErrorKind, Result};

/// How often a transaction is tried before its conflict is the caller's.
const ATTEMPTS_MAX: usize = 100;

/// # Read and write as one
impl Db {
    /// Runs `work` in a serializable transaction and commits it; after a conflict it runs `work` again on the newer
    /// state, up to 100 times. Other effects of `work` must bear this repetition. An error of `work` rolls back and is
    /// returned.
    ///
    /// ```
    /// # use levelscope::{Db, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// let visits = db.transact(|transaction| {
    ///     let old = transaction.get("visits")?.map_or(0, |value| value.len());
    ///     transaction.put("visits", "|".repeat(old + 1))?;
    ///     Ok(old + 1)
    /// })?;
    /// assert_eq!(visits, 1);
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `work` and of [`Transaction::commit`].
    pub fn transact<T>(&self, work: impl FnMut(&mut Transaction) -> Result<T>) -> Result<T> {
        self.attempts(Isolation::Serializable, work)
    }

    /// Sets `key` to `new` if it has the value `expected`; `None` stands for no value. Returns whether it did.
    ///
    /// ```
    /// # use levelscope::{Db, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// assert!(db.compare_and_set("lock", None, Some(b"mine"))?);
    /// assert!(!db.compare_and_set("lock", None, Some(b"yours"))?);
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Db::transact`].
    pub fn compare_and_set(
        &self,
        key: impl AsRef<[u8]>,
        expected: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<bool> {
        let key = key.as_ref();
        self.attempts(Isolation::Serializable, |transaction| {
            if transaction.get(key)?.as_deref() != expected {
                return Ok(false);
            }
            set(transaction, key, new)?;
            Ok(true)
        })
    }

    /// Sets `key` to the result of `change` on its value; `None` stands for no value. Returns the new value.
    ///
    /// # Errors
    /// As [`Db::transact`].
    pub fn update(
        &self,
        key: impl AsRef<[u8]>,
        mut change: impl FnMut(Option<&[u8]>) -> Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>> {
        let key = key.as_ref();
        // The key that is read is written: that conflict is found without remembering reads.
        self.attempts(Isolation::Snapshot, |transaction| {
            let new = change(transaction.get(key)?.as_deref());
            set(transaction, key, new.as_deref())?;
            Ok(new)
        })
    }

    fn attempts<T>(
        &self,
        isolation: Isolation,
        mut work: impl FnMut(&mut Transaction) -> Result<T>,
    ) -> Result<T> {
        let mut attempt = 1;
        loop {
            let mut transaction = self.begin(&TransactionOptions::new(isolation));
            let found = work(&mut transaction)?;
            match transaction.commit(None) {
                Ok(_) => return Ok(found),
                Err(error) if error.kind() == ErrorKind::Conflict && attempt < ATTEMPTS_MAX => {
                    attempt += 1;
                    // A group that is being written now may have the same keys. An attempt that reads before it is
                    // visible would lose to it, so this one begins afterwards.
                    drop(self.writer());
                }
                Err(error) => return Err(error),
            }
        }
    }
}

fn set(transaction: &mut Transaction, key: &[u8], value: Option<&[u8]>) -> Result<()> {
    match value {
        Some(value) => transaction.put(key, value),
        None => transaction.delete(key),
    }
}
