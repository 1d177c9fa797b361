//! A compaction to do, and its reason in plain words.

use crate::key::Span;
use crate::manifest::{RunNumber, TableMeta, Version};
use crate::sorting;
use crate::storage::FileNumber;
use crate::text;
use crate::view::{LevelScore, PlanView, ScoreUnit};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A compaction to do.
///
/// Invariants: a table of `level` that is no input and not newer shares no key with the inputs. A table of
/// the output run that is no input shares no key with the outputs. A run of the output level that is newer
/// than the output run shares no key with them either, unless it holds newer data. So the versions of a key
/// keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The level that gets smaller.
    pub(crate) level: usize,
    /// The level that gets the outputs: the one below, or `level` itself; a deeper one when a caller asked for it, and
    /// then the overlapping tables of the levels between are among the inputs.
    pub(crate) output_level: usize,
    /// The run of that level which they join, or begin.
    pub(crate) output_run: RunNumber,
    /// Tables to merge with their level, newer data first.
    pub(crate) inputs: Vec<(usize, Arc<TableMeta>)>,
    /// Why, in plain words with the numbers.
    pub(crate) reason: String,
    /// The inputs can change their level without being rewritten.
    pub(crate) trivial_move: bool,
    /// First user keys of all parts but the first: parts may run at once.
    pub(crate) boundaries: Vec<Vec<u8>>,
}

impl Plan {
    /// The smallest span with all keys of the inputs.
    pub(crate) fn span(&self) -> Option<Span<'_>> {
        span_of(self.inputs.iter().map(|(_, table)| table))
    }

    /// The entry of an output in the manifest: `meta` as a table of the output run.
    pub(crate) fn in_output_run(&self, meta: &TableMeta) -> Arc<TableMeta> {
        Arc::new(TableMeta { run: self.output_run, ..meta.clone() })
    }

    /// Average size of an entry of the inputs \[bytes\].
    pub(crate) fn entry_bytes(&self) -> u64 {
        let inputs = || self.inputs.iter().map(|(_, meta)| meta);
        let entries: u64 = inputs().map(|meta| meta.entries).sum();
        inputs().map(|meta| meta.bytes).sum::<u64>() / entries.max(1)
    }

    /// The bytes that it reads; those that it writes are as many at most \[bytes\].
    pub(crate) fn cost_bytes(&self) -> u64 {
        if self.trivial_move { 0 } else { self.inputs.iter().map(|(_, table)| table.bytes).sum() }
    }

    /// The tables that stay and may hold older versions of merged keys, run by run.
    ///
    /// Runs above the source and newer ones beside the inputs hold newer data. The other tables of the source level
    /// share no key with the inputs; they are listed so that correctness does not depend on that alone.
    pub(crate) fn older_data(&self, version: &Version) -> Vec<Vec<Arc<TableMeta>>> {
        let inputs: BTreeSet<FileNumber> =
            sorting::set(self.inputs.iter().map(|(_, table)| table.number));
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

    /// Whether the inputs may go to the output run as they are: they share no key, there are none of
    /// the output level among them, and none has tombstones that have nothing left to hide.
    pub(super) fn may_move(&self, version: &Version) -> bool {
        let mut tables: Vec<_> = self.inputs.iter().map(|(_, table)| table).collect();
        sorting::sort_by(&mut tables, |left, right| left.first_key().cmp(right.first_key()));
        let disjoint = tables.windows(2).all(|pair| match pair {
            [left, right] => left.span().to <= right.span().from,
            _ => true,
        });
        if !disjoint || self.inputs.iter().any(|(level, _)| *level == self.output_level) {
            return false;
        }
        let older = self.older_data(version);
        let hides_something =
            |table: &TableMeta| older.iter().flatten().any(|other| other.overlaps(&table.span()));
        tables.iter().all(|table| !table.has_tombstones() || hides_something(table))
    }

    /// Whether all inputs are of one run.
    fn is_one_run(&self) -> bool {
        self.inputs.windows(2).all(|pair| match pair {
            [(level, left), (other, right)] => (level, left.run) == (other, right.run),
            _ => true,
        })
    }

    /// The plan as views show it.
    pub(crate) fn view(&self) -> PlanView {
        let below = self.inputs.iter().filter(|(level, _)| *level != self.level);
        PlanView {
            level: self.level,
            output_level: self.output_level,
            output_run: self.output_run,
            reason: self.reason.clone(),
            inputs: self
                .inputs
                .iter()
                .map(|(level, meta)| crate::event::TableAt { level: *level, table: meta.number })
                .collect(),
            input_bytes: self.inputs.iter().map(|(_, table)| table.bytes).sum(),
            overlap_bytes: below.map(|(_, table)| table.bytes).sum(),
            trivial_move: self.trivial_move,
        }
    }
}

/// The smallest span with all keys of `tables`.
pub(super) fn span_of<'a>(tables: impl Iterator<Item = &'a Arc<TableMeta>>) -> Option<Span<'a>> {
    tables.map(|table| table.span()).reduce(Span::hull)
}

/// A table that reads have made due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadDue {
    pub(crate) table: FileNumber,
    /// Reads that had to search it and others, and what walks over its hidden entries count as.
    pub(crate) reads: u64,
    /// Those entries, if most of these reads are such walks; otherwise 0.
    pub(crate) walked: u64,
}

/// The reason for a compaction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cause {
    /// The level is full.
    Due(LevelScore),
    /// Reads had to search a table and others.
    Reads(ReadDue),
    /// A caller asked for the level, or for a range of keys in it.
    Asked { range: bool },
}

