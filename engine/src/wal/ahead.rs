//! Syncs of a log ahead of need, by a separate thread, so that the sync that ends the log has little left to do.
//!
//! A log that is not synced write by write is synced when it ends. Each time so many bytes have gathered, the file is
//! offered to the thread, which syncs it while writes go on. No promise counts on such a sync. But its failure counts,
//! because the system may report lost bytes only once: from then on every sync of the log fails with it (decision 67).

use super::ending::EndingLog;
use crate::storage::File;
use crate::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that gather before the log is synced ahead: a quarter of a memtable of the usual size.
const AHEAD_BYTES: u64 = 1 << 20;

/// Files that wait for a sync: one at most, because a newer sync does the work of an older one.
#[derive(Debug, Default)]
pub(crate) struct AheadSyncs {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// A log that waits for its clean end. There is never more than one: the next log ends after it.
    ending: Option<Arc<EndingLog>>,
    waiting: Option<AheadFile>,
    ended: bool,
}

/// The next work of the thread.
#[derive(Debug)]
pub(crate) enum AheadWork {
    /// To end this log.
    End(Arc<EndingLog>),
    /// To sync this file.
    Sync(AheadFile),
}

/// A log file, and the state that its two syncing threads share; locked during each sync.
#[derive(Debug, Clone)]
pub(crate) struct AheadFile {
    file: Arc<dyn File>,
    progress: Arc<Mutex<Progress>>,
}

#[derive(Debug, Default)]
struct Progress {
    /// Of any sync: none follows it.
    failure: Option<Error>,
    /// The log is whole and durable: soon its file may be deleted.
    ended: bool,
}

impl AheadSyncs {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn offer(&self, file: AheadFile) {
        self.queue().waiting = Some(file);
        self.changed.notify_one();
    }

    /// Whether a file waits for its sync.
    #[cfg(test)]
    pub(super) fn waits(&self) -> bool {
        self.queue().waiting.is_some()
    }

    /// Lets [`Self::next`] return for good.
    pub(crate) fn end(&self) {
        self.queue().ended = true;
        self.changed.notify_all();
    }

    /// Lets the thread end `log`, before it syncs anything of the next one.
    pub(crate) fn offer_end(&self, log: Arc<EndingLog>) {
        self.queue().ending = Some(log);
        self.changed.notify_one();
    }

    /// Sleeps until there is something to do. `None` after [`Self::end`].
    pub(crate) fn next(&self) -> Option<AheadWork> {
        let idle =
            |queue: &mut Queue| queue.ending.is_none() && queue.waiting.is_none() && !queue.ended;
        let woken = self.changed.wait_while(self.queue(), idle);
        let mut queue = woken.unwrap_or_else(PoisonError::into_inner);
        if queue.ended {
            return None;
        }
        let ending = queue.ending.take().map(AheadWork::End);
        ending.or_else(|| queue.waiting.take().map(AheadWork::Sync))
    }
}

impl AheadFile {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Syncs the file, unless an earlier sync has failed, whose error is returned then.
    ///
    /// # Errors
    /// Those of [`File::sync`]; the log is then useless, and its writer learns it at its next sync.
    pub(crate) fn sync(&self) -> Result<()> {
        let mut progress = self.progress();
        if progress.failure.is_none() && !progress.ended {
            progress.failure = self.file.sync().err();
        }
        progress.failure.clone().map_or(Ok(()), Err)
    }
}

/// A log's state of its syncs ahead.
#[derive(Debug)]
pub(super) struct Ahead {
    syncs: Arc<AheadSyncs>,
    file: AheadFile,
    /// Length of the log when it was offered last \[bytes\].
    offered_bytes: u64,
}

impl Ahead {
    /// Syncs ahead of `file`, by the thread of `syncs`.
    pub(super) fn new(syncs: Arc<AheadSyncs>, file: Arc<dyn File>) -> Self {
        let file = AheadFile { file, progress: Arc::default() };
        Self { syncs, file, offered_bytes: 0 }
    }

    /// Who syncs it.
    pub(super) fn syncs(&self) -> &Arc<AheadSyncs> {
        &self.syncs
    }

    /// Offers the file when enough of its `bytes` has gathered since `synced_bytes` and the last offer.
    #[inline]
    pub(super) fn offer(&mut self, bytes: u64, synced_bytes: u64) {
        if bytes.saturating_sub(self.offered_bytes.max(synced_bytes)) >= AHEAD_BYTES {
            self.offered_bytes = bytes;
            self.syncs.offer(self.file.clone());
        }
    }

    /// Syncs the file for its writer.
    ///
    /// # Errors
    /// Those of [`File::sync`], also of one ahead.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync()
    }

    /// Ends syncs ahead of the file, also of one that was offered.
    pub(super) fn end(&self) {
        self.file.progress().ended = true;
    }
}
