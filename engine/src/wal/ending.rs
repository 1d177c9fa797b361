//! A log that takes no more records, and gets its clean end while writes go on in the next one.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use native::EndingLog;
#[cfg(target_arch = "wasm32")]
pub(crate) use none::EndingLog;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::super::writer::WalWriter;
    use crate::Result;
    use crate::storage::FileNumber;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// A full log on its way to its clean end. Who needs the end first makes it; everyone else waits for that.
    #[derive(Debug)]
    pub(crate) struct EndingLog {
        number: FileNumber,
        /// Until it has ended: afterwards its file is not held open.
        wal: Mutex<Option<WalWriter>>,
        ended: AtomicBool,
    }

    impl EndingLog {
        /// A log that takes no more records. All of it must be in the file.
        pub(crate) fn new(wal: WalWriter) -> Self {
            Self { number: wal.number(), wal: Mutex::new(Some(wal)), ended: AtomicBool::new(false) }
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

        /// Ends it, unless that is done. Calls `report` once with its length before \[bytes\] and the outcome, before
        /// any other thread sees the end.
        ///
        /// # Errors
        /// Those of [`WalWriter::close`].
        pub(crate) fn end(&self, report: impl FnOnce(&WalWriter, u64, &Result<()>)) -> Result<()> {
            let mut ending = self.wal();
            let Some(wal) = &mut *ending else { return Ok(()) };
            let (failed_before, bytes) = (wal.has_failed(), wal.bytes());
            let outcome = wal.close();
            if !failed_before {
                report(wal, bytes, &outcome);
            }
            if outcome.is_ok() {
                *ending = None;
                self.ended.store(true, Ordering::Release);
            }
            outcome
        }

        fn wal(&self) -> MutexGuard<'_, Option<WalWriter>> {
            self.wal.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

/// Without threads a log always ends before the next one begins.
#[cfg(target_arch = "wasm32")]
mod none {
    use super::super::writer::WalWriter;
    use crate::Result;
    use crate::storage::FileNumber;

    #[derive(Debug)]
    pub(crate) enum EndingLog {}

    impl EndingLog {
        pub(crate) fn number(&self) -> FileNumber {
            match *self {}
        }

        pub(crate) fn has_ended(&self) -> bool {
            match *self {}
        }

        pub(crate) fn end(&self, _: impl FnOnce(&WalWriter, u64, &Result<()>)) -> Result<()> {
            match *self {}
        }
    }
}
