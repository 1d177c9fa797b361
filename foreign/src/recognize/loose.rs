//! Single files without the rest of their directory, recognized by their content.

use crate::batch::Batch;
use crate::blob;
use crate::files::{FileInfo, LeftOut, content_name};
use crate::frame::header::{self, FrameStart, SYNC_BYTES};
use crate::frame::{LogKind, Records};
use crate::name::{FileName, plain};
use crate::table::magic_engine;
use crate::{Engine, Files, Problem, Result};
use levelscope::storage;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem::discriminant;

/// Records of a log whose operations are decoded before it counts as one.
const RECORDS: usize = 16;
/// `CURRENT` has at most so many bytes.
const CURRENT_BYTES_MAX: u64 = 64;
/// Bytes of a text log that are searched for its program.
const INFO_LOG_BYTES: usize = 1024;

/// Files of one engine that were given without their directory. Their names may be any; each table and each log counts.
pub struct LooseFiles<'f> {
    files: &'f dyn Files,
    pub(crate) engine: Engine,
    kinds: BTreeMap<String, FileName>,
}

/// Kind of a file, by its content.
enum Content {
    /// It is this.
    Is(FileName, Option<Engine>),
    /// A kind without a number in its name, and the function that makes its name of one.
    Unnumbered(fn(u64) -> FileName, Engine),
    /// A lock or a temporary file.
    Ignored,
}

impl Content {
    /// A file called `name` of a kind whose names `of` makes.
    fn of(name: &FileName, of: fn(u64) -> FileName, engine: Engine) -> Self {
        if discriminant(name) == discriminant(&of(0)) {
            return Self::Is(name.clone(), Some(engine));
        }
        Self::Unnumbered(of, engine)
    }
}

fn log_of(number: u64) -> FileName {
    FileName::Log { number, part: 0, archived: false }
}

impl<'f> LooseFiles<'f> {
    /// `files`, when each of them is of these engines; `None` for others, and when a manifest is among them, or a file
    /// that names one: then they are a directory.
    pub fn of(files: &'f dyn Files) -> Option<Self> {
        let mut kinds = BTreeMap::new();
        let (mut unnumbered, mut engines) = (Vec::new(), Vec::new());
        for file in files.list() {
            match content(files, file, FileName::parse(&file.name))? {
                Content::Ignored => {}
                Content::Is(FileName::Manifest(_), _) => return None,
                Content::Is(name, engine) => {
                    engines.extend(engine);
                    kinds.insert(file.name.clone(), name);
                }
                Content::Unnumbered(name, engine) => {
                    engines.push(engine);
                    unnumbered.push((&file.name, name, engine));
                }
            }
        }
        let own = engines.iter().filter(|engine| **engine == Engine::Levelscope).count();
        let is_directory = files.list().len() > 1 && files.list().iter().any(names_manifest);
        let is_mixed = if own > 0 { own < engines.len() } else { is_directory };
        if kinds.is_empty() && unnumbered.is_empty() || is_mixed {
            return None;
        }
        let mut number = kinds.values().filter_map(FileName::number).max().unwrap_or(0);
        for (file, name, engine) in unnumbered {
            number = number.saturating_add(1);
            let name = match name(number) {
                FileName::Log { .. } => log_of(tagged(files, file, engine).unwrap_or(number)),
                name => name,
            };
            kinds.insert(file.clone(), name);
        }
        // LevelDB's magic number ends RocksDB's oldest tables, too, and its logs have the simplest batches.
        let engine = engines.iter().copied().find(|engine| *engine != Engine::LevelDb);
        Some(Self { files, engine: engine.unwrap_or(Engine::LevelDb), kinds })
    }

