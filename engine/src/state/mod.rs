//! The shared state of an open database: the versions, the memtables, the counters, the failure.
//!
//! Locks are taken in this order, never backwards: writer (in `db`), that of a log that ends, the one in `names`,
//! `core`, `manifest`, `read_view`.
//! Those of the failure and of the event bus are taken last: nothing else is asked for under them.
//! None is held during the work of a job, only while its result is installed.

mod core;
mod counters;
mod ending;
mod metrics;
mod moment;
mod names;
mod pace;
mod stats;

pub(crate) use self::core::{AskedCompaction, Core, Immutable, ReadView, Recovered};
pub(crate) use counters::Counters;
pub(crate) use moment::Moment;
pub(crate) use names::MadeName;
pub use stats::{LevelStats, Stats};

use names::Names;
use pace::Pace;

use crate::cache::BlockCache;
use crate::compaction::FilterHandle;
use crate::event::{EventBus, EventId, EventKind, JobId};
use crate::identity::Identity;
use crate::manifest::{Latest, ManifestLog, Rolled, TableMeta, Version, VersionEdit};
use crate::storage::{FileName, FileNumber, Storage};
use crate::table::{ReadCharges, Table, TableCache};
use crate::view::ReadOnlyCause;
use crate::{Error, ErrorKind, Options, Result};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

/// The shared state of one open database.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) storage: Arc<dyn Storage>,
    /// The identity that new files carry.
    pub(crate) identity: Option<Identity>,
    pub(crate) options: Options,
    /// The program's compaction filter.
    pub(crate) filter: Option<FilterHandle>,
    pub(crate) events: EventBus,
    pub(crate) cache: Arc<BlockCache>,
    pub(crate) tables: Arc<TableCache>,
    pub(crate) counters: Counters,
    /// Sequence number up to which writes are visible.
    pub(crate) last_sequence: AtomicU64,
    /// Signalled when a job finished, work appeared, or the database closes.
    pub(crate) changed: Condvar,
    /// How writes keep step with background work while they are slowed down.
    pace: Pace,
    core: Mutex<Core>,
    manifest: Mutex<ManifestLog>,
    read_view: RwLock<Arc<ReadView>>,
    failure: Mutex<Option<Error>>,
    /// Opened for reading: there is neither a log nor a manifest to write to.
    pub(crate) reading: bool,
    names: Names,
    /// Set after a failure and by closing. Every write checks it first.
    refuses_writes: AtomicBool,
}

/// The largest number of open tables: that of the options, unless the storage allows less.
fn open_tables_max(storage: &dyn Storage, options: &Options) -> usize {
    let half = storage.open_files_max().map_or(usize::MAX, |files| files / 2);
    options.open_tables_max.min(half.max(1))
}

