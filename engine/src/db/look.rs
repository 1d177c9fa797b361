//! Looking at an open database without changing it: views, files, bytes.

use super::Db;
use crate::event::{MemtableId, ShownKey};
use crate::flaw::strict;
use crate::inspect::{self, Node, Scope, Source};
use crate::manifest::current::{self, Slots};
use crate::sorting;
use crate::storage::{FileName, FileNumber, Storage};
use crate::table::entries_in;
use crate::view::{MemtableTree, ReadOnlyCause, RecentWrites, TableContents, TableEntry, View};
use crate::{ErrorKind, PrefixBuckets, PrefixIndexForm, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// One file of the database directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct FileEntry {
    /// Name in the directory.
    pub name: String,
    /// Length \[bytes\]; 0 for a foreign file, which is never opened.
    pub bytes: u64,
    /// Its purpose in the database, in words.
    pub role: String,
}

impl FileEntry {
    /// Every file of a directory whose database is not open, with its purpose by its name.
    ///
    /// # Errors
    /// `Io`; `WouldBlock`.
    pub fn list(storage: &dyn Storage) -> Result<Vec<Self>> {
        let files = measure(storage, Lengths::OfFiles, &|_| None)?;
        let current = current_role(storage, None)?;
        let role = |name| match name {
            FileName::Current => current.clone(),
            _ => purpose(name).to_owned(),
        };
        Ok(files.into_iter().map(|file| file.entry(role)).collect())
    }
}

/// A file of a directory, and its length \[bytes\]; 0 for a foreign one, which is never opened.
struct MeasuredFile {
    name: String,
    parsed: Option<FileName>,
    bytes: u64,
}

impl MeasuredFile {
    fn entry(self, role: impl Fn(FileName) -> String) -> FileEntry {
        let foreign = || "not a file of this database".to_owned();
        FileEntry {
            role: self.parsed.map_or_else(foreign, role),
            name: self.name,
            bytes: self.bytes,
        }
    }
}

/// Which length of a table counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lengths {
    /// That of its file, where the host has it open.
    OfFiles,
    /// The known one.
    OfManifest,
}

/// The files of `storage`; `known` has the length of one that the host would have to open first \[bytes\].
fn measure(
    storage: &dyn Storage,
    lengths: Lengths,
    known: &dyn Fn(FileName) -> Option<u64>,
) -> Result<Vec<MeasuredFile>> {
    let mut files = Vec::new();
    for name in storage.list()? {
        let parsed = FileName::parse(&name);
        let bytes = match parsed.filter(|name| *name != FileName::Lock) {
            None => 0,
            Some(own) => match known(own).filter(|_| lengths == Lengths::OfManifest) {
                Some(bytes) => bytes,
                None => match storage.open(own).and_then(|file| file.len()) {
                    Ok(bytes) => bytes,
                    // A background thread has deleted it since the list was made.
                    Err(error) if error.kind() == ErrorKind::NotFound => continue,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        known(own).ok_or(error)?
                    }
                    Err(error) => return Err(error),
                },
            },
        };
        files.push(MeasuredFile { name, parsed, bytes });
    }
    Ok(files)
}

/// The purpose of a file with this name.
fn purpose(name: FileName) -> &'static str {
    match name {
        FileName::Lock => "held while the database is open",
        FileName::Manifest(_) => "manifest",
        FileName::Wal(_) => "log",
        FileName::Table(_) => "table",
        FileName::Current | FileName::Other(_) => "",
    }
}

/// The manifest that the `CURRENT` of `storage` names, and whether it is `in_use`, if that is known.
///
/// # Errors
/// `WouldBlock`.
fn current_role(storage: &dyn Storage, in_use: Option<FileNumber>) -> Result<String> {
    let read = current::read(storage);
    let slots = match read.and_then(|read| Slots::of(&read.unwrap_or_default(), &mut strict)) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
        Err(error) => return Ok(format!("cannot be used: {}", error.message())),
        Ok(slots) => slots,
    };
    let Some(newest) = slots.newest else { return Ok("damaged: names no manifest".into()) };
    // The first epoch has no other slot.
    let alone = slots.previous.is_none() && newest.epoch > 1;
    let names = format!("names manifest {}", newest.manifest);
    Ok(match in_use.filter(|in_use| *in_use != newest.manifest) {
        Some(in_use) => format!("damaged: {names}, but {in_use} is in use"),
        None if alone => format!("{names}; its other slot is not valid"),
        None => names,
    })
}

