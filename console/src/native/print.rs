//! Lines on standard output, with colours where they are wanted; failures on standard error.
#![expect(clippy::disallowed_types, reason = "a terminal shows progress by the clock")]

use levelscope::text::escape;
use levelscope_console::{Failure, OutputLine, Response, Style};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Progress is redrawn at most this often, and not at all for quick commands.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// Prints what commands give back.
pub(crate) struct Printer {
    json: bool,
    colours: bool,
    /// When progress was shown last; `None` when the output is no terminal.
    progress: Option<Instant>,
    progress_shown: bool,
}

impl Printer {
    /// A printer for the standard output as it is: a terminal, a file or a pipe.
    pub(crate) fn new(json: bool) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            json,
            colours: !plain && io::stdout().is_terminal(),
            progress: io::stderr().is_terminal().then(Instant::now),
            progress_shown: false,
        }
    }

    /// Whether every command becomes one JSON object.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether prompts may be coloured.
    pub(crate) fn has_colours(&self) -> bool {
        self.colours
    }

    /// Prints lines.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub(crate) fn lines(&mut self, lines: &[OutputLine]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.end_progress();
        let mut text = String::new();
        for line in lines {
            for span in &line.spans {
                match colour(&span.style).filter(|_| self.colours) {
                    Some(code) => {
                        let _ = write!(text, "\x1b[{code}m{}\x1b[0m", span.text);
                    }
                    None => text.push_str(&span.text),
                }
            }
            text.push('\n');
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Prints the end of a command: its last lines and its failure, or all of it as JSON.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub(crate) fn response(&mut self, command: &str, response: &Response) -> io::Result<()> {
        self.end_progress();
        if self.json {
            let lines: Vec<String> = response.lines.iter().map(OutputLine::to_text).collect();
            let object = serde_json::json!({
                "command": command,
                "result": readable(response.result()),
                "error": response.error,
                "lines": lines,
            });
            let mut out = io::stdout().lock();
            writeln!(out, "{object}")?;
            return out.flush();
        }
        self.lines(&response.lines)?;
        if let Some(failure) = &response.error {
            complain(failure);
        }
        Ok(())
    }

    /// Shows how far a long command is, on the terminal only.
    pub(crate) fn progress(&mut self, label: &str, done: u64, total: Option<u64>) {
        let Some(last) = self.progress else { return };
        if last.elapsed() < PROGRESS_EVERY {
            return;
        }
        let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
        let _ = write!(io::stderr(), "\r\x1b[K{label}: {done}{total} (Ctrl-C stops it)");
        let _ = io::stderr().flush();
        self.progress = Some(Instant::now());
        self.progress_shown = true;
    }

    /// Begins to measure the time of a command.
    pub(crate) fn begin(&mut self) {
        self.progress = self.progress.map(|_| Instant::now());
    }

    fn end_progress(&mut self) {
        if std::mem::take(&mut self.progress_shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `result` with the beginnings of keys as text. Inside the program they are strings of one character a byte,
/// which a page compares as bytes; a script wants the key itself: UTF-8 where it is UTF-8.
fn readable(result: Value) -> Value {
    match result {
        Value::Array(items) => Value::Array(items.into_iter().map(readable).collect()),
        Value::Object(fields) => {
            let parts = 2 + usize::from(fields.contains_key("rest"));
            let is_key = fields.len() == parts && fields.contains_key("bytes");
            let text = |(name, value): (String, Value)| match value {
                Value::String(head) if is_key && name == "head" => (name, text_of(&head).into()),
                value => (name, readable(value)),
            };
            Value::Object(fields.into_iter().map(text).collect())
        }
        plain => plain,
    }
}

/// The bytes that `head` has as characters, escaped as everywhere.
fn text_of(head: &str) -> String {
    let bytes: Result<Vec<u8>, _> = head.chars().map(u8::try_from).collect();
    bytes.map_or_else(|_| head.to_owned(), |bytes| escape(&bytes))
}

/// Prints a failure on standard error.
pub(crate) fn complain(failure: &Failure) {
    let mut text = format!("error: {}\n", failure.message);
    if let Some(hint) = &failure.hint {
        let _ = writeln!(text, "hint: {hint}");
    }
    // Where standard error is closed, the exit code still shows it.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The exit code of a run, by whether it went well; `failed`: what comes before the reason when input or output failed,
/// which is said only where that is given.
pub(crate) fn exit_code(outcome: io::Result<bool>, failed: Option<&str>) -> ExitCode {
    let good = match outcome {
        Ok(good) => good,
        // The reader of the output has closed the pipe: that is no failure of a command.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => true,
        Err(error) => {
            if let Some(failed) = failed {
                let message = format!("{failed}{}", levelscope::text::system(&error));
                complain(&Failure::new("io", message));
            }
            false
        }
    };
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn colour(style: &Style) -> Option<&'static str> {
    match style {
        Style::Plain => None,
        Style::Dim => Some("2"),
        Style::Strong => Some("1"),
        Style::Key => Some("36"),
        Style::Value => Some("33"),
        Style::Number => Some("35"),
        Style::Good => Some("32"),
        Style::Bad => Some("1;31"),
        Style::Link(_) => Some("34"),
    }
}
