//! Opens a directory as one database: levels, history, reads, checks.

mod absent;
pub(crate) mod axis;
mod basis;
pub mod check;
pub mod findings;
pub mod logs;
pub(crate) mod losses;
pub(crate) mod newer;
pub(crate) mod outside;
mod reading;
mod rescue;
pub mod tables;
pub(crate) mod unnamed;
pub mod values;

pub use basis::Basis;
pub use check::{Checker, Target};
pub use findings::{Checked, Reach};
pub use logs::{LogFile, Logs};
pub use tables::Tables;
pub use values::BlobFiles;

use self::axis::Axis;
use crate::events::{Events, Log};
use crate::manifest::{CutCause, Manifest};
use crate::name::FileName;
use crate::options::{FamilyOptions, OptionsFile};
use crate::problem;
use crate::read::MergeOperator;
use crate::recognize::{Recognized, recognize};
use crate::{CountedFiles, Engine, Family, Files, Problem, Result, Severity, State, TableSummary};
use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The directory of a database of another engine, or a closed one of Levelscope, opened to be looked at. Opening reads
/// the manifest; tables, logs and all else are read when a question needs them.
pub struct Directory<'f> {
    files: &'f CountedFiles<'f>,
    recognized: Recognized,
    manifest: Manifest,
    options: Option<OptionsFile>,
    problems: Vec<Problem>,
    checker: Checker<'f>,
    logs: OnceCell<Result<Logs>>,
    events: OnceCell<Option<Events>>,
    summaries: OnceCell<BTreeMap<u64, TableSummary>>,
    found: findings::Findings,
    outside: OnceCell<Vec<outside::Outside>>,
    newer: OnceCell<Vec<newer::Newer>>,
    /// The key axis of each family that was drawn.
    pub(crate) axes: RefCell<BTreeMap<u32, Rc<Axis>>>,
}

impl<'f> Directory<'f> {
    /// Opens the directory.
    ///
    /// # Errors
    /// It is no database of these engines; its manifest cannot be read.
    pub fn open(files: &'f CountedFiles<'f>) -> Result<Self> {
        if let Some(engine) = files.loose() {
            return Ok(Self::loose(files, engine));
        }
        Self::by_manifest(files, recognize(files)?, false)
    }

    /// Opens the directory with all tables that damage in the manifest hides. Without a manifest every table and every
    /// log counts, obsolete ones too, so older values and deleted keys can come back.
    ///
    /// # Errors
    /// As [`Directory::open`]; a missing manifest is none where a table can be read.
    pub fn rescue(files: &'f CountedFiles<'f>) -> Result<Self> {
        if let Some(engine) = files.loose() {
            return Ok(Self::loose(files, engine));
        }
        match recognize(files) {
            Err(error) if rescue::is_without_manifest(&error) => {
                Ok(Self::remaining(files, rescue::recognized(files, error)?))
            }
            recognized => Self::by_manifest(files, recognized?, true),
        }
    }

    /// Opens by the manifest that was recognized; `rescues`: with the tables that damage in it hides.
    fn by_manifest(
        files: &'f CountedFiles<'f>,
        recognized: Recognized,
        rescues: bool,
    ) -> Result<Self> {
        let manifest = Manifest::open(files, &recognized.manifest, recognized.engine)?;
        Ok(Self::with(files, recognized, manifest, rescues))
    }

    /// Opens without a manifest.
    fn remaining(files: &'f CountedFiles<'f>, recognized: Recognized) -> Self {
        let manifest = Manifest::absent(recognized.engine);
        Self::with(files, recognized, manifest, true)
    }

    /// Opens single files, see [`crate::LooseFiles`]: a family of all their tables and logs.
    fn loose(files: &'f CountedFiles<'f>, engine: Engine) -> Self {
        Self::with(files, rescue::loose(files, engine), Manifest::of_none(engine), true)
    }

