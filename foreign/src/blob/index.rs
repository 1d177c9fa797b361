//! RocksDB's blob index, the value of entries of kind 17: the place of the true value.

use crate::bytes::Cursor;
use crate::{Error, Result};

/// A blob index, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlobIndex {
    /// The value itself, which expires.
    Inlined {
        /// The value.
        value: Vec<u8>,
    },
    /// A value in a blob file.
    Blob {
        /// Number of the blob file.
        file: u64,
        /// Offset of the value in the file; the record with the key begins before it.
        offset: u64,
        /// Stored bytes of the value.
        bytes: u64,
        /// Number of the compression.
        compression: u8,
    },
}

impl BlobIndex {
    /// Decodes the value of an entry.
    ///
    /// # Errors
    /// `Damaged` with an offset in `value` when it is cut short or too long; `NotRead` for an unknown type, or a value
    /// that is embedded in the table.
    pub fn decode(value: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(value, 0);
        let kind = cursor.u8()?;
        match kind {
            // The expiration.
            0 | 2 => drop(cursor.varint()?),
            1 => {}
            _ => return Err(Error::not_read(format!("not read: a blob index of type {kind}"))),
        }
        if kind == 0 {
            return Ok(Self::Inlined { value: cursor.rest().to_vec() });
        }
        let (file, offset, bytes) = (cursor.varint()?, cursor.varint()?, cursor.varint()?);
        let compression = cursor.u8()?;
        if !cursor.is_empty() {
            return Err(cursor.damaged("a blob index has bytes after its end"));
        }
        if file == 0 {
            return Err(Error::not_read("not read: a blob that is embedded in its table"));
        }
        Ok(Self::Blob { file, offset, bytes, compression })
    }
}

#[cfg(test)]
mod tests {
    use super::BlobIndex;
    use crate::ErrorKind;

    #[test]
    fn each_type_is_decoded() {
        let blob = BlobIndex::decode(&[1, 9, 0x80, 1, 5, 4]).unwrap();
        let expected = BlobIndex::Blob { file: 9, offset: 128, bytes: 5, compression: 4 };
        assert_eq!(blob, expected);
        let blob = BlobIndex::decode(&[2, 7, 9, 62, 5, 0]).unwrap();
        let expected = BlobIndex::Blob { file: 9, offset: 62, bytes: 5, compression: 0 };
        assert_eq!(blob, expected);
        let inlined = BlobIndex::decode(&[0, 7, b'v']).unwrap();
        assert_eq!(inlined, BlobIndex::Inlined { value: b"v".to_vec() });
    }

    #[test]
    fn unknown_types_are_not_read_and_short_ones_are_damage() {
        assert_eq!(BlobIndex::decode(&[3]).unwrap_err().kind(), ErrorKind::NotRead);
        assert_eq!(BlobIndex::decode(&[1, 0, 62, 5, 0]).unwrap_err().kind(), ErrorKind::NotRead);
        assert_eq!(BlobIndex::decode(&[1, 9, 62, 5]).unwrap_err().kind(), ErrorKind::Damaged);
        assert_eq!(BlobIndex::decode(&[1, 9, 62, 5, 0, 0]).unwrap_err().kind(), ErrorKind::Damaged);
        assert_eq!(BlobIndex::decode(&[]).unwrap_err().kind(), ErrorKind::Damaged);
    }
}
