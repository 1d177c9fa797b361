//! The arguments of an import, an export and a checkpoint.

use super::run::Settings;
use super::{Request, WrongLine, value};
use levelscope::Options;
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of an import.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ImportArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) selection: Selection,
    pub(crate) json: bool,
    /// The options of the new database, as for a run.
    pub(crate) options: Options,
}

/// The arguments of an export.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExportArguments {
    pub(crate) source: PathBuf,
    /// A new directory for `LevelDB`, or a new file whose name ends in `.sst`.
    pub(crate) target: PathBuf,
    pub(crate) selection: Selection,
    pub(crate) json: bool,
}

/// The arguments of a checkpoint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CopyArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) json: bool,
}

/// The part of another program's database that is taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The column family; `None`: the only one, or `default`.
    pub(crate) family: Option<String>,
    /// Entries without a plain value are left out or lose their columns.
    pub(crate) lossy: bool,
    /// Damaged parts are left out.
    pub(crate) skip_damage: bool,
}

/// Reads the words of an import or an export: paths, the selection, whether JSON is wanted; `other` takes a flag
/// that is not about these and returns whether it did. `None`: help is wanted.
fn words_of(
    words: Vec<OsString>,
    mut other: impl FnMut(&str, &mut Parser) -> Result<bool, lexopt::Error>,
) -> Result<Option<(Vec<PathBuf>, Selection, bool)>, WrongLine> {
    let (mut paths, mut selection, mut json) = (Vec::new(), Selection::default(), false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        let flag = match argument {
            Arg::Value(path) => {
                paths.push(PathBuf::from(path));
                continue;
            }
            Arg::Long("help") | Arg::Short('h') => return Ok(None),
            Arg::Long(flag) => flag.to_owned(),
            short @ Arg::Short(_) => return Err(short.unexpected().into()),
        };
        match flag.as_str() {
            "json" => json = true,
            "skip-damage" => selection.skip_damage = true,
            "lossy" => selection.lossy = true,
            "family" => selection.family = Some(value(&mut parser)?),
            flag => {
                if !other(flag, &mut parser)? {
                    return Err(Arg::Long(flag).unexpected().into());
                }
            }
        }
    }
    Ok(Some((paths, selection, json)))
}

/// `levelscope import SOURCE TARGET`.
pub(super) fn import(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let mut settings = Settings::default();
    let read = words_of(words, |flag, parser| {
        match flag {
            "preset" => settings.preset = value(parser)?,
            "set" => settings.values.push(value(parser)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some((paths, selection, json)) = read else { return Ok(Request::Help) };
    let Ok([source, target]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err("import takes two directories: that of another program and a new one".into());
    };
    let options = settings.options()?;
    Ok(Request::Import(ImportArguments { source, target, selection, json, options }))
}

/// `levelscope export SOURCE TARGET`.
pub(super) fn export(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let read = words_of(words, |_, _| Ok(false))?;
    let Some((paths, selection, json)) = read else { return Ok(Request::Help) };
    let [source, target] = <[PathBuf; 2]>::try_from(paths).map_err(|_| {
        "export takes the directory of a database, and a new directory or a new file that ends in .sst"
    })?;
    Ok(Request::Export(ExportArguments { source, target, selection, json }))
}

/// `levelscope checkpoint SOURCE TARGET`.
pub(super) fn checkpoint(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut paths, mut json) = (Vec::new(), false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let [source, target] = <[PathBuf; 2]>::try_from(paths)
        .map_err(|_| "checkpoint takes two directories: that of the database and a new one")?;
    Ok(Request::Checkpoint(CopyArguments { source, target, json }))
}
