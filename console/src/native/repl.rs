//! The terminal: line editing, history, completion, and Ctrl-C that stops the command only.

use super::print::Printer;
use levelscope_console::{Completion, unfinished};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::PathBuf;

const HISTORY_LINES: usize = 1000;

/// The receiver of typed lines.
pub(crate) trait Terminal {
    /// Ways to go on at `cursor` \[bytes\] in `line`.
    fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion>;

    /// The text before a line, without its last sign.
    fn prompt(&self) -> String;

    /// Whether the last command has ended it.
    fn has_ended(&self) -> bool;

    /// Runs a line and prints what came of it; whether all went well.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    fn enter(&mut self, line: &str, printer: &mut Printer) -> io::Result<bool>;
}

/// The helper of the line editor: completion and hints.
struct Assistant<'t, T> {
    terminal: &'t RefCell<T>,
    colours: bool,
}

impl<T: Terminal> Completer for Assistant<'_, T> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let found = self.terminal.borrow_mut().complete(line, at);
        let from = found.first().map_or(at, |completion| completion.from);
        let pair = |completion: Completion| Pair {
            display: completion.text.clone(),
            replacement: completion.text,
        };
        let mut pairs: Vec<Pair> = found.into_iter().map(pair).collect();
        if let [only] = pairs.as_mut_slice() {
            only.replacement.push(' ');
        }
        Ok((from, pairs))
    }
}

impl<T> Validator for Assistant<'_, T> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match unfinished(context.input()) {
            Some(_) => ValidationResult::Incomplete,
            None => ValidationResult::Valid(None),
        })
    }
}

impl<T> Hinter for Assistant<'_, T> {
    type Hint = String;
}

impl<T> Highlighter for Assistant<'_, T> {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colours {
            Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m"))
        } else {
            Cow::Borrowed(prompt)
        }
    }
}

impl<T: Terminal> Helper for Assistant<'_, T> {}

fn history_file() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
    (!home.is_empty()).then(|| PathBuf::from(home).join(".levelscope_history"))
}

fn editor<T: Terminal>(
    assistant: Assistant<'_, T>,
) -> rustyline::Result<Editor<Assistant<'_, T>, FileHistory>> {
    let config = Config::builder()
        .max_history_size(HISTORY_LINES)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(assistant));
    if let Some(path) = history_file() {
        // The first time there is none.
        let _ = editor.load_history(&path);
    }
    Ok(editor)
}

/// Reads and runs lines until the input ends. Commands that fail do not end it.
///
/// # Errors
/// The terminal or standard output failed.
pub(crate) fn run<T: Terminal>(terminal: &RefCell<T>, printer: &mut Printer) -> io::Result<()> {
    lines(terminal, printer).map_err(|error| match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    })
}

fn lines<T: Terminal>(terminal: &RefCell<T>, printer: &mut Printer) -> rustyline::Result<()> {
    let mut editor = editor(Assistant { terminal, colours: printer.has_colours() })?;
    loop {
        let prompt = format!("{}> ", terminal.borrow().prompt());
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(error),
        };
        if editor.add_history_entry(line.as_str())?
            && let Some(path) = history_file()
        {
            // A home directory that cannot be written to is no reason to refuse commands.
            let _ = editor.append_history(&path);
        }
        terminal.borrow_mut().enter(&line, printer)?;
        if terminal.borrow().has_ended() {
            return Ok(());
        }
    }
}
