//! Opened directories: each as one object, with its levels where a manifest tells them.

use super::{OpenedFile, Shelf, plain};
use crate::text;
use levelscope::internals::Few;
use levelscope::storage::FileNumber;
use levelscope::view::{LevelScore, LevelView, TableInfo, View, WalView};
use levelscope::{Error, ErrorKind};
use levelscope_formats::leveldb::Files;
use levelscope_formats::{Holds, StoredFiles, StoredTable};
use std::borrow::Cow;
use std::sync::Arc;

/// The opened files of one directory, by their names in it.
pub(crate) struct FilesOf<'a>(Few<&'a str, &'a OpenedFile>);

impl<'a> FilesOf<'a> {
    pub(crate) fn new(files: &'a [Arc<OpenedFile>]) -> Self {
        Self(files.iter().map(|file| (plain(&file.name), &**file)).collect())
    }

    fn get(&self, name: &str) -> Option<&'a OpenedFile> {
        self.0.get(name).copied()
    }
}

impl Files for FilesOf<'_> {
    fn names(&self) -> levelscope::Result<Vec<String>> {
        Ok(self.0.keys().map(|name| (*name).to_owned()).collect())
    }

    fn read(&self, name: &str) -> levelscope::Result<Cow<'_, [u8]>> {
        let missing = || Error::new(ErrorKind::NotFound, format!("{name} is missing"));
        self.0.get(name).map(|file| Cow::Borrowed(file.bytes.as_slice())).ok_or_else(missing)
    }
}

/// What is wrong with a directory and with none of its files by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DirectoryFlaw {
    /// The name of the file that it concerns, in the directory.
    pub(crate) name: String,
    /// That file, where it is open; none: it is missing.
    pub(crate) file: Option<String>,
    /// What is wrong, as a sentence.
    pub(crate) why: String,
}

/// The files that were opened from one directory, as one object.
#[derive(Debug, Clone)]
pub(crate) struct OpenedDirectory {
    /// Its name on the command line.
    pub(crate) id: String,
    pub(crate) files: Vec<Arc<OpenedFile>>,
    pub(crate) flaws: Vec<DirectoryFlaw>,
    /// Names of files that its manifest does not need.
    pub(crate) obsolete: Vec<String>,
    /// The comparator that its manifest names, when it is not the bytewise one.
    pub(crate) other_order: Option<String>,
    /// Its levels and logs as a state of the engine, where a manifest tells them.
    pub(crate) view: Option<View>,
    /// The file of each object in `view`, both by the words for selections; none: it is missing.
    pub(crate) objects: Vec<(String, Option<String>)>,
}

impl Shelf {
    /// Looks at the directories of the files again: after some were opened or closed.
    pub(crate) fn look_again(&self) {
        let mut directories: Vec<(String, Vec<Arc<OpenedFile>>)> = Vec::new();
        for file in self.all() {
            let Some(id) = file.directory_id() else { continue };
            match directories.iter_mut().find(|(known, _)| *known == id) {
                Some((_, files)) => files.push(file),
                None => directories.push((id, vec![file])),
            }
        }
        let found = directories.into_iter().map(|(id, files)| OpenedDirectory::new(id, files));
        self.set_directories(found.collect());
    }
}

impl OpenedDirectory {
    fn new(id: String, files: Vec<Arc<OpenedFile>>) -> Self {
        let named = FilesOf::new(&files);
        let Some(stored) = StoredFiles::read(&named).ok().flatten() else {
            let (flaws, obsolete, objects) = (Vec::new(), Vec::new(), Vec::new());
            return Self { id, files, flaws, obsolete, other_order: None, view: None, objects };
        };
        let (view, objects) = drawn(&stored, &named);
        let flaws = stored.flaws.iter().filter_map(|error| flaw(error, &named)).collect();
        let (obsolete, other_order) = (stored.obsolete, stored.other_order);
        Self { id, files, flaws, obsolete, other_order, view, objects }
    }

    /// A noun for it.
    pub(crate) fn what(&self) -> String {
        let directory = self.files.first().map(|file| &file.directory);
        if directory.is_some_and(|directory| directory.is_database) {
            let own = self.files.iter().any(|file| file.is("levelscope-current"));
            let whose = if own { "Levelscope" } else { "LevelDB" };
            let order = self.other_order.as_ref();
            let order = order.map(|order| {
                let order = text::printable(order);
                format!(" whose keys are in the order {order}, so they are listed, but not searched or imported")
            });
            return format!("a database of {whose}{}", order.unwrap_or_default());
        }
        match directory.and_then(|directory| directory.program) {
            Some(program) => format!("a directory of {program}"),
            None => "a directory of files".to_owned(),
        }
    }

