//! The database handle.

// Rustdoc lists the methods of `Db` in the order of these modules: the everyday ones come first.
mod builder;
mod everyday;

mod write;

mod transact;
mod transaction;

mod snapshot;

mod check;
mod checkpoint;
mod size;

mod compact;
mod refresh;
mod step;

mod rotate;

mod follow;
mod prefix;

mod look;

mod commit;
mod new;
mod open;
mod read;
mod validate;
mod writers;

pub use builder::Builder;
pub use checkpoint::CheckpointReport;
pub use look::FileEntry;
pub use new::NewDatabase;
pub use read::ScanOptions;
pub use refresh::Lag;
pub use size::ApproximateSize;
pub use snapshot::Snapshot;
pub use transaction::{Transaction, TransactionOptions};

use crate::compaction::FilterHandle;
use crate::event::{EventKind, EventSink};
use crate::job::Job;
use crate::manifest::VersionEdit;
use crate::state::Shared;
use crate::storage::{LockGuard, Storage};
use crate::view::WalView;
use crate::{Error, ErrorKind, Options, Result};
use std::sync::{Arc, Mutex, PoisonError};
use write::write_with_name;
use writers::{WriterGuard, WriterLock};

/// An open database. Cheap to clone; every clone is the same database, and threads may share it, because it is `Send`
/// and `Sync`. By default every write is durable when it returns.
///
/// ```
/// use levelscope::{Db, WriteBatch, storage::MemoryStorage};
///
/// // `Db::open("fruit.db")?` keeps it in a directory.
/// let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
/// db.put("apple", "red")?;
/// let mut batch = WriteBatch::new();
/// batch.put("cherry", "dark")?;
/// batch.delete("apple")?;
/// db.write(&batch, None)?;
/// assert_eq!(db.get("cherry")?.as_deref(), Some(&b"dark"[..]));
/// assert_eq!(db.range(..)?.count(), 1);
/// db.close()?;
/// # Ok::<(), levelscope::Error>(())
/// ```
///
/// | task | methods |
/// |---|---|
/// | open, close | [`open`](Self::open), [`builder`](Self::builder), [`close`](Self::close) |
/// | read | [`get`](Self::get), [`multi_get`](Self::multi_get), [`contains_key`](Self::contains_key) |
/// | read in order | [`range`](Self::range), [`prefix`](Self::prefix), [`iter`](Self::iter) |
/// | write | [`put`](Self::put), [`delete`](Self::delete), [`delete_range`](Self::delete_range), [`write`](Self::write), [`sync`](Self::sync) |
/// | read and write as one | [`transact`](Self::transact), [`update`](Self::update), [`compare_and_set`](Self::compare_and_set), [`begin`](Self::begin) |
/// | read one moment | [`snapshot`](Self::snapshot) |
/// | check, copy, measure | [`check`](Self::check), [`checkpoint`](Self::checkpoint), [`stats`](Self::stats), [`approximate_size`](Self::approximate_size) |
/// | flush, compact | [`request_flush`](Self::request_flush), [`compact`](Self::compact) |
/// | read beside a writer | [`refresh`](Self::refresh), [`lag`](Self::lag) |
///
/// The methods from [`step`](Self::step) on serve hosts that do the background work themselves, those from
/// [`lookup`](Self::lookup) on programs that show the engine at work, with the types of [`crate::view`] and
/// [`crate::inspect`].
///
/// The last clone to be dropped closes the database: it ends the log cleanly and releases the lock, but returns no
/// error. Snapshots and iterators may outlive it, but cannot read deleted files.
#[derive(Debug, Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    shared: Arc<Shared>,
    writer: WriterLock,
    /// The job that [`Db::step`] goes on with; background threads have their own.
    current: Mutex<Option<Job>>,
    #[cfg(not(target_arch = "wasm32"))]
    threads: crate::job::threads::Threads,
    lock: Mutex<Option<Box<dyn LockGuard>>>,
}

/// A reader holds no lock; this takes its place.
#[derive(Debug)]
struct NoLock;

impl LockGuard for NoLock {}

