//! The command line of the program.

use super::lesson;
use levelscope::{Error, Identity, Options, PRESETS, RepairOptions};
use levelscope_console::Failure;
use levelscope_formats::leveldb::Damage;
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::path::PathBuf;

/// The hint of every wrong command line.
pub(crate) const TRY: &str = "levelscope --help tells all options";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Version,
    Run(Arguments),
    Repair(RepairArguments),
    Inspect(InspectArguments),
    Import(ImportArguments),
    Export(CopyArguments),
    Checkpoint(CopyArguments),
    Lesson(lesson::Arguments),
}

/// Everything that is told about an inspection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InspectArguments {
    pub(crate) paths: Vec<PathBuf>,
    /// The format that all files have to have.
    pub(crate) format: Option<String>,
    /// Whether parts of parts are told.
    pub(crate) deep: bool,
    /// Parts that are told of each file.
    pub(crate) limit: u64,
    pub(crate) json: bool,
}

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

/// Everything that is told about a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) place: Location,
    pub(crate) commands: Option<String>,
    pub(crate) json: bool,
    pub(crate) read_only: bool,
    /// Other files may lie beside those of the database.
    pub(crate) beside_other_files: bool,
    /// What a database that is created gets; `None`: one that is drawn at random.
    pub(crate) identity: Option<Identity>,
    preset: String,
    settings: Vec<String>,
}

impl Arguments {
    /// The options: those of the preset, with the settings on top.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        options(&self.preset, &self.settings)
    }
}

fn options(preset: &str, settings: &[String]) -> Result<Options, Failure> {
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

/// Everything that is told about a repair.
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
        Ok(RepairOptions { options, after_holes: self.after_holes })
    }
}

/// Everything that is told about an import.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ImportArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) json: bool,
    pub(crate) damage: Damage,
    preset: String,
    settings: Vec<String>,
}

impl ImportArguments {
    /// The options of the new database, as for a run.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        options(&self.preset, &self.settings)
    }
}

/// Everything that is told about an export, or about a checkpoint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CopyArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) json: bool,
}

/// Reads the command line; the first word is the program itself.
///
/// # Errors
/// A sentence about what is wrong.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Request, String> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let first = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    match first.as_str() {
        "bench" => return Ok(benchmark(words.split_off(1))),
        "check" => return check(words.split_off(1)),
        "repair" => return repair(words.split_off(1)),
        "import" => return import(words.split_off(1)),
        "export" => return copy(words.split_off(1), Request::Export, &first),
        "checkpoint" => return copy(words.split_off(1), Request::Checkpoint, &first),
        "inspect" => return inspect(words.split_off(1)),
        "lesson" => return lesson::arguments(words.split_off(1)),
        _ => {}
    }
    let mut parser = Parser::from_iter(words);
    let (mut place, mut memory, mut json) = (None, false, false);
    let (mut read_only, mut beside_other_files, mut identity) = (false, false, None);
    let mut commands: Option<String> = None;
    let (mut preset, mut settings) = ("default".to_owned(), Vec::new());
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Request::Version),
            Arg::Long("memory") => memory = true,
            Arg::Long("json") => json = true,
            Arg::Long("read-only") => read_only = true,
            Arg::Long("create-in-nonempty") => beside_other_files = true,
            Arg::Long("identity") => {
                let word = parser.value().and_then(ValueExt::string).map_err(text)?;
                identity = Some(word.parse().map_err(|error: Error| error.to_string())?);
            }
            Arg::Long("preset") => {
                preset = parser.value().and_then(ValueExt::string).map_err(text)?;
            }
            Arg::Long("set") => {
                settings.push(parser.value().and_then(ValueExt::string).map_err(text)?);
            }
            Arg::Short('c') => {
                let more = parser.value().and_then(ValueExt::string).map_err(text)?;
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
    Ok(Request::Run(Arguments {
        place,
        commands,
        json,
        read_only,
        beside_other_files,
        identity,
        preset,
        settings,
    }))
}

/// `levelscope check DIR`: the command `check` on the files of a database that is not opened.
fn check(words: Vec<OsString>) -> Result<Request, String> {
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
    Ok(Request::Run(Arguments {
        place: Location::Evidence(path.ok_or("check takes a directory")?),
        commands: Some("check".to_owned()),
        json,
        read_only: true,
        beside_other_files: false,
        identity: None,
        preset: "default".to_owned(),
        settings: Vec::new(),
    }))
}

/// `levelscope repair SOURCE TARGET`.
fn repair(words: Vec<OsString>) -> Result<Request, String> {
    let (mut paths, mut json, mut after_holes) = (Vec::new(), false, false);
    let (mut preset, mut settings) = ("default".to_owned(), Vec::new());
    let mut parser = Parser::from_iter(words);
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Long("after-holes") => after_holes = true,
            Arg::Long("preset") => {
                preset = parser.value().and_then(ValueExt::string).map_err(text)?;
            }
            Arg::Long("set") => {
                settings.push(parser.value().and_then(ValueExt::string).map_err(text)?);
            }
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let Ok([source, target]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err("repair takes two directories: the damaged one and a new one".into());
    };
    Ok(Request::Repair(RepairArguments { source, target, json, after_holes, preset, settings }))
}

