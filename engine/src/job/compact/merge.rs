//! The merge of a compaction: entry by entry, judged once, written or dropped.

use super::filtered::{FilterTally, Replaced, filtered};
use super::{CompactJob, Stage};
use crate::Result;
use crate::compaction::{Cut, RangeOutputs, Retain};
use crate::event::{EventKind, MergeHead, ShownKey, ShownRange, Verdict};
use crate::iter::{Cursor, LevelCursor, MergingCursor, Source};
use crate::job::output::OutputTable;
use crate::job::{Advance, merge_event, range_event, update_view};
use crate::key::{ParsedKey, parse_internal_key, user_key};
use crate::manifest::{Run, RunNumber, TableMeta};
use crate::ranges::RangeTombstone;
use crate::state::Shared;
use crate::table::{BlockWritten, SequentialTables, Table};
use std::sync::Arc;

/// Entries handled in one phase when no block gets full meanwhile.
const ENTRIES_PER_PHASE_MAX: u64 = 4096;

/// Inputs that the detail of one entry tells.
const HEADS_MAX: usize = 64;

/// Entries so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) read: u64,
    pub(super) written: u64,
    pub(super) shadowed: u64,
    pub(super) tombstones_dropped: u64,
    /// Entries that range tombstones hide.
    pub(super) range_deleted: u64,
    pub(super) ranges_read: u64,
    /// Range tombstones dropped, or parts of them.
    pub(super) ranges_dropped: u64,
    pub(super) filter: FilterTally,
}

impl Tally {
    /// Counts the entry if `verdict` drops it; whether it does.
    #[inline]
    fn drops(&mut self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::DroppedShadowed => self.shadowed += 1,
            Verdict::DroppedTombstone => self.tombstones_dropped += 1,
            Verdict::DroppedRangeDeleted => self.range_deleted += 1,
            // The filter has counted it.
            Verdict::DroppedByFilter => {}
            _ => return false,
        }
        self.read += 1;
        true
    }
}

/// What the merge reads; dropped before the input files are deleted.
pub(super) struct Merge {
    pub(super) cursor: MergingCursor<Source>,
    retain: Retain,
    ranges: RangeOutputs,
    /// The range tombstones of the output that ends with the merge, once they are judged.
    last_ranges: Option<Vec<RangeTombstone>>,
    cut: Cut,
    /// Keeps the input files open.
    _inputs: Vec<Arc<Table>>,
    /// The entry under the cursor is done with: move before reading on.
    pub(super) consumed: bool,
    /// The verdict on the entry under the cursor; given once, also when writing it has to wait.
    verdict: Option<Verdict>,
    /// What a filter puts in the place of the entry under the cursor.
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
        self.cursor.valid() && !self.consumed
    }
}

/// A run: its level and its number.
type RunId = (usize, RunNumber);

impl CompactJob {
    pub(super) fn open_merge(&mut self, shared: &Shared) -> Result<Merge> {
        let inputs = self.plan.inputs.iter().map(|(_, meta)| shared.table(meta));
        let inputs = inputs.collect::<Result<Vec<Arc<Table>>>>()?;
        let ranges: Vec<RangeTombstone> =
            inputs.iter().flat_map(|table| table.ranges().all()).cloned().collect();
        let ranges_read = ranges.len() as u64;
        let core = shared.core();
        let snapshots = core.snapshot_list();
        let version = Arc::clone(self.version.get_or_insert_with(|| Arc::clone(&core.version)));
        let retain =
            Retain::new(&snapshots, shared.visible_sequence(), self.plan.older_data(&version));
        drop(core);
        let retain = retain.with_ranges(ranges);
        let mut tally = Tally { ranges_read, ..Tally::default() };
        let mut skipped = Vec::new();
        let mut sources = Vec::new();
        let mut deeper: Vec<(RunId, Vec<Arc<TableMeta>>)> = Vec::new();
        for ((level, meta), table) in self.plan.inputs.iter().zip(&inputs) {
            if let Some(hiding) = retain.hides_table(meta) {
                skipped.push(EventKind::CompactionSkip {
                    table: meta.number,
                    entries: meta.entries,
                    range: ShownRange::new(&hiding.begin, hiding.stored_end()),
                    sequence: hiding.sequence,
                });
                tally.read += meta.entries;
                tally.range_deleted += meta.entries;
                continue;
            }
            if *level == 0 {
                sources.push(Source::Table(table.sequential_cursor()));
            } else {
                let run = (*level, meta.run);
                match deeper.iter_mut().find(|(known, _)| *known == run) {
                    Some((_, tables)) => tables.push(Arc::clone(meta)),
                    None => deeper.push((run, vec![Arc::clone(meta)])),
                }
            }
        }
        let opener = Arc::new(SequentialTables(Arc::clone(&shared.tables)));
        for ((_, number), tables) in deeper {
            let run = Arc::new(Run::new(number, tables));
            sources.push(Source::Sequential(LevelCursor::new(run, Arc::clone(&opener))));
        }
        let mut cursor = MergingCursor::new(sources);
        cursor.seek_to_first()?;
        let cut = Cut::new(&self.plan, &version, shared.options.table_bytes);
        // From here on nothing blocks.
        (self.tally, self.skipped) = (tally, skipped);
        Ok(Merge {
            cursor,
            ranges: RangeOutputs::new(&retain),
            last_ranges: None,
            retain,
            cut,
            _inputs: inputs,
            consumed: false,
            verdict: None,
            replaced: None,
        })
    }

