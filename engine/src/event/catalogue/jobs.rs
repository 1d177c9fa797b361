//! Flushes and compactions.

use crate::event::TableAt;
use crate::sorting;
use crate::text;
use crate::view::{Edit, LevelScore, Patch, TableInfo};

macro_rules! jobs {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// A flush begins.
        FlushBegin = "flush.begin" phase {
            /// The memtable that it writes.
            memtable: MemtableId,
            /// Why, in words.
            reason: String,
            /// Entries of the memtable.
            entries: u64,
        } => {
            sentence |job| format!(
                "{job} begins to flush memtable {memtable} with {}: {}.",
                text::counted(*entries, "entry"),
                text::clause(reason)
            );
            touches [changed(Memtable(*memtable))];
            patches |job| {
                let begun = JobView {
                    job,
                    what: JobKind::Flush,
                    reason: reason.clone(),
                    memtable: Some(*memtable),
                    inputs: Vec::new(),
                    output_level: 0,
                    outputs: Vec::new(),
                    entries_done: 0,
                    entries_total: *entries,
                };
                [Patch::Job { edit: Edit::Add(begun) }]
            };
            outline Included;
            begins Flush;
        }
        /// A new table took the place of a memtable: reads find it there from now on.
        FlushInstall = "flush.install" phase {
            /// The memtable.
            memtable: MemtableId,
            /// The table; none when the memtable had nothing to write.
            table: Option<TableInfo>,
            /// How many tables of L0 stand before it.
            position: usize,
            /// How full each level is now.
            scores: Vec<LevelScore>,
        } => {
            sentence |job| match table {
                Some(table) => format!(
                    "{job} installed table {} in L0 in place of memtable {memtable}: {} in {}{}.",
                    table.table,
                    text::counted(table.entries, "entry"),
                    text::bytes(table.bytes),
                    fullest(scores)
                ),
                None => format!(
                    "{job} removed memtable {memtable}, which was empty, without writing a table."
                ),
            };
            touches {
                let table = table.iter().flat_map(|info| [changed(Table(info.table)), changed(Level(0))]);
                table.chain([removed(Memtable(*memtable))]).collect::<Vec<_>>()
            };
            patches |_| {
                let added = table.iter().map(|table| (*position, table));
                let mut patches = exchanged(&[], 0, added, scores);
                patches.push(Patch::Memtable { edit: Edit::Remove(*memtable) });
                patches
            };
            landmark Flush;
            outline Included;
        }
        /// A flush is done, and its log is deleted.
        FlushDone = "flush.done" phase {
            /// The memtable.
            memtable: MemtableId,
            /// Entries written.
            written: u64,
            /// Entries dropped as shadowed.
            shadowed: u64,
            /// Entries dropped because a newer range tombstone hides them.
            range_deleted: u64,
        } => {
            sentence |job| match (shadowed, range_deleted) {
                (0, 0) => format!("{job} is done: memtable {memtable} is flushed."),
                _ => format!(
                    "{job} is done: memtable {memtable} is flushed: {} written, {} dropped as shadowed{}.",
                    text::count(*written),
                    text::count(*shadowed),
                    by_range(*range_deleted)
                ),
            };
            patches |job| [Patch::Job { edit: Edit::Remove(job) }];
            ends Flush;
        }
        /// A compaction was chosen.
        CompactionPick = "compaction.pick" phase {
            /// The level that gets smaller, 0 is L0.
            level: usize,
            /// The level that gets the outputs.
            output_level: usize,
            /// Why, in words.
            reason: String,
            /// Its inputs, newer data first.
            inputs: Vec<TableAt>,
            /// Whether the inputs change their level without being rewritten.
            trivial_move: bool,
        } => {
            sentence |job| {
                let inputs = text::tables(inputs.iter().map(|input| input.table));
                let (from, to) = (text::level(*level), text::level(*output_level));
                let what = if *trivial_move { "move" } else { "merge" };
                format!("{job} will {what} {inputs} from {from} into {to}: {}.", text::clause(reason))
            };
            touches {
                let levels = [read(Level(*level)), read(Level(*output_level))].into_iter();
                levels.chain(inputs.iter().map(|input| read(Table(input.table)))).collect::<Vec<_>>()
            };
            patches |job| {
                let picked = JobView {
                    job,
                    what: JobKind::Compaction,
                    reason: reason.clone(),
                    memtable: None,
                    inputs: inputs.iter().map(|input| input.table).collect(),
                    output_level: *output_level,
                    outputs: Vec::new(),
                    entries_done: 0,
                    entries_total: 0,
                };
                [Patch::Job { edit: Edit::Add(picked) }]
            };
            outline Included;
            begins Compaction;
        }
        /// A compaction begins to read its inputs, or to move them.
        CompactionBegin = "compaction.begin" phase {
            /// Entries of its inputs.
            entries: u64,
            /// Length of its inputs \[bytes\].
            bytes: u64,
            /// Whether the inputs change their level without being read.
            trivial_move: bool,
        } => {
            sentence |job| {
                let what = format!("{} in {}", text::counted(*entries, "entry"), text::bytes(*bytes));
                if *trivial_move {
                    format!("{job} begins a trivial move of {what}: nothing is read or rewritten.")
                } else {
                    format!("{job} begins to read {what}.")
                }
            };
            patches |job| {
                let to_read = if *trivial_move { 0 } else { *entries };
                [Patch::job(job, JobChange { entries_total: Some(to_read), entries_done: None })]
            };
        }
        /// An input need not be read: a range tombstone hides all its entries from every reader.
        CompactionSkip = "compaction.skip" phase {
            /// The table.
            table: FileNumber,
            /// Its entries.
            entries: u64,
            /// The range.
            range: ShownRange,
            /// The sequence number of the range tombstone.
            sequence: SeqNo,
        } => {
            sentence |job| format!(
                "{job} need not read table {table}: the range tombstone over {range} with sequence \
                 number {sequence} hides all its {}.",
                text::counted(*entries, "entry")
            );
            touches [read(Table(*table))];
        }
        /// How far a merge has come: entries read = written + dropped.
        CompactionProgress = "compaction.progress" phase {
            /// Entries read so far.
            read: u64,
            /// Entries written so far.
            written: u64,
            /// Entries dropped as shadowed so far.
            shadowed: u64,
            /// Tombstones dropped so far.
            tombstones_dropped: u64,
            /// Entries dropped so far because a newer range tombstone hides them.
            range_deleted: u64,
            /// Entries so far that the compaction filter removed and that were dropped.
            filtered: u64,
        } => {
            sentence |job| format!(
                "{job} has read {} so far: {}.",
                text::counted(*read, "entry"),
                merged(*written, *shadowed, *tombstones_dropped, [*range_deleted, *filtered])
            );
            patches |job| {
                [Patch::job(job, JobChange { entries_done: Some(*read), entries_total: None })]
            };
        }
        /// New tables took the place of the inputs: reads find them there from now on.
        CompactionInstall = "compaction.install" phase {
            /// Tables that left their level.
            removed: Vec<TableAt>,
            /// Tables that entered the output level.
            added: Vec<TableInfo>,
            /// For each of them, how many tables of the output level stand before it.
            positions: Vec<usize>,
            /// The level that got the outputs.
            output_level: usize,
            /// How full each level is now.
            scores: Vec<LevelScore>,
        } => {
            sentence |job| installed(job, removed, added, *output_level, scores);
            touches {
                let mut touches: Vec<Touch> =
                    added.iter().map(|info| changed(Table(info.table))).collect();
                touches.push(changed(Level(*output_level)));
                for at in removed {
                    touches.push(self::removed(Table(at.table)));
                    if !touches.contains(&changed(Level(at.level))) {
                        touches.push(changed(Level(at.level)));
                    }
                }
                touches
            };
            patches |_| {
                exchanged(removed, *output_level, positions.iter().copied().zip(added), scores)
            };
            landmark Compaction;
        }
        /// The decisions of the compaction filter, after the outputs were installed: asked about = kept + changed +
        /// removed.
        CompactionFiltered = "compaction.filtered" phase {
            /// Values that it was asked about.
            asked: u64,
            /// Values that got another value.
            changed: u64,
            /// Values that became a tombstone, because an older version may exist.
            tombstones: u64,
            /// Values that were dropped.
            dropped: u64,
        } => {
            sentence |job| {
                let removed = *tombstones + *dropped;
                format!(
                    "{job} asked the compaction filter about {}: {} kept, {} changed, {} removed, of which {} \
                     became a tombstone.",
                    text::counted(*asked, "value"),
                    text::count(asked.saturating_sub(*changed + removed)),
                    text::count(*changed),
                    text::count(removed),
                    text::count(*tombstones)
                )
            };
        }
        /// A compaction is done, and its inputs are deleted unless a reader still uses them.
        CompactionDone = "compaction.done" phase {
            /// Entries read; 0 for a trivial move.
            read: u64,
            /// Entries written.
            written: u64,
            /// Entries dropped as shadowed.
            shadowed: u64,
            /// Tombstones dropped.
            tombstones_dropped: u64,
            /// Entries dropped because a newer range tombstone hides them.
            range_deleted: u64,
            /// Range tombstones of its inputs.
            ranges_read: u64,
            /// Range tombstones dropped, or parts of them.
            ranges_dropped: u64,
            /// Entries that the compaction filter removed and that were dropped.
            filtered: u64,
        } => {
            sentence |job| match (read, ranges_read) {
                (0, 0) => format!("{job} is done: a trivial move, no data was rewritten."),
                (_, 0) => format!(
                    "{job} is done: of {}, {}.",
                    text::counted(*read, "entry"),
                    merged(*written, *shadowed, *tombstones_dropped, [*range_deleted, *filtered])
                ),
                _ => format!(
                    "{job} is done: of {}, {}; of {}, {} dropped.",
                    text::counted(*read, "entry"),
                    merged(*written, *shadowed, *tombstones_dropped, [*range_deleted, *filtered]),
                    text::counted(*ranges_read, "range tombstone"),
                    text::count(*ranges_dropped)
                ),
            };
            patches |job| [Patch::Job { edit: Edit::Remove(job) }];
            outline Included;
            ends Compaction;
        }
        /// A job failed, and the database takes no more writes. It ends the span of the job.
        JobFailed = "job.failed" phase {
            /// The kind of job.
            what: JobKind,
            /// The error, as a sentence.
            error: String,
        } => {
            sentence |job| {
                let what = match what {
                    JobKind::Flush => "flush",
                    JobKind::Compaction => "compaction",
                };
                format!("{job}, a {what}, failed: {}.", text::clause(error))
            };
            patches |job| [Patch::Job { edit: Edit::Remove(job) }];
            landmark Failure;
            outline Included;
            ends Job;
        }
    } };
}

