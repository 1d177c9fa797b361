//! The write path: batch → sequence numbers → log → memtable; and the rotation of both.

use super::{Db, closed};
use crate::canary::Canary;
use crate::event::{EventId, EventKind, RotateReason, ShownKey, Stall};
use crate::job::{Budget, StepOutcome};
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::memtable::{self, Memtable};
use crate::state::{Immutable, Shared};
use crate::storage::FileName;
use crate::view::WalView;
use crate::wal::WalWriter;
use crate::{Error, ErrorKind, Maintenance, Result, ValueKind, WriteBatch};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What one writer at a time has: the active log and its memtable.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) wal: WalWriter,
    pub(super) memtable: Arc<Memtable>,
}

impl Writer {
    /// The active log as views show it.
    pub(super) fn wal_view(&self) -> WalView {
        WalView {
            wal: self.wal.number(),
            bytes: self.wal.bytes(),
            synced_bytes: self.wal.synced_bytes(),
            records: self.wal.records(),
            synced_records: self.wal.synced_records(),
            closed: false,
        }
    }
}

impl Db {
    /// Sets `key` to `value`; durable on return when the `sync` option is on.
    ///
    /// # Errors
    /// See [`Db::write`].
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.put(key, value)?;
        self.write(&batch, None).map(|_| ())
    }

    /// Deletes `key`, present or not; durable on return when the `sync` option is on.
    ///
    /// # Errors
    /// See [`Db::write`].
    pub fn delete(&self, key: &[u8]) -> Result<()> {
        let mut batch = WriteBatch::new();
        batch.delete(key)?;
        self.write(&batch, None).map(|_| ())
    }

    /// Applies `batch` as one: all of it or nothing. Returns the last sequence number it used.
    ///
    /// `sync` says whether it must be durable on return; `None` takes the option. Without sync the
    /// batch survives the death of the process, but not always that of the machine.
    ///
    /// # Errors
    /// `Stalled` (manual maintenance only) and `WouldBlock`: nothing was changed, call again later.
    /// `OutOfSpace`, `Io`: the database is read-only from now on, and the batch may or may not be
    /// there after reopening. `ReadOnly`, `Closed`.
    pub fn write(&self, batch: &WriteBatch, sync: Option<bool>) -> Result<SeqNo> {
        let sequence = self.write_locked(batch, sync.unwrap_or(self.options().sync))?;
        self.finish_inline_work()?;
        Ok(sequence)
    }

    fn write_locked(&self, batch: &WriteBatch, sync: bool) -> Result<SeqNo> {
        let shared = self.shared();
        if batch.is_empty() {
            return Ok(shared.visible_sequence());
        }
        let mut writer = self.make_room(self.writer(), batch)?;
        // Only the holder of the writer moves it on.
        let last = shared.visible_sequence();
        let count = u64::from(batch.len());
        let first = last + 1;
        if SEQUENCE_MAX - last <= count {
            return Err(Error::invalid("the database has used all its sequence numbers"));
        }
        let op = self.emit_operation(batch, first);
        let logged = log_batch(shared, &mut writer, batch, first, sync, op);
        if let Err(error) = logged {
            shared
                .events
                .emit(None, Some(op), || EventKind::OpFailed { op, error: error.to_string() });
            return Err(shared.fail(error));
        }
        insert_batch(shared, &writer.memtable, batch, first, op)?;
        shared.last_sequence.store(last + count, Ordering::Release);
        shared.events.emit(None, Some(op), || EventKind::OpDone { op, durable: sync });
        if shared.options.flush_trigger_bytes > 0 {
            shared.core().update_flush_due(&shared.options, false);
            shared.changed.notify_all();
        }
        Ok(last + count)
    }

    fn emit_operation(&self, batch: &WriteBatch, first: SeqNo) -> EventId {
        self.shared().events.emit(None, None, || {
            let mut entries = batch.entries();
            match (entries.next(), batch.len()) {
                (Some(Ok((ValueKind::Put, key, value))), 1) => EventKind::OpPut {
                    key: ShownKey::new(key),
                    value_bytes: value.len(),
                    sequence: first,
                },
                (Some(Ok((ValueKind::Delete, key, _))), 1) => {
                    EventKind::OpDelete { key: ShownKey::new(key), sequence: first }
                }
                (_, count) => {
                    EventKind::OpBatch { count, bytes: batch.body().len(), first_sequence: first }
                }
            }
        })
    }

    /// Makes sure that the memtable takes `batch`, rotating it when it is full.
    fn make_room<'a>(
        &'a self,
        mut writer: std::sync::MutexGuard<'a, Writer>,
        batch: &WriteBatch,
    ) -> Result<std::sync::MutexGuard<'a, Writer>> {
        let shared = self.shared();
        let needed = batch_bytes(batch);
        loop {
            shared.writable()?;
            if shared.core().closing {
                return Err(closed());
            }
            if writer.memtable.is_empty() || writer.memtable.fits(needed) {
                return Ok(writer);
            }
            let stall = shared.core().stall_reason(&shared.options);
            let Some(stall) = stall else {
                self.rotate_locked(&mut writer, RotateReason::Full, None)?;
                self.end_stall();
                continue;
            };
            self.begin_stall(stall);
            match shared.options.maintenance {
                Maintenance::Manual => return Err(stalled(stall)),
                Maintenance::Inline => {
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
            self.shared().events.emit(None, None, || EventKind::StallEnd);
        }
    }

    /// Makes the memtable immutable and starts a new one with a new log; false when it was empty.
    ///
    /// # Errors
    /// As [`Db::write`].
    pub fn rotate(&self) -> Result<bool> {
        let rotated = self.rotate_asked()?;
        self.finish_inline_work()?;
        Ok(rotated)
    }

    pub(super) fn rotate_asked(&self) -> Result<bool> {
        let shared = self.shared();
        let mut writer = self.writer();
        shared.writable()?;
        if shared.core().closing {
            return Err(closed());
        }
        if writer.memtable.is_empty() {
            return Ok(false);
        }
        shared.storage.prepare(FileName::Wal(shared.core().next_wal))?;
        let op = shared.events.emit(None, None, || EventKind::OpRotate);
        self.rotate_locked(&mut writer, RotateReason::Asked, Some(op))?;
        Ok(true)
    }

    fn rotate_locked(
        &self,
        writer: &mut Writer,
        reason: RotateReason,
        cause: Option<EventId>,
    ) -> Result<()> {
        let shared = self.shared();
        let number = shared.core().next_wal;
        // Asked before anything is changed: from here on there is no way back.
        shared.storage.prepare(FileName::Wal(number).usable()?)?;
        let wal = replace_wal(shared, writer, cause).map_err(|error| shared.fail(error))?;
        let mut core = shared.core();
        let id = core.next_memtable;
        core.next_memtable += 1;
        let limit_bytes = shared.options.memtable_bytes;
        let memtable = Arc::new(Memtable::new(id, number, limit_bytes));
        let old = std::mem::replace(&mut writer.memtable, Arc::clone(&memtable));
        let old_wal = std::mem::replace(&mut writer.wal, wal);
        core.closed_wals.push(closed_view(&old_wal));
        core.active = memtable;
        let event = shared.events.emit(None, cause, || EventKind::MemtableRotate {
            memtable: old.id(),
            wal: old.wal(),
            new_memtable: id,
            new_wal: number,
            reason,
        });
        let words = rotation_in_words(reason, &old);
        core.immutables.insert(0, Immutable { memtable: old, cause: Some(event), reason: words });
        core.update_flush_due(&shared.options, false);
        shared.publish(&core);
        drop(core);
        shared.changed.notify_all();
        Ok(())
    }

    /// Makes every write so far durable.
    ///
    /// # Errors
    /// `Io`, `OutOfSpace`: the database is read-only from now on.
    pub fn sync(&self) -> Result<()> {
        let shared = self.shared();
        let mut writer = self.writer();
        shared.writable()?;
        if shared.core().closing {
            return Err(closed());
        }
        let op = shared.events.emit(None, None, || EventKind::OpSync);
        sync_wal(shared, &mut writer, op).map_err(|error| shared.fail(error))?;
        shared.events.emit(None, Some(op), || EventKind::OpDone { op, durable: true });
        Ok(())
    }
}

