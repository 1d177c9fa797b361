//! The host of a lesson's database: an empty disk in memory.

use crate::history::Listener;
use crate::host::{Host, PlayChange};
use crate::output::Failure;
use crate::shelf::Foreign;
use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
use std::sync::Arc;

/// As the real host, around an empty disk in memory.
pub(super) struct Room {
    real: Arc<dyn Host>,
    disk: MemoryStorage,
}

impl Room {
    pub(super) fn new(real: Arc<dyn Host>) -> Self {
        Self { real, disk: MemoryStorage::default() }
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
        self.real.listener()
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

    fn read_files(&self, path: &str) -> Result<Vec<Foreign>, Failure> {
        self.real.read_files(path)
    }

    fn pick_files(&self) -> bool {
        self.real.pick_files()
    }

    fn write_file(&self, path: &str, bytes: &[u8], force: bool) -> Result<(), Failure> {
        self.real.write_file(path, bytes, force)
    }

    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        self.real.save_files(name, files)
    }

    fn opened_bytes_max(&self) -> u64 {
        self.real.opened_bytes_max()
    }

    fn play(&self, change: PlayChange) -> bool {
        self.real.play(change)
    }
}
