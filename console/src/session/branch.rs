//! The branches of a session: one goes on, the others wait.

use super::Session;
use super::branch_state::BranchState;
use super::replica::{Goal, Replica, ReplicaHost};
use crate::history::{
    BreakpointHit, Copying, Damages, Input, Journal, KeptBranch, Points, PowerLoss, Step, Tape,
    Window, unavailable,
};
use crate::output::Failure;
use levelscope::internals::Few;
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::view::View;
use levelscope::{Db, Options, Snapshot, Transaction};
use std::collections::VecDeque;
use std::sync::Arc;

/// Branches at once, the first included: each is a whole database in memory.
pub(crate) const BRANCHES_MAX: usize = 16;

/// Replicas that wait for the next question: a comparison asks about two branches in turn.
const PARKED_MAX: usize = 2;

/// Snapshots by their number.
pub(crate) type Snapshots = Few<u64, Snapshot>;
/// Open transactions by their number.
pub(crate) type Transactions = Few<u64, Transaction>;

/// The state of one branch.
pub(crate) struct Workspace {
    pub(crate) options: Options,
    pub(crate) tape: Arc<Tape>,
    /// Live snapshots by the number that was printed for them.
    pub(crate) snapshots: Snapshots,
    /// Open transactions by their number.
    pub(crate) transactions: Transactions,
    /// The transaction of commands that name no transaction.
    pub(crate) current: Option<u64>,
    pub(super) next_snapshot: u64,
    pub(super) db: Option<Db>,
    /// The disk of a branch in memory; `None`: the storage of the host.
    pub(crate) disk: Option<MemoryStorage>,
    /// The inputs to the database; a replica has no journal.
    pub(crate) journal: Option<Arc<Journal>>,
}

impl Workspace {
    /// Goes on after `step`.
    pub(super) fn new(step: Step) -> Self {
        Self {
            options: Options::default(),
            tape: Arc::new(Tape::new(step)),
            snapshots: Snapshots::new(),
            transactions: Transactions::new(),
            current: None,
            next_snapshot: 1,
            db: None,
            disk: None,
            journal: None,
        }
    }

    /// Closes its database, if one is open.
    ///
    /// # Errors
    /// Those of [`Db::close`]; `WouldBlock` leaves it open.
    fn close(&mut self) -> levelscope::Result<()> {
        self.snapshots.clear();
        self.transactions.clear();
        if let Some(db) = &self.db {
            super::place::close_known(db)?;
            self.db = None;
        }
        Ok(())
    }
}

pub(super) struct Branch {
    /// Its number, which no other branch of the session has or gets.
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) forked_at: Option<Step>,
    pub(super) damages: Damages,
    pub(super) crash: Option<PowerLoss>,
    /// `None` for the current one: the session has it.
    pub(super) own: Option<Workspace>,
}

/// The branches of a session, its breakpoints, and the step that it looks at.
pub(crate) struct TimeState {
    pub(crate) points: Arc<Points>,
    pub(crate) copying: Copying,
    /// The window of a request, with its events.
    pub(crate) window: Option<Window>,
    /// The step of the past that `goto`, `back` and `forward` lead to; `None`: now. A page has its own cursor.
    pub(crate) looks_at: Option<Step>,
    /// The step that a page looks at, of the line at work.
    pub(crate) asked_at: Option<Step>,
    /// Breakpoints that struck, until the host takes them.
    pub(crate) hits: Vec<BreakpointHit>,
    /// The journal of an earlier session, until this one has a journal of its own.
    pub(super) earlier: Option<Arc<Journal>>,
    /// Branches of an earlier session that are to come back.
    pub(crate) returning: VecDeque<KeptBranch>,
    pub(super) branches: Vec<Branch>,
    /// How many were ever begun: the number of the next one.
    pub(super) begun: usize,
    /// The number of the current one.
    current: usize,
    /// The replicas used last, the newest at the end, each with the branch that it is of.
    replicas: Vec<(usize, Replica)>,
    pub(super) changed: bool,
    switched: bool,
}

impl Default for TimeState {
    fn default() -> Self {
        let name = "main".into();
        let (damages, crash) = (Damages::default(), None);
        let main = Branch { id: 0, name, parent: None, forked_at: None, damages, crash, own: None };
        Self {
            points: Arc::default(),
            copying: Copying::default(),
            window: None,
            looks_at: None,
            asked_at: None,
            hits: Vec::new(),
            earlier: None,
            returning: VecDeque::new(),
            branches: vec![main],
            begun: 1,
            current: 0,
            replicas: Vec::new(),
            changed: false,
            switched: false,
        }
    }
}

