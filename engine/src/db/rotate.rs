//! Rotation: a full memtable becomes immutable, its log ends, and a next one of each begins.

use super::Db;
use super::write::{Writer, log_failed, make_named};
use crate::Result;
use crate::event::{EventId, EventKind, RotateReason};
use crate::memtable::Memtable;
use crate::state::{Immutable, MadeName, Shared};
use crate::storage::FileName;
use crate::text;
use crate::view::WalView;
use crate::wal::WalWriter;
use crate::wal::file::Log;
use std::sync::Arc;

impl Db {
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
        self.takes_writes()?;
        if writer.memtable.is_empty() {
            return Ok(false);
        }
        shared.storage.prepare(FileName::Wal(shared.core().next_wal))?;
        let op = shared.events.emit(None, None, || EventKind::OpRotate {});
        self.rotate_locked(&mut writer, RotateReason::Asked, Some(op))?;
        Ok(true)
    }

    pub(super) fn rotate_locked(
        &self,
        writer: &mut Writer,
        reason: RotateReason,
        cause: Option<EventId>,
    ) -> Result<()> {
        let shared = self.shared();
        let number = shared.core().next_wal;
        // Asked before anything is changed: from here on there is no way back.
        shared.storage.prepare(FileName::Wal(number).usable()?)?;
        let (wal, name) = replace_wal(shared, writer, cause).map_err(|error| shared.fail(error))?;
        let mut core = shared.core();
        let id = core.next_memtable;
        core.next_memtable += 1;
        let limit_bytes = shared.options.memtable_bytes;
        let memtable = Arc::new(Memtable::new(id, number, limit_bytes));
        let old = std::mem::replace(&mut writer.memtable, Arc::clone(&memtable));
        let old_wal = std::mem::replace(&mut writer.wal, wal);
        writer.wal_name = name;
        core.closed_wals.push(closed_view(&old_wal));
        core.active = memtable;
        let event = shared.events.emit(None, cause, || EventKind::MemtableRotate {
            memtable: old.id(),
            wal: old.wal(),
            new_memtable: id,
            new_wal: number,
            limit_bytes,
            reason,
        });
        let words = rotation_in_words(reason, &old);
        core.immutables.insert(0, Immutable { memtable: old, cause: Some(event), reason: words });
        core.update_flush_due(&shared.options, false);
        shared.update_pace(&mut core, None, Some(event));
        shared.publish(&core);
        drop(core);
        shared.changed.notify_all();
        Ok(())
    }
}

/// Ends the old log for good before the new one exists, so that a hole between them is impossible.
fn replace_wal(
    shared: &Shared,
    writer: &mut Writer,
    cause: Option<EventId>,
) -> Result<(WalWriter, MadeName)> {
    let before = writer.wal.bytes();
    let closed = make_named(shared, writer).and_then(|()| writer.wal.close());
    closed.map_err(|error| log_failed(shared, writer, cause, error))?;
    let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
    shared.counters.wal_bytes.add(bytes - before);
    shared.counters.wal_syncs.add(1);
    shared.events.emit(None, cause, || EventKind::WalClose { wal, bytes, records });
    let number = shared.core().take_wal_number();
    let wal = WalWriter::create_after(
        &*shared.storage,
        Log::wal(number, shared.identity),
        Some(wal),
        shared.options.wal_reserve_bytes(),
    )?;
    #[cfg(not(target_arch = "wasm32"))]
    let wal = wal.synced_ahead(writer.wal.ahead());
    // Durable by the sync of the directory that the next flush needs anyway, or before the first sync of the log.
    let name = shared.name_made();
    let bytes = wal.bytes();
    shared.events.emit(None, cause, || EventKind::WalCreate { wal: number, bytes });
    Ok((wal, name))
}

fn rotation_in_words(reason: RotateReason, memtable: &Memtable) -> String {
    let (id, bytes) = (memtable.id(), memtable.bytes());
    match reason {
        RotateReason::Full => format!(
            "memtable {id} held {} of {} and the next write did not fit",
            text::count(bytes as u64),
            text::bytes(memtable.limit_bytes())
        ),
        RotateReason::Asked => {
            format!("memtable {id} with {} was rotated on request", text::bytes(bytes))
        }
    }
}

/// A log that takes no more records, as views show it: all of it is durable.
fn closed_view(wal: &WalWriter) -> WalView {
    WalView {
        wal: wal.number(),
        bytes: wal.bytes(),
        written_bytes: wal.bytes(),
        synced_bytes: wal.bytes(),
        records: wal.records(),
        written_records: wal.records(),
        synced_records: wal.records(),
        closed: true,
    }
}
