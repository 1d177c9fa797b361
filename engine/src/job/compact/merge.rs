//! The merge of a compaction: entry by entry, judged once, written or dropped.

use super::filtered::{Replaced, filtered};
use super::part::{Part, Stage, Task};
use super::tally::Tally;
use crate::Result;
use crate::compaction::{Cut, RangeOutputs, Retain};
use crate::event::{EventKind, MergeHead, ShownKey, ShownRange, Verdict};
use crate::iter::{Cursor, LevelCursor, MergingCursor, Source};
use crate::job::output::OutputTable;
use crate::job::{Advance, merge_event, range_event};
use crate::key::{ParsedKey, compare_keys, parse_internal_key, seek_key, user_key};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::{Run, RunNumber, TableMeta};
use crate::ranges::RangeTombstone;
use crate::state::Shared;
use crate::table::SequentialTables;
use std::sync::Arc;

/// Entries handled in one phase when no block gets full meanwhile.
const ENTRIES_PER_PHASE_MAX: u64 = 4096;

/// Most inputs in the detail event of one entry.
const HEADS_MAX: usize = 64;

/// The inputs of a merge; dropped before the input files are deleted.
pub(super) struct Merge {
    pub(super) cursor: MergingCursor<Source>,
    retain: Retain,
    ranges: RangeOutputs,
    /// The range tombstones of the output that ends with the merge, once they are judged.
    last_ranges: Option<Vec<RangeTombstone>>,
    cut: Cut,
    /// The first key of the next part.
    to: Option<Vec<u8>>,
    /// The entry under the cursor is done with: move before reading on.
    pub(super) consumed: bool,
    /// The verdict on the entry under the cursor; given once, also when writing it has to wait.
    verdict: Option<Verdict>,
    /// The filter's replacement of the entry under the cursor.
    replaced: Option<Replaced>,
}

impl std::fmt::Debug for Merge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Merge").field("consumed", &self.consumed).finish_non_exhaustive()
    }
}

impl Merge {
    /// Whether there is an entry that is not done with.
    pub(super) fn has_more(&self) -> bool {
        self.in_part() && !self.consumed
    }

    /// Whether the cursor stands on an entry of the part.
    #[inline]
    fn in_part(&self) -> bool {
        self.cursor.valid()
            && self
                .to
                .as_ref()
                .is_none_or(|to| compare_keys(user_key(self.cursor.key()), to).is_lt())
    }
}

/// A run: its level and its number.
type RunId = (usize, RunNumber);

impl Part {
    /// Opens the merge of its keys.
    ///
    /// # Errors
    /// Those of reading a table; `WouldBlock` has changed nothing.
    pub(super) fn open(&mut self, shared: &Shared) -> Result<()> {
        let task = Arc::clone(&self.task);
        let ranges: Vec<RangeTombstone> =
            task.inputs.iter().flat_map(|table| table.ranges().all()).cloned().collect();
        let mut tally = Tally { ranges_read: ranges.len() as u64, ..Tally::default() };
        let older = task.plan.older_data(&task.version);
        let retain = Retain::new(&task.snapshots, task.last_sequence, older).with_ranges(ranges);
        let (sources, skipped) = sources(shared, &task, &retain);
        let mut cursor = MergingCursor::new(sources);
        let boundary = |at: usize| task.plan.boundaries.get(at).cloned();
        match self.number.checked_sub(1).and_then(boundary) {
            Some(from) => cursor.seek(&seek_key(&from, SEQUENCE_MAX))?,
            None => cursor.seek_to_first()?,
        }
        // From here on nothing blocks.
        for (meta, _) in &skipped {
            tally.read += meta.entries;
            tally.range_deleted += meta.entries;
        }
        self.tally = tally;
        self.skipped = skipped.into_iter().map(|(_, event)| event).collect();
        self.merge = Some(Merge {
            cursor,
            ranges: RangeOutputs::new(&retain),
            last_ranges: None,
            retain,
            cut: Cut::new(&task.plan, &task.version, shared.options.table_bytes),
            to: boundary(self.number),
            consumed: false,
            verdict: None,
            replaced: None,
        });
        Ok(())
    }

