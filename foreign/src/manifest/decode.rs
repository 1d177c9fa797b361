//! The fields of a version edit, by their tags.

use super::decoder::{Decoder, Note};
use super::edit::{BlobValues, Edit, PebbleBlob};
use super::tables;
use crate::bytes::Cursor;
use crate::{Engine, Error, Result};

/// RocksDB skips unknown tags with this bit, because their payload has a length.
const SAFE_TO_SKIP: u32 = 1 << 13;
/// The same for the fields inside of blob file additions: those with this bit must be known.
pub(super) const MUST_BE_KNOWN: u32 = 1 << 6;

/// The edit that `record` is. `note`, where given, gets every part of every field in order. Offsets of failures
/// count from the start of the record. Of Levelscope no parts are noted.
///
/// # Errors
/// `Damaged` when a field is cut short or its tag is unknown; `NotRead` for tags of newer versions of Pebble.
pub fn decode<'s>(engine: Engine, record: &[u8], note: Option<&'s mut Note<'s>>) -> Result<Edit> {
    if engine == Engine::Levelscope {
        return super::own::decode(record);
    }
    let mut decoder = Decoder::new(record, note);
    let mut edit = Edit::default();
    loop {
        let at = decoder.offset();
        let Some(tag) = decoder.next_tag()? else { return Ok(edit) };
        let known = common(&mut decoder, &mut edit, engine)?
            || match engine {
                Engine::RocksDb => rocksdb(&mut decoder, &mut edit)?,
                Engine::Pebble => pebble(&mut decoder, &mut edit)?,
                Engine::LevelDb | Engine::Levelscope => false,
            };
        if known {
            continue;
        }
        if engine == Engine::RocksDb && tag & SAFE_TO_SKIP != 0 {
            decoder.string("skipped")?;
            continue;
        }
        return Err(unknown(engine, tag, at));
    }
}

fn unknown(engine: Engine, tag: u32, at: u64) -> Error {
    // Tags that Pebble got after those that are read here.
    if engine == Engine::Pebble && (109..200).contains(&tag) {
        let message = format!("not read: tag {tag} is from a newer version of Pebble");
        return Error::not_read(message).at(at);
    }
    Error::damaged(at, format!("unknown tag {tag}"))
}

