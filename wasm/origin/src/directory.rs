//! The directory as worker and engine share it: which files exist, and which are open.
//!
//! Handles belong to the thread that opened them, so directories live there too, by number; the engine holds only
//! numbers.

use super::entry::{Entry, State};
use super::host::Host;
use super::numbered::Numbered;
use super::open_handle::Handle;
use super::storage::{OriginFile, OriginStorage};
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::{Error, ErrorKind, Identity, Result};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    static DIRECTORIES: RefCell<Numbered<Directory>> = const { RefCell::new(Numbered::new()) };
}

/// The files of one database directory and their handles.
pub struct Directory {
    /// Which of the directories of this thread it is.
    number: u64,
    /// Opens files at once; without one they are registered.
    host: Option<Rc<dyn Host>>,
    /// The identity of a database that is created here.
    identity: Identity,
    /// By number; a file that is deleted and created again gets a new one.
    pub(super) entries: Numbered<Entry>,
    /// Names that are not ours: listed, never touched.
    pub(super) foreign: Vec<String>,
    /// Deleted by the engine, oldest first.
    pub(super) removed: Vec<u64>,
    /// Files that were asked for and not open, in the order of asking.
    pub(super) blocked: Vec<FileName>,
    locked: bool,
    /// Whether writes wait for the worker.
    pub(super) staging: bool,
    /// Why a settling failed.
    pub(super) failed: Option<Error>,
    next_entry: u64,
    clock: u64,
}

impl Directory {
    fn new(number: u64) -> Self {
        Self {
            number,
            host: None,
            identity: MemoryStorage::IDENTITY,
            entries: Numbered::new(),
            foreign: Vec::new(),
            removed: Vec::new(),
            blocked: Vec::new(),
            locked: false,
            staging: false,
            failed: None,
            next_entry: 0,
            clock: 0,
        }
    }
}

impl Directory {
    /// Runs `act` on the directory with this number on this thread, made when it is absent.
    pub(super) fn with<T>(number: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        DIRECTORIES.with_borrow_mut(|directories| match Self::found(directories, number) {
            Some(directory) => act(directory),
            // `found` has just inserted it; an empty one is equal to it.
            None => act(&mut Self::new(number)),
        })
    }

    /// Not inlined: every read and write calls it.
    #[inline(never)]
    fn found(directories: &mut Numbered<Self>, number: u64) -> Option<&mut Self> {
        if directories.get(number).is_none() {
            directories.insert(number, Self::new(number));
        }
        directories.get_mut(number)
    }

    /// A number that no directory of this thread has, after `first`.
    pub(super) fn free_number(first: u64) -> u64 {
        DIRECTORIES.with_borrow_mut(|directories| {
            let last = directories.last_number().unwrap_or(first);
            let number = last.max(first).saturating_add(1);
            directories.insert(number, Self::new(number));
            number
        })
    }

    /// Closes its handles and forgets it.
    pub(super) fn forget(number: u64) {
        Self::with(number, Self::close_all);
        DIRECTORIES.with_borrow_mut(|directories| directories.remove(number));
    }

    /// From now on files are opened by `host`, at once.
    pub fn serve(&mut self, host: Rc<dyn Host>) {
        self.host = Some(host);
    }

    /// Starts over with the names found in the directory; open handles are closed.
    pub fn begin(&mut self, listed: impl IntoIterator<Item = String>) {
        self.close_all();
        for name in listed {
            match FileName::parse(&name) {
                Some(parsed) => {
                    let id = self.insert(parsed, State::Present);
                    self.entries.get_mut(id).into_iter().for_each(|entry| entry.medium.made = true);
                }
                None => {
                    self.foreign.push(name);
                }
            }
        }
    }

    /// Gives a database that is created here this identity: the host has drawn it at random.
    pub fn identify(&mut self, identity: Identity) {
        self.identity = identity;
    }

    pub(super) fn identity(&self) -> Identity {
        self.identity
    }