/// Tables leave their levels, and others enter `level`, each at its position: these are no longer outputs.
pub(super) fn exchanged<'a>(
    removed: &[TableAt],
    level: usize,
    added: impl Iterator<Item = (usize, &'a TableInfo)>,
    scores: &[LevelScore],
) -> Vec<Patch> {
    let mut added: Vec<_> = added.collect();
    sorting::sort_by_key(&mut added, |(position, _)| *position);
    let left = removed.iter().map(|at| Patch::RemoveTable { level: at.level, table: at.table });
    let scores = Patch::Scores { scores: scores.to_vec() };
    let entered = added.into_iter().flat_map(|(position, table)| {
        let output = Patch::Output { edit: Edit::Remove(table.table) };
        [output, Patch::AddTable { level, position, table: table.clone() }]
    });
    left.chain([scores]).chain(entered).collect()
}

/// The counts of a merge.
/// `left_out`: the entries that range tombstones hide, and those that the compaction filter removed.
pub(super) fn merged(written: u64, shadowed: u64, tombstones: u64, left_out: [u64; 2]) -> String {
    let [range_deleted, filtered] = left_out;
    let written = text::count(written);
    let (shadowed, tombstones) = (text::count(shadowed), text::counted(tombstones, "tombstone"));
    let by_range = by_range(range_deleted);
    match filtered {
        0 => format!(
            "{written} written, {shadowed} dropped as shadowed{by_range} and {tombstones} dropped"
        ),
        _ => format!(
            "{written} written, {shadowed} dropped as shadowed{by_range}, {tombstones} dropped and {} dropped by the \
             compaction filter",
            text::count(filtered)
        ),
    }
}