    /// Its files of one kind; none: those of no known format.
    pub(crate) fn holding(&self, kind: Option<Holds>) -> impl Iterator<Item = &Arc<OpenedFile>> {
        self.files.iter().filter(move |file| file.format.map(|format| format.info().holds) == kind)
    }

    /// Length of all files \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.length()).fold(0, u64::saturating_add)
    }

    /// Entries of the tables that can be read.
    pub(crate) fn entries(&self) -> u64 {
        let tables = self.holding(Some(Holds::Table));
        tables.filter_map(|file| file.entries).fold(0, u64::saturating_add)
    }

    /// Its files that are damaged.
    pub(crate) fn damaged(&self) -> impl Iterator<Item = &Arc<OpenedFile>> {
        self.files.iter().filter(|file| file.damage.is_some())
    }
}

/// A flaw that no file tells of itself: one that is missing, or one that is sound and leads nowhere.
fn flaw(error: &Error, files: &FilesOf<'_>) -> Option<DirectoryFlaw> {
    let name = match error.file() {
        Some(file) => file.to_string(),
        None => error.foreign_file().unwrap_or_default().to_owned(),
    };
    let file = files.get(&name);
    if file.is_some_and(|file| file.damage.is_some()) {
        return None;
    }
    let why = text::printable(error.message());
    Some(DirectoryFlaw { name: text::printable(&name), file: file.map(OpenedFile::id), why })
}

/// The levels, logs and manifest as a state of the engine, and the file of each object in it.
fn drawn(
    stored: &StoredFiles,
    files: &FilesOf<'_>,
) -> (Option<View>, Vec<(String, Option<String>)>) {
    if stored.levels.is_empty() {
        return (None, Vec::new());
    }
    let mut objects = Vec::new();
    let mut note = |object: String, file: Option<&OpenedFile>| {
        objects.push((object, file.map(OpenedFile::id)));
    };
    for table in stored.levels.iter().flatten() {
        note(format!("table:{}", table.info.table), files.get(&table.name));
    }
    let mut wals = Vec::new();
    for (index, name) in stored.logs.iter().enumerate() {
        let Some(file) = files.get(name) else { continue };
        let wal = log(file, index + 1 < stored.logs.len());
        note(format!("wal:{}", wal.wal), Some(file));
        wals.push(wal);
    }
    let levels = stored.levels.iter().enumerate();
    let levels = levels.map(|(number, tables)| level(number, tables, files)).collect();
    let manifest = stored.manifest.as_deref().and_then(|name| files.get(name));
    let number = manifest.map_or(0, |file| number_of(plain(&file.name)));
    note(format!("manifest:{number}"), manifest);
    note("current".to_owned(), files.get("CURRENT"));
    let view = View {
        wals,
        levels,
        manifest: number,
        manifest_bytes: manifest.map_or(0, OpenedFile::length),
        current: number,
        ..View::default()
    };
    (Some(view), objects)
}

/// One level. What starts a compaction of it is a setting of the program that wrote it, which no file tells.
fn level(number: usize, tables: &[StoredTable], files: &FilesOf<'_>) -> LevelView {
    let bytes = tables.iter().map(|table| table.info.bytes).fold(0, u64::saturating_add);
    let runs = if number == 0 { tables.len() } else { usize::from(!tables.is_empty()) };
    let score = LevelScore {
        level: number,
        bytes,
        runs,
        unit: levelscope::view::ScoreUnit::Bytes,
        limit: 0,
        score: 0.0,
        due: false,
        can_compact: false,
    };
    let counted = |table: &StoredTable| match files.get(&table.name) {
        // The manifest of LevelDB says nothing of the content of a table.
        Some(file) if table.info.entries == 0 => TableInfo {
            entries: file.entries.unwrap_or(0),
            tombstones: file.tombstones,
            ..table.info.clone()
        },
        _ => table.info.clone(),
    };
    LevelView { score, tables: tables.iter().map(counted).collect() }
}

/// A log: the whole file is on the disk.
fn log(file: &OpenedFile, closed: bool) -> WalView {
    let (bytes, records) = (file.length(), file.records);
    WalView {
        wal: number_of(plain(&file.name)),
        bytes,
        written_bytes: bytes,
        synced_bytes: bytes,
        records,
        written_records: records,
        synced_records: records,
        closed,
    }
}

/// The number in the name of a file; 0 without one.
fn number_of(name: &str) -> FileNumber {
    let digits = name.chars().filter(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or(0)
}
