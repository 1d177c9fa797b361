//! The write path: room in the memtable, then the commit ([`super::commit`]). [`super::rotate`] makes room.

use super::commit::sync_wal;
use super::writers::{Write, WriterGuard};
use super::{Db, closed};
use crate::event::{Acknowledged, EventId, EventKind, RotateReason, Stall};
use crate::iter::KeyRange;
use crate::job::{Budget, StepOutcome};
use crate::key::{Cut, SeqNo};
use crate::memtable::Memtable;
use crate::state::{MadeName, Shared};
use crate::text;
#[cfg(not(target_arch = "wasm32"))]
use crate::wal::AheadSyncs;
use crate::wal::{EndingLog, WalWriter};
use crate::{Error, ErrorKind, Maintenance, Result, WriteBatch};
use std::sync::Arc;

/// The state that one writer at a time holds: the active log and its memtable.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) wal: WalWriter,
    /// The name of the log.
    pub(super) wal_name: MadeName,
    pub(super) memtable: Arc<Memtable>,
    /// The log before, until the active one has recorded that it ended.
    pub(super) ending: Option<Arc<EndingLog>>,
    /// Background work that must be done before the next write, while writes are slowed down
    /// \[bytes\].
    pub(super) owed_bytes: u64,
}

impl Writer {
    /// A writer that goes on with `wal` and `memtable` and owes nothing.
    pub(super) fn new(wal: WalWriter, memtable: Arc<Memtable>) -> Self {
        Self { wal, wal_name: MadeName::default(), memtable, ending: None, owed_bytes: 0 }
    }

    /// The same writer, whose log is synced ahead of need by the thread of `syncs`.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn synced_ahead(self, syncs: Option<Arc<AheadSyncs>>) -> Self {
        Self { wal: self.wal.synced_ahead(syncs), ..self }
    }

    /// Records in the active log that the one before it has ended, once it has.
    pub(super) fn record_previous_end(&mut self) -> Result<()> {
        if let Some(before) = self.ending.take_if(|before| before.has_ended()) {
            self.wal.record_previous_end(before.number())?;
        }
        Ok(())
    }

    /// Waits until the log before the active one has ended. Nothing of the active log counts as durable before.
    ///
    /// # Errors
    /// Those of [`Shared::end_log`].
    pub(super) fn end_before(&mut self, shared: &Shared) -> Result<()> {
        if let Some(before) = &self.ending {
            shared.end_log(before)?;
        }
        self.record_previous_end()
    }
}

