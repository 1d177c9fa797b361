//! Opening: recovery reads everything on disk and decides before it changes anything.
//!
//! ```text
//! lock → list → CURRENT → manifest → all files opened → logs (into memtables)      reads only
//!      → new manifest, sync → CURRENT, sync → new log → sweep        in this order
//! ```
//!
//! A crash after any of these steps leaves files from which the same steps come to the same result.

mod needed;
mod reading;

pub(super) use reading::{open_for_reading, read_state};

use super::write::Writer;
use crate::canary::Canary;
use crate::compaction;
use crate::event::{Event, EventBus, EventKind, EventSink, RecoveredLog, WalEnd};
#[cfg(feature = "events")]
use crate::event::{Grain, Recorder};
use crate::flaw::strict;
use crate::key::SeqNo;
use crate::manifest::current::{self, Slot};
use crate::manifest::{ManifestLog, ManifestState, ManifestWriter, Version, VersionEdit};
use crate::memtable::Memtable;
use crate::state::{Core, Immutable, Recovered, Shared};
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Frame, LogEnds, Role};
use crate::view::WalView;
use crate::wal::chain::{self, Link};
use crate::wal::file::Log;
use crate::wal::{self, Before, LogEnd, WalRecord, WalSummary, WalWriter};
use crate::{Error, ErrorKind, Options, Result};
use std::sync::Arc;

/// The parts of a newly opened database.
pub(super) struct Opened {
    pub(super) shared: Shared,
    pub(super) writer: Writer,
}

/// Opens or makes the database; the caller holds its lock.
pub(super) fn open(
    storage: Arc<dyn Storage>,
    options: Options,
    sink: Option<Arc<dyn EventSink>>,
) -> Result<Opened> {
    // Kept back until it is certain that this attempt is not one that the host has to repeat.
    let early = Early::new();
    let mut events = EventBus::new(early.sink());
    let recovered =
        Recovery { storage: &storage, options: &options, events: &events, reading: false }.run();
    let blocked = matches!(&recovered, Err(error) if error.kind() == ErrorKind::WouldBlock);
    if !blocked {
        early.tell(sink.as_ref());
    }
    events.replace_sink(sink);
    let Parts { core, manifest, writer, last_sequence } = recovered?;
    let shared = Shared::new(storage, options, events, core, manifest, last_sequence);
    Ok(Opened { shared, writer })
}

/// What recovery has found.
pub(super) struct Parts {
    pub(super) core: Core,
    pub(super) manifest: ManifestLog,
    writer: Writer,
    pub(super) last_sequence: SeqNo,
}

/// The events of an attempt to open, until it is known that it counts.
struct Early {
    #[cfg(feature = "events")]
    recorder: Arc<Recorder>,
}

#[cfg(feature = "events")]
#[expect(clippy::unnecessary_wraps, reason = "as without events")]
impl Early {
    fn new() -> Self {
        Self { recorder: Arc::new(Recorder::new(usize::MAX, Grain::Phase)) }
    }

    fn sink(&self) -> Option<Arc<dyn EventSink>> {
        Some(Arc::clone(&self.recorder) as Arc<dyn EventSink>)
    }

    fn taken(&self) -> Vec<Event> {
        self.recorder.drain().0
    }
}

#[cfg(not(feature = "events"))]
#[expect(clippy::unused_self, reason = "as with events")]
impl Early {
    fn new() -> Self {
        Self {}
    }

    fn sink(&self) -> Option<Arc<dyn EventSink>> {
        None
    }

    fn taken(&self) -> Vec<Event> {
        Vec::new()
    }
}

impl Early {
    /// Hands all events to `sink`, which listens from now on.
    fn tell(&self, sink: Option<&Arc<dyn EventSink>>) {
        if let Some(sink) = sink.filter(|sink| sink.wants_events()) {
            self.taken().into_iter().for_each(|event| sink.event(event));
        }
    }
}

/// One attempt to recover.
struct Recovery<'a> {
    storage: &'a Arc<dyn Storage>,
    options: &'a Options,
    events: &'a EventBus,
    /// Nothing is to be changed, not even synced.
    reading: bool,
}

/// The content of the logs.
#[derive(Default)]
pub(super) struct Logs {
    /// Newest first.
    immutables: Vec<Immutable>,
    pub(super) closed: Vec<WalView>,
    /// Logs that were not ended cleanly, and the bytes of them that count.
    sealed: Vec<(FileNumber, u64)>,
    last_sequence: SeqNo,
    /// Every log that was read, oldest first.
    chain: Vec<Link>,
}

