//! `merge`: the positions of the inputs of a merge, as text.

use super::GROUP;
use crate::commands::Command;
use crate::history::Step;
use crate::language::{Args, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::MergeResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use crate::time::WindowTask;
use levelscope::ValueKind;
use levelscope::event::{Event, EventKind, MergeHead};

/// Steps that are looked through for the last entry of a merge.
const LOOK_MAX: Step = 64;
/// Entries listed.
const ENTRIES_MAX: usize = 8;

pub(in crate::commands) const VERBS: &[Command] = &[Verb {
    name: "merge",
    group: GROUP,
    usage: "merge [STEP]",
    purpose: "Shows the positions of a merge's inputs, and the verdicts on its latest entries.",
    example: "fill 60 --words --seed 7; step 40; merge",
    ..Verb::SESSION
}
.starts(start)];

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "a step")?;
    let step = args.step_at(0)?;
    Ok(Box::new(Merge { step, window: None }))
}

struct Merge {
    step: Option<Step>,
    window: Option<WindowTask>,
}

impl Merge {
    fn begin(&mut self, session: &Session) -> WindowTask {
        let step = self.step.or(session.time.moment()).unwrap_or_else(|| session.tape.step());
        self.step = Some(step);
        WindowTask::new(None, step.saturating_sub(LOOK_MAX), step, true)
    }

    fn print(&self, session: &mut Session) -> Turn {
        let events = session.time.window.take().map(|window| window.events).unwrap_or_default();
        // A window may begin earlier than it was asked to.
        let first = self.step.unwrap_or_default().saturating_sub(LOOK_MAX);
        let mut entries: Vec<&(Step, Event)> =
            events.iter().filter(|(step, event)| *step >= first && is_entry(event)).collect();
        let last = entries.last().map(|(step, _)| *step);
        let job = entries.last().and_then(|(_, event)| event.job);
        entries.retain(|(_, event)| event.job == job);
        let skipped = entries.len().saturating_sub(ENTRIES_MAX);
        let Some((_, Event { kind: EventKind::MergeEntry { heads, .. }, .. })) = entries.last()
        else {
            let step = text::count(self.step.unwrap_or_default());
            let none = format!("No entry was merged in the {LOOK_MAX} steps up to step {step}.");
            session.print(OutputLine::text(none));
            let (heads, sentences) = (Vec::new(), Vec::new());
            return Turn::Done(Answer::other(MergeResult { step: 0, heads, sentences }));
        };
        let line = OutputLine::text("After step ").number(text::count(last.unwrap_or_default()));
        session.print(line.plain(", newest entries last:"));
        session.lines.extend(
            entries
                .iter()
                .skip(skipped)
                .map(|(_, event)| OutputLine::text("  ").plain(text::printable(&event.sentence()))),
        );
        session.print(OutputLine::text("The inputs stood on:"));
        session.lines.extend(heads.iter().map(head_line));
        let sentences = entries.iter().skip(skipped).map(|(_, event)| event.sentence()).collect();
        let step = last.unwrap_or_default();
        Turn::Done(Answer::other(MergeResult { step, heads: heads.clone(), sentences }))
    }
}

fn is_entry(event: &Event) -> bool {
    matches!(event.kind, EventKind::MergeEntry { .. })
}

fn head_line(head: &MergeHead) -> OutputLine {
    let line = OutputLine::text(if head.first { "* " } else { "  " });
    let line = line.plain(format!("table {}", head.table)).pad_to(12);
    let line =
        line.key(&head.key.head).pad_to(44).plain("sequence ").number(text::count(head.sequence));
    let line = match head.entry {
        ValueKind::Delete | ValueKind::RangeDelete => line.plain("  tombstone"),
        ValueKind::Put => line,
    };
    if head.first { line.dim("  comes first") } else { line }
}

impl Task for Merge {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut window = self.window.take().unwrap_or_else(|| self.begin(session));
        match window.step(session)? {
            Turn::Done(_) => Ok(self.print(session)),
            turn => {
                self.window = Some(window);
                Ok(turn)
            }
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.window.as_ref().map_or((0, None), Task::position)
    }
}