    /// `files` as those of Levelscope that `kind` names: `table`, `log`, `manifest` or `current`; `None` for other words.
    pub fn own(files: &'f dyn Files, kind: &str) -> Option<Self> {
        let kind: fn(u64) -> FileName = match kind {
            "table" => FileName::Table,
            "log" => log_of,
            "manifest" => FileName::Manifest,
            "current" => |_| FileName::Current,
            _ => return None,
        };
        let kinds = files.list().iter().zip(1..).map(|(file, at)| (file.name.clone(), kind(at)));
        Some(Self { files, engine: Engine::Levelscope, kinds: kinds.collect() })
    }

    /// Whether one of them is a table, a log or a blob file.
    pub fn has_entries(&self) -> bool {
        let holds = |kind: &FileName| {
            matches!(kind, FileName::Table(_) | FileName::Log { .. } | FileName::Blob(_))
        };
        self.kinds.values().any(holds)
    }
}

impl Files for LooseFiles<'_> {
    fn list(&self) -> &[FileInfo] {
        self.files.list()
    }

    fn findings(&self) -> &[Problem] {
        self.files.findings()
    }

    fn left_out(&self) -> &[LeftOut] {
        self.files.left_out()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.files.read_at(name, offset, buffer)
    }

    fn kind(&self, name: &str) -> FileName {
        self.kinds.get(name).cloned().unwrap_or(FileName::Ignored)
    }

    fn loose(&self) -> Option<Engine> {
        Some(self.engine)
    }
}

/// Whether `file` has the name of a file that names a manifest.
pub fn names_manifest(file: &FileInfo) -> bool {
    match FileName::parse(&file.name) {
        FileName::Current => true,
        FileName::Marker { kind, .. } => kind == "manifest",
        _ => false,
    }
}

/// The engine whose file `file` is by its content; several in words where more cannot be known.
pub fn owner(files: &dyn Files, file: &FileInfo) -> Option<&'static str> {
    match content(files, file, FileName::parse(plain(&file.name))) {
        Some(Content::Ignored) => None,
        Some(Content::Is(_, engine)) => Some(engine.map_or(OTHERS, Engine::name)),
        Some(Content::Unnumbered(_, engine)) => Some(engine.name()),
        None => {
            let records = super::first_records(files, &file.name).ok()?;
            (!records.is_empty()).then_some(OTHERS)
        }
    }
}

/// The engines that share the format of some files.
const OTHERS: &str = "LevelDB, RocksDB or Pebble";

/// The content of a file of Levelscope. A crash may leave a log without a header.
fn own(files: &dyn Files, file: &FileInfo, name: &FileName) -> Option<Content> {
    let own = Engine::Levelscope;
    match content_name(files, &file.name) {
        Some(storage::FileName::Table(_)) => Some(Content::of(name, FileName::Table, own)),
        Some(storage::FileName::Wal(_)) => Some(Content::of(name, log_of, own)),
        Some(storage::FileName::Manifest(_)) => Some(Content::Unnumbered(FileName::Manifest, own)),
        Some(storage::FileName::Current) => Some(Content::Is(FileName::Current, Some(own))),
        _ if matches!(storage::FileName::parse(&file.name), Some(storage::FileName::Wal(_))) => {
            let mut start = [0; SYNC_BYTES];
            files.read_at(&file.name, 0, &mut start).ok()?;
            start.iter().all(|byte| *byte == 0).then(|| Content::of(name, log_of, own))
        }
        _ => None,
    }
}

