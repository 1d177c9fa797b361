//! The state from command to command: the open database, options, snapshots, transactions, history.

mod branch;
mod branch_state;
mod hash;
mod interpreter;
mod keeping;
mod lesson_request;
mod place;
mod rehearsal;
mod replica;
mod stepping;
mod task;

pub(crate) use branch::{BRANCHES_MAX, TimeState, Workspace};
pub use branch_state::BranchState;
pub(crate) use interpreter::{Interpreter, NewInterpreter};
pub(crate) use lesson_request::LessonRequest;
pub(crate) use place::total;
pub(crate) use rehearsal::Rehearsal;
pub(crate) use replica::{Goal, Replica};
pub(crate) use stepping::Stepping;
pub(crate) use task::{Stop, Task, Turn, once};

use crate::history::{Copied, Image, Input, Journal, Outside, Step};
use crate::host::Host;
use crate::output::{Failure, OutputLine};
use levelscope::event::EventSink;
use levelscope::{
    Db, Error, ErrorKind, Maintenance, Options, PRESETS, Result, Snapshot, Transaction,
};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Lines of history that are kept.
const HISTORY_MAX: usize = 1000;

/// The state that commands work on.
pub(crate) struct Session {
    pub(crate) host: Arc<dyn Host>,
    /// Makes the interpreter of a replica.
    interpreter: NewInterpreter,
    pub(crate) time: TimeState,
    /// The state of the current branch.
    own: Workspace,
    /// Printed and not yet handed out.
    pub(crate) lines: Vec<OutputLine>,
    pub(crate) history: VecDeque<String>,
    /// The unit of background work under way.
    pub(crate) stepping: Stepping,
    /// Whether `exit` was the last command of the line.
    pub(crate) ended: bool,
    /// The line's request to the lesson at work, until that is done.
    pub(crate) asked_lesson: Option<LessonRequest>,
    /// The step that a replica is asked about; `None`: it is no replica, or not asked.
    pub(crate) answers_of: Option<Step>,
    /// When the state that a reader shows was read, by the clock of the host.
    pub(crate) read_at: Option<u64>,
    /// There is no database yet: the first command that changes something makes it.
    absent: bool,
}

impl Deref for Session {
    type Target = Workspace;

    fn deref(&self) -> &Workspace {
        &self.own
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Workspace {
        &mut self.own
    }
}

impl Session {
    pub(crate) fn new(host: Arc<dyn Host>, interpreter: NewInterpreter) -> Self {
        let session = Self::silent(host, 0, interpreter);
        session.tape.attach(session.outside());
        session
    }

    /// A session that goes on after `step`, calls no listener and writes no journal.
    pub(crate) fn silent(host: Arc<dyn Host>, step: Step, interpreter: NewInterpreter) -> Self {
        Self {
            host,
            interpreter,
            time: TimeState::default(),
            own: Workspace::new(step),
            lines: Vec::new(),
            history: VecDeque::new(),
            stepping: Stepping::default(),
            ended: false,
            asked_lesson: None,
            read_at: None,
            answers_of: None,
            absent: false,
        }
    }

    /// The receivers of a branch's events.
    pub(crate) fn outside(&self) -> Outside {
        Outside { host: self.host.listener(), points: Arc::clone(&self.time.points) }
    }

    /// Begins the journal, with a copy of the files as they are.
    ///
    /// # Errors
    /// `WouldBlock`: the same call goes on.
    pub(crate) fn begin_journal(&mut self) -> Result<()> {
        if self.journal.is_some() {
            return Ok(());
        }
        let step = self.tape.step();
        let journal = if self.host.read_only() {
            Journal::off("the database was opened for reading only: it has no past to go back to, and no branches".into())
        } else {
            let storage = self.host.storage();
            match self.time.copying.copy(&*storage, self.host.replay_bytes_max())? {
                Copied::Whole(image) => Journal::new(image, step, self.time.earlier.take()),
                Copied::Refused(why) => {
                    let mut journal =
                        Journal::new(Image::default(), step, self.time.earlier.take());
                    journal.stop(&why);
                    journal
                }
            }
        };
        self.journal = Some(Arc::new(journal));
        Ok(())
    }

    /// The step of the state that an answer describes.
    pub(crate) fn answers_of(&self) -> Step {
        self.answers_of.unwrap_or_else(|| self.tape.step())
    }

