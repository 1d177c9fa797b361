//! `levelscope lesson tally SHEET...`: counts the answers of learners.

use super::print;
use levelscope_console::Failure;
use levelscope_console::text::{counted, printable};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The version of the form of a sheet.
const FORM: u64 = 1;
/// The longest sheet \[bytes\]: all that a page keeps of all lessons has a fraction of it.
const SHEET_MAX: usize = 1 << 20;
/// The longest answer that is shown \[characters\].
const SHOWN_MAX: usize = 100;

/// The answers to one question of one text of a lesson.
#[derive(Default)]
struct Question {
    right: u64,
    /// How often "I do not know" was answered.
    unknown: u64,
    /// How often each wrong answer was given, by its words.
    others: BTreeMap<String, u64>,
    /// The engine's answer.
    engine: String,
}

impl Question {
    fn wrong(&self) -> u64 {
        self.others.values().sum()
    }
}

/// By lesson, question and text of the lesson.
type Questions = BTreeMap<(String, String, u64), Question>;

/// Prints the counts; exit code 1 where a sheet could not be read.
pub(super) fn run(files: &[PathBuf]) -> ExitCode {
    let mut questions = Questions::new();
    let mut sheets = 0_u64;
    for path in files {
        match sheet(path) {
            Ok(answers) => {
                sheets += 1;
                for answer in answers {
                    count(&mut questions, answer);
                }
            }
            Err(why) => {
                let shown = printable(&path.to_string_lossy());
                let message = format!("{shown} is left out: {why}");
                print::complain(&Failure::new("format", message));
            }
        }
    }
    let summary = summary(sheets, &questions);
    let written = io::stdout().write_all(summary.as_bytes());
    print::exit_code(written.map(|()| sheets == files.len() as u64), None)
}

/// One answer of a sheet.
struct Answer {
    lesson: String,
    question: String,
    text: u64,
    words: String,
    engine: String,
    right: Option<bool>,
}

/// The answers of a sheet, or why there are none.
fn sheet(path: &Path) -> Result<Vec<Answer>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| levelscope::text::system(&error))?;
    if text.len() > SHEET_MAX {
        return Err("it is too long for an answer sheet".into());
    }
    let sheet: Value = serde_json::from_str(&text)
        .map_err(|error| format!("it is no JSON (line {})", error.line()))?;
    match sheet.get("answerSheet").and_then(Value::as_u64) {
        Some(FORM) => {}
        Some(other) => return Err(format!("its form is {other}, and this program reads {FORM}")),
        None => return Err("it is no answer sheet".into()),
    }
    let answers = sheet.get("answers").and_then(Value::as_array);
    let answers = answers.ok_or("it has no answers")?.iter().enumerate();
    let each = |(at, answer)| {
        self::answer(answer).ok_or_else(|| format!("its answer {} is damaged", at + 1))
    };
    answers.map(each).collect()
}

fn answer(value: &Value) -> Option<Answer> {
    let text = |name| value.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let given = text("given")?;
    let words = text("said").unwrap_or(given);
    let right = match value.get("right")? {
        Value::Null => None,
        Value::Bool(right) => Some(*right),
        _ => return None,
    };
    Some(Answer {
        lesson: text("lesson")?,
        question: text("question")?,
        text: value.get("text")?.as_u64()?,
        words,
        engine: text("engine")?,
        right,
    })
}

fn count(questions: &mut Questions, answer: Answer) {
    let question = questions.entry((answer.lesson, answer.question, answer.text)).or_default();
    match answer.right {
        Some(true) => question.right += 1,
        Some(false) => *question.others.entry(answer.words).or_default() += 1,
        None => question.unknown += 1,
    }
    question.engine = answer.engine;
}

/// The counts in words, the question with most wrong answers first.
fn summary(sheets: u64, questions: &Questions) -> String {
    let mut out = format!("{}\n", counted(sheets, "sheet"));
    let mut all: Vec<_> = questions.iter().collect();
    all.sort_by_key(|(_, question)| std::cmp::Reverse(question.wrong()));
    for ((lesson, name, text), question) in all {
        let total = question.right + question.wrong() + question.unknown;
        let others =
            questions.keys().any(|(of, at, other)| of == lesson && at == name && other != text);
        let version = if others { format!(" (text {text:08x})") } else { String::new() };
        let _ = writeln!(
            out,
            "{}, {}{version}: {}, {} right; it is: {}",
            shown(lesson),
            shown(name),
            counted(total, "answer"),
            question.right,
            shown(&question.engine)
        );
        let mut wrong: Vec<_> = question.others.iter().collect();
        wrong.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (words, count) in wrong {
            let _ = writeln!(out, "{count:>5} × {}", shown(words));
        }
        if question.unknown > 0 {
            let _ = writeln!(out, "{:>5} × (I do not know)", question.unknown);
        }
    }
    out
}

/// Text of a sheet, which may hold anything.
fn shown(text: &str) -> String {
    printable(&text.chars().take(SHOWN_MAX).collect::<String>())
}
