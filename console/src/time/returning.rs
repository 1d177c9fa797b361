//! Branches of an earlier session, each made again out of its journal.

use super::ReplicaRun;
use crate::history::KeptBranch;
use crate::output::{Answer, OutputLine};
use crate::session::{Goal, Session, Stop, Task, Turn};
use std::sync::Arc;

/// Brings back all branches that wait, slice by slice. One that cannot be made again is left out.
#[derive(Default)]
pub(crate) struct Returning {
    at_work: Option<(KeptBranch, ReplicaRun)>,
    back: Vec<String>,
    /// The names of those that are not, and why.
    lost: Vec<(String, String)>,
}

impl Returning {
    fn next(&mut self, session: &mut Session) -> bool {
        let Some(branch) = session.time.returning.front().cloned() else { return false };
        if let Some(why) = branch.journal.ended() {
            self.lost.push((branch.name, why.to_owned()));
            session.time.returning.pop_front();
            return true;
        }
        let run = ReplicaRun::fresh(session, Arc::clone(&branch.journal), Goal::End);
        self.at_work = Some((branch, run));
        true
    }

    fn print(&self, session: &mut Session) {
        if !self.back.is_empty() {
            let (branches, are) =
                if self.back.len() == 1 { ("Branch", "is") } else { ("Branches", "are") };
            let names = self.back.join(", ");
            session.print(
                OutputLine::default()
                    .dim(format!("{branches} {names} of your last visit {are} there again.")),
            );
        }
        session.lines.extend(self.lost.iter().map(|(name, why)| {
            OutputLine::default().dim(format!("Branch {name} did not come back: {why}."))
        }));
    }
}

impl Task for Returning {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((branch, mut run)) = self.at_work.take() else {
            if self.next(session) {
                return Ok(Turn::More);
            }
            self.print(session);
            return Ok(Turn::Done(Answer::other(())));
        };
        match run.advance() {
            Ok(false) => {
                self.at_work = Some((branch, run));
                return Ok(Turn::More);
            }
            Ok(true) => {
                let ReplicaRun { journal, replica, .. } = run;
                replica.console.session().tape.attach(session.outside());
                let lab = replica.console.into_session();
                let own = lab.into_workspace(replica.disk, (*journal).clone());
                self.back.push(branch.name.clone());
                session.bring_back(branch, own);
            }
            Err(failure) => self.lost.push((branch.name, failure.message)),
        }
        session.time.returning.pop_front();
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.at_work.as_ref().map_or((0, None), |(_, run)| run.position())
    }
}
