//! Group commit: of many writers at once, one leads and logs for all who wait.
//!
//! ```text
//! writer free → lead:  join who waits → one append, one sync → memtable → publish → wake them
//! writer busy → queue up with a copy of the batch, sleep → led by somebody else, or next to lead
//! ```
//!
//! A lone writer never sleeps, never copies its batch and wakes nobody.

use super::Db;
use super::validate::{Candidate, Fate};
use super::write::Writer;
use crate::canary::Canary;
use crate::event::{EventId, EventKind, ShownKey};
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::memtable::{ENTRY_OVERHEAD_BYTES, Memtable};
use crate::state::Shared;
use crate::{Error, ErrorKind, Result, ValueKind, WalSync, WriteBatch};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

/// Bodies that one group may join \[bytes\].
const GROUP_BYTES_MAX: usize = 1 << 20;

/// What a small batch may be joined by \[bytes\]: whoever writes little should not wait for much.
const GROUP_BYTES_BESIDE_SMALL: usize = 128 << 10;

/// The writer, and those who wait for their turn with it.
///
/// Lock order: the queue is asked for by whoever holds the writer; under the queue the writer is only
/// tried. Whoever gives the writer back looks into the queue afterwards, so nobody sleeps for ever.
#[derive(Debug)]
pub(super) struct WriterLock {
    writer: Mutex<Writer>,
    queue: Mutex<VecDeque<Arc<Waiting>>>,
    /// Length of the queue: a hint that spares the leader a lock.
    waiting: AtomicUsize,
}

/// A batch that waits, and what has become of it.
#[derive(Debug)]
struct Waiting {
    batch: WriteBatch,
    sync: bool,
    outcome: OnceLock<Result<SeqNo>>,
    turn: Condvar,
}

/// The writer, until it is dropped; then the next in the queue is woken.
#[derive(Debug)]
pub(super) struct WriterGuard<'a> {
    // Dropped in this order: the writer is free before anybody is woken.
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

/// What waiting led to.
enum Turn<'a> {
    /// Somebody else has written the batch.
    Done(Result<SeqNo>),
    /// It is ours to write.
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

    fn try_lock(&self) -> Option<WriterGuard<'_>> {
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
    fn wait(&self, batch: &WriteBatch, sync: bool) -> Turn<'_> {
        let (outcome, turn) = (OnceLock::new(), Condvar::new());
        let own = Arc::new(Waiting { batch: batch.clone(), sync, outcome, turn });
        let mut queue = self.queue();
        queue.push_back(Arc::clone(&own));
        self.waiting.store(queue.len(), Ordering::Relaxed);
        loop {
            let writer = self.try_lock();
            // Asked with the writer in hand: a leader tells the outcome before it gives that back.
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

    /// Takes from the front of the queue what may be written together with `leader`.
    fn join(&self, memtable: &Memtable, leader: &Part<'_>, wal_sync: WalSync) -> Followers<'_> {
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
            // Who did not ask for a sync does not wait for one that he leads.
            if !fits || (next.sync && !leader.sync) {
                break;
            }
            followers.members.extend(queue.pop_front());
        }
        self.waiting.store(queue.len(), Ordering::Relaxed);
        followers
    }
}

/// Those whom a leader writes for. Dropped without an outcome, they hear that the leader died.
struct Followers<'a> {
    lock: &'a WriterLock,
    members: Vec<Arc<Waiting>>,
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
        // Whoever has not seen the outcome is asleep once the queue is ours.
        drop(self.lock.queue());
        self.members.iter().for_each(|member| member.turn.notify_one());
    }
}

/// One batch of a group.
#[derive(Debug)]
struct Part<'a> {
    batch: &'a WriteBatch,
    sync: bool,
    /// Sequence number of its first entry.
    first: SeqNo,
    op: EventId,
    /// Its record: where it begins and ends, and how many there are with it.
    record: Record,
}

#[derive(Debug, Clone, Copy, Default)]
struct Record {
    offset: u64,
    bytes: u64,
    records: u64,
}

