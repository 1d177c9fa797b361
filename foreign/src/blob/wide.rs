//! Wide columns: the value of RocksDB's entries of kind 22.
//!
//! ```text
//! version 1: v32 1, v32 n, n × (name with its length, v32 bytes of the value), values
//! version 2: v32 2, v32 n, 3 × v32 bytes of the next but one to fourth part,
//!            n × u8 type, n × v32 bytes of the name, n × v32 bytes of the value, names, values
//! ```

use super::BlobIndex;
use crate::bytes::Cursor;
use crate::{Error, Result};

/// The type of a column whose value is there.
const INLINE: u8 = 1;
/// The type of a column whose value is a blob index.
const BLOB_INDEX: u8 = 17;

/// A column. A plain read returns the one with the empty name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: Vec<u8>,
    /// Its value; empty when that is in a blob file.
    pub value: Vec<u8>,
    /// The index of its value in a blob file, if it is there.
    pub blob: Option<BlobIndex>,
}

/// The columns of an entity, by ascending names.
///
/// # Errors
/// `Damaged` with an offset in `value`; `NotRead` for a newer version.
pub fn wide_columns(value: &[u8]) -> Result<Vec<Column>> {
    let mut cursor = Cursor::new(value, 0);
    let version = cursor.varint32()?;
    let at = cursor;
    let count = cursor.varint32()? as usize;
    // A column takes two bytes at least.
    if count > cursor.rest().len() {
        return Err(at.damaged(format!("{count} columns in {} bytes", value.len())));
    }
    let columns = match version {
        1 => version_1(&mut cursor, count)?,
        2 => version_2(&mut cursor, count)?,
        _ => return Err(Error::not_read(format!("not read: wide columns of version {version}"))),
    };
    if !cursor.is_empty() {
        return Err(cursor.damaged("wide columns have bytes after their end"));
    }
    let mut pairs = columns.iter().zip(columns.iter().skip(1));
    if pairs.any(|(one, next)| one.name >= next.name) {
        return Err(at.damaged("the names of the columns are not in order"));
    }
    Ok(columns)
}

fn version_1(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Column>> {
    let mut heads = Vec::with_capacity(count);
    for _ in 0..count {
        heads.push((cursor.prefixed()?, cursor.varint32()? as usize));
    }
    let column = |(name, bytes): (&[u8], usize)| {
        Ok(Column { name: name.to_vec(), value: cursor.take(bytes)?.to_vec(), blob: None })
    };
    heads.into_iter().map(column).collect()
}

fn version_2(cursor: &mut Cursor<'_>, count: usize) -> Result<Vec<Column>> {
    let at = *cursor;
    let sizes =
        [cursor.varint32()?, cursor.varint32()?, cursor.varint32()?].map(|size| size as usize);
    let types = cursor.take(count)?;
    let [name_sizes, value_sizes, names] = sizes;
    let name_sizes = numbers(cursor, name_sizes, count)?;
    let value_sizes = numbers(cursor, value_sizes, count)?;
    let mut names = Cursor::new(cursor.take(names)?, cursor.offset());
    let mut columns = Vec::with_capacity(count);
    for ((&kind, name), bytes) in types.iter().zip(name_sizes).zip(value_sizes) {
        let name = names.take(name)?.to_vec();
        let here = *cursor;
        let value = cursor.take(bytes)?;
        let column = match kind {
            INLINE => Column { name, value: value.to_vec(), blob: None },
            BLOB_INDEX => {
                let blob =
                    BlobIndex::decode(value).map_err(|error| error.shifted(here.offset()))?;
                Column { name, value: Vec::new(), blob: Some(blob) }
            }
            _ => return Err(here.damaged(format!("a column of type {kind}"))),
        };
        columns.push(column);
    }
    if !names.is_empty() {
        return Err(
            at.damaged("the names of the columns have another length than the sum of theirs")
        );
    }
    Ok(columns)
}

/// `count` varints in `bytes` bytes.
fn numbers(cursor: &mut Cursor<'_>, bytes: usize, count: usize) -> Result<Vec<usize>> {
    let mut part = Cursor::new(cursor.take(bytes)?, cursor.offset() - bytes as u64);
    let numbers = (0..count).map(|_| Ok(part.varint32()? as usize)).collect::<Result<_>>()?;
    if !part.is_empty() {
        return Err(part.damaged("a list of lengths has bytes after its end"));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::wide_columns;
    use crate::ErrorKind;
    use crate::blob::BlobIndex;

    #[test]
    fn both_versions_are_decoded() {
        let columns = wide_columns(b"\x01\x02\x00\x03\x03age\x01abc7").unwrap();
        let pairs: Vec<_> = columns.iter().map(|column| (&*column.name, &*column.value)).collect();
        assert_eq!(pairs, [(&b""[..], &b"abc"[..]), (b"age", b"7")]);
        let second = b"\x02\x02\x02\x02\x03\x01\x11\x01\x02\x03\x06abcxyz\x01\x09\x80\x01\x05\x04";
        let columns = wide_columns(second).unwrap();
        assert_eq!((&*columns[0].name, &*columns[0].value), (&b"a"[..], &b"xyz"[..]));
        assert_eq!(columns[1].name, b"bc");
        assert!(matches!(columns[1].blob, Some(BlobIndex::Blob { file: 9, offset: 128, .. })));
    }

    #[test]
    fn columns_out_of_order_cut_short_or_too_many_are_damage() {
        for damaged in [
            &b"\x01\x02\x01b\x00\x01a\x00"[..],
            b"\x01\x01\x01b\x02x",
            b"\x01\x01\x01b\x01xy",
            b"\x01\xff\xff\xff\x07a",
            b"\x02\x01\x01\x01\x01\x16\x01\x01ax",
            b"",
        ] {
            let error = wide_columns(damaged).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Damaged, "{damaged:?}");
        }
        assert_eq!(wide_columns(b"\x03\x00").unwrap_err().kind(), ErrorKind::NotRead);
    }
}
