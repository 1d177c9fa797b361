//! Whether a task is done: its conditions, asked after each command.

use super::Player;
use crate::console::Console;
use crate::lesson::What;
use crate::lesson::lead::Led;
use crate::lesson::run::Outcome;
use crate::lesson::run::acts::Act;
use crate::output::Progress;
use crate::result::LessonOutcome;

/// The conditions of a task, asked one after the other.
pub(super) struct Probe {
    item: usize,
    /// The conditions that were asked.
    asked: usize,
    held: usize,
    begun: bool,
}

impl Probe {
    /// None of the conditions of the task `item` is asked yet.
    pub(super) fn of(item: usize) -> Self {
        Self { item, asked: 0, held: 0, begun: false }
    }
}

impl Player {
    /// Asks one of the conditions of a task.
    pub(super) fn probe(&mut self, mut probe: Probe, console: &mut Console, units: u32) -> Led {
        let Some(What::Try(task)) = self.what(probe.item) else { return Led::More };
        let (conditions, most) = (task.done.len(), task.commands);
        if let Some(claim) = task.done.get(probe.asked) {
            if !probe.begun {
                console.start_condition(claim.condition.clone(), None);
                probe.begun = true;
            }
            match console.advance(units) {
                Progress::Absent(_) => {
                    self.probe = Some(probe);
                    return Led::Absent;
                }
                Progress::Done(response) => {
                    let (holds, ..) = Outcome::of(response).verdict();
                    probe.held += usize::from(holds);
                    (probe.asked, probe.begun) = (probe.asked + 1, false);
                }
                _ => {}
            }
            self.probe = Some(probe);
            return Led::More;
        }
        let tried = self.tried.entry(probe.item).or_default();
        tried.held = probe.held;
        if probe.held == conditions && most.is_none_or(|most| tried.commands <= most) {
            tried.outcome = Some(LessonOutcome::Done);
            (self.own_way, self.acted) = (true, true);
            self.end_task(probe.item);
        }
        Led::More
    }

    /// The acts of a task are over.
    fn end_task(&mut self, item: usize) {
        while let Some(Act::Solve(of, _) | Act::Solved(of)) = self.runner.next_act()
            && *of == item
        {
            self.runner.skip(1);
            self.at += 1;
        }
        self.pause_after();
    }
}
