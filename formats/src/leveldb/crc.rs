//! CRC-32C as these files store it.

/// Added to a rotated checksum, so that a checksum over checksums stays good.
const MASK_DELTA: u32 = 0xa282_ead8;

/// CRC-32C of the concatenation of `parts`.
pub(crate) fn crc32c(parts: &[&[u8]]) -> u32 {
    parts.iter().fold(0, |crc, part| crc32c::crc32c_append(crc, part))
}

/// The checksum in its stored, masked form.
pub(crate) fn masked(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(MASK_DELTA)
}
