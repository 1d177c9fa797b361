//! The log framing that write-ahead logs and manifests share.
//!
//! ```text
//! block (32 KiB):   fragment ... | fewer than seven zeros
//! fragment:         masked crc32c u32 | length u16 | type u8 | payload
//! type:             1 a whole record, 2 its first part, 3 a middle part, 4 its last part
//! ```
//! The checksum covers type and payload. A damaged fragment costs the rest of its block, because the start
//! of the next fragment is unknown. A fragment in which the file ends is a torn tail and no damage, unless a
//! sound fragment follows it, which the original would silently lose.
//!
//! Later programs have more types, some with longer headers. Such a fragment whose checksum is right is not
//! damaged, but not read either.

use super::crc::{crc32c, masked};
use levelscope::Error;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Bytes of a block of the log.
pub(super) const LOG_BLOCK_BYTES: usize = 32 << 10;
/// Bytes in front of each payload.
pub(super) const FRAGMENT_HEADER_BYTES: usize = 7;

/// Bytes that are checksummed to find a fragment, as a multiple of those that are searched.
const SEARCH_FACTOR: usize = 32;

/// Bytes of the headers of later types that follow the type: the number of the log, and in newer
/// logs of Pebble also how much of the file had been synced. The checksum covers it.
const LONGER_BY: [usize; 3] = [0, 4, 12];

/// Says how the records after it are compressed.
const SETS_COMPRESSION: u8 = 9;

/// What a fragment is of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Full,
    First,
    Middle,
    Last,
}

impl Part {
    fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            1 => Some(Self::Full),
            2 => Some(Self::First),
            3 => Some(Self::Middle),
            4 => Some(Self::Last),
            _ => None,
        }
    }
}

/// What stands at one place of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A fragment whose checksum is right.
    Fragment(Part, &'a [u8]),
    /// A fragment of this type, whose checksum is right; its header is longer by so many bytes.
    Unread { tag: u8, more: usize },
    /// A fragment of a compressed record, whose checksum is right.
    Compressed,
    /// A file that is used again ends where its new fragments end: these bytes may be those of its past.
    Past,
    /// Too few bytes for a fragment at the end of a block.
    Padding,
    /// Space that was reserved ahead of time, or that the writer did not use before it died.
    Unused,
    /// The file ends here, in the middle of a fragment.
    Torn,
    /// The rest of the block is lost.
    Damaged(&'static str),
}

/// A piece, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) offset: usize,
    pub(super) bytes: usize,
    pub(super) piece: Piece<'a>,
}

/// The pieces of `file`, in order and without gaps.
pub(super) fn pieces(file: &[u8]) -> impl Iterator<Item = Placed<'_>> {
    let mut offset = 0;
    let (mut is_used_again, mut is_compressed) = (false, false);
    std::iter::from_fn(move || {
        let rest = file.get(offset..).filter(|rest| !rest.is_empty())?;
        let left = LOG_BLOCK_BYTES - offset % LOG_BLOCK_BYTES;
        let is_last = rest.len() < left;
        let block = rest.get(..left).unwrap_or(rest);
        let (piece, bytes) = match next_piece(block, is_last) {
            _ if begins_with_end(block) => (Piece::Past, rest.len()),
            (Piece::Damaged(_) | Piece::Torn, _) if is_used_again => (Piece::Past, rest.len()),
            (Piece::Fragment(..), bytes) if is_compressed => (Piece::Compressed, bytes),
            found => found,
        };
        is_compressed |= offset == 0 && piece == Piece::Unread { tag: SETS_COMPRESSION, more: 0 };
        // Files whose fragments have the number of their log may be used again.
        is_used_again |= matches!(piece, Piece::Unread { more: 1.., .. });
        let placed = Placed { offset, bytes, piece };
        offset += bytes;
        Some(placed)
    })
}