    /// Hands over the handle of `name`. A name that the engine does not know yet becomes a file
    /// prepared for it, and is emptied.
    ///
    /// # Errors
    /// `InvalidArgument` for a foreign name or one that is open already; the browser's error.
    pub fn register(&mut self, name: &str, handle: Box<dyn Handle>) -> Result<()> {
        let Some(parsed) = FileName::parse(name) else {
            handle.close();
            return Err(Error::invalid(format!("{name:?} is not a file of a database")));
        };
        self.blocked.retain(|blocked| *blocked != parsed);
        let id = match self.id_of(parsed) {
            Some(id) => id,
            None => self.insert(parsed, State::Prepared),
        };
        let entry = self.entry(id)?;
        if entry.handle.is_some() {
            handle.close();
            return Err(Error::invalid(format!("{name} is open already")));
        }
        entry.attach(handle)?;
        if entry.state == State::Prepared {
            entry.clear()?;
        }
        self.touch(id);
        Ok(())
    }

    /// Whether the worker has to open `name` before the engine can create or read it.
    pub fn is_wanted(&self, name: &str) -> bool {
        FileName::parse(name).is_some_and(|name| {
            let entry = self.id_of(name).and_then(|id| self.entries.get(id));
            entry.is_none_or(|entry| entry.handle.is_none())
        })
    }

    /// Files that calls have waited for since the last time, each once: the worker opens all of them together.
    pub fn take_blocked(&mut self) -> Vec<String> {
        std::mem::take(&mut self.blocked).iter().map(ToString::to_string).collect()
    }

    /// The answer to who needs `name`, which is not open.
    fn block(&mut self, name: FileName) -> Error {
        if !self.blocked.contains(&name) {
            self.blocked.push(name);
        }
        Error::would_block(name)
    }

    /// Files that the engine has deleted and no longer reads, in its order. Their handles are closed
    /// now: the worker removes the files.
    pub fn take_removed(&mut self) -> Vec<String> {
        self.take_removed_if(|_| true)
    }

    pub(super) fn take_removed_if(&mut self, wanted: impl Fn(FileName) -> bool) -> Vec<String> {
        let mut names = Vec::new();
        if self.failed.is_some() {
            // The medium still needs them.
            return names;
        }
        let entries = &mut self.entries;
        self.removed.retain(|id| {
            if entries.get(*id).is_some_and(|entry| entry.is_used() || !wanted(entry.name)) {
                return true;
            }
            if let Some(mut entry) = entries.remove(*id) {
                entry.close();
                if entry.medium.made {
                    names.push(entry.name.to_string());
                }
            }
            false
        });
        names
    }

    fn insert(&mut self, name: FileName, state: State) -> u64 {
        self.next_entry += 1;
        self.entries.insert(self.next_entry, Entry::new(name, state));
        self.next_entry
    }

    /// The prepared or present file of this name; there are far fewer files than reads of them.
    fn id_of(&self, name: FileName) -> Option<u64> {
        let is_it = |entry: &Entry| entry.name == name && entry.state != State::Removed;
        self.entries.iter().rev().find(|(_, entry)| is_it(entry)).map(|(id, _)| id)
    }

    fn touch(&mut self, id: u64) {
        self.clock += 1;
        if let Some(entry) = self.entries.get_mut(id) {
            entry.touched = self.clock;
        }
    }

    /// The entry of an open file.
    pub(super) fn entry(&mut self, id: u64) -> Result<&mut Entry> {
        self.entries.get_mut(id).ok_or_else(|| {
            Error::new(ErrorKind::Closed, "the files were closed when the database was")
        })
    }

    /// The same, for reading: with a handle, where a host can open one.
    pub(super) fn entry_to_read(&mut self, id: u64) -> Result<&mut Entry> {
        self.touch(id);
        let host = self.host.clone();
        let entry = self.entry(id)?;
        if let Some(host) = host
            && entry.handle.is_none()
        {
            entry.open(&*host)?;
        }
        Ok(entry)
    }

    fn file(&mut self, id: u64, writable: bool) -> Result<OriginFile> {
        self.touch(id);
        let storage = OriginStorage::numbered(self.number);
        let entry = self.entry(id)?;
        Ok(OriginFile::new(storage, id, entry.name, writable, Arc::clone(&entry.users)))
    }

    /// A deleted file of this name whose handle can be used again.
    fn reusable(&self, name: FileName) -> Option<u64> {
        self.removed.iter().copied().find(|id| {
            self.entries.get(*id).is_some_and(|entry| {
                entry.name == name && entry.handle.is_some() && !entry.is_used()
            })
        })
    }

