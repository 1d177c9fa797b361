//! The tables of a directory, opened when they are first used.

use crate::name::FileName;
use crate::pebble::slice::{Bounds, Slice};
use crate::problem::bounds;
use crate::read::deletions::Cut;
use crate::{
    Comparator, Engine, EntryCursor, EntryRef, Error, Examined, Family, Files, Problem,
    RangeDeletion, Result, State, TableFile, TableReader, Value,
};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One table and its family's order of keys.
struct Slot<'f> {
    level: u32,
    table: Arc<TableFile>,
    comparator: Comparator,
    reader: OnceCell<Result<Box<dyn TableReader + 'f>>>,
}

/// The tables of one state. A reader keeps footer and properties, a few kilobytes a table.
pub struct Tables<'f> {
    files: &'f dyn Files,
    engine: Engine,
    slots: BTreeMap<(u32, u64), Slot<'f>>,
}

/// The name of the file with number `backing`: the one that is there; of a missing table the one that the others have, or
/// that `engine` gives.
pub fn file_name(files: &dyn Files, engine: Engine, backing: u64) -> String {
    let usual = format!("{backing:06}.sst");
    let other = format!("{backing:06}.ldb");
    if files.length(&usual).is_some() {
        return usual;
    }
    if let Some(name) = loose_name(files, &FileName::Table(backing)) {
        return name;
    }
    let ending = |file: &crate::FileInfo| {
        let (_, ending) = file.name.rsplit_once('.')?;
        matches!(ending, "ldb" | "sst").then(|| ending == "ldb")
    };
    let of_others = files.list().iter().find_map(ending);
    let is_other = of_others.unwrap_or(engine == Engine::LevelDb);
    if files.length(&other).is_some() || is_other { other } else { usual }
}

/// The name of the single file that is `kind`.
pub(super) fn loose_name(files: &dyn Files, kind: &FileName) -> Option<String> {
    files.loose()?;
    files.list().iter().find(|file| files.kind(&file.name) == *kind).map(|file| file.name.clone())
}

impl<'f> Tables<'f> {
    /// Those of `state`; nothing is read yet.
    pub fn new(files: &'f dyn Files, state: &State) -> Self {
        let mut slots = BTreeMap::new();
        for family in state.families.values() {
            for (level, table) in family.tables() {
                let (table, comparator) = (Arc::clone(table), family.comparator);
                let slot = Slot { level, table, comparator, reader: OnceCell::new() };
                slots.insert((family.id, slot.table.number), slot);
            }
        }
        Self { files, engine: state.engine, slots }
    }

    /// The reader of table `number` of a family.
    ///
    /// # Errors
    /// The table is missing, damaged, or of a format that is not read.
    pub fn reader(&self, family: u32, number: u64) -> Result<&(dyn TableReader + 'f)> {
        let slot = self.slots.get(&(family, number));
        let slot = slot.ok_or_else(|| {
            let message = format!("table {number} is not in this family");
            Error::new(crate::ErrorKind::Invalid, message)
        })?;
        let opened = slot.reader.get_or_init(|| self.open(slot));
        opened.as_ref().map(AsRef::as_ref).map_err(Clone::clone)
    }

    /// The level of table `number` of a family, and the table.
    pub fn place(&self, family: u32, number: u64) -> Option<(u32, &TableFile)> {
        let slot = self.slots.get(&(family, number))?;
        Some((slot.level, slot.table.as_ref()))
    }

    fn open(&self, slot: &Slot<'f>) -> Result<Box<dyn TableReader + 'f>> {
        let name = file_name(self.files, self.engine, slot.table.backing);
        let reader = crate::table::open(self.files, &name, self.engine, slot.comparator)
            .map_err(|error| error.in_file(&name))?;
        if self.engine == Engine::Levelscope && !crate::own::is_of(reader.as_ref(), &slot.table) {
            let message = "the table is not the one that the manifest describes";
            return Err(Error::damaged(0, message).in_file(&name));
        }
        if !slot.table.is_virtual() {
            return Ok(reader);
        }
        let bounds = Bounds::of(&slot.table);
        Ok(Box::new(Slice::new(reader, bounds, slot.comparator)))
    }

    /// The walk over the point entries of a table: a virtual table's slice of its file, with the true sequence
    /// numbers.
    ///
    /// # Errors
    /// Those of [`Tables::reader`].
    pub fn cursor(&self, family: u32, number: u64) -> Result<Box<dyn EntryCursor + '_>> {
        let reader = self.reader(family, number)?;
        let name = self.name_of(family, number);
        let cursor = reader.cursor().map_err(|error| error.in_file(&name))?;
        let Some(slot) = self.slots.get(&(family, number)) else { return Ok(cursor) };
        let ingested = self.ingested_sequence(reader, &slot.table);
        Ok(Box::new(Named { cursor, name, ingested }))
    }

