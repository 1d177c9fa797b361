//! The arguments of a run, a check and a benchmark.

use super::{Request, value};
use levelscope::{Error, Identity, Options, PRESETS};
use levelscope_console::Failure;
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// Where the database is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Memory,
    /// Nothing but a benchmark, which makes its own.
    Benchmark,
    Directory(PathBuf),
    /// A directory that is read as it is: no database is opened.
    Evidence(PathBuf),
}

/// The arguments of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) place: Location,
    pub(crate) commands: Option<String>,
    pub(crate) json: bool,
    pub(crate) read_only: bool,
    /// The format of files without an engine; `None`: their content decides.
    pub(crate) format: Option<String>,
    /// Other files may lie beside those of the database.
    pub(crate) beside_other_files: bool,
    /// The identity of a created database; `None`: a random one.
    pub(crate) identity: Option<Identity>,
    preset: String,
    settings: Vec<String>,
}

impl Arguments {
    /// A run of `commands` without any option.
    fn plain(place: Location, commands: String, json: bool) -> Self {
        Self {
            place,
            commands: Some(commands),
            json,
            read_only: false,
            format: None,
            beside_other_files: false,
            identity: None,
            preset: "default".to_owned(),
            settings: Vec::new(),
        }
    }

    /// The options: those of the preset, with the settings on top.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        options(&self.preset, &self.settings)
    }
}

pub(super) fn options(preset: &str, settings: &[String]) -> Result<Options, Failure> {
    let mut options = Options::preset(preset).ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        Failure::usage(format!("there is no preset {preset:?}"))
            .hint(format!("there are: {}", names.join(", ")))
    })?;
    for setting in settings {
        let (name, value) = setting
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--set takes NAME=VALUE, not {setting:?}")))?;
        options.set(name.trim(), value.trim())?;
    }
    options.validate()?;
    Ok(options)
}

/// `levelscope DIR` and `levelscope --memory`.
pub(super) fn run(words: Vec<OsString>) -> Result<Request, String> {
    let mut parser = Parser::from_iter(words);
    let (mut place, mut memory, mut json) = (None, false, false);
    let (mut read_only, mut beside_other_files, mut identity) = (false, false, None);
    let (mut format, mut commands): (Option<String>, Option<String>) = (None, None);
    let (mut preset, mut settings) = ("default".to_owned(), Vec::new());
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Request::Version),
            Arg::Long("memory") => memory = true,
            Arg::Long("json") => json = true,
            Arg::Long("read-only") => read_only = true,
            Arg::Long("as") => format = Some(value(&mut parser)?),
            Arg::Long("create-in-nonempty") => beside_other_files = true,
            Arg::Long("identity") => {
                let word = value(&mut parser)?;
                identity = Some(word.parse().map_err(|error: Error| error.to_string())?);
            }
            Arg::Long("preset") => preset = value(&mut parser)?,
            Arg::Long("set") => settings.push(value(&mut parser)?),
            Arg::Short('c') => {
                let more = value(&mut parser)?;
                commands =
                    Some(commands.map_or_else(|| more.clone(), |all| format!("{all}\n{more}")));
            }
            Arg::Value(path) if place.is_none() => place = Some(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let place = match (place, memory) {
        (Some(path), false) => Location::Directory(path),
        (None, true) => Location::Memory,
        (Some(_), true) => return Err("a directory and --memory exclude each other".into()),
        (None, false) => return Err("it takes a directory, or --memory".into()),
    };
    if read_only && place == Location::Memory {
        return Err("a database in memory is new, so there is nothing to read only".into());
    }
    if format.is_some() && !read_only {
        return Err("--as goes with --read-only: files are only looked into".into());
    }
    Ok(Request::Run(Arguments {
        place,
        commands,
        json,
        read_only,
        format,
        beside_other_files,
        identity,
        preset,
        settings,
    }))
}

/// `levelscope check DIR`: the command `check` on the files of a database that is not opened.
pub(super) fn check(words: Vec<OsString>) -> Result<Request, String> {
    let (mut path, mut json) = (None, false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Value(value) if path.is_none() => path = Some(PathBuf::from(value)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let place = Location::Evidence(path.ok_or("check takes a directory")?);
    let arguments = Arguments::plain(place, "check".to_owned(), json);
    Ok(Request::Run(Arguments { read_only: true, ..arguments }))
}

fn quoted(word: &str) -> String {
    levelscope_console::text::word(word.as_bytes())
}

/// `levelscope bench …` is the command `bench …` and nothing else.
pub(super) fn benchmark(words: Vec<OsString>) -> Request {
    let mut json = false;
    let mut line = Vec::new();
    for word in words {
        match word.to_string_lossy().as_ref() {
            "--json" => json = true,
            "--help" | "-h" => line = vec!["help".to_owned(), "bench".to_owned()],
            // A flag stays bare, so that it is one; what it takes is quoted where it must be.
            text => match text.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => {
                    line.extend([flag.to_owned(), quoted(value)]);
                }
                _ if text.starts_with("--") => line.push(text.to_owned()),
                _ => line.push(quoted(text)),
            },
        }
    }
    Request::Run(Arguments::plain(Location::Benchmark, line.join(" "), json))
}
