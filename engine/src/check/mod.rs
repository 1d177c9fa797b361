//! Checking a whole database: every file, every block, every entry, and that they fit together.
//!
//! ```text
//! CURRENT → manifests → logs → set of files → tables, block by block → order of levels and runs
//! ```
//!
//! The errors of opening come first, from [`crate::survey`]; this module adds the other findings. A check goes on after
//! a finding, does a little at each call, and cannot change anything, because it sees the files through
//! [`source::ReadOnlyStorage`]. One implementation serves databases that are closed, damaged ones among them, and open
//! ones, which report the files that they are about to change.

mod frame;
mod logs;
mod order;
mod report;
mod source;
mod table;

pub use report::{CheckReport, Finding, Severity};
pub(crate) use source::ReadOnlyStorage;

use self::logs::LogCheck;
use self::order::OrderWalk;
use self::report::UnitReport;
use self::table::TableCheck;
use crate::Result;
use crate::identity::Owner;
use crate::manifest::{ManifestState, TableMeta, Version, current};
use crate::storage::{FileName, FileNumber, LockGuard, Storage};
use crate::survey::{Belonging, Frame, Survey, missing};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

/// The state of an open database at one moment.
pub(crate) struct Live {
    /// The identity that its files must have.
    pub(crate) owner: Owner,
    /// Its tables: while the check holds it, none of them is deleted.
    pub(crate) version: Arc<Version>,
    /// The files, and the state that they should lead to; `None` after a failure that made it read-only.
    pub(crate) disk: Option<LiveDisk>,
    /// Files that are being written or are about to be deleted, and numbers that are reserved.
    pub(crate) busy: BTreeSet<FileNumber>,
    /// Files with numbers from here on are newer than this.
    pub(crate) next_file: FileNumber,
    /// Whether a log is still needed.
    pub(crate) needs_log: Box<dyn Fn(FileNumber) -> bool + Send + Sync>,
}

/// The files of an open database.
#[derive(Debug)]
pub(crate) struct LiveDisk {
    /// `CURRENT`, `None` if there is none.
    pub(crate) current: Option<Vec<u8>>,
    /// Number and appended bytes of the manifest.
    pub(crate) manifest: (FileNumber, Vec<u8>),
    /// The state that the database has read from the manifest and written to it.
    pub(crate) state: ManifestState,
    /// Its logs and how much of each has been written, oldest first.
    pub(crate) logs: Vec<(FileNumber, u64)>,
}

/// A check of a database: call [`Self::step`] until it returns that it is done.
pub struct Check {
    storage: ReadOnlyStorage,
    /// Held so that no program opens the database meanwhile.
    lock: Option<Box<dyn LockGuard>>,
    live: Option<Live>,
    stage: Stage,
    listed: Vec<String>,
    frame: Frame,
    tables: VecDeque<(FileNumber, Option<Arc<TableMeta>>)>,
    tables_total: u64,
    version: Arc<Version>,
    logs: LogCheck,
    damaged: BTreeSet<FileNumber>,
    /// Files that were read from end to end, and their length \[bytes\].
    whole: BTreeMap<FileName, u64>,
    report: CheckReport,
}

enum Stage {
    Frame,
    Logs,
    Files,
    Tables,
    Table(Box<TableCheck>),
    Order(Box<OrderWalk>),
    End,
    Done,
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").field("report", &self.report).finish_non_exhaustive()
    }
}

impl Check {
    /// A check of the closed database in `storage`; it holds the lock until it is dropped.
    ///
    /// # Errors
    /// `NotFound` when there is no database, `UnsupportedFormat` when it is one of another program;
    /// `Locked` when another handle has it open: [`crate::Db::check`] is for that.
    pub fn new(storage: Arc<dyn Storage>) -> Result<Self> {
        Survey::of(&*storage)?.allow_reading()?;
        let lock = storage.lock()?;
        Ok(Self { lock: Some(lock), ..Self::over(storage, None) })
    }

    /// A check of the files in `storage`, even while another program has the database open.
    pub(crate) fn unlocked(storage: Arc<dyn Storage>) -> Self {
        Self::over(storage, None)
    }

    /// A check of an open database.
    pub(crate) fn of_open(storage: Arc<dyn Storage>, listed: Vec<String>, live: Live) -> Self {
        Self { listed, ..Self::over(storage, Some(live)) }
    }

    fn over(storage: Arc<dyn Storage>, live: Option<Live>) -> Self {
        Self {
            storage: ReadOnlyStorage::new(storage),
            lock: None,
            live,
            stage: Stage::Frame,
            listed: Vec::new(),
            frame: Frame::default(),
            tables: VecDeque::new(),
            tables_total: 0,
            version: Arc::default(),
            logs: LogCheck::default(),
            damaged: BTreeSet::new(),
            whole: BTreeMap::new(),
            report: CheckReport::default(),
        }
    }

    /// The findings so far.
    pub fn report(&self) -> &CheckReport {
        &self.report
    }

    /// Tables checked so far, and all of them.
    pub fn position(&self) -> (u64, u64) {
        (self.report.tables, self.tables_total)
    }

    /// Does one small unit (a log, a block, an entry of the order); whether there is more to do.
    ///
    /// # Errors
    /// `WouldBlock`: nothing was changed, call again. `NotFound` when there is no database; those of
    /// listing the directory. Everything else that goes wrong is a finding.
    pub fn step(&mut self) -> Result<bool> {
        let mut found = UnitReport::default();
        let worked = self.unit(&mut found);
        if worked.is_ok() {
            self.note_damage(&found);
            self.whole.extend(found.whole.iter().copied());
            self.report.bytes_read = self.whole.values().sum();
            self.report.add(found);
        }
        worked
    }

