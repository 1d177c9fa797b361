//! An iterator of JavaScript: of one moment, read page by page, in one direction.

use crate::packed::{self, Range};
use levelscope::{Db, DbIterator, ErrorKind, Result, ScanOptions, Snapshot, WriteBatch};
use std::ops::Bound;
use std::rc::Rc;

/// The result of a call to an iterator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Entries that it gave.
    pub count: u32,
    /// Whether there are no more.
    pub ended: bool,
}

/// The first entry of the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Next {
    /// The first entry in its direction.
    First,
    /// The first entry at or after a key, in its direction.
    Seek(Vec<u8>),
    /// The entry that the engine's iterator stands on.
    Here,
    /// The entry after that one, in its direction.
    Step,
    /// Nothing.
    Nothing,
}

/// An iterator. Its moment is that of its making, although the engine's iterator is made with the first page.
#[derive(Debug)]
pub(crate) struct Cursor {
    range: Range,
    snapshot: Rc<Snapshot>,
    iterator: Option<DbIterator>,
    next: Next,
    /// Deletes that could not be written yet.
    deletes: WriteBatch,
}

impl Cursor {
    pub(crate) fn new(range: Range, snapshot: Rc<Snapshot>) -> Self {
        Self { range, snapshot, iterator: None, next: Next::First, deletes: WriteBatch::new() }
    }

    /// The next page begins at `target`; a target outside of the range ends the iterator.
    pub(crate) fn seek(&mut self, target: &[u8]) {
        let below = match &self.range.lower {
            Bound::Unbounded => false,
            Bound::Included(lower) => target < lower.as_slice(),
            Bound::Excluded(lower) => target <= lower.as_slice(),
        };
        let above = match &self.range.upper {
            Bound::Unbounded => false,
            Bound::Included(upper) => target > upper.as_slice(),
            Bound::Excluded(upper) => target >= upper.as_slice(),
        };
        self.next = if below || above { Next::Nothing } else { Next::Seek(target.to_vec()) };
    }

    /// Adds up to `count` entries to `output`, and no more once it has `bytes_max`.
    ///
    /// # Errors
    /// As the engine's reads; an error after some entries comes with the next page.
    pub(crate) fn page(
        &mut self,
        db: &Db,
        output: &mut Vec<u8>,
        (count, bytes_max): (u32, usize),
    ) -> Result<Page> {
        let mut page = Page { count: 0, ended: false };
        while page.count < count && output.len() < bytes_max {
            match self.advance(db) {
                Ok(true) => {}
                Ok(false) => {
                    page.ended = true;
                    break;
                }
                Err(_) if page.count > 0 => break,
                Err(error) => return Err(error),
            }
            let Some(iterator) = &self.iterator else { break };
            let key = if self.range.keys { iterator.key() } else { &[] };
            let value = if self.range.values { iterator.value() } else { &[] };
            packed::push_entry(output, key, value)?;
            self.next = Next::Step;
            page.count += 1;
        }
        Ok(page)
    }

    /// Deletes up to `count` entries, as one batch.
    ///
    /// # Errors
    /// As the engine's reads and writes. After `Stalled` and `WouldBlock` the call can be made again.
    pub(crate) fn delete_page(&mut self, db: &Db, count: u32) -> Result<Page> {
        let mut ended = false;
        while self.deletes.len() < count {
            if !self.advance(db)? {
                ended = true;
                break;
            }
            let Some(iterator) = &self.iterator else { break };
            self.deletes.delete(iterator.key())?;
            self.next = Next::Step;
        }
        let count = self.deletes.len();
        db.write(&self.deletes, Some(false))?;
        self.deletes.clear();
        Ok(Page { count, ended })
    }

    /// Stands on the next entry; false when there is none. Where it blocks, the next call goes on.
    fn advance(&mut self, db: &Db) -> Result<bool> {
        if self.next == Next::Nothing {
            return Ok(false);
        }
        if self.iterator.is_none() {
            self.iterator = Some(
                db.iter(
                    &ScanOptions::default()
                        .snapshot(&*self.snapshot)
                        .range((self.range.lower.clone(), self.range.upper.clone())),
                )?,
            );
        }
        let Some(iterator) = &mut self.iterator else { return Ok(false) };
        let outcome = match (&self.next, self.range.reverse) {
            (Next::First, false) => iterator.seek_to_first(),
            (Next::First, true) => iterator.seek_to_last(),
            (Next::Seek(target), false) => iterator.seek(target),
            (Next::Seek(target), true) => iterator.seek_for_prev(target),
            (Next::Step, false) => iterator.next(),
            (Next::Step, true) => iterator.prev(),
            (Next::Here | Next::Nothing, _) => Ok(()),
        };
        match outcome {
            Ok(()) => {
                let found = iterator.valid();
                self.next = if found { Next::Here } else { Next::Nothing };
                Ok(found)
            }
            // The same call goes on where this one had to stop.
            Err(error) => {
                if error.kind() != ErrorKind::WouldBlock {
                    self.next = Next::First;
                }
                Err(error)
            }
        }
    }
}
