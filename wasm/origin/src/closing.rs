//! Handles that are given back to the browser.

use super::directory::Directory;
use super::entry::{Entry, State};

impl Directory {
    /// Closes the handles of the tables not read for longest, until at most `cap` tables are open;
    /// returns their names. Reading one again answers `WouldBlock`.
    pub fn close_cold(&mut self, cap: usize) -> Vec<String> {
        let cold = |(_, entry): &(u64, &Entry)| entry.is_cold_candidate();
        let mut surplus = self.entries.iter().filter(cold).count().saturating_sub(cap);
        let mut names = Vec::new();
        while surplus > 0 {
            let candidates = self.entries.iter_mut().map(|(_, entry)| entry);
            let oldest = candidates
                .filter(|entry| entry.is_cold_candidate())
                .min_by_key(|entry| entry.touched);
            let Some(entry) = oldest else { break };
            entry.close();
            names.push(entry.name.to_string());
            surplus -= 1;
        }
        names
    }

    /// Closes every handle without writing. Returns the files that were prepared but never created:
    /// empty, and to be removed.
    pub fn close_all(&mut self) -> Vec<String> {
        let mut prepared = Vec::new();
        for (_, entry) in self.entries.iter_mut() {
            entry.close();
            if entry.state == State::Prepared && entry.medium.made {
                prepared.push(entry.name.to_string());
            }
        }
        self.entries.clear();
        self.foreign.clear();
        self.removed.clear();
        self.blocked.clear();
        self.failed = None;
        prepared
    }
}
