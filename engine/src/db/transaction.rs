//! Transactions: reads of one moment, writes that appear at once or not at all, and a check at the end.

use super::read::{iter_over, value_at};
use super::validate::{Candidate, Clash};
use super::write::begin_and_end;
use super::writers::Write;
use super::{Db, ScanOptions};
use crate::event::{EventKind, Isolation, ShownKey, ShownRange, TransactionId};
use crate::iter::{DbIterator, KeyRange, PinnedValue, Source};
use crate::key::{Cut, SeqNo};
use crate::outcome::Outcome;
use crate::prefix::after_prefix;
use crate::state::Moment;
use crate::transaction::{OpenTransaction, ReadSet, ReadWatch, WriteSet};
use crate::{Bound, Error, ErrorKind, Result, ValueKind};
use std::sync::{Arc, Mutex, PoisonError};

/// How a transaction runs.
///
/// The default is [`Isolation::Snapshot`]: a commit is refused when another writer has committed a key that the
/// transaction *writes*, and not because of a key that it has only read. With [`Isolation::Serializable`], as in
/// [`Db::transact`], reads are checked too:
///
/// ```
/// use levelscope::{Db, ErrorKind, Isolation, TransactionOptions, storage::MemoryStorage};
///
/// let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
/// // Each takes one of two doctors off call if the other is on call; both may not leave.
/// let both_leave = |options: &TransactionOptions| {
///     db.put("ann", "on call")?;
///     db.put("bob", "on call")?;
///     let (mut ann, mut bob) = (db.begin(options), db.begin(options));
///     if ann.get("bob")?.is_some() {
///         ann.delete("ann")?;
///     }
///     if bob.get("ann")?.is_some() {
///         bob.delete("bob")?;
///     }
///     ann.commit(None)?;
///     bob.commit(None)
/// };
/// assert!(both_leave(&TransactionOptions::default()).is_ok()); // write skew
/// let refused = both_leave(&TransactionOptions::new(Isolation::Serializable)).unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Conflict);
/// # Ok::<(), levelscope::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TransactionOptions {
    /// Its isolation level. Default: [`Isolation::Snapshot`].
    pub isolation: Isolation,
}

impl TransactionOptions {
    /// A transaction with this isolation level.
    pub const fn new(isolation: Isolation) -> Self {
        Self { isolation }
    }
}

/// Reads of one moment, and writes that appear at once.
///
/// It reads the database as it was when the transaction began, with its own writes over it. Its isolation level
/// decides which changes of others refuse the commit ([`TransactionOptions`]). Its writes are
/// private and in no file until [`Transaction::commit`], which writes all of them or answers `Conflict`.
/// Dropping it rolls it back. No other caller waits for a transaction. While it is open, compactions keep
/// the versions that it may still read, and the database stays open.
///
/// ```
/// use levelscope::storage::MemoryStorage;
/// use levelscope::{Db, ErrorKind, Options, TransactionOptions};
/// use std::sync::Arc;
///
/// let db = Db::builder().open_in(Arc::new(MemoryStorage::default()))?;
/// let mut transfer = db.begin(&TransactionOptions::default());
/// transfer.put(b"alice", b"90")?;
/// transfer.put(b"bob", b"110")?;
/// assert_eq!(db.get(b"bob")?, None);
/// transfer.commit(None)?;
/// assert_eq!(db.get(b"bob")?.as_deref(), Some(&b"110"[..]));
///
/// let mut late = db.begin(&TransactionOptions::default());
/// late.put(b"bob", b"0")?;
/// db.put(b"bob", b"120")?;
/// assert_eq!(late.commit(None).unwrap_err().kind(), ErrorKind::Conflict);
/// # Ok::<(), levelscope::Error>(())
/// ```
#[derive(Debug)]
pub struct Transaction {
    db: Db,
    open: Arc<OpenTransaction>,
    moment: Moment,
    writes: WriteSet,
    /// Empty unless it is serializable.
    reads: Arc<Mutex<ReadSet>>,
    ended: bool,
}

impl Db {
    /// Begins a transaction on the current state. Cost: one entry in a list; nothing is copied.
    ///
    /// The default options are those of snapshot isolation: the commit fails when another writer has committed a key
    /// that the transaction writes. Keys that it only read may have changed meanwhile (write skew); see
    /// [`TransactionOptions`]. [`Db::transact`] is serializable and tries again after a conflict.
    pub fn begin(&self, options: &TransactionOptions) -> Transaction {
        let shared = self.shared();
        let isolation = options.isolation;
        let mut core = shared.core();
        let id = core.take_transaction();
        // Read under the lock under which compactions learn the pinned sequence numbers.
        let moment = Moment::now(shared, &core);
        let sequence = moment.sequence;
        let open = Arc::new(OpenTransaction::new(id, sequence, isolation));
        core.transactions.insert(id, Arc::clone(&open));
        let begin = || EventKind::OpBegin { transaction: id, sequence, isolation };
        shared.events.emit(None, None, begin);
        drop(core);
        shared.counters.transactions_begun.add(1);
        let (writes, reads) = (WriteSet::default(), Arc::default());
        Transaction { db: self.clone(), open, moment, writes, reads, ended: false }
    }

