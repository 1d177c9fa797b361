//! The writer of a database and the threads that wait for it: a queue from which a leader takes batches.

use super::validate::Candidate;
use super::write::Writer;
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::memtable::{ENTRY_OVERHEAD_BYTES, Memtable, RANGE_OVERHEAD_BYTES};
use crate::{Error, ErrorKind, Result, WalSync, WriteBatch};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

/// Bodies that one group may join \[bytes\].
const GROUP_BYTES_MAX: usize = 1 << 20;

/// Bodies that a group with a small leader may join \[bytes\], so that a small write does not wait for large ones.
const GROUP_BYTES_BESIDE_SMALL: usize = 128 << 10;

/// The writer, and the threads that wait for it.
///
/// Lock order: the holder of the writer may lock the queue; the holder of the queue locks nothing else. A thread
/// that releases the writer looks at the queue afterwards, and a thread that enters the queue tries to lock the
/// writer afterwards, so no thread sleeps forever.
#[derive(Debug)]
pub(super) struct WriterLock {
    writer: Mutex<Writer>,
    queue: Mutex<VecDeque<Arc<Waiting>>>,
    /// Length of the queue, read without its lock.
    waiting: AtomicUsize,
}

/// A batch to be written; the leader of a group borrows its own, and waiting threads leave a copy.
#[derive(Debug)]
pub(super) struct Write<B> {
    pub(super) batch: B,
    /// It must be durable on return.
    pub(super) sync: bool,
    /// The transaction that writes it, which may have a conflict.
    pub(super) candidate: Option<Arc<Candidate>>,
}

impl Write<WriteBatch> {
    pub(super) fn borrowed(&self) -> Write<&WriteBatch> {
        Write { batch: &self.batch, sync: self.sync, candidate: self.candidate.clone() }
    }
}

/// A waiting batch, and the signal that its thread waits for.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) write: Write<WriteBatch>,
    /// Each thread has a separate lock, so that the threads of a group wake without waiting for each other.
    progress: Mutex<Progress>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Progress {
    outcome: Option<Result<SeqNo>>,
    /// The writer was released while the batch was the first of the queue.
    first: bool,
}

impl Waiting {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the outcome, unless there is one; the thread learns of it when it is woken.
    pub(super) fn finish(&self, outcome: impl FnOnce() -> Result<SeqNo>) {
        self.progress().outcome.get_or_insert_with(outcome);
    }

    fn call_first(&self) {
        self.progress().first = true;
        self.changed.notify_one();
    }

    /// Sleeps until there is an outcome, which it returns, or until the writer may be free.
    fn sleep(&self) -> Option<Result<SeqNo>> {
        let asleep = |progress: &mut Progress| progress.outcome.is_none() && !progress.first;
        let woken = self.changed.wait_while(self.progress(), asleep);
        let mut progress = woken.unwrap_or_else(PoisonError::into_inner);
        progress.first = false;
        progress.outcome.clone()
    }
}

/// The writer, until it is dropped; then the next in the queue is woken.
#[derive(Debug)]
pub(super) struct WriterGuard<'a> {
    // Dropped in this order: the writer is free before a thread is woken.
    writer: MutexGuard<'a, Writer>,
    _wake: WakeNext<'a>,
}

#[derive(Debug)]
struct WakeNext<'a>(&'a WriterLock);

impl Drop for WakeNext<'_> {
    fn drop(&mut self) {
        // Pairs with the fence of `wait`: this thread sees the other in the queue, or the other sees the writer free.
        fence(Ordering::SeqCst);
        if self.0.waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        let next = self.0.queue().front().map(Arc::clone);
        if let Some(next) = next {
            next.call_first();
        }
    }
}

impl Deref for WriterGuard<'_> {
    type Target = Writer;

    fn deref(&self) -> &Writer {
        &self.writer
    }
}

impl DerefMut for WriterGuard<'_> {
    fn deref_mut(&mut self) -> &mut Writer {
        &mut self.writer
    }
}

/// The outcome of waiting.
pub(super) enum Turn<'a> {
    /// A leader has written the batch.
    Done(Result<SeqNo>),
    /// This thread leads the next group.
    Lead(WriterGuard<'a>),
}

impl WriterLock {
    /// The writer, free.
    pub(super) fn new(writer: Writer) -> Self {
        Self { writer: Mutex::new(writer), queue: Mutex::default(), waiting: AtomicUsize::new(0) }
    }

