//! The arguments of a repair.

use super::run::Settings;
use super::{Request, WrongLine, value};
use levelscope::{Options, RepairOptions};
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
    options: Options,
}

impl RepairArguments {
    /// How the repair is done; the options of the new tables as for a run.
    pub(crate) fn options(&self) -> RepairOptions {
        RepairOptions::default().options(self.options.clone()).after_holes(self.after_holes)
    }
}

/// `levelscope repair SOURCE TARGET`.
pub(super) fn repair(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut paths, mut json, mut after_holes) = (Vec::new(), false, false);
    let mut settings = Settings::default();
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Long("after-holes") => after_holes = true,
            Arg::Long("preset") => settings.preset = value(&mut parser)?,
            Arg::Long("set") => settings.values.push(value(&mut parser)?),
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let Ok([source, target]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err("repair takes two directories: the damaged one and a new one".into());
    };
    let options = settings.options()?;
    Ok(Request::Repair(RepairArguments { source, target, json, after_holes, options }))
}
