//! One cursor over several: the entries of all children in one order.
//!
//! The children stand on a heap whose root is the entry to read. While the cursor goes forward every
//! other child stands behind that entry, while it goes backward before it; turning around moves them.
//!
//! A child may refuse to move (`WouldBlock`) after others have moved. The child under the cursor
//! therefore always moves last, so that the entry to read is still there, and until all have moved the
//! direction is `Mixed`: the next step, whichever it is, first puts the others in their places with
//! seeks, which may be repeated as often as needed.

use super::Cursor;
use super::sticky::Sticky;
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
/// children.
///
/// Cost: about 2·log₂ k comparisons a step for k children, two while one child goes on winning;
/// k seeks to turn around.
pub(crate) struct MergingCursor {
    children: Vec<Box<dyn Cursor>>,
    /// Valid children, the one to read first; in order only while the direction is not `Mixed`.
    heap: Vec<usize>,
    current: Option<usize>,
    direction: Direction,
    failure: Sticky,
}

impl MergingCursor {
    /// A cursor over the entries of `children`.
    pub(crate) fn new(children: Vec<Box<dyn Cursor>>) -> Self {
        let heap = Vec::with_capacity(children.len());
        let (current, direction) = (None, Direction::Mixed);
        Self { children, heap, current, direction, failure: Sticky::default() }
    }

    /// Moves every child with `place`, the one under the cursor last.
    fn place_all(
        &mut self,
        direction: Direction,
        place: impl Fn(&mut dyn Cursor) -> Result<()>,
    ) -> Result<()> {
        self.failure.check()?;
        self.direction = Direction::Mixed;
        let current = self.current;
        let mut result = Ok(());
        for (index, child) in self.children.iter_mut().enumerate() {
            if Some(index) != current && result.is_ok() {
                result = place(child.as_mut());
            }
        }
        let last = current.and_then(|index| self.children.get_mut(index));
        if let (Ok(()), Some(child)) = (&result, last) {
            result = place(child.as_mut());
        }
        result.map_err(|error| self.failed(error))?;
        self.rebuild(direction);
        Ok(())
    }

    /// One step: the others to where `direction` needs them, then the child under the cursor.
    fn step(&mut self, direction: Direction) -> Result<()> {
        self.failure.check()?;
        let Some(current) = self.current else { return Ok(()) };
        if self.direction != direction {
            self.direction = Direction::Mixed;
            self.turn(current, direction).map_err(|error| self.failed(error))?;
            self.rebuild(direction);
        }
        let Some(child) = self.children.get_mut(current) else { return Ok(()) };
        let moved = match direction {
            Direction::Backward => child.prev(),
            Direction::Forward | Direction::Mixed => child.next(),
        };
        let valid = child.valid();
        moved.map_err(|error| self.failed(error))?;
        if !valid {
            self.heap.swap_remove(0);
        }
        self.sift_down(0);
        self.current = self.heap.first().copied();
        Ok(())
    }

    /// Puts every child but `current` next to the entry under the cursor, on the side of `direction`.
    fn turn(&mut self, current: usize, direction: Direction) -> Result<()> {
        let key = self.key_of(current).to_vec();
        for (index, child) in self.children.iter_mut().enumerate() {
            if index == current {
                continue;
            }
            child.seek(&key)?;
            let same = child.valid() && child.key() == key;
            match direction {
                Direction::Backward if !child.valid() => child.seek_to_last()?,
                Direction::Backward if !same || index > current => child.prev()?,
                Direction::Forward if same && index < current => child.next()?,
                _ => {}
            }
        }
        Ok(())
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

    fn key_of(&self, index: usize) -> &[u8] {
        self.children.get(index).map_or(&[], |child| child.key())
    }

    fn failed(&mut self, error: Error) -> Error {
        if self.failure.keep(&error) {
            self.current = None;
            self.heap.clear();
        }
        error
    }
}

impl Cursor for MergingCursor {
    fn valid(&self) -> bool {
        self.current.is_some()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.place_all(Direction::Forward, |child| child.seek_to_first())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.place_all(Direction::Backward, |child| child.seek_to_last())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.place_all(Direction::Forward, |child| child.seek(target))
    }

    fn next(&mut self) -> Result<()> {
        self.step(Direction::Forward)
    }

    fn prev(&mut self) -> Result<()> {
        self.step(Direction::Backward)
    }

    fn key(&self) -> &[u8] {
        self.current.map_or(&[], |index| self.key_of(index))
    }

    fn value(&self) -> &[u8] {
        let child = self.current.and_then(|index| self.children.get(index));
        child.map_or(&[], |child| child.value())
    }
}