fn batch_bytes(batch: &WriteBatch) -> usize {
    let entries = batch.entries().flatten();
    entries.map(|(_, key, value)| memtable::entry_bytes(key, value)).sum()
}

fn stalled(stall: Stall) -> Error {
    let message = match stall {
        Stall::Memtables { count, .. } => {
            format!("writes wait: {count} immutable memtables have to be flushed first")
        }
        Stall::L0Tables { count, .. } => {
            format!("writes wait: {count} tables in L0 have to be compacted first")
        }
    };
    Error::new(ErrorKind::Stalled, message)
}

fn rotation_in_words(reason: RotateReason, memtable: &Memtable) -> String {
    let (id, bytes) = (memtable.id(), memtable.bytes());
    match reason {
        RotateReason::Full => format!(
            "memtable {id} held {bytes} of {} bytes and the next write did not fit",
            memtable.limit_bytes()
        ),
        RotateReason::Asked => format!("memtable {id} with {bytes} bytes was rotated on request"),
    }
}

fn log_batch(
    shared: &Shared,
    writer: &mut Writer,
    batch: &WriteBatch,
    first: SeqNo,
    sync: bool,
    op: EventId,
) -> Result<()> {
    let offset = writer.wal.bytes();
    writer.wal.append(first, batch.len(), batch.body())?;
    let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
    shared.counters.wal_bytes.add(bytes - offset);
    shared.events.emit(None, Some(op), || EventKind::WalAppend { wal, offset, bytes, records });
    if sync && !Canary::AcknowledgeEarly.sings() { sync_wal(shared, writer, op) } else { Ok(()) }
}