impl<'a> Part<'a> {
    fn new(shared: &Shared, batch: &'a WriteBatch, sync: bool, first: SeqNo) -> Self {
        let op = shared.events.emit(None, None, || operation(batch, first));
        if batch.len() > 1 && shared.events.wants_detail() {
            for (sequence, entry) in
                (first..).zip(batch.entries().map_while(std::result::Result::ok))
            {
                let (entry, key, _) = entry;
                shared.events.detail(None, Some(op), || EventKind::BatchEntry {
                    key: ShownKey::new(key),
                    sequence,
                    entry,
                });
            }
        }
        Self { batch, sync, first, op, record: Record::default() }
    }

    /// The batch of a transaction that nobody is in the way of. From here on it is no longer open.
    fn of(
        db: &Db,
        candidate: &Candidate<'_>,
        batch: &'a WriteBatch,
        sync: bool,
        first: SeqNo,
    ) -> Self {
        candidate.fate.set(Fate::Writing);
        let (transaction, count, bytes) = (candidate.open.id, batch.len(), batch.bytes());
        let op = db.end(transaction, || EventKind::OpCommit {
            transaction,
            count,
            bytes,
            first_sequence: first,
        });
        Self { batch, sync, first, op, record: Record::default() }
    }

    /// Sequence number of its last entry.
    fn last(&self) -> SeqNo {
        self.first + u64::from(self.batch.len()) - 1
    }
}

impl Db {
    /// Writes `batch`, leading a group or led by another writer.
    pub(super) fn commit(&self, batch: &WriteBatch, sync: bool) -> Result<SeqNo> {
        let lock = &self.inner.writer;
        let writer = match lock.try_lock() {
            Some(writer) => writer,
            None => match lock.wait(batch, sync) {
                Turn::Lead(writer) => writer,
                Turn::Done(outcome) => return outcome,
            },
        };
        self.lead(writer, batch, sync, None)
    }

    /// Writes the `batch` of a transaction, if nobody is in its way. It always leads: between the last
    /// look and its record nobody else may write.
    pub(super) fn commit_transaction(
        &self,
        candidate: &Candidate<'_>,
        batch: &WriteBatch,
        sync: bool,
    ) -> Result<SeqNo> {
        candidate.check(self)?;
        self.lead(self.writer(), batch, sync, Some(candidate))
    }

    fn lead(
        &self,
        writer: WriterGuard<'_>,
        batch: &WriteBatch,
        sync: bool,
        candidate: Option<&Candidate<'_>>,
    ) -> Result<SeqNo> {
        let shared = self.shared();
        let mut writer = self.make_room(writer, memtable_bytes(batch))?;
        if let Some(candidate) = candidate {
            candidate.check(self)?;
        }
        // Only the holder of the writer moves it on.
        let last = shared.visible_sequence();
        if SEQUENCE_MAX - last <= u64::from(batch.len()) {
            return Err(Error::invalid("the database has used all its sequence numbers"));
        }
        let own = match candidate {
            None => Part::new(shared, batch, sync, last + 1),
            Some(candidate) => Part::of(self, candidate, batch, sync, last + 1),
        };
        // Dropped before the writer: members know their outcome before anybody else can lead.
        let followers = self.inner.writer.join(&writer.memtable, &own, shared.options.wal_sync);
        let mut group = Group { own, others: Vec::with_capacity(followers.members.len()) };
        let mut next = group.own.last() + 1;
        for member in &followers.members {
            let part = Part::new(shared, &member.batch, member.sync, next);
            next = part.last() + 1;
            group.others.push(part);
        }
        let outcome = group.write(shared, &mut writer);
        let written: usize = group.parts().map(|part| part.batch.payload_bytes()).sum();
        writer.owed_bytes = match shared.price_of(written) {
            0 => 0,
            price => writer.owed_bytes.saturating_add(price),
        };
        for (member, part) in followers.members.iter().zip(&group.others) {
            let _ = member.outcome.set(outcome.clone().map(|()| part.last()));
        }
        outcome.map(|()| group.own.last())
    }
}

/// Batches that are written together, in order.
struct Group<'a> {
    own: Part<'a>,
    others: Vec<Part<'a>>,
}

