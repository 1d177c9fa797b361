//! A lesson run from its beginning to its end, to find what does not agree with the engine.

use super::run::Happened;
use super::{Advance, Complaint, Item, Lesson, Runner, What};
use crate::console::Console;
use crate::output::Failure;
use crate::prose::plain;
use crate::text;
use levelscope::Options;
use levelscope::internals::sorting;
use std::fmt::Write as _;

/// Units of work between two looks.
const SLICE: u32 = 256;

/// Result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The complaints; empty: all claims hold.
    pub complaints: Vec<Complaint>,
    /// Claims that were tested, answers among them.
    pub claims: u64,
    /// The questions by name, each with the engine's answer.
    pub answers: Vec<(String, String)>,
    /// The tasks by name.
    pub tasks: Vec<String>,
}

/// Runs all of `lesson`; `fresh` makes a console around an empty database with the options that it is given.
pub fn check(
    lesson: &Lesson,
    fresh: &mut dyn FnMut(Options) -> Result<Console, Failure>,
) -> Report {
    let mut report = Report::default();
    let mut runner = Runner::new(lesson);
    let ended = |report: Report, message: String| {
        let mut complaints = report.complaints;
        complaints.push(Complaint { line: 1, message });
        Report { complaints, ..report }
    };
    let items: Vec<&Item> = lesson.items().collect();
    let mut console = match fresh(lesson.options()) {
        Ok(console) => console,
        Err(failure) => return ended(report, failure.message),
    };
    loop {
        match runner.advance(&mut console, SLICE) {
            Advance::More => {}
            Advance::Fresh(options) => match fresh(*options) {
                Ok(made) => console = made,
                Err(failure) => return ended(report, failure.message),
            },
            Advance::Blocked(file) => {
                return ended(report, format!("{file} cannot be opened here"));
            }
            Advance::Moment(moment) => {
                match (items.get(moment.item).map(|item| &item.what), moment.what) {
                    (Some(What::Ask(ask)), Happened::Answered { words, .. }) => {
                        report.answers.push((ask.name.clone(), words));
                    }
                    (Some(What::Try(task)), Happened::Solved) => {
                        report.tasks.push(task.name.clone());
                    }
                    _ => {}
                }
            }
            Advance::Over => break,
        }
    }
    report.claims = runner.claims();
    report.complaints = runner.take_complaints();
    sorting::sort_by_key(&mut report.complaints, |complaint| complaint.line);
    report
}

/// The outline of a lesson for its teacher: goal, minutes, and the questions with the engine's answers.
pub fn outline(lesson: &Lesson, report: &Report) -> String {
    let head = &lesson.head;
    let minutes = text::counted(head.minutes, "minute");
    let mut out = format!("{} ({}, {minutes}, level {})\n", head.title, head.id, head.level);
    let _ = writeln!(out, "  {}", head.goal);
    if !head.needs.is_empty() {
        let _ = writeln!(out, "  comes after: {}", head.needs.join(", "));
    }
    for scene in &lesson.scenes {
        let _ = writeln!(out, "  {}", plain(&scene.title));
        for item in &scene.items {
            match &item.what {
                What::Ask(ask) => {
                    let answer = report.answers.iter().find(|(name, _)| *name == ask.name);
                    let answer = answer.map_or("no answer", |(_, answer)| answer.as_str());
                    let _ = writeln!(out, "    {}: {}", ask.name, plain(&ask.text));
                    let _ = writeln!(out, "      = {answer}");
                }
                What::Try(task) => {
                    let _ = writeln!(out, "    {} (a task): {}", task.name, plain(&task.text));
                }
                _ => {}
            }
        }
    }
    out
}
