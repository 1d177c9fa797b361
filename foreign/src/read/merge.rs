//! Several runs as one: always the smallest internal key of all comes next.

use super::MemoryRun;
use crate::{
    Comparator, EntryCursor, EntryRef, Error, ErrorKind, Problem, Result, TableFile, Value,
};
use std::cmp::Ordering;
use std::sync::Arc;

/// What a layer holds after damage that it does not get past.
static ENDED: MemoryRun = MemoryRun::EMPTY;

/// One run of a family, and a word for its place.
pub struct Layer<'a> {
    /// Its place, such as `logs`, `L0 table 12`, `L3`.
    pub name: String,
    /// Its level; `None` for the logs.
    pub level: Option<u32>,
    /// Its tables; none for the logs.
    pub tables: Vec<Arc<TableFile>>,
    /// The walk over it.
    pub cursor: Box<dyn EntryCursor + 'a>,
}

/// The walk over all layers. A layer reports damage once and goes on after it, so that one bad block
/// costs its own entries only.
pub struct MergeCursor<'a> {
    layers: Vec<Layer<'a>>,
    comparator: Comparator,
    current: Option<usize>,
    /// Layers that stand at a copy of the current entry, as obsolete tables beside live ones do.
    copies: Vec<usize>,
    problems: Vec<Problem>,
}

/// Problems that are kept; after so many the rest is only counted by the check.
const PROBLEMS_MAX: usize = 1_000;

impl<'a> MergeCursor<'a> {
    /// Over `layers`, the newest first.
    pub fn new(layers: Vec<Layer<'a>>, comparator: Comparator) -> Self {
        Self { layers, comparator, current: None, copies: Vec::new(), problems: Vec::new() }
    }

    /// Damage so far.
    pub fn problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }

    /// The place of the layer whose entry is the current one.
    pub fn layer(&self) -> Option<usize> {
        self.current
    }

    /// The layers in their order.
    pub fn layers(&self) -> &[Layer<'a>] {
        &self.layers
    }

    /// Runs `step` on the layer at `place`; after damage it goes to the next readable entry.
    fn drive(
        &mut self,
        place: usize,
        step: impl Fn(&mut dyn EntryCursor) -> Result<()>,
    ) -> Result<()> {
        let Some(layer) = self.layers.get_mut(place) else { return Ok(()) };
        let mut outcome = step(layer.cursor.as_mut());
        let mut last: Option<Error> = None;
        while let Err(error) = outcome {
            if error.kind() == ErrorKind::Stopped {
                return Err(error);
            }
            if last.as_ref() == Some(&error) || self.problems.len() >= PROBLEMS_MAX {
                // It does not get past the damage: the layer ends here.
                layer.cursor = Box::new(ENDED.cursor());
                return Ok(());
            }
            let mut problem = Problem::of(&error, &layer.name);
            problem.level = layer.level;
            self.problems.push(problem);
            last = Some(error);
            outcome = layer.cursor.next();
        }
        Ok(())
    }

    fn choose(&mut self) {
        let mut best: Option<(usize, EntryRef<'_>)> = None;
        for (place, layer) in self.layers.iter().enumerate() {
            let Some(entry) = layer.cursor.entry() else { continue };
            let order = best.as_ref().map_or(Ordering::Less, |(_, smallest)| {
                let by_key = self.comparator.compare(entry.user_key, smallest.user_key);
                by_key.then(smallest.sequence.cmp(&entry.sequence))
            });
            match order {
                Ordering::Less => {
                    self.copies.clear();
                    best = Some((place, entry));
                }
                Ordering::Equal => self.copies.push(place),
                Ordering::Greater => {}
            }
        }
        self.current = best.map(|(place, _)| place);
    }
}

impl EntryCursor for MergeCursor<'_> {
    fn first(&mut self) -> Result<()> {
        for place in 0..self.layers.len() {
            self.drive(place, |cursor| cursor.first())?;
        }
        self.choose();
        Ok(())
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        for place in 0..self.layers.len() {
            self.drive(place, |cursor| cursor.seek(user_key, sequence))?;
        }
        self.choose();
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        if let Some(place) = self.current {
            for copy in std::mem::take(&mut self.copies) {
                self.drive(copy, |cursor| cursor.next())?;
            }
            self.drive(place, |cursor| cursor.next())?;
            self.choose();
        }
        Ok(())
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        self.layers.get(self.current?)?.cursor.entry()
    }

    fn value(&mut self) -> Result<Value> {
        let layer = self.current.and_then(|place| self.layers.get_mut(place));
        match layer {
            Some(layer) => layer.cursor.value(),
            None => Err(Error::new(ErrorKind::Invalid, "there is no entry here")),
        }
    }
}
