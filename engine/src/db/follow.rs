//! Reads with their steps: how a lookup ended and its path, and every version of a key.

use super::{Db, Snapshot};
use crate::event::{ShownKey, ShownRange};
use crate::few::Few;
use crate::iter::{Cursor, PinnedValue};
use crate::key::{SeqNo, Span, ValueKind, parse_internal_key, seek_key};
use crate::limits::SEQUENCE_MAX;
use crate::memtable::Memtable;
use crate::outcome::Outcome;
use crate::probe::{NoProbe, ReadPath};
use crate::ranges::RangeTombstone;
use crate::state::ReadView;
use crate::storage::{FileName, FileNumber};
use crate::table::{StoredRange, StoredVersion, ranges_in, versions_in};
use crate::view::{KeyVersion, KeyVersions, TableWithout, VersionPlace, VersionVerdict};
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::{ErrorKind, Result, batch, wal};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// # Explain reads
impl Db {
    /// The value of `key`, and how the lookup ended: it distinguishes a deleted key from an absent one. With
    /// `snapshot`, as of that snapshot.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn lookup(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
    ) -> Result<(Option<PinnedValue>, Outcome)> {
        self.get_probed(key, snapshot, &mut NoProbe)
    }

    /// The value of `key`, and every stop on the way to it. The same code as [`Db::get`].
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn explain_get(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
    ) -> Result<(Option<Vec<u8>>, ReadPath)> {
        let mut path = ReadPath::default();
        let (value, _) = self.get_probed(key, snapshot, &mut path)?;
        Ok((value.map(PinnedValue::into_vec), path))
    }

    /// Every version of `key` in memtables, logs and live tables, at most `limit` of the newest; no file, figure or
    /// cache changes, and no event is emitted.
    ///
    /// Cost: reads the logs as a whole; of each table whose range has the key, index, filter, and the blocks that hold
    /// it. The result lists tables that cannot be read; they do not fail the call.
    ///
    /// # Errors
    /// `Corruption` of a log with file and offset; `Io`; `WouldBlock`.
    pub fn versions(&self, key: &[u8], limit: usize) -> Result<KeyVersions> {
        let shared = self.shared();
        let logs: Vec<FileNumber> = self.view().wals.iter().map(|wal| wal.wal).collect();
        let view = shared.read_view();
        let visible = shared.visible_sequence();
        let mut found = VersionList::new(limit);
        for memtable in &view.memtables {
            in_memtable(memtable, key, &mut found)?;
        }
        for log in logs {
            self.in_log(log, key, &mut found)?;
        }
        let tables = self.in_tables(&view, key, &mut found)?;
        let held = shared.core().snapshot_list();
        let (mut versions, more) = found.newest();
        judge(&mut versions, visible, &held);
        hide_unreached(&mut versions, &tables);
        Ok(KeyVersions { key: ShownKey::new(key), versions, more, without: tables.without })
    }

    /// The records of one log; good records after a damaged one count too.
    fn in_log(&self, number: FileNumber, key: &[u8], found: &mut VersionList) -> Result<()> {
        let name = FileName::Wal(number);
        let opened = self.shared().storage.open(name);
        let bytes = match opened.and_then(|file| wal::read_log(&*file, number)) {
            // A background thread has deleted it since the list was made.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            read => read?,
        };
        let mut number_of_record = 0_u32;
        for piece in pieces(&bytes, Log::claimed(name, &bytes)?) {
            let Piece::Record(record) = piece else { continue };
            if record.header.kind != RecordKind::Batch {
                continue;
            }
            number_of_record = number_of_record.saturating_add(1);
            let numbered = (record.header.number..).zip(1_u32..);
            let entries = batch::decode(record.body, record.header.count).map_while(Result::ok);
            for ((sequence, entry), (kind, user_key, value)) in numbered.zip(entries) {
                let range = RangeTombstone::new(user_key, value, sequence)
                    .filter(|range| kind == ValueKind::RangeDelete && range.span().holds(key));
                if range.is_some() || user_key == key && kind != ValueKind::RangeDelete {
                    let place = VersionPlace::Log {
                        wal: number,
                        record: number_of_record,
                        entry,
                        offset: record.offset as u64,
                        bytes: record.end().saturating_sub(record.offset) as u64,
                    };
                    match range {
                        Some(range) => found.add_range(&range, place),
                        None => found.add(sequence, kind, value, place),
                    }
                }
            }
        }
        Ok(())
    }

    /// The live tables whose range has `key`, in the order in which a read searches them.
    fn in_tables(&self, view: &ReadView, key: &[u8], found: &mut VersionList) -> Result<Searched> {
        let mut searched = Searched::default();
        for (level, meta) in view.version.tables().filter(|(_, meta)| meta.covers(key)) {
            let table = meta.number;
            searched.order.push(table);
            let (mut holds, mut ranges) = (false, Vec::new());
            let mut note = |stored: &StoredVersion<'_>| {
                holds = true;
                let place = VersionPlace::Table {
                    level,
                    table,
                    block: stored.block,
                    entry: stored.entry,
                    offset: stored.offset,
                    bytes: stored.bytes,
                };
                found.add(stored.key.sequence, stored.key.kind, stored.value, place);
            };
            let opened = self.shared().storage.open(FileName::Table(table));
            let read = opened.and_then(|file| {
                let maybe = versions_in(&*file, table, key, &mut note)?;
                if meta.ranges.is_some() {
                    ranges = ranges_in(&*file, table, key)?;
                }
                Ok(maybe)
            });
            holds |= !ranges.is_empty();
            for StoredRange { tombstone, block, entry, handle } in &ranges {
                let (block, entry, offset, bytes) = (*block, *entry, handle.offset, handle.bytes);
                let place = VersionPlace::Ranges { level, table, block, entry, offset, bytes };
                found.add_range(tombstone, place);
            }
            match read {
                Ok(_) if holds => {}
                Ok(maybe) => {
                    searched.without.push(TableWithout { level, table, maybe, unread: None });
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(error) => {
                    let unread = Some(error.to_string());
                    searched.without.push(TableWithout { level, table, maybe: None, unread });
                }
            }
        }
        Ok(searched)
    }
}

