//! The pieces of a log: each block is filled with chunks, and a record that does not fit goes on in the
//! next block.

use levelscope::internals::coding::Reader;
use std::ops::Range;

/// Bytes of a block.
pub(super) const BLOCK_BYTES: usize = 4096;
/// Bytes in front of the payload of a chunk: its length and its kind. Where a block has no more than so
/// many left, no chunk begins.
pub(super) const HEADER_BYTES: usize = 3;

/// The part of a record that a chunk holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Full,
    First,
    Middle,
    Last,
}

impl Part {
    /// Its stored number.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Full => 1,
            Self::First => 2,
            Self::Middle => 3,
            Self::Last => 4,
        }
    }

    fn of(number: u8) -> Option<Self> {
        [Self::Full, Self::First, Self::Middle, Self::Last]
            .into_iter()
            .find(|part| part.number() == number)
    }
}

/// A piece of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A part of a record.
    Chunk { at: usize, part: Part, payload: Range<usize> },
    /// Zeros up to the end of a block.
    Padding(Range<usize>),
    /// The torn last chunk, as a crash leaves it.
    Torn(Range<usize>),
    /// Bytes that are no chunk, up to the end of their block: the next block begins with a chunk.
    Bad(Range<usize>, &'static str),
}

impl Piece {
    /// Offset of the next one.
    fn end(&self) -> usize {
        match self {
            Self::Chunk { payload, .. } => payload.end,
            Self::Padding(range) | Self::Torn(range) | Self::Bad(range, _) => range.end,
        }
    }
}

/// The pieces of `file`, in order; they leave no gap.
pub(super) fn pieces(file: &[u8]) -> impl Iterator<Item = Piece> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= file.len() {
            return None;
        }
        let piece = piece(file, at);
        at = piece.end();
        Some(piece)
    })
}

fn piece(file: &[u8], at: usize) -> Piece {
    let left = BLOCK_BYTES - at % BLOCK_BYTES;
    let block_end = at.saturating_add(left).min(file.len());
    let rest = file.get(at..block_end).unwrap_or_default();
    let zeros = rest.iter().all(|byte| *byte == 0);
    if left <= HEADER_BYTES {
        return if zeros {
            Piece::Padding(at..block_end)
        } else {
            Piece::Bad(at..block_end, "no chunk begins so near to the end of a block")
        };
    }
    let mut reader = Reader::new(rest);
    let header = reader.bytes(HEADER_BYTES).and_then(|header| header.first_chunk::<HEADER_BYTES>());
    let Some([low, high, kind]) = header else { return Piece::Torn(at..block_end) };
    let bytes = usize::from(u16::from_le_bytes([*low, *high]));
    let Some(part) = Part::of(*kind) else {
        return if zeros {
            Piece::Padding(at..block_end)
        } else {
            Piece::Bad(at..block_end, "a chunk is of kind 1 to 4")
        };
    };
    let begin = at + HEADER_BYTES;
    let end = begin + bytes;
    if end <= block_end {
        return Piece::Chunk { at, part, payload: begin..end };
    }
    if bytes <= left - HEADER_BYTES {
        return Piece::Torn(at..block_end);
    }
    Piece::Bad(at..block_end, "this chunk would go on beyond the end of its block")
}
