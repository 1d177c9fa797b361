//! Whether the order of levels and runs tells the truth: the first that has a key has its newest version.

use super::Db;
use crate::Result;
use crate::event::ShownKey;
use crate::iter::{Cursor, LevelCursor};
use crate::key::{compare_internal, parse_internal_key};
use crate::manifest::Version;
use std::sync::Arc;

/// Problems told of one kind: the first ones say enough.
const PROBLEMS_MAX: usize = 10;

/// One run, and where it is.
struct Source {
    level: usize,
    run: u64,
    cursor: LevelCursor,
}

impl Db {
    /// Walks all runs side by side; a sentence for each key whose newer version lies in an older run.
    ///
    /// Cost: reads every entry once; the number of runs for each.
    pub(super) fn check_order(&self, version: &Version) -> Result<Vec<String>> {
        let mut sources = Vec::new();
        for level in 0..version.level_count() {
            for run in version.runs(level) {
                let opener = Arc::clone(&self.shared().tables);
                let mut cursor = LevelCursor::new(Arc::clone(run), opener);
                cursor.seek_to_first()?;
                sources.push(Source { level, run: run.number(), cursor });
            }
        }
        let mut problems = Vec::new();
        let mut last: Option<(Vec<u8>, usize)> = None;
        while let Some(index) = smallest(&sources) {
            let Some(source) = sources.get_mut(index) else { break };
            let Some(entry) = parse_internal_key(source.cursor.key()) else { break };
            // Versions come newest first: each must lie as deep as the one before, or deeper.
            let newer = last.take().filter(|(key, _)| key == entry.user_key);
            let before = newer.as_ref().map_or(0, |(_, index)| *index);
            let (level, run, sequence) = (source.level, source.run, entry.sequence);
            let (key, shown) = (entry.user_key.to_vec(), ShownKey::new(entry.user_key));
            source.cursor.next()?;
            if before > index {
                let deeper =
                    sources.get(before).map_or((0, 0), |source| (source.level, source.run));
                problems.push(format!(
                    "run {run} of L{level} has {shown} with sequence number {sequence} and hides a \
                     newer version in run {} of L{}",
                    deeper.1, deeper.0
                ));
                if problems.len() == PROBLEMS_MAX {
                    break;
                }
            }
            last = Some((key, before.max(index)));
        }
        Ok(problems)
    }
}

/// The source whose entry comes first.
fn smallest(sources: &[Source]) -> Option<usize> {
    let valid = sources.iter().enumerate().filter(|(_, source)| source.cursor.valid());
    let first = valid
        .min_by(|(_, left), (_, right)| compare_internal(left.cursor.key(), right.cursor.key()));
    first.map(|(index, _)| index)
}