/// The tables whose range has a key.
#[derive(Default)]
struct Searched {
    /// All of them, in the order in which a read searches them.
    order: Vec<FileNumber>,
    without: Vec<TableWithout>,
}

/// If a version stands only in tables after one that cannot be read, it is not certain that a read finds it.
fn hide_unreached(versions: &mut [KeyVersion], tables: &Searched) {
    let Some(unread) = tables.without.iter().find(|each| each.unread.is_some()) else { return };
    let rank = |table| tables.order.iter().position(|each| *each == table);
    for version in versions {
        let first = version.places.iter().find_map(|place| match place {
            VersionPlace::Memtable { .. } => Some(None),
            VersionPlace::Log { .. } => None,
            VersionPlace::Table { table, .. } | VersionPlace::Ranges { table, .. } => {
                Some(rank(*table))
            }
        });
        let is_read =
            matches!(version.verdict, VersionVerdict::Found {} | VersionVerdict::Deleted {});
        if is_read && first.flatten() > rank(unread.table) {
            version.verdict = VersionVerdict::Unreached { table: unread.table };
        }
    }
}

fn in_memtable(memtable: &Arc<Memtable>, key: &[u8], found: &mut VersionList) -> Result<()> {
    let place = VersionPlace::Memtable { memtable: memtable.id() };
    let mut cursor = memtable.cursor();
    cursor.seek(&seek_key(key, SEQUENCE_MAX))?;
    while cursor.valid() {
        let Some(entry) = parse_internal_key(cursor.key()).filter(|entry| entry.user_key == key)
        else {
            break;
        };
        found.add(entry.sequence, entry.kind, cursor.value(), place);
        cursor.next()?;
    }
    for range in memtable.ranges_in(&Span::inclusive(key, key), SEQUENCE_MAX) {
        found.add_range(&range, place);
    }
    Ok(())
}

/// Versions found so far: the newest ones whole, of all others only the sequence numbers.
struct VersionList {
    limit: usize,
    newest: Few<Reverse<SeqNo>, KeyVersion>,
    known: BTreeSet<SeqNo>,
}

impl VersionList {
    fn new(limit: usize) -> Self {
        Self { limit, newest: Few::new(), known: BTreeSet::new() }
    }

    fn add(&mut self, sequence: SeqNo, entry: ValueKind, value: &[u8], place: VersionPlace) {
        self.known.insert(sequence);
        let version = self.newest.or_insert_with(Reverse(sequence), || KeyVersion {
            sequence,
            entry,
            value: ShownKey::of_value(value),
            range: None,
            verdict: VersionVerdict::Invisible {},
            snapshot: None,
            places: Vec::new(),
        });
        version.places.push(place);
        if self.newest.len() > self.limit {
            self.newest.pop_last();
        }
    }

    /// Adds a range tombstone over the key.
    fn add_range(&mut self, range: &RangeTombstone, place: VersionPlace) {
        self.add(range.sequence, ValueKind::RangeDelete, &[], place);
        if let Some(version) = self.newest.get_mut(&Reverse(range.sequence)) {
            version.range.get_or_insert_with(|| ShownRange::new(&range.begin, range.stored_end()));
        }
    }

    /// The newest versions, and the number of the others.
    fn newest(self) -> (Vec<KeyVersion>, u64) {
        let more = self.known.len().saturating_sub(self.newest.len()) as u64;
        (self.newest.into_values().collect(), more)
    }
}

/// Gives each of `versions`, the newest first, its verdict, and the first of the `held` sequence numbers, which
/// ascend, that reads it.
fn judge(versions: &mut [KeyVersion], visible: SeqNo, held: &[SeqNo]) {
    let mut newer: Option<(SeqNo, ValueKind)> = None;
    for version in versions {
        let is_read = |place: &VersionPlace| !matches!(place, VersionPlace::Log { .. });
        if version.sequence > visible {
            continue;
        }
        if !version.places.iter().any(is_read) {
            version.verdict = VersionVerdict::Logged {};
            continue;
        }
        version.verdict = match (newer, version.entry) {
            (Some((by, ValueKind::Put)), _) => VersionVerdict::Shadowed { by },
            (Some((by, ValueKind::Delete | ValueKind::RangeDelete)), _) => {
                VersionVerdict::Covered { by }
            }
            (None, ValueKind::Put) => VersionVerdict::Found {},
            (None, ValueKind::Delete | ValueKind::RangeDelete) => VersionVerdict::Deleted {},
        };
        let end = newer.map_or(SeqNo::MAX, |(by, _)| by);
        version.snapshot = held.iter().copied().find(|at| (version.sequence..end).contains(at));
        newer = Some((version.sequence, version.entry));
    }
}
