//! The terminal: line editing, history, completion, and Ctrl-C that stops the command only.

use super::Interrupt;
use super::print::{Printer, complain};
use super::script;
use levelscope_console::lesson::Tutor;
use levelscope_console::{Failure, unfinished};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

const HISTORY_LINES: usize = 1000;

/// The helper of the line editor: completion and hints.
struct Assistant {
    tutor: Rc<RefCell<Tutor>>,
    colours: bool,
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let found = self.tutor.borrow_mut().complete(line, at);
        let from = found.first().map_or(at, |completion| completion.from);
        let pair = |completion: levelscope_console::Completion| Pair {
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

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match unfinished(context.input()) {
            Some(_) => ValidationResult::Incomplete,
            None => ValidationResult::Valid(None),
        })
    }
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colours {
            Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m"))
        } else {
            Cow::Borrowed(prompt)
        }
    }
}

impl Helper for Assistant {}

fn history_file() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
    (!home.is_empty()).then(|| PathBuf::from(home).join(".levelscope_history"))
}

fn editor(assistant: Assistant) -> rustyline::Result<Editor<Assistant, FileHistory>> {
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

/// Reads and runs lines until the input ends. Commands that fail do not end the session.
pub(crate) fn run(tutor: Tutor, printer: &mut Printer, interrupt: &Interrupt) -> ExitCode {
    let tutor = Rc::new(RefCell::new(tutor));
    let assistant = Assistant { tutor: Rc::clone(&tutor), colours: printer.has_colours() };
    let outcome =
        editor(assistant).and_then(|mut editor| session(&mut editor, &tutor, printer, interrupt));
    let closed = tutor.borrow_mut().close();
    let failure = match (outcome, closed) {
        (Ok(()), Ok(())) => return ExitCode::SUCCESS,
        (Ok(()), Err(error)) => error.into(),
        (Err(error), _) => {
            let message = format!("the terminal failed: {error}");
            Failure { kind: "io".into(), message, hint: None }
        }
    };
    complain(&failure);
    ExitCode::FAILURE
}

fn prompt(tutor: &Tutor) -> String {
    let console = tutor.console();
    if let Some(lesson) = tutor.lesson() {
        return format!("{}> ", lesson.head.id);
    }
    match (console.looks_at(), console.current_transaction()) {
        (Some(step), _) => format!("levelscope, at step {step}> "),
        (None, None) => "levelscope> ".to_owned(),
        (None, Some(number)) => format!("levelscope, in transaction {number}> "),
    }
}

fn session(
    editor: &mut Editor<Assistant, FileHistory>,
    tutor: &Rc<RefCell<Tutor>>,
    printer: &mut Printer,
    interrupt: &Interrupt,
) -> rustyline::Result<()> {
    if !printer.is_json() {
        let hello = "help lists the commands; Tab completes; Ctrl-D ends.";
        printer.lines(&[levelscope_console::OutputLine::note(hello)])?;
        if tutor.borrow().console().is_absent() {
            let absent = "There is no database here yet: the first command that changes something, such as put, makes one.";
            printer.lines(&[levelscope_console::OutputLine::note(absent)])?;
        }
        let reader = tutor.borrow().console().db().filter(|db| db.is_read_only()).cloned();
        if let Some(reader) = reader {
            let only = format!(
                "Opened for reading only: nothing in the directory is changed. Shown is the state up to sequence \
                 number {}; `refresh` shows a newer one, `refresh --lag` tells how old this one is.",
                levelscope_console::text::count(reader.view().last_sequence)
            );
            printer.lines(&[levelscope_console::OutputLine::note(only)])?;
        }
    }
    loop {
        let prompt = prompt(&tutor.borrow());
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
        script::run(&mut tutor.borrow_mut(), &line, printer, interrupt)?;
        if tutor.borrow().console().has_ended() {
            return Ok(());
        }
    }
}
