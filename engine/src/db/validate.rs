//! The conflict check of a commit: has another writer, since the transaction began, committed a key that it writes or has read?
//!
//! A transaction holds its sequence number `s` as a snapshot does. So of all versions of a key that are newer than `s`,
//! flushes and compactions keep at least the newest one, also when that is a tombstone with nothing below it: it is
//! never in the first stripe (`compaction::Retain`). The newest version of a key therefore decides whether a version
//! newer than `s` exists. Memtables and tables that have nothing newer than the sequence number of the last check are
//! not searched.

use super::Db;
use super::read::search_table;
use crate::event::ShownKey;
use crate::iter::Cursor;
use crate::key::{Cut, SeqNo, Span, ValueKind, internal_key, parse_internal_key, seek_key};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::{RunTable, TableMeta};
use crate::probe::NoProbe;
use crate::ranges::RangeTombstone;
use crate::state::{ReadView, Shared};
use crate::table::{LookupKey, Searched};
use crate::transaction::{OpenTransaction, ReadSet, WriteSet};
use crate::{Error, ErrorKind, Result, WriteBatch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A transaction on its way into the database, for its own thread or the leader of its group.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) open: Arc<OpenTransaction>,
    writes: WriteSet,
    /// Its reads, when they are checked too.
    reads: Option<Arc<Mutex<ReadSet>>>,
    /// Up to this sequence number there is no conflict.
    checked: AtomicU64,
    /// It has a conflict, or its record is being written: it cannot be tried again.
    ended: AtomicBool,
}

/// The conflict of a commit.
#[derive(Debug)]
pub(super) struct Clash {
    pub(super) key: Vec<u8>,
    /// The transaction has read the key; otherwise it writes it.
    pub(super) read: bool,
    /// Sequence number of the newest version.
    pub(super) winner: SeqNo,
}

impl Candidate {
    pub(super) fn new(
        open: Arc<OpenTransaction>,
        writes: WriteSet,
        reads: Option<Arc<Mutex<ReadSet>>>,
    ) -> Self {
        let checked = AtomicU64::new(open.sequence);
        Self { open, writes, reads, checked, ended: AtomicBool::new(false) }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Searches the commits since the last check for a conflict, then `group`: the batches that are to be
    /// written before it in its group, each with its first sequence number. Called without the writer, so
    /// that others go on writing, and once more by the holder of the writer, when there are only few new commits.
    ///
    /// # Errors
    /// `Conflict`; then the transaction has ended. Those of reading, and `WouldBlock`, change nothing.
    pub(super) fn check<'a>(
        &self,
        db: &Db,
        group: impl IntoIterator<Item = (&'a WriteBatch, SeqNo)>,
    ) -> Result<()> {
        let clash = match self.clash_with_commits(db.shared())? {
            None => self.clash_with_group(group)?,
            found => found,
        };
        let Some(clash) = clash else { return Ok(()) };
        self.end();
        db.lose(&self.open, &clash);
        Err(conflict(self.open.sequence, &clash))
    }

    fn clash_with_group<'a>(
        &self,
        group: impl IntoIterator<Item = (&'a WriteBatch, SeqNo)>,
    ) -> Result<Option<Clash>> {
        let reads = self.reads.as_ref();
        let reads = reads.map(|reads| reads.lock().unwrap_or_else(PoisonError::into_inner));
        for (batch, first) in group {
            for (winner, entry) in (first..).zip(batch.entries()) {
                let (kind, key, value) = entry?;
                let (from, to) = (Cut::before(key), end_of(kind, key, value));
                let written = self.writes.first_in(&from, &to);
                let read = written.is_none();
                let found = written.or_else(|| reads.as_ref()?.first_in(&from, &to));
                if let Some(key) = found {
                    return Ok(Some(Clash { key, read, winner }));
                }
            }
        }
        Ok(None)
    }

    fn clash_with_commits(&self, shared: &Shared) -> Result<Option<Clash>> {
        let (visible, checked) = (shared.visible_sequence(), self.checked.load(Ordering::Relaxed));
        if visible == checked {
            return Ok(None);
        }
        // After the sequence number: the view has all that is visible at it.
        let view = shared.read_view();
        let found =
            self.clash(&VersionSearch { shared, view: &view, begun: self.open.sequence, checked })?;
        if found.is_none() {
            self.checked.store(visible, Ordering::Relaxed);
        }
        Ok(found)
    }

    fn clash(&self, look: &VersionSearch<'_>) -> Result<Option<Clash>> {
        for key in self.writes.keys() {
            if let Some(winner) = look.newer_version(key)? {
                return Ok(Some(Clash { key: key.to_vec(), read: false, winner }));
            }
        }
        for (from, to) in self.writes.ranges() {
            if let Some((key, winner)) = look.newer_in_range(from, to)? {
                return Ok(Some(Clash { key, read: false, winner }));
            }
        }
        let Some(reads) = &self.reads else { return Ok(None) };
        let reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
        for (from, to) in reads.ranges() {
            if let Some((key, winner)) = look.newer_in_range(from, to)? {
                return Ok(Some(Clash { key, read: true, winner }));
            }
        }
        Ok(None)
    }
}

/// Where the keys end that an entry of a batch writes.
fn end_of(kind: ValueKind, key: &[u8], value: &[u8]) -> Cut {
    match (kind, value) {
        (ValueKind::RangeDelete, []) => Cut::End,
        (ValueKind::RangeDelete, end) => Cut::before(end),
        _ => Cut::after(key),
    }
}

/// One search of a view for versions newer than `begun`.
struct VersionSearch<'a> {
    shared: &'a Shared,
    view: &'a ReadView,
    begun: SeqNo,
    /// There are none up to here.
    checked: SeqNo,
}

