//! Opening for reading: the same recovery, of which nothing reaches the disk.

use super::{EarlyEvents, Logs, Opened, Parts, Recovery, Writer};
use crate::event::{Event, EventBus, EventKind, EventSink};
use crate::manifest::{ManifestLog, ManifestState, current};
use crate::memtable::Memtable;
use crate::state::{Core, Recovered, Shared};
use crate::storage::{FileName, MemoryStorage, Storage};
use crate::survey::Frame;
use crate::wal::WalWriter;
use crate::wal::file::Log;
use crate::{Error, ErrorKind, Maintenance, Options, Result};
use std::sync::Arc;

/// How often reading starts again when the owner changes the files meanwhile.
const ATTEMPTS_MAX: usize = 20;

/// Opens for reading, without a lock.
pub(in crate::db) fn open_for_reading(
    storage: &Arc<dyn Storage>,
    mut options: Options,
    sink: Option<Arc<dyn EventSink>>,
) -> Result<Opened> {
    // There is nothing to maintain.
    options.maintenance = Maintenance::Manual;
    let (mut opened, emitted) = read_state(storage, &options, |parts, events| {
        let Parts { core, manifest, writer, last_sequence } = parts;
        let (storage, options) = (Arc::clone(storage), options.clone());
        let shared = Shared::new(storage, options, events, core, manifest, last_sequence);
        shared.hold_tables(&shared.read_view().version)?;
        Ok(Opened { shared: shared.for_reading(), writer })
    })?;
    if let Some(sink) = &sink {
        for event in emitted {
            sink.event(event);
        }
    }
    opened.shared.events.replace_sink(sink);
    Ok(opened)
}

/// Reads the state of the files and hands it to `finish`, which may need more of them; the events of the attempt that
/// succeeded come with the result.
///
/// The owner of the database may delete a file between the moment when it is found and the moment when it
/// is read. Then all of it starts again, but only if the directory has really changed, or a file that was listed has
/// gone.
///
/// # Errors
/// Those of recovery; `WouldBlock` when the owner changed the files during every attempt.
pub(in crate::db) fn read_state<T>(
    storage: &Arc<dyn Storage>,
    options: &Options,
    mut finish: impl FnMut(Parts, EventBus) -> Result<T>,
) -> Result<(T, Vec<Event>)> {
    let mut has_moved = false;
    let mut attempts = 1;
    loop {
        let before = state_of(&**storage)?;
        let early = EarlyEvents::new();
        let events = EventBus::new(early.sink());
        let read = Recovery { storage, options, events: &events, reading: true }.run();
        match read.and_then(|parts| finish(parts, events)) {
            Ok(finished) => return Ok((finished, early.taken())),
            Err(error) => {
                if !matches!(error.kind(), ErrorKind::Corruption | ErrorKind::NotFound) {
                    return Err(error);
                }
                let moved = state_of(&**storage)? != before;
                has_moved |= moved;
                let has_gone = error.kind() == ErrorKind::NotFound && error.file().is_some();
                if !moved && !has_gone {
                    return Err(error);
                }
                if attempts == ATTEMPTS_MAX {
                    return Err(if has_moved { too_fast() } else { error });
                }
                attempts += 1;
            }
        }
    }
}

/// No attempt saw the files of one moment.
fn too_fast() -> Error {
    let message = format!(
        "the owner of the database changed its files during each of {ATTEMPTS_MAX} attempts to read them; \
         nothing is wrong with them: call again"
    );
    Error::new(ErrorKind::WouldBlock, message)
}

/// The state that every write of the owner changes: the names of the files, and `CURRENT`.
fn state_of(storage: &dyn Storage) -> Result<(Vec<String>, Option<Vec<u8>>)> {
    Ok((storage.list()?, current::read(storage)?))
}

impl Recovery<'_> {
    /// As [`Self::rebuild`], but without a new manifest and a new log: the active memtable stays empty, and
    /// its writer has an unused log in memory.
    pub(super) fn look(&self, frame: &Frame, state: ManifestState, logs: Logs) -> Result<Parts> {
        let slot = frame.slot.ok_or_else(|| {
            Error::new(ErrorKind::NotFound, "there is no database here that could be read")
        })?;
        // The number in the manifest may be that of a write in a log that was not there yet when the files were listed.
        let newest = frame.logs().into_iter().max().unwrap_or(0);
        let is_newer = |name: &String| matches!(FileName::parse(name), Some(FileName::Wal(number)) if number > newest);
        let last_sequence = if self.storage.list()?.iter().any(is_newer) {
            logs.last_sequence
        } else {
            logs.last_sequence.max(state.last_sequence)
        };
        let id = logs.immutables.first().map_or(1, |newest| newest.memtable.id() + 1);
        let wal = WalWriter::create_after(&MemoryStorage::new(), Log::wal(0, None), None, 0)?;
        let active = Arc::new(Memtable::new(id, 0, self.options.memtable_bytes));
        self.emit(|| EventKind::RecoveryDone {
            last_sequence,
            new_database: false,
            memtable: active.view(false),
        });
        let core = Core::new(Recovered {
            active: Arc::clone(&active),
            immutables: logs.immutables,
            version: Arc::new(state.version.clone()),
            closed_wals: logs.closed,
            next_file: state.next_file.max(frame.next_number()),
            next_memtable: id + 1,
        });
        let manifest = ManifestLog::for_reading(state, slot);
        Ok(Parts { core, manifest, writer: Writer::new(wal, active), last_sequence })
    }
}
