//! Facts about one object at a step, as rows of words for an inspector and a terminal.

use super::answer::{BlobLine, Fact, Facts, LevelLine, Levels, LogLine, TableLine};
use super::levels::style_word;
use crate::directory::Directory;
use crate::directory::values::blob_name;
use crate::files::total;
use crate::name::FileName;
use crate::text::{bytes, count, moment, number, percent};
use crate::{Engine, Error, ErrorKind, Result};

/// An object of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// The family itself.
    Family,
    /// The table with this number.
    Table(u64),
    /// The level with this number.
    Level(u32),
    /// The log in this file.
    Log(String),
    /// The blob file with this number.
    Blob(u64),
}

impl Object {
    /// The object that `typed` names: nothing, `10` or `table:10`, `L1` or `level:1`, the name of a file, also after `@`.
    ///
    /// # Errors
    /// `Invalid` when it names none.
    pub fn parse(typed: &str) -> Result<Self> {
        let unknown = || {
            let message = format!("\"{typed}\" is no table, level, log or blob file");
            Error::new(ErrorKind::Invalid, message)
        };
        if typed.is_empty() {
            return Ok(Self::Family);
        }
        let level = typed.strip_prefix(['L', 'l']).and_then(|level| level.parse().ok());
        if let Some(object) = typed.parse().ok().map(Self::Table).or(level.map(Self::Level)) {
            return Ok(object);
        }
        if let Some((kind, name)) = typed.split_once(':') {
            return match kind {
                "table" => name.parse().map(Self::Table).map_err(|_| unknown()),
                "level" => name.parse().map(Self::Level).map_err(|_| unknown()),
                _ => Err(unknown()),
            };
        }
        let file = typed.strip_prefix('@').unwrap_or(typed);
        match FileName::parse(file) {
            FileName::Table(number) => Ok(Self::Table(number)),
            FileName::Log { .. } => Ok(Self::Log(file.to_owned())),
            FileName::Blob(number) => Ok(Self::Blob(number)),
            _ => Err(unknown()),
        }
    }
}