    /// Ends a transaction that has a conflict, and emits the event.
    pub(super) fn lose(&self, open: &OpenTransaction, clash: &Clash) {
        let (transaction, sequence) = (open.id, open.sequence);
        self.end(transaction, || EventKind::OpConflict {
            transaction,
            key: ShownKey::new(&clash.key),
            read: clash.read,
            sequence,
            winner: clash.winner,
        });
        self.shared().counters.conflicts.add(1);
    }

    /// Releases the sequence number of `transaction` and emits the event of its end.
    pub(super) fn end(&self, transaction: TransactionId, build: impl FnOnce() -> EventKind) -> u64 {
        let shared = self.shared();
        let mut core = shared.core();
        core.transactions.remove(&transaction);
        shared.events.emit(None, None, build)
    }
}

impl Transaction {
    /// Its number; counts from 1 in each opened database.
    pub fn id(&self) -> TransactionId {
        self.open.id
    }

    /// It sees the writes of others up to this sequence number.
    pub fn sequence(&self) -> SeqNo {
        self.open.sequence
    }

    /// Its isolation level.
    pub fn isolation(&self) -> Isolation {
        self.open.isolation
    }

    /// Keys that it would write now.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Whether it would write nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lookups and iterators so far.
    pub fn reads(&self) -> u64 {
        self.open.view().reads
    }

    /// Whether it has committed, lost, failed or was rolled back: then it only can be dropped.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The value of `key`: the transaction's own write, or the value when it began.
    ///
    /// # Errors
    /// As [`Db::get`]; `InvalidArgument` when the transaction has ended, or is serializable and has
    /// read more than it can remember ([`crate::limits::TRANSACTION_READ_BYTES_MAX`]).
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<PinnedValue>> {
        Ok(self.lookup(key.as_ref())?.0)
    }

