//! The directory as worker and engine share it: which files exist, and which are open.
//!
//! Handles belong to the thread that opened them, so directories live there too, by number; what the
//! engine holds are numbers.

use super::entry::{Entry, Handle, State};
use super::host::Host;
use super::storage::{OriginFile, OriginStorage};
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::{Error, ErrorKind, Identity, Result};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

thread_local! {
    static DIRECTORIES: RefCell<BTreeMap<u32, Directory>> = const { RefCell::new(BTreeMap::new()) };
}

/// The files of one database directory and their handles.
pub struct Directory {
    /// Which of the directories of this thread it is.
    number: u32,
    /// Opens files at once; without one they are registered.
    host: Option<Rc<dyn Host>>,
    /// What a database that is created here is called.
    identity: Identity,
    /// By number; a file that is deleted and created again gets a new one.
    entries: BTreeMap<u64, Entry>,
    /// Prepared and present files.
    names: BTreeMap<FileName, u64>,
    /// Names that are not ours: listed, never touched.
    foreign: BTreeSet<String>,
    /// Deleted by the engine, oldest first.
    removed: Vec<u64>,
    locked: bool,
    next_entry: u64,
    clock: u64,
}

impl Directory {
    fn new(number: u32) -> Self {
        Self {
            number,
            host: None,
            identity: MemoryStorage::IDENTITY,
            entries: BTreeMap::new(),
            names: BTreeMap::new(),
            foreign: BTreeSet::new(),
            removed: Vec::new(),
            locked: false,
            next_entry: 0,
            clock: 0,
        }
    }
}

impl Directory {
    /// Runs `act` on the directory with this number on this thread, made when it is absent.
    pub(super) fn with<T>(number: u32, act: impl FnOnce(&mut Self) -> T) -> T {
        DIRECTORIES.with_borrow_mut(|directories| {
            act(directories.entry(number).or_insert_with(|| Self::new(number)))
        })
    }

    /// A number that no directory of this thread has, after `first`.
    pub(super) fn free_number(first: u32) -> u32 {
        DIRECTORIES.with_borrow_mut(|directories| {
            let last = directories.last_key_value().map_or(first, |(last, _)| *last);
            let number = last.max(first).saturating_add(1);
            directories.insert(number, Self::new(number));
            number
        })
    }

    /// Closes its handles and forgets it.
    pub(super) fn forget(number: u32) {
        Self::with(number, Self::close_all);
        DIRECTORIES.with_borrow_mut(|directories| directories.remove(&number));
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
                    self.insert(parsed, State::Present);
                }
                None => {
                    self.foreign.insert(name);
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
    /// `InvalidArgument` for a foreign name or one that is open already; what the browser says.
    pub fn register(&mut self, name: &str, handle: Box<dyn Handle>) -> Result<()> {
        let Some(parsed) = FileName::parse(name) else {
            handle.close();
            return Err(Error::invalid(format!("{name:?} is not a file of a database")));
        };
        let id = match self.names.get(&parsed) {
            Some(id) => *id,
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
            let entry = self.names.get(&name).and_then(|id| self.entries.get(id));
            entry.is_none_or(|entry| entry.handle.is_none())
        })
    }

    /// Files that the engine has deleted and no longer reads, in its order. Their handles are closed
    /// now: the worker removes the files.
    pub fn take_removed(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let entries = &mut self.entries;
        self.removed.retain(|id| {
            if entries.get(id).is_some_and(Entry::is_used) {
                return true;
            }
            if let Some(mut entry) = entries.remove(id) {
                entry.close();
                names.push(entry.name.to_string());
            }
            false
        });
        names
    }

