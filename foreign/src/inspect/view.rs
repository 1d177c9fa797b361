//! Bytes in memory, with their place in a file.

use crate::{Error, Result};
use std::ops::Range;
use std::rc::Rc;

/// Space in which the offsets of parts count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Space {
    /// In the file.
    File,
    /// In content that was decoded.
    Decoded {
        /// The content.
        bytes: Rc<Vec<u8>>,
        /// Offset in the file of the encoded bytes.
        origin: u64,
    },
}

impl Space {
    /// Whether offsets do not count in the file.
    pub(super) fn is_decoded(&self) -> bool {
        matches!(self, Self::Decoded { .. })
    }

    /// `error`, whose offset counts in this space, with an offset of the file; `position` counts when it has none.
    pub(super) fn locate(&self, error: &Error, position: u64) -> Error {
        let at = error.offset().unwrap_or(position);
        let Self::Decoded { origin, .. } = self else { return error.clone().moved(at) };
        let message = format!("{} (byte {at} of the decoded content)", error.message());
        let located = Error::new(error.kind(), message).at(*origin);
        if let Some(file) = error.file() { located.in_file(file) } else { located }
    }
}

/// A range of bytes in memory.
#[derive(Debug, Clone)]
pub(super) struct View {
    bytes: Rc<Vec<u8>>,
    range: Range<usize>,
    /// Offset of the first byte of `bytes` in its space.
    base: u64,
}

impl View {
    /// Bytes that lie at `base` of the file.
    pub(super) fn of_file(bytes: Vec<u8>, base: u64) -> Self {
        let range = 0..bytes.len();
        Self { bytes: Rc::new(bytes), range, base }
    }

    /// Decoded content, and the space in which its offsets count.
    pub(super) fn decoded(bytes: Vec<u8>, origin: u64) -> (Self, Space) {
        let range = 0..bytes.len();
        let bytes = Rc::new(bytes);
        let space = Space::Decoded { bytes: Rc::clone(&bytes), origin };
        (Self { bytes, range, base: 0 }, space)
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }

    /// Number of its bytes.
    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    /// Offset of the first one in its space.
    pub(super) fn offset(&self) -> u64 {
        self.base.saturating_add(self.range.start as u64)
    }

    /// A part of it, cut to its length.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        let place = |at: usize| self.range.start.saturating_add(at).min(self.range.end);
        let (start, end) = (place(range.start), place(range.end));
        Self { bytes: Rc::clone(&self.bytes), range: start..end.max(start), base: self.base }
    }

    /// The part from `offset` of the space on, `bytes` long.
    ///
    /// # Errors
    /// `Damaged` when it is not inside.
    pub(super) fn at(&self, offset: u64, bytes: usize) -> Result<Self> {
        let start = offset.checked_sub(self.offset()).and_then(|at| usize::try_from(at).ok());
        let range = start.and_then(|start| Some(start..start.checked_add(bytes)?));
        let range = range.filter(|range| range.end <= self.len());
        let range = range.ok_or_else(|| {
            Error::damaged(offset, format!("{bytes} bytes do not end inside of their block"))
        })?;
        Ok(self.part(range))
    }
}
