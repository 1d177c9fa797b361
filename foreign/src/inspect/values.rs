//! Values that are more than the bytes of the user.

use super::fields::{Fields, fields};
use super::sink::{Sink, named};
use super::view::View;
use crate::blob::{BlobIndex, wide_columns};
use crate::compression::{Form, name as compression_name};
use crate::text::{bytes, count, key, number};
use crate::{Engine, Kind, Result};

/// Adds the value of an entry of this kind.
pub(super) fn of_kind(engine: Engine, kind: Kind, value: &View, sink: &mut Sink) -> Result<()> {
    let length = value.len() as u64;
    match kind {
        Kind::RangeDelete | Kind::RangeKeyDelete => {
            sink.leaf(length, || named("end key", "key").value(key(value.bytes())))
        }
        Kind::RangeKeySet | Kind::RangeKeyUnset => {
            let set = kind == Kind::RangeKeySet;
            sink.open(length, || named("range keys", "value"), || range_keys(value, set))
        }
        Kind::BlobIndex if engine != Engine::Pebble => {
            let draft = || named("blob index", "value").value(blob_words(value.bytes()));
            sink.open(length, draft, || fields(value, blob_index))
        }
        Kind::WideColumns => {
            let draft = || {
                let columns = wide_columns(value.bytes());
                let words =
                    columns.map_or_else(|_| String::new(), |all| count(all.len() as u64, "column"));
                named("wide columns", "value").value(words)
            };
            sink.open(length, draft, || fields(value, columns))
        }
        Kind::DeleteSized => {
            sink.open(length, || named("value", "value"), || fields(value, deleted_size))
        }
        Kind::PreferredSequence if value.len() >= 8 => {
            sink.open(length, || named("value", "value"), || fields(value, preferred))
        }
        _ => plain(value, sink),
    }
}

/// Adds a value of the user.
pub(super) fn plain(value: &View, sink: &mut Sink) -> Result<()> {
    sink.leaf(value.len() as u64, || named("value", "value").value(key(value.bytes())))
}

fn deleted_size(fields: &mut Fields<'_, '_>) -> Result<()> {
    fields.varint("bytes of the deleted entry", "length").map(drop)
}

fn preferred(fields: &mut Fields<'_, '_>) -> Result<()> {
    let bytes = fields.left() - 8;
    fields.text(bytes, "value of the user", "value")?;
    fields.u64("preferred sequence number or write time", "sequence")?;
    Ok(())
}

fn range_keys(value: &View, set: bool) -> super::sink::Inner {
    fields(value, move |fields| {
        fields.prefixed("end key", "key")?;
        while fields.left() > 0 {
            fields.prefixed("suffix", "key")?;
            if set {
                fields.prefixed("value", "value")?;
            }
        }
        Ok(())
    })
}

fn blob_words(value: &[u8]) -> String {
    match BlobIndex::decode(value) {
        Ok(BlobIndex::Blob { file, offset, bytes: length, .. }) => {
            format!("{} at offset {} of blob file {file}", bytes(length), number(offset))
        }
        Ok(BlobIndex::Inlined { .. }) => "a value that expires".to_owned(),
        Err(_) => String::new(),
    }
}

fn blob_index(fields: &mut Fields<'_, '_>) -> Result<()> {
    let words = |kind| match kind {
        0 => "a value that expires (0)".to_owned(),
        1 => "in a blob file (1)".to_owned(),
        2 => "in a blob file, expires (2)".to_owned(),
        other => format!("not read ({other})"),
    };
    let kind = fields.byte("type of the blob index", "kind", words)?;
    if matches!(kind, 0 | 2) {
        fields.varint("expiration in seconds since 1970", "number")?;
    }
    if kind == 0 {
        fields.rest_as("value", "value")?;
        return Ok(());
    }
    fields.varint("blob file number", "number")?;
    fields.varint("offset of the value", "offset")?;
    fields.varint("length of the value", "length")?;
    compression(fields, Form::RocksDb)
}

/// A byte with the number of a compression.
pub(super) fn compression(fields: &mut Fields<'_, '_>, form: Form) -> Result<()> {
    fields.byte("compression", "kind", |number| {
        format!("{} ({number})", compression_name(form, number))
    })?;
    Ok(())
}

/// Wide columns, see [`wide_columns`].
fn columns(fields: &mut Fields<'_, '_>) -> Result<()> {
    let version = fields.varint32("version", "number")?;
    let columns = fields.varint32("columns", "count")? as usize;
    let mut lengths = Vec::new();
    if version == 1 {
        for _ in 0..columns {
            fields.prefixed("name of a column", "key")?;
            lengths.push(fields.varint32("length of its value", "length")? as usize);
        }
        for length in lengths {
            fields.text(length, "value of a column", "value")?;
        }
        return Ok(());
    }
    for what in
        ["bytes of the lengths of names", "bytes of the lengths of values", "bytes of the names"]
    {
        fields.varint32(what, "length")?;
    }
    let mut kinds = Vec::new();
    for _ in 0..columns {
        kinds.push(fields.u8("type of a column", "kind")?);
    }
    let mut names = Vec::new();
    for _ in 0..columns {
        names.push(fields.varint32("length of a name", "length")? as usize);
    }
    for _ in 0..columns {
        lengths.push(fields.varint32("length of a value", "length")? as usize);
    }
    for name in names {
        fields.text(name, "name of a column", "key")?;
    }
    for (length, kind) in lengths.into_iter().zip(kinds) {
        if kind == 17 {
            let value = fields.passed(length)?;
            of_kind(Engine::RocksDb, Kind::BlobIndex, &value, fields.sink())?;
        } else {
            fields.text(length, "value of a column", "value")?;
        }
    }
    Ok(())
}

/// Adds a value of Pebble that begins with a byte for its place.
pub(super) fn placed(value: &View, sink: &mut Sink) -> Result<()> {
    let length = value.len() as u64;
    let prefix = value.bytes().first().copied().unwrap_or_default() >> 6;
    let words = match prefix {
        0 => key(value.bytes().get(1..).unwrap_or_default()),
        1 => "in a blob file".to_owned(),
        2 => "in a value block".to_owned(),
        _ => String::new(),
    };
    let draft = || named("value", "value").value(words);
    sink.open(length, draft, || {
        fields(value, move |fields| {
            fields.byte("value prefix", "kind", |byte| place_words(prefix, byte))?;
            match prefix {
                0 => fields.rest_as("value of the user", "value").map(|_| ()),
                1 => blob_handle(fields),
                2 => value_handle(fields),
                _ => Ok(()),
            }
        })
    })
}

fn place_words(prefix: u8, byte: u8) -> String {
    let word = match prefix {
        0 => "the value follows",
        1 => "a handle into a blob file follows",
        2 => "a handle into a value block follows",
        _ => "not known",
    };
    format!("{word} ({byte:#04x})")
}

fn value_handle(fields: &mut Fields<'_, '_>) -> Result<()> {
    fields.varint32("length of the value", "length")?;
    fields.varint32("number of the value block", "number")?;
    fields.varint32("offset in the value block", "offset")?;
    Ok(())
}

fn blob_handle(fields: &mut Fields<'_, '_>) -> Result<()> {
    fields.varint32("blob reference of the table", "number")?;
    fields.varint32("length of the value", "length")?;
    fields.varint32("number of the block in the blob file", "number")?;
    fields.varint32("number of the value in that block", "number")?;
    Ok(())
}
