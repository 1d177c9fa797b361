//! One entry as bytes, in the three ways in which the steps write it.

use super::UNSORTED;
use levelscope::internals::coding::{Reader, put_varint};
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// Encoding of the lengths before an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// Length of the key and of the value, two bytes each.
    Fixed,
    /// The same as varints.
    Varint,
    /// As varints, after the length of the prefix shared with the first key of the chunk.
    Shared,
}

/// Bytes that keys may share with other keys in one block, as a multiple of its bytes. Only a forged
/// table exceeds it, to exhaust the memory.
const SHARED_RATIO_MAX: usize = 100;

/// An entry as it lies in its content.
#[derive(Debug, Clone)]
pub(super) struct Raw {
    /// Its offset.
    pub(super) at: usize,
    /// Bytes of its key that the first key of the chunk has.
    pub(super) shared: usize,
    /// The rest of its key.
    pub(super) suffix: Range<usize>,
    /// Its value, with the operation byte.
    pub(super) stored: Range<usize>,
}

impl Raw {
    /// Offset of the next one.
    pub(super) fn next(&self) -> usize {
        self.stored.end
    }
}

impl Coding {
    /// The entry at `at`; `None` when it would not end within `content`.
    pub(super) fn read(self, content: &[u8], at: usize) -> Option<Raw> {
        let mut reader = Reader::new(content.get(at..)?);
        let mut length = || match self {
            Self::Fixed => {
                let [low, high] = reader.bytes(2)?.first_chunk::<2>()?;
                Some(usize::from(u16::from_le_bytes([*low, *high])))
            }
            Self::Varint | Self::Shared => usize::try_from(reader.varint()?).ok(),
        };
        let shared = if self == Self::Shared { length()? } else { 0 };
        let (suffix_bytes, value_bytes) = (length()?, length()?);
        let begin = at + reader.position();
        let value_at = begin.checked_add(suffix_bytes)?;
        let end = value_at.checked_add(value_bytes)?;
        (end <= content.len()).then_some(Raw {
            at,
            shared,
            suffix: begin..value_at,
            stored: value_at..end,
        })
    }

    /// Appends an entry; `suffix` is the unshared part of its key.
    pub(super) fn put(
        self,
        out: &mut Vec<u8>,
        shared: usize,
        suffix: &[u8],
        stored: &[u8],
    ) -> Result<()> {
        if self == Self::Shared {
            put_varint(out, shared as u64);
        }
        for part in [suffix, stored] {
            if self == Self::Fixed {
                let bytes = u16::try_from(part.len()).map_err(|_| {
                    Error::invalid("two bytes cannot hold a length of more than 65,535 bytes")
                })?;
                out.extend_from_slice(&bytes.to_le_bytes());
            } else {
                put_varint(out, part.len() as u64);
            }
        }
        out.extend_from_slice(suffix);
        out.extend_from_slice(stored);
        Ok(())
    }
}

/// Bytes with entries: a file, or a block of one.
#[derive(Debug)]
pub(super) struct Content<'a> {
    /// The bytes; they are owned when they had to be decompressed.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Offset of them, or of the compressed ones, in the file \[bytes\].
    pub(super) offset: u64,
}

impl<'a> Content<'a> {
    /// A part of the file that begins at `offset`.
    pub(super) fn stored(bytes: &'a [u8], offset: usize) -> Self {
        Self { bytes: Cow::Borrowed(bytes), offset: offset as u64 }
    }

    /// Offset in the file of the byte `at`: in compressed content, that of the compressed bytes \[bytes\].
    pub(super) fn offset_of(&self, at: usize) -> u64 {
        match self.bytes {
            Cow::Borrowed(_) => self.offset.saturating_add(at as u64),
            Cow::Owned(_) => self.offset,
        }
    }

