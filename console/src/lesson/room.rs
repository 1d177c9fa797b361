//! The host of a lesson's database: an empty disk in memory.

use crate::experiments::{Running, Settings};
use crate::history::{Listener, Step};
use crate::host::Foreign;
use crate::host::{Host, PlayChange};
use crate::output::Failure;
use levelscope::Options;
use levelscope::event::Event;
use levelscope::storage::{MemoryStorage, Storage};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// As the real host, around an empty disk in memory.
pub(super) struct Room {
    real: Arc<dyn Host>,
    disk: MemoryStorage,
    door: Door,
}

/// Whether events are heard outside of a room. A database closes when its console is dropped, and its last events would
/// be taken for those of the console that follows.
#[derive(Clone)]
pub(super) struct Door(Arc<AtomicBool>);

impl Door {
    /// From now on no event is heard.
    pub(super) fn shut(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Hears a database as long as the door of its room is open.
struct Ear {
    real: Arc<dyn Listener>,
    door: Door,
}

impl Listener for Ear {
    fn event(&self, step: Step, event: &Event) {
        if self.door.0.load(Ordering::Relaxed) {
            self.real.event(step, event);
        }
    }

    fn wants_detail(&self) -> bool {
        self.real.wants_detail()
    }
}

impl Room {
    pub(super) fn new(real: Arc<dyn Host>) -> Self {
        let door = Door(Arc::new(AtomicBool::new(true)));
        Self { real, disk: MemoryStorage::default(), door }
    }

    /// Its door.
    pub(super) fn door(&self) -> Door {
        self.door.clone()
    }
}

impl Host for Room {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.disk.clone())
    }

    fn disk(&self) -> Option<MemoryStorage> {
        Some(self.disk.clone())
    }

    fn listener(&self) -> Option<Arc<dyn Listener>> {
        let real = self.real.listener()?;
        Some(Arc::new(Ear { real, door: self.door.clone() }))
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn preset(&self, name: &str) -> Option<Options> {
        super::options(name)
    }

    fn bytes_shown_by(&self) -> &'static str {
        self.real.bytes_shown_by()
    }

    fn in_slices(&self) -> bool {
        self.real.in_slices()
    }

    fn has_cursor(&self) -> bool {
        self.real.has_cursor()
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.real.clock_nanos()
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

    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        self.real.save_files(name, files)
    }

    fn play(&self, change: PlayChange) -> bool {
        self.real.play(change)
    }
}
