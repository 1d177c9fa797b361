//! Renders a lesson as terminal lines.

use crate::output::{OutputLine, Style};
use crate::prose::Inline;
use crate::result::{
    LessonHead, LessonItem, LessonOutcome, LessonPart, LessonQuestion, LessonState, LessonTask,
    LessonWaits,
};
use crate::text::{self, printable};
use levelscope::internals::Few;

/// The part of a lesson that is printed already.
#[derive(Default)]
pub(super) struct PrintedLesson {
    scene: Option<usize>,
    /// The lines of each item of the scene.
    items: Few<usize, Vec<OutputLine>>,
}

/// The lessons that there are.
pub(super) fn list(heads: &[LessonHead]) -> Vec<OutputLine> {
    let row = |head: &LessonHead| {
        let line = OutputLine::new().strong(&head.id).pad_to(12).plain(&head.title);
        line.pad_to(42).dim(text::counted(head.minutes, "minute"))
    };
    let last = OutputLine::note("`lesson start ID` plays one, in a database of its own.");
    heads.iter().map(row).chain([last]).collect()
}

impl PrintedLesson {
    /// The news in `state`.
    pub(super) fn of(&mut self, state: &LessonState) -> Vec<OutputLine> {
        let mut lines = Vec::new();
        if self.scene != Some(state.scene) {
            if self.scene.is_none() {
                lines.extend(beginning(&state.head));
            }
            (self.scene, self.items) = (Some(state.scene), Few::new());
            let title = state.scenes.get(state.scene).filter(|scene| !scene.title.is_empty());
            if let Some(scene) = title {
                lines.push(OutputLine::new());
                lines.push(OutputLine::new().strong("## ").strong(words(&scene.title)));
            }
        }
        for LessonItem { number, what } in &state.items {
            let now = item(what);
            let before = self.items.insert(*number, now.clone()).unwrap_or_default();
            let known = before.iter().zip(&now).take_while(|(old, new)| old == new).count();
            if known == 0 && !now.is_empty() {
                lines.push(OutputLine::new());
            }
            lines.extend(now.into_iter().skip(known));
        }
        lines.push(OutputLine::new());
        lines.push(waits(state));
        lines
    }
}

fn beginning(head: &LessonHead) -> Vec<OutputLine> {
    let minutes = text::counted(head.minutes, "minute");
    vec![
        OutputLine::new().strong(printable(&head.title)).dim(format!("  ({minutes})")),
        OutputLine::note(printable(&head.goal)),
    ]
}

fn waits(state: &LessonState) -> OutputLine {
    let note = |text: &str| OutputLine::note(text);
    if state.strayed {
        return note("You have left the lesson's path: `lesson back` drops what you did.");
    }
    match &state.waits {
        LessonWaits::Read { .. } => note("`next` goes on."),
        LessonWaits::Typed { line } => {
            OutputLine::new().dim("`next` types: ").plain(printable(line))
        }
        LessonWaits::Answered { .. } => note("`answer 1` answers; `answer ?`: you do not know."),
        LessonWaits::Done { .. } => note(
            "Type commands. `hint` helps, `lesson back` begins the task again, `next --skip` lets the lesson do it.",
        ),
        LessonWaits::Over {} => note("The lesson is over. `leave` goes back to your own database."),
    }
}

fn item(part: &LessonPart) -> Vec<OutputLine> {
    match part {
        LessonPart::Paragraph { prose } => vec![line(OutputLine::new(), prose)],
        LessonPart::List { ordered, items } => {
            let bullet = |at: usize| if *ordered { format!("{}. ", at + 1) } else { "- ".into() };
            let items = items.iter().enumerate();
            items.map(|(at, prose)| line(OutputLine::text(bullet(at)), prose)).collect()
        }
        LessonPart::Note { .. } | LessonPart::Show { .. } => Vec::new(),
        LessonPart::Run { wrong, .. } | LessonPart::Check { wrong, .. } => {
            wrong.iter().map(|wrong| disagreement(wrong)).collect()
        }
        LessonPart::Ask(question) => asked(question),
        LessonPart::Try(task) => tried(task),
        LessonPart::Start {} => vec![OutputLine::note("(An empty database for what follows.)")],
    }
}

fn disagreement(wrong: &str) -> OutputLine {
    OutputLine::new().with(Style::Bad, "differs from the lesson: ").plain(printable(wrong))
}

fn asked(question: &LessonQuestion) -> Vec<OutputLine> {
    let mut lines = vec![line(OutputLine::new().strong("Question: "), &question.text)];
    for (at, choice) in question.choices.iter().enumerate() {
        lines.push(line(OutputLine::text(format!("  {}  ", at + 1)), choice));
    }
    let Some(revealed) = &question.revealed else { return lines };
    let verdict = match revealed.right {
        Some(true) => OutputLine::new().with(Style::Good, "right: "),
        Some(false) => OutputLine::new().with(Style::Bad, "it is: "),
        None => OutputLine::new().strong("it is: "),
    };
    lines.push(verdict.plain(printable(&revealed.words)));
    lines.extend(revealed.because.iter().map(|because| line(OutputLine::new(), because)));
    lines
}

fn tried(task: &LessonTask) -> Vec<OutputLine> {
    let mut lines = vec![line(OutputLine::new().strong("Task: "), &task.text)];
    lines.extend(task.hints.iter().map(|hint| line(OutputLine::new().dim("hint: "), hint)));
    if task.outcome.is_none() && !task.solution.is_empty() {
        lines.push(OutputLine::note("solution:"));
        let solution = task.solution.iter();
        lines.extend(solution.map(|line| OutputLine::text(format!("  {}", printable(line)))));
    }
    match task.outcome {
        Some(LessonOutcome::Done) => lines.push(OutputLine::new().with(Style::Good, "done")),
        Some(LessonOutcome::Shown) => lines.push(OutputLine::note("The lesson has done it.")),
        None if task.missing.is_empty() => {}
        None => {
            lines.push(OutputLine::new().strong("Not done yet."));
            lines.extend(task.missing.iter().map(|missing| line(OutputLine::text("  "), missing)));
        }
    }
    if task.starts_over && task.outcome.is_none() {
        let offer =
            "Want a fresh start? `lesson back` resets the database to the beginning of this task.";
        lines.push(OutputLine::note(offer));
    }
    lines
}

fn words(prose: &[Inline]) -> String {
    printable(&crate::prose::plain(prose))
}

/// `prose` after `begun`, with its marks as styles.
fn line(begun: OutputLine, prose: &[Inline]) -> OutputLine {
    prose.iter().fold(begun, |line, inline| {
        let text = printable(inline.text());
        match inline {
            Inline::Text { .. } | Inline::Emphasis { .. } => line.plain(text),
            Inline::Code { .. } => line.with(Style::Value, text),
            Inline::Strong { .. } => line.strong(text),
            Inline::Link { target, .. } if target.starts_with("https://") => {
                line.plain(text).dim(format!(" ({})", printable(target)))
            }
            Inline::Link { target, .. } => line.link(printable(target), text),
        }
    })
}
