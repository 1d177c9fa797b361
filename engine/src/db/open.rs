//! Opening: recovery reads everything on disk and decides before it changes anything.
//!
//! ```text
//! lock → list → CURRENT → manifest → all files opened → logs (into memtables)      reads only
//!      → new manifest, sync → new log, empty → CURRENT, sync → sweep        in this order
//! ```
//!
//! A crash after any of these steps leaves files from which the same steps come to the same result.

mod needed;
mod reading;
mod rebuild;

pub(super) use reading::{open_for_reading, read_state};

use super::write::Writer;
use crate::compaction;
use crate::event::{Event, EventBus, EventKind, EventSink, RecoveredLog, WalEnd};
#[cfg(feature = "events")]
use crate::event::{Grain, Recorder};
use crate::flaw::strict;
use crate::key::SeqNo;
use crate::manifest::{ManifestLog, ManifestState, Version};
use crate::memtable::Memtable;
use crate::state::{Core, Immutable, Shared};
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Frame, LogEnds};
use crate::view::WalView;
use crate::wal::chain::{self, Link};
use crate::wal::file::Log;
use crate::wal::{self, LogEnd, WalRecord, WalSummary};
use crate::{Error, ErrorKind, Options, Result};
use std::sync::Arc;

/// So many logs that are replayed have a memtable each. More of them share memtables and are flushed at once: programs
/// that live a second leave a log each, which would be replayed by every later one (decision 72).
pub(super) const LOGS_APART_MAX: usize = 4;

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
    let early = EarlyEvents::new();
    let mut events = EventBus::new(early.sink());
    let recovered =
        Recovery { storage: &storage, options: &options, events: &events, reading: false }.run();
    let blocked = matches!(&recovered, Err(error) if error.kind() == ErrorKind::WouldBlock);
    if !blocked {
        early.forward(sink.as_ref());
    }
    events.replace_sink(sink);
    let Parts { core, manifest, writer, last_sequence } = recovered?;
    let shared = Shared::new(storage, options, events, core, manifest, last_sequence);
    Ok(Opened { shared, writer })
}

/// The result of recovery.
pub(super) struct Parts {
    pub(super) core: Core,
    pub(super) manifest: ManifestLog,
    writer: Writer,
    pub(super) last_sequence: SeqNo,
}

/// The events of an attempt to open, until it is known that it counts.
struct EarlyEvents {
    #[cfg(feature = "events")]
    recorder: Arc<Recorder>,
}

#[cfg(feature = "events")]
#[expect(clippy::unnecessary_wraps, reason = "as without events")]
impl EarlyEvents {
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
impl EarlyEvents {
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

impl EarlyEvents {
    /// Hands all events to `sink`, which listens from now on.
    fn forward(&self, sink: Option<&Arc<dyn EventSink>>) {
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
    /// There are so many logs that they share memtables.
    shares: bool,
}

impl Logs {
    /// The memtable of the log before, if it takes a log of `bytes`, too \[bytes\].
    fn shared_memtable(&self, bytes: u64) -> Option<Arc<Memtable>> {
        let newest = self.immutables.first().filter(|_| self.shares)?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        newest.memtable.fits(bytes).then(|| Arc::clone(&newest.memtable))
    }
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
        let shares = numbers.len() > LOGS_APART_MAX;
        let mut logs = Logs { last_sequence: begin, shares, ..Logs::default() };
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

    fn log(&self, log: Log, id: u64, end: LogEnd, logs: &mut Logs) -> Result<WalSummary> {
        let (name, number) = (log.name(), log.number());
        let file = self.storage.open(name)?;
        let shared = logs.shared_memtable(file.len()?);
        let is_new = shared.is_none();
        let memtable = shared
            .unwrap_or_else(|| Arc::new(Memtable::new(id, number, self.options.memtable_bytes)));
        let before = memtable.entries();
        let summary = wal::replay(&*file, log, end, &mut |record: &WalRecord<'_>| {
            memtable
                .insert_batch(record.first_sequence, record.entries())
                .map_err(|what| Error::corruption(name, record.offset, what.to_string()))
        })?;
        let entries = memtable.entries().saturating_sub(before);
        let (records, ended) = (summary.records, summary.end);
        logs.last_sequence = logs.last_sequence.max(summary.last_sequence);
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
            kept: (records > 0).then(|| RecoveredLog {
                log: log.clone(),
                memtable: memtable.view(true),
                last_sequence: logs.last_sequence,
            }),
        });
        if end == LogEnd::Newest && !self.reading {
            // The written bytes may be only in the page cache, a clean end too. The sync fulfils later promises, and
            // the demands of the next recovery on a log that is not the newest.
            file.sync()?;
        }
        if ended != WalEnd::Clean {
            logs.sealed.push((number, summary.valid_bytes));
        }
        if records > 0 {
            logs.closed.push(log);
            let (id, first) = (memtable.id(), memtable.wal());
            let from = if is_new { "log".to_owned() } else { format!("logs {first} to") };
            let reason = format!("memtable {id} was read back from {from} {number} at opening");
            logs.immutables.retain(|immutable| immutable.memtable.id() != id);
            logs.immutables.insert(0, Immutable { memtable, cause: None, reason, log: None });
        }
        Ok(summary)
    }
}
