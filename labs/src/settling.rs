//! Live data, measured: the result of a full compaction.

use levelscope::{Budget, Db, Result, StepOutcome};
use std::collections::BTreeSet;

/// Brings all tables into one run, unit by unit: their bytes are those of the live data then.
#[derive(Debug, Default)]
pub struct FullCompaction {
    asked: u8,
}

impl FullCompaction {
    /// Does one unit, a phase of background work at most; whether that was the last one.
    ///
    /// # Errors
    /// Those of [`Db::step`].
    pub fn step(&mut self, db: &Db) -> Result<bool> {
        if db.has_work() && db.step(Budget::Phase)? != StepOutcome::Idle {
            return Ok(false);
        }
        match self.asked {
            0 => db.request_compaction(None).map(|_| ())?,
            // Where runs pile up in the deepest level, they become one.
            1 => {
                let deepest = db.options().level_count - 1;
                if runs(db, deepest) > 1 {
                    db.request_compaction(Some(deepest))?;
                }
            }
            _ => return Ok(true),
        }
        self.asked += 1;
        Ok(false)
    }
}

/// Sorted runs of one level.
fn runs(db: &Db, level: usize) -> usize {
    let view = db.view();
    let tables = view.levels.get(level).map(|level| level.tables.as_slice()).unwrap_or_default();
    tables.iter().map(|table| table.run).collect::<BTreeSet<u64>>().len()
}
