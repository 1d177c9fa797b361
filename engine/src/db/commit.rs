//! Group commit: of many writers at once, one leads the group and logs the batches of all waiting writers.
//!
//! ```text
//! writer free → lead:  join waiting writers → one append, one sync → memtable → publish → wake them
//! writer busy → queue with a copy of the batch, sleep → follow another leader, or lead the next group
//! ```
//!
//! A lone writer never sleeps, never copies its batch and wakes no other thread. The batch of a transaction takes part
//! as any other. The leader checks it against the batches before it in the group, which no reader sees yet; the
//! thread of a transaction with a conflict is woken when they are visible, so that it does not read too early again.

use super::Db;
use super::validate::Candidate;
use super::write::{Writer, make_named};
use super::writers::{Turn, Waiting, Write, WriterGuard, WriterLock, memtable_bytes};
use crate::event::{Acknowledged, EventId, EventKind, MemtableId, ShownKey, ShownRange};
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::memtable::Memtable;
use crate::state::Shared;
use crate::{Error, Result, ValueKind, WalSync, WriteBatch};
use std::sync::atomic::Ordering;

/// One batch of a group.
#[derive(Debug)]
struct Part<'a> {
    batch: &'a WriteBatch,
    sync: bool,
    /// Sequence number of its first entry.
    first: SeqNo,
    op: EventId,
    /// The memtable that had no room for it.
    rotated: Option<MemtableId>,
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
    /// A transaction without conflicts is no longer open from here on.
    fn new(db: &Db, write: &Write<&'a WriteBatch>, first: SeqNo) -> Self {
        let Write { batch, sync, ref candidate } = *write;
        let op = match candidate {
            Some(candidate) => committed(db, candidate, batch, first),
            None => written(db.shared(), batch, first),
        };
        Self { batch, sync, first, op, rotated: None, record: Record::default() }
    }

    /// Sequence number of its last entry.
    fn last(&self) -> SeqNo {
        self.first + u64::from(self.batch.len()) - 1
    }
}

impl Db {
    /// Writes a batch, leading a group or led by another writer. A transaction may have a conflict.
    pub(super) fn commit(&self, write: &Write<&WriteBatch>) -> Result<SeqNo> {
        if let Some(candidate) = &write.candidate {
            candidate.check(self, [])?;
        }
        let lock = &self.inner.writer;
        let writer = match lock.try_lock() {
            Some(writer) => writer,
            None => match lock.wait(write) {
                Turn::Lead(writer) => writer,
                Turn::Done(outcome) => return outcome,
            },
        };
        self.lead(writer, write)
    }

    fn lead(&self, mut writer: WriterGuard<'_>, write: &Write<&WriteBatch>) -> Result<SeqNo> {
        let shared = self.shared();
        if writer.memtable.reads().is_reached() {
            self.settle_walks(&mut writer)?;
        }
        let before = writer.memtable.id();
        let mut writer = self.make_room(writer, memtable_bytes(write.batch))?;
        if let Some(candidate) = &write.candidate {
            candidate.check(self, [])?;
        }
        // Only the holder of the writer moves it on.
        let last = shared.visible_sequence();
        if SEQUENCE_MAX - last <= u64::from(write.batch.len()) {
            return Err(Error::invalid("the database has used all its sequence numbers"));
        }
        let mut own = Part::new(self, write, last + 1);
        own.rotated = (writer.memtable.id() != before).then_some(before);
        let wal_sync = shared.options.wal_sync;
        let followers = self.inner.writer.join(&writer.memtable, write, own.first, wal_sync);
        let mut group = Group { own, others: Vec::with_capacity(followers.members.len()) };
        for member in &followers.members {
            group.add(self, member);
        }
        let outcome = group.write(shared, &self.inner.writer, &mut writer);
        let written: usize = group.parts().map(|part| part.batch.payload_bytes()).sum();
        writer.owed_bytes = match shared.price_of(written) {
            0 => 0,
            price => writer.owed_bytes.saturating_add(price),
        };
        for (member, part) in &group.others {
            member.finish(|| outcome.clone().map(|()| part.last()));
        }
        let last = group.own.last();
        // Followers are woken before the next leader: their next batches then join its group more often.
        drop(followers);
        drop(writer);
        outcome.map(|()| last)
    }
}

