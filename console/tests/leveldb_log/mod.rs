//! Writes logs of `LevelDB`, with keys of any length.
#![allow(clippy::cast_possible_truncation, reason = "lengths are small")]

use levelscope_foreign::checksum::masked_crc32c;

/// A log of `LevelDB` with a batch for each key.
pub(crate) fn log_of(keys: &[Vec<u8>]) -> Vec<u8> {
    const BLOCK_BYTES: usize = 32 << 10;
    let varint = |out: &mut Vec<u8>, mut number: usize| {
        while number > 127 {
            out.push((number & 127) as u8 | 128);
            number >>= 7;
        }
        out.push(number as u8);
    };
    let mut log = Vec::new();
    for (key, sequence) in keys.iter().zip(1_u64..) {
        let mut batch = [&sequence.to_le_bytes()[..], &1_u32.to_le_bytes(), &[1]].concat();
        for part in [key.as_slice(), &[7; 500]] {
            varint(&mut batch, part.len());
            batch.extend_from_slice(part);
        }
        let (mut rest, mut is_first) = (&batch[..], true);
        while is_first || !rest.is_empty() {
            let left = BLOCK_BYTES - log.len() % BLOCK_BYTES;
            if left < 7 {
                log.resize(log.len() + left, 0);
                continue;
            }
            let (payload, after) = rest.split_at((left - 7).min(rest.len()));
            let kind = match (is_first, after.is_empty()) {
                (true, true) => 1,
                (true, false) => 2,
                (false, false) => 3,
                (false, true) => 4,
            };
            let frame = [&[kind][..], payload].concat();
            log.extend_from_slice(&masked_crc32c(&frame).to_le_bytes());
            log.extend_from_slice(&(payload.len() as u16).to_le_bytes());
            log.extend_from_slice(&frame);
            (rest, is_first) = (after, false);
        }
    }
    log
}
