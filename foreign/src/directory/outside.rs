//! Content of tables in no level: keys, sequence numbers, and whether the logs hold the same entries.

use super::Logs;
use super::logs::needs;
use super::unnamed::{Unnamed, family_name, unnamed};
use crate::frame::End;
use crate::manifest::Manifest;
use crate::problem::bounds;
use crate::sorting::sort_by_key;
use crate::text::count;
use crate::{Comparator, Engine, Files, Problem, Result, TableReader};

/// Tables that are opened to describe their content.
const OPENED_MAX: usize = 64;
/// Tables up to this size are walked for the sequence numbers that no edit records \[bytes\].
const WALKED_BYTES_MAX: u64 = 1 << 20;
/// Tables up to this size are checked \[bytes\].
const CHECKED_BYTES_MAX: u64 = 4 << 20;
/// The property in which RocksDB notes the family of a table.
const FAMILY_PROPERTY: &str = "rocksdb.column.family.name";

/// A table in no level, as far as the edit that adds it or the table itself describes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outside {
    /// Its file.
    pub(crate) name: String,
    /// Its level, where a readable edit adds it.
    pub(crate) level: Option<u32>,
    /// Its family: name, and number when the family is known.
    pub(crate) family: Option<(String, Option<u32>)>,
    /// Its smallest and largest user key.
    pub(crate) keys: Option<(Vec<u8>, Vec<u8>)>,
    /// Its smallest and largest sequence number.
    pub(crate) sequences: Option<(u64, u64)>,
    /// Its entries.
    pub(crate) entries: Option<u64>,
    /// Whether a check of its checksums found no damage; large tables are not checked.
    pub(crate) is_whole: bool,
    /// Whether the logs that count hold all its sequence numbers, so that nothing of it is lost.
    pub(crate) in_logs: bool,
}

/// The tables in no level; the first 64 of them are described.
pub(crate) fn outside(files: &dyn Files, manifest: &Manifest, logs: Option<&Logs>) -> Vec<Outside> {
    let all = unnamed(files, manifest);
    let tables = all.iter().filter(|file| file.is_table).enumerate();
    let describe = |(place, file): (usize, &Unnamed<'_>)| {
        let mut outside = of_edit(manifest, file);
        if place < OPENED_MAX && file.bytes.is_some() {
            // Not every file is whole: the one that is being written when a crash comes is not.
            let _ = outside.read(files, manifest, file.bytes.unwrap_or(0));
        }
        outside.in_logs = logs.is_some_and(|logs| outside.is_in(logs, manifest));
        outside
    };
    tables.map(describe).collect()
}

/// The table as the edit that adds it describes it.
fn of_edit(manifest: &Manifest, file: &Unnamed<'_>) -> Outside {
    let mut outside = Outside { name: file.name.clone(), ..Outside::default() };
    let families = &manifest.last().families;
    if manifest.engine() != Engine::RocksDb {
        let only = families.values().next();
        outside.family = only.map(|family| (family.name.clone(), Some(family.id)));
    }
    let (Some((level, table)), Some(cut)) = (file.left, manifest.cut()) else { return outside };
    outside.level = Some(*level);
    let id = u32::try_from(cut.family_of(table.number).0).ok();
    let id = id.filter(|id| families.contains_key(id));
    outside.family = Some((family_name(manifest, cut, table.number), id));
    outside.keys = Some((table.smallest.user_key.clone(), table.largest.user_key.clone()));
    outside.sequences = table.smallest_sequence.zip(table.largest_sequence);
    outside
}

