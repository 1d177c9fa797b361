//! One suite for every implementation of [`Storage`]: the promises that the engine relies on, case by case.
//!
//! Each case wants an empty storage. A storage that may answer `WouldBlock` must have all of [`names`] opened ahead.
//! Cases never panic, so that the suite also runs where a panic ends the program.

mod bytes;
mod directory;
mod overwrite;

use crate::storage::{File, FileName, Storage};
use crate::{Error, ErrorKind, Result as EngineResult};
use std::sync::Arc;

/// The outcome of a case: success, or the flaw as a sentence.
pub type Outcome = Result<(), String>;

/// One rule of the contract.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The rule, as words joined by underscores.
    pub name: &'static str,
    /// Tries the rule on an empty storage.
    pub run: fn(&dyn Storage) -> Outcome,
}

/// All cases, in three groups: names, bytes, overwriting.
pub fn cases() -> Vec<Case> {
    [directory::CASES, bytes::CASES, overwrite::CASES].concat()
}

/// Every file that some case creates or opens.
pub fn names() -> Vec<FileName> {
    let mut names = vec![WAL, OTHER_WAL, TABLE, LARGE_NUMBER, MANIFEST, FileName::Current];
    names.extend([FileName::Wal(5), FileName::Table(5), FileName::Manifest(5)]);
    names.extend(MANY.map(FileName::Table));
    names
}

const WAL: FileName = FileName::Wal(1);
const OTHER_WAL: FileName = FileName::Wal(2);
const TABLE: FileName = FileName::Table(3);
const MANIFEST: FileName = FileName::Manifest(4);
const LARGE_NUMBER: FileName = FileName::Table(1_234_567);
const MANY: std::ops::Range<u64> = 10..22;

/// Runs every case; `fresh` makes an empty storage and `clean` removes it.
///
/// Returns one line for each case that failed.
pub fn failures<S: Storage>(
    mut fresh: impl FnMut(&'static str) -> S,
    mut clean: impl FnMut(&'static str, S),
) -> Vec<String> {
    let mut failures = Vec::new();
    for case in cases() {
        let storage = fresh(case.name);
        if let Err(why) = (case.run)(&storage) {
            failures.push(format!("{}: {why}", case.name));
        }
        clean(case.name, storage);
    }
    failures
}

/// Turns an unexpected error into the outcome of the case.
fn done<T>(what: &str, result: EngineResult<T>) -> Result<T, String> {
    result.map_err(|error| format!("{what} answered {:?}: {error}", error.kind()))
}

fn that(condition: bool, what: &str) -> Outcome {
    if condition { Ok(()) } else { Err(format!("it does not hold that {what}")) }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, wanted: &T) -> Outcome {
    if found == wanted {
        return Ok(());
    }
    let short = |value: &T| format!("{value:?}").chars().take(200).collect::<String>();
    Err(format!("{what} should be {}, but is {}", short(wanted), short(found)))
}

/// The error of a call that has to fail with `kind`.
fn refused<T>(what: &str, result: EngineResult<T>, kind: ErrorKind) -> Result<Error, String> {
    match result {
        Ok(_) => Err(format!("{what} should answer {kind:?}, but it succeeded")),
        Err(error) if error.kind() == kind => {
            let message = error.to_string();
            that(message.len() > 10 && !message.contains('\n'), "the error is a sentence")?;
            Ok(error)
        }
        Err(error) => Err(format!("{what} should answer {kind:?}, but: {error}")),
    }
}

fn create(storage: &dyn Storage, name: FileName) -> Result<Arc<dyn File>, String> {
    done("create", storage.create(name))
}

fn open(storage: &dyn Storage, name: FileName) -> Result<Arc<dyn File>, String> {
    done("open", storage.open(name))
}

/// Creates `name` with `bytes`.
fn created(storage: &dyn Storage, name: FileName, bytes: &[u8]) -> Result<Arc<dyn File>, String> {
    let file = create(storage, name)?;
    done("append", file.append(bytes))?;
    Ok(file)
}

/// The names in the directory without `LOCK`, which not every storage keeps as a file.
fn listed(storage: &dyn Storage) -> Result<Vec<String>, String> {
    let mut names = done("list", storage.list())?;
    names.retain(|name| name != "LOCK");
    Ok(names)
}

/// Reads up to `length` bytes at `offset`.
fn read(file: &dyn File, offset: u64, length: usize) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0xEE; length];
    let count = done("read_at", file.read_at(offset, &mut bytes))?;
    that(count <= length, "read_at returns at most the length of the buffer")?;
    bytes.truncate(count);
    Ok(bytes)
}

/// The file must hold exactly `wanted`, by its length and by its bytes.
fn holds(file: &dyn File, wanted: &[u8]) -> Outcome {
    same("the length", &done("len", file.len())?, &(wanted.len() as u64))?;
    let found = read(file, 0, wanted.len() + 1)?;
    let difference = found.iter().zip(wanted).position(|(found, wanted)| found != wanted);
    same("the first wrong byte", &difference, &None)?;
    same("the number of bytes read", &found.len(), &wanted.len())
}

/// `length` bytes that differ from their neighbours near and far.
fn pattern(length: usize) -> Vec<u8> {
    let mut random = crate::storage::Random::new(length as u64);
    let mut bytes = vec![0; length];
    random.fill(&mut bytes);
    bytes
}
