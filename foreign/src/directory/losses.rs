//! Losses by damage in a log: the batches that recovery keeps, and the readable ones that it leaves out.

use super::logs::{LogFile, needs};
use crate::batch::{Batch, Item};
use crate::frame::End;
use crate::problem::{Standing, bounds};
use crate::text::{count, family as family_words, listed, number};
use crate::{Comparator, Engine, Files, Problem, Severity, State, TableFile};
use std::collections::BTreeSet;

/// Families whose entries are counted.
const FAMILIES_MAX: usize = 64;
/// Families that a sentence names.
const FAMILIES_NAMED: usize = 3;
/// Ranges of lost sequence numbers that a sentence names.
const HOLES_NAMED: usize = 3;
/// Sequence numbers of a range that is sought in tables.
const SOUGHT_MAX: u64 = 10_000;
/// Tables that are searched for sequence numbers.
const OPENED_MAX: usize = 64;
/// Tables up to this size are searched \[bytes\].
const WALKED_BYTES_MAX: u64 = 1 << 20;

/// Readable batches that do not count.
#[derive(Debug, Clone, Default)]
pub struct LeftOut {
    /// Their number.
    pub batches: u64,
    /// Their first and last sequence number.
    pub sequences: Option<(u64, u64)>,
    /// Their entries, with the number of the family; of the first 64 families.
    pub families: Vec<(u32, LeftEntries)>,
}

/// Entries of a family that do not count.
#[derive(Debug, Clone, Default)]
pub struct LeftEntries {
    /// Their number.
    pub entries: u64,
    /// The smallest key.
    pub smallest: Vec<u8>,
    /// The largest key.
    pub largest: Vec<u8>,
}

impl LeftOut {
    /// Takes in a batch of log `log`.
    pub(super) fn take(&mut self, batch: &Batch<'_>, state: &State, log: u64) {
        self.batches += 1;
        widen(&mut self.sequences, batch);
        // A damaged item is the last one.
        for placed in batch.items().map_while(Result::ok) {
            let Item::Operation(operation) = placed.item else { continue };
            if !needs(state, log, operation.family) {
                continue;
            }
            let order = state.families.get(&operation.family).map(|family| family.comparator);
            let order = order.unwrap_or(Comparator::Unknown);
            let is_known = self.families.iter().any(|(id, _)| *id == operation.family);
            if !is_known && self.families.len() < FAMILIES_MAX {
                self.families.push((operation.family, LeftEntries::default()));
            }
            let mut families = self.families.iter_mut();
            let left = families.find(|(id, _)| *id == operation.family);
            let Some((_, left)) = left else { continue };
            if left.entries == 0 || order.compare(operation.key, &left.smallest).is_lt() {
                left.smallest = operation.key.to_vec();
            }
            if left.entries == 0 || order.compare(operation.key, &left.largest).is_gt() {
                left.largest = operation.key.to_vec();
            }
            left.entries += 1;
        }
    }
}

/// Widens a range of sequence numbers by those of a batch.
pub(super) fn widen(sequences: &mut Option<(u64, u64)>, batch: &Batch<'_>) {
    if batch.count > 0 {
        let (first, last) = sequences.unwrap_or((batch.sequence, 0));
        *sequences = Some((first.min(batch.sequence), last.max(batch.last_sequence())));
    }
}

/// `12 entries of family "a" and 3 entries of family "b"`
fn entries_words(state: &State, entries: impl Iterator<Item = (u32, u64)>) -> String {
    // Only RocksDB has column families.
    let of = |id: u32| match state.families.get(&id) {
        _ if state.engine != Engine::RocksDb => String::new(),
        Some(family) => format!(" of {}", family_words(&family.name)),
        None => format!(" of family {id}"),
    };
    let mut words: Vec<String> =
        entries.map(|(id, all)| format!("{}{}", count(all, "entry"), of(id))).collect();
    if words.len() > FAMILIES_NAMED {
        let more = words.split_off(FAMILIES_NAMED).len();
        words.push(format!("those of {}", count(more as u64, "more family")));
    }
    listed(&words)
}

/// `sequence number 5`, `sequence numbers 5 to 9`
pub(crate) fn sequences_words((first, last): (u64, u64)) -> String {
    if first == last {
        return format!("sequence number {}", number(first));
    }
    let to = if last - first == 1 { "and" } else { "to" };
    format!("sequence numbers {} {to} {}", number(first), number(last))
}