    /// Some of the bytes, for as long as the file lives.
    pub(super) fn cut(&self, range: Range<usize>) -> Cow<'a, [u8]> {
        match &self.bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(range).unwrap_or_default()),
            Cow::Owned(bytes) => Cow::Owned(bytes.get(range).unwrap_or_default().to_vec()),
        }
    }

    /// Some of the bytes, for now.
    pub(super) fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// An error at the byte `at`.
    pub(super) fn damaged(&self, at: usize, what: impl Into<String>) -> Error {
        Error::damaged_at(self.offset_of(at), what)
    }
}

/// Goes over the entries of some content in order, and checks that they are in that of their keys.
#[derive(Debug)]
pub(super) struct Walk {
    coding: Coding,
    at: usize,
    end: usize,
    /// The first key of the chunk; empty before the first entry.
    prefix: Range<usize>,
    last: Option<Raw>,
    /// Bytes that keys so far took from others.
    shared_bytes: usize,
}

impl Walk {
    /// Over the entries from `range.start` up to `range.end`.
    pub(super) fn new(coding: Coding, range: Range<usize>) -> Self {
        let Range { start: at, end } = range;
        Self { coding, at, end, prefix: at..at, last: None, shared_bytes: 0 }
    }

    /// Offset of the next entry.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The next entry, the first of a chunk if `first`; `None` at the end.
    pub(super) fn next(&mut self, content: &Content<'_>, first: bool) -> Option<Result<Raw>> {
        if self.at >= self.end {
            return None;
        }
        let read = self.read(content, first);
        // Without lengths to trust, there is no next entry to find.
        self.at = read.as_ref().map_or(self.end, Raw::next);
        Some(read)
    }

    fn read(&mut self, content: &Content<'_>, first: bool) -> Result<Raw> {
        let damaged = |what: &str| content.damaged(self.at, what);
        let inside = content.bytes.get(..self.end).unwrap_or_default();
        let raw = self.coding.read(inside, self.at);
        let raw = raw.ok_or_else(|| damaged("the entry does not end where its entries end"))?;
        if first && raw.shared > 0 {
            return Err(damaged("the first key of a chunk is not whole"));
        }
        if raw.shared > self.prefix.len() {
            return Err(damaged("the key shares more than the first key of its chunk has"));
        }
        self.shared_bytes = self.shared_bytes.saturating_add(raw.shared);
        if self.shared_bytes / SHARED_RATIO_MAX > content.bytes.len() {
            return Err(damaged("the keys claim to be far longer than the block"));
        }
        if let Some(last) = &self.last
            && self.compare(content, last, &raw) != Ordering::Less
        {
            return Err(damaged(UNSORTED));
        }
        if first || self.last.is_none() {
            self.prefix = raw.suffix.clone();
        }
        self.last = Some(raw.clone());
        Ok(raw)
    }

    /// Compares the last key and the next one without reassembling them, at little more than the cost of
    /// their suffixes. The first key of a chunk shares nothing, also when `right` is one.
    fn compare(&self, content: &Content<'_>, left: &Raw, right: &Raw) -> Ordering {
        let common = left.shared.min(right.shared);
        let rest = |raw: &Raw| {
            let from = self.prefix.start.saturating_add(common);
            let to = self.prefix.start.saturating_add(raw.shared);
            let shared = content.slice(from..to);
            shared.iter().chain(content.slice(raw.suffix.clone()))
        };
        rest(left).cmp(rest(right))
    }

    /// The key of `raw`, the entry that came last.
    pub(super) fn key<'a>(&self, content: &Content<'a>, raw: &Raw) -> Cow<'a, [u8]> {
        if raw.shared == 0 {
            return content.cut(raw.suffix.clone());
        }
        let (shared, suffix) = self.parts(content, raw);
        Cow::Owned([shared, suffix].concat())
    }

    /// The shared and the stored part of the key of `raw`, the entry that came last.
    pub(super) fn parts<'c>(&self, content: &'c Content<'_>, raw: &Raw) -> (&'c [u8], &'c [u8]) {
        let shared = self.prefix.start..self.prefix.start.saturating_add(raw.shared);
        (content.slice(shared), content.slice(raw.suffix.clone()))
    }
}
