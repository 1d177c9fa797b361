//! Values that stay readable after the cursor that found them has moved on.

use crate::event::ShownKey;
use crate::table::Block;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A value without a copy of it: it keeps the decompressed block in memory in which the value lies.
///
/// A small value may keep a block of several KiB; a caller who holds many of them for long should copy
/// them out with [`PinnedValue::into_vec`].
#[derive(Clone, Default)]
pub struct PinnedValue {
    /// Where the value lies, unless it is a copy.
    block: Option<Arc<Block>>,
    range: Range<usize>,
    copy: Vec<u8>,
}

impl PinnedValue {
    /// The value in its own memory.
    pub fn into_vec(self) -> Vec<u8> {
        match self.block {
            Some(block) => block.slice(self.range).to_vec(),
            None => self.copy,
        }
    }

    /// A value that is a copy already.
    pub(crate) fn from_vec(copy: Vec<u8>) -> Self {
        Self { block: None, range: 0..0, copy }
    }

    /// The value at `range` of `block`.
    pub(crate) fn from_block(block: Arc<Block>, range: Range<usize>) -> Self {
        Self { block: Some(block), range, copy: Vec::new() }
    }

    /// Makes it the value at `range` of `block`.
    #[inline]
    pub(crate) fn set_block(&mut self, block: &Arc<Block>, range: Range<usize>) {
        self.range = range;
        // Most values lie in the same block as the one before.
        if !self.block.as_ref().is_some_and(|held| Arc::ptr_eq(held, block)) {
            self.block = Some(Arc::clone(block));
        }
    }

    /// Makes it a copy of `value`.
    pub(crate) fn set_copy(&mut self, value: &[u8]) {
        self.block = None;
        self.copy.clear();
        self.copy.extend_from_slice(value);
    }

    /// Makes it empty.
    pub(crate) fn clear(&mut self) {
        self.block = None;
        self.copy.clear();
    }
}

impl Deref for PinnedValue {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.block {
            Some(block) => block.slice(self.range.clone()),
            None => &self.copy,
        }
    }
}

impl AsRef<[u8]> for PinnedValue {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl PartialEq for PinnedValue {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for PinnedValue {}

impl PartialEq<[u8]> for PinnedValue {
    fn eq(&self, other: &[u8]) -> bool {
        **self == *other
    }
}

impl PartialEq<&[u8]> for PinnedValue {
    fn eq(&self, other: &&[u8]) -> bool {
        **self == **other
    }
}

impl<const N: usize> PartialEq<[u8; N]> for PinnedValue {
    fn eq(&self, other: &[u8; N]) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for PinnedValue {
    fn eq(&self, other: &&[u8; N]) -> bool {
        **self == **other
    }
}

impl PartialEq<Vec<u8>> for PinnedValue {
    fn eq(&self, other: &Vec<u8>) -> bool {
        **self == **other
    }
}

impl From<PinnedValue> for Vec<u8> {
    fn from(value: PinnedValue) -> Self {
        value.into_vec()
    }
}

/// In quotes and escaped; a long value is cut, and its length follows.
impl fmt::Debug for PinnedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PinnedValue({})", ShownKey::of_value(self))
    }
}
