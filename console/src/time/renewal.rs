//! A new history, after a replay has differed from what the session did.

use crate::history::{Copied, Copying, Input, Journal};
use crate::output::Failure;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use std::sync::Arc;

/// Opens the database of the current branch again, begins a new journal there, and reports
/// why. Until then its state is one that no replica can come to.
pub(crate) struct Renewal {
    failure: Failure,
    copying: Copying,
    /// Whether the files are closed and copied.
    begun: bool,
    /// Whether there were snapshots or transactions.
    released: bool,
}

impl Renewal {
    /// A new history, because of `failure`.
    pub(crate) fn new(failure: Failure) -> Self {
        Self { failure, copying: Copying::default(), begun: false, released: false }
    }

    /// Closes the database and begins a journal with its files. After `WouldBlock` it goes on.
    fn begin(&mut self, session: &mut Session) -> levelscope::Result<()> {
        self.released |= !(session.snapshots.is_empty() && session.transactions.is_empty());
        session.close()?;
        let step = session.tape.step();
        let why = format!(
            "what happened up to step {} cannot be replayed: {}",
            text::count(step),
            self.failure.message
        );
        let before = Some(Arc::new(Journal::off(why)));
        let storage = session.storage();
        let journal = match self.copying.copy(&*storage, session.host.replay_bytes_max())? {
            Copied::Whole(image) => Journal::new(image, step, before),
            Copied::Refused(why) => Journal::off(why),
        };
        session.journal = Some(Arc::new(journal));
        let hint = format!(
            "the database was opened again, and a new history begins after step {}{}",
            text::count(step),
            if self.released { "; snapshots and open transactions were released" } else { "" }
        );
        self.failure.hint = Some(hint);
        Ok(())
    }
}

impl Task for Renewal {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if !self.begun {
            self.begin(session)?;
            self.begun = true;
        }
        let options = session.options.clone();
        let opened = session.open(options.clone());
        if let Err(error) = &opened
            && error.blocked_on().is_some()
        {
            return Err(error.clone().into());
        }
        session.note(Input::Open(Box::new(options)));
        opened?;
        session.time.leave_past();
        let failure = Failure { kind: "unavailable".into(), ..self.failure.clone() };
        Err(failure.into())
    }
}