    /// The writer, as soon as it is free.
    pub(super) fn lock(&self) -> WriterGuard<'_> {
        self.guard(self.writer.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn try_lock(&self) -> Option<WriterGuard<'_>> {
        match self.writer.try_lock() {
            Ok(writer) => Some(self.guard(writer)),
            Err(TryLockError::Poisoned(poisoned)) => Some(self.guard(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn guard<'a>(&'a self, writer: MutexGuard<'a, Writer>) -> WriterGuard<'a> {
        WriterGuard { writer, _wake: WakeNext(self) }
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<Arc<Waiting>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a copy of `write` and sleeps until a leader has written it or this thread leads.
    pub(super) fn wait(&self, write: &Write<&WriteBatch>) -> Turn<'_> {
        let (progress, changed) = (Mutex::default(), Condvar::new());
        let (batch, candidate) = (write.batch.clone(), write.candidate.clone());
        let write = Write { batch, sync: write.sync, candidate };
        let own = Arc::new(Waiting { write, progress, changed });
        let mut queue = self.queue();
        queue.push_back(Arc::clone(&own));
        self.waiting.store(queue.len(), Ordering::Relaxed);
        drop(queue);
        fence(Ordering::SeqCst);
        loop {
            if let Some(writer) = self.try_lock() {
                // A leader sets the outcome before it releases the writer.
                let outcome = own.progress().outcome.clone();
                return outcome.map_or_else(|| self.leave_to_lead(&own, writer), Turn::Done);
            }
            if let Some(outcome) = own.sleep() {
                return Turn::Done(outcome);
            }
        }
    }

    fn leave_to_lead<'a>(&'a self, own: &Arc<Waiting>, writer: WriterGuard<'a>) -> Turn<'a> {
        let mut queue = self.queue();
        queue.retain(|waiting| !Arc::ptr_eq(waiting, own));
        self.waiting.store(queue.len(), Ordering::Relaxed);
        drop(queue);
        Turn::Lead(writer)
    }

    fn has_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Whether a batch waits that will be written after the one under way. That of a transaction may have a conflict.
    pub(super) fn record_waits(&self) -> bool {
        let is_certain = |next: &Arc<Waiting>| next.write.candidate.is_none();
        self.has_waiting() && self.queue().front().is_some_and(is_certain)
    }

    /// Takes the batches from the front of the queue that may join the group of `leader`, whose first entry gets the
    /// sequence number `first`.
    pub(super) fn join(
        &self,
        memtable: &Memtable,
        leader: &Write<&WriteBatch>,
        first: SeqNo,
        wal_sync: WalSync,
    ) -> Followers {
        let mut followers = Followers { members: Vec::new() };
        let alone = leader.sync && wal_sync == WalSync::Each;
        if alone || !self.has_waiting() {
            return followers;
        }
        let mut bytes = leader.batch.bytes();
        let mut room = memtable_bytes(leader.batch);
        let mut sequences = u64::from(leader.batch.len());
        let limit = GROUP_BYTES_MAX.min(bytes.saturating_add(GROUP_BYTES_BESIDE_SMALL));
        let mut queue = self.queue();
        while let Some(Write { batch, sync, .. }) = queue.front().map(|next| &next.write) {
            bytes += batch.bytes();
            room += memtable_bytes(batch);
            sequences += u64::from(batch.len());
            let fits = bytes <= limit && memtable.fits(room) && sequences < SEQUENCE_MAX - first;
            // A leader without sync takes no batch with sync, so that it does not wait for a sync.
            if !fits || (*sync && !leader.sync) {
                break;
            }
            followers.members.extend(queue.pop_front());
        }
        self.waiting.store(queue.len(), Ordering::Relaxed);
        followers
    }
}

/// The followers of a leader, which are woken when it is dropped. Those without an outcome get the error that
/// the leader died.
pub(super) struct Followers {
    pub(super) members: Vec<Arc<Waiting>>,
}

impl Drop for Followers {
    fn drop(&mut self) {
        for member in &self.members {
            member
                .finish(|| Err(Error::new(ErrorKind::Io, "the thread that wrote this group died")));
            member.changed.notify_one();
        }
    }
}

/// The accounted size of the entries of `batch` in a memtable \[bytes\].
pub(super) fn memtable_bytes(batch: &WriteBatch) -> usize {
    let ranges = batch.range_deletes() as usize;
    let entries =
        (batch.len() as usize).saturating_sub(ranges).saturating_mul(ENTRY_OVERHEAD_BYTES);
    let overhead = entries.saturating_add(ranges.saturating_mul(RANGE_OVERHEAD_BYTES));
    batch.payload_bytes().saturating_add(overhead)
}