    /// The sequence number of all entries of a table that was ingested. Pebble's tables have no property for it; there
    /// the manifest records one number for the whole table.
    fn ingested_sequence(&self, reader: &dyn TableReader, table: &TableFile) -> Option<u64> {
        if self.engine == Engine::Pebble {
            return table
                .largest_sequence
                .filter(|_| table.smallest_sequence == table.largest_sequence);
        }
        reader.summary().ingested_sequence(table.largest_sequence)
    }

    /// The range deletions of a table, with their true sequence numbers.
    ///
    /// # Errors
    /// Those of [`Tables::reader`].
    pub fn range_deletions(&self, family: u32, table: &TableFile) -> Result<Vec<RangeDeletion>> {
        let reader = self.reader(family, table.number)?;
        if reader.summary().range_deletions == Some(0) {
            return Ok(Vec::new());
        }
        let name = self.name_of(family, table.number);
        let mut deletions = reader.range_deletions().map_err(|error| error.in_file(&name))?;
        if let Some(sequence) = self.ingested_sequence(reader, table) {
            for deletion in &mut deletions {
                deletion.sequence = sequence;
            }
        }
        Ok(deletions)
    }

    /// The range deletions of a table, cut to its bounds.
    ///
    /// # Errors
    /// Those of [`Tables::range_deletions`].
    pub fn cut_deletions(&self, family: &Family, table: &TableFile) -> Result<Vec<Cut>> {
        let (smallest, largest) = table.user_keys();
        let bounds = (smallest, largest, table.largest_is_exclusive());
        let bounds = table.has_bounds.then_some(bounds);
        let cut = |deletion| Cut::within(deletion, bounds, family.comparator);
        Ok(self.range_deletions(family.id, table)?.into_iter().filter_map(cut).collect())
    }

    /// Checks a table; how far that came.
    pub fn check(
        &self,
        family: u32,
        number: u64,
        deep: bool,
        report: &mut dyn FnMut(Problem),
    ) -> Examined {
        let name = self.name_of(family, number);
        match self.reader(family, number) {
            Ok(reader) => reader.check(deep, report),
            Err(error) => {
                report(Problem::of(&error, &name));
                Examined::unopened()
            }
        }
    }

    /// Adds to a finding in a data block which keys that block holds, from the separators of the index.
    pub(super) fn locate_block(&self, family: u32, number: u64, problem: &mut Problem) {
        let Some(offset) = problem.offset.filter(|_| problem.keys.is_none()) else { return };
        let Ok(blocks) = self.reader(family, number).and_then(TableReader::data_blocks) else {
            return;
        };
        let mut before: &[u8] = &[];
        for block in &blocks {
            let end = block.handle.offset.saturating_add(block.handle.bytes);
            if (block.handle.offset..end).contains(&offset) {
                problem.keys = Some(bounds(before, &block.separator));
                return;
            }
            before = &block.separator;
        }
    }

    /// Whether the file of a table is in the directory.
    pub fn is_there(&self, family: u32, number: u64) -> bool {
        self.files.length(&self.name_of(family, number)).is_some()
    }

    /// The name of the file of a table.
    pub fn name_of(&self, family: u32, number: u64) -> String {
        let slot = self.slots.get(&(family, number));
        file_name(self.files, self.engine, slot.map_or(number, |slot| slot.table.backing))
    }
}

/// A walk whose failures name the file. All entries of an ingested table have the sequence number of the ingestion.
struct Named<'a> {
    cursor: Box<dyn EntryCursor + 'a>,
    name: String,
    ingested: Option<u64>,
}

impl EntryCursor for Named<'_> {
    fn first(&mut self) -> Result<()> {
        self.cursor.first().map_err(|error| error.in_file(&self.name))
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        // Each key stands once in an ingested table.
        let from = self.ingested.map_or(sequence, |_| crate::key::SEQUENCE_MAX);
        self.cursor.seek(user_key, from).map_err(|error| error.in_file(&self.name))?;
        let is_newer = self.ingested.is_some_and(|ingested| sequence < ingested)
            && self.cursor.entry().is_some_and(|entry| entry.user_key == user_key);
        if is_newer { self.next() } else { Ok(()) }
    }

    fn next(&mut self) -> Result<()> {
        self.cursor.next().map_err(|error| error.in_file(&self.name))
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        let entry = self.cursor.entry()?;
        Some(EntryRef { sequence: self.ingested.unwrap_or(entry.sequence), ..entry })
    }

    fn value(&mut self) -> Result<Value> {
        self.cursor.value().map_err(|error| error.in_file(&self.name))
    }
}
