//! Figures over time: those of `stats` after each call, for the charts of the page.

use levelscope::Db;
use levelscope_console::protocol::Sample;

/// Most samples of one message to the page; of more, every second one goes.
const SAMPLES_MAX: usize = 128;

/// Samples since the last message to the page.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    kept: Vec<Sample>,
    /// Step of the newest sample.
    last_step: u64,
}

impl Samples {
    /// No samples yet; the first one comes after `step`.
    pub(crate) fn from(step: u64) -> Self {
        Self { kept: Vec::new(), last_step: step }
    }

    /// Notes the figures of `db` at `step`, unless nothing has happened since.
    pub(crate) fn note(&mut self, step: u64, db: Option<&Db>) {
        let Some(db) = db.filter(|_| step > self.last_step) else { return };
        self.last_step = step;
        if self.kept.len() >= SAMPLES_MAX {
            let mut index = 0_usize;
            self.kept.retain(|_| {
                index += 1;
                index.is_multiple_of(2)
            });
        }
        let stats = db.stats();
        let level_bytes: Vec<u64> =
            db.view().levels.iter().map(|level| level.score.bytes).collect();
        self.kept.push(Sample {
            step,
            write_amplification: stats.write_amplification,
            read_amplification: stats.read_amplification,
            space_amplification_estimate: stats.space_amplification_estimate,
            level_bytes,
            stalls: stats.stalls,
            slowdowns: stats.slowdowns,
        });
    }

    /// Takes the samples, oldest first.
    pub(crate) fn take(&mut self) -> Vec<Sample> {
        std::mem::take(&mut self.kept)
    }
}
