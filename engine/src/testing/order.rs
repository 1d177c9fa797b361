//! A watcher that knows in which order things must become durable, and notes every breach.
//!
//! ```text
//! wal       create -> directory synced -> a next log is created, or a manifest edit names it as the oldest;
//!           the old log is synced before a newer one is, and before the one after that is created
//! table     all bytes -> synced -> directory synced -> a manifest edit adds it
//! manifest  created, synced, directory synced -> CURRENT names it
//! delete    never a file that the manifest names, with or without the edits that are not yet synced
//! failure   nothing is written to a file after a write or sync of it failed
//! ```
//!
//! A record without a body right after a sync only records that sync; it needs no sync itself.

mod edits;

use crate::storage::trace::{Operation, WatchedStorage, Watcher};
use crate::storage::{FileName, Storage};
use edits::Edits;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// Longest append that can only be a record without a body \[bytes\].
const MARK_BYTES_MAX: usize = 32;

/// Notes every operation that comes too early.
#[derive(Debug, Default)]
pub struct OrderWatcher {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<FileName, Watched>,
    /// The edits of the newest manifest.
    edits: Edits,
    breaches: Vec<String>,
}

/// The state of a file that was written or created under watch.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a file")]
struct Watched {
    writes: u64,
    dirty: bool,
    just_synced: bool,
    /// Created, and the directory not synced since.
    nameless: bool,
    /// The thread in which a write or sync of it failed first.
    failed_in: Option<ThreadId>,
    /// A write of another thread has ended after the failure. It may have begun before, so one is no breach.
    overtaken: bool,
}

impl Watched {
    /// Notes the outcome of a write or sync.
    fn note(&mut self, ok: bool) {
        if !ok {
            self.failed_in.get_or_insert_with(|| thread::current().id());
        }
    }

    fn has_failed(&self) -> bool {
        self.failed_in.is_some()
    }

    /// Whether a write of this thread has certainly begun after the failure.
    fn refuses_write(&self) -> bool {
        self.failed_in.is_some_and(|thread| self.overtaken || thread == thread::current().id())
    }
}

impl OrderWatcher {
    /// Decorates `inner` with a new watcher.
    pub fn over(inner: Arc<dyn Storage>) -> (Arc<Self>, Arc<dyn Storage>) {
        let order = Arc::new(Self::default());
        let watcher: Arc<dyn Watcher> = Arc::<Self>::clone(&order);
        (order, Arc::new(WatchedStorage::new(inner, watcher)))
    }

