//! Evidence that distinguishes the engines, the strongest first.

use super::first_records;
use crate::manifest::{Span, decode};
use crate::name::FileName;
use crate::table::magic_engine;
use crate::{Engine, ErrorKind, Files, Result};

/// Bytes of OPTIONS that are looked at.
const OPTIONS_BYTES: usize = 4096;
/// Tables whose last bytes are looked at.
const TABLES: usize = 4;
/// The first tag that LevelDB does not know.
const FIRST_LATER_TAG: u32 = 10;

/// Decides for the engine with the strongest evidence; gives all that speaks for it, as sentences.
pub(super) fn weigh(
    files: &dyn Files,
    names: &[(FileName, &str)],
    manifest: &str,
) -> Result<(Engine, Vec<String>)> {
    let mut found = by_names(names);
    found.extend(by_options(files, names)?);
    found.extend(by_identity(names));
    found.extend(by_tables(files, names));
    found.extend(by_manifest(files, manifest)?);
    let engine = found.first().map_or(Engine::LevelDb, |(engine, _)| *engine);
    let mut evidence: Vec<String> =
        found.into_iter().filter(|(of, _)| *of == engine).map(|(_, sentence)| sentence).collect();
    if evidence.is_empty() {
        evidence.push("Nothing speaks for RocksDB or Pebble.".to_owned());
    }
    Ok((engine, evidence))
}

fn by_names(names: &[(FileName, &str)]) -> Vec<(Engine, String)> {
    let marker = names.iter().find(|(name, _)| matches!(name, FileName::Marker { .. }));
    let sentence =
        marker.map(|(_, text)| (Engine::Pebble, format!("{text} is a marker file of Pebble.")));
    sentence.into_iter().collect()
}

/// A file that the host cannot read is no evidence; the reader that needs it reports it.
pub(super) fn readable(read: Result<usize>) -> Result<Option<usize>> {
    match read {
        Err(error) if error.kind() == ErrorKind::Stopped => Err(error),
        read => Ok(read.ok()),
    }
}

fn by_options(files: &dyn Files, names: &[(FileName, &str)]) -> Result<Option<(Engine, String)>> {
    let newest = super::newest(names, |name| matches!(name, FileName::Options(_)));
    newest.map_or(Ok(None), |text| of_options(files, text))
}

/// The engine that wrote the OPTIONS file `text`, with the evidence as a sentence.
pub(super) fn of_options(files: &dyn Files, text: &str) -> Result<Option<(Engine, String)>> {
    let mut start = vec![0; OPTIONS_BYTES];
    let Some(read) = readable(files.read_at(text, 0, &mut start))? else { return Ok(None) };
    start.truncate(read);
    let start = String::from_utf8_lossy(&start);
    let keys = [(Engine::Pebble, "pebble_version="), (Engine::RocksDb, "rocksdb_version=")];
    for (engine, key) in keys {
        let line = start.lines().map(str::trim).find(|line| line.starts_with(key));
        if let Some(line) = line {
            let version: String = line.chars().skip(key.len()).take(32).collect();
            let name = engine.name();
            let sentence = match engine {
                // Every release writes the same number.
                Engine::Pebble => format!("{text} holds {key}{version}, as {name} writes it."),
                _ => format!("{text} was written by {name}, version {version}."),
            };
            return Ok(Some((engine, sentence)));
        }
    }
    Ok(None)
}

fn by_identity(names: &[(FileName, &str)]) -> Option<(Engine, String)> {
    let found = names.iter().any(|(name, _)| *name == FileName::Identity);
    found.then(|| (Engine::RocksDb, "IDENTITY holds the id of a RocksDB database.".to_owned()))
}

/// The magic numbers at the ends of the first tables.
fn by_tables(files: &dyn Files, names: &[(FileName, &str)]) -> Option<(Engine, String)> {
    let tables = names.iter().filter(|(name, _)| matches!(name, FileName::Table(_)));
    for (_, text) in tables.take(TABLES) {
        // RocksDB's oldest tables have LevelDB's, but then its other files speak.
        let Some(engine) = magic_engine(files, text) else { continue };
        let sentence = format!("{text} ends in the magic number of {}.", engine.name());
        return Some((engine, sentence));
    }
    None
}

/// The tags of the first edits.
fn by_manifest(files: &dyn Files, manifest: &str) -> Result<Option<(Engine, String)>> {
    let records = first_records(files, manifest)?;
    for engine in [Engine::RocksDb, Engine::Pebble] {
        for record in &records {
            let mut later = None;
            let mut note = |span: Span| {
                later = later.or((span.tag >= FIRST_LATER_TAG).then_some(span.tag));
            };
            if decode(engine, record, Some(&mut note)).is_err() {
                continue;
            }
            // Tag 103 is both engines'; RocksDB is the likelier one without a marker.
            if let Some(tag) = later {
                let name = engine.name();
                return Ok(Some((engine, format!("{manifest} has the tag {tag} of {name}."))));
            }
        }
    }
    if records.is_empty() {
        return Ok(None);
    }
    Ok(Some((Engine::LevelDb, format!("{manifest} has only tags that LevelDB knows."))))
}
