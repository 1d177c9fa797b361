//! The writer of a database and the threads that wait for it: a queue from which a leader takes batches.

use super::write::Writer;
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::memtable::{ENTRY_OVERHEAD_BYTES, Memtable, RANGE_OVERHEAD_BYTES};
use crate::{Error, ErrorKind, Result, WalSync, WriteBatch};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

/// Bodies that one group may join \[bytes\].
const GROUP_BYTES_MAX: usize = 1 << 20;

/// Bodies that a group with a small leader may join \[bytes\], so that a small write does not wait for large ones.
const GROUP_BYTES_BESIDE_SMALL: usize = 128 << 10;

/// The writer, and the threads that wait for it.
///
/// Lock order: the holder of the writer may lock the queue; the holder of the queue may only try to lock the
/// writer. A thread that releases the writer checks the queue afterwards, so no thread sleeps forever.
#[derive(Debug)]
pub(super) struct WriterLock {
    writer: Mutex<Writer>,
    queue: Mutex<VecDeque<Arc<Waiting>>>,
    /// Length of the queue: a hint that spares the leader a lock.
    waiting: AtomicUsize,
}

/// A waiting batch, and its outcome.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) batch: WriteBatch,
    pub(super) sync: bool,
    pub(super) outcome: OnceLock<Result<SeqNo>>,
    turn: Condvar,
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
        if let Some(next) = self.0.queue().front() {
            next.turn.notify_one();
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

/// The leader of a group.
#[derive(Debug)]
pub(super) struct Leader<'a> {
    pub(super) batch: &'a WriteBatch,
    pub(super) sync: bool,
    /// Sequence number of the first entry.
    pub(super) first: SeqNo,
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

    /// Queues up with a copy of `batch` until a leader has written it, or the writer is ours.
    pub(super) fn wait(&self, batch: &WriteBatch, sync: bool) -> Turn<'_> {
        let (outcome, turn) = (OnceLock::new(), Condvar::new());
        let own = Arc::new(Waiting { batch: batch.clone(), sync, outcome, turn });
        let mut queue = self.queue();
        queue.push_back(Arc::clone(&own));
        self.waiting.store(queue.len(), Ordering::Relaxed);
        loop {
            let writer = self.try_lock();
            // Checked while this thread holds the writer: a leader sets the outcome before it releases the writer.
            if let Some(outcome) = own.outcome.get() {
                drop(queue);
                return Turn::Done(outcome.clone());
            }
            if let Some(writer) = writer {
                queue.retain(|waiting| !Arc::ptr_eq(waiting, &own));
                self.waiting.store(queue.len(), Ordering::Relaxed);
                drop(queue);
                return Turn::Lead(writer);
            }
            queue = own.turn.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the batches from the front of the queue that may join the group of `leader`.
    pub(super) fn join(
        &self,
        memtable: &Memtable,
        leader: &Leader<'_>,
        wal_sync: WalSync,
    ) -> Followers<'_> {
        let mut followers = Followers { lock: self, members: Vec::new() };
        let alone = leader.sync && wal_sync == WalSync::Each;
        if alone || self.waiting.load(Ordering::Relaxed) == 0 {
            return followers;
        }
        let mut bytes = leader.batch.bytes();
        let mut room = memtable_bytes(leader.batch);
        let mut sequences = u64::from(leader.batch.len());
        let limit = GROUP_BYTES_MAX.min(bytes.saturating_add(GROUP_BYTES_BESIDE_SMALL));
        let mut queue = self.queue();
        while let Some(next) = queue.front() {
            bytes += next.batch.bytes();
            room += memtable_bytes(&next.batch);
            sequences += u64::from(next.batch.len());
            let fits =
                bytes <= limit && memtable.fits(room) && sequences < SEQUENCE_MAX - leader.first;
            // A leader without sync takes no batch with sync, so that it does not wait for a sync.
            if !fits || (next.sync && !leader.sync) {
                break;
            }
            followers.members.extend(queue.pop_front());
        }
        self.waiting.store(queue.len(), Ordering::Relaxed);
        followers
    }
}

/// The followers of a leader. Dropped without an outcome, they get the error that the leader died.
pub(super) struct Followers<'a> {
    lock: &'a WriterLock,
    pub(super) members: Vec<Arc<Waiting>>,
}

impl Drop for Followers<'_> {
    fn drop(&mut self) {
        if self.members.is_empty() {
            return;
        }
        for member in &self.members {
            let died = || Err(Error::new(ErrorKind::Io, "the thread that wrote this group died"));
            let _ = member.outcome.get_or_init(died);
        }
        // A follower that has not seen the outcome is asleep once this thread holds the queue.
        drop(self.lock.queue());
        self.members.iter().for_each(|member| member.turn.notify_one());
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
