//! Writes the files of an opened database once recovery has its state.
//!
//! ```text
//! new manifest, sync → new log, empty → sync directory → CURRENT: sync, switch, sync → sweep → header of the log
//! ```
//!
//! The manifest names the new log, so the file is there before `CURRENT` names the manifest. It stays empty until then:
//! a log with bytes proves that the logs before it had ended, of which only the new manifest knows the ends
//! (decision 71).

use super::{LOGS_APART_MAX, Logs, Parts, Recovery, needed};
use crate::db::write::Writer;
use crate::event::EventKind;
use crate::identity::Identity;
use crate::manifest::current::{self, Slot};
use crate::manifest::{ManifestLog, ManifestState, ManifestWriter, VersionEdit};
use crate::memtable::Memtable;
use crate::state::{Core, Recovered};
use crate::storage::{FileName, FileNumber};
use crate::survey::{Frame, Role};
use crate::wal::file::Log;
use crate::wal::{Before, WalWriter};
use crate::{ErrorKind, Result};
use std::sync::Arc;

/// The files that opening makes.
struct NewFiles {
    slot: Slot,
    snapshot: VersionEdit,
    log: Log,
    /// The log before the new one.
    before: Option<FileNumber>,
}

impl Recovery<'_> {
    /// The obsolete files to delete: the engine's own that neither the new manifest nor the one before names.
    pub(super) fn needless(&self, frame: &Frame, logs: &Logs) -> Result<Vec<FileName>> {
        let mut needless = Vec::new();
        for name in frame.names.iter().copied() {
            let is_needless = match frame.role(name) {
                Role::Always | Role::Manifest | Role::Table => false,
                Role::Log => !logs.closed.iter().any(|log| FileName::Wal(log.wal) == name),
                Role::Fallback | Role::Spare => true,
            };
            if is_needless && frame.is_own_spare(&**self.storage, name)? {
                needless.push(name);
            }
        }
        Ok(needless)
    }

    /// Writes the new manifest, switches to it, starts a new log, and deletes the files `needless`.
    pub(super) fn rebuild(
        &self,
        frame: &Frame,
        state: &ManifestState,
        logs: Logs,
        needless: &[FileName],
    ) -> Result<Parts> {
        let slot = frame.slot;
        let given = slot.and_then(|slot| slot.identity);
        let files = self.new_files(frame, state, &logs, given)?;
        // An opening that was killed here may have left a manifest with the identity that it chose. Once
        // `CURRENT` has another one, that manifest would look like a stranger's.
        if given.is_none() {
            self.sweep_early(frame, needless)?;
        }
        let (manifest, mut wal) = match self.write_files(&files) {
            Err(error)
                if error.kind() == ErrorKind::OutOfSpace
                    && self.sweep_early(frame, needless)? =>
            {
                self.write_files(&files)?
            }
            written => written?,
        };
        if slot.is_some() {
            // A process that was killed may have left its slot in the page cache only. The other one is overwritten
            // now, and it is the one that a loss of power would leave.
            self.storage.open(FileName::Current)?.sync()?;
        }
        self.switch(files.slot)?;
        let manifest = ManifestLog::new(
            manifest,
            ManifestState::of_snapshot(state.version.clone(), &files.snapshot),
            files.slot,
            slot.map(|slot| slot.manifest),
        );
        self.sweep(needless)?;
        wal.write()?;
        let (log_number, bytes) = (wal.number(), wal.bytes());
        self.emit(|| EventKind::WalCreate { wal: log_number, bytes });
        let last_sequence = logs.last_sequence;
        let new_database = slot.is_none();
        let id = logs.immutables.first().map_or(1, |newest| newest.memtable.id() + 1);
        let active = Arc::new(Memtable::new(id, log_number, self.options.memtable_bytes));
        self.emit(|| EventKind::RecoveryDone {
            last_sequence,
            new_database,
            memtable: active.view(false),
        });
        let mut core = Core::new(Recovered {
            active: Arc::clone(&active),
            immutables: logs.immutables,
            version: Arc::new(state.version.clone()),
            closed_wals: logs.closed,
            next_file: log_number + 1,
            next_memtable: id + 1,
        });
        let is_crowded = core.closed_wals.len() > LOGS_APART_MAX;
        core.update_flush_due(self.options, is_crowded);
        Ok(Parts { core, manifest, writer: Writer::new(wal, active), last_sequence })
    }

    /// Plans the new files; `given` is the identity of the database, if it has one.
    fn new_files(
        &self,
        frame: &Frame,
        state: &ManifestState,
        logs: &Logs,
        given: Option<Identity>,
    ) -> Result<NewFiles> {
        let [number, log_number] = needed::numbers(frame, state);
        // A database of an older version gets its identity here: files from this manifest on carry it.
        let identity = Some(given.unwrap_or_else(|| self.storage.identity()));
        let identified_from = match (frame.slot, given) {
            (Some(_), None) => number,
            _ => state.identified_from,
        };
        let epoch = frame.slot.map_or(Ok(1), |slot| slot.next(number).map(|next| next.epoch))?;
        let is_clean = |log: FileNumber| logs.sealed.iter().all(|(sealed, _)| *sealed != log);
        let ends_known = self.storage.writes_in_order();
        let live = logs.closed.iter().map(|log| {
            let has_end = ends_known && is_clean(log.wal);
            (log.wal, if has_end { log.bytes } else { 0 })
        });
        let snapshot = VersionEdit {
            log_number: Some(logs.closed.first().map_or(log_number, |log| log.wal)),
            next_file: Some(log_number + 1),
            last_sequence: Some(logs.last_sequence),
            removed: Vec::new(),
            added: state.version.tables().map(|(l, meta)| (l, Arc::clone(meta))).collect(),
            sealed_logs: logs.sealed.clone(),
            identified_from: (identified_from > 0).then_some(identified_from),
            live_logs: live.chain([(log_number, 0)]).collect(),
        };
        Ok(NewFiles {
            slot: Slot { epoch, manifest: number, identity },
            snapshot,
            log: Log::wal(log_number, identity),
            before: logs.closed.last().map(|log| log.wal),
        })
    }

    /// Makes the new manifest and the new log, which has no byte yet, and their names durable. When that fails they
    /// are deleted: nothing names them, and attempts that fail again and again must not fill the disk.
    fn write_files(&self, files: &NewFiles) -> Result<(ManifestWriter, WalWriter)> {
        let log = Log::manifest(files.slot.manifest, files.slot.identity);
        let write = || {
            let before = files.before.map(Before::ended);
            let reserve_bytes = self.options.wal_reserve_bytes();
            let mut manifest = ManifestWriter::create(&**self.storage, log, &files.snapshot)?;
            manifest.sync()?;
            let wal = WalWriter::create_empty(&**self.storage, files.log, before, reserve_bytes)?;
            self.storage.sync_directory()?;
            Ok((manifest, wal))
        };
        let written: Result<(ManifestWriter, WalWriter)> = write();
        match &written {
            Ok((manifest, _)) => {
                let bytes = manifest.bytes();
                self.emit(|| EventKind::ManifestCreate { manifest: log.number(), bytes });
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => {
                for name in [log.name(), files.log.name()] {
                    // The next successful opening sweeps remaining files.
                    let _ = self.storage.delete(name);
                }
            }
        }
        written
    }

    fn switch(&self, slot: Slot) -> Result<()> {
        current::write(&**self.storage, slot)?;
        self.storage.sync_directory()?;
        self.emit(|| EventKind::ManifestSwitch { manifest: slot.manifest, epoch: slot.epoch });
        Ok(())
    }

    /// Deletes those of the files `needless` that the present manifest does not need, before there is a new one;
    /// whether any.
    ///
    /// The files that opening has read may be in the page cache only. A loss of power would bring back an older manifest,
    /// which may need the others; so the files are synced first.
    fn sweep_early(&self, frame: &Frame, needless: &[FileName]) -> Result<bool> {
        let spare = needless.iter().copied().filter(|name| frame.role(*name) == Role::Spare);
        let spare: Vec<FileName> = spare.collect();
        if spare.is_empty() {
            return Ok(false);
        }
        if let Some(slot) = frame.slot {
            self.storage.open(FileName::Manifest(slot.manifest))?.sync()?;
            self.storage.open(FileName::Current)?.sync()?;
            self.storage.sync_directory()?;
        }
        self.sweep(&spare)?;
        Ok(true)
    }

    /// Deletes the files `needless`. The next opening sweeps those that cannot be deleted now.
    fn sweep(&self, needless: &[FileName]) -> Result<()> {
        for name in needless {
            match self.storage.delete(*name) {
                Ok(()) => self.emit(|| deleted(*name)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }
}

fn deleted(name: FileName) -> EventKind {
    match name {
        FileName::Wal(wal) => EventKind::WalDelete { wal },
        FileName::Table(table) => EventKind::TableDelete { table },
        _ => EventKind::ManifestDelete { manifest: name.number().unwrap_or(0) },
    }
}