    /// The operations that came too early so far; empty when the engine keeps its promises.
    pub fn breaches(&self) -> Vec<String> {
        self.state().breaches.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for OrderWatcher {
    fn done(&self, operation: Operation, ok: bool) {
        let mut state = self.state();
        if let Some(breach) = state.breach(operation) {
            state.breaches.push(format!("{operation}: {breach}"));
        }
        state.record(operation, ok);
    }

    fn appending(&self, name: FileName, bytes: &[u8]) {
        let FileName::Manifest(number) = name else { return };
        let mut state = self.state();
        for table in state.edits.append(number, bytes) {
            let table = FileName::Table(table);
            let early = state.files.get(&table).is_some_and(|file| file.dirty || file.nameless);
            if early {
                state.breaches.push(format!("append {name}: it adds {table}, not yet durable"));
            }
        }
        let oldest = FileName::Wal(state.edits.oldest_log());
        if state.files.get(&oldest).is_some_and(|file| file.nameless) {
            state.breaches.push(format!("append {name}: it names {oldest}, not yet durable"));
        }
    }
}

impl State {
    /// Why `operation` comes too early, if it does.
    fn breach(&self, operation: Operation) -> Option<String> {
        match operation {
            Operation::Create(FileName::Wal(_)) => {
                let logs = self.files.keys().filter(|name| matches!(name, FileName::Wal(_)));
                let newest = logs.max().copied();
                let nameless = || {
                    let is_nameless = |name: FileName, file: &Watched| {
                        matches!(name, FileName::Wal(_)) && file.nameless && !file.has_failed()
                    };
                    self.first(is_nameless)
                        .map(|old| format!("the name of {old}, the log before, is not durable"))
                };
                newest.and_then(|newest| self.unsynced_before(newest)).or_else(nameless)
            }
            Operation::Create(_) | Operation::SyncDirectory | Operation::Lock => None,
            Operation::Append(FileName::Current, _) => Some("CURRENT is never appended to".into()),
            Operation::Write(FileName::Current, ..) => self
                .first(|name, file| {
                    matches!(name, FileName::Manifest(_)) && (file.dirty || file.nameless)
                })
                .map(|manifest| format!("{manifest} is not durable yet")),
            Operation::Write(..) => Some("only CURRENT is overwritten".into()),
            Operation::Append(name, _) | Operation::Sync(name) => {
                let is_sync = matches!(operation, Operation::Sync(_));
                let refused = |file: &Watched| {
                    if is_sync { file.has_failed() } else { file.refuses_write() }
                };
                let failed = self.files.get(&name).is_some_and(refused);
                let failed = failed.then(|| "an earlier write or sync of it failed".into());
                let early = || match operation {
                    Operation::Sync(FileName::Wal(_)) => self.unsynced_before(name),
                    _ => None,
                };
                failed.or_else(early)
            }
            Operation::Delete(name) => self.early_deletion(name),
        }
    }

    /// That a log older than `log` has unsynced records, if one has.
    fn unsynced_before(&self, log: FileName) -> Option<String> {
        let is_unsynced = |name: FileName, file: &Watched| {
            matches!(name, FileName::Wal(_)) && name < log && file.dirty && !file.has_failed()
        };
        self.first(is_unsynced).map(|old| format!("{old} has unsynced records"))
    }

    fn early_deletion(&self, name: FileName) -> Option<String> {
        match name {
            // A table that an edit removes is named until that edit is durable.
            FileName::Table(number) if self.edits.is_known() => {
                self.edits.has_table(number).then(|| "the manifest names it".into())
            }
            FileName::Wal(number) if self.edits.is_known() => {
                // The entries of its memtable are in no table yet; a log without records had none.
                let used = self.files.get(&name).is_some_and(|file| file.writes > 1);
                (used && self.edits.needs_log(number)).then(|| "the manifest needs it".into())
            }
            _ => self
                .first(|name, file| {
                    let names_files = matches!(name, FileName::Manifest(_) | FileName::Current);
                    names_files && file.dirty && !file.has_failed()
                })
                .map(|manifest| format!("{manifest} is not durable yet")),
        }
    }

    fn record(&mut self, operation: Operation, ok: bool) {
        match operation {
            Operation::Create(name) if ok => {
                if let FileName::Manifest(number) = name {
                    self.edits.created(number);
                }
                self.files.insert(name, Watched { nameless: true, ..Watched::default() });
            }
            Operation::Delete(name) if ok => {
                self.files.remove(&name);
            }
            Operation::Append(name, bytes) | Operation::Write(name, _, bytes) => {
                let file = self.files.entry(name).or_default();
                let mark = file.just_synced && bytes <= MARK_BYTES_MAX;
                file.writes += 1;
                file.dirty |= !mark;
                file.just_synced = false;
                file.overtaken |= file.has_failed();
                file.note(ok);
            }
            Operation::Sync(name) => {
                let file = self.files.entry(name).or_default();
                file.dirty &= !ok;
                file.just_synced = ok;
                file.note(ok);
                if let (FileName::Manifest(number), true) = (name, ok) {
                    self.edits.synced(number);
                }
            }
            // Another opening: recovery deals with the files of the last one.
            Operation::Lock => {
                self.files.clear();
                self.edits = Edits::default();
            }
            Operation::SyncDirectory if ok => {
                self.files.values_mut().for_each(|file| file.nameless = false);
            }
            Operation::Create(_) | Operation::Delete(_) | Operation::SyncDirectory => {}
        }
    }

    fn first(&self, wanted: impl Fn(FileName, &Watched) -> bool) -> Option<FileName> {
        self.files.iter().find(|(name, file)| wanted(**name, file)).map(|(name, _)| *name)
    }
}