/// Parts of a file that are told when no limit is given.
const PARTS: u64 = 40;

/// `levelscope inspect FILE...`.
fn inspect(words: Vec<OsString>) -> Result<Request, String> {
    let mut arguments = InspectArguments {
        paths: Vec::new(),
        format: None,
        deep: false,
        limit: PARTS,
        json: false,
    };
    let mut parser = Parser::from_iter(words);
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => arguments.json = true,
            Arg::Short('v') => arguments.deep = true,
            Arg::Long("limit") => {
                arguments.limit = parser.value().and_then(|value| value.parse()).map_err(text)?;
            }
            Arg::Long("as") => {
                let format = parser.value().and_then(ValueExt::string).map_err(text)?;
                arguments.format = Some(format);
            }
            Arg::Value(path) => arguments.paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if arguments.paths.is_empty() {
        return Err("inspect takes files or directories".into());
    }
    Ok(Request::Inspect(arguments))
}

/// `levelscope import SOURCE TARGET`.
fn import(words: Vec<OsString>) -> Result<Request, String> {
    let (mut paths, mut json, mut damage) = (Vec::new(), false, Damage::Refuse);
    let (mut preset, mut settings) = ("default".to_owned(), Vec::new());
    let mut parser = Parser::from_iter(words);
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Long("skip-damage") => damage = Damage::Skip,
            Arg::Long("preset") => {
                preset = parser.value().and_then(ValueExt::string).map_err(text)?;
            }
            Arg::Long("set") => {
                settings.push(parser.value().and_then(ValueExt::string).map_err(text)?);
            }
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let Ok([source, target]) = <[PathBuf; 2]>::try_from(paths) else {
        return Err("import takes two directories: one of LevelDB and a new one".into());
    };
    Ok(Request::Import(ImportArguments { source, target, json, damage, preset, settings }))
}

/// `levelscope export SOURCE TARGET`, and likewise `checkpoint`.
fn copy(
    words: Vec<OsString>,
    request: fn(CopyArguments) -> Request,
    verb: &str,
) -> Result<Request, String> {
    let (mut paths, mut json) = (Vec::new(), false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("json") => json = true,
            Arg::Value(path) => paths.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let [source, target] = <[PathBuf; 2]>::try_from(paths)
        .map_err(|_| format!("{verb} takes two directories: that of the database and a new one"))?;
    Ok(request(CopyArguments { source, target, json }))
}

fn quoted(word: &str) -> String {
    levelscope_console::text::word(word.as_bytes())
}

/// `levelscope bench …` is the command `bench …` and nothing else.
fn benchmark(words: Vec<OsString>) -> Request {
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
    Request::Run(Arguments {
        place: Location::Benchmark,
        commands: Some(line.join(" ")),
        json,
        read_only: false,
        beside_other_files: false,
        identity: None,
        preset: "default".to_owned(),
        settings: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Request, String> {
        parse(std::iter::once("levelscope").chain(words.iter().copied()).map(OsString::from))
    }

    #[test]
    fn the_command_line() {
        let Ok(Request::Run(run)) =
            parsed(&["dir", "-c", "get a", "--set", "bloom_bits=0", "-c", "get b"])
        else {
            panic!("this command line is right")
        };
        assert_eq!(run.place, Location::Directory("dir".into()));
        assert_eq!(run.commands.as_deref(), Some("get a\nget b"));
        assert_eq!(run.options().map(|options| options.bloom_bits), Ok(0));
        assert_eq!(parsed(&["--help"]), Ok(Request::Help));
        let words = ["bench", "--benchmarks=open,stats", "--json", "--db", "a b", "--num=9"];
        let Ok(Request::Run(bench)) = parsed(&words) else { panic!("this command line is right") };
        assert_eq!((bench.place, bench.json), (Location::Benchmark, true));
        let line = "bench --benchmarks open,stats --db \"a b\" --num 9";
        assert_eq!(bench.commands.as_deref(), Some(line));
        for wrong in [
            &[][..],
            &["a", "b"],
            &["a", "--memory"],
            &["--memory", "--nope"],
            &["-c"],
            &["--memory", "--read-only"],
        ] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn wrong_options_are_refused() {
        for wrong in [&["--preset", "x"], &["--set", "nope=1"], &["--set", "bloom_bits"]] {
            let words: Vec<&str> = ["--memory"].iter().chain(wrong.iter()).copied().collect();
            let Ok(Request::Run(run)) = parsed(&words) else { panic!("{wrong:?}") };
            assert!(run.options().is_err(), "{wrong:?}");
        }
    }
}
