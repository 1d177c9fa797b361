//! What lives from command to command: the open database, its options, snapshots, transactions and
//! history.

use crate::host::Host;
use crate::output::{Failure, OutputLine};
use crate::shelf::Shelf;
use crate::stepping::Stepping;
use crate::tape::{Outside, Tape};
use crate::task::Stop;
use crate::time::{Copied, Input, Journal, Lab, Step, Time};
use levelscope::event::EventSink;
use levelscope::storage::{FileName, MemoryStorage, Storage, read_whole};
use levelscope::{
    Db, Error, ErrorKind, Maintenance, OpenPolicy, Options, PRESETS, Result, Snapshot, Transaction,
};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Lines of history that are kept.
const HISTORY_MAX: usize = 1000;

/// A 64-bit FNV-1a hash.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// The state that commands work on.
pub(crate) struct Session {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) time: Time,
    pub(crate) options: Options,
    pub(crate) tape: Arc<Tape>,
    /// Printed and not yet handed out.
    pub(crate) lines: Vec<OutputLine>,
    /// Live snapshots by the number that was printed for them.
    pub(crate) snapshots: BTreeMap<u64, Snapshot>,
    /// Open transactions by their number.
    pub(crate) transactions: BTreeMap<u64, Transaction>,
    /// The one that commands go into that name none.
    pub(crate) current: Option<u64>,
    pub(crate) history: VecDeque<String>,
    /// Opened files: neither of a branch nor of a moment.
    pub(crate) shelf: Shelf,
    /// The disk of a branch in memory; `None`: the storage of the host.
    pub(crate) disk: Option<MemoryStorage>,
    /// The unit of background work under way.
    pub(crate) stepping: Stepping,
    /// What was done to the database; a replica has none.
    pub(crate) journal: Option<Arc<Journal>>,
    /// Whether `exit` was the last command of the line.
    pub(crate) ended: bool,
    next_snapshot: u64,
    db: Option<Db>,
    /// There is no database yet: the first command that changes something makes it.
    absent: bool,
}

impl Session {
    pub(crate) fn new(host: Box<dyn Host>) -> Self {
        let host: Arc<dyn Host> = host.into();
        let session = Self::silent(host, 0);
        session.tape.attach(session.outside());
        session
    }

    /// A session behind `step` that nobody hears of and that writes nothing down.
    pub(crate) fn silent(host: Arc<dyn Host>, step: Step) -> Self {
        Self {
            host,
            time: Time::default(),
            options: Options::default(),
            tape: Arc::new(Tape::new(step)),
            lines: Vec::new(),
            snapshots: BTreeMap::new(),
            transactions: BTreeMap::new(),
            current: None,
            history: VecDeque::new(),
            shelf: Shelf::default(),
            disk: None,
            stepping: Stepping::default(),
            journal: None,
            ended: false,
            next_snapshot: 1,
            db: None,
            absent: false,
        }
    }

    /// Who hears of a branch of this session.
    pub(crate) fn outside(&self) -> Outside {
        Outside { host: self.host.listener(), points: Arc::clone(&self.time.points) }
    }

    /// Where the files of the current branch are.
    pub(crate) fn storage(&self) -> Arc<dyn Storage> {
        match &self.disk {
            Some(disk) => Arc::new(disk.clone()),
            None => self.host.storage(),
        }
    }

    /// The disk of the current branch, where it is in memory.
    pub(crate) fn memory(&self) -> Option<MemoryStorage> {
        self.disk.clone().or_else(|| self.host.disk())
    }

