//! The arguments of a run, a check and a benchmark.

use super::{Request, WrongLine, value};
use levelscope::{Identity, OPTION_INFOS, Options, PRESETS};
use levelscope_console::closest;
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
    pub(crate) options: Options,
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
            options: Options::default(),
        }
    }
}

/// The preset and the settings of a command line.
pub(super) struct Settings {
    pub(super) preset: String,
    /// `NAME=VALUE`, in their order.
    pub(super) values: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { preset: "default".to_owned(), values: Vec::new() }
    }
}

impl Settings {
    /// Takes `flag` with its value, if it is about options; whether it is.
    pub(super) fn take(&mut self, flag: &str, parser: &mut Parser) -> Result<bool, lexopt::Error> {
        match flag {
            "--preset" => self.preset = value(parser)?,
            "--set" => self.values.push(value(parser)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options of the preset, with the values on top.
    pub(super) fn options(&self) -> Result<Options, WrongLine> {
        let preset = self.preset.as_str();
        let mut options = Options::preset(preset).ok_or_else(|| {
            let names = PRESETS.map(|preset| preset.name);
            let hint = format!("there are: {}", names.join(", "));
            unknown("preset", preset, closest(preset, names.into_iter()), &hint)
        })?;
        for setting in &self.values {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| format!("--set takes NAME=VALUE, not {setting:?}"))?;
            let name = name.trim();
            let names = OPTION_INFOS.iter().map(|info| info.name);
            if names.clone().all(|known| known != name) {
                let hint = "`levelscope --memory -c options` lists all";
                return Err(unknown("option", name, closest(name, names), hint));
            }
            options.set(name, value.trim())?;
        }
        options.validate()?;
        Ok(options)
    }
}

fn unknown(what: &str, name: &str, meant: Option<&str>, hint: &str) -> WrongLine {
    let hint = match meant {
        Some(meant) => format!("did you mean {meant}? {hint}"),
        None => hint.to_owned(),
    };
    WrongLine::from(format!("there is no {what} {name:?}")).hint(hint)
}

/// `levelscope DIR` and `levelscope --memory`.
pub(super) fn run(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let mut parser = Parser::from_iter(words);
    let (mut place, mut memory, mut json) = (None, false, false);
    let (mut read_only, mut beside_other_files, mut identity) = (false, false, None);
    let (mut format, mut commands): (Option<String>, Option<String>) = (None, None);
    let mut settings = Settings::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Request::Version),
            Arg::Long("memory") => memory = true,
            Arg::Long("json") => json = true,
            Arg::Long("read-only") => read_only = true,
            Arg::Long("as") => format = Some(value(&mut parser)?),
            Arg::Long("create-in-nonempty") => beside_other_files = true,
            Arg::Long("identity") => {
                identity = Some(value(&mut parser)?.parse::<Identity>()?);
            }
            Arg::Long("preset") => settings.preset = value(&mut parser)?,
            Arg::Long("set") => settings.values.push(value(&mut parser)?),
            Arg::Short('c') => {
                let more = value(&mut parser)?;
                commands =
                    Some(commands.map_or_else(|| more.clone(), |all| format!("{all}\n{more}")));
            }
            Arg::Value(path) if place.is_none() => place = Some(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
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
        options: settings.options()?,
    }))
}

/// `levelscope check DIR`: the command `check` on the files of a database that is not opened.
pub(super) fn check(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut path, mut json) = (None, false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Value(value) if path.is_none() => path = Some(PathBuf::from(value)),
            other => return Err(other.unexpected().into()),
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