impl Outside {
    /// Adds the table's own bounds and properties.
    fn read(&mut self, files: &dyn Files, manifest: &Manifest, bytes: u64) -> Result<()> {
        let families = &manifest.last().families;
        let id = self.family.as_ref().and_then(|(_, id)| *id);
        let family = id.map_or_else(|| families.values().next(), |id| families.get(&id));
        let order = family.map_or(Comparator::Unknown, |family| family.comparator);
        let table = crate::table::open(files, &self.name, manifest.engine(), order)?;
        let summary = table.summary();
        self.entries = summary.entries;
        if bytes <= CHECKED_BYTES_MAX {
            let mut is_whole = true;
            let examined = table.check(false, &mut |found| {
                is_whole &= found.severity != crate::Severity::Error;
            });
            self.is_whole = is_whole && examined.gap.is_none();
        }
        if let Some(name) = summary.properties.get(FAMILY_PROPERTY).filter(|_| self.level.is_none())
        {
            let name = String::from_utf8_lossy(name).into_owned();
            let known = families.values().find(|family| family.name == name);
            self.family = Some((name, known.map(|family| family.id)));
        }
        if self.keys.is_none() {
            let mut cursor = table.cursor()?;
            cursor.first()?;
            let first = cursor.entry().map(|entry| entry.user_key.to_vec());
            let last = table.data_blocks()?.pop().map(|block| block.separator);
            self.keys = first.zip(last);
        }
        if self.sequences.is_none() && bytes <= WALKED_BYTES_MAX {
            self.sequences = sequences(table.as_ref())?;
        }
        Ok(())
    }

    /// Whether the entries of `logs` that count for the family hold all its sequence numbers.
    fn is_in(&self, logs: &Logs, manifest: &Manifest) -> bool {
        let (Some((_, Some(family))), Some((first, last))) = (&self.family, self.sequences) else {
            return false;
        };
        let state = manifest.last();
        let counted = logs.files.iter().filter(|file| file.counts);
        // LevelDB goes on after damage, so a damaged log of it has gaps.
        let is_whole = |end: Option<&End>| {
            state.engine != Engine::LevelDb || !matches!(end, Some(End::Damaged(_)))
        };
        let of_family = counted
            .filter(|file| needs(state, file.number, *family) && is_whole(file.end.as_ref()));
        let mut ranges: Vec<(u64, u64)> = of_family.filter_map(|file| file.sequences).collect();
        sort_by_key(&mut ranges, |range| *range);
        let mut reach = first;
        for (from, to) in ranges {
            if from <= reach {
                reach = reach.max(to.saturating_add(1));
            }
        }
        // Numbers may be missing in a log: a write need not go into it.
        let is_own = |sequence: u64| (first..=last).contains(&sequence);
        let entries = logs.runs.get(family).into_iter().flat_map(crate::read::MemoryRun::entries);
        let entries = entries.filter(|entry| is_own(entry.sequence)).count();
        let deletions = logs.deletions.get(family).into_iter().flatten();
        let deletions = deletions.filter(|deletion| is_own(deletion.sequence)).count();
        reach > last && self.entries.is_some_and(|all| all <= (entries + deletions) as u64)
    }
}

/// The smallest and the largest sequence number of the entries of a table.
pub(super) fn sequences(table: &dyn TableReader) -> Result<Option<(u64, u64)>> {
    let mut found: Option<(u64, u64)> = None;
    let mut cursor = table.cursor()?;
    cursor.first()?;
    while let Some(entry) = cursor.entry() {
        let (first, last) = found.unwrap_or((entry.sequence, entry.sequence));
        found = Some((first.min(entry.sequence), last.max(entry.sequence)));
        cursor.next()?;
    }
    Ok(found)
}

/// Adds to findings about tables that no readable edit describes the bounds in the tables themselves, and in RocksDB
/// the family. A table that cannot be read adds nothing.
pub(crate) fn describe(tables: &[Outside], engine: Engine, problems: &mut [Problem]) {
    for table in tables.iter().filter(|table| table.level.is_none()) {
        let Some(problem) = problems.iter_mut().find(|problem| problem.file == table.name) else {
            continue;
        };
        if engine == Engine::RocksDb {
            problem.family = table.family.as_ref().map(|(name, _)| name.clone());
        }
        if let Some(entries) = table.entries {
            problem.message = format!("{}; it holds {}", problem.message, count(entries, "entry"));
        }
        problem.keys = table.keys.as_ref().map(|(smallest, largest)| bounds(smallest, largest));
    }
}