impl TimeState {
    /// The name of the current branch.
    pub(crate) fn current_name(&self) -> &str {
        self.branch(self.current).map_or("main", |branch| &branch.name)
    }

    /// The step of the past that the command at work is asked about; `None`: now.
    pub(crate) fn moment(&self) -> Option<Step> {
        self.asked_at.or(self.looks_at)
    }

    /// From here on commands are asked about the newest step.
    pub(crate) fn leave_past(&mut self) {
        (self.looks_at, self.asked_at) = (None, None);
    }

    /// The number of the current branch.
    pub(crate) fn current(&self) -> usize {
        self.current
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.branches.len()
    }

    /// The branch that is called so, or has this number.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        let number = word.parse().ok();
        let named = self.branches.iter().find(|branch| branch.name == word);
        let found = named.or_else(|| self.branch(number?));
        found.map(|branch| branch.id)
    }

    fn branch(&self, id: usize) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.id == id)
    }

    fn branch_mut(&mut self, id: usize) -> Option<&mut Branch> {
        self.branches.iter_mut().find(|branch| branch.id == id)
    }

    /// The names, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.branches.iter().map(|branch| branch.name.as_str())
    }

    /// Whether branches or the current one changed, and whether another is current, since last asked.
    pub(crate) fn take_changes(&mut self) -> (bool, bool) {
        (std::mem::take(&mut self.changed), std::mem::take(&mut self.switched))
    }
}

impl Session {
    /// All branches.
    pub(crate) fn branches(&self) -> Vec<BranchState> {
        let state = |branch: &Branch| {
            let Workspace { journal, disk, tape, .. } = self.workspace(branch);
            let disk = disk.clone();
            BranchState {
                id: branch.id,
                name: branch.name.clone(),
                parent: branch.parent,
                forked_at: branch.forked_at,
                memory: disk.is_some(),
                steps: tape.step(),
                pastless: journal.as_ref().and_then(|journal| journal.ended()).map(str::to_owned),
                damaged: branch.damages.list(disk.or_else(|| self.host.disk()).as_ref()),
                crash: branch.crash.clone(),
            }
        };
        self.time.branches.iter().map(state).collect()
    }

    /// Adds a branch that leaves the current one after the step `forked_at`, or none of them; its number. The
    /// current one goes on.
    pub(crate) fn add_branch(
        &mut self,
        what: &str,
        forked_at: Option<Step>,
        own: Workspace,
    ) -> usize {
        let id = self.time.begun;
        self.time.begun += 1;
        let parent = forked_at.map(|_| self.time.current);
        let from = parent.and_then(|parent| self.time.branch(parent));
        let damages = from.map(|branch| branch.damages.on(own.disk.as_ref()));
        self.time.branches.push(Branch {
            id,
            name: format!("{what} {id}"),
            parent,
            forked_at,
            damages: damages.unwrap_or_default(),
            crash: None,
            own: Some(own),
        });
        self.time.changed = true;
        id
    }

    /// Opens the files on `disk` as a new branch, which begins where `journal` does, and makes it the current
    /// one. It leaves the current branch there if `journal` knows what was before.
    ///
    /// # Errors
    /// Those of [`Db::open`]; the branch is there all the same, without an open database.
    pub(crate) fn open_branch(
        &mut self,
        what: &str,
        disk: MemoryStorage,
        mut journal: Journal,
        options: Options,
    ) -> levelscope::Result<()> {
        let (first, has_parent) = (journal.first, journal.has_before());
        let host = ReplicaHost::new(&self.host, &disk, "memory".to_owned());
        let mut session = Self::silent(Arc::new(host), first, self.interpreter);
        session.tape.attach(self.outside());
        let opened = session.open(options.clone());
        journal.push(Input::Open(Box::new(options.clone())), session.tape.step());
        let mut own = session.into_workspace(disk, journal);
        own.options = options;
        let forked_at = has_parent.then_some(first);
        let id = self.add_branch(what, forked_at, own);
        self.switch(id);
        opened
    }

    /// Remembers that the current branch began with a power failure, from which it has just recovered.
    pub(crate) fn mark_crash(&mut self, sentence: String) {
        let (recovered, current) = (self.tape.step(), self.time.current);
        if let Some(branch) = self.time.branch_mut(current) {
            branch.crash = Some(PowerLoss { recovered, sentence });
            self.time.changed = true;
        }
    }

