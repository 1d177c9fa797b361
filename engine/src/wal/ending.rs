//! A log that takes no more records, and gets its clean end while writes go on in the next one.

use super::writer::WalWriter;
use crate::Result;
use crate::storage::FileNumber;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A full log on its way to its clean end. Who needs the end first makes it; everyone else waits for that.
#[derive(Debug)]
pub(crate) struct EndingLog {
    number: FileNumber,
    wal: Mutex<WalWriter>,
    ended: AtomicBool,
}

impl EndingLog {
    /// A log that takes no more records. All of it must be in the file.
    pub(crate) fn new(wal: WalWriter) -> Self {
        Self { number: wal.number(), wal: Mutex::new(wal), ended: AtomicBool::new(false) }
    }

    /// Number in the file name.
    pub(crate) fn number(&self) -> FileNumber {
        self.number
    }

    /// Whether it has its clean end, and is durable. Cost: one load.
    #[inline]
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Ends it, unless that is done: `told` hears once of its length before \[bytes\] and of the outcome, before anyone
    /// else does.
    ///
    /// # Errors
    /// Those of [`WalWriter::close`].
    pub(crate) fn end(&self, told: impl FnOnce(&WalWriter, u64, &Result<()>)) -> Result<()> {
        let mut wal = self.wal();
        if wal.is_closed() {
            return Ok(());
        }
        let (failed_before, bytes) = (wal.has_failed(), wal.bytes());
        let outcome = wal.close();
        if !failed_before {
            told(&wal, bytes, &outcome);
        }
        self.ended.store(outcome.is_ok(), Ordering::Release);
        outcome
    }

    fn wal(&self) -> MutexGuard<'_, WalWriter> {
        self.wal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
