//! One cursor over several: the entries of all children in one order.
//!
//! The children form a heap whose root is the entry to read. The cursor also knows the next best child:
//! while the child at the root stays before it, a step is one comparison and the heap does not change.
//! While the cursor goes forward, every other child is after the entry to read; while it goes backward,
//! every other child is before it. To turn around is to seek.
//!
//! A child may refuse to move (`WouldBlock`) after others have moved. The child under the cursor
//! therefore always moves last, so that the entry to read is still there, and until all have moved the
//! direction is `Mixed`: the next step, whichever it is, then seeks, which may be repeated as often as
//! needed.

use super::sticky::Sticky;
use super::{Cursor, PinnedValue};
use crate::key::compare_internal;
use crate::{Error, Result};
use std::cmp::Ordering;

#[cfg(test)]
mod tests;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
    /// Only the child under the cursor is where it should be.
    Mixed,
}

/// Merges its children. Equal internal keys, which the engine never writes, come in the order of the
/// children; who turns around goes past all of them.
///
/// Cost: about 2·log₂ k comparisons a step for k children, one while one child goes on winning, none
/// with one child; k seeks to turn around.
pub(crate) struct MergingCursor<C> {
    children: Vec<C>,
    /// Valid children, the one to read first; in order only while the direction is not `Mixed`.
    heap: Vec<usize>,
    current: Option<usize>,
    /// Where on the heap the child is that comes after the current one: 1 or 2, if any.
    next_best: Option<usize>,
    direction: Direction,
    failure: Sticky,
}

impl<C: Cursor> MergingCursor<C> {
    /// A cursor over the entries of `children`.
    pub(crate) fn new(children: Vec<C>) -> Self {
        let heap = Vec::with_capacity(children.len());
        let (current, next_best, direction) = (None, None, Direction::Mixed);
        Self { children, heap, current, next_best, direction, failure: Sticky::default() }
    }

    /// Whether it goes forward, or else backward.
    pub(super) fn goes(&self, forward: bool) -> bool {
        self.direction == if forward { Direction::Forward } else { Direction::Backward }
    }

    /// All children, in their order.
    pub(super) fn children(&self) -> &[C] {
        &self.children
    }

    /// The child under the cursor.
    pub(super) fn current(&self) -> Option<&C> {
        self.current.and_then(|index| self.children.get(index))
    }

