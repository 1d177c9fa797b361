//! Where the benchmarks run: a database that is not the open one.

use super::settings::Settings;
use crate::host::Scratch;
use crate::output::Failure;
use crate::session::{Session, Stop};
use levelscope::storage::FileName;
use levelscope::{Budget, Db, ErrorKind, Maintenance, OpenPolicy, Options, Result, StepOutcome};

/// The database of the benchmarks.
pub(super) struct BenchDatabase {
    /// Dropped before the files that it is in.
    db: Option<Db>,
    scratch: Scratch,
    options: Options,
    description: String,
}

impl BenchDatabase {
    /// Finds a place and opens the database there.
    ///
    /// # Errors
    /// There is no clock or no place; `--db` holds a database that `--use_existing_db` does not name.
    pub(super) fn find(session: &Session, settings: &Settings) -> std::result::Result<Self, Stop> {
        if session.host.clock_nanos().is_none() {
            return Err(Failure::usage("there is no clock here to measure with").into());
        }
        if settings.threads > 1 && (session.host.in_slices() || !session.host.threads_allowed()) {
            let failure = Failure::usage("there are no threads here for --threads");
            return Err(failure.hint("the native program has them").into());
        }
        let scratch = session.host.scratch(settings.db.as_deref())?;
        let holds_database = match OpenPolicy::EXISTING.check(&*scratch.storage) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error.into()),
        };
        if holds_database != settings.use_existing {
            let (message, hint) = if holds_database {
                (
                    "--db names a database already",
                    "name an empty directory, or add --use_existing_db=1",
                )
            } else {
                ("--db names no database", "leave --use_existing_db out to make one")
            };
            return Err(Failure::usage(message).hint(hint).into());
        }
        let (maintenance, worker) = if session.host.in_slices() {
            (Maintenance::Manual, "flushes and compactions run between the operations")
        } else if session.host.threads_allowed() {
            (Maintenance::Threads(1), "one background thread flushes and compacts")
        } else {
            (Maintenance::Inline, "flushes and compactions run inside the write that causes them")
        };
        let description = format!("{}; {worker}", scratch.place);
        let options = settings.options.clone().maintenance(maintenance);
        let mut place = Self { db: None, scratch, options, description };
        place.reopen()?;
        Ok(place)
    }

    /// The place of the database and its maintenance mode, in words.
    pub(super) fn description(&self) -> &str {
        &self.description
    }

    /// The open database.
    ///
    /// # Errors
    /// `Closed`, when opening has failed before.
    pub(super) fn database(&self) -> Result<&Db> {
        let closed = || levelscope::Error::invalid("the database of the benchmark is not open");
        self.db.as_ref().ok_or_else(closed)
    }

    /// Closes the database and opens it again.
    ///
    /// # Errors
    /// Those of closing and of opening.
    pub(super) fn reopen(&mut self) -> Result<()> {
        if let Some(db) = self.db.take() {
            db.close()?;
        }
        let storage = std::sync::Arc::clone(&self.scratch.storage);
        self.db = Some(Db::builder().options(self.options.clone()).open_in(storage)?);
        Ok(())
    }

    /// Deletes the database, which is the benchmark's own, and opens an empty one.
    ///
    /// # Errors
    /// Those of closing, deleting and opening.
    pub(super) fn start_over(&mut self) -> Result<()> {
        if let Some(db) = self.db.take() {
            db.close()?;
        }
        let storage = &self.scratch.storage;
        let names = storage.list()?;
        for name in names.iter().filter_map(|name| FileName::parse(name)) {
            if name != FileName::Lock {
                storage.delete(name)?;
            }
        }
        storage.sync_directory()?;
        self.reopen()
    }

    /// Does one phase of background work, if any is due, on hosts whose calls must be short.
    ///
    /// # Errors
    /// Those of the job.
    pub(super) fn work(&self) -> Result<bool> {
        if self.options.maintenance != Maintenance::Manual {
            return Ok(false);
        }
        let db = self.database()?;
        Ok(db.has_work() && db.step(Budget::Phase)? != StepOutcome::Idle)
    }
}
