//! The worker as the host of a console: its files, and the console's requests to it.

use crate::event_buffer::EventBuffer;
use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
#[cfg(target_arch = "wasm32")]
use levelscope_console::experiments::{Running, Settings};
use levelscope_console::protocol::{StorageKind, Wanted};
use levelscope_console::{Failure, Foreign, Host, Listener, PlayChange};
use levelscope_origin::OriginStorage;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Requests of the console to the worker that it has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct HostRequests {
    play: Mutex<Option<PlayChange>>,
    /// Whether a person is to be asked for files.
    pick: AtomicBool,
    /// What is to be fetched before the work goes on.
    wants: Mutex<Option<Wanted>>,
    /// Files for the user to keep, and their common name.
    saved: Mutex<Option<(String, Vec<Foreign>)>>,
}

impl HostRequests {
    pub(crate) fn play(&self, change: PlayChange) {
        *self.play.lock().unwrap_or_else(PoisonError::into_inner) = Some(change);
    }

    pub(crate) fn pick(&self) {
        self.pick.store(true, Ordering::Relaxed);
    }

    /// The command at work waits until the worker has fetched this.
    pub(crate) fn want(&self, wanted: Wanted) {
        *self.wants.lock().unwrap_or_else(PoisonError::into_inner) = Some(wanted);
    }

    pub(crate) fn take_wants(&self) -> Option<Wanted> {
        self.wants.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn save(&self, name: &str, files: Vec<Foreign>) {
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner) = Some((name.to_owned(), files));
    }

    /// The name of the files that wait.
    pub(crate) fn saved_name(&self) -> Option<String> {
        let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        saved.as_ref().map(|(name, _)| name.clone())
    }

    pub(crate) fn take_saved(&self) -> Option<Foreign> {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        let file = saved.as_mut().and_then(|(_, files)| files.pop());
        if file.is_none() {
            *saved = None;
        }
        file
    }

    pub(crate) fn take_pick(&self) -> bool {
        self.pick.swap(false, Ordering::Relaxed)
    }

    pub(crate) fn take_play(&self) -> Option<PlayChange> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The worker as the host of a console.
pub(crate) struct Worker {
    pub(crate) place: StorageKind,
    /// The files, where they are in memory.
    pub(crate) disk: Option<MemoryStorage>,
    pub(crate) events: Arc<EventBuffer>,
    pub(crate) requests: Arc<HostRequests>,
}

/// Most bytes of a log in memory: one write costs as much here as the put of many entries. The console writes it out at
/// the end of each command, so an answered command is not lost with the tab.
const WAL_BUFFER_BYTES: u64 = levelscope_console::lesson::WAL_BUFFER_BYTES;

/// The options of the preset `name` in a worker.
pub(crate) fn preset(name: &str) -> Option<Options> {
    Some(Options::preset(name)?.wal_buffer_bytes(WAL_BUFFER_BYTES))
}

impl Host for Worker {
    fn preset(&self, name: &str) -> Option<Options> {
        preset(name)
    }

    fn storage(&self) -> Arc<dyn Storage> {
        match &self.disk {
            Some(disk) => Arc::new(disk.clone()),
            None => Arc::new(OriginStorage::ONLY),
        }
    }

    fn disk(&self) -> Option<MemoryStorage> {
        self.disk.clone()
    }

    fn advice(&self) -> Option<&'static str> {
        let saved = "`export` saves the files, and `levelscope repair DIR NEW` of the native program saves their \
                     verified data";
        (self.place == StorageKind::Opfs).then_some(saved)
    }

    fn listener(&self) -> Option<Arc<dyn Listener>> {
        Some(Arc::clone(&self.events) as Arc<dyn Listener>)
    }

    fn place(&self) -> String {
        match self.place {
            StorageKind::Opfs => "this browser".into(),
            StorageKind::Memory => "memory".into(),
        }
    }

    fn threads_allowed(&self) -> bool {
        false
    }

    fn in_slices(&self) -> bool {
        true
    }

    fn clock_nanos(&self) -> Option<u64> {
        crate::clock::nanos()
    }

    #[cfg(target_arch = "wasm32")]
    fn experiment(&self, settings: &Settings, csv: bool) -> Result<Box<dyn Running>, Failure> {
        Ok(Box::new(crate::labs::Remote::new(settings, csv, &self.requests)))
    }

    fn lessons(&self) -> Option<&'static [&'static str]> {
        let lent = crate::lessons::lent();
        if lent.is_none() {
            self.requests.want(Wanted::Lessons);
        }
        lent
    }

    fn has_cursor(&self) -> bool {
        true
    }

    fn play(&self, change: PlayChange) -> bool {
        self.requests.play(change);
        true
    }

    fn pick_files(&self) -> bool {
        self.requests.pick();
        true
    }

    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        self.requests.save(name, files);
        Ok(())
    }
}
