#![expect(clippy::disallowed_types, reason = "the one file of the program that reads a clock")]
//! The clock that benchmarks are measured with.

use std::time::Instant;

/// Runs from when it was made.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Nanoseconds since then; `None` after 584 years.
    pub(crate) fn nanos(&self) -> Option<u64> {
        u64::try_from(self.0.elapsed().as_nanos()).ok()
    }
}
