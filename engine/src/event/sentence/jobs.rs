//! Sentences about what background jobs do: flushes, compactions, the tables and edits they write.

use super::super::words::{bytes, clause, count, entries, level, list, tables};
use crate::event::{EventKind, TableAt};
use crate::view::{LevelScore, TableInfo};

pub(super) fn flush(kind: &EventKind, job: &str) -> String {
    match kind {
        EventKind::FlushBegin { memtable, reason, entries: number } => format!(
            "{job} begins to flush memtable {memtable} with {}: {}.",
            entries(*number),
            clause(reason)
        ),
        EventKind::FlushInstall { memtable, table: Some(table), scores } => format!(
            "{job} installed table {} in L0 in place of memtable {memtable}: {} in {}{}.",
            table.table,
            entries(table.entries),
            bytes(table.bytes),
            fullest(scores)
        ),
        EventKind::FlushInstall { memtable, table: None, .. } => {
            format!("{job} removed memtable {memtable}, which was empty, without writing a table.")
        }
        EventKind::FlushDone { memtable, shadowed: 0, .. } => {
            format!("{job} is done: memtable {memtable} is flushed.")
        }
        EventKind::FlushDone { memtable, written, shadowed } => format!(
            "{job} is done: memtable {memtable} is flushed, {written} written and {shadowed} dropped as \
             shadowed.",
        ),
        _ => String::new(),
    }
}

pub(super) fn compaction(kind: &EventKind, job: &str) -> String {
    match kind {
        EventKind::CompactionPick { level: from, output_level, reason, inputs, trivial_move } => {
            let inputs = tables(inputs.iter().map(|input| input.table));
            let (from, to) = (level(*from), level(*output_level));
            let what = if *trivial_move { "move" } else { "merge" };
            format!("{job} will {what} {inputs} from {from} into {to}: {}.", clause(reason))
        }
        EventKind::CompactionBegin { entries: number, bytes: size } => {
            format!("{job} begins to read {} in {}.", entries(*number), bytes(*size))
        }
        EventKind::CompactionProgress { read, written, shadowed, tombstones_dropped } => {
            let so_far = merged(*written, *shadowed, *tombstones_dropped);
            format!("{job} has read {} so far: {so_far}.", entries(*read))
        }
        EventKind::CompactionInstall { removed, added, output_level, scores } => {
            install(job, removed, added, *output_level, scores)
        }
        EventKind::CompactionDone { read: 0, .. } => {
            format!("{job} is done: nothing was rewritten, only the level changed.")
        }
        EventKind::CompactionDone { read, written, shadowed, tombstones_dropped } => {
            let in_all = merged(*written, *shadowed, *tombstones_dropped);
            format!("{job} is done: of {}, {in_all}.", entries(*read))
        }
        _ => String::new(),
    }
}

fn merged(written: u64, shadowed: u64, tombstones: u64) -> String {
    format!(
        "{written} written, {shadowed} dropped as shadowed and {} dropped",
        count(tombstones, "tombstone")
    )
}

fn install(
    job: &str,
    removed: &[TableAt],
    added: &[TableInfo],
    output_level: usize,
    scores: &[LevelScore],
) -> String {
    let out = tables(removed.iter().map(|table| table.table));
    let to = level(output_level);
    let end = fullest(scores);
    if added.is_empty() {
        return format!("{job} removed {out}: nothing of it was left to write to {to}{end}.");
    }
    let same = removed.len() == added.len()
        && removed.iter().zip(added).all(|(old, new)| old.table == new.table);
    if same {
        return format!("{job} moved {out} to {to} without rewriting it{end}.");
    }
    let new = tables(added.iter().map(|table| table.table));
    format!("{job} installed {new} in {to} in place of {out}{end}.")
}

/// The level with the highest score, if one is due for compaction.
fn fullest(scores: &[LevelScore]) -> String {
    let due = scores.iter().filter(|score| score.score >= 1.0);
    due.max_by(|left, right| left.score.total_cmp(&right.score)).map_or_else(String::new, |due| {
        format!("; {} is due for compaction with score {:.2}", level(due.level), due.score)
    })
}

pub(super) fn table(kind: &EventKind, job: &str) -> String {
    match kind {
        EventKind::TableCreate { table, level: to } => {
            format!("{job} created table {table} for {}.", level(*to))
        }
        EventKind::TableBlock {
            table, index, entries: number, raw_bytes, stored_bytes, ..
        } => {
            let stored = if stored_bytes < raw_bytes {
                format!("{stored_bytes} after Snappy")
            } else {
                "stored uncompressed".to_owned()
            };
            format!(
                "{job} wrote data block {index} of table {table}: {}, {}, {stored}.",
                entries(*number),
                bytes(*raw_bytes)
            )
        }
        EventKind::TableFilter { table, keys, bytes: size } => format!(
            "{job} wrote the filter of table {table}: {} in {}.",
            count(*keys, "key"),
            bytes(*size)
        ),
        EventKind::TableIndex { table, blocks, bytes: size } => format!(
            "{job} wrote the index of table {table}: {} in {}.",
            count(*blocks, "data block"),
            bytes(*size)
        ),
        EventKind::TableFooter { table, bytes: length } => format!(
            "{job} wrote the footer of table {table}, which now has all its {}.",
            bytes(*length)
        ),
        EventKind::TableSync { info, level: to } => format!(
            "{job} synced table {} for {}: {} from {} to {} in {} are durable.",
            info.table,
            level(*to),
            entries(info.entries),
            info.smallest,
            info.largest,
            bytes(info.bytes)
        ),
        EventKind::TableDelete { table } => {
            format!("Table {table} was deleted: no version names it any more.")
        }
        _ => String::new(),
    }
}

pub(super) fn manifest(kind: &EventKind, job: &str) -> String {
    match kind {
        EventKind::ManifestCreate { manifest, bytes: length } => format!(
            "Manifest {manifest} was created with the whole state of the database in {}.",
            bytes(*length)
        ),
        EventKind::ManifestSwitch { manifest, epoch } => {
            format!("CURRENT now names manifest {manifest}, in epoch {epoch}.")
        }
        EventKind::ManifestAppend { manifest, added, removed, bytes: length } => {
            let edit = |verb: &str, all: &[TableAt]| {
                let all = all.iter().map(|at| format!("{} ({})", at.table, level(at.level)));
                let all: Vec<String> = all.collect();
                let noun = if all.len() == 1 { "table" } else { "tables" };
                (!all.is_empty()).then(|| format!("{verb} {noun} {}", list(&all)))
            };
            let edits: Vec<String> =
                [edit("adds", added), edit("removes", removed)].into_iter().flatten().collect();
            let edits =
                if edits.is_empty() { "changes no table".to_owned() } else { edits.join(" and ") };
            format!(
                "{job} appended an edit to manifest {manifest} that {edits}; it has {} now.",
                bytes(*length)
            )
        }
        EventKind::ManifestSync { manifest, bytes: length } => {
            format!("{job} synced manifest {manifest}: all its {} are durable.", bytes(*length))
        }
        EventKind::ManifestDelete { manifest } => {
            format!("Manifest {manifest} was deleted: CURRENT names a newer one.")
        }
        _ => String::new(),
    }
}
