//! MinLZ blocks: tags with literals and copies, as in Snappy, but with more compact lengths and a repeated offset.
//!
//! This implements the MinLZ specification v1.0: blocks, without streams and dictionaries.

use crate::bytes::Cursor;
use crate::{Error, Result};

/// Most bytes that a block may hold.
const BLOCK_BYTES_MAX: usize = 8 << 20;

/// The content of one block.
///
/// # Errors
/// `Damaged` when an operation needs more input than there is, refers to bytes before the start, or the length at the
/// start is wrong. A first byte other than 0 is Snappy, which a decoder may read as well: `NotRead` here.
pub(crate) fn decode(block: &[u8]) -> Result<Vec<u8>> {
    let mut input = Cursor::new(block, 0);
    if input.u8()? != 0 {
        return Err(Error::not_read("a MinLZ block that does not start with 0"));
    }
    if input.is_empty() {
        return Ok(Vec::new());
    }
    let at = input;
    let length = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
    if length > BLOCK_BYTES_MAX {
        return Err(at.damaged(format!("a block of {length} bytes, MinLZ has at most 8 MiB")));
    }
    if length == 0 {
        return Ok(input.rest().to_vec());
    }
    if input.rest().len() > length {
        return Err(at.damaged("a compressed block that is larger than its content"));
    }
    let mut output = Output { bytes: Vec::with_capacity(length), length, repeated: 1 };
    while !input.is_empty() {
        step(&mut input, &mut output)?;
    }
    if output.bytes.len() != length {
        let got = output.bytes.len();
        return Err(input.damaged(format!("{got} bytes after decompression, {length} expected")));
    }
    Ok(output.bytes)
}

struct Output {
    bytes: Vec<u8>,
    length: usize,
    /// The offset of the last copy.
    repeated: usize,
}

impl Output {
    fn fits(&self, count: usize, at: &Cursor<'_>) -> Result<()> {
        if self.bytes.len() + count > self.length {
            return Err(at.damaged("more bytes than the block declares"));
        }
        Ok(())
    }

    fn literals(&mut self, input: &mut Cursor<'_>, count: usize) -> Result<()> {
        let at = *input;
        let literals = input.take(count)?;
        self.fits(count, &at)?;
        self.bytes.extend_from_slice(literals);
        Ok(())
    }

    /// Copies `count` bytes from `offset` before the end; they may overlap their copy.
    fn copy(&mut self, at: &Cursor<'_>, offset: usize, mut count: usize) -> Result<()> {
        self.fits(count, at)?;
        self.repeated = offset;
        let start = self.bytes.len().checked_sub(offset);
        let start = start.ok_or_else(|| at.damaged("a copy from before the start of the block"))?;
        while count > 0 {
            // Copied bytes may be copied again, so each round doubles the bytes at hand.
            let end = (start + count).min(self.bytes.len());
            self.bytes.extend_from_within(start..end);
            count -= end - start;
        }
        Ok(())
    }
}

/// One operation.
fn step(input: &mut Cursor<'_>, output: &mut Output) -> Result<()> {
    let at = *input;
    let tag = input.u8()?;
    let value = usize::from(tag >> 2);
    match tag & 3 {
        0 => {
            let length = match value >> 1 {
                29 => 30 + little(input, 1)?,
                30 => 30 + little(input, 2)?,
                31 => 30 + little(input, 3)?,
                short => 1 + short,
            };
            if value & 1 == 0 {
                output.literals(input, length)
            } else {
                let repeated = output.repeated;
                output.copy(&at, repeated, length)
            }
        }
        1 => {
            let offset = 1 + (little(input, 1)? << 2 | value >> 4);
            let length = match value & 15 {
                15 => 18 + little(input, 1)?,
                short => 4 + short,
            };
            output.copy(&at, offset, length)
        }
        2 => {
            let offset = 64 + little(input, 2)?;
            let length = copy_length(input, value)?;
            output.copy(&at, offset, length)
        }
        _ => fused(input, output, &at, value),
    }
}

/// Literals, then a copy with an offset of 16 or 21 bits.
fn fused(input: &mut Cursor<'_>, output: &mut Output, at: &Cursor<'_>, value: usize) -> Result<()> {
    let literals = value >> 1 & 3;
    if value & 1 == 0 {
        let offset = 64 + little(input, 2)?;
        output.literals(input, literals + 1)?;
        return output.copy(at, offset, 4 + (value >> 3));
    }
    let value = value | little(input, 3)? << 6;
    let offset = 65_536 + (value >> 9);
    let length = copy_length(input, value >> 3 & 63)?;
    output.literals(input, literals)?;
    output.copy(at, offset, length)
}

fn copy_length(input: &mut Cursor<'_>, value: usize) -> Result<usize> {
    Ok(match value {
        61 => 64 + little(input, 1)?,
        62 => 64 + little(input, 2)?,
        63 => 64 + little(input, 3)?,
        short => 4 + short,
    })
}

fn little(input: &mut Cursor<'_>, bytes: usize) -> Result<usize> {
    let taken = input.take(bytes)?;
    Ok(taken.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn literals_repeats_and_copies_are_decoded() {
        // "x" as a literal, then a repeat of 4 with the first offset, 1.
        assert_eq!(decode(&[0, 5, 0x00, b'x', 0x1c]), Ok(b"xxxxx".to_vec()));
        // "xab", then a copy of 4 from 2 bytes before.
        assert_eq!(decode(&[0, 7, 0x10, b'x', b'a', b'b', 0x41, 0]), Ok(b"xababab".to_vec()));
        // No length: the rest is literal.
        assert_eq!(decode(&[0, 0, b'a', b'b']), Ok(b"ab".to_vec()));
        assert_eq!(decode(&[0]), Ok(Vec::new()));
    }

    #[test]
    fn a_fused_copy_puts_its_literals_before_the_copy() {
        let mut block = vec![0, 77, 29 << 3, 34];
        block.extend(0..64);
        // 2 literals, then 11 bytes from 64 before the end of the literals.
        block.extend([0b1110_1011, 0, 0, b'y', b'z']);
        let content = decode(&block).unwrap();
        assert_eq!(content[62..], [62, 63, b'y', b'z', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }

    #[test]
    fn a_copy_from_before_the_start_and_a_wrong_length_are_damage() {
        assert!(decode(&[0, 7, 0x10, b'x', b'a', b'b', 0xc1, 1]).is_err());
        assert!(decode(&[0, 6, 0x00, b'x', 0x1c]).is_err());
        assert!(decode(&[0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]).is_err());
    }
}
