//! Reads numbers and strings from bytes, with the offset of each.

use crate::{Error, Result};

/// The bytes that have not been read yet, and where they begin. `base` is the offset of the first byte in
/// the file, so that every failure names an offset of the file.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Cursor<'a> {
    /// At the first of `bytes`, which lie at `base` of their file.
    pub fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { rest: bytes, offset: base }
    }

    /// The offset in the file of the next byte.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes that have not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Damage at the next byte.
    pub fn damaged(&self, message: impl Into<String>) -> Error {
        Error::damaged(self.offset, message)
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// `Damaged` when fewer are left.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            let left = self.rest.len();
            return Err(self.damaged(format!("{count} bytes expected, {left} are left")));
        };
        self.rest = rest;
        self.offset += count as u64;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let at = *self;
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| at.damaged("cut short"))
    }

    /// The next byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The next two bytes, little endian.
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next four bytes, little endian.
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next eight bytes, little endian.
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A varint of at most 64 bits.
    ///
    /// # Errors
    /// `Damaged` when it is cut short or has more than 64 bits.
    pub fn varint(&mut self) -> Result<u64> {
        let at = *self;
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.u8().map_err(|_| at.damaged("a varint is cut short"))?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(at.damaged("a varint has more than 64 bits"))
    }

    /// A varint of at most 32 bits.
    ///
    /// # Errors
    /// `Damaged` when it is cut short or larger.
    pub fn varint32(&mut self) -> Result<u32> {
        let at = *self;
        let value = self.varint()?;
        u32::try_from(value).map_err(|_| at.damaged("a varint has more than 32 bits"))
    }

    /// A string after its length, a varint.
    pub fn prefixed(&mut self) -> Result<&'a [u8]> {
        let at = *self;
        let length = self.varint32()? as usize;
        let left = self.rest.len();
        self.take(length).map_err(|_| {
            at.damaged(format!("a string of {length} bytes is cut short: {left} are left"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn varints_of_all_lengths_are_read() {
        let mut cursor = Cursor::new(&[0x7f, 0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f], 10);
        assert_eq!(cursor.varint(), Ok(127));
        assert_eq!(cursor.varint(), Ok(128));
        assert_eq!(cursor.offset(), 13);
        assert_eq!(cursor.varint32(), Ok(u32::MAX));
        assert!(cursor.is_empty());
    }

    #[test]
    fn a_varint_that_is_too_long_or_cut_short_is_damage_at_its_first_byte() {
        let long = [0xff; 11];
        assert_eq!(Cursor::new(&long, 5).varint().unwrap_err().offset(), Some(5));
        assert_eq!(Cursor::new(&[0x80], 7).varint().unwrap_err().offset(), Some(7));
        let mut largest = vec![0xff; 9];
        largest.push(1);
        assert_eq!(Cursor::new(&largest, 0).varint(), Ok(u64::MAX));
    }
}
