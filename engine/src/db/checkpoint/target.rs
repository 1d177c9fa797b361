//! The files of a checkpoint: its tables, its logs, its manifest, and `CURRENT` last.

use super::{CheckpointReport, CheckpointSource};
use crate::event::{EventId, EventKind};
use crate::key::{SeqNo, parse_internal_key};
use crate::manifest::current::{self, Slot};
use crate::manifest::{ManifestWriter, TableMeta, VersionEdit};
use crate::memtable::Memtable;
use crate::sorting;
use crate::state::Shared;
use crate::storage::{FileName, FileNumber, Storage, read_full};
use crate::wal::file::Log;
use crate::wal::{Before, WalWriter};
use crate::{Result, ValueKind, WriteBatch, iter::Cursor};
use std::sync::Arc;

/// Bytes of a table that are copied at once \[bytes\].
const COPY_BYTES: usize = 256 << 10;

/// Batches of a new log end when they have become so long \[bytes\].
const BATCH_BYTES: usize = 1 << 20;

/// An empty directory that becomes the copy of a moment.
pub(super) struct Target<'a> {
    pub(super) shared: &'a Shared,
    pub(super) storage: &'a dyn Storage,
    /// The event that began it.
    pub(super) op: EventId,
    pub(super) moment: &'a CheckpointSource,
}

impl Target<'_> {
    /// Writes all files, durably; `CURRENT` is the last one.
    pub(super) fn write(&self) -> Result<CheckpointReport> {
        let mut report =
            CheckpointReport { sequence: self.moment.sequence, ..CheckpointReport::default() };
        for (_, meta) in self.moment.view.version.tables() {
            let linked = self.take(meta)?;
            if linked {
                report.tables_linked += 1;
            } else {
                report.tables_copied += 1;
                report.bytes_copied += meta.bytes;
            }
            let (table, bytes) = (meta.number, meta.bytes);
            self.emit(|| EventKind::CheckpointTable { table, bytes, linked });
        }
        let logs = self.moment.logs();
        let mut live_logs: Vec<(FileNumber, u64)> = Vec::new();
        for (number, memtable) in &logs {
            let before = live_logs.last().map(|(before, _)| *before);
            let (entries, bytes) = self.write_log(*number, *memtable, before)?;
            report.entries_logged += entries;
            live_logs.push((*number, if self.storage.writes_in_order() { bytes } else { 0 }));
        }
        self.storage.sync_directory()?;
        self.write_manifest(live_logs)?;
        Ok(report)
    }

    fn emit(&self, build: impl FnOnce() -> EventKind) {
        self.shared.events.emit(None, Some(self.op), build);
    }

    /// Links or copies one table; whether it was linked.
    fn take(&self, meta: &TableMeta) -> Result<bool> {
        let name = FileName::Table(meta.number);
        if self.shared.storage.link(name, self.storage)? {
            return Ok(true);
        }
        // Through the open table: a handle for reading still reads files that the owner has deleted.
        let table = self.shared.table(meta)?;
        let target = self.storage.create(name)?;
        let mut buffer = vec![0; COPY_BYTES];
        let mut offset = 0;
        while offset < meta.bytes {
            let left = usize::try_from(meta.bytes - offset).unwrap_or(COPY_BYTES);
            let part = buffer.get_mut(..left.min(COPY_BYTES)).unwrap_or_default();
            read_full(table.file(), name, offset, part)?;
            target.append(part)?;
            offset += part.len() as u64;
        }
        target.sync()?;
        Ok(false)
    }

    /// Writes the entries of `memtable` at the moment as log `number`, with its clean end; how many entries, and its
    /// length \[bytes\].
    fn write_log(
        &self,
        number: FileNumber,
        memtable: Option<&Arc<Memtable>>,
        before: Option<FileNumber>,
    ) -> Result<(u64, u64)> {
        let log = Log::wal(number, self.moment.owner.identity);
        let mut wal = WalWriter::create_after(self.storage, log, before.map(Before::ended), 0)?;
        let taken = memtable.map(|memtable| Taken::of(memtable, self.moment.sequence));
        let taken = taken.transpose()?.unwrap_or_default();
        let (mut batch, mut first) = (WriteBatch::new(), 0);
        for (sequence, kind, key, value) in taken.entries() {
            if batch.is_empty() {
                first = sequence;
            }
            match kind {
                ValueKind::Put => batch.put(key, value)?,
                ValueKind::Delete => batch.delete(key)?,
                ValueKind::RangeDelete if value.is_empty() => batch.delete_from(key)?,
                ValueKind::RangeDelete => batch.delete_range(key, value)?,
            }
            if batch.bytes() >= BATCH_BYTES {
                append(&mut wal, first, &mut batch)?;
            }
        }
        append(&mut wal, first, &mut batch)?;
        wal.close()?;
        let (entries, bytes) = (taken.places.len() as u64, wal.bytes());
        self.emit(|| EventKind::CheckpointLog { wal: number, entries, bytes });
        Ok((entries, bytes))
    }

    /// Writes the manifest of a copy with these logs, each with its length \[bytes\].
    fn write_manifest(&self, live_logs: Vec<(FileNumber, u64)>) -> Result<()> {
        let CheckpointSource { view, sequence, owner, .. } = self.moment;
        let number = self.moment.manifest();
        let tables = view.version.tables();
        let snapshot = VersionEdit {
            log_number: Some(live_logs.first().map_or(0, |(number, _)| *number)),
            next_file: Some(number.saturating_add(1)),
            last_sequence: Some(*sequence),
            removed: Vec::new(),
            added: tables.map(|(level, meta)| (level, Arc::clone(meta))).collect(),
            sealed_logs: Vec::new(),
            identified_from: (owner.from > 0).then_some(owner.from),
            live_logs,
        };
        let log = Log::manifest(number, owner.identity);
        let mut manifest = ManifestWriter::create(self.storage, log, &snapshot)?;
        manifest.sync()?;
        self.storage.sync_directory()?;
        let slot = Slot { epoch: 1, manifest: number, identity: owner.identity };
        current::write(self.storage, slot)
    }
}