/// Fields of all engines. Returns whether the tag is one of them.
fn common(decoder: &mut Decoder<'_, '_>, edit: &mut Edit, engine: Engine) -> Result<bool> {
    match decoder.tag() {
        1 => edit.comparator = Some(decoder.string("comparator")?.to_vec()),
        2 => edit.log_number = Some(decoder.number("log number")?),
        3 => edit.next_file = Some(decoder.number("next file number")?),
        4 => edit.last_sequence = Some(decoder.number("last sequence")?),
        5 => {
            decoder.level(engine)?;
            decoder.key("compaction cursor")?;
        }
        6 => {
            let level = decoder.level(engine)?;
            edit.removed.push((level, decoder.number("file number")? & tables::NUMBER_MASK));
        }
        9 => edit.previous_log = Some(decoder.number("previous log number")?),
        7 => tables::read(decoder, edit, engine)?,
        100 | 102 | 103 if engine != Engine::LevelDb => tables::read(decoder, edit, engine)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn rocksdb(decoder: &mut Decoder<'_, '_>, edit: &mut Edit) -> Result<bool> {
    match decoder.tag() {
        10 => edit.min_log = Some(decoder.number("smallest log number")?),
        200 => edit.family = decoder.number32("family")?,
        201 => edit.family_added = Some(text(decoder.string("family name")?)),
        202 => edit.family_dropped = true,
        203 => drop(decoder.number32("highest family number")?),
        300 => edit.group_left = Some(decoder.number32("edits left in the group")?),
        400 | 8194 => blob_added(decoder, edit)?,
        401 | 8195 => blob_garbage(decoder, edit)?,
        8193 => edit.database_id = Some(text(decoder.string("database id")?)),
        8196 => log_added(decoder, edit)?,
        8197 => edit.logs_deleted_below = Some(decoder.number("log number")?),
        8198 => drop(decoder.string("timestamp")?),
        8199 => {
            let start = decoder.offset();
            let payload = decoder.string("log")?;
            edit.logs_added.push(log_in(payload).map_err(|error| {
                Error::damaged(start, format!("log of tag 8199: {}", error.message()))
            })?);
        }
        8200 => edit.logs_deleted_below = Some(decoder.wrapped_number("log number")?),
        8201 => drop(decoder.string("timestamps are kept")?),
        8202 => drop(decoder.string("progress of a subcompaction")?),
        8203 => drop(decoder.string("size of the last manifest")?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn pebble(decoder: &mut Decoder<'_, '_>, edit: &mut Edit) -> Result<bool> {
    match decoder.tag() {
        104 => tables::read(decoder, edit, Engine::Pebble)?,
        105 => {
            let number = decoder.number("backing file number")?;
            edit.backings_added.push((number, decoder.number("size")?));
        }
        106 => edit.backings_removed.push(decoder.number("backing file number")?),
        107 => {
            let (id, number) = (decoder.number("blob id")?, decoder.number("file number")?);
            let (bytes, value_bytes) = (decoder.number("size")?, decoder.number("value bytes")?);
            let created_seconds = decoder.number("creation time")?;
            let blob = PebbleBlob { id, number, bytes, value_bytes, created_seconds };
            edit.pebble_blobs_added.push(blob);
        }
        108 => {
            let id = decoder.number("blob id")?;
            edit.pebble_blobs_removed.push((id, decoder.number("file number")?));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn blob_added(decoder: &mut Decoder<'_, '_>, edit: &mut Edit) -> Result<()> {
    let number = decoder.number("blob file number")?;
    let (count, bytes) = (decoder.number("values")?, decoder.number("bytes")?);
    decoder.string("checksum method")?;
    decoder.string("checksum")?;
    custom_until_zero(decoder)?;
    edit.blobs_added.push(BlobValues { number, count, bytes });
    Ok(())
}

fn blob_garbage(decoder: &mut Decoder<'_, '_>, edit: &mut Edit) -> Result<()> {
    let number = decoder.number("blob file number")?;
    let (count, bytes) = (decoder.number("garbage values")?, decoder.number("garbage bytes")?);
    custom_until_zero(decoder)?;
    edit.blob_garbage.push(BlobValues { number, count, bytes });
    Ok(())
}

fn custom_until_zero(decoder: &mut Decoder<'_, '_>) -> Result<()> {
    loop {
        let at = decoder.offset();
        let tag = decoder.custom_tag()?;
        if tag == 0 {
            return Ok(());
        }
        if tag & MUST_BE_KNOWN != 0 {
            return Err(Error::damaged(at, format!("unknown custom tag {tag} of a blob file")));
        }
        decoder.string("skipped")?;
    }
}

/// Tag 8196: the number of a log, then fields until the end mark.
fn log_added(decoder: &mut Decoder<'_, '_>, edit: &mut Edit) -> Result<()> {
    let number = decoder.number("log number")?;
    let mut synced = None;
    loop {
        match decoder.custom_tag()? {
            1 => break,
            2 => synced = Some(decoder.number("synced bytes")?),
            other => return Err(decoder.damaged(format!("unknown tag {other} of a log"))),
        }
    }
    edit.logs_added.push((number, synced));
    Ok(())
}

/// The payload of tag 8199: that of 8196.
fn log_in(payload: &[u8]) -> Result<(u64, Option<u64>)> {
    let mut cursor = Cursor::new(payload, 0);
    let number = cursor.varint()?;
    let mut synced = None;
    loop {
        match cursor.varint32()? {
            1 => return Ok((number, synced)),
            2 => synced = Some(cursor.varint()?),
            other => return Err(cursor.damaged(format!("unknown tag {other}"))),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
