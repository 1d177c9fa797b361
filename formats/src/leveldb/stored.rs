//! What a directory of `LevelDB` keeps, level by level, as its manifest says.

use super::edit::TableFile;
use super::files::{Files, manifest_number, numbered};
use super::log_nodes::{current_flaw, manifest_named};
use super::state::State;
use crate::stored::{StoredFiles, StoredTable};
use levelscope::event::ShownKey;
use levelscope::inspect::shown;
use levelscope::internals::key::user_key;
use levelscope::internals::sorting;
use levelscope::view::TableInfo;
use levelscope::{Error, ErrorKind, Result};

/// Reads the manifest that `current` names.
///
/// # Errors
/// Those of `files`.
pub(crate) fn stored(files: &dyn Files, names: &[String], current: &[u8]) -> Result<StoredFiles> {
    let mut found = StoredFiles::default();
    let Some(named) = manifest_named(current) else {
        found.flaws.push(current_flaw(current).in_foreign("CURRENT"));
        return Ok(found);
    };
    let name = String::from_utf8_lossy(named).into_owned();
    if !names.contains(&name) {
        let what = "CURRENT names this manifest, but it does not exist";
        found.flaws.push(Error::new(ErrorKind::NotFound, what).in_foreign(&name));
        return Ok(found);
    }
    let state = State::read(&files.read(&name)?);
    let named = |error: Error| error.in_foreign(&name);
    found.flaws.extend(state.damage.iter().cloned().map(named));
    let whole = found.flaws.is_empty();
    if state.check_order().is_err() {
        found.other_order = state.comparator.as_deref().map(shown);
    } else if state.check().is_ok() {
        found.levels = levels(&state, names, &mut found.flaws);
    }
    let mut logs: Vec<(u64, &String)> =
        names.iter().filter_map(|name| Some((numbered(name, &["log"])?, name))).collect();
    sorting::sort(&mut logs);
    for (number, log) in logs {
        let list = if state.wants_log(number) { &mut found.logs } else { &mut found.obsolete };
        list.push(log.clone());
    }
    // A manifest with lost records may name any of them.
    if whole {
        let tables = |file: &&String| {
            numbered(file, &["ldb", "sst"])
                .is_some_and(|number| !state.tables.keys().any(|(_, known)| *known == number))
        };
        let manifests = |file: &&String| manifest_number(file).is_some() && **file != name;
        found.obsolete.extend(names.iter().filter(|file| tables(file) || manifests(file)).cloned());
    } else {
        found.obsolete.clear();
    }
    found.manifest = Some(name);
    Ok(found)
}

fn levels(state: &State, names: &[String], flaws: &mut Vec<Error>) -> Vec<Vec<StoredTable>> {
    let there = names.iter().filter_map(|name| Some((numbered(name, &["ldb", "sst"])?, name)));
    let there = sorting::map(there);
    let mut levels = vec![Vec::new()];
    for ((level, number), table) in &state.tables {
        let index = usize::try_from(*level).unwrap_or(usize::MAX);
        while levels.len() <= index {
            levels.push(Vec::new());
        }
        let file = there.get(number);
        let name = file.map_or_else(|| format!("{number:06}.ldb"), |name| (*name).clone());
        if file.is_none() {
            let what = format!("the manifest has it in L{level}, but it does not exist");
            flaws.push(Error::new(ErrorKind::NotFound, what).in_foreign(&name));
        }
        let info = info(table, *level);
        if let Some(tables) = levels.get_mut(index) {
            tables.push(StoredTable { name, is_there: file.is_some(), info });
        }
    }
    for (level, tables) in levels.iter_mut().enumerate() {
        if level == 0 {
            tables.reverse();
        } else {
            sorting::sort_by(tables, |a, b| {
                smallest(state, level, a).cmp(smallest(state, level, b))
            });
        }
    }
    levels
}

/// The whole smallest key: what is shown of it may be cut.
fn smallest<'a>(state: &'a State, level: usize, table: &StoredTable) -> &'a [u8] {
    let found = state.tables.get(&(level as u64, table.info.table));
    found.map_or(&[], |table| user_key(&table.smallest))
}

/// What a manifest says of a table. In L0 each is a run of its own.
fn info(table: &TableFile, level: u64) -> TableInfo {
    TableInfo {
        ranges: None,
        table: table.number,
        run: if level == 0 { table.number } else { 0 },
        bytes: table.bytes,
        entries: 0,
        tombstones: 0,
        blocks: 0,
        smallest: ShownKey::new(user_key(&table.smallest)),
        largest: ShownKey::new(user_key(&table.largest)),
        sequence_min: 0,
        sequence_max: 0,
    }
}