impl VersionSearch<'_> {
    /// The newest version of `key`, if it is newer than the transaction.
    fn newer_version(&self, key: &[u8]) -> Result<Option<SeqNo>> {
        let newer = |sequence: SeqNo| (sequence > self.begun).then_some(sequence);
        for memtable in &self.view.memtables {
            if let Some((sequence, _, _)) = memtable.get(key, SEQUENCE_MAX, &mut NoProbe) {
                return Ok(newer(sequence));
            }
        }
        let lookup = LookupKey::new(key, SEQUENCE_MAX);
        let version = &self.view.version;
        for run in (0..version.level_count()).flat_map(|level| version.runs(level)) {
            let found = run.find(key, &mut NoProbe).filter(|table| self.may_have_newer(table.meta));
            let Some(RunTable { meta, pin }) = found else { continue };
            let table = self.shared.tables.open_pinned(meta, pin)?;
            let found = search_table(&table, &lookup, 0, &mut 0, &mut NoProbe)?;
            if let Searched::Found(sequence, _, _) = found {
                return Ok(newer(sequence));
            }
        }
        Ok(None)
    }

    /// A key between two cuts that has a newer version, and that version.
    fn newer_in_range(&self, from: &Cut, to: &Cut) -> Result<Option<(Vec<u8>, SeqNo)>> {
        if let (Cut::At(key, false), Cut::At(end, true)) = (from, to)
            && key == end
        {
            return Ok(self.newer_version(key)?.map(|winner| (key.clone(), winner)));
        }
        let span = Span { from: from.borrowed(), to: to.borrowed() };
        for memtable in &self.view.memtables {
            if let Some(found) = self.newer_range(&memtable.ranges_in(&span, SEQUENCE_MAX), &span) {
                return Ok(Some(found));
            }
            if let Some(found) = self.walk(&mut memtable.cursor(), from, to)? {
                return Ok(Some(found));
            }
        }
        for (_, meta) in self.view.version.tables() {
            if meta.overlaps(&span) && self.may_have_newer(meta) {
                let table = self.shared.table(meta)?;
                if let Some(found) = self.newer_range(table.ranges().overlapping(&span), &span) {
                    return Ok(Some(found));
                }
                if let Some(found) = self.walk(&mut table.cursor(), from, to)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// The first key in `span` of one of the `ranges` that is newer than the transaction, and its sequence number.
    fn newer_range<'t>(
        &self,
        ranges: impl IntoIterator<Item = &'t RangeTombstone>,
        span: &Span<'_>,
    ) -> Option<(Vec<u8>, SeqNo)> {
        let newer = ranges.into_iter().find(|range| range.sequence > self.begun)?;
        let begin = newer.span().from.max(span.from);
        Some((begin.next_key().unwrap_or_default(), newer.sequence))
    }

    fn walk(
        &self,
        cursor: &mut impl Cursor,
        from: &Cut,
        to: &Cut,
    ) -> Result<Option<(Vec<u8>, SeqNo)>> {
        match from {
            Cut::At(key, false) => cursor.seek(&seek_key(key, SEQUENCE_MAX))?,
            Cut::At(key, true) => cursor.seek(&internal_key(key, 0, ValueKind::Delete))?,
            Cut::End => return Ok(None),
        }
        while cursor.valid() {
            let entry = parse_internal_key(cursor.key()).ok_or_else(|| {
                Error::new(
                    ErrorKind::Corruption,
                    "an entry was read whose key has no valid trailer",
                )
            })?;
            if !to.is_after(entry.user_key) {
                break;
            }
            if entry.sequence > self.begun {
                return Ok(Some((entry.user_key.to_vec(), entry.sequence)));
            }
            cursor.next()?;
        }
        Ok(None)
    }

    fn may_have_newer(&self, meta: &TableMeta) -> bool {
        meta.sequence_max > self.checked
    }
}

fn conflict(begun: SeqNo, clash: &Clash) -> Error {
    let Clash { key, read, winner } = clash;
    let (key, relation) = (ShownKey::new(key), if *read { "has read" } else { "writes" });
    Error::new(
        ErrorKind::Conflict,
        format!(
            "the key {key}, which this transaction {relation}, was committed with sequence number \
             {winner} after the transaction began at {begun}: begin another and read again"
        ),
    )
}
