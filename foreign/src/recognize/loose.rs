//! Single files without the rest of their directory, recognized by their content.

use super::OWN_MAGIC;
use crate::batch::Batch;
use crate::blob;
use crate::files::{FileInfo, LeftOut};
use crate::frame::header::{self, FrameStart, SYNC_BYTES};
use crate::frame::{LogKind, Records};
use crate::name::FileName;
use crate::table::magic_engine;
use crate::{Engine, Files, Problem, Result};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Records of a log whose operations are decoded before it counts as one.
const RECORDS: usize = 16;
/// `CURRENT` has at most so many bytes.
const CURRENT_BYTES_MAX: u64 = 64;
/// Bytes of a text log that are searched for its program.
const INFO_LOG_BYTES: usize = 1024;

/// Files of one engine that were given without their directory. Their names may be any; each table and each log counts.
pub struct LooseFiles<'f> {
    files: &'f dyn Files,
    engine: Engine,
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

fn log_of(number: u64) -> FileName {
    FileName::Log { number, part: 0, archived: false }
}

impl<'f> LooseFiles<'f> {
    /// `files`, when each of them is of these engines; `None` for others, and when a manifest is among them, or a file
    /// that names one: then they are a directory.
    pub fn of(files: &'f dyn Files) -> Option<Self> {
        if files.list().len() > 1 && files.list().iter().any(names_manifest) {
            return None;
        }
        let mut kinds = BTreeMap::new();
        let (mut unnumbered, mut engines) = (Vec::new(), Vec::new());
        for file in files.list() {
            match content(files, file)? {
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
        if kinds.is_empty() && unnumbered.is_empty() {
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

    /// Whether one of them is a table, a log or a blob file.
    pub(crate) fn has_entries(&self) -> bool {
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

/// Whether the content of one of `files` is that of a file of these engines.
pub fn has_any(files: &dyn Files) -> bool {
    let is_one =
        |file| content(files, file).is_some_and(|content| !matches!(content, Content::Ignored));
    files.list().iter().any(is_one)
}

/// The kind of `file`; `None`: no file of these engines.
fn content(files: &dyn Files, file: &FileInfo) -> Option<Content> {
    let name = FileName::parse(&file.name);
    let mut start = [0; OWN_MAGIC.len()];
    let read = files.read_at(&file.name, 0, &mut start).ok()?;
    if read == start.len() && start == OWN_MAGIC {
        return None;
    }
    if let Some(engine) = magic_engine(files, &file.name) {
        if engine == Engine::Levelscope {
            return None;
        }
        return Some(match name {
            FileName::Table(_) => Content::Is(name, Some(engine)),
            _ => Content::Unnumbered(FileName::Table, engine),
        });
    }
    if let Some(engine) = blob::engine_of(files, &file.name) {
        return Some(match name {
            FileName::Blob(_) => Content::Is(name, Some(engine)),
            _ => Content::Unnumbered(FileName::Blob, engine),
        });
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
        FileName::Log { number, .. } => {
            let engine = log_engine(files, &file.name, Some(number))?;
            Some(Content::Is(name, Some(engine)))
        }
        FileName::Table(_) | FileName::Blob(_) => None,
        FileName::Unknown => {
            let engine = log_engine(files, &file.name, None)?;
            Some(Content::Unnumbered(log_of, engine))
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
