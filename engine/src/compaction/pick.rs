//! The leveled strategy: which tables to merge next, and the reason in plain words.
//!
//! A level is due when its score reaches one: L0 by the number of its tables, deeper levels by their
//! bytes. The deepest level is never due. The level with the highest score goes first.

use crate::Options;
use crate::key::user_key;
use crate::manifest::{Run, RunNumber, TableMeta, Version};
use crate::storage::FileNumber;
use crate::view::LevelScore;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A compaction to do.
///
/// Invariants: no table of `level` that stays behind shares a key with the inputs, and every table of
/// `output_level` that does is an input, so versions of a key never change places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The level that gets smaller.
    pub(crate) level: usize,
    /// The level that gets the outputs.
    pub(crate) output_level: usize,
    /// The run of that level which they join, or begin.
    pub(crate) output_run: RunNumber,
    /// Tables to merge with their level, newer data first.
    pub(crate) inputs: Vec<(usize, Arc<TableMeta>)>,
    /// Why, in plain words with the numbers.
    pub(crate) reason: String,
    /// The one input can change its level without being rewritten.
    pub(crate) trivial_move: bool,
}

impl Plan {
    /// The tables that stay and may hold older versions of what is merged, run by run.
    ///
    /// Runs above the source and newer ones beside the inputs hold newer data. What the source level
    /// keeps shares no key with the inputs; it is listed so that nothing rests on that alone.
    pub(crate) fn older_data(&self, version: &Version) -> Vec<Vec<Arc<TableMeta>>> {
        let inputs: BTreeSet<FileNumber> =
            self.inputs.iter().map(|(_, table)| table.number).collect();
        let newest_input = self.inputs.iter().filter(|(level, _)| *level == self.level);
        let newest_input = newest_input.map(|(_, table)| table.run).max().unwrap_or(0);
        let mut older = Vec::new();
        for level in self.level..version.level_count() {
            for run in version.runs(level) {
                let newer = level == self.output_level && run.number() > self.output_run
                    || level == self.level && run.number() > newest_input;
                let stays = |table: &&Arc<TableMeta>| !inputs.contains(&table.number);
                let tables: Vec<_> = run.tables().iter().filter(stays).cloned().collect();
                if !newer && !tables.is_empty() {
                    older.push(tables);
                }
            }
        }
        older
    }
}

/// How full each level is, L0 first: one for each level of the options, and more when a database that
/// was opened with more levels has tables there.
pub(crate) fn scores(version: &Version, options: &Options) -> Vec<LevelScore> {
    let count = level_count(version, options);
    (0..count).map(|level| score(version, options, level, level + 1 == count)).collect()
}

/// The compaction that is most needed; `None` when no level is due.
///
/// `cursors` has the largest user key that the last compaction of each level took: levels are taken in
/// turns, so that no range is compacted again and again.
pub(crate) fn pick(version: &Version, options: &Options, cursors: &[Vec<u8>]) -> Option<Plan> {
    let mut due = scores(version, options);
    due.retain(|score| score.score >= 1.0);
    due.sort_by(|left, right| right.score.partial_cmp(&left.score).unwrap_or(Ordering::Equal));
    due.iter().find_map(|score| {
        let seeds = match score.level {
            0 => oldest_with_overlaps(version),
            level => next_in_turn(version, level, cursors.get(level)),
        };
        plan(version, score.level, seeds, &Cause::Due { score: *score })
    })
}

/// A compaction of what `level` holds in `range` (user keys, both included; `None`: everything),
/// whether or not it is due; `None` when there is nothing to compact or no level below.
pub(crate) fn manual(
    version: &Version,
    options: &Options,
    level: usize,
    range: Option<(&[u8], &[u8])>,
) -> Option<Plan> {
    if level + 1 >= level_count(version, options) {
        return None;
    }
    let inside = |table: &&Arc<TableMeta>| {
        range.is_none_or(|(smallest, largest)| table.overlaps(smallest, largest))
    };
    let mut seeds: Vec<_> = version.level(level).filter(inside).cloned().collect();
    if level == 0 {
        seeds = with_overlaps(version, seeds);
    }
    plan(version, level, seeds, &Cause::Asked)
}

fn level_count(version: &Version, options: &Options) -> usize {
    options.level_count.max(version.level_count())
}

fn score(version: &Version, options: &Options, level: usize, deepest: bool) -> LevelScore {
    let bytes = version.level_bytes(level);
    let (amount, limit) = match level {
        _ if deepest => (0, 0),
        0 => (version.runs(0).len() as u64, options.l0_trigger as u64),
        _ => (bytes, limit_bytes(options, level)),
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a score compares sizes; its last bits say nothing"
    )]
    let score = if limit == 0 { 0.0 } else { amount as f64 / limit as f64 };
    LevelScore { level, bytes, limit, score }
}

