//! A session whose history outlives the program: the host stores bytes and returns them to the next session.

use super::Console;
use crate::history::{HistoryUpdate, Keeper, Step, Unreadable, read};
use crate::time::Returning;

/// The restored part of an earlier session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Its last step: the steps of this session count on from there.
    pub steps: Step,
    /// Branches that [`Console::start_returning`] brings back.
    pub branches: usize,
    /// Why the history begins anew, as a sentence.
    pub why: Option<String>,
}

impl Console {
    /// Continues the session whose history is `kept`, and lets [`Console::take_kept`] return the history of this one.
    /// Call it before [`Console::open`]. A history of another `version` is not continued: its steps may differ.
    pub fn keep_history(&mut self, version: &str, kept: &[u8]) -> Resumed {
        self.keeper = Some(Keeper::new(version.to_owned()));
        let names = self.session.storage().list().unwrap_or_default();
        // Without these files, the history is that of another database.
        if !names.iter().any(|name| name == "CURRENT") {
            return Resumed::default();
        }
        let anew = "The history begins anew; the database is as it was.";
        let why = match read(kept, version) {
            Ok(branches) => {
                let steps = branches.iter().find(|branch| branch.id == 0);
                let steps = steps.map_or(0, |main| main.journal.end());
                let branches_back = branches.iter().filter(|branch| branch.id > 0).count();
                self.session.resume(branches);
                return Resumed { steps, branches: branches_back, why: None };
            }
            Err(Unreadable::Empty) => None,
            Err(Unreadable::OtherVersion) => {
                Some(format!("Your last visit was to another version of this page. {anew}"))
            }
            Err(Unreadable::Damaged(offset)) => Some(format!(
                "The file with the history of your last visit is damaged at offset {offset}. {anew}"
            )),
        };
        Resumed { why, ..Resumed::default() }
    }

    /// The bytes of history since the last call; `None`: there are none, they are not to be kept, or a line is at
    /// work. Cost: the steps since then; the whole history when the bytes begin anew.
    pub fn take_kept(&mut self) -> Option<HistoryUpdate> {
        if self.running.is_some() {
            return None;
        }
        let keeper = self.keeper.as_mut()?;
        keeper.keep(&self.session.to_keep())
    }

    /// Whether the history still fits the bytes that [`Console::take_kept`] may return.
    pub fn keeps_history(&self) -> bool {
        self.keeper.as_ref().is_some_and(Keeper::keeps)
    }

    /// Begins to bring back the branches of the earlier session.
    pub fn start_returning(&mut self) {
        self.begin("bring back branches", Box::new(Returning::default()));
    }
}