    /// What helps against damage of the files of the current branch; nothing where they are not kept.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        self.host.advice().filter(|_| self.disk.is_none())
    }

    /// Where they are, in words.
    pub(crate) fn place(&self) -> String {
        match self.disk {
            Some(_) => format!("memory ({}, not saved)", self.time.current_name()),
            None => self.host.place(),
        }
    }

    /// Changes the state of one branch for that of another.
    pub(crate) fn exchange(&mut self, lab: &mut Lab) {
        use std::mem::swap;
        swap(&mut self.options, &mut lab.options);
        swap(&mut self.tape, &mut lab.tape);
        swap(&mut self.snapshots, &mut lab.snapshots);
        swap(&mut self.transactions, &mut lab.transactions);
        swap(&mut self.current, &mut lab.current);
        swap(&mut self.next_snapshot, &mut lab.next_snapshot);
        swap(&mut self.db, &mut lab.db);
        swap(&mut self.disk, &mut lab.disk);
        swap(&mut self.journal, &mut lab.journal);
    }

    /// Begins the journal, with a copy of the files as they are.
    ///
    /// # Errors
    /// `WouldBlock`: the same call goes on.
    pub(crate) fn begin_journal(&mut self) -> Result<()> {
        if self.journal.is_some() {
            return Ok(());
        }
        let journal = if self.host.read_only() {
            Journal::off("the database was opened for reading only: it has no past to go back to, and no branches".into())
        } else {
            let storage = self.host.storage();
            match self.time.copying.copy(&*storage, self.host.replay_bytes_max())? {
                Copied::Whole(image) => Journal::new(image, 0, None),
                Copied::Refused(why) => Journal::off(why),
            }
        };
        self.journal = Some(Arc::new(journal));
        Ok(())
    }

    /// A number that tells states apart: of the view, and of the names and bytes of all files of the database.
    ///
    /// # Errors
    /// Those of the storage.
    pub(crate) fn state_hash(&self) -> Result<u64> {
        let view = self.database().map(Db::view);
        let mut hash = Fnv::default();
        hash.write(serde_json::to_string(&view).unwrap_or_default().as_bytes());
        let storage = self.storage();
        for name in storage.list()? {
            // A lock is of the place where the files are, and a copy of them has none.
            let Some(file) = FileName::parse(&name).filter(|name| *name != FileName::Lock) else {
                continue;
            };
            hash.write(name.as_bytes());
            let mut bytes = read_whole(&*storage.open(file)?, file)?;
            if matches!(file, FileName::Wal(_)) {
                // Where syncs are dear, a log is made longer ahead: zeros that are no part of it.
                let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                bytes.truncate(end);
            }
            hash.write(&(bytes.len() as u64).to_le_bytes());
            hash.write(&bytes);
        }
        Ok(hash.0)
    }

    /// Writes down what was done, up to now.
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
                let message = crate::text::printable(&message);
                let failure = Failure { kind: "notFound".into(), message, hint: None };
                let hint = "the first command that changes something makes one, such as `put`";
                return Stop::Failed(failure.hint(hint));
            }
            let message = "no database is open";
            let failure = Failure { kind: "closed".into(), message: message.into(), hint: None };
            let hint = "`options preset default` opens it again; `reset` deletes it";
            Stop::Failed(failure.hint(hint))
        })
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
        let policy = OpenPolicy { create_if_missing: false, ..self.host.open_policy() };
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
    pub(crate) fn open(&mut self, options: Options) -> Result<()> {
        options.validate()?;
        if matches!(options.maintenance, Maintenance::Threads(_)) && !self.host.threads_allowed() {
            return Err(Error::invalid("there are no threads here: use manual or inline"));
        }
        self.close()?;
        if matches!(options.maintenance, Maintenance::Threads(_)) {
            let why = "background threads do their work in another order every time, so nothing is replayed";
            self.with_journal(|journal| journal.stop(why));
        }
        let sink: Arc<dyn EventSink> = self.tape.clone();
        let mut given = options.clone();
        if self.host.in_slices() && options.maintenance == Maintenance::Inline {
            given.maintenance = Maintenance::Manual;
        }
        let storage = self.storage();
        let db = if self.host.read_only() && self.disk.is_none() {
            Db::open_read_only(storage, given, Some(sink))?
        } else {
            Db::open_with(storage, given, self.host.open_policy(), Some(sink))?
        };
        self.db = Some(db);
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
        match db.close() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Err(error),
            outcome => {
                self.db = None;
                outcome
            }
        }
    }

    pub(crate) fn say(&mut self, line: OutputLine) {
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