/// # Show the state
///
/// For programs that show the engine at work.
impl Db {
    /// The whole state that the picture shows.
    ///
    /// Cost: a copy of the manifest's record of every table.
    pub fn view(&self) -> View {
        let shared = self.shared();
        let writer = self.writer();
        let core = shared.core();
        let memtables = shared.read_view();
        let mut wals = core.closed_wals.clone();
        if !shared.reading {
            wals.push(writer.wal.view());
        }
        let mut view = View {
            time: shared.events.time(),
            memtables: memtables
                .memtables
                .iter()
                .enumerate()
                .map(|(index, memtable)| memtable.view(index > 0))
                .collect(),
            wals,
            levels: core.levels(&shared.options),
            jobs: core.jobs.clone(),
            last_sequence: shared.visible_sequence(),
            snapshots: core.snapshots.keys().copied().collect(),
            transactions: core.transactions.values().map(|open| open.view()).collect(),
            stall: core.stall,
            slowdown: core.slowdown,
            read_only: shared
                .failure()
                .map(|failure| ReadOnlyCause { kind: failure.kind(), error: failure.to_string() }),
            ..View::default()
        };
        shared.manifest().fill(&mut view);
        view
    }

    /// The tree of a memtable, the active one when `memtable` is `None`, around the way to `key` or to
    /// its first entry; `None` when there is no such memtable.
    ///
    /// Cost: one search and the shown nodes: the nodes with one parent on each level, one leaf.
    pub fn memtable_tree(
        &self,
        memtable: Option<MemtableId>,
        key: Option<&[u8]>,
    ) -> Option<MemtableTree> {
        let view = self.shared().read_view();
        let mut memtables = view.memtables.iter();
        let found = memtables.find(|known| memtable.is_none_or(|number| known.id() == number));
        found.map(|memtable| memtable.look(key))
    }

    /// The newest entries of each memtable, at most `limit` of each; the active memtable first.
    ///
    /// Cost: a walk over the memory that holds them, two megabytes a memtable at most.
    pub fn recent_writes(&self, limit: usize) -> Vec<RecentWrites> {
        let view = self.shared().read_view();
        view.memtables.iter().map(|memtable| memtable.recent(limit)).collect()
    }