/// The kind of `file`, which is called `name`; `None`: no file of these engines.
fn content(files: &dyn Files, file: &FileInfo, name: FileName) -> Option<Content> {
    let table = magic_engine(files, &file.name);
    if let Some(engine) = table.filter(|engine| *engine != Engine::Levelscope) {
        return Some(Content::of(&name, FileName::Table, engine));
    }
    if let Some(engine) = blob::engine_of(files, &file.name) {
        return Some(Content::of(&name, FileName::Blob, engine));
    }
    if let Some(own) = own(files, file, &name) {
        return Some(own);
    }
    match name {
        FileName::Ignored => Some(Content::Ignored),
        FileName::Current => is_current(files, file).then_some(Content::Is(name, None)),
        FileName::Marker { .. } => Some(Content::Is(name, Some(Engine::Pebble))),
        FileName::Identity => Some(Content::Is(name, Some(Engine::RocksDb))),
        FileName::Options(_) => {
            let (engine, _) = super::evidence::of_options(files, &file.name).ok()??;
            Some(Content::Is(name, Some(engine)))
        }
        FileName::InfoLog { .. } => {
            is_info_log(files, file).then(|| Content::Is(name, names_rocksdb(files, file)))
        }
        FileName::Manifest(_) => {
            let records = super::first_records(files, &file.name).ok()?;
            (!records.is_empty()).then_some(Content::Is(name, None))
        }
        FileName::Table(_) | FileName::Blob(_) => None,
        FileName::Log { .. } | FileName::Unknown => {
            let engine = log_engine(files, &file.name, name.number())?;
            Some(Content::of(&name, log_of, engine))
        }
    }
}

/// Whether the file is one line that names a manifest.
fn is_current(files: &dyn Files, file: &FileInfo) -> bool {
    let text = files.read_whole(&file.name, CURRENT_BYTES_MAX).unwrap_or_default();
    text.starts_with(b"MANIFEST-")
}

/// Whether the file begins with a date, as each line of a text log does.
fn is_info_log(files: &dyn Files, file: &FileInfo) -> bool {
    let start = files.read(&file.name, 0, 5).unwrap_or_default();
    start.iter().take(4).all(u8::is_ascii_digit) && start.last() == Some(&b'/')
}

/// The first lines of RocksDB's text log name it.
fn names_rocksdb(files: &dyn Files, file: &FileInfo) -> Option<Engine> {
    let mut start = vec![0; INFO_LOG_BYTES];
    let read = files.read_at(&file.name, 0, &mut start).ok()?;
    let text = String::from_utf8_lossy(start.get(..read)?);
    text.contains("RocksDB version").then_some(Engine::RocksDb)
}

/// The number that the first frame of a log has, if `engine` writes one into it.
fn tagged(files: &dyn Files, name: &str, engine: Engine) -> Option<u64> {
    let mut frame = [0; SYNC_BYTES];
    let read = files.read_at(name, 0, &mut frame).ok()?;
    match header::parse(LogKind::Log { engine, number: 0 }, frame.get(..read)?) {
        FrameStart::Header(header) => header.log.map(u64::from),
        _ => None,
    }
}

/// The engine whose log the file is: the one that can decode most of its first records over the least damage, of equal
/// ones the first; `None`: it is no log.
fn log_engine(files: &dyn Files, name: &str, number: Option<u64>) -> Option<Engine> {
    let of = |engine| {
        let number = number.or_else(|| tagged(files, name, engine)).unwrap_or(0);
        let records = Records::open(files, name, LogKind::Log { engine, number });
        Some((decoded(&mut records.ok()?, engine)?, engine))
    };
    // Of equal ones `max_by_key` takes the last.
    let engines = [Engine::Pebble, Engine::RocksDb, Engine::LevelDb];
    engines.into_iter().filter_map(of).max_by_key(|(rank, _)| *rank).map(|(_, engine)| engine)
}

/// Counts the batches of `engine` among the first records, and the damaged places before one; `None` without a record,
/// or with one that is no batch. Records after damage count, too.
fn decoded(records: &mut Records<'_>, engine: Engine) -> Option<(usize, Reverse<usize>)> {
    let (mut found, mut damage) = (0, 0);
    while found < RECORDS {
        match records.read().ok()? {
            Some(record) => {
                let batch = Batch::open(engine, &record.data).ok()?;
                if batch.items().any(|item| item.is_err()) {
                    return None;
                }
                found += 1;
            }
            None if records.resume().ok()? => damage += 1,
            None => break,
        }
    }
    (found > 0).then_some((found, Reverse(damage)))
}
