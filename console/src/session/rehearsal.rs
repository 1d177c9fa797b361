//! A rehearsal: a script that runs on an empty disk of its own, to see where it leads.

use super::replica::ReplicaHost;
use super::{Interpreter, Session};
use crate::history::unavailable;
use crate::language::Script;
use crate::output::{Failure, Progress};
use levelscope::storage::MemoryStorage;
use levelscope::{Error, Identity};
use std::collections::VecDeque;
use std::sync::Arc;

/// A script at work.
pub(crate) struct Rehearsal {
    console: Box<dyn Interpreter>,
    left: VecDeque<String>,
    /// Whether the first of them has begun.
    begun: bool,
    units: u64,
    /// The kind of failure of each command that is done.
    failures: Vec<Option<String>>,
}

impl Rehearsal {
    /// An empty database for `script`; its files carry `identity`.
    ///
    /// # Errors
    /// Those of opening it.
    pub(crate) fn new(
        session: &Session,
        script: &Script,
        identity: Identity,
    ) -> Result<Self, Failure> {
        let disk = MemoryStorage::with_identity(identity).in_order_of(&*session.storage());
        let host = ReplicaHost::new(&session.host, &disk, "memory".into());
        let mut console = (session.interpreter)(Arc::new(host), 0);
        // A power failure leaves what is on this disk.
        console.session_mut().disk = Some(disk);
        console.open(script.options.clone())?;
        let left = script.lines.iter().map(|line| line.text.clone()).collect();
        Ok(Self { console, left, begun: false, units: 0, failures: Vec::new() })
    }

    /// Goes on, with at most about `units` operations; whether the script is done.
    ///
    /// # Errors
    /// It takes too long, or needs what is not there.
    pub(crate) fn advance(&mut self, units: u32) -> Result<bool, Failure> {
        let Some(line) = self.left.front() else { return Ok(true) };
        if !self.begun {
            self.console.start(line);
            self.begun = true;
        }
        match self.console.advance(units) {
            Progress::More { .. } => {
                self.units = self.units.saturating_add(u64::from(units));
                if self.units > Script::UNITS_MAX {
                    let most = crate::text::count(Script::UNITS_MAX);
                    let message = format!("the commands take more than {most} units of work");
                    return Err(unavailable(&message));
                }
            }
            Progress::Done(response) => {
                self.failures.push(response.error.map(|failure| failure.kind));
                self.next();
            }
            Progress::Idle => {
                self.failures.push(None);
                self.next();
            }
            Progress::Blocked(file, _) => return Err(Error::would_block(file).into()),
        }
        Ok(self.left.is_empty())
    }

    fn next(&mut self) {
        self.left.pop_front();
        self.begun = false;
    }

    /// Commands that are done.
    pub(crate) fn done(&self) -> u64 {
        self.failures.len() as u64
    }

    /// The kind of failure of each command that is done.
    pub(crate) fn failures(&self) -> &[Option<String>] {
        &self.failures
    }

    /// The session that the script has led to.
    pub(crate) fn session(&self) -> &Session {
        self.console.session()
    }
}
