//! Which tables to merge next.
//!
//! The level with the highest score goes first. Its inputs depend on the strategy. Whatever shape
//! another strategy has left, each of them copes with it.

use super::claim::Claims;
use super::plan::{Cause, Plan, ReadDue, reason, span_of};
use super::score::{level_count, scores};
use super::split::boundaries;
use super::strategy::Shape;
use crate::Options;
use crate::key::{Cut, Span};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::{RunNumber, TableMeta, Version};
use crate::sorting;
use crate::storage::FileNumber;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Tables of a level that are tried when running compactions are in the way of the first.
const TRIES_MAX: usize = 32;

/// A table below this share of `table_bytes` is a crumb: it is not moved beside another one, but merged with it, so that
/// programs that write little and close do not leave a table each.
const CRUMB_SHARE: u64 = 64;

/// Everything that a decision depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picker<'a> {
    pub(crate) version: &'a Version,
    pub(crate) options: &'a Options,
    /// Per level: the largest user key that its last compaction took. Levels are taken in turns, so
    /// that no range is compacted again and again.
    pub(crate) cursors: &'a [Vec<u8>],
    /// The inputs and outputs of running compactions.
    pub(crate) claims: &'a Claims,
    /// Tables that reads have made due, the first one first.
    pub(crate) read_due: &'a [ReadDue],
}

/// Where a requested compaction writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedTarget {
    /// This deeper level, together with overlapping tables of the levels between: all is read and written once.
    Level(usize),
    /// The same level: its runs become one. There is nothing to do for a single run.
    OneRun,
    /// The same level, as [`Self::OneRun`]; of a single run the tables with a number below this one, which
    /// a compaction filter may not have seen.
    Rewritten { before: FileNumber },
}

/// Where outputs go.
#[derive(Debug, Clone, Copy)]
struct OutputRun {
    level: usize,
    run: RunNumber,
    /// The run is made by them.
    new: bool,
}

