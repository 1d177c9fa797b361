//! The custom fields of tables in tags 103 and 104: a tag and a string each, until tag 1.

use super::decode::MUST_BE_KNOWN;
use super::decoder::{Decoder, varint_in};
use crate::bytes::Cursor;
use crate::{Error, Result, TableFile};

/// The tag that ends the fields.
const END: u32 = 1;

/// RocksDB's fields.
pub(super) fn rocksdb(
    decoder: &mut Decoder<'_, '_>,
    table: &mut TableFile,
    min_log: &mut Option<u64>,
) -> Result<()> {
    loop {
        let at = decoder.offset();
        let tag = decoder.custom_tag()?;
        if tag == END {
            return Ok(());
        }
        let value = decoder.string(rocksdb_name(tag))?;
        let number = || {
            varint_in(value)
                .ok_or_else(|| Error::damaged(at, format!("{} is not a number", rocksdb_name(tag))))
        };
        let byte = || {
            let one = value.first().copied().filter(|_| value.len() == 1);
            one.ok_or_else(|| Error::damaged(at, format!("{} has not one byte", rocksdb_name(tag))))
        };
        match tag {
            2 | 9 => drop(byte()?),
            3 => *min_log = Some(Cursor::new(value, at).u64()?),
            4 => table.oldest_blob_file = known(number()?),
            5 => drop(number()?),
            6 => table.created_seconds = known(number()?),
            13 => table.epoch = Some(number()?),
            65 => table.path = u32::from(byte()?),
            other if other & MUST_BE_KNOWN != 0 => {
                return Err(Error::damaged(at, format!("unknown custom tag {other} of a table")));
            }
            _ => {}
        }
    }
}

/// 0 stands for a number that is not known.
fn known(number: u64) -> Option<u64> {
    (number != 0).then_some(number)
}

fn rocksdb_name(tag: u32) -> &'static str {
    match tag {
        2 => "marked for compaction",
        3 => "smallest log number",
        4 => "oldest blob file",
        5 => "oldest ancestor time",
        6 => "file creation time",
        7 => "file checksum",
        8 => "file checksum function",
        9 => "temperature",
        10 => "smallest timestamp",
        11 => "largest timestamp",
        12 => "unique id",
        13 => "epoch number",
        14 => "size freed by range deletions",
        15 => "tail size",
        16 => "timestamps are kept",
        65 => "path",
        _ => "skipped",
    }
}

/// Pebble's fields; some have a shape of their own.
pub(super) fn pebble(decoder: &mut Decoder<'_, '_>, table: &mut TableFile) -> Result<()> {
    loop {
        let at = decoder.offset();
        match decoder.custom_tag()? {
            END => return Ok(()),
            2 => drop(decoder.string("marked for compaction")?),
            6 => table.created_seconds = known(decoder.wrapped_number("creation time")?),
            66 => table.backing = decoder.number("backing file number")?,
            67 => table.synthetic_prefix = decoder.string("synthetic prefix")?.to_vec(),
            68 => table.synthetic_suffix = decoder.string("synthetic suffix")?.to_vec(),
            69 => blob_references(decoder, table)?,
            other if other & MUST_BE_KNOWN != 0 => {
                let message = format!("not read: custom tag {other} of a table");
                return Err(Error::not_read(message).at(at));
            }
            _ => {
                decoder.string("skipped")?;
            }
        }
    }
}

fn blob_references(decoder: &mut Decoder<'_, '_>, table: &mut TableFile) -> Result<()> {
    decoder.number("depth of blob references")?;
    // The count is not trusted: each reference is read before room is made for the next.
    let count = decoder.number("blob references")?;
    for _ in 0..count {
        let id = decoder.number("blob id")?;
        table.blob_references.push((id, decoder.number("value bytes")?));
    }
    Ok(())
}