    pub(super) fn merge_some(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        let mut advance = Advance::default();
        let entries_max = entries_max.min(ENTRIES_PER_PHASE_MAX.saturating_sub(self.quiet).max(1));
        while advance.entries < entries_max {
            if let Some(block) = self.closed.take() {
                self.quiet = 0;
                self.tell_block(shared, Some(block));
                advance.phase = true;
                return Ok(advance);
            }
            let Some(merge) = self.merge.as_mut() else { break };
            if merge.consumed {
                merge.cursor.next()?;
                merge.consumed = false;
            }
            if !merge.cursor.valid() {
                self.quiet = 0;
                self.end_of_merge(shared)?;
                return Ok(Advance { phase: true, ..advance });
            }
            match self.merge_one(shared)? {
                // One call of the smallest budget tells one event.
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

    /// Judges the entry under the cursor and writes or drops it. Where a table begins or ends before it,
    /// that is a phase of its own, after the judgement.
    fn merge_one(&mut self, shared: &Shared) -> Result<Merged> {
        let Some(merge) = self.merge.as_mut() else { return Ok(Merged::Entry) };
        let key = merge.cursor.key();
        let is_new = merge.verdict.is_none();
        let level = self.plan.output_level;
        let verdict = if let Some(verdict) = merge.verdict {
            verdict
        } else {
            let mut verdict = merge.retain.judge(key)?;
            if let Some(filter) = &shared.filter {
                let (entry, tally) = ((key, merge.cursor.value()), &mut self.tally.filter);
                (verdict, merge.replaced) =
                    filtered(filter, &mut merge.retain, verdict, entry, level, tally)?;
            }
            let (job, cause) = (Some(self.id), Some(self.picked));
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
            self.output = Some(OutputTable::create(shared, self.id, self.picked, level)?);
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

    /// Ends the last output. When only range tombstones are left, an output begins for them: that is a phase of
    /// its own, after which this is called again.
    fn end_of_merge(&mut self, shared: &Shared) -> Result<()> {
        let judged = self.merge.as_mut().and_then(|merge| merge.last_ranges.take());
        let ranges = judged.unwrap_or_else(|| self.end_ranges(shared, None));
        if self.output.is_none() && !ranges.is_empty() {
            self.merge.iter_mut().for_each(|merge| merge.last_ranges = Some(ranges.clone()));
            let level = self.plan.output_level;
            self.output = Some(OutputTable::create(shared, self.id, self.picked, level)?);
            return Ok(());
        }
        if let Some(output) = self.output.as_mut() {
            output.set_ranges(ranges);
            self.stage = Stage::Finish;
            self.close_output_block(shared)?;
        } else {
            self.progress(shared);
            self.stage = Stage::Append;
        }
        Ok(())
    }

    /// The range tombstones of the output that ends before `next`, or with the merge.
    fn end_ranges(&mut self, shared: &Shared, next: Option<&[u8]>) -> Vec<RangeTombstone> {
        let Some(merge) = self.merge.as_mut() else { return Vec::new() };
        let judged = merge.ranges.end_output(next, &merge.retain);
        let mut kept = Vec::new();
        for range in judged {
            let (job, cause) = (Some(self.id), Some(self.picked));
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
        self.tell_block(shared, closed);
        Ok(Merged::Phase)
    }

    fn tell_block(&mut self, shared: &Shared, closed: Option<BlockWritten>) {
        self.progress(shared);
        if let (Some(block), Some(output)) = (closed, self.output.as_mut()) {
            output.announce(shared, &block, self.tally.read);
        }
    }

    fn progress(&self, shared: &Shared) {
        let Tally { read, written, shadowed, tombstones_dropped, .. } = self.tally;
        let Tally { range_deleted, filter, .. } = self.tally;
        update_view(shared, self.id, |view| view.entries_done = read);
        self.emit(shared, || EventKind::CompactionProgress {
            read,
            written,
            shadowed,
            tombstones_dropped,
            range_deleted,
            filtered: filter.dropped,
        });
    }
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

/// What [`CompactJob::merge_one`] did.
enum Merged {
    /// One entry, written or dropped.
    Entry,
    /// The verdict on an entry, before it is carried out.
    Judged,
    /// A phase without an entry.
    Phase,
}