    /// The first `limit` entries of a table of a level; `None` when no level has it.
    ///
    /// No figure or cache changes, and no event is emitted. Cost: reads the blocks that hold these entries.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn table_contents(&self, table: FileNumber, limit: usize) -> Result<Option<TableContents>> {
        let shared = self.shared();
        // The table stays on the disk as long as the view is held.
        let view = shared.read_view();
        if !view.version.tables().any(|(_, meta)| meta.number == table) {
            return Ok(None);
        }
        let (mut entries, mut more) = (Vec::new(), false);
        let file = shared.storage.open(FileName::Table(table))?;
        entries_in(&*file, table, &mut |stored| {
            more = entries.len() == limit;
            if !more {
                entries.push(TableEntry {
                    key: ShownKey::new(stored.key.user_key),
                    sequence: stored.key.sequence,
                    entry: stored.key.kind,
                    block: stored.block,
                });
            }
            !more
        })?;
        Ok(Some(TableContents { table, entries, more }))
    }

    /// Every file of the directory with its purpose, foreign files included.
    ///
    /// # Errors
    /// `Io`; `WouldBlock`.
    pub fn files(&self) -> Result<Vec<FileEntry>> {
        let view = self.view();
        let files = self.measured(&view, Lengths::OfFiles)?;
        let current = self.current_role()?;
        let role = |name| match name {
            FileName::Current => current.clone(),
            _ => role(&view, name),
        };
        Ok(files.into_iter().map(|file| file.entry(role)).collect())
    }

    /// The purpose of `CURRENT`, under a lock that keeps it from changing.
    fn current_role(&self) -> Result<String> {
        let shared = self.shared();
        // The owner of a database that is only read may have switched to another manifest, and so may a switch
        // that failed.
        let fixed = !shared.reading && shared.failure().is_none();
        let manifest = shared.manifest();
        let in_use = fixed.then(|| manifest.number());
        current_role(&*shared.storage, in_use)
    }

    /// Length of all files of the directory, as [`Self::files`] lists them \[bytes\]. That of a table is in the manifest:
    /// none is opened for it.
    ///
    /// # Errors
    /// As [`Self::files`].
    pub fn file_bytes(&self) -> Result<u64> {
        let files = self.measured(&self.view(), Lengths::OfManifest)?;
        Ok(files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes)))
    }

    fn measured(&self, view: &View, lengths: Lengths) -> Result<Vec<MeasuredFile>> {
        let tables = view.levels.iter().flat_map(|level| &level.tables);
        let tables: BTreeMap<FileNumber, u64> =
            sorting::map(tables.map(|table| (table.table, table.bytes)));
        let known = |name| match name {
            FileName::Table(number) => tables.get(&number).copied(),
            _ => None,
        };
        let mut files = measure(&*self.shared().storage, lengths, &known)?;
        for file in &mut files {
            file.bytes = file.parsed.map_or(0, |name| length(view, name, file.bytes));
        }
        Ok(files)
    }

    /// All bytes of one file of the database; none of `LOCK`, which is only held.
    ///
    /// # Errors
    /// `NotFound`; `Io`; `WouldBlock`.
    pub fn read_file(&self, name: FileName) -> Result<Vec<u8>> {
        self.look_into(name, |source| source.all().map(Cow::into_owned))
    }

    /// One file taken apart: every byte of it belongs to exactly one leaf of the tree.
    ///
    /// # Errors
    /// As [`Db::read_file`]. Damage is part of the tree, not an error.
    pub fn inspect(&self, name: FileName) -> Result<Node> {
        self.look_into(name, |source| inspect::annotate_scope(name, source, Scope::ALL))
    }

    /// Some buckets of one form of the prefix index of `table`, from number `skip` on, at most `limit`;
    /// `None` when the table has no prefix index. Both forms are built of the same file, whichever is in
    /// use. Cost: the index of the table and its prefixes are read, the form is built.
    ///
    /// # Errors
    /// `NotFound`; `Corruption`; `Io`; `WouldBlock`.
    pub fn prefix_buckets(
        &self,
        table: FileNumber,
        form: PrefixIndexForm,
        skip: usize,
        limit: usize,
    ) -> Result<Option<PrefixBuckets>> {
        let file = self.shared().storage.open(FileName::Table(table))?;
        PrefixBuckets::read(&*file, table, form, (skip, limit))
    }

    /// Gives `look` access to the bytes of one file. Only the requested ranges are read, so that a large file
    /// can be inspected in parts. `LOCK` has no bytes.
    ///
    /// # Errors
    /// `NotFound`; `Io`; `WouldBlock`; those of `look`.
    pub fn look_into<T>(
        &self,
        name: FileName,
        look: impl FnOnce(&Source<'_>) -> Result<T>,
    ) -> Result<T> {
        if name == FileName::Lock {
            return look(&Source::Bytes(&[]));
        }
        let file = self.shared().storage.open(name)?;
        look(&Source::open(&*file, name)?.known_synced(self.synced_bytes(name)))
    }

    /// How much of a log or manifest this handle has synced; 0 of other files \[bytes\].
    fn synced_bytes(&self, name: FileName) -> u64 {
        let shared = self.shared();
        match name {
            _ if shared.reading => 0,
            FileName::Manifest(number) => {
                let manifest = shared.manifest();
                if manifest.number() == number { manifest.synced_bytes() } else { 0 }
            }
            FileName::Wal(number) => {
                let active = self.writer().wal.view();
                let core = shared.core();
                let mut logs = std::iter::once(&active).chain(&core.closed_wals);
                logs.find(|log| log.wal == number).map_or(0, |log| log.synced_bytes)
            }
            _ => 0,
        }
    }
}

/// The used length of a file of `bytes`: the active log reserves space for later records \[bytes\].
fn length(view: &View, name: FileName, bytes: u64) -> u64 {
    let active = view.wals.iter().find(|wal| !wal.closed && name == FileName::Wal(wal.wal));
    active.map_or(bytes, |wal| wal.written_bytes.min(bytes))
}

fn role(view: &View, name: FileName) -> String {
    match name {
        FileName::Current | FileName::Lock | FileName::Other(_) => purpose(name).to_owned(),
        FileName::Manifest(number) if number == view.manifest => "manifest in use".into(),
        FileName::Manifest(_) => "previous manifest, kept to fall back on".into(),
        FileName::Wal(number) => {
            // Logs that were replayed into one memtable come after the first of them, which it names.
            let is_needed = view.wals.iter().any(|wal| wal.wal == number);
            let before =
                view.memtables.iter().filter(|memtable| (1..=number).contains(&memtable.wal));
            let memtable = before.max_by_key(|memtable| memtable.wal).filter(|_| is_needed);
            memtable.map_or_else(
                || "obsolete log".into(),
                |memtable| format!("log of memtable {}", memtable.memtable),
            )
        }
        FileName::Table(number) => {
            let level = view
                .levels
                .iter()
                .find(|level| level.tables.iter().any(|table| table.table == number));
            level.map_or_else(
                || "table being written, or obsolete".into(),
                |level| format!("table of L{}", level.score.level),
            )
        }
    }
}