/// Appends `batch` and empties it.
fn append(wal: &mut WalWriter, first: SeqNo, batch: &mut WriteBatch) -> Result<()> {
    if !batch.is_empty() {
        wal.append(first, batch.len(), batch.body())?;
        wal.write()?;
        batch.clear();
    }
    Ok(())
}

/// The entries and range tombstones of a memtable up to a sequence number, copied, in the order in which they were
/// written. The number of each follows on that of the one before.
#[derive(Default)]
struct Taken {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

/// One entry of [`Taken`]: where its key begins, and how long key and value are \[bytes\]. A range tombstone has its
/// end as the value, as in a log.
struct Place {
    sequence: SeqNo,
    kind: ValueKind,
    begin: usize,
    key_bytes: usize,
    value_bytes: usize,
}

impl Taken {
    /// Copies entry by entry, so that no writer waits long for the lock of the memtable.
    fn of(memtable: &Arc<Memtable>, sequence: SeqNo) -> Result<Self> {
        let mut taken = Self::default();
        let mut cursor = memtable.cursor();
        cursor.seek_to_first()?;
        while cursor.valid() {
            if let Some(entry) = parse_internal_key(cursor.key())
                && entry.sequence <= sequence
            {
                taken.push(entry.sequence, entry.kind, entry.user_key, cursor.value());
            }
            cursor.next()?;
        }
        for range in memtable.ranges() {
            if range.sequence <= sequence {
                let end = range.stored_end();
                taken.push(range.sequence, ValueKind::RangeDelete, &range.begin, end);
            }
        }
        sorting::sort_by_key(&mut taken.places, |place| place.sequence);
        Ok(taken)
    }

    fn push(&mut self, sequence: SeqNo, kind: ValueKind, key: &[u8], value: &[u8]) {
        let (key_bytes, value_bytes) = (key.len(), value.len());
        let begin = self.bytes.len();
        self.places.push(Place { sequence, kind, begin, key_bytes, value_bytes });
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
    }

    fn entries(&self) -> impl Iterator<Item = (SeqNo, ValueKind, &[u8], &[u8])> {
        self.places.iter().map(|place| {
            let rest = self.bytes.get(place.begin..).unwrap_or_default();
            let (key, rest) = rest.split_at_checked(place.key_bytes).unwrap_or_default();
            (place.sequence, place.kind, key, rest.get(..place.value_bytes).unwrap_or_default())
        })
    }
}