impl<'a> Group<'a> {
    fn parts(&self) -> impl Iterator<Item = &Part<'a>> {
        std::iter::once(&self.own).chain(&self.others)
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part<'a>> {
        std::iter::once(&mut self.own).chain(&mut self.others)
    }

    /// Log, memtable, and then visible: all or nothing of the group.
    fn write(&mut self, shared: &Shared, writer: &mut Writer) -> Result<()> {
        let logged = self.log(shared, writer);
        let durable = match logged {
            Ok(durable) => durable,
            Err(error) => {
                for part in self.parts() {
                    let (op, error) = (part.op, error.to_string());
                    shared.events.emit(None, Some(op), || EventKind::OpFailed { op, error });
                }
                return Err(shared.fail(error));
            }
        };
        let mut last = self.own.last();
        for part in self.parts() {
            part.insert(shared, &writer.memtable)?;
            last = part.last();
        }
        shared.last_sequence.store(last, Ordering::Release);
        for part in self.parts() {
            let op = part.op;
            shared.events.emit(None, Some(op), || EventKind::OpDone { op, durable });
        }
        if shared.options.flush_trigger_bytes > 0 {
            let mut core = shared.core();
            core.update_flush_due(&shared.options, false);
            shared.weigh(&mut core, None, None);
            drop(core);
            shared.changed.notify_all();
        }
        Ok(())
    }

    /// One record a batch; one append and at most one sync for all. Whether all of it is durable.
    fn log(&mut self, shared: &Shared, writer: &mut Writer) -> Result<bool> {
        let wal = &mut writer.wal;
        let begin = wal.bytes();
        for part in self.parts_mut() {
            let offset = wal.bytes();
            wal.append(part.first, part.batch.len(), part.batch.body())?;
            part.record = Record { offset, bytes: wal.bytes(), records: wal.records() };
        }
        if self.own.sync || wal.buffered_bytes() >= shared.options.wal_buffer_bytes {
            wal.write()?;
        }
        let (number, buffered_bytes) = (wal.number(), wal.buffered_bytes());
        shared.counters.wal_bytes.add(wal.bytes() - begin);
        for part in self.parts() {
            let Record { offset, bytes, records } = part.record;
            shared.events.emit(None, Some(part.op), || EventKind::WalAppend {
                wal: number,
                offset,
                bytes,
                records,
                buffered_bytes,
            });
        }
        let due = matches!(shared.options.wal_sync, WalSync::Interval(bytes)
            if writer.wal.bytes() - writer.wal.synced_bytes() >= bytes);
        // Only a leader with sync has joined parts with sync.
        let sync = self.own.sync || due;
        if sync && !Canary::AcknowledgeEarly.sings() {
            super::write::sync_wal(shared, writer, self.own.op)?;
        }
        Ok(sync)
    }
}

impl Part<'_> {
    fn insert(&self, shared: &Shared, memtable: &Memtable) -> Result<()> {
        let mut deletes = 0;
        let entries = self.batch.entries().inspect(|entry| {
            deletes += u64::from(matches!(entry, Ok((ValueKind::Delete, _, _))));
        });
        memtable.insert_batch(self.first, entries)?;
        let counters = &shared.counters;
        counters.puts.add(u64::from(self.batch.len()) - deletes);
        if deletes > 0 {
            counters.deletes.add(deletes);
        }
        counters.user_bytes.add(self.batch.payload_bytes() as u64);
        shared.events.emit(None, Some(self.op), || EventKind::MemtableInsert {
            memtable: memtable.id(),
            bytes: memtable.bytes(),
            entries: memtable.entries(),
            tombstones: memtable.tombstones(),
        });
        Ok(())
    }
}

/// What a memtable accounts for the entries of `batch` \[bytes\].
fn memtable_bytes(batch: &WriteBatch) -> usize {
    let overhead = usize::try_from(batch.len()).unwrap_or(usize::MAX);
    batch.payload_bytes().saturating_add(overhead.saturating_mul(ENTRY_OVERHEAD_BYTES))
}

/// The event of a batch: a batch of one is the operation itself.
fn operation(batch: &WriteBatch, first: SeqNo) -> EventKind {
    let mut entries = batch.entries();
    match (entries.next(), batch.len()) {
        (Some(Ok((ValueKind::Put, key, value))), 1) => {
            EventKind::OpPut { key: ShownKey::new(key), value_bytes: value.len(), sequence: first }
        }
        (Some(Ok((ValueKind::Delete, key, _))), 1) => {
            EventKind::OpDelete { key: ShownKey::new(key), sequence: first }
        }
        (_, count) => {
            EventKind::OpBatch { count, bytes: batch.body().len(), first_sequence: first }
        }
    }
}
