//! Checkpoints: the database at one moment, copied into another directory while writers go on.
//!
//! ```text
//! look at the target → open the tables → the moment: versions, memtables, sequence number    changes nothing
//!   → UNFINISHED, durable → link or copy each table → one log for each memtable → sync directory
//!   → manifest, sync → sync directory → CURRENT, sync → delete UNFINISHED, sync directory
//! ```
//!
//! The moment is one read view: the view keeps its version, and the version keeps its tables from deletion, so
//! no lock is held while files are written. Logs are not copied but written anew from the memtables, because
//! the bytes of a log that is in use still grow, wait in a buffer, or were never synced.

mod target;

use self::target::Target;
use super::{Db, closed};
use crate::event::{EventId, EventKind};
use crate::identity::Owner;
use crate::key::SeqNo;
use crate::memtable::Memtable;
use crate::state::ReadView;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Survey, Unfinished};
use crate::{ErrorKind, Result};
use std::sync::Arc;

/// The content of a checkpoint: linked and copied tables, logged entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct CheckpointReport {
    /// The sequence number of the newest write in it.
    pub sequence: SeqNo,
    /// Tables that share their bytes with the source, through hard links.
    pub tables_linked: u64,
    /// Tables whose bytes were copied.
    pub tables_copied: u64,
    /// Length of the copied tables \[bytes\].
    pub bytes_copied: u64,
    /// Entries that were not in tables yet, all versions, tombstones and range tombstones: they are in the logs of
    /// the checkpoint.
    pub entries_logged: u64,
}

/// The state to copy: that of the database at one moment.
struct CheckpointSource {
    view: ReadView,
    sequence: SeqNo,
    owner: Owner,
    /// Every number below is taken.
    next_file: FileNumber,
}

impl CheckpointSource {
    /// The memtables with entries, oldest first, and the numbers of the logs that are written of them. Without one
    /// there is an empty log, so that the newest log of a checkpoint can never be missing unnoticed.
    fn logs(&self) -> Vec<(FileNumber, Option<&Arc<Memtable>>)> {
        let full = self.view.memtables.iter().rev().filter(|memtable| !memtable.is_empty());
        let mut memtables: Vec<Option<&Arc<Memtable>>> = full.map(Some).collect();
        if memtables.is_empty() {
            memtables.push(None);
        }
        (self.next_file..).zip(memtables).collect()
    }

    /// The number of the manifest: above all others, so that its first log is known to have existed.
    fn manifest(&self) -> FileNumber {
        self.next_file.saturating_add(self.logs().len() as u64)
    }
}

