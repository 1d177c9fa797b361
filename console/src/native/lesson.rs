//! `levelscope lesson check FILE...` and `lesson outline FILE...`.

use super::arguments::Request;
use super::print;
use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::lesson::{Complaint, check, outline, parse};
use levelscope_console::{Console, Failure, Host};
use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Everything that is told about lessons.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<PathBuf>,
    /// Whether their outlines are told, too.
    pub(crate) outline: bool,
}

/// `levelscope lesson check|outline FILE...`.
pub(crate) fn arguments(words: Vec<OsString>) -> Result<Request, String> {
    let (mut what, mut files) = (None, Vec::new());
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Value(word) if what.is_none() => what = Some(word),
            Arg::Value(path) => files.push(PathBuf::from(path)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let outline = match what.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("check") => false,
        Some("outline") => true,
        _ => return Err("lesson takes check or outline, and files".into()),
    };
    if files.is_empty() {
        return Err("lesson takes the files of lessons, such as lessons/07-deleting.md".into());
    }
    Ok(Request::Lesson(Arguments { files, outline }))
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
    let (mut out, mut wrong) = (String::new(), Vec::new());
    for path in &arguments.files {
        if !one(path, arguments.outline, &mut out) {
            wrong.push(levelscope_console::text::word(path.to_string_lossy().as_bytes()));
        }
    }
    if !wrong.is_empty() {
        let _ = writeln!(out, "check again with: levelscope lesson check {}", wrong.join(" "));
    }
    match io::stdout().write_all(out.as_bytes()) {
        Ok(()) if wrong.is_empty() => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// One file; whether it is right.
fn one(path: &Path, tells_outline: bool, out: &mut String) -> bool {
    let shown = levelscope_console::text::printable(&path.to_string_lossy());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let why = levelscope::text::system(&error);
            let message = format!("{shown} cannot be read: {why}");
            print::complain(&Failure { kind: "io".into(), message, hint: None });
            return false;
        }
    };
    let complain = |out: &mut String, complaints: &[Complaint]| {
        for Complaint { line, message } in complaints {
            let _ = writeln!(out, "{shown}:{line}: {message}");
        }
    };
    let lesson = match parse(&text) {
        Ok(lesson) => lesson,
        Err(complaints) => {
            complain(out, &complaints);
            return false;
        }
    };
    let report = check(&lesson, &mut fresh);
    if tells_outline {
        out.push_str(&outline(&lesson, &report));
    }
    complain(out, &report.complaints);
    if report.complaints.is_empty() && !tells_outline {
        let claims = levelscope_console::text::counted(report.claims, "claim");
        let hold = if report.claims == 1 { "holds" } else { "hold" };
        let _ = writeln!(out, "{shown}: {claims} {hold}");
    }
    report.complaints.is_empty()
}
