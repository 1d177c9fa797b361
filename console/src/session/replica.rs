//! A replica: a real engine in memory that repeats the inputs of a journal, up to some step.

use super::{Interpreter, Session, Task};
use crate::experiments::{Running, Settings};
use crate::history::{Entry, Image, Input, Journal, Step, astray};
use crate::host::Foreign;
use crate::host::Host;
use crate::output::{Failure, Progress};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Budget, OpenPolicy, Options};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Inputs and units of work that one call does at most.
const UNITS: u32 = 32;

/// The host of a replica: as the real one, but on a disk of its own and without a listener.
pub(crate) struct ReplicaHost {
    real: Arc<dyn Host>,
    disk: MemoryStorage,
    /// Where the files of the branch are that it stands for, in words.
    place: String,
    /// Whether a question is answered; otherwise earlier commands run again.
    answers: Arc<AtomicBool>,
}

impl ReplicaHost {
    pub(crate) fn new(real: &Arc<dyn Host>, disk: &MemoryStorage, place: String) -> Self {
        Self { real: Arc::clone(real), disk: disk.clone(), place, answers: Arc::default() }
    }
}

impl Host for ReplicaHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.disk.clone())
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn open_policy(&self) -> OpenPolicy {
        self.real.open_policy()
    }

    fn threads_allowed(&self) -> bool {
        self.real.threads_allowed()
    }

    fn in_slices(&self) -> bool {
        self.real.in_slices()
    }

    fn preset(&self, name: &str) -> Option<Options> {
        self.real.preset(name)
    }

    fn experiment(&self, settings: &Settings, csv: bool) -> Result<Box<dyn Running>, Failure> {
        self.real.experiment(settings, csv)
    }

    fn read_files(&self, path: &str) -> Result<Vec<Foreign>, Failure> {
        self.real.read_files(path)
    }

    fn pick_files(&self) -> bool {
        self.real.pick_files()
    }

    /// A replayed command saves no file again.
    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        if self.answers.load(Ordering::Relaxed) {
            self.real.save_files(name, files)
        } else {
            Ok(())
        }
    }
}

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// To the end of the call to which this step belongs.
    Step(Step),
    /// To the end of the journal.
    End,
    /// To the end of so many inputs.
    Inputs(usize),
}

/// An engine on its way through a journal.
pub(crate) struct Replica {
    pub(crate) console: Box<dyn Interpreter>,
    pub(crate) disk: MemoryStorage,
    base: Arc<Image>,
    /// Whether its host saves files.
    answers: Arc<AtomicBool>,
    /// Inputs that are wholly done.
    done: usize,
    /// Whether the command after them has begun, and how many steps of work are done.
    line: bool,
    work: u64,
    /// The last step before the last call.
    before: Step,
    /// The last step that belongs to the journal.
    reached: Step,
}

impl Replica {
    /// A replica before the first input of `journal`, which records the current branch of `session`.
    pub(crate) fn new(session: &Session, journal: &Journal) -> Self {
        let disk = journal.base.disk(&*session.storage());
        let host = ReplicaHost::new(&session.host, &disk, session.place());
        let answers = Arc::clone(&host.answers);
        let console = (session.interpreter)(Arc::new(host), journal.first);
        let (before, reached) = (journal.first, journal.first);
        let base = Arc::clone(&journal.base);
        Self { console, disk, base, answers, done: 0, line: false, work: 0, before, reached }
    }

    /// Whether `journal` is the one that it follows, or a later state of it.
    pub(crate) fn follows(&self, journal: &Journal) -> bool {
        Arc::ptr_eq(&self.base, &journal.base)
    }

    /// The last step that was done again.
    pub(crate) fn reached(&self) -> Step {
        self.reached
    }

    /// The last step that the engine has made, those of answers included.
    fn steps(&self) -> Step {
        self.console.session().tape.step()
    }

    /// Inputs of `journal` that are done so far. Background work may go on in the last one, so the replica stays there
    /// until another follows.
    fn inputs_done(&self, journal: &Journal) -> usize {
        let next = journal.entries().get(self.done).map(|entry| &entry.input);
        let worked = matches!(next, Some(Input::Work { count }) if self.work >= *count);
        self.done + usize::from(worked)
    }

    /// Whether it stands where `goal` is.
    pub(crate) fn is_at(&self, journal: &Journal, goal: Goal) -> bool {
        match goal {
            Goal::Step(step) if step == self.reached => !self.is_before_damage(journal),
            Goal::Step(step) => self.before < step && step < self.reached,
            Goal::End => self.inputs_done(journal) >= journal.entries().len() && !self.line,
            Goal::Inputs(count) => self.inputs_done(journal) >= count,
        }
    }

    /// Whether it can get to `goal` from here: it never goes back.
    pub(crate) fn may_reach(&self, journal: &Journal, goal: Goal) -> bool {
        self.is_at(journal, goal)
            || match goal {
                Goal::Step(step) => step >= self.reached,
                Goal::End => true,
                Goal::Inputs(count) => self.done < count,
            }
    }