    /// A file made by the host, as one that a worker has prepared.
    fn created_by(&mut self, host: &dyn Host, name: FileName) -> Result<u64> {
        let made = host.create(&name.to_string());
        let handle = made.map_err(|refusal| refusal.error(name, "create"))?;
        let id = self.insert(name, State::Prepared);
        self.entry(id)?.attach(handle)?;
        Ok(id)
    }

    pub(super) fn create(&mut self, name: FileName) -> Result<OriginFile> {
        self.refuse_after_failure()?;
        let id = match (self.id_of(name), self.host.clone()) {
            (Some(id), _) => id,
            (None, Some(host)) => self.created_by(&*host, name)?,
            (None, None) => match self.reusable(name) {
                Some(id) => id,
                None if self.prepares_in_memory() => self.insert(name, State::Prepared),
                None => return Err(self.block(name)),
            },
        };
        let staging = self.is_staging();
        let entry = self.entry(id)?;
        match entry.state {
            State::Present => {
                let message = "it exists already and is not created again";
                return Err(Error::in_file(ErrorKind::InvalidArgument, name, message));
            }
            State::Prepared | State::Removed => {
                if staging {
                    entry.clear_staged();
                } else {
                    entry.clear()?;
                }
                entry.state = State::Present;
                entry.dirty = false;
            }
        }
        self.removed.retain(|removed| *removed != id);
        self.file(id, true)
    }

    pub(super) fn open(&mut self, name: FileName) -> Result<OriginFile> {
        let known = self.id_of(name);
        if let Some(id) = known
            && self.host.is_some()
        {
            self.entry_to_read(id)?;
        }
        let entry = known.and_then(|id| Some((id, self.entries.get(id)?)));
        match entry {
            // A file that was open once can be measured without its handle; reads will ask for it.
            Some((id, entry)) if entry.state == State::Present => {
                if entry.handle.is_none() && entry.length.is_none() {
                    return Err(self.block(name));
                }
                self.file(id, name == FileName::Current)
            }
            _ => Err(Error::in_file(ErrorKind::NotFound, name, "it does not exist")),
        }
    }

    pub(super) fn delete(&mut self, name: FileName) -> Result<()> {
        let (id, host) = (self.id_of(name), self.host.clone());
        match id.and_then(|id| Some((id, self.entries.get_mut(id)?))) {
            Some((id, entry)) if entry.state == State::Present => {
                if let Some(host) = host {
                    let removed = host.remove(&name.to_string());
                    removed.map_err(|refusal| refusal.error(name, "remove"))?;
                }
                entry.state = State::Removed;
                self.removed.push(id);
                Ok(())
            }
            _ => Err(Error::in_file(ErrorKind::NotFound, name, "it does not exist")),
        }
    }

    pub(super) fn prepare(&mut self, name: FileName) -> Result<()> {
        let known =
            self.host.is_some() || self.id_of(name).is_some() || self.reusable(name).is_some();
        if !known && self.prepares_in_memory() {
            self.insert(name, State::Prepared);
            return Ok(());
        }
        if known { Ok(()) } else { Err(self.block(name)) }
    }

    pub(super) fn list(&self) -> Vec<String> {
        let all = self.entries.iter().map(|(_, entry)| entry);
        let present = all.filter(|entry| entry.state == State::Present);
        let all = present.map(|entry| entry.name.to_string()).chain(self.foreign.iter().cloned());
        let mut names: Vec<String> = Vec::new();
        for name in all {
            names.insert(names.partition_point(|other| *other < name), name);
        }
        names
    }

    /// Makes creations and removals durable, where the host can; browsers have no way to do it.
    pub(super) fn sync(&self) -> Result<()> {
        let Some(host) = &self.host else { return Ok(()) };
        host.sync_directory()
            .map_err(|refusal| refusal.error(FileName::Current, "sync the directory of"))
    }

    pub(super) fn lock(&mut self) -> Result<()> {
        if self.locked {
            let message = "it is open already: close the other handle first";
            return Err(Error::new(ErrorKind::Locked, message));
        }
        self.locked = true;
        Ok(())
    }

    pub(super) fn unlock(&mut self) {
        self.locked = false;
        if self.failed.take().is_some() {
            self.return_to_medium();
        }
    }
}
