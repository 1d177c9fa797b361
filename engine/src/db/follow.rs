//! Following a key: every version of it, in memory, logs and tables.

use super::Db;
use crate::event::ShownKey;
use crate::iter::Cursor;
use crate::key::{SeqNo, ValueKind, parse_internal_key, seek_key};
use crate::limits::SEQUENCE_MAX;
use crate::memtable::Memtable;
use crate::state::ReadView;
use crate::storage::{FileName, FileNumber, read_whole};
use crate::table::versions_in;
use crate::view::{KeyVersion, KeyVersions, TableWithout, VersionPlace, VersionVerdict};
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::{ErrorKind, Result, batch};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Db {
    /// Every version of `key` in memtables, logs and live tables, at most `limit` of the newest; no file, figure or
    /// cache changes, and no event is emitted.
    ///
    /// Cost: reads the logs as a whole; of each table whose range has the key, index, filter, and the blocks
    /// that hold it.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn versions(&self, key: &[u8], limit: usize) -> Result<KeyVersions> {
        let shared = self.shared();
        let logs: Vec<FileNumber> = self.view().wals.iter().map(|wal| wal.wal).collect();
        let view = shared.read_view();
        let visible = shared.visible_sequence();
        let mut found = Found::new(limit);
        for memtable in &view.memtables {
            in_memtable(memtable, key, &mut found)?;
        }
        for log in logs {
            self.in_log(log, key, &mut found)?;
        }
        let without = self.in_tables(&view, key, &mut found)?;
        let held = shared.core().snapshot_list();
        let (mut versions, more) = found.newest();
        judge(&mut versions, visible, &held);
        Ok(KeyVersions { key: ShownKey::new(key), versions, more, without })
    }

    /// The records of one log; good records after a damaged one count too.
    fn in_log(&self, number: FileNumber, key: &[u8], found: &mut Found) -> Result<()> {
        let name = FileName::Wal(number);
        let bytes = match self.shared().storage.open(name).and_then(|file| read_whole(&*file, name))
        {
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
                if user_key == key {
                    let place = VersionPlace::Log {
                        wal: number,
                        record: number_of_record,
                        entry,
                        offset: record.offset as u64,
                        bytes: record.end().saturating_sub(record.offset) as u64,
                    };
                    found.add(sequence, kind, value, place);
                }
            }
        }
        Ok(())
    }

    /// The live tables whose range has `key`; those that do not hold it are returned.
    fn in_tables(
        &self,
        view: &ReadView,
        key: &[u8],
        found: &mut Found,
    ) -> Result<Vec<TableWithout>> {
        let mut without = Vec::new();
        for (level, meta) in view.version.tables().filter(|(_, meta)| meta.covers(key)) {
            let table = meta.number;
            let file = self.shared().storage.open(FileName::Table(table))?;
            let mut holds = false;
            let maybe = versions_in(&*file, table, key, &mut |stored| {
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
            })?;
            if !holds {
                without.push(TableWithout { level, table, maybe });
            }
        }
        Ok(without)
    }
}

fn in_memtable(memtable: &Arc<Memtable>, key: &[u8], found: &mut Found) -> Result<()> {
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
    Ok(())
}

/// Versions found so far: the newest ones whole, of all others only the sequence numbers.
struct Found {
    limit: usize,
    newest: BTreeMap<Reverse<SeqNo>, KeyVersion>,
    known: BTreeSet<SeqNo>,
}

impl Found {
    fn new(limit: usize) -> Self {
        Self { limit, newest: BTreeMap::new(), known: BTreeSet::new() }
    }

    fn add(&mut self, sequence: SeqNo, entry: ValueKind, value: &[u8], place: VersionPlace) {
        self.known.insert(sequence);
        let version = self.newest.entry(Reverse(sequence)).or_insert_with(|| KeyVersion {
            sequence,
            entry,
            value: ShownKey::of_value(value),
            verdict: VersionVerdict::Invisible {},
            snapshot: None,
            places: Vec::new(),
        });
        version.places.push(place);
        if self.newest.len() > self.limit {
            self.newest.pop_last();
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
            (Some((by, ValueKind::Delete)), _) => VersionVerdict::Covered { by },
            (None, ValueKind::Put) => VersionVerdict::Found {},
            (None, ValueKind::Delete) => VersionVerdict::Deleted {},
        };
        let end = newer.map_or(SeqNo::MAX, |(by, _)| by);
        version.snapshot = held.iter().copied().find(|at| (version.sequence..end).contains(at));
        newer = Some((version.sequence, version.entry));
    }
}
