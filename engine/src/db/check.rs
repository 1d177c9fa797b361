//! Checking an open database: its state in memory, and the check that compares the files with it.

use super::Db;
use crate::Result;
use crate::check::{Check, CheckReport, Live, LiveDisk};
use crate::manifest::current;
use crate::storage::{FileName, FileNumber, read_exactly};
use std::collections::BTreeSet;
use std::sync::Arc;

/// # Check and copy
impl Db {
    /// Reads every file from end to end and compares the files with each other.
    ///
    /// Cost: reads everything twice; memory for the longest log and the manifest, a block of each run,
    /// and the index of each.
    ///
    /// # Errors
    /// `WouldBlock`; errors of listing the directory. Every other error is a finding of the report.
    pub fn check(&self) -> Result<CheckReport> {
        self.checker()?.run()
    }

    /// [`Self::check`] in small steps. It checks the current state of the database, and keeps the tables that it has
    /// still to read. Readers and writers do not wait for it.
    ///
    /// A database that was opened for reading is checked on disk, where its owner may change files meanwhile: the
    /// report names such changes.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing; those of listing the directory and of reading the manifest.
    pub fn checker(&self) -> Result<Check> {
        let storage = Arc::clone(&self.shared().storage);
        if self.shared().reading {
            return Ok(Check::unlocked(storage));
        }
        let live = self.live()?;
        // Listed afterwards: a file that has appeared since has a reserved number, or one not yet given out.
        let listed = storage.list()?;
        Ok(Check::of_open(storage, listed, live))
    }

    /// The state of the database in memory, at one moment.
    fn live(&self) -> Result<Live> {
        let shared = self.shared();
        let failed = shared.failure().is_some();
        let writer = self.writer();
        let core = shared.core();
        let manifest = shared.manifest();
        let mut busy: BTreeSet<FileNumber> = core.obsolete.clone();
        busy.extend(core.jobs.iter().flat_map(|job| &job.outputs));
        busy.extend([core.next_wal, core.next_table]);
        busy.extend(manifest.reserved());
        busy.extend(core.closed_wals.iter().map(|log| log.wal));
        let disk = if failed {
            None
        } else {
            let mut logs: Vec<(FileNumber, u64)> =
                core.closed_wals.iter().map(|log| (log.wal, log.written_bytes)).collect();
            let active = writer.wal.view();
            logs.push((active.wal, active.written_bytes));
            let name = FileName::Manifest(manifest.number());
            let bytes = usize::try_from(manifest.bytes()).unwrap_or(usize::MAX);
            let file = shared.storage.open(name)?;
            Some(LiveDisk {
                current: current::read(&*shared.storage)?,
                manifest: (manifest.number(), read_exactly(&*file, name, 0, bytes)?),
                state: manifest.state().clone(),
                logs,
            })
        };
        let db = self.clone();
        Ok(Live {
            owner: manifest.owner(),
            version: Arc::clone(&core.version),
            disk,
            busy,
            next_file: core.next_file,
            needs_log: Box::new(move |log| db.shared().manifest().state().log_number <= log),
        })
    }
}
