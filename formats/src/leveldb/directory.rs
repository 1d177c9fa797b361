//! A directory: which of its files count, and what they hold together.

use super::edit::TableFile;
use super::files::{Files, manifest_number, numbered};
use super::live::{Live, Source};
use super::log_nodes::{current_flaw, manifest_named};
use super::state::State;
use crate::{Likeness, recognize};
use levelscope::internals::key::user_key;
use levelscope::internals::sorting;
use levelscope::internals::survey::{Sample, Survey};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind, Result, text};
use std::collections::BTreeMap;

/// What is done about damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// It is an error.
    Refuse,
    /// Damaged parts are left out and reported in [`Live::skipped`]; the rest is read.
    Skip,
}

/// A directory whose manifest was read.
pub struct Database<'a> {
    files: &'a dyn Files,
    damage: Damage,
    state: State,
    /// The manifest that counts.
    manifest: Option<String>,
    tables: Vec<Table>,
    logs: Vec<(u64, String)>,
    skipped: Vec<Error>,
    /// Whether damage was left out.
    lost: bool,
}

/// A table that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The name of its file.
    pub name: String,
    /// Its level; 0 when only its name is known.
    pub level: u64,
    /// What the manifest says of it; `None` when no manifest could be read.
    pub known: Option<TableFile>,
}

impl<'a> Database<'a> {
    /// Reads the manifest of the directory `files`.
    ///
    /// # Errors
    /// `NotFound` without `CURRENT` or another file that must be there; `Corruption` with file and
    /// offset; `UnsupportedFormat` for another order of keys. With [`Damage::Skip`] only those of
    /// `files`, `UnsupportedFormat`, and `NotFound` when there is no file of a database at all.
    pub fn open(files: &'a dyn Files, damage: Damage) -> Result<Self> {
        let state = State::default();
        let (tables, logs) = (Vec::new(), Vec::new());
        let mut database = Self {
            files,
            damage,
            state,
            manifest: None,
            tables,
            logs,
            skipped: Vec::new(),
            lost: false,
        };
        let names = files.names()?;
        let mut look = |name: FileName| Ok(Sample::of(&files.read(&name.to_string())?));
        Survey::of_names(&names, &mut look)?.allow_import()?;
        let known = |name: &String| name == "CURRENT" || manifest_number(name).is_some();
        if !names.iter().any(|name| known(name) || is_data(name)) {
            return Err(nothing(files, &names));
        }
        let whole = database.read_manifest(&names)?;
        if !whole && !names.iter().any(|name| is_data(name)) {
            return Err(nothing(files, &names));
        }
        database.find_tables(&names, whole)?;
        for name in names {
            let number = numbered(&name, &["log"]);
            if let Some(number) =
                number.filter(|number| !whole || database.state.wants_log(*number))
            {
                database.logs.push((number, name));
            }
        }
        sorting::sort(&mut database.logs);
        Ok(database)
    }

    /// Notes damage, or makes it the error of the call.
    fn meet(&mut self, error: Error) -> Result<()> {
        if self.damage == Damage::Refuse {
            return Err(error);
        }
        self.skipped.push(error);
        self.lost = true;
        Ok(())
    }

    /// Whether the manifest could be read whole, so that it decides which files count.
    fn read_manifest(&mut self, names: &[String]) -> Result<bool> {
        let Some(name) = self.manifest_name(names)? else { return Ok(false) };
        let file = self.files.read(&name)?;
        self.state = State::read(&file);
        let named = |error: Error| error.in_foreign(&name);
        let sound = self.state.check().map_err(named);
        // Another order is no damage: nothing of it can be left out.
        self.state.check_order().map_err(named)?;
        if let (Ok(()), Some(offset)) = (&sound, self.state.torn) {
            self.take_torn(names, &name, offset)?;
        }
        self.manifest = Some(name);
        let Err(error) = sound else { return Ok(true) };
        self.meet(error)?;
        let why = "the manifest is not whole, so all tables and logs count, obsolete ones too";
        self.skipped.push(Error::new(ErrorKind::Corruption, why));
        Ok(false)
    }

    /// The manifest `name` ends within the record at `offset`. A crash leaves that, and so does damage in
    /// the length of a record: then tables lie there that only the lost records name.
    fn take_torn(&mut self, names: &[String], name: &str, offset: u64) -> Result<()> {
        let unnamed = names.iter().filter(|file| {
            numbered(file, &["ldb", "sst"]).is_some_and(|number| !self.state.names_table(number))
        });
        let unnamed: Vec<String> = unnamed.cloned().collect();
        if unnamed.is_empty() {
            let what = format!(
                "the record at offset {} was cut off by a crash: it does not count",
                text::count(offset)
            );
            self.skipped.push(Error::new(ErrorKind::Corruption, what).in_foreign(name));
            return Ok(());
        }
        let told = text::list(&unnamed);
        let told = match self.damage {
            Damage::Refuse => told,
            Damage::Skip => format!("{told}; these tables are left out"),
        };
        let what = format!("the last record is cut off or damaged, and no other one names {told}");
        self.meet(Error::damaged_at(offset, what).in_foreign(name))
    }