/// The entries that recovery keeps of a log that is damaged or cut off, and the sequence numbers that are lost in the
/// damage.
pub(super) fn kept_words(file: &LogFile, state: &State) -> String {
    let entries =
        entries_words(state, file.families.iter().map(|(id, (all, _))| (*id, *all as u64)));
    let with = if entries.is_empty() { String::new() } else { format!(" with {entries}") };
    let until = file
        .sequences
        .map_or_else(String::new, |(_, last)| format!(", up to sequence number {}", number(last)));
    let is_leveldb = state.engine == Engine::LevelDb;
    let around = if is_leveldb && matches!(file.end, Some(End::Damaged(_))) {
        "before and after it"
    } else {
        "before it"
    };
    let kept = match file.batches {
        0 => format!("no batch {around} can be read"),
        all => format!("recovery keeps the {} {around}{with}{until}", batches_words(all)),
    };
    match lost_words(file) {
        None => kept,
        Some(lost) => format!("{kept}; {lost} in the damaged part"),
    }
}

/// `1 batch`, `16 batches`
pub(crate) fn batches_words(batches: u64) -> String {
    if batches == 1 { "1 batch".to_owned() } else { format!("{} batches", number(batches)) }
}

/// `sequence number 5 is lost`, `sequence numbers 5 to 7 and sequence number 9 are lost`, at most three ranges by name.
pub(crate) fn lost_words(file: &LogFile) -> Option<String> {
    let (named, more) = file.lost.split_at(file.lost.len().min(HOLES_NAMED));
    let mut words: Vec<String> = named.iter().map(|range| sequences_words(*range)).collect();
    if !more.is_empty() {
        words.push(format!("{} of sequence numbers", count(more.len() as u64, "more range")));
    }
    let is_one = file.lost.len() == 1 && file.lost.iter().all(|(first, last)| first == last);
    let are = if is_one { "is" } else { "are" };
    (!words.is_empty()).then(|| format!("{} {are} lost", listed(&words)))
}

/// Whether entries with all sequence numbers of a range are in small tables of families that have flushed them.
pub(super) fn is_in_tables(files: &dyn Files, state: &State, (first, last): (u64, u64)) -> bool {
    let wanted = last - first + 1;
    if wanted > SOUGHT_MAX {
        return false;
    }
    let mut found = BTreeSet::new();
    let families = state.families.values();
    let tables = families.flat_map(|family| {
        let all = family.levels.values().flatten();
        all.map(move |table| (family.comparator, table))
    });
    let may_hold = |table: &TableFile| {
        let (smallest, largest) = (table.smallest_sequence, table.largest_sequence);
        table.bytes <= WALKED_BYTES_MAX
            && smallest.is_none_or(|smallest| smallest <= last)
            && largest.is_none_or(|largest| largest >= first)
    };
    for (order, table) in tables.filter(|(_, table)| may_hold(table)).take(OPENED_MAX) {
        let name = super::tables::file_name(files, state.engine, table.backing);
        let Ok(table) = crate::table::open(files, &name, state.engine, order) else { continue };
        let Ok(mut cursor) = table.cursor() else { continue };
        let mut is_read = cursor.first().is_ok();
        while let Some(entry) = cursor.entry().filter(|_| is_read) {
            if (first..=last).contains(&entry.sequence) {
                found.insert(entry.sequence);
            }
            is_read = cursor.next().is_ok();
        }
    }
    found.len() as u64 == wanted
}

/// A finding for each family with entries that do not count. Where tables have them all, it is a note.
pub(super) fn problems(file: &LogFile, stopped_in: Option<&str>, state: &State) -> Vec<Problem> {
    let left = &file.left_out;
    let is_leveldb = state.engine == Engine::LevelDb;
    let is_one = left.batches == 1;
    let left_out = |severity, words: String, follows: &str| {
        let batches = batches_words(left.batches);
        let them = if is_one { "it" } else { "them" };
        let because = match stopped_in {
            Some(other) => format!("recovery leaves {them} out, because it ends in {other}"),
            None if is_leveldb => {
                format!("LevelDB leaves {them} out with the rest of the 32 KiB block")
            }
            None => format!("recovery leaves {them} out"),
        };
        let after = if stopped_in.is_some() { "" } else { " after the damage" };
        let message = format!("{batches}{after}{words} can be read, but {because}{follows}");
        Problem::new(severity, &file.name, message).standing(Standing::LeftOut)
    };
    if left.batches == 0 {
        return Vec::new();
    }
    let sequences = left.sequences.map(sequences_words).unwrap_or_default();
    if left.families.is_empty() {
        let words = if sequences.is_empty() { sequences } else { format!(" ({sequences})") };
        let follows = if is_one {
            "; nothing of it is lost, because tables have its entries"
        } else {
            "; nothing of them is lost, because tables have their entries"
        };
        return vec![left_out(Severity::Note, words, follows)];
    }
    let of_family = |(id, entries): &(u32, LeftEntries)| {
        let words = entries_words(state, std::iter::once((*id, entries.entries)));
        let mut problem = left_out(Severity::Error, format!(" with {words} ({sequences})"), "");
        problem.family = state.families.get(id).map(|family| family.name.clone());
        problem.keys = Some(bounds(&entries.smallest, &entries.largest));
        problem
    };
    left.families.iter().map(of_family).collect()
}