/// Batches that are written together, in order.
struct Group<'a> {
    own: Part<'a>,
    others: Vec<(&'a Waiting, Part<'a>)>,
}

impl<'a> Group<'a> {
    fn parts(&self) -> impl DoubleEndedIterator<Item = &Part<'a>> {
        std::iter::once(&self.own).chain(self.others.iter().map(|(_, part)| part))
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part<'a>> {
        std::iter::once(&mut self.own).chain(self.others.iter_mut().map(|(_, part)| part))
    }

    /// Sequence number of its last entry.
    fn last(&self) -> SeqNo {
        self.others.last().map_or(&self.own, |(_, part)| part).last()
    }

    /// Adds a waiting batch, unless it is that of a transaction with a conflict.
    fn add(&mut self, db: &Db, member: &'a Waiting) {
        let write = member.write.borrowed();
        if let Some(candidate) = &write.candidate {
            // The newest first: the error names the last one that wrote the key.
            let before = self.parts().rev().map(|part| (part.batch, part.first));
            if let Err(error) = candidate.check(db, before) {
                return member.finish(|| Err(error));
            }
        }
        self.others.push((member, Part::new(db, &write, self.last() + 1)));
    }

    /// Log, memtable, and then visible: all or nothing of the group.
    fn write(&mut self, shared: &Shared, lock: &WriterLock, writer: &mut Writer) -> Result<()> {
        let logged = self.log(shared, lock, writer);
        let durable = match logged {
            Ok(durable) => durable,
            Err(error) => {
                for part in self.parts() {
                    let (op, error) = (part.op, error.to_string());
                    shared.events.emit(None, Some(op), || {
                        let what = acknowledged(part.batch);
                        EventKind::OpFailed { op, what, error }
                    });
                }
                return Err(super::write::log_failed(shared, writer, Some(self.own.op), error));
            }
        };
        for part in self.parts() {
            part.insert(shared, &writer.memtable)?;
        }
        shared.last_sequence.store(self.last(), Ordering::Release);
        for part in self.parts() {
            let op = part.op;
            shared.events.emit(None, Some(op), || EventKind::OpDone {
                op,
                what: acknowledged(part.batch),
                durable,
                rotated: part.rotated,
            });
        }
        if shared.options.flush_trigger_bytes > 0 {
            let mut core = shared.core();
            core.update_flush_due(&shared.options, false);
            shared.update_pace(&mut core, None, None);
            drop(core);
            shared.changed.notify_all();
        }
        Ok(())
    }

    /// One record a batch; one append and at most one sync for all. Whether all of it is durable.
    fn log(&mut self, shared: &Shared, lock: &WriterLock, writer: &mut Writer) -> Result<bool> {
        let begin = writer.wal.bytes();
        writer.record_previous_end()?;
        let wal = &mut writer.wal;
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
        if sync {
            let buffers = shared.options.wal_buffer_bytes > 0;
            let record_follows = || !buffers && lock.record_waits();
            sync_wal(shared, writer, self.own.op, record_follows)?;
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
        let ranges = u64::from(self.batch.range_deletes());
        // The writer's lock is held: no other thread changes these.
        counters.puts.add_locked(u64::from(self.batch.len()) - deletes - ranges);
        if ranges > 0 {
            counters.range_deletes.add_locked(ranges);
        }
        if deletes > 0 {
            counters.deletes.add_locked(deletes);
        }
        counters.user_bytes.add_locked(self.batch.payload_bytes() as u64);
        shared.events.emit(None, Some(self.op), || EventKind::MemtableInsert {
            memtable: memtable.id(),
            bytes: memtable.bytes(),
            entries: memtable.entries(),
            tombstones: memtable.tombstones(),
            ranges: memtable.ranges_view(),
            last_sequence: self.last(),
        });
        Ok(())
    }
}

