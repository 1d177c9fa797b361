//! Every database of these tests is opened over a watcher of the order of writes.

use levelscope::event::EventSink;
use levelscope::storage::{File, FileName, LockGuard, Storage};
use levelscope::testing::order::OrderWatcher;
use levelscope::{Builder, Db, OpenPolicy, Options, Result};
use std::sync::Arc;

/// Fails the test when a database over it used something before it was durable.
#[derive(Debug)]
struct Watched {
    order: Arc<OrderWatcher>,
    inner: Arc<dyn Storage>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        let breaches = self.order.breaches();
        assert!(breaches.is_empty() || std::thread::panicking(), "too early: {breaches:#?}");
    }
}

impl Storage for Watched {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.inner.create(name)
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.inner.open(name)
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.inner.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.inner.list()
    }
    fn sync_directory(&self) -> Result<()> {
        self.inner.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.inner.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.inner.lock()
    }
    fn prepare(&self, name: FileName) -> Result<()> {
        self.inner.prepare(name)
    }
}

/// [`Db::open`] with the order of writes watched: the only way in which these tests open a database.
pub fn open_watched(
    storage: Arc<dyn Storage>,
    options: Options,
    sink: Option<Arc<dyn EventSink>>,
) -> Result<Db> {
    open_as(storage, options, OpenPolicy::default(), sink)
}

/// As [`open_watched`], with a policy.
pub fn open_as(
    storage: Arc<dyn Storage>,
    options: Options,
    policy: OpenPolicy,
    sink: Option<Arc<dyn EventSink>>,
) -> Result<Db> {
    let mut builder = Db::builder().options(options).policy(policy);
    if let Some(sink) = sink {
        builder = builder.events(sink);
    }
    open_built(builder, storage)
}

/// As [`open_watched`], with the options of `builder`.
pub fn open_built(builder: Builder, storage: Arc<dyn Storage>) -> Result<Db> {
    let (order, inner) = OrderWatcher::over(storage);
    builder.open_in(Arc::new(Watched { order, inner }))
}

/// Opens beside files of unknown origin, too.
pub fn try_open_beside(storage: &Arc<dyn Storage>, options: &Options) -> Result<Db> {
    let policy = OpenPolicy::default().beside_other_files(true);
    open_as(Arc::clone(storage), options.clone(), policy, None)
}

/// Opens without a listener.
pub fn try_open(storage: &Arc<dyn Storage>, options: &Options) -> Result<Db> {
    open_watched(Arc::clone(storage), options.clone(), None)
}

/// Opens with a clear failure.
pub fn open(storage: &Arc<dyn Storage>, options: &Options) -> Db {
    try_open(storage, options).expect("the database opens")
}
