//! Whether a task is done: its goals, tested after each command.

use super::{Led, Player};
use crate::console::Console;
use crate::lesson::run::Outcome;
use crate::lesson::run::acts::Act;
use crate::lesson::{RunClaimKind, What};
use crate::output::Progress;
use crate::result::LessonOutcome;

/// The goals of a task, tested one after the other.
pub(super) struct Probe {
    item: usize,
    /// Goals that were tested.
    tested: usize,
    missing: Vec<usize>,
    begun: bool,
}

impl Probe {
    /// None of the goals of the task `item` is tested yet.
    pub(super) fn of(item: usize) -> Self {
        Self { item, tested: 0, missing: Vec::new(), begun: false }
    }

    fn settle(&mut self, holds: bool) {
        if !holds {
            self.missing.push(self.tested);
        }
        (self.tested, self.begun) = (self.tested + 1, false);
    }
}

impl Player {
    /// Tests one of the goals of a task.
    pub(super) fn probe(&mut self, mut probe: Probe, console: &mut Console, units: u32) -> Led {
        let Some(What::Try(task)) = self.what(probe.item) else { return Led::More };
        let Some(goal) = task.done.get(probe.tested) else {
            let is_done = probe.missing.is_empty();
            let tried = self.tried.or_default(probe.item);
            tried.missing = probe.missing;
            if is_done {
                tried.outcome = Some(LessonOutcome::Done);
                (self.own_way, self.acted) = (true, true);
                self.end_task(probe.item);
            }
            return Led::More;
        };
        let RunClaimKind::Database(condition) = &goal.claim.what else {
            probe.settle(self.runner.last_is_wrong(&goal.claim.what).is_none());
            self.probe = Some(probe);
            return Led::More;
        };
        if !probe.begun {
            console.start_condition(condition.clone(), self.runner.before(goal.claim.line));
            probe.begun = true;
        }
        if let Progress::Done(response) = console.advance(units) {
            probe.settle(Outcome::of(response).verdict().0);
        }
        self.probe = Some(probe);
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
