//! Running a sequence against a database and its model at once.
//!
//! `states` are the contents after each acknowledged write since the last opening; states before `durable` must not
//! come back after a crash. A write that failed may be there after the next opening (`doubtful`). While the storage
//! fails, any call may answer with an error, but no answer may be wrong.

mod reads;

use super::ops::{Key, Op, Value};
use super::walker::Walker;
use crate::common::{Model, try_open};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::{Bound, Budget, Db, Error, ErrorKind, Options, Snapshot, StepOutcome, WriteBatch};
use reads::{contents, difference};
use std::sync::Arc;

/// The violation, as a sentence.
pub type Verdict<T = ()> = Result<T, String>;

/// Every answer of a run, one number each: equal runs give equal answers.
pub type Answers = Vec<u64>;

/// Runs `ops` on a new database with `options`.
///
/// # Errors
/// The first difference from the model.
pub fn run(options: &Options, ops: &[Op]) -> Verdict<Answers> {
    let mut run = Run::new(options)?;
    for (index, op) in ops.iter().enumerate() {
        run.op(op).map_err(|what| format!("operation {index}, {op:?}: {what}"))?;
    }
    run.reopen().map_err(|what| format!("at the end: {what}"))?;
    run.answer_all()?;
    Ok(run.answers)
}

#[derive(Debug)]
struct Run {
    options: Options,
    disk: MemoryStorage,
    failing: FaultStorage,
    storage: Arc<dyn Storage>,
    db: Option<Db>,
    states: Vec<Model>,
    durable: usize,
    doubtful: Option<Model>,
    /// A fault has struck since the database was opened.
    struck: bool,
    /// A sync has failed since then: the bytes that it should have made durable are lost.
    sync_failed: bool,
    syncs_fail: bool,
    snapshots: Vec<(Snapshot, Model)>,
    walkers: Vec<Walker>,
    answers: Answers,
}

impl Run {
    fn new(options: &Options) -> Verdict<Self> {
        let disk = MemoryStorage::new();
        let failing = FaultStorage::over_memory(&disk);
        let storage: Arc<dyn Storage> = Arc::new(failing.clone());
        let mut run = Self {
            options: options.clone(),
            disk,
            failing,
            storage,
            db: None,
            states: vec![Model::new()],
            durable: 0,
            doubtful: None,
            struck: false,
            sync_failed: false,
            syncs_fail: false,
            snapshots: Vec::new(),
            walkers: Vec::new(),
            answers: Answers::new(),
        };
        run.open()?;
        Ok(run)
    }

    fn op(&mut self, op: &Op) -> Verdict {
        match op {
            Op::Put(key, value) => self.write(None, &[(key.clone(), Some(value.clone()))]),
            Op::Delete(key) => self.write(None, &[(key.clone(), None)]),
            Op::Batch(entries) => self.write(None, entries),
            Op::DeleteRange(begin, end, entries) => self.write(Some((begin, end)), entries),
            Op::Get(key) => self.get(key),
            Op::Scan { lower, upper, backward } => self.scan(lower, upper, *backward),
            Op::Prefix(prefix, backward) => self.prefix(prefix, *backward),
            Op::Snapshot | Op::GetAt(..) | Op::ScanAt(..) | Op::Release(_) => self.snapshot(op),
            Op::Iterator { .. } | Op::Move(..) | Op::Forget(_) => self.iterator(op),
            Op::Step(_) | Op::Rotate | Op::Flush | Op::Compact(_) | Op::Sync => self.work(op),
            Op::Reopen => self.reopen(),
            Op::Crash(crash, fault) => self.crash(*crash, *fault),
            Op::Fail(fault, at, forever) => {
                self.note_faults();
                self.failing.inject(*fault, *at, *forever);
                self.syncs_fail = *fault == Fault::SyncError;
                Ok(())
            }
            Op::Full(bytes) => {
                self.note_faults();
                self.failing.set_capacity(Some(self.failing.used_bytes() + bytes));
                Ok(())
            }
            Op::Flip(file, offset, bit) => self.flip(*file, *offset, *bit),
            Op::Check => self.check(),
        }
    }

    fn db(&self) -> Verdict<Db> {
        self.db.clone().ok_or_else(|| "there is no database".into())
    }

    fn now(&self) -> Model {
        self.states.last().cloned().unwrap_or_default()
    }

    fn answer(&mut self, parts: &[&[u8]]) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for part in parts {
            for byte in part.len().to_le_bytes().iter().chain(*part) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        self.answers.push(hash);
    }