    /// Writes down an input that is complete.
    pub(crate) fn note(&mut self, input: Input) {
        let after = self.tape.step();
        self.with_journal(|journal| journal.push(input, after));
    }

    /// Changes the journal, where there is one.
    pub(crate) fn with_journal(&mut self, change: impl FnOnce(&mut Journal)) {
        if let Some(journal) = &mut self.journal {
            change(Arc::make_mut(journal));
        }
    }

    /// The open database.
    pub(crate) fn database(&self) -> Option<&Db> {
        self.db.as_ref()
    }

    /// Whether there is no database yet.
    pub(crate) fn is_absent(&self) -> bool {
        self.absent
    }

    /// The open database, or why the command cannot run.
    pub(crate) fn db(&self) -> std::result::Result<Db, Stop> {
        self.db.clone().ok_or_else(|| {
            if self.absent {
                let message = format!("there is no database yet ({})", self.place());
                let failure = Failure::new("notFound", crate::text::printable(&message));
                let hint = "the first command that changes something makes one, such as `put`";
                return Stop::Failed(failure.hint(hint));
            }
            Stop::Failed(Failure::new("closed", "no database is open").hint(self.ways_on()))
        })
    }

    /// The hint where no database is open. The files of a branch in memory are those that did not open:
    /// opening them again would fail again, and they cannot be deleted without the branch.
    fn ways_on(&self) -> String {
        let looked_at = "`check`, `files`, `layout` and `hex` look at its files";
        if self.disk.is_none() {
            return format!(
                "{looked_at}; `options preset default` tries to open it again; `reset` deletes it"
            );
        }
        let states = self.branches();
        let own = states.iter().find(|state| state.id == self.time.current());
        let parent =
            states.iter().find(|state| own.is_some_and(|own| own.parent == Some(state.id)));
        let name = parent.map_or("main", |parent| parent.name.as_str());
        let back = format!("`branch {name}` goes back to where it came from");
        match own.and_then(|own| own.forked_at) {
            Some(_) => {
                format!("{looked_at}; {back}; `fork STEP` goes on from a step before the damage")
            }
            None => format!("{looked_at}; {back}"),
        }
    }

    /// Opens the database with `options` and writes that down; makes it when there is none.
    ///
    /// # Errors
    /// Those of [`Self::open`]; after `WouldBlock` the same call goes on.
    pub(crate) fn begin(&mut self, options: Options) -> Result<()> {
        self.begin_journal()?;
        let opened = self.open(options.clone());
        if !opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
            self.note(Input::Open(Box::new(options)));
        }
        opened
    }

    /// As [`Self::begin`], but without a database there it waits for the first change to make one.
    ///
    /// # Errors
    /// Those of [`Self::begin`].
    pub(crate) fn begin_existing(&mut self, options: Options) -> Result<()> {
        options.validate()?;
        let storage = self.storage();
        let policy = self.host.open_policy().create_if_missing(false);
        match policy.check(&*storage) {
            Err(error) if error.kind() == ErrorKind::NotFound && error.file().is_none() => {
                (self.absent, self.options) = (true, options);
                Ok(())
            }
            found => found.and_then(|()| self.begin(options)),
        }
    }

    /// Opens the database with `options`, closing it first when it is open.
    ///
    /// # Errors
    /// Wrong options leave the open database as it is. After any other error none is open; after
    /// `WouldBlock` the same call goes on where it stopped.
    pub(crate) fn open(&mut self, mut options: Options) -> Result<()> {
        options.validate()?;
        // A session can be repeated unless it asks for threads.
        if options.maintenance == Maintenance::Auto {
            options.maintenance = Maintenance::Inline;
        }
        if matches!(options.maintenance, Maintenance::Threads(_)) && !self.host.threads_allowed() {
            return Err(Error::invalid("there are no threads here: use manual or inline"));
        }
        self.close()?;
        if matches!(options.maintenance, Maintenance::Threads(_)) {
            let why = "background threads do their work in another order every time, so nothing is replayed";
            self.with_journal(|journal| journal.stop(why));
        }
        let sink: Arc<dyn EventSink> = self.tape.clone();
        let slices = self.host.in_slices() && options.maintenance == Maintenance::Inline;
        let done = if slices { Maintenance::Manual } else { options.maintenance };
        let given = options.clone().maintenance(done);
        let storage = self.storage();
        let db = if self.host.read_only() && self.disk.is_none() {
            Db::builder().options(given).events(sink).read_only().open_in(storage)?
        } else {
            Db::builder()
                .options(given)
                .policy(self.host.open_policy())
                .events(sink)
                .open_in(storage)?
        };
        self.db = Some(db);
        self.read_at = self.host.clock_nanos();
        self.options = options;
        self.absent = false;
        Ok(())
    }

