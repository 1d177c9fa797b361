//! Opens and closes a database: its place, its options, its listener.

use super::{Db, NoLock, open};
use crate::compaction::{CompactionFilter, FilterHandle};
use crate::event::EventSink;
use crate::storage::Storage;
use crate::survey::{OpenPolicy, Survey};
use crate::{Options, Result};
use std::fmt;
use std::sync::Arc;

/// Opens a database; made by [`Db::builder`]. [`Builder::open`] or [`Builder::open_in`] completes it.
///
/// ```
/// use levelscope::storage::MemoryStorage;
/// use levelscope::{Db, ErrorKind, OpenPolicy};
/// use std::sync::Arc;
///
/// let storage = Arc::new(MemoryStorage::default());
/// let opened = Db::builder().policy(OpenPolicy::EXISTING).open_in(storage);
/// assert_eq!(opened.unwrap_err().kind(), ErrorKind::NotFound);
/// ```
#[derive(Default, Clone)]
#[must_use = "nothing is opened before `open` or `open_in`"]
pub struct Builder {
    options: Options,
    policy: OpenPolicy,
    sink: Option<Arc<dyn EventSink>>,
    filter: Option<FilterHandle>,
    read_only: bool,
}

impl Builder {
    /// The options of the database. Default: [`Options::default`].
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Whether a new database may be made, and where. Default: in an empty or absent directory.
    pub fn policy(mut self, policy: OpenPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Receives an event for everything that the engine does.
    pub fn events(mut self, sink: Arc<dyn EventSink>) -> Self {
        self.sink = Some(sink);
        self
    }

    /// Decides in compactions which entries are removed or get another value. Each opening may name another
    /// filter, or none. A handle that was opened for reading compacts nothing.
    pub fn compaction_filter(mut self, filter: Arc<dyn CompactionFilter>) -> Self {
        self.filter = Some(FilterHandle::new(filter));
        self
    }

    /// Opens for reading, even while another handle or program has the database open for writing.
    ///
    /// Nothing is written, created, deleted or synced, and no lock is taken. Logs are replayed into memory, so the
    /// handle shows the state at the time of opening. Reads, iterators, snapshots and views work; every call that
    /// writes or asks for background work answers `ReadOnly`. [`Db::refresh`] moves to a newer state, and [`Db::lag`]
    /// returns the age of this one.
    ///
    /// All tables are opened at once and stay open, at most [`Options::open_tables_max`] of them, so that
    /// the state stays readable when the owner replaces and deletes them: on Unix, and wherever
    /// [`Storage::delete`] leaves open files readable. A database with more tables answers `NotFound` for
    /// a deleted one that was not open; `refresh` helps. Snapshots and iterators from before a refresh keep
    /// the tables of their state open in addition.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Opens the database in the directory at `path`, or makes a new one.
    ///
    /// # Errors
    /// Those of [`Builder::open_in`]; `Io` where the directory cannot be made or read.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(self, path: impl AsRef<std::path::Path>) -> Result<Db> {
        self.open_in(Arc::new(crate::storage::NativeStorage::open(path)?))
    }

    /// Opens the database in `storage`, or makes a new one.
    ///
    /// A directory with files of another program, or with files of unknown origin, is refused before anything in it is
    /// created, locked or written. Recovery then reads the manifest and replays every log; it changes nothing before it
    /// knows the whole state.
    ///
    /// # Errors
    /// `UnsupportedFormat` for a directory of another program, `InvalidArgument` for one with files of
    /// unknown origin and for options out of their ranges, `NotFound` when the policy demands a database,
    /// or it is opened for reading, and there is none; `Locked` when another handle has it open;
    /// `Corruption` with file and offset; `WouldBlock` when the host must open a file first, or when the owner changes
    /// the files too fast for a reader: nothing was changed, call again.
    pub fn open_in(self, storage: Arc<dyn Storage>) -> Result<Db> {
        let Self { options, policy, sink, filter, read_only } = self;
        options.validate()?;
        if read_only {
            Survey::of(&*storage)?.allow_reading()?;
            return Db::over(open::open_for_reading(&storage, options, sink)?, Box::new(NoLock));
        }
        policy.check(&*storage)?;
        Db::open_surveyed(storage, options, sink, filter)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, policy, sink, filter, read_only } = self;
        f.debug_struct("Builder")
            .field("options", options)
            .field("policy", policy)
            .field("listens", &sink.is_some())
            .field("filters", &filter.is_some())
            .field("read_only", read_only)
            .finish()
    }
}

/// # Open and close
impl Db {
    /// Opens the database in the directory at `path`, or makes a new one, with the default options: three
    /// background threads, and every write is durable when it returns.
    ///
    /// # Errors
    /// Those of [`Builder::open`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self> {
        Self::builder().open(path)
    }

    /// Returns a builder that opens a database with options, in another storage, for reading, or with an event sink.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Makes all writes durable, ends the log cleanly and releases the lock. Later writes answer `Closed`.
    ///
    /// # Errors
    /// The failure that made the database read-only, whether or not another call has returned it. The log is synced nevertheless, unless its own file or name failed. Otherwise those of the last sync.
    /// The database is closed in any case, and recovers when reopened.
    pub fn close(&self) -> Result<()> {
        self.inner.close()
    }

    /// Whether [`Builder::read_only`] opened this handle.
    pub fn is_read_only(&self) -> bool {
        self.shared().reading
    }

    /// The options of this handle.
    pub fn options(&self) -> &Options {
        &self.inner.shared.options
    }
}
