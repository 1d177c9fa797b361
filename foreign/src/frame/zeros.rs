//! Very long rows of zeros: a file may claim a terabyte that takes no place on any disk.

use super::header::{self, BLOCK_BYTES, FrameStart, SYNC_BYTES};
use super::{End, Frame, LogKind, Records};
use crate::{Engine, Error, Result};

/// Bytes without a frame that are read in a row. Databases reserve space for a manifest or a log ahead, but less.
pub(super) const ZEROS_MAX: u64 = 64 << 20;
/// Blocks of the rest that are looked at, evenly spread, and the last one.
const PLACES: u64 = 64;

impl Records<'_> {
    /// A row of [`ZEROS_MAX`] ends at `at`. Where the rest of the file is zeros wherever it is looked at, the file ended
    /// before the row; otherwise the rest is not read.
    pub(super) fn after_zeros(&mut self, at: u64) -> Result<Frame> {
        let length = self.window.length();
        let is_zeros = self.is_zeros_after(at)?;
        self.position = length;
        if is_zeros {
            return Ok(Frame::End(End::Clean));
        }
        let message =
            format!("not read: {} MiB of zeros end here, and other bytes follow", ZEROS_MAX >> 20);
        let error = Error::not_read(message).at(at).in_file(self.window.name());
        Ok(Frame::End(End::Damaged(error)))
    }

    /// Whether a replay ends at zeros that lie at `at`, with `left` bytes in the block: in a log of Pebble, unless a
    /// header would not fit there.
    pub(super) fn ends_in_zeros(&self, at: u64, left: u64) -> bool {
        let is_pebble = matches!(self.kind, LogKind::Log { engine: Engine::Pebble, .. });
        is_pebble && left >= SYNC_BYTES as u64 && self.zeros_from == Some(at)
    }

    /// Zeros lie at `at` where a frame could be: reserved space, unless sound frames follow.
    pub(super) fn zeroed(&mut self, at: u64) -> Result<Frame> {
        if self.own_frames_follow(at)? {
            return self.unreadable(at, "zeros lie in the place of a frame");
        }
        Ok(Frame::End(End::Clean))
    }

    fn is_zeros_after(&mut self, at: u64) -> Result<bool> {
        let length = self.window.length();
        let left = length.saturating_sub(at);
        let last = length.saturating_sub(1);
        for place in (0..PLACES).map(|part| at + left / PLACES * part).chain([last]) {
            let block = place - place % BLOCK_BYTES;
            if self.window.block_from(block)?.iter().any(|byte| *byte != 0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the block at `block` begins with no frame, and so many before it that no more are looked at; `row` is
    /// their number so far.
    pub(super) fn ends_search(&mut self, block: u64, row: &mut u64) -> Result<bool> {
        let parsed = header::parse(self.kind, self.window.block_from(block)?);
        *row = if matches!(parsed, FrameStart::Zeros) { *row + 1 } else { 0 };
        Ok(*row >= ZEROS_MAX / BLOCK_BYTES)
    }
}