    /// Closes the handles of the tables not read for longest, until at most `cap` tables are open;
    /// returns their names. Reading one again answers `WouldBlock`.
    pub fn close_cold(&mut self, cap: usize) -> Vec<String> {
        let mut open: Vec<(u64, u64)> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.is_cold_candidate())
            .map(|(id, entry)| (entry.touched, *id))
            .collect();
        open.sort_unstable();
        let surplus = open.len().saturating_sub(cap);
        let mut names = Vec::new();
        for (_, id) in open.into_iter().take(surplus) {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.close();
                names.push(entry.name.to_string());
            }
        }
        names
    }

    /// Closes every handle without writing. Returns the files that were prepared but never created:
    /// empty, and to be removed.
    pub fn close_all(&mut self) -> Vec<String> {
        let mut prepared = Vec::new();
        for entry in self.entries.values_mut() {
            entry.close();
            if entry.state == State::Prepared {
                prepared.push(entry.name.to_string());
            }
        }
        self.entries.clear();
        self.names.clear();
        self.foreign.clear();
        self.removed.clear();
        prepared
    }

    fn insert(&mut self, name: FileName, state: State) -> u64 {
        self.next_entry += 1;
        self.entries.insert(self.next_entry, Entry::new(name, state));
        self.names.insert(name, self.next_entry);
        self.next_entry
    }

    fn touch(&mut self, id: u64) {
        self.clock += 1;
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.touched = self.clock;
        }
    }

    /// The entry of an open file.
    pub(super) fn entry(&mut self, id: u64) -> Result<&mut Entry> {
        self.entries.get_mut(&id).ok_or_else(|| {
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
            self.entries.get(id).is_some_and(|entry| {
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
        let id = match (self.names.get(&name), self.host.clone()) {
            (Some(id), _) => *id,
            (None, Some(host)) => self.created_by(&*host, name)?,
            (None, None) => self.reusable(name).ok_or_else(|| Error::would_block(name))?,
        };
        let entry = self.entry(id)?;
        match entry.state {
            State::Present => {
                let message = "it exists already and is not created again";
                return Err(Error::in_file(ErrorKind::InvalidArgument, name, message));
            }
            State::Prepared | State::Removed => {
                entry.clear()?;
                entry.state = State::Present;
                entry.dirty = false;
            }
        }
        self.removed.retain(|removed| *removed != id);
        self.names.insert(name, id);
        self.file(id, true)
    }

    pub(super) fn open(&mut self, name: FileName) -> Result<OriginFile> {
        let known = self.names.get(&name).copied();
        if let Some(id) = known
            && self.host.is_some()
        {
            self.entry_to_read(id)?;
        }
        let entry = self.names.get(&name).and_then(|id| Some((*id, self.entries.get(id)?)));
        match entry {
            // A file that was open once can be measured without its handle; reads will ask for it.
            Some((id, entry)) if entry.state == State::Present => {
                if entry.handle.is_none() && entry.length.is_none() {
                    return Err(Error::would_block(name));
                }
                self.file(id, name == FileName::Current)
            }
            _ => Err(Error::in_file(ErrorKind::NotFound, name, "it does not exist")),
        }
    }

    pub(super) fn delete(&mut self, name: FileName) -> Result<()> {
        let (id, host) = (self.names.get(&name).copied(), self.host.clone());
        match id.and_then(|id| Some((id, self.entries.get_mut(&id)?))) {
            Some((id, entry)) if entry.state == State::Present => {
                if let Some(host) = host {
                    let removed = host.remove(&name.to_string());
                    removed.map_err(|refusal| refusal.error(name, "remove"))?;
                }
                entry.state = State::Removed;
                self.names.remove(&name);
                self.removed.push(id);
                Ok(())
            }
            _ => Err(Error::in_file(ErrorKind::NotFound, name, "it does not exist")),
        }
    }

    pub(super) fn prepare(&self, name: FileName) -> Result<()> {
        let known =
            self.host.is_some() || self.names.contains_key(&name) || self.reusable(name).is_some();
        if known { Ok(()) } else { Err(Error::would_block(name)) }
    }

    pub(super) fn list(&self) -> Vec<String> {
        let present = self.entries.values().filter(|entry| entry.state == State::Present);
        let mut names: Vec<String> = present.map(|entry| entry.name.to_string()).collect();
        names.extend(self.foreign.iter().cloned());
        names.sort_unstable();
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
    }
}
