//! Records of compressed logs: each one is a separate zstd stream.

use crate::{Error, Result};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::Read as _;

/// A record may not unpack to more.
const UNPACKED_MAX: usize = 64 << 20;
/// Bytes that are unpacked before the limit is looked at again.
const STEP_BYTES: usize = 1 << 20;
/// An empty raw block that is the last one, and room for a checksum: RocksDB flushes its streams, so a record may
/// lack the end of its frame.
const FRAME_END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// The bytes that `packed`, a zstd stream, unpacks to.
///
/// # Errors
/// `Damaged` when it is no such stream; `NotRead` when it unpacks to more than 64 MiB.
pub fn unpack_zstd(packed: &[u8]) -> Result<Vec<u8>> {
    let mut source = packed.chain(FRAME_END.as_slice());
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(UNPACKED_MAX as u64);
    let damaged = |error: &dyn std::fmt::Display| {
        Error::damaged(0, format!("the zstd stream of the record cannot be unpacked: {error}"))
    };
    decoder.reset(&mut source).map_err(|error| damaged(&error))?;
    let mut unpacked = Vec::new();
    while !decoder.is_finished() {
        decoder
            .decode_blocks(&mut source, BlockDecodingStrategy::UptoBytes(STEP_BYTES))
            .map_err(|error| damaged(&error))?;
        unpacked.extend(decoder.collect().unwrap_or_default());
        if unpacked.len() + decoder.can_collect() > UNPACKED_MAX {
            return Err(Error::not_read("not read: a record unpacks to more than 64 MiB"));
        }
    }
    unpacked.extend(decoder.collect().unwrap_or_default());
    Ok(unpacked)
}