    /// Each child that has an entry, in their order, with true for the one to read next.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (&C, bool)> {
        let children = self.children.iter().enumerate();
        let current = self.current;
        children
            .filter(|(_, child)| child.valid())
            .map(move |(index, child)| (child, current == Some(index)))
    }

    /// Moves every child with `place` to where it goes on in the direction of the cursor.
    pub(super) fn place_ahead(
        &mut self,
        forward: bool,
        place: impl Fn(&mut C) -> Result<()>,
    ) -> Result<()> {
        // A call that blocked has left the direction `Mixed`.
        let direction = if forward { Direction::Forward } else { Direction::Backward };
        self.place_all(direction, place)
    }

    /// Moves every child with `place`, the one under the cursor last.
    fn place_all(
        &mut self,
        direction: Direction,
        place: impl Fn(&mut C) -> Result<()>,
    ) -> Result<()> {
        self.failure.check()?;
        self.direction = Direction::Mixed;
        let current = self.current;
        let mut result = Ok(());
        for (index, child) in self.children.iter_mut().enumerate() {
            if Some(index) != current && result.is_ok() {
                result = place(child);
            }
        }
        let last = current.and_then(|index| self.children.get_mut(index));
        if let (Ok(()), Some(child)) = (&result, last) {
            result = place(child);
        }
        result.map_err(|error| self.failed(error))?;
        self.rebuild(direction);
        Ok(())
    }

    /// One step of the child under the cursor, in the direction of all.
    #[inline]
    fn step(&mut self, step: impl Fn(&mut C) -> Result<()>) -> Result<()> {
        self.failure.check()?;
        let Some(current) = self.current else { return Ok(()) };
        let Some(child) = self.children.get_mut(current) else { return Ok(()) };
        let moved = step(child);
        let valid = child.valid();
        moved.map_err(|error| self.failed(error))?;
        let next_best = self.next_best.and_then(|at| self.heap.get(at));
        if valid && next_best.is_none_or(|&other| self.comes_before(current, other)) {
            return Ok(());
        }
        self.replace_root(valid);
        Ok(())
    }

    /// Restores the order of the heap after the child at its root has moved past the next best.
    fn replace_root(&mut self, valid: bool) {
        match self.next_best.filter(|_| valid) {
            Some(at) => {
                self.heap.swap(0, at);
                self.sift_down(at);
            }
            None if valid => {}
            None => {
                self.heap.swap_remove(0);
                self.sift_down(0);
            }
        }
        self.current = self.heap.first().copied();
        self.find_next_best();
    }

    fn find_next_best(&mut self) {
        self.next_best = match (self.heap.get(1), self.heap.get(2)) {
            (Some(&left), Some(&right)) if self.comes_before(right, left) => Some(2),
            (left, _) => left.map(|_| 1),
        };
    }

    /// Makes the heap from the places of the children.
    fn rebuild(&mut self, direction: Direction) {
        self.direction = direction;
        self.heap.clear();
        let valid = self.children.iter().enumerate().filter(|(_, child)| child.valid());
        self.heap.extend(valid.map(|(index, _)| index));
        for at in (0..self.heap.len() / 2).rev() {
            self.sift_down(at);
        }
        self.current = self.heap.first().copied();
        self.find_next_best();
    }

    fn sift_down(&mut self, mut at: usize) {
        while let (Some(&parent), Some(&left)) = (self.heap.get(at), self.heap.get(2 * at + 1)) {
            let (mut below, mut first) = (2 * at + 1, left);
            if let Some(&right) = self.heap.get(2 * at + 2)
                && self.comes_before(right, left)
            {
                (below, first) = (2 * at + 2, right);
            }
            if !self.comes_before(first, parent) {
                return;
            }
            self.heap.swap(at, below);
            at = below;
        }
    }

    /// Whether child `left` is to be read before child `right`.
    #[inline]
    fn comes_before(&self, left: usize, right: usize) -> bool {
        let order = compare_internal(self.key_of(left), self.key_of(right));
        let order = order.then(left.cmp(&right));
        order
            == if self.direction == Direction::Backward {
                Ordering::Greater
            } else {
                Ordering::Less
            }
    }

    #[inline]
    fn key_of(&self, index: usize) -> &[u8] {
        self.children.get(index).map_or(&[], |child| child.key())
    }

    fn failed(&mut self, error: Error) -> Error {
        if self.failure.keep(&error) {
            self.current = None;
            self.next_best = None;
            self.heap.clear();
        }
        error
    }
}

impl<C: Cursor> Cursor for MergingCursor<C> {
    #[inline]
    fn valid(&self) -> bool {
        self.current.is_some()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.place_all(Direction::Forward, Cursor::seek_to_first)
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.place_all(Direction::Backward, Cursor::seek_to_last)
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        let ahead = self.direction == Direction::Forward
            && self.valid()
            && compare_internal(self.key(), target).is_lt();
        self.place_all(Direction::Forward, |child| {
            // Going forward, children at or after the target need not move.
            let is_there = ahead && !compare_internal(child.key(), target).is_lt();
            if is_there || (ahead && !child.valid()) { Ok(()) } else { child.seek(target) }
        })
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.place_all(Direction::Backward, |child| child.seek_before(target))
    }

    #[inline]
    fn next(&mut self) -> Result<()> {
        if self.direction != Direction::Forward && self.valid() {
            // The child under the cursor still has this entry: nothing is ever removed.
            let key = self.key().to_vec();
            self.seek(&key)?;
        }
        self.step(Cursor::next)
    }

    fn prev(&mut self) -> Result<()> {
        if self.direction != Direction::Backward && self.valid() {
            let key = self.key().to_vec();
            return self.seek_before(&key);
        }
        self.step(Cursor::prev)
    }

    #[inline]
    fn key(&self) -> &[u8] {
        self.current.map_or(&[], |index| self.key_of(index))
    }

    fn value(&self) -> &[u8] {
        self.current().map_or(&[], |child| child.value())
    }

    #[inline]
    fn pin_value(&self, pinned: &mut PinnedValue) {
        match self.current() {
            Some(child) => child.pin_value(pinned),
            None => pinned.clear(),
        }
    }
}