    fn with(
        files: &'f CountedFiles<'f>,
        recognized: Recognized,
        mut manifest: Manifest,
        rescues: bool,
    ) -> Self {
        let mut problems = recognized.problems.clone();
        let is_other =
            |problem: &&Problem| matches!(FileName::parse(&problem.file), FileName::Manifest(_));
        if let Some(named) = recognized.problems.iter().find(is_other) {
            manifest.stand_in_for(&named.file);
        }
        problems.extend_from_slice(manifest.problems());
        problems.extend_from_slice(files.findings());
        let options = match OptionsFile::read(files) {
            Ok(options) => options,
            Err(error) => {
                problems.push(Problem::of(&error, "OPTIONS"));
                None
            }
        };
        let state = if rescues { rescue::state(files, &manifest) } else { None };
        if let Some(state) = rescue::ordered(files, &manifest, options.as_ref(), state) {
            manifest = manifest.with_last(state);
        }
        let checker = Checker::new(files, manifest.last().clone());
        let (logs, events, summaries) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let mut directory = Self {
            files,
            recognized,
            manifest,
            options,
            problems,
            checker,
            logs,
            events,
            summaries,
            found: findings::Findings::default(),
            outside: OnceCell::new(),
            newer: OnceCell::new(),
            axes: RefCell::default(),
        };
        let mut of_files = directory.compare_files();
        directory.problems.append(&mut of_files);
        directory.problems.extend(unnamed::problems(files, &directory.manifest));
        directory.problems.extend(left_out(files));
        directory.problems.extend(Log::unread(files));
        directory.problems.extend(absent::logs(files, &directory));
        let mut problems = std::mem::take(&mut directory.problems);
        for problem in &mut problems {
            let is_error = problem.severity == Severity::Error && problem.offset.is_none();
            if is_error && directory.is_absent(&problem.file) {
                problem.state = problem::Standing::Missing;
            }
        }
        directory.problems = problems;
        directory
    }