/// The count of entries that range tombstones hide; nothing when there are none.
pub(super) fn by_range(range_deleted: u64) -> String {
    match range_deleted {
        0 => String::new(),
        some => format!(", {} deleted by range", text::count(some)),
    }
}

/// The tables that a compaction removed and added.
pub(super) fn installed(
    job: &str,
    removed: &[TableAt],
    added: &[TableInfo],
    output_level: usize,
    scores: &[LevelScore],
) -> String {
    let old = text::tables(removed.iter().map(|at| at.table));
    let (to, end) = (text::level(output_level), fullest(scores));
    if added.is_empty() {
        let every = if removed.len() == 1 { "it" } else { "them" };
        return format!(
            "{job} dropped {old}: every entry in {every} was shadowed or deleted{end}."
        );
    }
    let same = removed.len() == added.len()
        && removed.iter().zip(added).all(|(old, new)| old.table == new.table);
    if same {
        return format!("{job} moved {old} to {to} without rewriting any data{end}.");
    }
    let new = text::tables(added.iter().map(|info| info.table));
    format!("{job} installed {new} in {to} in place of {old}{end}.")
}

/// The level with the highest score, if one is due for compaction.
pub(super) fn fullest(scores: &[LevelScore]) -> String {
    let due = scores.iter().filter(|score| score.due);
    due.max_by(|left, right| left.score.total_cmp(&right.score)).map_or_else(String::new, |due| {
        format!("; {} is due for compaction with score {:.2}", text::level(due.level), due.score)
    })
}
