//! Requests of the tutor to a lesson that is played.

use super::expected::commands;
use super::probe::Probe;
use super::standing::Standing;
use super::{Origin, Player, Resume};
use crate::console::{CANCELLED, Console};
use crate::lesson::run::acts::Act;
use crate::output::{Failure, Response};
use crate::result::LessonWaits;
use crate::session::LessonRequest;
use levelscope::Options;

/// The state of a lesson.
pub(in crate::lesson) enum Led {
    /// There is more to do: call again.
    More,
    /// An empty database with these options is needed, then call again.
    Fresh(Box<Options>),
    /// This line is to be typed.
    Type(String),
    /// It waits for the learner.
    Rests,
}

impl Player {
    /// Goes on, with at most about `units` operations of a command in `console`.
    pub(in crate::lesson) fn advance(&mut self, console: &mut Console, units: u32) -> Led {
        if let Some(options) = self.fresh.take() {
            return Led::Fresh(options);
        }
        if self.runner.is_at_work() {
            return self.run(console, units);
        }
        if let Some(goal) = self.goal {
            if self.at < goal {
                return self.replay(console, units);
            }
            self.goal = None;
            self.runner.take_complaints();
            match std::mem::replace(&mut self.resumes, Resume::AsLast) {
                Resume::With(pause) => self.pause = pause,
                Resume::AsLast => self.pause_after(),
            }
        }
        if let Some(response) = self.typed.take() {
            if let Some(moment) = self.runner.has_typed(response, console) {
                self.expected = None;
                self.happened(moment, console);
            }
            return Led::More;
        }
        if let Some(probe) = self.probe.take() {
            return self.probe(probe, console, units);
        }
        let waits = match self.runner.next_act().cloned() {
            _ if self.has_recapped() => Some(LessonWaits::Over {}),
            Some(act) => self.pause(&act),
            None => Some(self.pause.clone().unwrap_or(LessonWaits::Over {})),
        };
        let Some(waits) = waits else { return self.run(console, units) };
        if std::mem::take(&mut self.acted) {
            self.stands = Some(Standing::of(console));
        }
        self.waits = waits;
        match &self.waits {
            LessonWaits::Typed { line } if std::mem::take(&mut self.types) => {
                Led::Type(line.clone())
            }
            _ => Led::Rests,
        }
    }

    /// Takes what a line asked; [`Player::advance`] does it.
    ///
    /// # Errors
    /// Why the lesson cannot do that now.
    pub(in crate::lesson) fn ask(
        &mut self,
        request: &LessonRequest,
        console: &Console,
    ) -> Result<(), Failure> {
        match request {
            LessonRequest::Next { skips } => self.next(*skips, self.has_strayed(console)),
            LessonRequest::Answer(given) => self.answer(given.as_deref()),
            LessonRequest::Hint => self.hint(),
            LessonRequest::Back => {
                let pause = self.pause.clone();
                let is_task = matches!(pause, Some(LessonWaits::Done { .. }));
                self.restart(self.at);
                self.resumes = if is_task { Resume::AsLast } else { Resume::With(pause) };
                Ok(())
            }
            LessonRequest::List
            | LessonRequest::Start { .. }
            | LessonRequest::Read { .. }
            | LessonRequest::Recap { .. }
            | LessonRequest::Shared { .. }
            | LessonRequest::Leave => Ok(()),
        }
    }

    /// Takes a line that was typed, and what came of it.
    pub(in crate::lesson) fn has_typed(
        &mut self,
        line: &str,
        response: &Response,
        console: &Console,
    ) {
        if let LessonWaits::Done { .. } = self.waits {
            if let Some(Act::Try(item)) = self.last_act().cloned() {
                let count = commands(line).map_or(1, |commands| commands.len());
                self.tried.or_default(item).commands += count;
                self.runner.has_tried(response.clone());
                self.probe = Some(Probe::of(item));
            }
            return;
        }
        let (LessonWaits::Typed { .. }, Some(expected)) = (&self.waits, &mut self.expected) else {
            return;
        };
        let cancelled = response.error.as_ref().is_some_and(|error| error.kind == CANCELLED);
        if !cancelled && expected.takes(line, response.error.is_some()) {
            if expected.is_done() {
                self.typed = Some(response.clone());
            }
            self.stands = Some(Standing::of(console));
        }
    }

    /// `console` has moved by itself, which changes nothing for the lesson.
    pub(in crate::lesson) fn forgive(&mut self, console: &Console) {
        if self.stands.as_ref().is_some_and(|stands| stands.is_on(console.branch())) {
            self.stands = Some(Standing::of(console));
        }
    }

    /// Does no more without the learner than the line at work.
    pub(in crate::lesson) fn stop(&mut self) {
        if self.goal.is_some() {
            self.goal = Some(self.at);
            self.resumes = Resume::AsLast;
        }
    }

    /// Goes to this act of its own, as if all before had been done.
    pub(in crate::lesson) fn go_to(&mut self, at: usize) {
        let mut at = at.min(self.acts.len());
        // Not into the middle of a solution.
        while let (Some(last), Some(Act::Solve(..) | Act::Solved(_))) =
            (at.checked_sub(1), self.acts.get(at))
            && !matches!(self.acts.get(last), Some(Act::Try(_)))
        {
            at = last;
        }
        self.scene = match self.acts.get(at) {
            // The first scene may have nothing before it.
            Some(act) => self.scene_of(act.item()),
            None => self.lesson.scenes.len(),
        };
        self.wrong.clear();
        self.restart(at);
    }

    /// Whether commands of the learner's own have changed the database.
    pub(in crate::lesson) fn has_strayed(&self, console: &Console) -> bool {
        let is_free = matches!(self.waits, LessonWaits::Done { .. } | LessonWaits::Over {});
        !is_free && self.has_left(console)
    }

    /// Its id; empty: it is no whole lesson.
    pub(in crate::lesson) fn id(&self) -> &str {
        match self.origin {
            Origin::Lesson | Origin::Read => &self.lesson.head.id,
            Origin::Script | Origin::Recap(_) => "",
        }
    }
}