    /// The files.
    pub fn files(&self) -> &'f dyn Files {
        self.files
    }

    /// The files, to list the reads of a question.
    pub fn counted(&self) -> &'f CountedFiles<'f> {
        self.files
    }

    /// The content of the LOG files, read on the first call; `None` without such a file.
    pub fn events(&self) -> Option<&Events> {
        let read = || {
            let there = !Log::names(self.files).is_empty();
            there.then(|| Log::read(self.files))
        };
        self.events.get_or_init(read).as_ref()
    }

    /// The properties of the tables, by the number of the file; all are opened on the first call.
    pub fn summaries(&self) -> &BTreeMap<u64, TableSummary> {
        self.summaries.get_or_init(|| {
            let mut summaries = BTreeMap::new();
            for family in self.state().families.values() {
                for table in family.levels.values().flatten() {
                    match self.tables().reader(family.id, table.number) {
                        Ok(reader) => {
                            summaries.insert(table.backing, reader.summary().clone());
                        }
                        // One that is missing was found before, by its name.
                        Err(_) if !self.tables().is_there(family.id, table.number) => {}
                        Err(error) => {
                            let name = self.tables().name_of(family.id, table.number);
                            self.keep_unread(family, &[Problem::of(&error, &name)]);
                        }
                    }
                }
            }
            summaries
        })
    }

    /// The engine of the database, and the evidence for it.
    pub fn recognized(&self) -> &Recognized {
        &self.recognized
    }

    /// The engine of the database.
    pub fn engine(&self) -> Engine {
        self.recognized.engine
    }

    /// The manifest with its history.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether there is a manifest; without one, every table and every log counts.
    pub fn has_manifest(&self) -> bool {
        let is_absent = self.manifest.cut().is_some_and(|cut| cut.cause == CutCause::Absent);
        self.files.loose().is_none() && !is_absent
    }

    /// The OPTIONS file, if any.
    pub fn options(&self) -> Option<&OptionsFile> {
        self.options.as_ref()
    }

    /// The options of a family: those of LevelDB are built in.
    pub fn family_options(&self, family: &Family) -> Option<FamilyOptions> {
        if self.engine() == Engine::LevelDb {
            return Some(FamilyOptions::leveldb());
        }
        self.options.as_ref()?.family(&family.name)
    }

    /// The state after the last edit, without the logs.
    pub fn state(&self) -> &State {
        self.manifest.last()
    }

    /// The family with the most data, for which people open a directory: in tables and blob files, or, where none has
    /// those, in the logs. Of equal ones the first.
    pub fn largest_family(&self) -> Option<&Family> {
        let families = self.state().families.values();
        let has_tables = families.clone().any(|family| family.bytes() > 0);
        let logs = if has_tables { None } else { self.logs().ok() };
        let entries = |id| logs.map_or(0, |logs| logs.entries_of(id).0);
        families.max_by_key(|family| (family.bytes(), entries(family.id), Reverse(family.id)))
    }

    /// The tables of the last state.
    pub fn tables(&self) -> &Tables<'f> {
        &self.checker.tables
    }

    /// The blob files of the last state.
    pub fn blobs(&self) -> &BlobFiles<'f> {
        &self.checker.blobs
    }

    /// The logs, read on the first call.
    ///
    /// # Errors
    /// The host cannot read a file.
    pub fn logs(&self) -> Result<&Logs> {
        let logs =
            self.logs.get_or_init(|| Logs::read(self.files, self.state(), self.keeps_prepared()));
        logs.as_ref().map_err(Clone::clone)
    }

    /// The tables in no level, described on the first call.
    ///
    /// # Errors
    /// Those of [`Directory::logs`].
    pub(crate) fn outside(&self) -> Result<&[outside::Outside]> {
        let logs = self.logs()?;
        let read = || outside::outside(self.files, &self.manifest, Some(logs));
        Ok(self.outside.get_or_init(read))
    }

    /// Whether logs are kept for prepared transactions alone.
    fn keeps_prepared(&self) -> bool {
        let database = self.options.as_ref().and_then(|options| options.database());
        database.and_then(|section| section.get("allow_2pc")) == Some("true")
    }

    /// Largest sequence number, with the logs.
    ///
    /// # Errors
    /// Those of [`Directory::logs`].
    pub fn last_sequence(&self) -> Result<u64> {
        Ok(self.state().last_sequence.max(self.logs()?.last_sequence))
    }

    /// Findings without a check: in names and lengths of files, the manifest, and the logs.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.clone();
        match self.logs() {
            Ok(logs) => problems.extend_from_slice(&logs.problems),
            Err(error) => problems.push(Problem::of(&error, "logs")),
        }
        problems.extend(newer::problems(self.newer(), &self.manifest));
        problems
    }

    /// The tables that are newer than the manifest, found on the first call.
    pub(crate) fn newer(&self) -> &[newer::Newer] {
        let read = || newer::newer(self.files, &self.manifest, self.logs().ok());
        self.newer.get_or_init(read)
    }

    /// The merge operator of a family.
    pub fn merge_operator(&self, family: &Family) -> MergeOperator {
        if self.engine() == Engine::Pebble {
            // Its usual operator; without OPTIONS, others cannot be distinguished from it.
            let merger = self.options.as_ref().and_then(|options| options.section("Options", None));
            return match merger.and_then(|section| section.get("merger")) {
                None | Some("pebble.concatenate") => MergeOperator::Append(Vec::new()),
                Some(_) => MergeOperator::Unknown,
            };
        }
        let options = self.family_options(family);
        let operator = options.as_ref().and_then(|options| options.merge_operator.value());
        let Some(operator) = operator.and_then(Option::as_ref) else {
            return MergeOperator::Unknown;
        };
        match (operator.name.as_str(), &operator.delimiter) {
            (_, Some(delimiter)) => MergeOperator::Append(delimiter.clone().into_bytes()),
            ("UInt64AddOperator", _) => MergeOperator::Add,
            ("MaxOperator", _) => MergeOperator::Max,
            ("PutOperator", _) => MergeOperator::Newest,
            ("BytesXOR", _) => MergeOperator::Xor,
            _ => MergeOperator::Unknown,
        }
    }
}

/// Entries of the directory that a host cannot read as files, where their names are those of a database.
fn left_out(files: &dyn Files) -> Vec<Problem> {
    let problem = |file: &crate::files::LeftOut| {
        let is_odd = matches!(FileName::parse(&file.name), FileName::Unknown | FileName::Ignored);
        let message = match file.reason {
            crate::files::Reason::NotRegular if is_odd => return None,
            crate::files::Reason::NotRegular => "it is not a regular file, so it is not read",
            crate::files::Reason::NotUtf8 => {
                "its name is not UTF-8, so it is left out; no file of a database has such a name"
            }
        };
        Some(Problem::new(Severity::Note, &file.name, message))
    };
    files.left_out().iter().filter_map(problem).collect()
}
