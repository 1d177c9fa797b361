//! The arguments of an inspection.

use super::{Request, WrongLine, value};
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of an inspection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InspectArguments {
    pub(crate) paths: Vec<PathBuf>,
    /// The format that all files have to have.
    pub(crate) format: Option<String>,
    /// Whether parts of parts are shown.
    pub(crate) deep: bool,
    /// Parts that are shown of each file.
    pub(crate) limit: u64,
    pub(crate) json: bool,
}

/// Parts of a file that are shown when no limit is given.
const PARTS: u64 = 40;

/// `levelscope inspect FILE...`.
pub(super) fn inspect(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let mut arguments = InspectArguments {
        paths: Vec::new(),
        format: None,
        deep: false,
        limit: PARTS,
        json: false,
    };
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => arguments.json = true,
            Arg::Short('v') => arguments.deep = true,
            Arg::Long("limit") => {
                arguments.limit = parser.value()?.parse()?;
            }
            Arg::Long("as") => arguments.format = Some(value(&mut parser)?),
            Arg::Value(path) => arguments.paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    if arguments.paths.is_empty() {
        return Err("inspect takes files or directories".into());
    }
    Ok(Request::Inspect(arguments))
}