    pub(super) fn merge_some(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        let mut advance = Advance::default();
        let entries_max = entries_max.min(ENTRIES_PER_PHASE_MAX.saturating_sub(self.quiet).max(1));
        while advance.entries < entries_max {
            if let Some(block) = self.closed.take() {
                self.quiet = 0;
                self.report_block(shared, Some(block));
                advance.phase = true;
                return Ok(advance);
            }
            let Some(merge) = self.merge.as_mut() else { break };
            if merge.consumed {
                merge.cursor.next()?;
                merge.consumed = false;
            }
            if !merge.in_part() {
                self.quiet = 0;
                self.end_of_merge(shared)?;
                return Ok(Advance { phase: true, ..advance });
            }
            match self.merge_one(shared)? {
                // One call of the smallest budget emits one event.
                Merged::Judged if entries_max == 1 => return Ok(advance),
                Merged::Judged => {}
                Merged::Entry => {
                    advance.entries += 1;
                    self.quiet += 1;
                }
                Merged::Phase => {
                    self.quiet = 0;
                    advance.phase = true;
                    return Ok(advance);
                }
            }
        }
        if self.quiet >= ENTRIES_PER_PHASE_MAX && self.closed.is_none() {
            self.quiet = 0;
            self.progress(shared);
            advance.phase = true;
        }
        Ok(advance)
    }

    /// Judges the entry under the cursor and writes or drops it. Where a table begins or ends before it, that is a
    /// separate phase, after the judgement.
    fn merge_one(&mut self, shared: &Shared) -> Result<Merged> {
        let Some(merge) = self.merge.as_mut() else { return Ok(Merged::Entry) };
        let key = merge.cursor.key();
        let is_new = merge.verdict.is_none();
        let level = self.task.plan.output_level;
        let verdict = if let Some(verdict) = merge.verdict {
            verdict
        } else {
            let mut verdict = merge.retain.judge(key)?;
            if let Some(filter) = &shared.filter {
                let (entry, tally) = ((key, merge.cursor.value()), &mut self.tally.filter);
                (verdict, merge.replaced) =
                    filtered(filter, &mut merge.retain, verdict, entry, level, tally)?;
            }
            let (job, cause) = (Some(self.task.job), Some(self.task.picked));
            shared.events.detail(job, cause, || merge_event(key, verdict, heads(&merge.cursor)));
            *merge.verdict.insert(verdict)
        };
        if self.tally.drops(verdict) {
            merge.consumed = true;
            merge.verdict = None;
            return Ok(Merged::Entry);
        }
        let Some(output) = self.output.as_mut() else {
            if is_new {
                return Ok(Merged::Judged);
            }
            self.output =
                Some(OutputTable::create(shared, self.task.job, self.task.picked, level)?);
            merge.cut.begin_output(user_key(merge.cursor.key()));
            return Ok(Merged::Phase);
        };
        let full = merge.cut.before(user_key(key), output.estimated_bytes());
        // Never inside the versions of one key.
        if full && output.last_user_key() != user_key(key) {
            if is_new {
                return Ok(Merged::Judged);
            }
            let next = user_key(key).to_vec();
            let ranges = self.end_ranges(shared, Some(&next));
            self.output.iter_mut().for_each(|output| output.set_ranges(ranges.clone()));
            self.stage = Stage::Finish;
            return self.close_output_block(shared);
        }
        self.closed = match merge.replaced.take() {
            None => output.add(key, merge.cursor.value())?,
            Some(replaced) => output.add(&replaced.key, &replaced.value)?,
        };
        merge.cut.added();
        merge.consumed = true;
        merge.verdict = None;
        self.tally.read += 1;
        self.tally.written += 1;
        Ok(Merged::Entry)
    }

