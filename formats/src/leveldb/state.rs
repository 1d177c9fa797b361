//! What a manifest says in the end: tables on their levels, and which logs count.

use super::edit::{COMPARATOR, Edit, TableFile};
use super::log::{LogItem, records};
use levelscope::inspect::shown;
use levelscope::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The sum of all edits of a manifest.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) comparator: Option<Vec<u8>>,
    pub(super) log_number: Option<u64>,
    pub(super) prev_log_number: Option<u64>,
    pub(super) next_file: Option<u64>,
    pub(super) last_sequence: Option<u64>,
    /// By level and number.
    pub(super) tables: BTreeMap<(u64, u64), TableFile>,
    /// Numbers of tables that do not count any more.
    pub(super) replaced: BTreeSet<u64>,
    /// Where records are lost or not read, or cut off by a crash.
    pub(super) damage: Vec<Error>,
    pub(super) torn: Option<u64>,
}

/// The comparator that the manifest `file` names, and the numbers of its tables, as far as it can be read.
pub(crate) fn named_by(file: &[u8]) -> (Option<Vec<u8>>, Vec<u64>) {
    let state = State::read(file);
    (state.comparator, state.tables.into_keys().map(|(_, number)| number).collect())
}

impl State {
    /// The state that the manifest `file` leads to, with what is damaged in it.
    pub(super) fn read(file: &[u8]) -> Self {
        let mut state = Self::default();
        for found in records(file) {
            match found {
                LogItem::Record(record) => match Edit::decode(&record.payload) {
                    Ok(edit) => state.apply(edit),
                    Err((at, flaw)) => {
                        let place = format!(" (at byte {at} of the record)");
                        state.damage.push(flaw.at(record.offset, &place));
                    }
                },
                LogItem::Damage(error) | LogItem::Unread(error) => state.damage.push(error),
                LogItem::Torn(offset) => state.torn = Some(offset as u64),
            }
        }
        state
    }

    fn apply(&mut self, edit: Edit) {
        self.comparator = edit.comparator.or(self.comparator.take());
        self.log_number = edit.log_number.or(self.log_number);
        self.prev_log_number = edit.prev_log_number.or(self.prev_log_number);
        self.next_file = edit.next_file.or(self.next_file);
        self.last_sequence = edit.last_sequence.or(self.last_sequence);
        for place in &edit.removed {
            self.tables.remove(place);
            self.replaced.insert(place.1);
        }
        for (level, table) in edit.added {
            self.tables.insert((level, table.number), table);
        }
    }

    /// Whether all is there that must be.
    ///
    /// # Errors
    /// `Corruption`, `UnsupportedFormat`.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(error) = self.damage.first() {
            return Err(error.clone());
        }
        for (what, value) in [
            ("log number", self.log_number),
            ("next file number", self.next_file),
            ("last sequence number", self.last_sequence),
        ] {
            if value.is_none() {
                return Err(Error::new(ErrorKind::Corruption, format!("no edit says the {what}")));
            }
        }
        Ok(())
    }

    /// Whether keys are in bytewise order.
    ///
    /// # Errors
    /// `UnsupportedFormat`.
    pub(super) fn check_order(&self) -> Result<()> {
        match &self.comparator {
            Some(other) if other.as_slice() != COMPARATOR => {
                let (other, known) = (shown(other), shown(COMPARATOR));
                let message = format!(
                    "keys are in the order {other}, and only the order {known} is imported"
                );
                Err(Error::new(ErrorKind::UnsupportedFormat, message))
            }
            _ => Ok(()),
        }
    }

    /// Whether an edit has added or removed the table with this number.
    pub(super) fn names_table(&self, number: u64) -> bool {
        self.replaced.contains(&number) || self.tables.keys().any(|(_, known)| *known == number)
    }

    /// Whether the log with this number counts.
    pub(super) fn wants_log(&self, number: u64) -> bool {
        let prev = self.prev_log_number.filter(|prev| *prev != 0);
        number >= self.log_number.unwrap_or(0) || prev == Some(number)
    }
}