/// Whether `bytes` begin with the mark that ends a log of Pebble in a file that was used before: the header of
/// a fragment with the number of a log, without checksum and length.
pub(super) fn begins_with_end(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 0, 0, 0, 0, 0, 5..=8, ..])
}

/// What the rest of a block begins with, and how long it is; in the last block the file ends.
fn next_piece(block: &[u8], is_last: bool) -> (Piece<'_>, usize) {
    let whole = block.len();
    let Some((header, rest)) = block.split_first_chunk::<FRAGMENT_HEADER_BYTES>() else {
        return (if is_last { Piece::Torn } else { Piece::Padding }, whole);
    };
    let [a, b, c, d, low, high, tag] = *header;
    let length = usize::from(u16::from_le_bytes([low, high]));
    if tag == 0 && length == 0 {
        return (Piece::Unused, whole);
    }
    if let Some(more) = longer_by(block, tag, length) {
        return (Piece::Unread { tag, more }, FRAGMENT_HEADER_BYTES + more + length);
    }
    let Some(payload) = rest.get(..length) else {
        let cut = Piece::Damaged("the fragment is longer than the rest of its block");
        let torn = is_last && !has_fragment(rest);
        return (if torn { Piece::Torn } else { cut }, whole);
    };
    if u32::from_le_bytes([a, b, c, d]) != masked(crc32c(&[&[tag], payload])) {
        return (Piece::Damaged("the fragment does not match its checksum"), whole);
    }
    let bytes = FRAGMENT_HEADER_BYTES + length;
    match Part::from_tag(tag) {
        Some(part) => (Piece::Fragment(part, payload), bytes),
        None => (Piece::Unread { tag, more: 0 }, bytes),
    }
}

/// By how much the header of the fragment of a later type at the beginning of `block` is longer \[bytes\]; `None`
/// when its checksum is not that of one.
fn longer_by(block: &[u8], tag: u8, length: usize) -> Option<usize> {
    if Part::from_tag(tag).is_some() {
        return None;
    }
    let stored = u32::from_le_bytes(*block.first_chunk::<4>()?);
    LONGER_BY.into_iter().find(|more| {
        let end = FRAGMENT_HEADER_BYTES + more + length;
        let covered = block.get(FRAGMENT_HEADER_BYTES - 1..end);
        covered.is_some_and(|covered| masked(crc32c(&[covered])) == stored)
    })
}

/// Whether a sound fragment begins somewhere in `bytes`: then the fragment before it was not torn by a
/// crash; its length is damaged. Every byte is tried, as long as that is cheap.
fn has_fragment(bytes: &[u8]) -> bool {
    let mut left = bytes.len().saturating_mul(SEARCH_FACTOR);
    (0..bytes.len()).any(|at| {
        let Some(([a, b, c, d, low, high, tag], rest)) =
            bytes.get(at..).and_then(<[u8]>::split_first_chunk::<FRAGMENT_HEADER_BYTES>)
        else {
            return false;
        };
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let Some(payload) = rest.get(..length).filter(|_| Part::from_tag(*tag).is_some()) else {
            return false;
        };
        left = left.saturating_sub(length);
        left > 0 && u32::from_le_bytes([*a, *b, *c, *d]) == masked(crc32c(&[&[*tag], payload]))
    })
}

/// A record, put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// Where its first fragment begins.
    pub(super) offset: usize,
    pub(super) payload: Cow<'a, [u8]>,
}

/// What a reader of records meets.
#[derive(Debug)]
pub(super) enum LogItem<'a> {
    Record(Record<'a>),
    /// A record whose checksum is right, and that is not read.
    Unread(Error),
    /// Records are lost.
    Damage(Error),
    /// The file ends within a record that begins at this offset: it was never acknowledged as synced.
    Torn(usize),
}