impl Db {
    /// Opens or makes the database in a directory that may be written to; errors are those of
    /// [`Builder::open_in`].
    pub(crate) fn open_surveyed(
        storage: Arc<dyn Storage>,
        mut options: Options,
        sink: Option<Arc<dyn EventSink>>,
        filter: Option<FilterHandle>,
    ) -> Result<Self> {
        options.validate()?;
        options.maintenance = options.maintenance.in_storage(&*storage);
        #[cfg(target_arch = "wasm32")]
        if matches!(options.maintenance, crate::Maintenance::Threads(_)) {
            return Err(Error::invalid("the browser has no background threads for the engine"));
        }
        let lock = storage.lock()?;
        let mut opened = open::open(storage, options, sink)?;
        opened.shared.filter = filter;
        opened.shared.update_pace(&mut opened.shared.core(), None, None);
        let db = Self::over(opened, lock)?;
        match db.finish_inline_work() {
            // As with threads: the database is read-only now, and writes and closing return the failure.
            Err(error) if error.kind() == ErrorKind::OutOfSpace && db.shared().refuses_writes() => {
            }
            done => done?,
        }
        db.flush_crowd();
        Ok(db)
    }

    #[cfg_attr(
        target_arch = "wasm32",
        expect(
            clippy::unnecessary_wraps,
            reason = "where there are threads, they may fail to start"
        )
    )]
    fn over(opened: open::Opened, lock: Box<dyn LockGuard>) -> Result<Self> {
        let open::Opened { shared, writer } = opened;
        let shared = Arc::new(shared);
        #[cfg(not(target_arch = "wasm32"))]
        let threads = crate::job::threads::Threads::start(&shared)?;
        #[cfg(not(target_arch = "wasm32"))]
        let writer = writer.synced_ahead(threads.ahead());
        Ok(Self {
            inner: Arc::new(Inner {
                writer: WriterLock::new(writer),
                shared,
                current: Mutex::new(None),
                #[cfg(not(target_arch = "wasm32"))]
                threads,
                lock: Mutex::new(Some(lock)),
            }),
        })
    }

    fn shared(&self) -> &Shared {
        &self.inner.shared
    }

    fn writer(&self) -> WriterGuard<'_> {
        self.inner.writer.lock()
    }
}

impl Inner {
    fn close(&self) -> Result<()> {
        // Held to the end: a second call returns only when the first has given the lock back.
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.is_none() {
            return Ok(());
        }
        self.shared.core().closing = true;
        self.shared.refuse_writes();
        self.shared.wake_all();
        #[cfg(not(target_arch = "wasm32"))]
        self.threads.join();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Jobs that were under way are given up.
        self.shared.core().jobs.clear();
        self.shared.delete_unnamed(None);
        let ended = self.end_log();
        *lock = None;
        // The first failure takes precedence: it may be the reason for a failure to end the log.
        match self.shared.failure().filter(|_| !self.shared.reading) {
            Some(failure) => Err(failure),
            None => ended,
        }
    }

    /// Gives the log its clean end, and makes all of it durable. A job that failed does not prevent that: only a
    /// failure of a log, or of a name that the log depends on.
    fn end_log(&self) -> Result<()> {
        let mut writer = self.writer.lock();
        if self.shared.reading || writer.wal.has_failed() {
            return Ok(());
        }
        let named = write_with_name(&self.shared, &mut writer, Shared::make_durable_at_last);
        let ended = named.and_then(|()| writer.end_before(&self.shared));
        let closed = ended.and_then(|()| writer.wal.close());
        let log = writer.wal.view();
        // A directory that cannot be synced is no failure of the log.
        if closed.is_ok() || writer.wal.has_failed() {
            self.shared.events.emit(None, None, || match closed {
                Ok(()) => {
                    EventKind::WalClose { wal: log.wal, bytes: log.bytes, records: log.records }
                }
                Err(_) => EventKind::WalFailed { log: log.clone() },
            });
        }
        closed?;
        self.note_end(&log)
    }

    /// Records in the manifest where the log has ended, so that its loss is noticed. The log is durable by now. One
    /// without a batch holds nothing to lose.
    fn note_end(&self, log: &WalView) -> Result<()> {
        let shared = &self.shared;
        if log.records == 0 || !shared.storage.writes_in_order() {
            return Ok(());
        }
        let edit = VersionEdit { live_logs: vec![(log.wal, log.bytes)], ..VersionEdit::default() };
        shared.manifest_append(&edit, |manifest, bytes| {
            let (added, removed) = (Vec::new(), Vec::new());
            shared.events.emit(None, None, || EventKind::ManifestAppend {
                manifest,
                added,
                removed,
                bytes,
            });
        })?;
        shared.manifest_sync(|synced| {
            shared.events.emit(None, None, || synced);
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A failure cannot be returned from here; recovery deals with a log without a clean end.
        let _ = self.close();
    }
}

fn closed() -> Error {
    Error::new(ErrorKind::Closed, "the database is closed: open it again")
}