    /// Ends the last output. When only range tombstones are left, an output begins for them: that is a separate phase,
    /// after which this is called again.
    fn end_of_merge(&mut self, shared: &Shared) -> Result<()> {
        let judged = self.merge.as_mut().and_then(|merge| merge.last_ranges.take());
        let ranges = judged.unwrap_or_else(|| self.end_ranges(shared, None));
        if self.output.is_none() && !ranges.is_empty() {
            self.merge.iter_mut().for_each(|merge| merge.last_ranges = Some(ranges.clone()));
            let level = self.task.plan.output_level;
            self.output =
                Some(OutputTable::create(shared, self.task.job, self.task.picked, level)?);
            return Ok(());
        }
        if let Some(output) = self.output.as_mut() {
            output.set_ranges(ranges);
            self.stage = Stage::Finish;
            self.close_output_block(shared)?;
        } else {
            self.progress(shared);
            self.end();
        }
        Ok(())
    }

    /// The range tombstones of the output that ends before `next`, or with the merge.
    fn end_ranges(&mut self, shared: &Shared, next: Option<&[u8]>) -> Vec<RangeTombstone> {
        let Some(merge) = self.merge.as_mut() else { return Vec::new() };
        let judged = merge.ranges.end_output(next, &merge.retain);
        let mut kept = Vec::new();
        for range in judged {
            let (job, cause) = (Some(self.task.job), Some(self.task.picked));
            shared.events.detail(job, cause, || range_event(&range));
            match range {
                (_, Verdict::DroppedTombstone) => self.tally.ranges_dropped += 1,
                (tombstone, _) => kept.push(tombstone),
            }
        }
        kept
    }

    fn close_output_block(&mut self, shared: &Shared) -> Result<Merged> {
        let closed = match self.output.as_mut() {
            Some(output) => output.close_block()?,
            None => None,
        };
        self.report_block(shared, closed);
        Ok(Merged::Phase)
    }
}

/// A table that a range tombstone hides completely, and the event about it.
type SkippedTable = (Arc<TableMeta>, EventKind);

/// The sources of the merge: the tables of L0 one by one, deeper ones run by run; and the inputs that it need not read.
fn sources(shared: &Shared, task: &Task, retain: &Retain) -> (Vec<Source>, Vec<SkippedTable>) {
    let (mut sources, mut skipped) = (Vec::new(), Vec::new());
    let mut deeper: Vec<(RunId, Vec<Arc<TableMeta>>)> = Vec::new();
    for ((level, meta), table) in task.plan.inputs.iter().zip(&task.inputs) {
        if let Some(hiding) = retain.hides_table(meta) {
            let event = EventKind::CompactionSkip {
                table: meta.number,
                entries: meta.entries,
                range: ShownRange::new(&hiding.begin, hiding.stored_end()),
                sequence: hiding.sequence,
            };
            skipped.push((Arc::clone(meta), event));
            continue;
        }
        if *level == 0 {
            sources.push(Source::Table(table.sequential_cursor()));
            continue;
        }
        let run = (*level, meta.run);
        match deeper.iter_mut().find(|(known, _)| *known == run) {
            Some((_, tables)) => tables.push(Arc::clone(meta)),
            None => deeper.push((run, vec![Arc::clone(meta)])),
        }
    }
    let opener = Arc::new(SequentialTables(Arc::clone(&shared.tables)));
    for ((_, number), tables) in deeper {
        let run = Arc::new(Run::new(number, tables));
        sources.push(Source::Sequential(LevelCursor::new(run, Arc::clone(&opener))));
    }
    (sources, skipped)
}

/// Where the inputs stand, in their order; those at their end stand nowhere.
fn heads(cursor: &MergingCursor<Source>) -> Vec<MergeHead> {
    let heads = cursor.heads().filter_map(|(source, first)| {
        let ParsedKey { user_key, sequence, kind } = parse_internal_key(source.key())?;
        let key = ShownKey::new(user_key);
        Some(MergeHead { table: source.table()?, key, sequence, entry: kind, first })
    });
    heads.take(HEADS_MAX).collect()
}

/// The result of [`Part::merge_one`].
enum Merged {
    /// One entry, written or dropped.
    Entry,
    /// The verdict on an entry, before it is carried out.
    Judged,
    /// A phase without an entry.
    Phase,
}
