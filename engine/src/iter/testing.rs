//! Cursors over plain vectors for tests: they block or fail on request, and a model of any cursor.

use super::Cursor;
use super::level::TableWalk;
use crate::key::compare_internal;
use crate::memtable::SplitMix64;
use crate::storage::FileName;
use crate::{Error, ErrorKind, Result};

/// An internal key and its value.
pub(crate) type Pair = (Vec<u8>, Vec<u8>);

/// The answer of a [`VecCursor`] instead of moving.
#[derive(Debug, Clone)]
pub(crate) enum Mood {
    /// It moves.
    Willing,
    /// Blocks once in so many calls.
    BlocksOneIn(usize, SplitMix64),
    /// Fails after so many calls.
    FailsAfter(usize),
}

/// A cursor over sorted entries.
#[derive(Debug, Clone)]
pub(crate) struct VecCursor {
    pub(crate) entries: Vec<Pair>,
    place: Option<usize>,
    mood: Mood,
    failure: Option<Error>,
}

impl VecCursor {
    pub(crate) fn new(entries: Vec<Pair>, mood: Mood) -> Self {
        Self { entries, place: None, mood, failure: None }
    }

    fn admit(&mut self) -> Result<()> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        match &mut self.mood {
            Mood::Willing => Ok(()),
            Mood::BlocksOneIn(count, random) => {
                let blocks = random.one_in(*count);
                if blocks { Err(Error::would_block(FileName::Table(1))) } else { Ok(()) }
            }
            Mood::FailsAfter(0) => {
                let error = Error::new(ErrorKind::Io, "the disk is gone");
                self.place = None;
                self.failure = Some(error.clone());
                Err(error)
            }
            Mood::FailsAfter(count) => {
                *count -= 1;
                Ok(())
            }
        }
    }
}

impl Cursor for VecCursor {
    fn valid(&self) -> bool {
        self.place.is_some()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.admit()?;
        self.place = (!self.entries.is_empty()).then_some(0);
        Ok(())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.admit()?;
        self.place = self.entries.len().checked_sub(1);
        Ok(())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.admit()?;
        let at = self.entries.partition_point(|(key, _)| compare_internal(key, target).is_lt());
        self.place = Some(at).filter(|at| *at < self.entries.len());
        Ok(())
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.admit()?;
        let at = self.entries.partition_point(|(key, _)| compare_internal(key, target).is_lt());
        self.place = at.checked_sub(1);
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.admit()?;
        self.place = self.place.map(|at| at + 1).filter(|at| *at < self.entries.len());
        Ok(())
    }

    fn prev(&mut self) -> Result<()> {
        self.admit()?;
        self.place = self.place.and_then(|at| at.checked_sub(1));
        Ok(())
    }

    fn key(&self) -> &[u8] {
        self.place.map_or(&[], |at| &self.entries[at].0)
    }

    fn value(&self) -> &[u8] {
        self.place.map_or(&[], |at| &self.entries[at].1)
    }
}

impl TableWalk for VecCursor {
    fn at_end(&self, forward: bool) -> bool {
        let end = if forward { self.entries.len().checked_sub(1) } else { Some(0) };
        self.place.is_none() || self.place == end
    }
}

/// Whether `result` asks for the same call again; it must not be another error.
pub(crate) fn blocks(result: Result<()>) -> bool {
    match result {
        Ok(()) => false,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
            true
        }
    }
}

/// Walks `cursor` at random for `steps` calls and compares it with the sorted `expected` after each.
///
/// A call that blocks must leave the cursor as it is; it is made again, or another one is made.
pub(crate) fn compare_walk(
    cursor: &mut dyn Cursor,
    expected: &[Pair],
    targets: &[Vec<u8>],
    random: &mut SplitMix64,
    steps: usize,
) {
    let mut model = VecCursor::new(expected.to_vec(), Mood::Willing);
    for _ in 0..steps {
        let call = random.below(16);
        let target = &targets[random.below(targets.len())];
        let apply = |cursor: &mut dyn Cursor| match call {
            0 => cursor.seek_to_first(),
            1 => cursor.seek_to_last(),
            2..4 => cursor.seek(target),
            4..6 => cursor.seek_before(target),
            6..11 => cursor.next(),
            _ => cursor.prev(),
        };
        let mut moved = true;
        while blocks(apply(cursor)) {
            assert_same(cursor, &model);
            if random.one_in(3) {
                moved = false;
                break;
            }
        }
        if moved {
            apply(&mut model).unwrap();
        }
        assert_same(cursor, &model);
    }
}

fn assert_same(cursor: &dyn Cursor, model: &VecCursor) {
    assert_eq!(cursor.valid(), model.valid());
    assert_eq!(cursor.key(), model.key());
    assert_eq!(cursor.value(), model.value());
}
