//! The state of a database whose manifest is missing or hides tables: its tables describe themselves, and all of them count.

use crate::bytes::Cursor;
use crate::comparator::LEVELSCOPE;
use crate::manifest::{CutCause, Manifest};
use crate::name::FileName;
use crate::options::OptionsFile;
use crate::recognize::{Recognized, flaw_of_current, flaws_of_own};
use crate::table::magic_engine;
use crate::text::count;
use crate::{
    Comparator, DataBlock, Engine, EntryCursor, Error, ErrorKind, Family, FileInfo, Files,
    InternalKey, Problem, Result, Severity, State, TableFile, TableReader, TableSummary,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The order of keys without another one.
const BYTEWISE: &str = "leveldb.BytewiseComparator";
/// The properties in which RocksDB notes the family of a table.
const FAMILY_NAME: &str = "rocksdb.column.family.name";
const FAMILY_ID: &str = "rocksdb.column.family.id";
/// The last number of a family; RocksDB writes it into tables that belong to none.
const NO_FAMILY: u32 = 0x7fff_ffff;

/// A directory without a manifest: the engine, by the ends of its tables and the names of its files.
///
/// # Errors
/// `Missing` as [`crate::recognize`] has it, when no table can be read.
pub(super) fn recognized(files: &dyn Files, missing: Error) -> Result<Recognized> {
    let names = || files.list().iter().map(|file| (FileName::parse(&file.name), &file.name));
    let tables = || names().filter(|(name, _)| matches!(name, FileName::Table(_)));
    let of_table = tables().find_map(|(_, name)| Some((magic_engine(files, name)?, name)));
    let Some((mut engine, table)) = of_table else { return Err(missing) };
    let is_rocksdb = |name: &FileName| matches!(name, FileName::Identity | FileName::Options(_));
    if engine == Engine::LevelDb && names().any(|(name, _)| is_rocksdb(&name)) {
        // RocksDB's oldest tables end as LevelDB's do.
        engine = Engine::RocksDb;
    }
    let evidence = vec![
        format!("{table} ends in the magic number of {}.", engine.name()),
        "No manifest is here: all tables and logs count, obsolete ones too.".to_owned(),
    ];
    let all = tables().count() as u64;
    let message = format!(
        "the manifest is missing, so {} and all logs count, obsolete ones too: older values and deleted keys \
         can come back",
        count(all, "table")
    );
    let mut problem = Problem::new(Severity::Error, "MANIFEST", message);
    problem.state = crate::problem::Standing::Missing;
    let (manifest, format_version) = ("MANIFEST".to_owned(), None);
    Ok(Recognized { engine, evidence, manifest, format_version, problems: vec![problem] })
}

/// Single files of `engine`.
pub(super) fn loose(files: &dyn Files, engine: Engine) -> Recognized {
    let (whose, what) = match files.list().len() {
        1 => ("Its content is that of a file", "It is a single file"),
        _ => ("Their content is that of files", "They are single files"),
    };
    let evidence = vec![
        format!("{whose} of {}.", engine.name()),
        format!("{what}, without a manifest: every table and every log counts."),
    ];
    let (manifest, format_version) = ("MANIFEST".to_owned(), None);
    let problems = match engine {
        Engine::Levelscope => flaws_of_own(files).collect(),
        _ => flaw_of_current(files).into_iter().collect(),
    };
    Recognized { engine, evidence, manifest, format_version, problems }
}

/// Whether `error` is that of a directory whose manifest is missing.
pub(super) fn is_without_manifest(error: &Error) -> bool {
    error.kind() == ErrorKind::Missing
}

/// The state of `manifest` with the tables that its cut history hides, those that later edits name among them; `None`
/// when it hides none.
pub(super) fn state(files: &dyn Files, manifest: &Manifest) -> Option<State> {
    let mut state = State::clone(manifest.last());
    if files.loose().is_some() {
        return Some(state_of_all(files, state));
    }
    let Some(cut) = manifest.cut().filter(|cut| !cut.is_normal()) else {
        let newer = super::newer::newer(files, manifest, None);
        for table in &newer {
            take(files, &mut state, &table.name, (table.number, table.bytes));
        }
        return (!newer.is_empty()).then(|| sorted(state));
    };
    let mut known = BTreeSet::new();
    for (id, name) in cut.families() {
        state.families.entry(*id).or_insert_with(|| Family::new(*id, name.clone()));
    }
    for family in state.families.values_mut() {
        for tables in family.levels.values_mut() {
            tables.retain(|table| !cut.removes(table.number));
            known.extend(tables.iter().map(|table| table.backing));
        }
        if cut.hides_snapshot || cut.cause == CutCause::Absent {
            // The logs that count are not known, either.
            family.log_number = 0;
        }
    }
    for (number, (_, table)) in &cut.added {
        let id = u32::try_from(cut.family_of(*number).0).unwrap_or(0);
        if known.insert(table.backing) {
            let family =
                state.families.entry(id).or_insert_with(|| Family::new(id, id.to_string()));
            add(family, Arc::clone(table));
        }
    }
    for unnamed in super::unnamed::unnamed(files, manifest) {
        let FileName::Table(number) = FileName::parse(&unnamed.name) else { continue };
        let length = unnamed.bytes.filter(|_| known.insert(number));
        if let Some(bytes) = length {
            take(files, &mut state, &unnamed.name, (number, bytes));
        }
    }
    Some(sorted(state))
}

/// `state` with one family that has every table among single files.
fn state_of_all(files: &dyn Files, mut state: State) -> State {
    state.families.insert(0, Family::new(0, "default".to_owned()));
    for file in files.list() {
        if let FileName::Table(number) = files.kind(&file.name) {
            take(files, &mut state, &file.name, (number, file.bytes));
        }
    }
    let is_log = |file: &FileInfo| matches!(files.kind(&file.name), FileName::Log { .. });
    if state.families.len() > 1 && !files.list().iter().any(is_log) {
        state.families.retain(|_, family| !family.levels.is_empty());
    }
    sorted(state)
}

/// With the newest table of level 0 first.
fn sorted(mut state: State) -> State {
    for family in state.families.values_mut() {
        if let Some(tables) = family.levels.get_mut(&0) {
            crate::sorting::sort_by_key(tables, |table| std::cmp::Reverse(table.number));
        }
    }
    state
}

/// Adds a table to level 0, where tables may overlap.
fn add(family: &mut Family, table: Arc<TableFile>) {
    family.levels.entry(0).or_default().push(table);
}

/// Adds the table of a file to the family that it names; one that cannot be opened to the first family, so that its
/// damage is reported.
fn take(files: &dyn Files, state: &mut State, file: &str, (number, bytes): (u64, u64)) {
    let open = |order| crate::table::open(files, file, state.engine, order);
    let summary = open(Comparator::Unknown).map(|table| table.summary().clone());
    let summary = summary.unwrap_or_default();
    let named = summary.comparator.as_ref();
    let order = named.map_or(Comparator::Bytewise, |name| Comparator::named(name.as_bytes()));
    let bounds = open(order).ok().and_then(|table| bounds(table.as_ref(), order));
    let (id, name) = owner(state, &summary);
    let has_bounds = bounds.is_some();
    let (smallest, largest) = bounds.unwrap_or_default();
    let family = state.families.entry(id).or_insert_with(|| Family::new(id, name));
    let key = |user_key| InternalKey { user_key, sequence: 0, kind: 1 };
    let table = TableFile::new(number, bytes, key(smallest), key(largest));
    add(family, Arc::new(TableFile { has_bounds, ..table }));
}

/// The number and the name of the family that a table names.
pub(super) fn owner(state: &State, summary: &TableSummary) -> (u32, String) {
    let first = state.families.values().next();
    let first = first.map_or((0, "default".to_owned()), |one| (one.id, one.name.clone()));
    let number = summary.properties.get(FAMILY_ID);
    let id = number.and_then(|bytes| Cursor::new(bytes, 0).varint32().ok());
    let id = id.filter(|id| *id != NO_FAMILY);
    let name = summary.properties.get(FAMILY_NAME).filter(|name| !name.is_empty());
    match (id, name) {
        (Some(id), Some(name)) => (id, String::from_utf8_lossy(name).into_owned()),
        _ => first,
    }
}

/// The first and the last user key, range deletions included; `None` where damage hides one of them.
fn bounds(table: &dyn TableReader, order: Comparator) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut keys = Vec::new();
    let blocks = table.data_blocks().ok()?;
    if let Some(last) = blocks.last() {
        let mut cursor = table.cursor().ok()?;
        cursor.first().ok()?;
        keys.push(cursor.entry()?.user_key.to_vec());
        keys.push(last_key(cursor.as_mut(), &blocks).unwrap_or_else(|| last.separator.clone()));
    }
    for deletion in table.range_deletions().ok()? {
        keys.extend([deletion.start].into_iter().chain(deletion.end));
    }
    crate::sorting::sort_by(&mut keys, |a, b| order.compare(a, b));
    Some((keys.first()?.clone(), keys.pop()?))
}