/// Size of level 1 or deeper that starts a compaction \[bytes\].
fn limit_bytes(options: &Options, level: usize) -> u64 {
    (1..level)
        .fold(options.level_base_bytes, |limit, _| limit.saturating_mul(options.level_multiplier))
}

/// The oldest L0 table and all that overlap it, directly or through others.
fn oldest_with_overlaps(version: &Version) -> Vec<Arc<TableMeta>> {
    with_overlaps(version, version.level(0).last().cloned().into_iter().collect())
}

/// `seeds` and all L0 tables within or across their range, in the order of L0.
///
/// Were one left behind, an older version of a key would hide a newer one that has moved down.
fn with_overlaps(version: &Version, seeds: Vec<Arc<TableMeta>>) -> Vec<Arc<TableMeta>> {
    let mut chosen = seeds;
    while let Some((smallest, largest)) = range_of(&chosen) {
        let wider = version.overlapping(0, smallest, largest);
        if wider.len() == chosen.len() {
            return wider;
        }
        chosen = wider;
    }
    Vec::new()
}

/// The first table that reaches beyond the cursor, or the first of all after the last.
fn next_in_turn(version: &Version, level: usize, cursor: Option<&Vec<u8>>) -> Vec<Arc<TableMeta>> {
    let beyond = |table: &&Arc<TableMeta>| {
        cursor
            .is_none_or(|cursor| cursor.is_empty() || user_key(&table.largest) > cursor.as_slice())
    };
    let mut tables = version.level(level);
    let found = tables.find(beyond).or_else(|| version.level(level).next());
    found.cloned().into_iter().collect()
}

/// Smallest and largest user key of `tables`.
fn range_of(tables: &[Arc<TableMeta>]) -> Option<(&[u8], &[u8])> {
    let smallest = tables.iter().map(|table| user_key(&table.smallest)).min()?;
    let largest = tables.iter().map(|table| user_key(&table.largest)).max()?;
    Some((smallest, largest))
}

/// What made a compaction necessary.
enum Cause {
    Due { score: LevelScore },
    Asked,
}

fn plan(
    version: &Version,
    level: usize,
    taken: Vec<Arc<TableMeta>>,
    cause: &Cause,
) -> Option<Plan> {
    let (smallest, largest) = range_of(&taken)?;
    let output_level = level + 1;
    let below = version.overlapping(output_level, smallest, largest);
    let trivial_move = match (cause, taken.as_slice()) {
        (Cause::Due { .. }, [table]) => below.is_empty() && !may_drop(version, table, output_level),
        _ => false,
    };
    let reason = reason(version, cause, level, &taken, &below, trivial_move);
    let mut inputs: Vec<_> = taken.into_iter().map(|table| (level, table)).collect();
    inputs.extend(below.into_iter().map(|table| (output_level, table)));
    let output_run = version.runs(output_level).first().map_or(1, Run::number);
    Some(Plan { level, output_level, output_run, inputs, reason, trivial_move })
}

/// Whether `table` has tombstones that have nothing left to hide below `output_level`.
fn may_drop(version: &Version, table: &TableMeta, output_level: usize) -> bool {
    let (smallest, largest) = (user_key(&table.smallest), user_key(&table.largest));
    table.tombstones > 0
        && (output_level + 1..version.level_count())
            .all(|deeper| version.overlapping(deeper, smallest, largest).is_empty())
}

fn reason(
    version: &Version,
    cause: &Cause,
    level: usize,
    taken: &[Arc<TableMeta>],
    below: &[Arc<TableMeta>],
    trivial_move: bool,
) -> String {
    let output_level = level + 1;
    let present = version.level(level).count();
    let why = match cause {
        Cause::Asked => format!("somebody asked to compact L{level}"),
        Cause::Due { score } if level == 0 => {
            format!("L0 has {}, its trigger is {}", tables(present), score.limit)
        }
        Cause::Due { score } => {
            format!("L{level} has {} bytes, its limit is {}", score.bytes, score.limit)
        }
    };
    let what = match taken {
        [table] if level == 0 && present > 1 => format!("table {}, the oldest,", table.number),
        [table] if present > 1 => format!("table {}, the next in turn,", table.number),
        [table] => format!("table {}", table.number),
        _ if taken.len() == present => format!("all {} of them", taken.len()),
        _ => format!("{} whose keys overlap", tables(taken.len())),
    };
    let verb = if taken.len() == 1 { "is" } else { "are" };
    match below.len() {
        0 if trivial_move => format!(
            "{why}; {what} moves to L{output_level} as it is, because no table there has keys in \
             its range"
        ),
        0 => format!("{why}; {what} {verb} written to L{output_level}, where no table overlaps"),
        count => {
            format!(
                "{why}; {what} {verb} merged with {} of L{output_level} whose keys overlap",
                tables(count)
            )
        }
    }
}

fn tables(count: usize) -> String {
    if count == 1 { "1 table".to_owned() } else { format!("{count} tables") }
}
