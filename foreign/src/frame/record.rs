//! One record of a log or a manifest.

use crate::Error;

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Offset of its first frame's header.
    pub offset: u64,
    /// Offset after its last byte.
    pub end: u64,
    /// Its content, joined and unpacked.
    pub data: Vec<u8>,
    /// Sources of the parts of `data`: place in `data`, offset in the file. Empty when the record was compressed.
    pub parts: Vec<(usize, u64)>,
}

impl Record {
    /// The offset in the file of byte `place` of the content; of a compressed record, its beginning.
    pub fn file_offset(&self, place: usize) -> u64 {
        let after = self.parts.partition_point(|(start, _)| *start <= place);
        let part = after.checked_sub(1).and_then(|index| self.parts.get(index));
        part.map_or(self.offset, |(start, offset)| offset + (place - start) as u64)
    }

    /// `error`, whose offset counts in the content, with the offset in the file.
    pub fn located(&self, error: &Error) -> Error {
        let place = error.offset().unwrap_or(0);
        let offset = self.file_offset(usize::try_from(place).unwrap_or(usize::MAX));
        error.clone().moved(offset)
    }
}