/// The last key of the last of `blocks`; `None` where damage hides it, or the order of keys is not known.
fn last_key(cursor: &mut dyn EntryCursor, blocks: &[DataBlock]) -> Option<Vec<u8>> {
    if let Some(before) = blocks.len().checked_sub(2).and_then(|at| blocks.get(at)) {
        cursor.seek(&before.separator, 0).ok()?;
    }
    let mut last = None;
    while let Some(entry) = cursor.entry() {
        last = Some(entry.user_key.to_vec());
        cursor.next().ok()?;
    }
    last
}

/// `state`, or that of `manifest`, with the order of keys that their tables or OPTIONS name for families where no edit
/// names one; `None` when it is that of `manifest`.
pub(super) fn ordered(
    files: &dyn Files,
    manifest: &Manifest,
    options: Option<&OptionsFile>,
    state: Option<State>,
) -> Option<State> {
    let is_unordered = |family: &Family| family.comparator_name.is_empty();
    let last = || {
        manifest.last().families.values().any(is_unordered).then(|| State::clone(manifest.last()))
    };
    let mut state = state.or_else(last)?;
    let engine = state.engine;
    for family in state.families.values_mut().filter(|family| is_unordered(family)) {
        let mut tables = family.levels.values().flatten();
        let of_table = tables.find_map(|table| {
            let name = super::tables::file_name(files, engine, table.backing);
            let opened = crate::table::open(files, &name, engine, Comparator::Unknown).ok()?;
            opened.summary().comparator.clone()
        });
        let of_options = || {
            let family = options?.family(&family.name)?;
            family.comparator.value().cloned()
        };
        let name = match engine {
            Engine::LevelDb => Some(BYTEWISE.to_owned()),
            Engine::Levelscope => Some(String::from_utf8_lossy(LEVELSCOPE).into_owned()),
            // Single logs name no order, and hardly any database has another one.
            _ => {
                of_table.or_else(of_options).or_else(|| files.loose().map(|_| BYTEWISE.to_owned()))
            }
        };
        if let Some(name) = name {
            family.comparator = Comparator::named(name.as_bytes());
            family.comparator_name = name;
        }
    }
    Some(state)
}