impl Picker<'_> {
    /// The compaction that is most needed and can begin now, or `None`.
    ///
    /// A more urgent compaction that has to wait for running ones reserves its inputs. Otherwise L1 could
    /// keep moving tables down, one job after the other, and L0 would never get all of L1 at once.
    pub(crate) fn pick(&self) -> Option<Plan> {
        let mut due = scores(self.version, self.options);
        due.retain(|score| score.due);
        sorting::sort_by(&mut due, |left, right| {
            right.score.partial_cmp(&left.score).unwrap_or(Ordering::Equal)
        });
        let mut claims = Cow::Borrowed(self.claims);
        for score in due {
            let picker = Picker { claims: &claims, ..*self };
            match picker.of_level(score.level, Cause::Due(score)) {
                Some(plan) if !claims.forbid(&plan) => return Some(plan),
                Some(plan) => claims.to_mut().reserve(&plan),
                None => {}
            }
        }
        let picker = Picker { claims: &claims, ..*self };
        let mut plans = self.read_due.iter().filter_map(|due| picker.for_reads(*due));
        plans.find(|plan| !claims.forbid(plan))
    }

    /// The compaction of a table that reads have made due: with the next level, so that later reads find its keys in
    /// fewer tables. It may have to wait for running ones: see [`Claims`].
    ///
    /// `None` when the table is gone, when no level is below it, or when its level has several runs, which are
    /// merged anyway.
    pub(crate) fn for_reads(&self, due: ReadDue) -> Option<Plan> {
        let (level, table) = self.version.tables().find(|(_, table)| table.number == due.table)?;
        let several = level > 0 && self.version.runs(level).len() > 1;
        if several || level + 1 >= self.level_count() {
            return None;
        }
        let seeds = vec![Arc::clone(table)];
        let taken = if level == 0 { self.with_overlaps(level, seeds) } else { seeds };
        self.merge_down(level, taken, Cause::Reads(due))
    }

    /// A compaction of the tables of `level` in `range` (user keys, both included; `None`: all tables),
    /// whether or not it is due.
    /// `None` when there is nothing to do. It may have to wait for running ones: see [`Claims`].
    pub(crate) fn manual(
        &self,
        level: usize,
        range: Option<(&[u8], &[u8])>,
        target: AskedTarget,
    ) -> Option<Plan> {
        let inside = |table: &&Arc<TableMeta>| {
            range.is_none_or(|(smallest, largest)| {
                table.overlaps(&Span::inclusive(smallest, largest))
            })
        };
        let cause = Cause::Asked { range: range.is_some() };
        let seeds = |level| self.version.level(level).filter(inside).cloned().collect::<Vec<_>>();
        if let AskedTarget::Level(output_level) = target {
            let output_level = output_level.min(self.level_count() - 1);
            // Tables that the level had when it was asked for may have gone down since.
            let mut levels = (level..output_level).map(|level| (level, seeds(level)));
            let (level, first) = levels.find(|(_, tables)| !tables.is_empty())?;
            let taken = self.with_overlaps(level, first);
            return self.merge_through(level, output_level, taken, &seeds, cause);
        }
        let mut seeds = seeds(level);
        let mut taken = self.with_overlaps(level, seeds.clone());
        let several = taken.windows(2).any(|pair| matches!(pair, [a, b] if a.run != b.run));
        if let (AskedTarget::Rewritten { before }, false) = (target, several) {
            seeds.retain(|table| table.number < before);
            taken = self.with_overlaps(level, seeds);
        }
        let wanted = several || target != AskedTarget::OneRun;
        // In L0 each table is a separate run, which several outputs could not be.
        (wanted && level > 0).then(|| self.in_place(level, taken, cause)).flatten()
    }

    fn level_count(&self) -> usize {
        level_count(self.version, self.options)
    }

    fn shape(&self, level: usize) -> Shape {
        self.options.strategy.shape(self.version, level)
    }

    /// The compaction of `level`, which is due: of several possible ones the first that can begin now. A single one may
    /// have to wait.
    fn of_level(&self, level: usize, cause: Cause) -> Option<Plan> {
        let free = |plan: &Plan| !self.claims.forbid(plan);
        let all = || self.version.level(level).cloned().collect::<Vec<_>>();
        let deepest = level + 1 >= self.level_count();
        let tiered = level > 0 && self.shape(level) == Shape::Tiered;
        if level > 0 && (self.version.runs(level).len() > 1 && !tiered || tiered && deepest) {
            return self.in_place(level, all(), cause);
        }
        if deepest {
            return None;
        }
        if self.options.strategy.takes_whole_level() {
            return self.all_down(level, all(), cause);
        }
        if level == 0 {
            return self.oldest_down(cause);
        }
        let tables = self.in_turn(level);
        tables
            .take(TRIES_MAX)
            .find_map(|table| self.merge_down(level, vec![Arc::clone(table)], cause).filter(free))
    }

    /// The oldest table of L0 and all that overlap it, into L1; when that has to wait, the next oldest
    /// that need not. The oldest one waits when none can begin.
    fn oldest_down(&self, cause: Cause) -> Option<Plan> {
        let mut tables: Vec<_> = self.version.level(0).cloned().collect();
        tables.reverse();
        let plan = |table| self.merge_down(0, self.with_overlaps(0, vec![table]), cause);
        let mut plans = tables.into_iter().take(TRIES_MAX).filter_map(plan);
        let oldest = plans.next()?;
        if !self.claims.forbid(&oldest) {
            return Some(oldest);
        }
        plans.find(|plan| !self.claims.forbid(plan)).or(Some(oldest))
    }

    /// All tables of `level` and those of its range, into one run of the same level.
    fn in_place(&self, level: usize, taken: Vec<Arc<TableMeta>>, cause: Cause) -> Option<Plan> {
        let output_run = taken.iter().map(|table| table.run).max()?;
        let target = OutputRun { level, run: output_run, new: false };
        Some(self.finished(level, target, taken, Vec::new(), cause))
    }

    /// All tables of `level` one level down: as a new run, or merged with the tables of a leveled level.
    fn all_down(&self, level: usize, taken: Vec<Arc<TableMeta>>, cause: Cause) -> Option<Plan> {
        let output_level = level + 1;
        let merges = self.shape(output_level) == Shape::Leveled;
        if merges {
            return self.merge_down(level, taken, cause);
        }
        let run = self.newest_run(output_level) + 1;
        if run > SEQUENCE_MAX {
            return None;
        }
        span_of(taken.iter())?;
        let target = OutputRun { level: output_level, run, new: true };
        Some(self.finished(level, target, taken, Vec::new(), cause))
    }

    /// `taken` and all that it overlaps one level down, into the newest run there.
    fn merge_down(&self, level: usize, taken: Vec<Arc<TableMeta>>, cause: Cause) -> Option<Plan> {
        let plan = self.merge_through(level, level + 1, taken, &|_| Vec::new(), cause)?;
        let crumbs = if plan.trivial_move { self.crumbs_beside(&plan)? } else { Vec::new() };
        if crumbs.is_empty() {
            return Some(plan);
        }
        let target = OutputRun { level: level + 1, run: plan.output_run, new: false };
        let taken = plan.inputs.into_iter().map(|(_, table)| table).collect();
        let below = crumbs.into_iter().map(|table| (level + 1, table)).collect();
        Some(self.finished(level, target, taken, below, cause))
    }

    /// The crumbs of the output run next to the table that `plan` moves, if that is a crumb, too. No other table lies
    /// between them.
    fn crumbs_beside(&self, plan: &Plan) -> Option<Vec<Arc<TableMeta>>> {
        let is_crumb = |bytes: u64| bytes < self.options.table_bytes / CRUMB_SHARE;
        if !is_crumb(plan.inputs.iter().map(|(_, table)| table.bytes).sum()) {
            return Some(Vec::new());
        }
        let run = self.version.runs(plan.output_level).first().map_or(&[][..], |run| run.tables());
        let span = plan.span()?;
        let at = run.partition_point(|table| table.span().to <= span.from);
        let (before, after) = run.split_at_checked(at).unwrap_or_default();
        let crumb = |table: &&Arc<TableMeta>| is_crumb(table.bytes);
        let mut crumbs: Vec<_> = before.iter().rev().take_while(crumb).cloned().collect();
        crumbs.reverse();
        crumbs.extend(after.iter().take_while(crumb).cloned());
        Some(crumbs)
    }

    /// `taken`, of the levels between `level` and `output_level` what `seeds` names, and all that these overlap on their
    /// way, into the newest run of `output_level`.
    fn merge_through(
        &self,
        level: usize,
        output_level: usize,
        taken: Vec<Arc<TableMeta>>,
        seeds: &dyn Fn(usize) -> Vec<Arc<TableMeta>>,
        cause: Cause,
    ) -> Option<Plan> {
        let mut below: Vec<(usize, Arc<TableMeta>)> = Vec::new();
        for lower in level + 1..=output_level {
            let mut overlapped = if lower < output_level { seeds(lower) } else { Vec::new() };
            loop {
                // The merged range extends over the tables below, and may overlap other runs there.
                let merged = taken.iter().chain(below.iter().map(|(_, table)| table));
                let span = span_of(merged.chain(&overlapped))?;
                let wider = self.version.overlapping(lower, &span);
                if wider.len() == overlapped.len() {
                    break;
                }
                overlapped = wider;
            }
            below.extend(overlapped.into_iter().map(|table| (lower, table)));
        }
        let run = self.newest_run(output_level).max(1);
        let target = OutputRun { level: output_level, run, new: false };
        Some(self.finished(level, target, taken, below, cause))
    }

    /// Number of the newest run of `level`; 0 when it has none.
    fn newest_run(&self, level: usize) -> RunNumber {
        self.version.runs(level).first().map_or(0, |run| run.number())
    }

    fn finished(
        &self,
        level: usize,
        target: OutputRun,
        taken: Vec<Arc<TableMeta>>,
        below: Vec<(usize, Arc<TableMeta>)>,
        cause: Cause,
    ) -> Plan {
        let count = taken.len();
        let mut inputs: Vec<_> = taken.into_iter().map(|table| (level, table)).collect();
        inputs.extend(below);
        let mut plan = Plan {
            level,
            output_level: target.level,
            output_run: target.run,
            inputs,
            reason: String::new(),
            trivial_move: false,
            boundaries: Vec::new(),
        };
        plan.trivial_move = !matches!(cause, Cause::Asked { .. }) && plan.may_move(self.version);
        if !plan.trivial_move {
            plan.boundaries = boundaries(&plan.inputs, self.options.table_bytes);
        }
        plan.reason = reason(self.version, &plan, cause, count, target.new);
        plan
    }

    /// `seeds` and all tables of the level within or across their range, in its order.
    ///
    /// If one of them stayed, an older version of a key would hide a newer one that has moved down.
    fn with_overlaps(&self, level: usize, seeds: Vec<Arc<TableMeta>>) -> Vec<Arc<TableMeta>> {
        let mut chosen = seeds;
        while let Some(span) = span_of(chosen.iter()) {
            let wider = self.version.overlapping(level, &span);
            if wider.len() == chosen.len() {
                return wider;
            }
            chosen = wider;
        }
        Vec::new()
    }

    /// The tables of a level of one run, from the first that reaches beyond the cursor on, and around.
    fn in_turn(&self, level: usize) -> impl Iterator<Item = &Arc<TableMeta>> {
        let cursor = self.cursors.get(level).map_or(&[][..], Vec::as_slice);
        let beyond = move |table: &&Arc<TableMeta>| {
            cursor.is_empty() || table.span().to > Cut::At(cursor, true)
        };
        let tables = || self.version.level(level);
        tables().filter(beyond).chain(tables().filter(move |table| !beyond(table)))
    }
}
