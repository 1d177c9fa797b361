//! The arguments of an inspection.

use super::{Request, WrongLine, value, words_of};
use lexopt::ValueExt;
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
    let (mut format, mut deep, mut limit) = (None, false, PARTS);
    let read = words_of(words, &mut |flag, parser| {
        match flag {
            "-v" => deep = true,
            "--limit" => limit = parser.value()?.parse()?,
            "--as" => format = Some(value(parser)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some((paths, json)) = read else { return Ok(Request::Help) };
    if paths.is_empty() {
        return Err("inspect takes files or directories".into());
    }
    Ok(Request::Inspect(InspectArguments { paths, format, deep, limit, json }))
}
