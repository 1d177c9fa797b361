//! The console of a replica.

use super::Console;
use super::running::Running;
use crate::history::{Step, Stopped};
use crate::host::Host;
use crate::output::{Completion, Progress};
use crate::session::{Interpreter, Session, Stepping, Task};
use levelscope::{Budget, Options, Result, StepOutcome};
use std::sync::Arc;

/// A line at work that waits while a question is answered, and its unit of background work.
#[derive(Default)]
pub(super) struct Waiting {
    running: Option<Running>,
    stepping: Stepping,
}

/// The interpreter of a replica on `host`.
pub(super) fn interpreter(host: Arc<dyn Host>, step: Step) -> Box<dyn Interpreter> {
    Box::new(Console::around(Session::silent(host, step, interpreter)))
}

impl Interpreter for Console {
    fn open(&mut self, options: Options) -> Result<()> {
        self.session.open(options)
    }

    fn close(&mut self) -> Result<()> {
        self.close()
    }

    fn start(&mut self, line: &str) {
        self.start_quietly(line);
    }

    fn stop_where(&mut self, stopped: Stopped) {
        let here = self.position();
        if here.units < stopped.units {
            return;
        }
        if here.calls < stopped.calls {
            self.session.stepping.leave_after(stopped.calls);
        } else {
            self.cancel();
        }
    }

    fn position(&self) -> Stopped {
        let running = self.running.as_ref();
        running.map_or_else(Stopped::default, |running| running.position(&self.session))
    }

    fn advance(&mut self, units: u32) -> Progress {
        self.advance(units)
    }

    fn cancel(&mut self) {
        self.cancel();
    }

    fn step(&mut self, budget: Budget) -> Result<StepOutcome> {
        self.step(budget)
    }

    fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion> {
        self.complete(line, cursor)
    }

    fn ask(&mut self, task: Box<dyn Task>) {
        let stepping = std::mem::take(&mut self.session.stepping);
        self.waiting = Waiting { running: self.running.take(), stepping };
        self.session.lines.clear();
        self.session.ended = false;
        self.running = Some(Running::of("", task, true));
    }

    fn answered(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.running = waiting.running;
        self.session.stepping = waiting.stepping;
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    fn into_session(self: Box<Self>) -> Session {
        self.session
    }
}