    /// Does all of it.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn run(mut self) -> Result<CheckReport> {
        while self.step()? {}
        Ok(self.report)
    }

    /// Tables with errors are left out when tables are compared with each other.
    fn note_damage(&mut self, found: &UnitReport) {
        let errors = found.findings.iter().filter(|finding| finding.severity == Severity::Error);
        for finding in errors {
            if let Some(FileName::Table(number)) = FileName::parse(&finding.file) {
                self.damaged.insert(number);
            }
        }
    }

    fn unit(&mut self, found: &mut UnitReport) -> Result<bool> {
        match &mut self.stage {
            Stage::Frame => self.frame(found)?,
            Stage::Logs => {
                let always = |_: FileNumber| true;
                let needed = self.live.as_ref().map_or(&always as logs::StillNeeded<'_>, |live| {
                    &*live.needs_log as logs::StillNeeded<'_>
                });
                if !self.logs.step(&self.storage, needed, found)? {
                    self.stage = Stage::Files;
                }
            }
            Stage::Files => {
                self.files(found)?;
                self.stage = Stage::Tables;
            }
            Stage::Tables => {
                if let Some((number, meta)) = self.tables.front() {
                    let (number, meta) = (*number, meta.clone());
                    let whose = self.frame.belonging;
                    let opened = TableCheck::open(&self.storage, number, meta, whose, found)?;
                    self.tables.pop_front();
                    if let Some(table) = opened {
                        self.stage = Stage::Table(Box::new(table));
                    }
                } else {
                    let storage: Arc<dyn Storage> = Arc::new(self.storage.clone());
                    let owner = self.frame.belonging.owner;
                    let walk = OrderWalk::new(storage, &self.version, &self.damaged, owner);
                    self.stage = Stage::Order(Box::new(walk));
                }
            }
            Stage::Table(table) => {
                if !table.step(found)? {
                    self.stage = Stage::Tables;
                }
            }
            Stage::Order(walk) => {
                if !walk.step(found)? {
                    self.stage = Stage::End;
                }
            }
            Stage::End => {
                self.end(found)?;
                self.stage = Stage::Done;
            }
            Stage::Done => return Ok(false),
        }
        Ok(true)
    }

    /// Reads `CURRENT` and the manifest, which name the needed files, and plans the rest of the check.
    fn frame(&mut self, found: &mut UnitReport) -> Result<()> {
        let (frame, logs) = if let Some(live) = &self.live {
            Self::live_frame(live, database_files(&self.listed), found)?
        } else {
            self.listed = self.storage.list()?;
            let names = database_files(&self.listed);
            if !names.iter().any(|name| *name != FileName::Lock) {
                return Err(missing());
            }
            let frame = frame::read(&self.storage, names, found)?;
            let logs = LogCheck::new(&frame);
            (frame, logs)
        };
        for name in self.listed.iter().filter(|name| FileName::parse(name).is_none()) {
            found.add(Severity::Note, name, None, "not a file of this database: it is left alone");
        }
        self.logs = logs;
        self.report.files = frame.names.len() as u64;
        match (&self.live, &frame.state) {
            (Some(live), _) => self.version = Arc::clone(&live.version),
            (None, Some(state)) => self.version = Arc::new(state.version.clone()),
            (None, None) if frame.begun => {}
            (None, None) => {
                // Without a manifest, each table can still be compared with its own properties and checksums.
                for name in &frame.names {
                    if let FileName::Table(number) = name {
                        self.tables.push_back((*number, None));
                    }
                }
            }
        }
        for (_, meta) in self.version.tables() {
            if frame.has(FileName::Table(meta.number)) {
                self.tables.push_back((meta.number, Some(Arc::clone(meta))));
            }
        }
        self.tables_total = self.tables.len() as u64;
        self.frame = frame;
        self.stage = Stage::Logs;
        Ok(())
    }

    fn live_frame(
        live: &Live,
        names: Vec<FileName>,
        found: &mut UnitReport,
    ) -> Result<(Frame, LogCheck)> {
        let Some(disk) = &live.disk else {
            let what = "the database is read-only after a failure: CURRENT, manifest and logs may be \
                        ahead of it and are not compared before it is reopened";
            found.add(Severity::Note, &FileName::Current, None, what);
            let belonging = Belonging { owner: live.owner, older_allowed: false };
            return Ok((Frame { names, belonging, ..Frame::default() }, LogCheck::default()));
        };
        let frame = frame::of_open(live, disk, names, found)?;
        let logs = LogCheck::of_open(disk.logs.clone(), disk.manifest.0, &disk.state, &frame);
        Ok((frame, logs))
    }

    /// Reports the fate of files that the database does not need, now that it is known whether opening fails.
    fn files(&self, found: &mut UnitReport) -> Result<()> {
        let is_known = |name: FileName| {
            self.live.as_ref().is_some_and(|live| {
                name.number().is_none_or(|it| it >= live.next_file || live.busy.contains(&it))
            })
        };
        let opens = self.report.errors == 0;
        frame::spare_files(&self.frame, &self.storage, &is_known, opens, found)
    }

    /// A check without the lock compares the files with those at its beginning.
    fn end(&self, found: &mut UnitReport) -> Result<()> {
        if self.live.is_some() || self.lock.is_some() {
            return Ok(());
        }
        let current = found.take(FileName::Current, current::read(&self.storage))?;
        let listed = self.storage.list()?;
        if listed != self.listed || current.flatten() != self.frame.current {
            let what = "another program changed the files while they were checked, so some findings \
                        may be wrong: check again";
            found.add(Severity::Warning, &FileName::Current, None, what);
        }
        Ok(())
    }
}

fn database_files(listed: &[String]) -> Vec<FileName> {
    listed.iter().filter_map(|name| FileName::parse(name)).collect()
}