/// The records of `file`, with damage and a torn end in their places.
pub(super) fn records(file: &[u8]) -> impl Iterator<Item = LogItem<'_>> {
    let mut pieces = pieces(file);
    let mut assembly = Assembly::default();
    std::iter::from_fn(move || {
        loop {
            if let Some(found) = assembly.found.pop_front() {
                return Some(found);
            }
            match pieces.next() {
                Some(placed) => assembly.take(placed),
                None => return assembly.begun.take().map(|record| LogItem::Torn(record.offset)),
            }
        }
    })
}

/// Records being put together.
#[derive(Default)]
struct Assembly<'a> {
    /// The record whose last fragment is still to come.
    begun: Option<Record<'a>>,
    found: VecDeque<LogItem<'a>>,
}

impl<'a> Assembly<'a> {
    fn take(&mut self, placed: Placed<'a>) {
        let Placed { offset, piece, .. } = placed;
        match piece {
            Piece::Unread { tag, .. } => {
                self.begun = None;
                let what = format!("the record has the type {tag}, which is not read");
                self.found.push_back(LogItem::Unread(Error::not_read_at(offset as u64, what)));
            }
            Piece::Compressed => {
                let what = "the record is compressed, which is not read";
                self.found.push_back(LogItem::Unread(Error::not_read_at(offset as u64, what)));
            }
            Piece::Past => self.begun = None,
            Piece::Fragment(Part::Full, payload) => {
                self.give_up("the record has no end");
                let payload = Cow::Borrowed(payload);
                self.found.push_back(LogItem::Record(Record { offset, payload }));
            }
            Piece::Fragment(Part::First, payload) => {
                self.give_up("the record has no end");
                self.begun = Some(Record { offset, payload: Cow::Borrowed(payload) });
            }
            Piece::Fragment(part, payload) => match self.begun.take() {
                Some(mut record) => {
                    record.payload.to_mut().extend_from_slice(payload);
                    if part == Part::Last {
                        self.found.push_back(LogItem::Record(record));
                    } else {
                        self.begun = Some(record);
                    }
                }
                None => self.lose(offset, "the beginning of this record is lost"),
            },
            Piece::Padding => {}
            Piece::Unused => self.give_up("the record has no end"),
            Piece::Torn => {
                let begin = self.begun.take().map_or(offset, |record| record.offset);
                self.found.push_back(LogItem::Torn(begin));
            }
            Piece::Damaged(what) => {
                self.begun = None;
                self.lose(offset, what);
            }
        }
    }

    fn lose(&mut self, offset: usize, what: &str) {
        self.found.push_back(LogItem::Damage(Error::damaged_at(offset as u64, what)));
    }

    fn give_up(&mut self, what: &str) {
        if let Some(record) = self.begun.take() {
            self.lose(record.offset, what);
        }
    }
}

/// Writes records into fragments.
#[derive(Debug, Default)]
pub(super) struct LogBuilder {
    file: Vec<u8>,
}

impl LogBuilder {
    /// Appends a record, cut where blocks end.
    pub(super) fn add(&mut self, record: &[u8]) {
        let mut rest = record;
        let mut is_first = true;
        loop {
            let left = LOG_BLOCK_BYTES - self.file.len() % LOG_BLOCK_BYTES;
            if left < FRAGMENT_HEADER_BYTES {
                self.file.resize(self.file.len() + left, 0);
                continue;
            }
            let room = (left - FRAGMENT_HEADER_BYTES).min(rest.len());
            let (payload, after) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            let tag: u8 = match (is_first, after.is_empty()) {
                (true, true) => 1,
                (true, false) => 2,
                (false, false) => 3,
                (false, true) => 4,
            };
            let [low, high, ..] = payload.len().to_le_bytes();
            self.file.extend_from_slice(&masked(crc32c(&[&[tag], payload])).to_le_bytes());
            self.file.extend_from_slice(&[low, high, tag]);
            self.file.extend_from_slice(payload);
            (rest, is_first) = (after, false);
            if rest.is_empty() {
                return;
            }
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.file
    }
}
