//! Recognizes the engine of a directory, with evidence, and the manifest that counts.

mod current;
mod evidence;
mod loose;
mod own;
mod stand_in;

pub(crate) use current::flaw_of_current;
pub use loose::{LooseFiles, names_manifest, owner};
pub(crate) use own::flaws as flaws_of_own;
pub(crate) use stand_in::fetching;

use crate::frame::{LogKind, Records};
use crate::name::FileName;
use crate::text::count;
use crate::{Engine, Error, ErrorKind, Files, Problem, Result};

/// A directory of one of these engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognized {
    /// Its engine.
    pub engine: Engine,
    /// The evidence, as sentences.
    pub evidence: Vec<String>,
    /// Name of the manifest that counts.
    pub manifest: String,
    /// Pebble's format major version, if a marker holds it.
    pub format_version: Option<u32>,
    /// Damage of the files that name the manifest.
    pub problems: Vec<Problem>,
}

/// Looks at the names and a few beginnings and ends of files.
///
/// # Errors
/// `Invalid` when the directory is no database at all; `Missing` when it looks like a
/// database but has no manifest; `NotRead` when pointers of Git or encrypted bytes stand in place of its files; those of
/// the host that reads the files.
pub fn recognize(files: &dyn Files) -> Result<Recognized> {
    let names: Vec<(FileName, &str)> =
        files.list().iter().map(|file| (FileName::parse(&file.name), file.name.as_str())).collect();
    let newest = newest(&names, |name| matches!(name, FileName::Manifest(_)));
    if let Some(own) = own::recognized(files, &names, newest)? {
        return Ok(own);
    }
    let Some(newest) = newest else { return Err(no_manifest(&names)) };
    let (engine, evidence) = evidence::weigh(files, &names, newest)?;
    let mut problems = Vec::new();
    let manifest = current::manifest(files, engine, &names, newest, &mut problems)?;
    stand_in::pointers(files, &manifest, &mut problems)?;
    stand_in::refuse_encrypted(files, &names, &manifest)?;
    let format_version = current::newest_marker(&names, "format-version")
        .and_then(|(_, value)| value.parse::<u32>().ok());
    Ok(Recognized { engine, evidence, manifest, format_version, problems })
}

/// The name with the largest number of the kind that is `wanted`.
fn newest<'n>(names: &[(FileName, &'n str)], wanted: fn(&FileName) -> bool) -> Option<&'n str> {
    let all = names.iter().filter(|(name, _)| wanted(name));
    all.map(|(name, text)| (name.number(), *text)).max().map(|(_, text)| text)
}

fn no_manifest(names: &[(FileName, &str)]) -> Error {
    let of_kind = |wanted: fn(&FileName) -> bool| names.iter().filter(|(n, _)| wanted(n)).count();
    let tables = of_kind(|name| matches!(name, FileName::Table(_)));
    let logs = of_kind(|name| matches!(name, FileName::Log { .. }));
    let blobs = of_kind(|name| matches!(name, FileName::Blob(_)));
    if tables + logs + blobs > 0 {
        let message = format!(
            "the manifest is missing: found {}, {} and {}, but no MANIFEST that records which of them \
             count",
            count(tables as u64, "table"),
            count(logs as u64, "log"),
            count(blobs as u64, "blob file"),
        );
        return Error::new(ErrorKind::Missing, message);
    }
    let all = names.len();
    let first: Vec<&str> = names.iter().take(5).map(|(_, text)| *text).collect();
    let found = match all {
        0 => "it has no files".to_owned(),
        _ if all > first.len() => {
            format!("it has {all} files, among them {}", first.join(", "))
        }
        _ => format!("it has {}: {}", count(all as u64, "file"), first.join(", ")),
    };
    let message = format!(
        "this is not a database of RocksDB, Pebble, LevelDB or Levelscope: no MANIFEST; {found}"
    );
    Error::new(ErrorKind::Invalid, message)
}

/// The first records of a manifest, as many as its engine is recognized by.
fn first_records(files: &dyn Files, manifest: &str) -> Result<Vec<Vec<u8>>> {
    const RECORDS: usize = 64;
    const BYTES: usize = 1 << 20;
    let kind = LogKind::Manifest(Engine::RocksDb);
    let mut records = Records::open(files, manifest, kind)?;
    let mut found = Vec::new();
    let mut bytes = 0;
    while let Some(record) = records.read()? {
        bytes += record.data.len();
        found.push(record.data);
        if found.len() == RECORDS || bytes > BYTES {
            break;
        }
    }
    Ok(found)
}