    /// Remembers whether a fault has struck: its counter begins again with every plan.
    fn note_faults(&mut self) {
        let struck = self.failing.injected() > 0;
        self.struck |= struck;
        self.sync_failed |= struck && self.syncs_fail;
    }

    /// Takes an error that a fault explains; any other is a violation.
    fn excused(&mut self, error: &Error) -> Verdict {
        self.note_faults();
        if self.struck { Ok(()) } else { Err(format!("an error without a fault: {error}")) }
    }

    fn write(
        &mut self,
        range: Option<(&Key, &Option<Key>)>,
        entries: &[(Key, Option<Value>)],
    ) -> Verdict {
        let mut batch = WriteBatch::new();
        let mut next = self.now();
        if let Some((begin, end)) = range {
            next.retain(|key, _| key < begin || end.as_ref().is_some_and(|end| key >= end));
            let added = match end {
                Some(end) => batch.delete_range(begin, end),
                None => batch.delete_from(begin),
            };
            added.map_err(|error| error.to_string())?;
        }
        for (key, value) in entries {
            let added = if let Some(value) = value {
                next.insert(key.clone(), value.clone());
                batch.put(key, value)
            } else {
                next.remove(key);
                batch.delete(key)
            };
            added.map_err(|error| error.to_string())?;
        }
        let db = self.db()?;
        loop {
            let error = match db.write(&batch, None) {
                Ok(_) if self.doubtful.is_some() && !batch.is_empty() => {
                    return Err("a write succeeds after one that failed".into());
                }
                Ok(_) => {
                    self.states.push(next);
                    if self.options.wal_sync.before_acknowledging() {
                        self.durable = self.states.len() - 1;
                    }
                    return Ok(());
                }
                Err(error) => error,
            };
            if error.kind() == ErrorKind::Stalled {
                match db.step(Budget::Job) {
                    Ok(StepOutcome::Idle) => return Err(format!("nothing to do, but {error}")),
                    Ok(_) => {}
                    Err(error) => return self.excused(&error),
                }
                continue;
            }
            self.excused(&error)?;
            if error.kind() != ErrorKind::ReadOnly && self.doubtful.is_none() {
                self.doubtful = Some(next);
            }
            return Ok(());
        }
    }

    fn work(&mut self, op: &Op) -> Verdict {
        let db = self.db()?;
        let done = match op {
            Op::Step(entries) => db.step(Budget::Entries(*entries)).map(drop),
            Op::Rotate => db.rotate().map(drop),
            Op::Flush => db.request_flush().map(drop),
            Op::Compact(level) => {
                let deepest = self.options.level_count - 1;
                db.request_compaction(level.map(|level| level % deepest)).map(drop)
            }
            _ => db.sync(),
        };
        match done {
            Ok(()) if *op == Op::Sync && self.doubtful.is_some() => {
                Err("a sync succeeds after a write that failed".into())
            }
            Ok(()) => {
                if *op == Op::Sync {
                    self.durable = self.states.len() - 1;
                }
                Ok(())
            }
            Err(error) => self.excused(&error),
        }
    }

    fn check(&mut self) -> Verdict {
        let report = match self.db()?.check() {
            Ok(report) => report,
            Err(error) => return self.excused(&error),
        };
        self.note_faults();
        if report.problems().is_empty() || self.struck {
            return Ok(());
        }
        Err(format!("check finds {:?}", report.problems()))
    }

    /// Lets go of everything that reads or writes the disk.
    fn let_go(&mut self) {
        self.walkers.clear();
        self.snapshots.clear();
        self.db = None;
        self.note_faults();
    }

    fn reopen(&mut self) -> Verdict {
        self.let_go();
        if self.sync_failed {
            // Bytes that a failed sync dropped can still be read, but a machine that goes on would lose it one day: it
            // is switched off and on again.
            self.replace_disk(Crash::KeepSynced);
        } else if !self.struck {
            self.durable = self.states.len() - 1;
        }
        self.open()
    }

    fn crash(&mut self, crash: Crash, fault: Option<(Fault, u64)>) -> Verdict {
        self.note_faults();
        let crash = if self.sync_failed { Crash::KeepSynced } else { crash };
        // The records of a log that are in memory die with the process.
        if crash == Crash::KeepAll && !self.struck && self.options.wal_buffer_bytes == 0 {
            self.durable = self.states.len() - 1;
        }
        let image = self.disk.crash_image(crash);
        self.let_go();
        self.use_disk(image);
        if let Some((fault, at)) = fault {
            self.failing.inject(fault, at, false);
            self.syncs_fail = fault == Fault::SyncError;
        }
        self.open()
    }

    fn replace_disk(&mut self, crash: Crash) {
        let image = self.disk.crash_image(crash);
        self.use_disk(image);
    }

