//! Filters, and blocks of numbers that have no rows.

use super::fields::{Fields, little_endian};
use super::sink::{Sink, named, parts};
use super::view::View;
use crate::text::{bytes, number};
use crate::{Error, Result};

/// Bytes at the end of a filter over a whole table.
const TAIL: usize = 5;

/// A filter over a whole table, or a partition of one.
pub(super) fn write(view: &View, sink: &mut Sink) -> Result<()> {
    let Some(length) = view.len().checked_sub(TAIL) else {
        return sink.leaf(view.len() as u64, || {
            named("empty filter", "bits").value("every key may be in the table")
        });
    };
    let mut fields = Fields::new(view, sink);
    let kind = view.bytes().get(length).copied().unwrap_or_default();
    let name = if kind == 0xfe { "ribbon rows" } else { "bits" };
    fields.field(
        |cursor| cursor.take(length),
        |taken| named(name, "bits").value(bytes(taken.len() as u64)),
    )?;
    match kind {
        0xff => {
            fields.byte("filter type", "kind", |byte| format!("Bloom ({byte})"))?;
            fields.u8("implementation", "kind")?;
            fields.byte("probes and block size", "count", |byte| {
                let line = 64_u32 << (byte >> 5);
                format!("{} probes, blocks of {line} bytes", byte & 31)
            })?;
            fields.field(|cursor| cursor.take(2), |_| named("reserved", "zeros"))?;
        }
        0xfe => {
            fields.byte("filter type", "kind", |byte| format!("Ribbon ({byte})"))?;
            fields.u8("seed", "number")?;
            fields.field(
                |cursor| cursor.take(3).map(little_endian),
                |blocks| named("blocks of 128 rows", "count").value(number(*blocks)),
            )?;
        }
        _ => {
            fields.u8("probes", "count")?;
            fields.u32("cache lines", "count")?;
        }
    }
    fields.end()
}

/// A filter of LevelDB: one filter for every 2 KiB of data blocks, their offsets, the offset of these, the size of a range.
pub(super) fn write_by_range(view: &View, sink: &mut Sink) -> Result<()> {
    let damaged = || Error::damaged(view.offset(), "the filter is too short for its end");
    let tail = view.len().checked_sub(TAIL).ok_or_else(damaged)?;
    let number_at = |at: usize| {
        let bytes = view.bytes().get(at..at + 4).and_then(<[u8]>::first_chunk::<4>);
        bytes.map(|bytes| u32::from_le_bytes(*bytes) as usize)
    };
    let array = number_at(tail).filter(|array| *array <= tail).ok_or_else(damaged)?;
    let filters = (tail - array) / 4;
    for place in 0..filters {
        let start = number_at(array + 4 * place).unwrap_or_default();
        let end = if place + 1 < filters { number_at(array + 4 * place + 4) } else { Some(array) };
        let end = end.unwrap_or_default();
        sink.gap(view.offset() + start as u64, "no offset leads to these bytes")?;
        let bytes = end.checked_sub(start).ok_or_else(damaged)?;
        sink.leaf(bytes as u64, || named(format!("filter {place}"), "bits"))?;
    }
    let rest = view.part(array..view.len());
    let mut fields = Fields::new(&rest, sink);
    for place in 0..filters {
        fields.u32(&format!("offset of filter {place}"), "offset")?;
    }
    fields.u32("offset of these offsets", "offset")?;
    fields.byte("size of a range", "number", |shift| {
        let range = 1_u64.checked_shl(u32::from(shift)).unwrap_or_default();
        format!("one filter for {} of data blocks ({shift})", bytes(range))
    })?;
    fields.end()
}

/// RocksDB's hash index: length, first block and blocks of each prefix.
pub(super) fn write_hash_blocks(view: &View, sink: &mut Sink) -> Result<()> {
    let mut fields = Fields::new(view, sink);
    while fields.left() > 0 {
        fields.varint32("length of the prefix", "length")?;
        fields.varint32("first data block", "number")?;
        fields.varint32("number of data blocks", "count")?;
    }
    Ok(())
}

/// The index of the value blocks: rows of three numbers in `widths` bytes.
pub(super) fn write_value_index(widths: [usize; 3], view: &View, sink: &mut Sink) -> Result<()> {
    let row: usize = widths.iter().sum();
    if widths.iter().any(|width| !(1..=8).contains(width)) {
        return Err(Error::damaged(view.offset(), "the widths of the numbers are not known"));
    }
    for place in 0..view.len() / row {
        let whole = view.part(place * row..(place + 1) * row);
        let draft = || named(format!("value block {place}"), "entry");
        sink.open(row as u64, draft, || {
            parts(move |_, sink| {
                let mut fields = Fields::new(&whole, sink);
                let kinds = [("number", "number"), ("offset", "offset"), ("length", "length")];
                for ((name, kind), width) in kinds.into_iter().zip(widths) {
                    let read = |cursor: &mut crate::bytes::Cursor<'_>| {
                        cursor.take(width).map(little_endian)
                    };
                    fields.field(read, |value| named(name, kind).value(number(*value)))?;
                }
                fields.end()
            })
        })?;
    }
    Ok(())
}