/// The reason of `plan`, whose first `taken` inputs were chosen and whose others overlap them; `new_run`: the outputs
/// become a separate run.
pub(super) fn reason(
    version: &Version,
    plan: &Plan,
    cause: Cause,
    taken: usize,
    new_run: bool,
) -> String {
    let whole = reason_whole(version, plan, cause, taken, new_run);
    if plan.boundaries.is_empty() {
        return whole;
    }
    format!("{whole}, in {} parts", plan.boundaries.len() + 1)
}

fn reason_whole(
    version: &Version,
    plan: &Plan,
    cause: Cause,
    taken: usize,
    new_run: bool,
) -> String {
    let level = plan.level;
    let why = match cause {
        Cause::Asked { range: false } => format!("a command asked to compact L{level}"),
        Cause::Asked { range: true } => {
            format!("a command asked to compact a range of keys, and L{level} has some of them")
        }
        Cause::Reads(ReadDue { table, walked, .. }) if walked > 0 => {
            let walked = text::count(walked);
            format!("reads walked over {walked} deleted and overwritten entries of table {table}")
        }
        Cause::Reads(ReadDue { table, reads, .. }) => {
            let reads = text::counted(reads, "read");
            format!("{reads} had to search table {table} and others for the same keys")
        }
        Cause::Due(score) => due(score),
    };
    let what = match cause {
        Cause::Reads(due) if taken == 1 => format!("table {}", due.table),
        _ => chosen(version, plan, taken),
    };
    let verb = if taken == 1 { "is" } else { "are" };
    let (to, run) = (plan.output_level, plan.output_run);
    let target = if new_run { format!("run {run} of L{to}") } else { format!("L{to}") };
    match plan.inputs.len().saturating_sub(taken) {
        0 if plan.trivial_move && taken == 1 && new_run => {
            format!("{why}; {what} becomes {target} as it is")
        }
        0 if plan.trivial_move && taken == 1 => format!(
            "{why}; {what} moves to {target} as it is, because no table there has keys in its range"
        ),
        0 if plan.trivial_move => {
            format!("{why}; {what} move to {target} as they are, because they share no keys")
        }
        0 if to == level && plan.is_one_run() => format!("{why}; {what} {verb} rewritten there"),
        0 if to == level => format!("{why}; {what} become one run there"),
        0 if new_run && taken > 1 => format!("{why}; {what} become {target}"),
        0 if new_run => format!("{why}; {what} becomes {target}"),
        0 if taken == 1 => {
            format!("{why}; {what} is written to {target}, where no table overlaps it")
        }
        0 => format!("{why}; {what} are merged into {target}, where no table overlaps them"),
        below if to > level + 1 => format!(
            "{why}; {what} {verb} merged with {} of the levels down to L{to}",
            text::counted(below, "table")
        ),
        below => {
            let (own, lower) = plan.inputs.split_at_checked(taken).unwrap_or_default();
            let span = span_of(own.iter().map(|(_, table)| table));
            let overlap = |span: Span<'_>| lower.iter().any(|(_, table)| table.overlaps(&span));
            let others = if span.is_some_and(overlap) {
                format!("{} of L{to} whose keys overlap", text::counted(below, "table"))
            } else {
                format!("{} of L{to} beside it", text::counted(below, "small table"))
            };
            format!("{why}; {what} {verb} merged with {others}")
        }
    }
}

fn due(score: LevelScore) -> String {
    let LevelScore { level, bytes, runs, limit, score: ratio, unit, .. } = score;
    match unit {
        ScoreUnit::Runs if level == 0 => {
            let trigger = text::counted(limit, "table");
            if runs as u64 == limit {
                format!("L0 has reached its trigger of {trigger} (score {ratio:.2})")
            } else {
                let tables = text::counted(runs, "table");
                format!("L0 has {tables}, above its trigger of {limit} (score {ratio:.2})")
            }
        }
        ScoreUnit::Runs if limit == 1 => {
            format!("L{level} has {}, but should be one", text::counted(runs, "run"))
        }
        ScoreUnit::Runs => {
            format!(
                "L{level} has {}, its limit is {limit} (score {ratio:.2})",
                text::counted(runs, "run")
            )
        }
        ScoreUnit::Bytes => {
            let (bytes, limit) = (text::bytes(bytes), text::count(limit));
            format!("L{level} has {bytes}, its limit is {limit} (score {ratio:.2})")
        }
    }
}

/// The tables of its level that the plan takes.
fn chosen(version: &Version, plan: &Plan, taken: usize) -> String {
    let level = plan.level;
    let present = version.level(level).count();
    match plan.inputs.first() {
        Some((_, table)) if taken == 1 => match (level, present) {
            (_, 1) => format!("table {}", table.number),
            (0, _) if version.level(0).last().is_some_and(|last| last.number == table.number) => {
                format!("table {}, the oldest,", table.number)
            }
            (0, _) => format!("table {}, the oldest that need not wait,", table.number),
            _ => format!("table {}, the next in turn,", table.number),
        },
        _ if taken == present && level > 0 && version.runs(level).len() > 1 => {
            let runs = version.runs(level).len();
            format!("all {runs} runs, {},", text::counted(taken, "table"))
        }
        _ if taken == present && taken == 2 => "both".to_owned(),
        _ if taken == present => format!("all {taken}"),
        _ => format!("{} whose keys overlap", text::counted(taken, "table")),
    }
}