    fn use_disk(&mut self, disk: MemoryStorage) {
        self.failing = FaultStorage::over_memory(&disk);
        self.storage = Arc::new(self.failing.clone());
        self.disk = disk;
        self.syncs_fail = false;
    }

    /// Opens, if necessary once more without faults, and reads the content.
    fn open(&mut self) -> Verdict {
        // Only a fault that strikes from here on excuses an opening that fails.
        let before = self.failing.injected();
        let opened = try_open(&self.storage, &self.options);
        self.note_faults();
        let struck = self.failing.injected() > before;
        self.failing.heal();
        // A disk that is full at opening leaves a database that can only be read.
        let is_usable = |db: &Db| !struck || db.view().read_only.is_none();
        let db = match opened.map(|db| Some(db).filter(is_usable)) {
            Ok(Some(db)) => db,
            Err(error) if !struck => return Err(format!("it does not open: {error}")),
            Ok(None) | Err(_) => {
                if self.sync_failed {
                    self.replace_disk(Crash::KeepSynced);
                }
                try_open(&self.storage, &self.options)
                    .map_err(|error| format!("it does not open without faults: {error}"))?
            }
        };
        let found = contents(&db).map_err(|error| error.to_string())?;
        let states: Vec<Model> = self.states.drain(..).chain(self.doubtful.take()).collect();
        if !states.iter().skip(self.durable).any(|state| *state == found) {
            let newest: Vec<(Key, Value)> =
                states.last().cloned().unwrap_or_default().into_iter().collect();
            let found: Vec<(Key, Value)> = found.into_iter().collect();
            let what = format!("after opening, states {} to {}", self.durable, states.len() - 1);
            return Err(difference(&what, &found, &newest));
        }
        self.states = vec![found];
        self.durable = 0;
        self.db = Some(db);
        // A fault that struck while opening may have left the database read-only.
        let read_only = self.db()?.view().read_only.is_some();
        (self.struck, self.sync_failed) = (read_only, self.sync_failed && read_only);
        // The counter of the faults begins again.
        self.failing.inject(Fault::Io, u64::MAX, false);
        self.failing.heal();
        self.syncs_fail = false;
        if read_only { Err("it opens read-only".into()) } else { Ok(()) }
    }

    fn flip(&mut self, file: u64, offset: u64, bit: u32) -> Verdict {
        self.note_faults();
        if self.struck {
            return Ok(());
        }
        if let Err(error) = self.db()?.write_out() {
            return self.excused(&error);
        }
        let copy = self.disk.fork();
        let storage: Arc<dyn Storage> = Arc::new(copy.clone());
        let open = |storage: Arc<dyn Storage>| try_open(&storage, &self.options);
        drop(open(storage).map_err(|error| format!("a copy does not open: {error}"))?);
        let names = copy.list().map_err(|error| error.to_string())?;
        let names = names.iter().filter_map(|name| FileName::parse(name));
        let names: Vec<FileName> = names.filter(|name| *name != FileName::Lock).collect();
        let name = names[(file % names.len() as u64) as usize];
        let length = copy.read(name).map_err(|error| error.to_string())?.len() as u64;
        if length == 0 {
            return Ok(());
        }
        copy.corrupt(name, offset % length, 1 << bit).map_err(|error| error.to_string())?;
        let place = format!("{name} with bit {bit} of byte {} flipped", offset % length);
        let damage = |error: Error| {
            let found = error.kind() == ErrorKind::Corruption && error.file().is_some();
            if found { Ok(()) } else { Err(format!("{place}: {error}")) }
        };
        let db = match open(Arc::new(copy)) {
            Ok(db) => db,
            Err(error) => return damage(error),
        };
        match contents(&db) {
            Ok(found) if found == self.now() => Ok(()),
            Ok(_) => Err(format!("{place}: a scan gives a wrong answer")),
            Err(error) => damage(error),
        }?;
        for (key, value) in self.now().iter().take(20) {
            match db.get(key) {
                Ok(found) if found.as_deref() == Some(value.as_slice()) => {}
                Ok(_) => return Err(format!("{place}: a get gives a wrong answer")),
                Err(error) => damage(error)?,
            }
        }
        Ok(())
    }

    /// Everything once more: both directions, every key, and the tables.
    fn answer_all(&mut self) -> Verdict {
        self.scan(&Bound::Unbounded, &Bound::Unbounded, true)?;
        let keys: Vec<Key> = (0..120).map(|n| format!("key{n:03}").into_bytes()).collect();
        keys.iter().try_for_each(|key| self.get(key))?;
        self.check()?;
        self.let_go();
        Ok(())
    }
}