/// Makes the log durable. A record that is about to be written proves this to a later reader; where there is none,
/// a mark does.
pub(super) fn sync_wal(
    shared: &Shared,
    writer: &mut Writer,
    op: EventId,
    record_follows: impl Fn() -> bool,
) -> Result<()> {
    make_named(shared, writer)?;
    writer.end_before(shared)?;
    writer.wal.sync_without_mark()?;
    if !record_follows() {
        writer.wal.mark_sync()?;
    }
    shared.counters.wal_syncs.add(1);
    let (wal, bytes, records) = (writer.wal.number(), writer.wal.bytes(), writer.wal.records());
    let synced_bytes = writer.wal.durable_bytes();
    shared.events.emit(None, Some(op), || EventKind::WalSync { wal, bytes, synced_bytes, records });
    Ok(())
}

/// Emits the events of a batch that is about to be written.
fn written(shared: &Shared, batch: &WriteBatch, first: SeqNo) -> EventId {
    let op = shared.events.emit(None, None, || operation(batch, first));
    if batch.len() > 1 && shared.events.wants_detail() {
        for (sequence, entry) in (first..).zip(batch.entries().map_while(std::result::Result::ok)) {
            let (entry, key, value) = entry;
            shared.events.detail(None, Some(op), || match entry {
                ValueKind::RangeDelete => {
                    EventKind::BatchRange { range: ShownRange::new(key, value), sequence }
                }
                _ => EventKind::BatchEntry { key: ShownKey::new(key), sequence, entry },
            });
        }
    }
    op
}

/// Ends a transaction whose batch is about to be written, and emits the event.
fn committed(db: &Db, candidate: &Candidate, batch: &WriteBatch, first: SeqNo) -> EventId {
    candidate.end();
    let (transaction, count, bytes) = (candidate.open.id, batch.len(), batch.bytes());
    db.end(transaction, || EventKind::OpCommit { transaction, count, bytes, first_sequence: first })
}

/// The event of a batch: a batch of one is the operation itself.
fn operation(batch: &WriteBatch, first: SeqNo) -> EventKind {
    let mut entries = batch.entries();
    match (entries.next(), batch.len()) {
        (Some(Ok((ValueKind::Put, key, value))), 1) => {
            let (key, value) = (ShownKey::new(key), ShownKey::of_value(value));
            EventKind::OpPut { key, value, sequence: first }
        }
        (Some(Ok((ValueKind::Delete, key, _))), 1) => {
            EventKind::OpDelete { key: ShownKey::new(key), sequence: first }
        }
        (Some(Ok((ValueKind::RangeDelete, begin, end))), 1) => {
            EventKind::OpDeleteRange { range: ShownRange::new(begin, end), sequence: first }
        }
        (_, count) => {
            EventKind::OpBatch { count, bytes: batch.body().len(), first_sequence: first }
        }
    }
}

/// The effect of `batch`, for the event of its acknowledgement.
fn acknowledged(batch: &WriteBatch) -> Acknowledged {
    let mut entries = batch.entries();
    match (entries.next(), batch.len()) {
        (Some(Ok((ValueKind::Put, key, value))), 1) => {
            Acknowledged::Put { key: ShownKey::new(key), value: ShownKey::of_value(value) }
        }
        (Some(Ok((ValueKind::Delete, key, _))), 1) => {
            Acknowledged::Delete { key: ShownKey::new(key) }
        }
        (Some(Ok((ValueKind::RangeDelete, begin, end))), 1) => {
            Acknowledged::DeleteRange { range: ShownRange::new(begin, end) }
        }
        (_, count) => Acknowledged::Batch { count },
    }
}