    /// Whether a byte is flipped before the next step: damage makes none, and belongs to the one before it.
    fn is_before_damage(&self, journal: &Journal) -> bool {
        let rest = journal.entries().get(self.done..).unwrap_or_default();
        let mut same = rest.iter().take_while(|entry| entry.after == self.reached);
        same.any(|entry| matches!(entry.input, Input::Damage { .. }))
    }

    /// Whether no answer has made a step of its own: only then may it answer again, or go on.
    pub(crate) fn is_untouched(&self) -> bool {
        self.steps() == self.reached
    }

    /// Begins with `task`, whose answer is wanted; the command under way waits.
    pub(crate) fn ask(&mut self, task: Box<dyn Task>) {
        // Earlier answers may have left steps of their own.
        self.console.session_mut().answers_of = Some(self.reached);
        self.answers.store(true, Ordering::Relaxed);
        self.console.ask(task);
    }

    /// The answer is complete.
    pub(crate) fn answered(&mut self) {
        self.console.answered();
        self.console.session_mut().answers_of = None;
        self.answers.store(false, Ordering::Relaxed);
    }

    /// Goes on; whether it is there.
    ///
    /// # Errors
    /// The journal cannot be followed.
    pub(crate) fn advance(&mut self, journal: &Journal, goal: Goal) -> Result<bool, Failure> {
        for _ in 0..UNITS {
            if self.is_at(journal, goal) {
                // At the last step of a command, its end shows whether it came there as the session did.
                self.finish_line(journal)?;
                return Ok(true);
            }
            if !self.call(journal)? {
                return match goal {
                    Goal::Step(step) if !self.is_at(journal, goal) => {
                        Err(astray(step, self.reached))
                    }
                    _ => Ok(true),
                };
            }
        }
        Ok(false)
    }

    /// Makes the next call; `false` when there is none.
    pub(crate) fn call(&mut self, journal: &Journal) -> Result<bool, Failure> {
        let done = self.inputs_done(journal);
        let Some(entry) = journal.entries().get(done) else { return Ok(false) };
        if done > self.done {
            (self.done, self.work) = (done, 0);
        }
        let before = self.reached;
        let ended = self.act(entry)?;
        self.reached = self.steps();
        if self.reached != before {
            self.before = before;
        }
        if ended {
            if self.reached != entry.after {
                return Err(astray(entry.after, self.reached));
            }
            if !matches!(entry.input, Input::Work { .. }) {
                (self.done, self.work) = (self.done + 1, 0);
            }
            self.line = false;
        }
        Ok(true)
    }

    /// Does one unit of `entry`; whether it was the last.
    fn act(&mut self, entry: &Entry) -> Result<bool, Failure> {
        match &entry.input {
            Input::Open(options) => {
                // If it failed, it fails again: the entries after it rely on that.
                let _ = self.console.open((**options).clone());
                Ok(true)
            }
            Input::Close => {
                let _ = self.console.close();
                Ok(true)
            }
            Input::Line { text, stopped } => {
                if !self.line {
                    self.console.start(text);
                    self.line = true;
                }
                if let Some(stopped) = stopped {
                    self.console.stop_where(*stopped);
                }
                match self.console.advance(1) {
                    Progress::More { .. } => Ok(false),
                    Progress::Done(_) | Progress::Idle => Ok(true),
                    Progress::Blocked(file, _) => Err(levelscope::Error::would_block(file).into()),
                }
            }
            Input::Work { count } => {
                // A job that failed fails again.
                let _ = self.console.step(Budget::Entry);
                self.work += 1;
                Ok(self.work >= *count)
            }
            Input::Complete { line, cursor } => {
                self.console.complete(line, *cursor);
                Ok(true)
            }
            Input::Damage { file, offset, mask } => {
                self.disk.corrupt(*file, *offset, *mask)?;
                Ok(true)
            }
        }
    }

    /// Ends the command under way where all its steps are done.
    fn finish_line(&mut self, journal: &Journal) -> Result<(), Failure> {
        let is_last = |entry: &Entry| entry.after == self.reached;
        if journal.entries().get(self.done).is_some_and(is_last) {
            while self.line && self.call(journal)? {}
        }
        Ok(())
    }

    /// Stops the command under way and returns the journal up to here.
    ///
    /// # Errors
    /// The journal cannot be followed.
    pub(crate) fn cut(&mut self, journal: &Journal) -> Result<Journal, Failure> {
        self.finish_line(journal)?;
        let last = journal.entries().get(self.done);
        let part = last.and_then(|entry| match &entry.input {
            Input::Line { text, .. } if self.line => {
                let stopped = Some(self.console.position());
                Some(Input::Line { text: Arc::clone(text), stopped })
            }
            Input::Work { .. } if self.work > 0 => Some(Input::Work { count: self.work }),
            _ => None,
        });
        if self.line {
            self.console.cancel();
            self.console.advance(1);
        }
        let after = self.steps();
        Ok(journal.cut(self.done, part.map(|input| Entry { input, after })))
    }
}
