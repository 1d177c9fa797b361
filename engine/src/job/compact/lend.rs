//! Parts of a compaction that other threads step.

use super::{CompactJob, Part, Stage};

impl CompactJob {
    /// Whether it has not opened its inputs, so that it has no parts yet.
    pub(crate) fn is_beginning(&self) -> bool {
        matches!(self.stage, Stage::Pick | Stage::Begin)
    }

    /// The last of its parts that are not done, when there are at least two.
    pub(crate) fn lend_part(&mut self) -> Option<Part> {
        let to_do = |slot: &&mut Option<Part>| slot.as_ref().is_some_and(|part| !part.is_done());
        let mut to_do = self.parts.iter_mut().filter(to_do);
        to_do.next()?;
        to_do.next_back()?.take()
    }

    /// Takes back a part that another thread has stepped.
    pub(crate) fn return_part(&mut self, part: Part) {
        let number = part.number;
        if let Some(place) = self.parts.get_mut(number) {
            *place = Some(part);
        }
        self.end_parts();
    }

    /// Whether only parts that are lent are left to do.
    pub(crate) fn waits_for_parts(&self) -> bool {
        self.parts.iter().any(Option::is_none) && self.parts.iter().flatten().all(Part::is_done)
    }
}