    /// The value of `key` as for [`Self::get`], and how the lookup ended.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn lookup(&self, key: &[u8]) -> Result<(Option<PinnedValue>, Outcome)> {
        self.must_be_open()?;
        let shared = self.db.shared();
        let own = self.writes.get(key);
        let (value, outcome) = if let Some(write) = &own {
            match write.value() {
                Some(value) => (Some(PinnedValue::from_vec(value.to_vec())), Outcome::Found),
                None => (None, Outcome::DeletedByTransaction),
            }
        } else {
            let found = value_at(shared, key, &self.moment)?;
            self.remember(key)?;
            found
        };
        let (transaction, reads) = (self.open.id, self.open.read());
        let (found, own) = (value.is_some(), own.is_some());
        let key = || ShownKey::new(key);
        shared.events.emit(None, None, || EventKind::OpRead {
            transaction,
            key: key(),
            found,
            own,
            reads,
        });
        Ok((value, outcome))
    }

    /// An iterator over the user keys that the transaction sees, with its own writes as they are now.
    ///
    /// It stays readable when the transaction has ended. A serializable transaction remembers the ranges
    /// that it walks over, not all that its bounds allow.
    ///
    /// # Errors
    /// As [`Db::iter`]; `InvalidArgument` when the options name a snapshot or the transaction has
    /// ended.
    #[expect(clippy::iter_not_returning_iterator, reason = "it can fail and goes both ways")]
    pub fn iter(&self, options: &ScanOptions<'_>) -> Result<DbIterator> {
        self.must_be_open()?;
        if options.snapshot.is_some() {
            return Err(Error::invalid("a transaction reads at its own snapshot, not at another"));
        }
        let shared = self.db.shared();
        let own = vec![Source::Writes(self.writes.cursor())];
        let (view, ranges) = (self.moment.view(shared), self.writes.range_tombstones());
        let iterator = iter_over(shared, own, ranges, view, self.open.sequence, options)?;
        let (transaction, reads) = (self.open.id, self.open.read());
        shared.events.emit(None, None, || EventKind::OpReadRange { transaction, reads });
        Ok(iterator.for_transaction(self.is_serializable().then(|| ReadWatch::new(&self.reads))))
    }

    /// Sets `key` to `value`, for the transaction alone until it commits.
    ///
    /// # Errors
    /// `InvalidArgument` when key or value are too long, when the writes would no longer fit one batch
    /// ([`crate::limits::BATCH_BYTES_MAX`], [`crate::limits::BATCH_COUNT_MAX`]), or when the transaction
    /// has ended. Nothing has changed then.
    pub fn put(&mut self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<()> {
        self.write(key.as_ref(), Some(value.as_ref()))
    }

    /// Deletes `key`, present or not, for the transaction alone until it commits.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn delete(&mut self, key: impl AsRef<[u8]>) -> Result<()> {
        self.write(key.as_ref(), None)
    }

    /// Deletes all keys of a range, for the transaction alone until it commits. Its later writes to them stay.
    ///
    /// The commit is refused with `Conflict` when another writer has committed any key of the range since the
    /// transaction began.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn delete_range(&mut self, keys: impl KeyRange) -> Result<()> {
        self.must_be_open()?;
        let Some((begin, end)) = begin_and_end(keys) else { return Ok(()) };
        self.writes.delete_range(&begin, &end)?;
        let (writes, write_bytes) = (self.writes.len(), self.writes.bytes());
        self.open.wrote(writes, write_bytes);
        let transaction = self.open.id;
        self.db.shared().events.emit(None, None, || EventKind::OpBufferRange {
            transaction,
            range: ShownRange::new(&begin, end.key().unwrap_or_default()),
            writes: writes as u64,
            write_bytes: write_bytes as u64,
        });
        Ok(())
    }

    /// Deletes all keys that begin with `prefix`, as [`Self::delete_range`].
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn delete_prefix(&mut self, prefix: impl AsRef<[u8]>) -> Result<()> {
        let prefix = prefix.as_ref();
        let end = after_prefix(prefix).map_or(Bound::Unbounded, Bound::Excluded);
        self.delete_range((Bound::Included(prefix.to_vec()), end))
    }

    /// Makes all writes visible at once, unless there is a conflict; returns the last sequence number used.
    ///
    /// `sync` as for [`Db::write`]. A transaction that only read commits without a check and without
    /// writing, and gets the sequence number that it has read at.
    ///
    /// # Errors
    /// `Conflict` when another writer has committed a key that it writes (or, serializable, anything
    /// that it has read) since it began: it has ended as if rolled back. `OutOfSpace`, `Io` of the log:
    /// it has ended, the database is read-only, and the writes may or may not be there after reopening.
    /// `WouldBlock`, `Stalled`, `ReadOnly`, `Closed`, and whatever reading for the check meets: nothing
    /// was changed, the transaction is as it was, and the call may be made again. `InvalidArgument` when
    /// it has ended before.
    pub fn commit(&mut self, sync: Option<bool>) -> Result<SeqNo> {
        self.must_be_open()?;
        if self.is_empty() {
            let (transaction, first_sequence) = (self.open.id, self.open.sequence);
            self.ended = true;
            self.db.end(transaction, || EventKind::OpCommit {
                transaction,
                count: 0,
                bytes: 0,
                first_sequence,
            });
            self.db.shared().counters.transactions_committed.add(1);
            return Ok(first_sequence);
        }
        let batch = self.writes.batch()?;
        let sync = sync.unwrap_or(self.db.options().wal_sync.before_acknowledging());
        let reads = self.is_serializable().then(|| Arc::clone(&self.reads));
        let candidate = Candidate::new(Arc::clone(&self.open), self.writes.clone(), reads);
        let candidate = Arc::new(candidate);
        let write = Write { batch: &batch, sync, candidate: Some(Arc::clone(&candidate)) };
        let written = self.db.commit(&write);
        self.ended = candidate.has_ended();
        if self.ended {
            self.writes = WriteSet::default();
        }
        let sequence = written?;
        self.db.shared().counters.transactions_committed.add(1);
        self.db.finish_inline_work()?;
        Ok(sequence)
    }

    /// Forgets all writes and ends the transaction; the same as dropping it. When it has ended before,
    /// nothing happens.
    pub fn rollback(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let (transaction, writes) = (self.open.id, self.writes.len() as u64);
        self.db.end(transaction, || EventKind::OpRollback { transaction, writes });
        self.db.shared().counters.transactions_rolled_back.add(1);
        self.writes = WriteSet::default();
    }

    fn write(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        self.must_be_open()?;
        self.writes.set(key, value)?;
        let (writes, write_bytes) = (self.writes.len(), self.writes.bytes());
        self.open.wrote(writes, write_bytes);
        let transaction = self.open.id;
        self.db.shared().events.emit(None, None, || EventKind::OpBuffer {
            transaction,
            key: ShownKey::new(key),
            entry: if value.is_some() { ValueKind::Put } else { ValueKind::Delete },
            value_bytes: value.map_or(0, <[u8]>::len),
            writes: writes as u64,
            write_bytes: write_bytes as u64,
        });
        Ok(())
    }

    fn is_serializable(&self) -> bool {
        self.open.isolation == Isolation::Serializable
    }

    fn remember(&self, key: &[u8]) -> Result<()> {
        if !self.is_serializable() {
            return Ok(());
        }
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        reads.add(Cut::before(key), Cut::after(key))
    }

    fn must_be_open(&self) -> Result<()> {
        if self.ended {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                "this transaction has ended: begin another",
            ));
        }
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.rollback();
    }
}