impl Directory<'_> {
    /// Facts about `object` of family `id` after `step`, the last one when it is `None`.
    ///
    /// # Errors
    /// Those of [`Directory::levels`]; `Invalid` when the family has no such object then.
    pub fn facts(&self, id: u32, step: Option<usize>, object: &Object) -> Result<Facts> {
        let levels = self.levels(id, step)?;
        let is_past = levels.step + 1 < self.manifest().steps().len();
        // RocksDB alone has families.
        let of = if self.engine() == Engine::RocksDb { " of this family" } else { "" };
        let missing = || Error::new(ErrorKind::Invalid, format!("there is no such object{of}"));
        match object {
            Object::Family => self.family_facts(id, &levels, is_past),
            Object::Table(table) => self.table_facts(*table, &levels, is_past, of),
            Object::Level(level) => {
                let found = levels.levels.iter().find(|one| one.level == *level);
                Ok(level_facts(found.ok_or_else(missing)?))
            }
            Object::Log(file) => {
                let found = levels.logs.iter().find(|log| log.file == *file);
                Ok(log_facts(found.ok_or_else(missing)?, of))
            }
            Object::Blob(blob) => {
                let found = levels.blob_files.iter().find(|one| one.number == *blob);
                Ok(blob_facts(found.ok_or_else(missing)?, is_past))
            }
        }
    }

    fn family_facts(&self, id: u32, levels: &Levels, is_past: bool) -> Result<Facts> {
        let family = self.family(id)?;
        let tables = || levels.levels.iter().flat_map(|level| &level.tables);
        let all = tables().count() as u64;
        let size = bytes(total(tables().map(|table| table.bytes)));
        let mut rows = vec![row("Tables", format!("{}, {size}", count(all, "table")))];
        let known: Vec<&TableLine> = tables().filter(|table| table.entries.is_some()).collect();
        if !known.is_empty() {
            let entries = total(known.iter().filter_map(|table| table.entries));
            let deletions = total(known.iter().filter_map(|table| table.deletions));
            let of = count(known.len() as u64, "table");
            rows.push(row("Entries", format!("{} in {of}", count(entries, "entry"))));
            rows.push(row("Tombstones", tombstones(Some(deletions), Some(entries))));
        }
        let gone: Vec<&TableLine> = tables().filter(|table| table.is_missing).collect();
        let mut problems = Vec::new();
        match (gone.as_slice(), is_past) {
            ([], _) => {}
            (gone, true) => {
                let files = count(gone.len() as u64, "file");
                rows.push(row("Deleted since", format!("{files} of tables")));
            }
            ([one], false) => {
                problems.push(format!("Table {} is missing from the directory.", one.number));
            }
            (gone, false) => {
                let tables = count(gone.len() as u64, "table");
                problems.push(format!("{tables} are missing from the directory."));
            }
        }
        let options = self.family_options(family);
        let style = options.and_then(|options| options.compaction_style.value().copied());
        let style = style.map_or("not known: no file holds the options", style_word);
        rows.push(row("Compaction", style));
        let order = match (family.comparator.is_known(), family.comparator.is_reverse()) {
            (false, _) => "unknown order",
            (true, true) => "descending order",
            (true, false) => "ascending order",
        };
        let words = [order, &family.comparator_name];
        let words: Vec<&str> = words.into_iter().filter(|part| !part.is_empty()).collect();
        rows.push(row("Keys", words.join(", ")));
        let has_families = self.engine() == Engine::RocksDb;
        let title = if has_families { family.name.as_str() } else { "The database" };
        let what = if has_families { format!("column family {id}") } else { String::new() };
        Ok(Facts { problems, ..named(title, what, rows) })
    }

    fn table_facts(&self, table: u64, levels: &Levels, is_past: bool, of: &str) -> Result<Facts> {
        let life = self.life_lines(table)?;
        let found = levels.levels.iter().find_map(|level| {
            let table = level.tables.iter().find(|one| one.number == table)?;
            Some((level, table))
        });
        let (mut problems, mut notes) = (Vec::new(), Vec::new());
        if life.is_empty() && self.has_manifest() {
            let which = if self.manifest().cut().is_some() { " that can be read" } else { "" };
            notes.push(format!("No edit{which} of this manifest names table {table}."));
        }
        let Some((level, line)) = found else {
            let what = format!("in no level{of} at this step");
            let facts = named(&format!("table {table}"), what, Vec::new());
            return Ok(Facts { notes, life, ..facts });
        };
        if line.is_missing && is_past {
            notes.push(
                "Its file was deleted since. The manifest still has its bounds and size, but its entries are gone."
                    .to_owned(),
            );
        } else if line.is_missing {
            problems
                .push("The file is not in the directory: its entries are lost here.".to_owned());
        }
        if line.is_damaged {
            problems.push(
                "The file is damaged: Problems lists the place and the affected keys.".to_owned(),
            );
        }
        let facts = named(&line.file, format!("L{}", level.level), table_rows(line, level, levels));
        let file = (!line.is_missing).then(|| line.file.clone());
        Ok(Facts { is_file: true, problems, notes, life, file, ..facts })
    }
}

fn row(label: &'static str, text: impl Into<String>) -> Fact {
    Fact { label, text: text.into(), key: None }
}

fn named(title: &str, what: String, rows: Vec<Fact>) -> Facts {
    let (problems, notes, life) = (Vec::new(), Vec::new(), Vec::new());
    Facts { title: title.to_owned(), is_file: false, what, problems, rows, notes, life, file: None }
}

fn table_rows(table: &TableLine, level: &LevelLine, levels: &Levels) -> Vec<Fact> {
    let mut rows = Vec::new();
    if table.is_virtual {
        rows.push(row("Number", format!("{}, a slice of {}", table.number, table.file)));
    }
    rows.push(row("Size", format!("{} ({} B)", bytes(table.bytes), number(table.bytes))));
    for (label, key) in [("First key", &table.smallest), ("Last key", &table.largest)] {
        rows.push(Fact { label, text: key.text.clone(), key: Some(key.clone()) });
    }
    let about = if table.is_virtual { "about " } else { "" };
    let entries = table.entries.map(|entries| format!("{about}{}", number(entries)));
    rows.push(row("Entries", entries.unwrap_or_else(|| "not read".to_owned())));
    rows.push(row("Tombstones", tombstones(table.deletions, table.entries)));
    rows.push(row(
        "Sequence",
        match (table.smallest_sequence, table.largest_sequence) {
            (Some(first), Some(last)) => format!("{} – {}", number(first), number(last)),
            _ => "not recorded".to_owned(),
        },
    ));
    let below = |one: &&LevelLine| one.level > level.level && !one.tables.is_empty();
    if let Some(below) = levels.levels.iter().find(below) {
        let meets = |other: &&TableLine| other.from <= table.to && other.to >= table.from;
        let met: Vec<&TableLine> = below.tables.iter().filter(meets).collect();
        let size = bytes(total(met.iter().map(|other| other.bytes)));
        let tables = count(met.len() as u64, "table");
        rows.push(row("Overlaps", format!("{tables} of L{} ({size})", below.level)));
    }
    if let Some(seconds) = table.created_seconds.filter(|seconds| *seconds > 0) {
        rows.push(row("Made", moment(seconds.saturating_mul(1_000_000), false)));
    }
    rows.extend(table.epoch.map(|epoch| row("Epoch", number(epoch))));
    let oldest = table.oldest_blob_file.map(blob_name);
    rows.extend(
        oldest.map(|file| row("Blob files", format!("{file} is the oldest that it needs"))),
    );
    rows
}