impl Db {
    /// Copies the current state of the database into the directory at `path`, which must be empty or absent. On return
    /// the copy is durable, and whole: it is opened like any other database.
    ///
    /// Writers and readers go on meanwhile. On the same file system the tables are hard links and take no time and
    /// no space; elsewhere their bytes are copied. Everything written before the call is in the copy, durable
    /// in the source or not, and nothing that is written after it. The copy has the identity of its source.
    ///
    /// Works on every handle, also on one that was opened for reading, or that a failure made read-only. Blocks are
    /// copied without a look at their checksums: check the copy with [`crate::Check`].
    ///
    /// Cost: one link for each table, or its bytes; all memtables are written and synced, and the largest one is
    /// copied in memory.
    ///
    /// ```
    /// # fn main() -> levelscope::Result<()> {
    /// # let place = std::env::temp_dir().join(format!("levelscope-checkpoint-{}", std::process::id()));
    /// use levelscope::Db;
    ///
    /// let db = Db::open(place.join("fruit.db"))?;
    /// db.put("apple", "red")?;
    /// db.checkpoint(place.join("monday"))?;
    /// db.put("apple", "green")?;
    ///
    /// let monday = Db::builder().read_only().open(place.join("monday"))?;
    /// assert_eq!(monday.get("apple")?.as_deref(), Some(&b"red"[..]));
    /// assert!(monday.check()?.is_sound());
    /// # drop((db, monday));
    /// # std::fs::remove_dir_all(place).expect("it is removed");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of [`Db::checkpoint_in`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn checkpoint(&self, path: impl AsRef<std::path::Path>) -> Result<CheckpointReport> {
        self.checkpoint_in(Arc::new(crate::storage::NativeStorage::open(path)?))
    }

    /// [`Db::checkpoint`] into any storage. Tables are linked where [`Storage::link`] of the source can do it.
    ///
    /// Until the copy is whole, its directory is marked as unfinished, and refused by everything that opens,
    /// checks or repairs a database, also after a crash.
    ///
    /// # Errors
    /// `InvalidArgument` or `UnsupportedFormat` when the target has files, `Locked` when another handle has it;
    /// `Closed`; `NotFound` on a handle for reading when the owner has deleted a table that was not open yet; those of
    /// both storages. `WouldBlock` when the host must open a file first, in the storage that answered: call again.
    /// After an error nothing is left in the target, or it is marked as unfinished. Only when the last sync of its
    /// directory fails may the whole copy be left.
    pub fn checkpoint_in(&self, target: Arc<dyn Storage>) -> Result<CheckpointReport> {
        let shared = self.shared();
        Survey::of(&*target)?.allow_new()?;
        let moment = self.moment()?;
        let version = &moment.view.version;
        for (_, meta) in version.tables() {
            shared.table(meta)?;
            target.prepare(FileName::Table(meta.number))?;
        }
        for (log, _) in moment.logs() {
            target.prepare(FileName::Wal(log).usable()?)?;
        }
        target.prepare(FileName::Manifest(moment.manifest()).usable()?)?;
        target.prepare(FileName::Current)?;
        target.prepare(Unfinished::NAME)?;
        let _lock = target.lock()?;
        // Another program may have begun something since the first look, which came before the lock.
        Survey::of(&*target)?.allow_new()?;
        let mark = Unfinished::begin(target)?;
        let op = self.begin_checkpoint(&moment);
        let written = Target { shared, storage: mark.storage(), op, moment: &moment }.write();
        let report = match written {
            Ok(report) => report,
            Err(error) => {
                // Files that cannot be deleted stay marked.
                let _ = mark.abandon();
                return Err(self.checkpoint_failed(op, error));
            }
        };
        // From here on the copy is whole: deleting it might leave a part of it without the mark.
        mark.finish().map_err(|error| self.checkpoint_failed(op, error))?;
        let CheckpointReport { sequence, tables_linked, tables_copied, bytes_copied, .. } = report;
        shared.events.emit(None, Some(op), || EventKind::CheckpointDone {
            sequence,
            tables_linked,
            tables_copied,
            bytes_copied,
        });
        Ok(report)
    }

    /// Everything at this moment: under this lock no memtable is replaced, so that the sequence number and the
    /// memtables belong together.
    fn moment(&self) -> Result<CheckpointSource> {
        let shared = self.shared();
        let core = shared.core();
        if core.closing {
            return Err(closed());
        }
        let (view, next_file) = (core.read_view(), core.next_file);
        let sequence = shared.visible_sequence();
        drop(core);
        let owner = shared.manifest().owner();
        Ok(CheckpointSource { view, sequence, owner, next_file })
    }

    fn begin_checkpoint(&self, moment: &CheckpointSource) -> EventId {
        let (sequence, version) = (moment.sequence, &moment.view.version);
        let memtables = moment.view.memtables.iter().filter(|memtable| !memtable.is_empty());
        self.shared().events.emit(None, None, || EventKind::OpCheckpoint {
            sequence,
            tables: version.tables().count(),
            bytes: version.tables().map(|(_, meta)| meta.bytes).sum(),
            memtables: memtables.count(),
        })
    }

    fn checkpoint_failed(&self, op: EventId, error: crate::Error) -> crate::Error {
        // A host that has to open a file calls again: nothing has failed.
        if error.kind() != ErrorKind::WouldBlock {
            let error = error.to_string();
            let events = &self.shared().events;
            events.emit(None, Some(op), || EventKind::CheckpointFailed { error });
        }
        error
    }
}