    /// Closes the database, if one is open, and forgets its snapshots and transactions.
    ///
    /// # Errors
    /// Those of [`Db::close`]; `WouldBlock` leaves everything as it is, others leave it closed.
    pub(crate) fn close(&mut self) -> Result<()> {
        self.snapshots.clear();
        self.transactions.clear();
        self.current = None;
        let Some(db) = &self.db else { return Ok(()) };
        match place::close_known(db) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Err(error),
            outcome => {
                self.db = None;
                outcome
            }
        }
    }

    pub(crate) fn print(&mut self, line: OutputLine) {
        self.lines.push(line);
    }

    /// Keeps `snapshot` and gives it a number.
    pub(crate) fn keep(&mut self, snapshot: Snapshot) -> u64 {
        let number = self.next_snapshot;
        self.next_snapshot += 1;
        self.snapshots.insert(number, snapshot);
        number
    }

    /// The snapshot with this number.
    pub(crate) fn snapshot(&self, number: u64) -> std::result::Result<&Snapshot, Failure> {
        self.snapshots.get(&number).ok_or_else(|| {
            let live: Vec<String> = self.snapshots.keys().map(u64::to_string).collect();
            let hint = if live.is_empty() {
                "there is none: `snapshot` makes one".to_owned()
            } else {
                format!("there are: {}", live.join(", "))
            };
            Failure::usage(format!("there is no snapshot {number}")).hint(hint)
        })
    }

    /// The open transaction with this number.
    pub(crate) fn transaction(&self, number: u64) -> std::result::Result<&Transaction, Failure> {
        self.transactions.get(&number).ok_or_else(|| {
            let failure = Failure::usage(format!("transaction {number} is not open"));
            match self.open_transactions() {
                None => failure.hint("none is: `begin` begins one"),
                Some(open) => failure.hint(format!("open are: {open}")),
            }
        })
    }

    /// As [`Self::transaction`], to be written to.
    pub(crate) fn transaction_mut(
        &mut self,
        number: u64,
    ) -> std::result::Result<&mut Transaction, Failure> {
        self.transaction(number)?;
        let gone = || Failure::usage(format!("transaction {number} is not open"));
        self.transactions.get_mut(&number).ok_or_else(gone)
    }

    /// The numbers of the open transactions, in words.
    pub(crate) fn open_transactions(&self) -> Option<String> {
        let open: Vec<String> = self.transactions.keys().map(u64::to_string).collect();
        (!open.is_empty()).then(|| open.join(", "))
    }

    /// Takes a transaction out of the list; when it was the current one, none is current.
    pub(crate) fn forget(&mut self, number: u64) -> Option<Transaction> {
        self.current = self.current.filter(|current| *current != number);
        self.transactions.remove(&number)
    }

    /// Remembers a typed line.
    pub(crate) fn remember(&mut self, line: &str) {
        if line.trim().is_empty() || self.history.back().is_some_and(|last| last == line) {
            return;
        }
        if self.history.len() >= HISTORY_MAX {
            self.history.pop_front();
        }
        self.history.push_back(line.to_owned());
    }

    /// The name of the preset that the options are equal to.
    pub(crate) fn preset(&self) -> Option<&'static str> {
        let same = |name: &&str| self.host.preset(name).as_ref() == Some(&self.options);
        PRESETS.iter().map(|preset| preset.name).find(same)
    }

    /// Whether there is inline work to be done in slices before the command goes on.
    pub(crate) fn has_leftovers(&self) -> bool {
        self.host.in_slices()
            && self.options.maintenance == Maintenance::Inline
            && self.db.as_ref().is_some_and(Db::has_work)
    }

    /// Whether background work waits for `step` and `run`.
    pub(crate) fn is_manual(&self) -> bool {
        self.options.maintenance == Maintenance::Manual
    }
}
