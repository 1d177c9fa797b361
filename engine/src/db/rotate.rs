//! Rotation: a full memtable becomes immutable, its log ends, and a next one of each begins.
//!
//! With background threads the log gets its clean end while writes go on in the next one, and nothing in that counts as
//! durable before. Otherwise the writer waits for it.

use super::Db;
use super::write::{Writer, log_failed, make_named};
use crate::Result;
#[cfg(not(target_arch = "wasm32"))]
use crate::WalSync;
use crate::event::{EventId, EventKind, RotateReason};
use crate::memtable::Memtable;
use crate::state::{Immutable, MadeName, Shared};
use crate::storage::FileName;
use crate::text;
use crate::wal::file::Log;
use crate::wal::{Before, EndingLog, WalWriter};
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

    /// Rotates a memtable that has been charged up to its limit, if its charges are worth all that this costs, and
    /// no write has to wait for it.
    #[cold]
    pub(super) fn settle_walks(&self, writer: &mut Writer) -> Result<()> {
        self.takes_writes()?;
        let shared = self.shared();
        let core = shared.core();
        // The flush, and its part of the merge into L1 that follows so many of them.
        let merged = core.version.level_bytes(0) + core.version.level_bytes(1);
        let cost =
            writer.memtable.bytes() as u64 + merged / shared.options.l0_trigger.max(1) as u64;
        let has_to_wait = core.stall_reason(&shared.options).is_some();
        drop(core);
        let (charge, needed) = (writer.memtable.reads(), shared.tables.charges().reads_for(cost));
        if charge.reads() < needed || has_to_wait {
            charge.go_on(needed.max(charge.reads() + 1));
            return Ok(());
        }
        self.rotate_locked(writer, RotateReason::Walked, None)
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
        let next = replace_wal(shared, writer, cause).map_err(|error| shared.fail(error))?;
        let mut core = shared.core();
        let id = core.next_memtable;
        core.next_memtable += 1;
        let limit_bytes = shared.options.memtable_bytes;
        let memtable = Arc::new(Memtable::new(id, number, limit_bytes));
        let old = std::mem::replace(&mut writer.memtable, Arc::clone(&memtable));
        let old_wal = std::mem::replace(&mut writer.wal, next.wal);
        writer.wal_name = next.name;
        core.closed_wals.push(old_wal.view());
        let log = still_to_end(old_wal);
        writer.ending.clone_from(&log);
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
        let cause = Some(event);
        core.immutables.insert(0, Immutable { memtable: old, cause, reason: words, log });
        // Walks over hidden entries pay for the flush.
        core.update_flush_due(&shared.options, reason == RotateReason::Walked);
        shared.update_pace(&mut core, None, Some(event));
        shared.publish(&core);
        drop(core);
        #[cfg(not(target_arch = "wasm32"))]
        if let (Some(syncs), Some(log)) = (writer.wal.ahead(), &writer.ending) {
            syncs.offer_end(Arc::clone(log));
        }
        shared.changed.notify_all();
        Ok(())
    }
}

/// The log that takes the writes from now on.
struct NextLog {
    wal: WalWriter,
    name: MadeName,
}

/// Makes the next log. The old one has its clean end before, or gets it from [`EndingLog`]: then the new log records
/// that end later, and a crash that loses the end of the old one loses the new one, too.
fn replace_wal(shared: &Shared, writer: &mut Writer, cause: Option<EventId>) -> Result<NextLog> {
    if let Some(before) = &writer.ending {
        shared.end_log(before)?;
    }
    let (before, buffered) = (writer.wal.bytes(), writer.wal.buffered_bytes() > 0);
    let ended = make_named(shared, writer).and_then(|()| {
        // Its last bytes reach the file before those of the next log, so that a killed process leaves no hole.
        if ends_later(shared, writer) { writer.wal.write() } else { writer.wal.close() }
    });
    ended.map_err(|error| log_failed(shared, writer, cause, error))?;
    let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
    shared.counters.wal_bytes.add(bytes - before);
    let ended = writer.wal.is_closed();
    if ended {
        shared.counters.wal_syncs.add(1);
        shared.events.emit(None, cause, || EventKind::WalClose { wal, bytes, records });
    } else if buffered {
        shared.events.emit(None, cause, || EventKind::WalWrite { wal, bytes, records });
    }
    let number = shared.core().take_wal_number();
    let wal = WalWriter::create_after(
        &*shared.storage,
        Log::wal(number, shared.identity),
        Some(Before { log: wal, ended }),
        shared.options.wal_reserve_bytes(),
    )?;
    #[cfg(not(target_arch = "wasm32"))]
    let wal = wal.synced_ahead(writer.wal.ahead());
    // Durable by the sync of the directory that the next flush needs anyway, or before the first sync of the log.
    let name = shared.name_made();
    let bytes = wal.bytes();
    shared.events.emit(None, cause, || EventKind::WalCreate { wal: number, bytes });
    Ok(NextLog { wal, name })
}

/// The log, unless it has its clean end.
#[cfg(not(target_arch = "wasm32"))]
fn still_to_end(wal: WalWriter) -> Option<Arc<EndingLog>> {
    (!wal.is_closed()).then(|| Arc::new(EndingLog::new(wal)))
}

#[cfg(target_arch = "wasm32")]
fn still_to_end(_: WalWriter) -> Option<Arc<EndingLog>> {
    None
}

/// Whether a thread ends the log while writes go on. Not when only so many bytes may be unsynced at any time.
#[cfg(not(target_arch = "wasm32"))]
fn ends_later(shared: &Shared, writer: &Writer) -> bool {
    writer.wal.ahead().is_some() && !matches!(shared.options.wal_sync, WalSync::Interval(_))
}

#[cfg(target_arch = "wasm32")]
fn ends_later(_: &Shared, _: &Writer) -> bool {
    false
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
            format!("memtable {id} ({}) was rotated on request", text::bytes(bytes))
        }
        RotateReason::Walked => {
            let entries = text::count(memtable.reads().walked());
            format!("reads walked over {entries} deleted and overwritten entries of memtable {id}")
        }
    }
}