fn sync_wal(shared: &Shared, writer: &mut Writer, op: EventId) -> Result<()> {
    writer.wal.sync()?;
    shared.counters.wal_syncs.add(1);
    let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
    shared.events.emit(None, Some(op), || EventKind::WalSync { wal, bytes, records });
    Ok(())
}

/// Ends the old log for good before the new one exists, so that a hole between them is impossible.
fn replace_wal(shared: &Shared, writer: &mut Writer, cause: Option<EventId>) -> Result<WalWriter> {
    let before = writer.wal.bytes();
    writer.wal.close()?;
    let (wal, bytes) = (writer.wal.number(), writer.wal.bytes());
    shared.counters.wal_bytes.add(bytes - before);
    shared.counters.wal_syncs.add(1);
    shared.events.emit(None, cause, || EventKind::WalClose { wal, bytes });
    let number = shared.core().take_wal_number();
    let wal = WalWriter::create(&*shared.storage, number)?;
    shared.sync_directory()?;
    let bytes = wal.bytes();
    shared.events.emit(None, cause, || EventKind::WalCreate { wal: number, bytes });
    Ok(wal)
}

/// A log that takes no more records, as views show it: all of it is durable.
pub(super) fn closed_view(wal: &WalWriter) -> WalView {
    WalView {
        wal: wal.number(),
        bytes: wal.bytes(),
        synced_bytes: wal.bytes(),
        records: wal.records(),
        synced_records: wal.records(),
        closed: true,
    }
}

fn insert_batch(
    shared: &Shared,
    memtable: &Memtable,
    batch: &WriteBatch,
    first: SeqNo,
    op: EventId,
) -> Result<()> {
    memtable.insert_batch(first, batch.entries())?;
    for entry in batch.entries() {
        let (kind, key, value) = entry?;
        match kind {
            ValueKind::Put => shared.counters.puts.add(1),
            ValueKind::Delete => shared.counters.deletes.add(1),
        }
        shared.counters.user_bytes.add((key.len() + value.len()) as u64);
    }
    shared.events.emit(None, Some(op), || EventKind::MemtableInsert {
        memtable: memtable.id(),
        bytes: memtable.bytes(),
        entries: memtable.entries(),
        tombstones: memtable.tombstones(),
    });
    Ok(())
}
