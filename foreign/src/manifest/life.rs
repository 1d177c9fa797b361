//! The history of one file: born in, moved to, died in.

use super::index::{ChangeKind, Manifest};

/// An event of a file in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LifeEvent {
    /// It appeared in the level.
    Born {
        /// The level.
        level: u32,
    },
    /// It went from one level to another, or was entered anew in the same one.
    Moved {
        /// The level that it left.
        from: u32,
        /// The level that it is in now.
        to: u32,
    },
    /// An edit that could not be applied adds it to the level.
    NotApplied {
        /// The level.
        level: u32,
    },
    /// It was removed from the level.
    Died {
        /// The level.
        level: u32,
    },
}

/// An event in the life of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Life {
    /// Index of the edit.
    pub edit: usize,
    /// Index of the step; `None` in a group that was never finished.
    pub step: Option<usize>,
    /// The event.
    pub event: LifeEvent,
}

impl Manifest {
    /// Events of the table or blob file with this number, in order. Looks at every change of the manifest:
    /// a few milliseconds for a million.
    pub fn life(&self, number: u64) -> Vec<Life> {
        let mut events = Vec::new();
        let found = self.changes.iter().enumerate().filter(|(_, change)| change.number == number);
        let mut left: Option<(usize, u32)> = None;
        for (place, change) in found {
            let after = self.edits.partition_point(|entry| entry.changes as usize <= place);
            let edit = after.saturating_sub(1);
            if let Some((gone, level)) = left.filter(|(gone, _)| *gone != edit) {
                events.push(self.life_event(gone, LifeEvent::Died { level }));
                left = None;
            }
            match (change.kind, left.take()) {
                (ChangeKind::TableRemoved | ChangeKind::BlobRemoved, _) => {
                    left = Some((edit, change.level));
                }
                (_, Some((_, from))) => {
                    let event = LifeEvent::Moved { from, to: change.level };
                    events.push(self.life_event(edit, event));
                }
                (_, None) => {
                    events.push(self.life_event(edit, LifeEvent::Born { level: change.level }));
                }
            }
        }
        if let Some((gone, level)) = left {
            events.push(self.life_event(gone, LifeEvent::Died { level }));
        }
        events
    }

    fn life_event(&self, edit: usize, event: LifeEvent) -> Life {
        Life { edit, step: self.step_of(edit), event }
    }
}
