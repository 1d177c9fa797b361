//! Blocks of a table whose index cannot be read, found by their checksums: they follow each other from the
//! beginning of the file, and each ends where a checksum matches all of it.

use super::format::{BLOCK_TRAILER_BYTES, Handle};
use crate::Result;
use crate::limits::BLOCK_BYTES_MAX;
use std::borrow::Cow;

/// The first part of a file in which the end of a block is sought \[bytes\]; it doubles.
const WINDOW_BYTES: usize = 64 << 10;

/// The block that begins at `offset` of a file with `length` \[bytes\]; `None` when no checksum matches. `read`
/// returns so many bytes from an offset on.
///
/// Cost: a pass over the block; over as much as a block may have when there is none.
///
/// # Errors
/// Those of `read`.
pub fn find_block<'a>(
    read: &mut dyn FnMut(u64, usize) -> Result<Cow<'a, [u8]>>,
    offset: u64,
    length: u64,
) -> Result<Option<Handle>> {
    let left = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
    let limit = left.min(BLOCK_BYTES_MAX + BLOCK_TRAILER_BYTES);
    let mut hasher = crc32fast::Hasher::new();
    let (mut hashed, mut window) = (0, WINDOW_BYTES.min(limit));
    loop {
        let bytes = read(offset, window)?;
        // A position is the end of a block and its tag; four bytes of checksum follow.
        while let Some((tag, rest)) = bytes.get(hashed..).and_then(<[u8]>::split_first) {
            let Some(checksum) = rest.first_chunk::<4>() else { break };
            hasher.update(std::slice::from_ref(tag));
            let matches = *tag <= 1 && hasher.clone().finalize().to_le_bytes() == *checksum;
            if matches && hashed > 0 {
                return Ok(Some(Handle { offset, bytes: hashed as u64 }));
            }
            hashed += 1;
        }
        if window == limit {
            return Ok(None);
        }
        window = window.saturating_mul(2).min(limit);
    }
}