impl Recovery<'_> {
    fn emit(&self, build: impl FnOnce() -> EventKind) {
        self.events.emit(None, None, build);
    }

    fn run(&self) -> Result<Parts> {
        let names = self.list()?;
        let mut frame = Frame::read(&**self.storage, names, &mut strict)?;
        frame.manifest = None;
        let state = frame.state.clone().unwrap_or_default();
        if let Some(slot) = frame.slot {
            self.emit(|| EventKind::RecoveryManifest {
                manifest: slot.manifest,
                bytes: state.valid_bytes,
                edits: state.edits,
                tables: state.version.tables().count(),
                levels: compaction::levels(&state.version, self.options),
            });
        }
        frame.require_log(&**self.storage, &mut strict)?;
        needed::open_all(&**self.storage, &frame, &state, self.reading)?;
        let logs = self.logs(&frame, &state)?;
        if self.reading {
            return self.look(&frame, state, logs);
        }
        let needless = self.needless(&frame, &logs)?;
        self.rebuild(&frame, &state, logs, &needless)
    }

    fn list(&self) -> Result<Vec<FileName>> {
        let listed = self.storage.list()?;
        let names: Vec<FileName> = listed.iter().filter_map(|name| FileName::parse(name)).collect();
        let foreign_files = listed.len() - names.len();
        self.emit(|| EventKind::RecoveryBegin {
            files: names.len(),
            foreign_files,
            levels: compaction::levels(&Version::default(), self.options),
        });
        Ok(names)
    }

    fn logs(&self, frame: &Frame, state: &ManifestState) -> Result<Logs> {
        let mut ends = LogEnds::of(Some(state));
        let mut numbers = Vec::new();
        for number in frame.logs() {
            if ends.measure(number, self.storage.open(FileName::Wal(number))?.len()?)? {
                numbers.push(number);
            }
        }
        if let Some(newest) = ends.newest() {
            let file = self.storage.open(FileName::Wal(newest))?;
            ends.learn(&*file, Log::wal(newest, frame.belonging.owner.of(newest)))?;
        }
        let tables = state.version.tables().map(|(_, meta)| meta.sequence_max).max();
        // A reader decides later whether it has seen the write with the number in the manifest.
        let begin = if self.reading { 0 } else { state.last_sequence };
        let mut logs = Logs { last_sequence: begin, ..Logs::default() };
        logs.last_sequence = logs.last_sequence.max(tables.unwrap_or(0));
        for (index, number) in (1_u64..).zip(numbers) {
            let log = Log::wal(number, frame.belonging.owner.of(number));
            let end = ends.end(number);
            let found = self.log(log, index, end, &mut logs)?;
            ends.ended(number, Some(&found));
            let (records, begin) = (found.records, log.header_bytes() as u64);
            logs.chain.push(Link {
                log: number,
                records,
                follows: ends.follows(number, &found),
                begin,
            });
        }
        chain::require_whole(state.log_number, &logs.chain)?;
        Ok(logs)
    }

    /// The obsolete files to delete: the engine's own that neither the new manifest nor the one before names.
    fn needless(&self, frame: &Frame, logs: &Logs) -> Result<Vec<FileName>> {
        let mut needless = Vec::new();
        for name in frame.names.iter().copied() {
            let is_needless = match frame.role(name) {
                Role::Always | Role::Manifest | Role::Table => false,
                Role::Log => !logs.closed.iter().any(|log| FileName::Wal(log.wal) == name),
                Role::Fallback | Role::Spare => true,
            };
            if is_needless && frame.is_own_spare(&**self.storage, name)? {
                needless.push(name);
            }
        }
        Ok(needless)
    }

    fn log(&self, log: Log, id: u64, end: LogEnd, logs: &mut Logs) -> Result<WalSummary> {
        let (name, number) = (log.name(), log.number());
        let file = self.storage.open(name)?;
        let memtable = Memtable::new(id, number, self.options.memtable_bytes);
        let summary = wal::replay(&*file, log, end, &mut |record: &WalRecord<'_>| {
            memtable
                .insert_batch(record.first_sequence, record.entries())
                .map_err(|what| Error::corruption(name, record.offset, what.to_string()))
        })?;
        let (records, entries, ended) = (summary.records, memtable.entries(), summary.end);
        let log = WalView {
            wal: number,
            bytes: summary.valid_bytes,
            written_bytes: summary.valid_bytes,
            synced_bytes: summary.valid_bytes,
            records,
            written_records: records,
            synced_records: records,
            closed: true,
        };
        self.emit(|| EventKind::RecoveryWal {
            wal: number,
            records,
            entries,
            end: ended,
            kept: (!memtable.is_empty())
                .then(|| RecoveredLog { log: log.clone(), memtable: memtable.view(true) }),
        });
        if end == LogEnd::Newest && !self.reading && !Canary::TrustThePageCache.is_awake() {
            // The written bytes may be only in the page cache, a clean end too. The sync makes true what
            // will be promised, and what the next recovery will demand of a log that is not the newest.
            file.sync()?;
        }
        if ended != WalEnd::Clean {
            logs.sealed.push((number, summary.valid_bytes));
        }
        if !Canary::ReuseSequence.is_awake() {
            logs.last_sequence = logs.last_sequence.max(summary.last_sequence);
        }
        if !memtable.is_empty() {
            logs.closed.push(log);
            let reason = format!("memtable {id} was read back from log {number} at opening");
            let memtable = Arc::new(memtable);
            logs.immutables.insert(0, Immutable { memtable, cause: None, reason, log: None });
        }
        Ok(summary)
    }

    /// Writes the new manifest, switches to it, starts a new log, and deletes the files `needless`.
    fn rebuild(
        &self,
        frame: &Frame,
        state: &ManifestState,
        logs: Logs,
        needless: &[FileName],
    ) -> Result<Parts> {
        let slot = frame.slot;
        let [number, log_number] = needed::numbers(frame, state);
        // A database of an older version gets its identity here: files from this manifest on carry it.
        let given = slot.and_then(|slot| slot.identity);
        let identity = given.unwrap_or_else(|| self.storage.identity());
        let identified_from = match (slot, given) {
            (Some(_), None) => number,
            _ => state.identified_from,
        };
        let next = slot.map_or(Ok(1), |slot| slot.next(number).map(|next| next.epoch))?;
        let next = Slot { epoch: next, manifest: number, identity: Some(identity) };
        let next_file = log_number + 1;
        // An opening that was killed here may have left a manifest with the identity that it chose. Once
        // `CURRENT` has another one, that manifest would look like a stranger's.
        if given.is_none() {
            self.sweep(needless)?;
        }
        let before = logs.closed.last().map(|log| log.wal);
        let oldest_log = logs.closed.first().map_or(log_number, |log| log.wal);
        let snapshot = VersionEdit {
            log_number: Some(oldest_log),
            next_file: Some(next_file),
            last_sequence: Some(logs.last_sequence),
            removed: Vec::new(),
            added: state.version.tables().map(|(l, meta)| (l, Arc::clone(meta))).collect(),
            sealed_logs: logs.sealed.clone(),
            identified_from: (identified_from > 0).then_some(identified_from),
        };
        let log = Log::manifest(number, next.identity);
        let manifest = self.write_manifest(log, &snapshot)?;
        self.switch(next)?;
        let manifest = ManifestLog::new(
            manifest,
            ManifestState::of_snapshot(state.version.clone(), &snapshot),
            next,
            slot.map(|slot| slot.manifest),
        );
        let wal = WalWriter::create_after(
            &**self.storage,
            Log::wal(log_number, next.identity),
            before.map(Before::ended),
            self.options.wal_reserve_bytes(),
        )?;
        self.storage.sync_directory()?;
        let bytes = wal.bytes();
        self.emit(|| EventKind::WalCreate { wal: log_number, bytes });
        if given.is_some() {
            self.sweep(needless)?;
        }
        let last_sequence = logs.last_sequence;
        let new_database = slot.is_none();
        let id = logs.immutables.first().map_or(1, |newest| newest.memtable.id() + 1);
        let active = Arc::new(Memtable::new(id, log_number, self.options.memtable_bytes));
        self.emit(|| EventKind::RecoveryDone {
            last_sequence,
            new_database,
            memtable: active.view(false),
        });
        let mut core = Core::new(Recovered {
            active: Arc::clone(&active),
            immutables: logs.immutables,
            version: Arc::new(state.version.clone()),
            closed_wals: logs.closed,
            next_file,
            next_memtable: id + 1,
        });
        core.update_flush_due(self.options, false);
        Ok(Parts { core, manifest, writer: Writer::new(wal, active), last_sequence })
    }

    fn write_manifest(&self, log: Log, edit: &VersionEdit) -> Result<ManifestWriter> {
        let mut manifest = ManifestWriter::create(&**self.storage, log, edit)?;
        manifest.sync()?;
        self.storage.sync_directory()?;
        let bytes = manifest.bytes();
        self.emit(|| EventKind::ManifestCreate { manifest: log.number(), bytes });
        Ok(manifest)
    }

    fn switch(&self, slot: Slot) -> Result<()> {
        current::write(&**self.storage, slot)?;
        self.storage.sync_directory()?;
        self.emit(|| EventKind::ManifestSwitch { manifest: slot.manifest, epoch: slot.epoch });
        Ok(())
    }

    /// Deletes the files `needless`. What cannot be deleted now is swept at the next opening.
    fn sweep(&self, needless: &[FileName]) -> Result<()> {
        for name in needless {
            match self.storage.delete(*name) {
                Ok(()) => self.emit(|| deleted(*name)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }
}

fn deleted(name: FileName) -> EventKind {
    match name {
        FileName::Wal(wal) => EventKind::WalDelete { wal },
        FileName::Table(table) => EventKind::TableDelete { table },
        _ => EventKind::ManifestDelete { manifest: name.number().unwrap_or(0) },
    }
}
