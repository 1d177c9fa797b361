//! `levelscope lesson check`, `outline` and `tally`.

use super::arguments::{Request, WrongLine};
use super::{print, tally};
use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::lesson::{Complaint, Lesson, check, outline, parse};
use levelscope_console::{Console, Failure, Host};
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The arguments of `lesson`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) deed: Deed,
}

/// The work on the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Check,
    /// They are checked again when they change, until Ctrl-C.
    Watch,
    /// They are checked, and their outlines are printed.
    Outline,
    /// They are answer sheets, and are counted.
    Tally,
}

/// Between two looks at watched files.
const PAUSE: Duration = Duration::from_millis(200);

/// `levelscope lesson check|outline|tally FILE...`.
pub(crate) fn arguments(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut what, mut files, mut watches) = (None, Vec::new(), false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("watch") => watches = true,
            Arg::Value(word) if what.is_none() => what = Some(word),
            Arg::Value(path) => files.push(PathBuf::from(path)),
            other => return Err(other.unexpected().into()),
        }
    }
    let deed = match what.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("check") if watches => Deed::Watch,
        Some("outline" | "tally") if watches => {
            return Err("--watch is an option of lesson check".into());
        }
        Some("check") => Deed::Check,
        Some("outline") => Deed::Outline,
        Some("tally") => Deed::Tally,
        _ => return Err("lesson takes check, outline or tally, and files".into()),
    };
    if files.is_empty() && deed == Deed::Tally {
        return Err("lesson tally takes the files that learners have saved".into());
    }
    if files.is_empty() {
        return Err("lesson takes the files of lessons, such as lessons/07-deleting.md".into());
    }
    Ok(Request::Lesson(Arguments { files, deed }))
}

/// A host around an empty disk in memory.
#[derive(Default)]
struct LessonHost(MemoryStorage);

impl Host for LessonHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.0.clone())
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn disk(&self) -> Option<MemoryStorage> {
        Some(self.0.clone())
    }
}

fn fresh(options: Options) -> Result<Console, Failure> {
    let mut console = Console::new(Box::new(LessonHost::default()));
    console.open(options)?;
    Ok(console)
}

/// Prints what is found; exit code 0 when every claim of every lesson holds, 1 otherwise.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match arguments.deed {
        Deed::Watch => return watch(&arguments.files),
        Deed::Tally => return tally::run(&arguments.files),
        Deed::Check | Deed::Outline => {}
    }
    let prints_outline = arguments.deed == Deed::Outline;
    let (mut out, mut wrong) = (String::new(), Vec::new());
    for path in &arguments.files {
        if !one(path, read(path), prints_outline, &mut out) {
            wrong.push(levelscope_console::text::word(path.to_string_lossy().as_bytes()));
        }
    }
    if !wrong.is_empty() {
        let _ = writeln!(out, "check again with: levelscope lesson check {}", wrong.join(" "));
    }
    let written = io::stdout().write_all(out.as_bytes());
    print::exit_code(written.map(|()| wrong.is_empty()), None)
}

/// Checks each file when it has changed, for as long as anyone reads what is printed.
fn watch(files: &[PathBuf]) -> ExitCode {
    let mut checked = vec![None; files.len()];
    let mut before = vec![None; files.len()];
    let mut out = "Each file is checked when it has changed; Ctrl-C ends.\n".to_owned();
    loop {
        for ((path, checked), before) in files.iter().zip(&mut checked).zip(&mut before) {
            let text = read(path);
            // An editor may be in the middle of writing: what counts is the same twice.
            let is_settled = before.as_ref() == Some(&text);
            *before = Some(text.clone());
            if is_settled && checked.as_ref() != Some(&text) {
                *checked = Some(text.clone());
                one(path, text, false, &mut out);
            }
        }
        let mut stdout = io::stdout();
        match stdout.write_all(out.as_bytes()).and_then(|()| stdout.flush()) {
            Ok(()) => out.clear(),
            Err(_) => return ExitCode::SUCCESS,
        }
        std::thread::sleep(PAUSE);
    }
}

/// The text of a file, or why there is none.
fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| levelscope::text::system(&error))
}

/// One file with its text; whether it is right.
fn one(path: &Path, text: Result<String, String>, prints_outline: bool, out: &mut String) -> bool {
    let Some(lesson) = parsed(path, text, out) else { return false };
    let report = check(&lesson, &mut fresh);
    if prints_outline {
        out.push_str(&outline(&lesson, &report));
    }
    complain(path, &report.complaints, out);
    if report.complaints.is_empty() && !prints_outline {
        let shown = levelscope_console::text::printable(&path.to_string_lossy());
        let claims = levelscope_console::text::counted(report.claims, "claim");
        let hold = if report.claims == 1 { "holds" } else { "hold" };
        let _ = writeln!(out, "{shown}: {claims} {hold}");
    }
    report.complaints.is_empty()
}

/// The lesson of a file with its text; `None`: the reason is reported.
fn parsed(path: &Path, text: Result<String, String>, out: &mut String) -> Option<Lesson> {
    let shown = levelscope_console::text::printable(&path.to_string_lossy());
    let text = match text {
        Ok(text) => text,
        Err(why) => {
            let message = format!("{shown} cannot be read: {why}");
            print::complain(&Failure::new("io", message));
            return None;
        }
    };
    parse(&text).map_err(|complaints| complain(path, &complaints, out)).ok()
}

fn complain(path: &Path, complaints: &[Complaint], out: &mut String) {
    let shown = levelscope_console::text::printable(&path.to_string_lossy());
    for Complaint { line, message } in complaints {
        let _ = writeln!(out, "{shown}:{line}: {message}");
    }
}
