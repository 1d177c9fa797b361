//! Judges an unreadable frame, and finds the next sound one.

use super::header::{self, BLOCK_BYTES, FrameStart, HEADER_BYTES, Header};
use super::{End, Frame, LogKind, Records};
use crate::{Error, Result};

/// Bytes whose checksum is computed in search of a sound frame, per block.
const SEARCH_BYTES: usize = 4 << 20;

impl Records<'_> {
    /// Whether the frame at which the damage lies cannot be read: LevelDB then drops the rest of its block.
    pub fn drops_block(&self) -> bool {
        self.search
    }

    /// Whether the damaged frame claims more bytes than the file has: LevelDB and RocksDB read that as the end of a manifest.
    pub(crate) fn is_past_end(&self) -> bool {
        self.search && self.past_end
    }

    /// Goes on after damage: at the next sound frame in this block, otherwise at the next block. Returns whether
    /// there is more to read.
    ///
    /// # Errors
    /// Those of the host that reads the file.
    pub fn resume(&mut self) -> Result<bool> {
        if !matches!(self.end, Some(End::Damaged(_))) {
            return Ok(false);
        }
        if let Some(own) = &mut self.own {
            self.position = own.resumed();
        }
        if self.search {
            let next_block = self.position - self.position % BLOCK_BYTES + BLOCK_BYTES;
            let found = self.sound_frame_after(self.position)?;
            self.position = found.unwrap_or(next_block).min(self.window.length());
            self.search = false;
        }
        self.skip_pieces = true;
        self.end = None;
        Ok(self.position < self.window.length())
    }

    /// Meaning of an unreadable frame at the position, and the place from which to search the next sound one after
    /// damage. `recyclable`: frames carry the number of the log.
    ///
    /// # Errors
    /// Those of the host that reads the file.
    pub(crate) fn verdict(mut self, recyclable: bool) -> Result<(End, u64)> {
        self.recyclable = recyclable;
        let end = match self.frame()? {
            Frame::End(end) => end,
            Frame::Part(_) => End::Clean,
        };
        self.end = Some(end.clone());
        self.resume()?;
        Ok((end, self.position))
    }

    /// With the facts of frames before this place.
    pub(crate) fn with_facts(mut self, compression: u32, recyclable: bool) -> Self {
        (self.compression, self.recyclable) = (compression, recyclable);
        self
    }

    /// Handles a frame at `at` that cannot be read. After frames that carry the number of the log it is a remainder of
    /// an older log, unless sound frames of this log follow.
    pub(super) fn unreadable(&mut self, at: u64, message: &str) -> Result<Frame> {
        if self.recyclable && !self.own_frames_follow(at)? {
            return Ok(Frame::End(End::Recycled { offset: at }));
        }
        self.search = true;
        Ok(Frame::End(End::Damaged(Error::damaged(at, message).in_file(self.window.name()))))
    }

    /// The frame at `at` ends after the file. It was cut off, unless sound frames follow: then its length is wrong.
    pub(super) fn cut_short(&mut self, at: u64, left: u64) -> Result<Frame> {
        self.past_end = true;
        if self.sound_frame_after(at)?.is_some() {
            return self.unreadable(at, "the length of a frame is wrong");
        }
        Ok(Frame::End(End::Torn { offset: at, bytes: left }))
    }

    /// The first sound frame after `at` in the same block.
    fn sound_frame_after(&mut self, at: u64) -> Result<Option<u64>> {
        let kind = self.kind;
        let recyclable = self.recyclable;
        let bytes = self.window.block_from(at)?;
        // Mostly the length is right. A search could find a frame in the payload, such as a copy of a log.
        if let FrameStart::Header(header) = header::parse(kind, bytes) {
            let size = header.bytes + header.length;
            let next = bytes.get(size..).unwrap_or_default();
            if is_sound(kind, recyclable, next) {
                return Ok(Some(at + size as u64));
            }
        }
        let mut budget = SEARCH_BYTES;
        for place in 1..bytes.len().saturating_sub(HEADER_BYTES - 1) {
            let rest = bytes.get(place..).unwrap_or_default();
            let Some(header) = plausible(kind, recyclable, rest) else { continue };
            let Some(left) = budget.checked_sub(header.length) else { break };
            budget = left;
            if header::checksum_is_right(&header, rest) {
                return Ok(Some(at + place as u64));
            }
        }
        Ok(None)
    }

    /// Whether a sound frame of this log lies after `at`: in the same block, or at the start of a later one.
    pub(super) fn own_frames_follow(&mut self, at: u64) -> Result<bool> {
        if self.sound_frame_after(at)?.is_some() {
            return Ok(true);
        }
        let mut block = at - at % BLOCK_BYTES + BLOCK_BYTES;
        let mut row = 0;
        while block < self.window.length() {
            if self.ends_search(block, &mut row)? {
                return Ok(false);
            }
            let kind = self.kind;
            let bytes = self.window.block_from(block)?;
            if is_sound(kind, true, bytes) {
                return Ok(true);
            }
            block += BLOCK_BYTES;
        }
        Ok(false)
    }
}

/// Whether a sound frame of this log is at the start of `bytes`.
fn is_sound(kind: LogKind, recyclable: bool, bytes: &[u8]) -> bool {
    let header = plausible(kind, recyclable, bytes);
    header.is_some_and(|header| header::checksum_is_right(&header, bytes))
}

/// The header at the start of `bytes`, when it may be one of this log: a known type, a length within the block, and
/// the number of the log where frames carry it.
fn plausible(kind: LogKind, recyclable: bool, bytes: &[u8]) -> Option<Header> {
    let FrameStart::Header(header) = header::parse(kind, bytes) else { return None };
    if header.piece == header::Piece::Unknown || header.piece == header::Piece::Skipped {
        return None;
    }
    if header.bytes + header.length > bytes.len() {
        return None;
    }
    match (kind, header.log) {
        (LogKind::Log { number, .. }, Some(log)) => {
            (u64::from(log) == number & 0xffff_ffff).then_some(header)
        }
        (_, None) if recyclable => None,
        _ => Some(header),
    }
}
