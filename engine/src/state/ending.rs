//! Clean ends of logs that the writer did not wait for.

use super::Shared;
use crate::Result;
use crate::event::EventKind;
use crate::view::WalView;
use crate::wal::{EndingLog, WalWriter};

impl Shared {
    /// Gives `log` its clean end, unless it has one, and makes all of it durable.
    ///
    /// # Errors
    /// Those of [`WalWriter::close`]: the database is read-only from now on.
    pub(crate) fn end_log(&self, log: &EndingLog) -> Result<()> {
        if log.has_ended() {
            return Ok(());
        }
        log.end(|wal, before_bytes, outcome| self.emit_end(wal, before_bytes, outcome))
            .map_err(|error| self.fail(error))
    }

    fn emit_end(&self, wal: &WalWriter, before_bytes: u64, outcome: &Result<()>) {
        let log = wal.view();
        if outcome.is_ok() {
            self.counters.wal_bytes.add(log.bytes.saturating_sub(before_bytes));
            self.counters.wal_syncs.add(1);
        }
        let mut core = self.core();
        if let Some(view) = core.closed_wals.iter_mut().find(|view| view.wal == log.wal) {
            *view = log.clone();
        }
        // Emitted under the lock, so that views and events agree.
        let WalView { wal, bytes, records, .. } = log;
        self.events.emit(None, None, || match outcome {
            Ok(()) => EventKind::WalClose { wal, bytes, records },
            Err(_) => EventKind::WalFailed { log },
        });
    }
}