/// # Write
impl Db {
    /// Sets `key` to `value`; durable on return if the option `wal_sync` syncs each write.
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`]; those of [`Db::write`].
    pub fn put(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.put(key, value)?;
        self.write(&batch, None).map(|_| ())
    }

    /// Deletes `key`, present or not; durable on return if the option `wal_sync` syncs each write.
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`]; those of [`Db::write`].
    pub fn delete(&self, key: impl AsRef<[u8]>) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.delete(key)?;
        self.write(&batch, None).map(|_| ())
    }

    /// Deletes all keys of a range with one record, whatever their number; durable on return if the option `wal_sync`
    /// syncs each write. A range without keys changes nothing.
    ///
    /// ```
    /// # use levelscope::{Db, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// db.put("apple", "red")?;
    /// db.put("banana", "yellow")?;
    /// db.delete_range(.."b")?;
    /// assert_eq!(db.range(..)?.count(), 1);
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`]; those of [`Db::write`].
    pub fn delete_range(&self, keys: impl KeyRange) -> Result<()> {
        let Some((begin, end)) = begin_and_end(keys) else { return Ok(()) };
        let mut batch = WriteBatch::new();
        match end.key() {
            Some(end) => batch.delete_range(begin, end)?,
            None => batch.delete_from(begin)?,
        }
        self.write(&batch, None).map(|_| ())
    }

    /// Deletes all keys that begin with `prefix`, as [`Db::delete_range`].
    ///
    /// # Errors
    /// `InvalidArgument` as for [`WriteBatch::put`]; those of [`Db::write`].
    pub fn delete_prefix(&self, prefix: impl AsRef<[u8]>) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.delete_prefix(prefix)?;
        self.write(&batch, None).map(|_| ())
    }

    /// Applies `batch` as one: all of it or nothing. Returns the last sequence number it used.
    ///
    /// With `sync`, the batch is durable on return; `None` follows the option `wal_sync`. Without sync the batch
    /// survives the death of the process, but not always that of the machine.
    ///
    /// # Errors
    /// `Stalled` (manual maintenance only) and `WouldBlock`: nothing was changed, call again later.
    /// `InvalidArgument` when no sequence numbers are left. `OutOfSpace`, `Io`: the database is read-only from now on,
    /// and the batch may or may not be there after reopening. Until then it is visible if its log record was safe and a
    /// flush or compaction failed after it. `ReadOnly`, `Closed`.
    pub fn write(&self, batch: &WriteBatch, sync: Option<bool>) -> Result<SeqNo> {
        if batch.is_empty() {
            return Ok(self.shared().visible_sequence());
        }
        let sync = sync.unwrap_or(self.options().wal_sync.before_acknowledging());
        let sequence = self.commit(&Write { batch, sync, candidate: None })?;
        self.finish_inline_work()?;
        Ok(sequence)
    }

    /// Makes sure that the memtable takes `bytes` more, rotating it when it is full.
    pub(super) fn make_room<'a>(
        &'a self,
        mut writer: WriterGuard<'a>,
        bytes: usize,
    ) -> Result<WriterGuard<'a>> {
        let shared = self.shared();
        if shared.must_wait_for_work(writer.owed_bytes) {
            let owed = std::mem::take(&mut writer.owed_bytes);
            drop(writer);
            shared.wait_for_work(owed);
            writer = self.writer();
        }
        let mut has_stalled = false;
        loop {
            self.takes_writes()?;
            if writer.memtable.fits(bytes) || writer.memtable.is_empty() {
                if has_stalled {
                    self.end_stall();
                }
                return Ok(writer);
            }
            let stall = shared.core().stall_reason(&shared.options);
            let Some(stall) = stall else {
                self.rotate_locked(&mut writer, RotateReason::Full, None)?;
                self.end_stall();
                continue;
            };
            self.begin_stall(stall);
            has_stalled = true;
            match shared.options.maintenance {
                Maintenance::Manual => return Err(stalled(stall)),
                Maintenance::Inline | Maintenance::Auto => {
                    drop(writer);
                    match self.step(Budget::Job)? {
                        StepOutcome::Blocked(file) => return Err(Error::would_block(file)),
                        // Idle: another thread has done the work, or it has failed.
                        StepOutcome::Idle | StepOutcome::More | StepOutcome::Finished(_) => {}
                    }
                }
                Maintenance::Threads(_) => {
                    drop(writer);
                    self.wait_for_change(&|core| {
                        core.closing || core.stall_reason(&shared.options).is_none()
                    });
                }
            }
            writer = self.writer();
        }
    }

    /// Refuses when the database is read-only or closed. Cost: one load.
    pub(super) fn takes_writes(&self) -> Result<()> {
        let shared = self.shared();
        if !shared.refuses_writes() {
            return Ok(());
        }
        shared.writable()?;
        Err(closed())
    }

    fn begin_stall(&self, stall: Stall) {
        let mut core = self.shared().core();
        if core.stall != Some(stall) {
            core.stall = Some(stall);
            drop(core);
            self.shared().counters.stalls.add(1);
            self.shared().events.emit(None, None, || EventKind::StallBegin { stall });
        }
    }

    fn end_stall(&self) {
        if self.shared().core().stall.take().is_some() {
            self.shared().events.emit(None, None, || EventKind::StallEnd {});
        }
    }

    /// Makes every write so far durable.
    ///
    /// # Errors
    /// `Io`, `OutOfSpace`: the database is read-only from now on.
    pub fn sync(&self) -> Result<()> {
        let shared = self.shared();
        let mut writer = self.writer();
        self.takes_writes()?;
        let op = shared.events.emit(None, None, || EventKind::OpSync {});
        let synced = sync_wal(shared, &mut writer, op, || false);
        synced.map_err(|error| log_failed(shared, &writer, Some(op), error))?;
        shared.events.emit(None, Some(op), || {
            let what = Acknowledged::Sync;
            EventKind::OpDone { op, what, durable: true, rotated: None }
        });
        Ok(())
    }
}

/// The first key of a range, and its end, which is the end of all keys or lies before a key; `None` when it has
/// no keys.
pub(super) fn begin_and_end(keys: impl KeyRange) -> Option<(Vec<u8>, Cut)> {
    let (lower, upper) = keys.into_bounds();
    let begin = Cut::lower(&lower).next_key()?;
    let end = Cut::upper(&upper).next_key().map_or(Cut::End, |end| Cut::At(end, false));
    end.is_after(&begin).then_some((begin, end))
}

fn stalled(stall: Stall) -> Error {
    let message = match stall {
        Stall::Memtables { count, .. } => {
            let memtables = text::counted(count, "immutable memtable");
            let verb = if count == 1 { "has" } else { "have" };
            format!("writes wait: {memtables} {verb} to be flushed first")
        }
        Stall::L0Tables { count, .. } => {
            let tables = text::counted(count, "table");
            let verb = if count == 1 { "has" } else { "have" };
            format!("writes wait: {tables} in L0 {verb} to be compacted first")
        }
    };
    Error::new(ErrorKind::Stalled, message)
}

/// Makes the name of the log durable, without which no sync of the log counts. Usually a flush has done so, since each
/// syncs the directory for its table. The log's buffer is written first: it must not be lost with the name.
pub(super) fn make_named(shared: &Shared, writer: &mut Writer) -> Result<()> {
    write_with_name(shared, writer, Shared::make_durable)
}

/// The same, where `make_durable` syncs the directory.
pub(super) fn write_with_name(
    shared: &Shared,
    writer: &mut Writer,
    make_durable: impl FnOnce(&Shared, MadeName) -> Result<()>,
) -> Result<()> {
    if shared.is_durable(writer.wal_name) {
        return Ok(());
    }
    writer.wal.write()?;
    make_durable(shared, writer.wal_name)
}

/// Emits the state of the log if a write or sync of it has failed, and refuses all writes from now on.
pub(super) fn log_failed(
    shared: &Shared,
    writer: &Writer,
    cause: Option<EventId>,
    error: Error,
) -> Error {
    if writer.wal.has_failed() {
        shared.events.emit(None, cause, || EventKind::WalFailed { log: writer.wal.view() });
    }
    shared.fail(error)
}
