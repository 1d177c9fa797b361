//! The history of a session on its way to where it outlives the program, and back.

use super::Session;
use super::branch::{Branch, Workspace};
use crate::history::{Damages, KeptBranch, Tape};
use std::sync::Arc;

impl Session {
    /// What `branch` has of its own: where it is the current one, the session holds it.
    pub(super) fn workspace<'a>(&'a self, branch: &'a Branch) -> &'a Workspace {
        branch.own.as_ref().unwrap_or(&self.own)
    }

    /// All branches with their journals, those that are still to come back included.
    pub(crate) fn to_keep(&self) -> Vec<KeptBranch> {
        let of = |branch: &Branch| {
            let journal = self.workspace(branch).journal.as_ref()?;
            Some(KeptBranch {
                id: branch.id,
                name: branch.name.clone(),
                parent: branch.parent,
                forked_at: branch.forked_at,
                crash: branch.crash.clone(),
                damaged: branch.damages.all().to_vec(),
                journal: Arc::clone(journal),
            })
        };
        let here = self.time.branches.iter().filter_map(of);
        here.chain(self.time.returning.iter().cloned()).collect()
    }

    /// Goes on after the last step of an earlier session, before the database is opened; its other branches wait
    /// until they are brought back.
    pub(crate) fn resume(&mut self, kept: Vec<KeptBranch>) {
        let begun = kept.iter().map(|branch| branch.id + 1).max();
        self.time.begun = self.time.begun.max(begun.unwrap_or(0));
        for branch in kept {
            if branch.id > 0 {
                self.time.returning.push_back(branch);
                continue;
            }
            self.tape = Arc::new(Tape::new(branch.journal.end()));
            self.tape.attach(self.outside());
            self.time.earlier = Some(branch.journal);
        }
    }

    /// Adds a branch of an earlier session, whose database is open again in `own`.
    pub(crate) fn bring_back(&mut self, kept: KeptBranch, own: Workspace) {
        let KeptBranch { id, name, parent, forked_at, crash, damaged, .. } = kept;
        let (damages, own) = (Damages::of(damaged), Some(own));
        self.time.branches.push(Branch { id, name, parent, forked_at, damages, crash, own });
        self.time.changed = true;
    }
}