    /// Remembers that bits of a byte of `disk`, which is that of the current branch, were flipped.
    pub(crate) fn mark_damage(&mut self, disk: &MemoryStorage, flipped: (FileName, u64, u8)) {
        let step = self.tape.step();
        let current = self.time.current;
        if let Some(branch) = self.time.branch_mut(current) {
            branch.damages.flip(disk, flipped, step);
            self.time.changed = true;
        }
    }

    /// Makes branch `id` the current one.
    pub(crate) fn switch(&mut self, id: usize) {
        let own = self.time.branch_mut(id).and_then(|branch| branch.own.take());
        let Some(mut own) = own else { return };
        std::mem::swap(&mut self.own, &mut own);
        let left = self.time.current;
        if let Some(branch) = self.time.branch_mut(left) {
            branch.own = Some(own);
        }
        self.time.current = id;
        self.time.leave_past();
        self.time.points.look_at(self.view());
        (self.time.changed, self.time.switched) = (true, true);
    }

    /// Drops branch `id`, which waits, with its disk in memory; its name.
    ///
    /// # Errors
    /// Those of [`Db::close`]; the branch is there still.
    pub(crate) fn drop_branch(&mut self, id: usize) -> levelscope::Result<Option<String>> {
        let Some(branch) = self.time.branch_mut(id) else { return Ok(None) };
        let Some(own) = &mut branch.own else { return Ok(None) };
        own.close()?;
        let name = std::mem::take(&mut branch.name);
        self.time.branches.retain(|branch| branch.id != id);
        self.time.replicas.retain(|(of, _)| *of != id);
        self.time.changed = true;
        Ok(Some(name))
    }

    /// The database as it is now; an empty view when none is open.
    pub(crate) fn view(&self) -> View {
        self.database().map_or_else(View::default, Db::view)
    }

    /// Closes the branches that wait.
    ///
    /// # Errors
    /// Those of [`Db::close`]; `WouldBlock` leaves the rest open.
    pub(crate) fn close_others(&mut self) -> levelscope::Result<()> {
        self.time.replicas.clear();
        for branch in &mut self.time.branches {
            let Some(own) = &mut branch.own else { continue };
            own.close()?;
        }
        Ok(())
    }

    /// The parts of a session that its database needs to go on as a branch.
    pub(crate) fn into_workspace(self, disk: MemoryStorage, journal: Journal) -> Workspace {
        let mut own = self.own;
        own.disk = Some(disk);
        own.journal = Some(Arc::new(journal));
        own
    }

    /// The journal that covers `step` of the current branch.
    ///
    /// # Errors
    /// There is none, or it does not.
    pub(crate) fn journal_of(&self, step: Step) -> Result<Arc<Journal>, Failure> {
        self.journal_on(self.time.current, step)
    }

    /// The journal that covers `step` of a branch.
    ///
    /// # Errors
    /// As for [`Self::journal_of`], or there is no such branch.
    pub(crate) fn journal_on(&self, branch: usize, step: Step) -> Result<Arc<Journal>, Failure> {
        let now = self.last_step(branch)?;
        if step > now {
            let message = format!("there is no step {step} yet: the newest is {now}");
            return Err(Failure::usage(message));
        }
        let own = self.time.branch(branch).map_or(&self.own, |branch| self.workspace(branch));
        match &own.journal {
            Some(journal) => journal.of(step),
            None => Err(unavailable("no database is open, so there is no past")),
        }
    }

    /// The newest step of a branch.
    ///
    /// # Errors
    /// There is no such branch.
    pub(crate) fn last_step(&self, branch: usize) -> Result<Step, Failure> {
        let Some(found) = self.time.branch(branch) else {
            let failure = Failure::usage(format!("there is no branch {branch}"));
            return Err(failure.hint("`branches` lists them"));
        };
        Ok(self.workspace(found).tape.step())
    }

    /// A replica of `branch` on its way to `goal` in `journal`: the one used last, when it can get there.
    pub(crate) fn replica(&mut self, branch: usize, journal: &Journal, goal: Goal) -> Replica {
        let parked = self.time.replicas.iter().position(|(of, _)| *of == branch);
        let known = parked
            .map(|at| self.time.replicas.remove(at).1)
            .filter(|replica| replica.follows(journal) && replica.may_reach(journal, goal));
        known.unwrap_or_else(|| Replica::new(self, journal))
    }

    /// Keeps a replica of `branch` for the next question, unless an answer has made steps in it.
    pub(crate) fn park(&mut self, branch: usize, replica: Replica) {
        if replica.is_untouched() {
            self.time.replicas.retain(|(of, _)| *of != branch);
            if self.time.replicas.len() >= PARKED_MAX {
                self.time.replicas.remove(0);
            }
            self.time.replicas.push((branch, replica));
        }
    }
}
