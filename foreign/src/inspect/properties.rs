//! Properties of a table, and the handles of its metaindex.

use super::fields::{Fields, fields};
use super::sink::{Sink, named};
use super::view::View;
use crate::bytes::Cursor;
use crate::table::compression_words;
use crate::text::{escaped, key, number};
use crate::{BlockHandle, Error, Result};

/// Properties that are four bytes.
const FIXED32: [&str; 2] =
    ["rocksdb.block.based.table.index.type", "rocksdb.external_sst_file.version"];
/// Properties that are eight bytes.
const FIXED64: [&str; 1] = ["rocksdb.external_sst_file.global_seqno"];
/// Properties that are text, though a short one could be a number.
const TEXTS: [&str; 16] = [
    "rocksdb.column.family.name",
    "rocksdb.comparator",
    "rocksdb.merge.operator",
    "rocksdb.prefix.extractor.name",
    "rocksdb.filter.policy",
    "rocksdb.property.collectors",
    "rocksdb.compression",
    "rocksdb.compression_options",
    "rocksdb.creating.db.identity",
    "rocksdb.creating.session.identity",
    "rocksdb.creating.host.identity",
    "rocksdb.block.based.table.whole.key.filtering",
    "rocksdb.block.based.table.prefix.filtering",
    "rocksdb.block.based.table.decoupled.partitioned.filters",
    "rocksdb.seqno.time.map",
    "pebble.colblk.schema",
];

/// Encoding of a property.
enum Shape {
    Fixed32(u32),
    Fixed64(u64),
    Varint(u64),
    Text,
}

fn shape(name: &str, value: &[u8]) -> Shape {
    let mut cursor = Cursor::new(value, 0);
    if FIXED32.contains(&name) && value.len() == 4 {
        return cursor.u32().map_or(Shape::Text, Shape::Fixed32);
    }
    if FIXED64.contains(&name) && value.len() == 8 {
        return cursor.u64().map_or(Shape::Text, Shape::Fixed64);
    }
    let known = name.starts_with("rocksdb.") || name.starts_with("pebble.");
    match cursor.varint() {
        Ok(value) if cursor.is_empty() && known && !TEXTS.contains(&name) => Shape::Varint(value),
        _ => Shape::Text,
    }
}

fn value_words(name: &str, value: &[u8]) -> String {
    match shape(name, value) {
        Shape::Fixed32(value) => number(u64::from(value)),
        Shape::Fixed64(value) | Shape::Varint(value) => number(value),
        Shape::Text if name == "rocksdb.compression" => {
            compression_words(&String::from_utf8_lossy(value))
        }
        Shape::Text => key(value),
    }
}

/// A property in words.
pub(super) fn words(name: &[u8], value: &[u8]) -> String {
    format!("{}: {}", escaped(name), value_words(&String::from_utf8_lossy(name), value))
}

/// Adds the value of a property.
pub(super) fn write(name: &[u8], value: &View, sink: &mut Sink) -> Result<()> {
    let name = String::from_utf8_lossy(name).into_owned();
    let kind = match shape(&name, value.bytes()) {
        Shape::Text => "text",
        _ => "number",
    };
    let words = value_words(&name, value.bytes());
    sink.leaf(value.len() as u64, || named("value", kind).value(words))
}

/// Adds a value of the metaindex: a handle, after which Pebble has three widths for its value blocks.
pub(super) fn write_handle(value: &View, sink: &mut Sink) -> Result<()> {
    let mut cursor = Cursor::new(value.bytes(), value.offset());
    let Ok(BlockHandle { offset, bytes }) = BlockHandle::read(&mut cursor) else {
        let error = Error::damaged(value.offset(), "this is no handle of a block");
        return sink.leaf(value.len() as u64, || named("value", "bytes").problem(Some(error)));
    };
    let words = format!("{} bytes at offset {}", number(bytes), number(offset));
    let draft = || named("handle", "value").value(words);
    sink.open(value.len() as u64, draft, || {
        fields(value, |fields| {
            fields.handle()?;
            widths(fields)
        })
    })
}

fn widths(fields: &mut Fields<'_, '_>) -> Result<()> {
    for what in ["number", "offset", "length"] {
        if fields.left() > 0 {
            fields.u8(&format!("bytes of the {what} in the index"), "length")?;
        }
    }
    Ok(())
}
