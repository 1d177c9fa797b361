//! The arguments of a repair.

use super::run::options;
use super::{Request, value};
use levelscope::RepairOptions;
use levelscope_console::Failure;
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of a repair.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RepairArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) json: bool,
    after_holes: bool,
    preset: String,
    settings: Vec<String>,
}

impl RepairArguments {
    /// How the repair is done; the options of the new tables as for a run.
    pub(crate) fn options(&self) -> Result<RepairOptions, Failure> {
        let options = options(&self.preset, &self.settings)?;
        Ok(RepairOptions::default().options(options).after_holes(self.after_holes))
    }
}

/// `levelscope repair SOURCE TARGET`.
pub(super) fn repair(words: Vec<OsString>) -> Result<Request, String> {
    let (mut paths, mut json, mut after_holes) = (Vec::new(), false, false);
    let (mut preset, mut settings) = ("default".to_owned(), Vec::new());
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Long("after-holes") => after_holes = true,
            Arg::Long("preset") => preset = value(&mut parser)?,
            Arg::Long("set") => settings.push(value(&mut parser)?),
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let Ok([source, target]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err("repair takes two directories: the damaged one and a new one".into());
    };
    Ok(Request::Repair(RepairArguments { source, target, json, after_holes, preset, settings }))
}
