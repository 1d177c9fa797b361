//! Tables that are newer than a whole manifest: an older copy of it, or one that stood still. Their engine deletes them
//! when it opens the directory.

use crate::directory::logs::Logs;
use crate::directory::losses::sequences_words;
use crate::manifest::Manifest;
use crate::name::FileName;
use crate::problem::Standing;
use crate::sorting::set;
use crate::{Comparator, Engine, Files, Problem, Severity, State};
use std::collections::BTreeSet;

/// Tables that are walked for their sequence numbers.
const WALKED_MAX: usize = 256;
/// Tables up to this size are walked \[bytes\].
const WALKED_BYTES_MAX: u64 = 1 << 20;

/// A table of which the manifest knows nothing.
#[derive(Debug, Clone)]
pub(crate) struct Newer {
    /// Its file.
    pub(crate) name: String,
    /// Its number.
    pub(super) number: u64,
    /// Its length.
    pub(super) bytes: u64,
    /// Its sequence numbers, the smallest and the largest.
    sequences: (u64, u64),
}

/// The tables in no level with numbers that the manifest has not given out and sequence numbers above those that it knows,
/// unless `logs` have them: what a crash leaves in a table that no edit names yet is in a log. Where damage cuts the manifest off,
/// its tables are found by [`super::unnamed::unnamed`].
pub(crate) fn newer(files: &dyn Files, manifest: &Manifest, logs: Option<&Logs>) -> Vec<Newer> {
    if manifest.cut().is_some_and(|cut| !cut.is_normal()) {
        return Vec::new();
    }
    let state = manifest.last();
    let logged: Vec<(u64, u64)> = logs
        .map_or_else(Vec::new, |logs| logs.files.iter().filter_map(|log| log.sequences).collect());
    let is_logged = |number| logged.iter().any(|(from, to)| (*from..=*to).contains(&number));
    let tables = state.families.values().flat_map(|family| family.levels.values());
    let known: BTreeSet<u64> = set(tables.flatten().map(|table| table.backing));
    let later = files.list().iter().filter_map(|file| match FileName::parse(&file.name) {
        FileName::Table(number) if number >= state.next_file && !known.contains(&number) => {
            Some((number, file))
        }
        _ => None,
    });
    let small = later.filter(|(_, file)| file.bytes <= WALKED_BYTES_MAX).take(WALKED_MAX);
    let described = small.filter_map(|(number, file)| {
        // A table that a crash has left unfinished cannot be opened.
        let table = crate::table::open(files, &file.name, state.engine, Comparator::Unknown);
        let table = table.ok()?;
        let last = last_of(state, super::rescue::owner(state, table.summary()).0);
        let sequences = super::outside::sequences(table.as_ref()).ok()??;
        let newer = Newer { name: file.name.clone(), number, bytes: file.bytes, sequences };
        (sequences.1 > last && !is_logged(sequences.1)).then_some(newer)
    });
    described.collect()
}

/// The last sequence number in the tables of a family, if edits record it: no compaction of them makes a later one.
fn last_of(state: &State, family: u32) -> u64 {
    let Some(family) = state.families.get(&family).filter(|_| state.engine == Engine::RocksDb)
    else {
        return state.last_sequence;
    };
    let tables = family.levels.values().flatten();
    let last = tables.map(|table| table.largest_sequence.unwrap_or(state.last_sequence));
    last.max().unwrap_or(0)
}

/// A finding for each of them.
pub(super) fn problems(newer: &[Newer], manifest: &Manifest) -> Vec<Problem> {
    let engine = manifest.engine().name();
    let problems = newer.iter().map(|table| {
        let message = format!(
            "it is newer than {}, which knows neither its number nor its {}: {engine} deletes it when it opens \
             the directory, so copy the directory first",
            manifest.name(),
            sequences_words(table.sequences)
        );
        Problem::new(Severity::Error, &table.name, message).standing(Standing::InNoLevel)
    });
    problems.collect()
}