impl Shared {
    /// Shares the parts that recovery has put together.
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        options: Options,
        events: EventBus,
        core: Core,
        manifest: ManifestLog,
        last_sequence: u64,
    ) -> Self {
        let cache = Arc::new(BlockCache::new(options.cache_bytes));
        let tables = TableCache::new(
            Arc::clone(&storage),
            open_tables_max(&*storage, &options),
            Arc::clone(&cache),
            options.prefix_index,
            manifest.owner(),
        );
        let tables = Arc::new(tables.charging(ReadCharges::new(options.bytes_a_read())));
        let read_view = RwLock::new(Arc::new(core.read_view()));
        Self {
            identity: manifest.owner().identity,
            storage,
            options,
            filter: None,
            events,
            cache,
            tables,
            counters: Counters::default(),
            last_sequence: AtomicU64::new(last_sequence),
            changed: Condvar::new(),
            pace: Pace::default(),
            core: Mutex::new(core),
            manifest: Mutex::new(manifest),
            read_view,
            failure: Mutex::new(None),
            reading: false,
            names: Names::default(),
            refuses_writes: AtomicBool::new(false),
        }
    }

    /// The changing part.
    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present view of readers.
    pub(crate) fn read_view(&self) -> Arc<ReadView> {
        Arc::clone(&self.read_view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes the present state of `core` to readers.
    pub(crate) fn publish(&self, core: &Core) {
        let view = Arc::new(core.read_view());
        *self.read_view.write().unwrap_or_else(PoisonError::into_inner) = view;
    }

    /// Opens the tables of `version`, at most as many as may be open, and keeps them open as long as the version is. One
    /// that cannot be opened now is opened when it is needed.
    ///
    /// # Errors
    /// `NotFound` when the owner of the database has deleted a table meanwhile.
    pub(crate) fn hold_tables(&self, version: &Version) -> Result<()> {
        let runs = (0..version.level_count()).flat_map(|level| version.runs(level));
        let tables = runs.flat_map(|run| (0..run.tables().len()).filter_map(|at| run.table(at)));
        for table in tables.take(self.tables.count_max()) {
            match self.tables.hold(table.meta, table.pin) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Err(error),
                // The read that meets damage reports it; a host that opens files late does so then.
                _ => {}
            }
        }
        Ok(())
    }

    /// The table file of `meta`, opened if need be.
    pub(crate) fn table(&self, meta: &TableMeta) -> Result<Arc<Table>> {
        self.tables.open(meta)
    }

    /// Decides about the tables that have been charged with enough reads. The background work that follows is
    /// that of the threads, or of the next write.
    ///
    /// Cost: a look at a flag when there are none.
    #[inline]
    pub(crate) fn settle_reads(&self) {
        if self.tables.charges().any_reached() {
            self.settle_reached();
        }
    }

    #[cold]
    fn settle_reached(&self) {
        let charges = self.tables.charges();
        let reached = charges.take_reached();
        if self.refuses_writes() {
            return;
        }
        let mut core = self.core();
        for table in &reached {
            core.settle_reads(table, charges, &self.options);
        }
        drop(core);
        self.changed.notify_all();
    }

    /// Sequence number of the newest visible write.
    pub(crate) fn visible_sequence(&self) -> u64 {
        self.last_sequence.load(Ordering::Acquire)
    }

    /// Whether a failure or closing has ended all writing; [`Self::writable`] knows which.
    pub(crate) fn refuses_writes(&self) -> bool {
        self.refuses_writes.load(Ordering::Acquire)
    }

    /// Makes it a database that is only read, from the beginning.
    pub(crate) fn for_reading(self) -> Self {
        let ReadOnlyCause { kind, error } = ReadOnlyCause::opened_for_reading();
        let refusal = Error::new(kind, error);
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(refusal);
        self.refuse_writes();
        Self { reading: true, ..self }
    }

    /// Ends all writing.
    pub(crate) fn refuse_writes(&self) {
        self.refuses_writes.store(true, Ordering::Release);
    }

    /// Refuses when an earlier failure made the database read-only.
    pub(crate) fn writable(&self) -> Result<()> {
        match self.failure() {
            None => Ok(()),
            Some(refusal) if self.reading => Err(refusal),
            Some(failure) => Err(Error::new(
                ErrorKind::ReadOnly,
                format!("the database is read-only until it is reopened, because: {failure}"),
            )),
        }
    }

    /// The failure that made the database read-only, if one did.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the database read-only because of `error` (the first one counts) and hands it back.
    /// Takes the lock of `core`.
    pub(crate) fn fail(&self, error: Error) -> Error {
        self.note_failure(&error);
        // A waiter that saw no failure under this lock is asleep by now, so the wake-up reaches it.
        drop(self.core());
        self.wake_all();
        error
    }

    /// Wakes all threads that wait for background work or for its end.
    pub(crate) fn wake_all(&self) {
        self.changed.notify_all();
        self.pace.wake();
    }

    /// [`Self::fail`] for a caller that holds a lock ordered after `core`; it calls `fail` once it has
    /// released that lock.
    fn note_failure(&self, error: &Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.is_none() {
            *failure = Some(error.clone());
            let (failure, sentence) = (error.kind(), error.to_string());
            self.events.emit(None, None, || EventKind::DbReadOnly { failure, error: sentence });
        }
        self.refuse_writes();
    }

    /// Counts a name that was made just now: the file is part of the database, and its name not yet durable.
    pub(crate) fn name_made(&self) -> MadeName {
        self.names.count()
    }

    /// Whether a sync of the directory has covered `name`.
    #[inline]
    pub(crate) fn is_durable(&self, name: MadeName) -> bool {
        self.names.is_durable(name)
    }

    /// Makes `name` durable, unless a sync of the directory has covered it meanwhile.
    ///
    /// # Errors
    /// As [`Self::sync_directory`].
    pub(crate) fn make_durable(&self, name: MadeName) -> Result<()> {
        self.sync_directory_noting(name).map_err(|error| self.fail(error))
    }

    /// Makes the names of all files durable.
    ///
    /// When it fails, every name that was not durable may be lost for good, even the name of a file whose
    /// writer knows nothing of this call, and a later sync may report success. So no later step depends on such a name.
    pub(crate) fn sync_directory(&self) -> Result<()> {
        self.make_durable(MadeName::ALL)
    }

    /// [`Self::make_durable`] for a caller that holds a lock ordered after `core`.
    fn sync_directory_noting(&self, name: MadeName) -> Result<()> {
        if !self.is_durable(name) {
            self.writable()?;
        }
        self.make_durable_at_last(name)
    }

    /// [`Self::make_durable`] for closing, which also makes as much as possible durable after the failure of a job.
    ///
    /// # Errors
    /// Those of the directory; `ReadOnly` when a sync of it has failed before.
    pub(crate) fn make_durable_at_last(&self, name: MadeName) -> Result<()> {
        self.names.sync(name, || {
            self.storage.sync_directory().inspect_err(|error| self.note_failure(error))
        })
    }

    /// The manifest in use.
    pub(crate) fn manifest(&self) -> MutexGuard<'_, ManifestLog> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends `edit` to the manifest. Not durable before [`Self::manifest_sync`]. Calls `emit` with number and length
    /// \[bytes\] under the lock, so that events have the order of the edits.
    pub(crate) fn manifest_append(
        &self,
        edit: &VersionEdit,
        emit: impl FnOnce(FileNumber, u64),
    ) -> Result<()> {
        let mut manifest = self.manifest();
        manifest.append(edit)?;
        emit(manifest.number(), manifest.bytes());
        let long = manifest.is_long(self.options.manifest_bytes);
        let reserve = long && manifest.reserved().is_none();
        drop(manifest);
        if reserve {
            let number = self.core().take_file_number();
            self.manifest().reserve(number);
        }
        Ok(())
    }

    /// Makes all appended edits durable, and calls `emit` with the event under the lock.
    pub(crate) fn manifest_sync(&self, emit: impl FnOnce(EventKind)) -> Result<()> {
        let mut manifest = self.manifest();
        manifest.sync()?;
        let (bytes, synced_bytes) = (manifest.bytes(), manifest.synced_bytes());
        emit(EventKind::ManifestSync { manifest: manifest.number(), bytes, synced_bytes });
        Ok(())
    }

    /// Number of the manifest that will take the place of the present one at the next edit.
    pub(crate) fn manifest_reserved(&self) -> Option<FileNumber> {
        self.manifest().reserved()
    }

    /// Starts a new manifest when the present one has grown too long; returns whether it did.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing. After any other error edits are refused, and everything that
    /// either manifest names must be kept.
    pub(crate) fn roll_manifest(&self, job: JobId, cause: EventId) -> Result<bool> {
        let next_file = self.core().next_file;
        let latest = Latest { next_file, last_sequence: self.visible_sequence() };
        let mut manifest = self.manifest();
        let Some(rolled) =
            manifest.roll(&*self.storage, latest, &|| self.sync_directory_noting(MadeName::ALL))?
        else {
            return Ok(false);
        };
        let Rolled { slot, bytes, obsolete } = rolled;
        let emit = |build: EventKind| self.events.emit(Some(job), Some(cause), || build);
        emit(EventKind::ManifestCreate { manifest: slot.manifest, bytes });
        emit(EventKind::ManifestSwitch { manifest: slot.manifest, epoch: slot.epoch });
        // A file that stays is no loss: it is swept at the next opening.
        if let Some(manifest) = obsolete
            && self.storage.delete(FileName::Manifest(manifest)).is_ok()
        {
            emit(EventKind::ManifestDelete { manifest });
        }
        Ok(true)
    }

    /// Deletes the tables that no edit of the manifest names: those that `job` has written, or all of them. A file that
    /// stays is swept at the next opening.
    pub(crate) fn delete_unnamed(&self, job: Option<JobId>) {
        let tables = self.core().take_unnamed(job);
        for table in tables {
            if self.storage.delete(FileName::Table(table)).is_ok() {
                self.events.emit(job, None, || EventKind::TableDelete { table });
            }
        }
    }

    /// Deletes one obsolete table that no version in use names; returns its number.
    ///
    /// # Errors
    /// Those of [`Storage::delete`]; the file stays listed as obsolete.
    pub(crate) fn delete_one_obsolete(&self) -> Result<Option<FileNumber>> {
        // Taken out under the lock: another job must not delete and report the same files.
        let taken = self.core().take_deletable();
        let Some(number) = taken else { return Ok(None) };
        self.tables.evict(number);
        match self.storage.delete(FileName::Table(number)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                self.core().obsolete.insert(number);
                Err(error)
            }
            _ => Ok(Some(number)),
        }
    }
}

/// Applies `edit`, making a broken rule the error of the job that made it.
pub(crate) fn apply_edit(version: &Version, edit: &VersionEdit) -> Result<Arc<Version>> {
    version.apply(edit).map(Arc::new)
}