fn tombstones(deletions: Option<u64>, entries: Option<u64>) -> String {
    match (deletions, entries) {
        (None, _) => "not read".to_owned(),
        (Some(0), _) => "none".to_owned(),
        (Some(some), Some(all)) if all > 0 => {
            format!("{}, {} of the entries", number(some), percent(some.min(all), all))
        }
        (Some(some), _) => number(some),
    }
}

fn level_facts(level: &LevelLine) -> Facts {
    let target = level.target_bytes.map(|target| {
        let part = percent(level.bytes, target.max(1));
        format!("{}; it is at {part}", bytes(target))
    });
    let target = target.or_else(|| level.no_target.clone()).unwrap_or_default();
    let rows = vec![row("Size", bytes(level.bytes)), row("Target", target)];
    named(&format!("L{}", level.level), count(level.tables.len() as u64, "table"), rows)
}

fn log_facts(log: &LogLine, of: &str) -> Facts {
    let rows = vec![
        row("To recover", format!("{}{of}", count(log.entries as u64, "entry"))),
        row("Tombstones", count(log.deletes as u64, "tombstone")),
        row("Length", bytes(log.bytes)),
        row("End", format!("it {}", log.end)),
    ];
    let note = if log.entries == 0 {
        format!(
            "It holds no entry{of} that is not in a table: opening the database takes none{of} from it."
        )
    } else if log.is_damaged {
        "Its entries are in no table yet. Problems lists those that opening the database would leave out.".to_owned()
    } else {
        "Its entries are in no table yet: opening the database would read them into memory. They are newer than \
         everything in L0."
            .to_owned()
    };
    let damage = "The file is damaged: Problems lists the place and the losses.";
    let problems = log.is_damaged.then(|| damage.to_owned()).into_iter().collect();
    let facts = named(&log.file, "write-ahead log".to_owned(), rows);
    Facts { is_file: true, problems, notes: vec![note], file: Some(log.file.clone()), ..facts }
}

fn blob_facts(blob: &BlobLine, is_past: bool) -> Facts {
    let garbage = percent(blob.garbage_bytes, blob.total_bytes.max(1));
    let gone = match (blob.is_missing, is_past) {
        (false, _) => "",
        (true, true) => ", deleted since",
        (true, false) => ", missing",
    };
    let of = |values: Option<u64>, size: u64| match values {
        None => bytes(size),
        Some(values) => format!("{}, {}", count(values, "value"), bytes(size)),
    };
    let lost = of(blob.garbage_count, blob.garbage_bytes);
    let rows = vec![
        row("Values", of(blob.count, blob.total_bytes)),
        row("Garbage", format!("{lost} ({garbage})")),
        row("Live", bytes(blob.total_bytes.saturating_sub(blob.garbage_bytes))),
        row("File", format!("{}{gone}", bytes(blob.bytes))),
    ];
    let mut problems = Vec::new();
    if blob.is_missing && !is_past {
        problems.push("The file is not in the directory: its values are lost here.".to_owned());
    }
    if blob.is_damaged {
        problems.push(
            "The file is damaged: Problems lists the place and the affected values.".to_owned(),
        );
    }
    let note = "Tables hold references to these values. A value is garbage when no table refers to it any more; its \
                space comes back with the whole file.";
    let file = (!blob.is_missing).then(|| blob.file.clone());
    let facts = named(&blob.file, "blob file".to_owned(), rows);
    Facts { is_file: true, problems, notes: vec![note.to_owned()], file, ..facts }
}