    /// The manifest that `CURRENT` names; while damage is skipped, the newest one if it names none.
    fn manifest_name(&mut self, names: &[String]) -> Result<Option<String>> {
        let missing =
            |name: &str, what: &str| Error::new(ErrorKind::NotFound, what).in_foreign(name);
        let there = |name: &str| names.iter().any(|known| known == name);
        let problem = if there("CURRENT") {
            let current = self.files.read("CURRENT")?;
            let named =
                manifest_named(&current).map(|name| String::from_utf8_lossy(name).into_owned());
            match named {
                Some(name) if there(&name) && current.ends_with(b"\n") => return Ok(Some(name)),
                Some(name) if !there(&name) => {
                    missing(&name, "the manifest that counts is missing")
                }
                _ => current_flaw(&current).in_foreign("CURRENT"),
            }
        } else {
            missing("CURRENT", "the file is missing: without it this is no database of LevelDB")
        };
        self.meet(problem)?;
        let newest = names.iter().filter_map(|name| Some((manifest_number(name)?, name)));
        Ok(newest.max().map(|(_, name)| name.clone()))
    }

    /// Finds the files of the tables that count: those of the manifest, or all without a `whole` one.
    fn find_tables(&mut self, names: &[String], whole: bool) -> Result<()> {
        let there = names.iter().filter_map(|name| Some((numbered(name, &["ldb", "sst"])?, name)));
        let there = sorting::map(there);
        if !whole {
            let all = there.into_values().cloned();
            self.tables = all.map(|name| Table { name, level: 0, known: None }).collect();
            return Ok(());
        }
        let wanted: Vec<_> = self
            .state
            .tables
            .iter()
            .map(|((level, number), table)| (*level, *number, table.clone()))
            .collect();
        for (level, number, table) in wanted {
            if let Some(name) = there.get(&number) {
                let name = (*name).clone();
                self.tables.push(Table { name, level, known: Some(table) });
            } else {
                let error = Error::new(ErrorKind::NotFound, "this table is missing");
                self.meet(error.in_foreign(&format!("{number:06}.ldb")))?;
            }
        }
        Ok(())
    }

    /// The manifest that was read; `None` when there is none.
    pub fn manifest(&self) -> Option<&str> {
        self.manifest.as_deref()
    }

    /// The tables that count, level by level.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The logs that count, oldest first.
    pub fn logs(&self) -> impl Iterator<Item = &str> {
        self.logs.iter().map(|(_, name)| name.as_str())
    }

    /// The largest sequence number that the manifest knows; logs may have larger ones.
    pub fn last_sequence(&self) -> Option<u64> {
        self.state.last_sequence
    }

    /// The live entries in the order of their keys: of each key the newest, unless it is a tombstone.
    ///
    /// Logs are held in memory, and of the tables one for each level and all of level 0.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub fn entries(&self) -> Result<Live<'a>> {
        let mut live = Live::new(self.files, self.damage, self.skipped.clone(), self.lost);
        for (_, name) in &self.logs {
            live.take_log(name)?;
        }
        let mut levels: BTreeMap<u64, Vec<Table>> = BTreeMap::new();
        for table in &self.tables {
            levels.entry(table.level).or_default().push(table.clone());
        }
        for (level, mut tables) in levels {
            sorting::sort_by(&mut tables, |left, right| bounds(left).cmp(&bounds(right)));
            let apart = level > 0 && are_apart(&tables);
            if level > 0 && !apart {
                live.meet(Error::new(
                    ErrorKind::Corruption,
                    format!("tables of level {level} overlap"),
                ))?;
            }
            if apart {
                live.add(Source::new(tables))?;
            } else {
                tables.into_iter().try_for_each(|table| live.add(Source::new(vec![table])))?;
            }
        }
        live.take_memory()?;
        Ok(live)
    }
}

/// Files that are looked at to say what a directory is instead.
const LOOKED_AT_MAX: usize = 8;

/// There is no database of `LevelDB`; the error says what the first known file is, if one is known.
fn nothing(files: &dyn Files, names: &[String]) -> Error {
    let message = "there is no database of LevelDB here";
    let known = names.iter().take(LOOKED_AT_MAX).find_map(|name| {
        let found = recognize(name, &files.read(name).ok()?).into_iter().next()?;
        let what = found.format.info();
        let told =
            || format!("{message}: {name} is a {} ({}); `open` shows it", what.name, what.id);
        (found.likeness >= Likeness::Likely).then(told)
    });
    Error::new(ErrorKind::NotFound, known.unwrap_or_else(|| message.to_owned()))
}

/// Whether a file of this name holds entries.
fn is_data(name: &str) -> bool {
    numbered(name, &["ldb", "sst", "log"]).is_some()
}

/// Smallest and largest user key.
fn bounds(table: &Table) -> Option<(&[u8], &[u8])> {
    let known = table.known.as_ref()?;
    Some((user_key(&known.smallest), user_key(&known.largest)))
}

/// Whether each of these tables, which are sorted, begins after the end of the one before.
fn are_apart(tables: &[Table]) -> bool {
    tables.windows(2).all(|pair| match pair {
        [left, right] => match (bounds(left), bounds(right)) {
            (Some((_, largest)), Some((smallest, _))) => largest < smallest,
            _ => false,
        },
        _ => true,
    })
}
