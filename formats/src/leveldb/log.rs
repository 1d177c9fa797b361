//! Writes the framing of logs and manifests.

use super::crc::{crc32c, masked};

/// Frames do not cross these borders \[bytes\].
const BLOCK_BYTES: usize = 32 << 10;
/// Checksum, length and type in front of each frame.
const HEADER_BYTES: usize = 7;

/// A file of records being written.
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
            let left = BLOCK_BYTES - self.file.len() % BLOCK_BYTES;
            if left < HEADER_BYTES {
                self.file.resize(self.file.len() + left, 0);
                continue;
            }
            let room = (left - HEADER_BYTES).min(rest.len());
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
