//! Columns of strings: the offsets of their ends, then the strings.

use super::columns::{Column, Schema, write_uints};
use super::fields::{Fields, entry_fact, entry_words, kind_words};
use super::sink::{Draft, Sink, named, parts};
use super::view::View;
use super::{properties, values};
use crate::pebble::columns::{Bools, Header, PrefixBytes, Strings, Uints};
use crate::text::{key, number};
use crate::{Engine, Error, Kind, Result};
use levelscope::inspect::KeyFact;

/// The entries of a data block.
pub(super) struct Entries {
    block: View,
    prefixes: PrefixBytes,
    suffixes: Strings,
    trailers: Uints,
    values: Strings,
    external: Bools,
}

impl Entries {
    /// Those of the block that `column` is in, unless it is no data block with known keys.
    pub(super) fn of(column: &Column, header: &Header) -> Option<Self> {
        if column.schema != Schema::Data {
            return None;
        }
        let bytes = column.block.bytes();
        Some(Self {
            block: column.block.clone(),
            prefixes: header.prefixed(bytes, 0).ok()?,
            suffixes: header.strings(bytes, 1, header.rows).ok()?,
            trailers: header.uints(bytes, 2, header.rows).ok()?,
            values: header.strings(bytes, 4, header.rows).ok()?,
            external: header.bools(bytes, 5).ok()?,
        })
    }

    /// `draft` with the entry of `row` in words, and with its key.
    pub(super) fn described(&self, row: usize, draft: Draft) -> Draft {
        match self.entry(row) {
            Ok((words, key)) => draft.value(words).key(Some(key)),
            Err(_) => draft,
        }
    }

    /// Whether each row has bytes in the column of values, so that all entries are among its parts.
    fn are_in_values(&self, rows: usize) -> bool {
        let bytes = self.block.bytes();
        (0..rows).all(|row| self.values.get(bytes, row).is_ok_and(|value| !value.is_empty()))
    }

    fn entry(&self, row: usize) -> Result<(String, KeyFact)> {
        let bytes = self.block.bytes();
        let mut user_key = Vec::new();
        self.prefixes.append(bytes, row, &mut user_key)?;
        user_key.extend_from_slice(self.suffixes.get(bytes, row)?);
        let trailer = self.trailers.get(bytes, row)?;
        let (sequence, byte) = (trailer >> 8, trailer.to_le_bytes()[0]);
        let (kind, words) = (Kind::of(Engine::Pebble, byte), kind_words(Engine::Pebble, byte));
        let value = self.values.get(bytes, row)?;
        let value = (!self.external.get(bytes, row)).then_some(value);
        let words = entry_words(&key(&user_key), sequence, (kind, &words), value);
        Ok((words, entry_fact(&user_key, sequence, kind, value)))
    }
}

/// A column of strings.
pub(super) fn write(column: &Column, header: &Header, view: &View, sink: &mut Sink) -> Result<()> {
    if column.rows == 0 {
        return Fields::new(view, sink).end();
    }
    let bytes = column.block.bytes();
    let strings = header.strings(bytes, column.place, column.rows)?;
    let (offsets, data) = strings.parts();
    let start = place_in(column, view);
    write_offsets(
        column,
        view.part(0..data.saturating_sub(start)),
        offsets,
        column.rows + 1,
        sink,
    )?;
    let about = About::new(column, header);
    for row in 0..column.rows {
        if sink.is_enough() {
            return Ok(());
        }
        let string = strings.get(bytes, row)?;
        let at = sink.position();
        let whole = column.block.at(at, string.len())?;
        about.put(row, &whole, sink)?;
    }
    Ok(())
}

/// Content of the strings of a column.
struct About<'c> {
    column: &'c Column,
    entries: Option<Entries>,
    /// Whether the rows are all entries of the block.
    is_whole: bool,
    external: Option<Bools>,
    /// Of names and values: the names.
    names: Option<Strings>,
}

impl<'c> About<'c> {
    fn new(column: &'c Column, header: &Header) -> Self {
        let bytes = column.block.bytes();
        let is_value = column.name == "value";
        let (data, names) = (column.schema == Schema::Data, column.schema == Schema::Names);
        let other = column.schema == Schema::OtherData;
        let external = ((data || other) && is_value).then(|| header.bools(bytes, column.place + 1));
        let names = (names && is_value).then(|| header.strings(bytes, 0, header.rows));
        let entries = if is_value { Entries::of(column, header) } else { None };
        Self {
            column,
            is_whole: entries.as_ref().is_some_and(|entries| entries.are_in_values(column.rows)),
            entries,
            external: external.and_then(Result::ok),
            names: names.and_then(Result::ok),
        }
    }

    fn put(&self, row: usize, whole: &View, sink: &mut Sink) -> Result<()> {
        let bytes = self.column.block.bytes();
        let length = whole.len() as u64;
        let described = |kind, words: &dyn Fn() -> String| {
            let draft = named(format!("row {row}"), kind);
            match &self.entries {
                Some(entries) if self.is_whole => entries.described(row, draft),
                // A part of them would pass for all.
                Some(entries) => entries.described(row, draft).key(None),
                None => draft.value(words()),
            }
        };
        if self.external.is_some_and(|external| external.get(bytes, row)) {
            let whole = whole.clone();
            let draft = || described("entry", &|| "not here".to_owned());
            return sink.open(length, draft, || parts(move |_, sink| values::placed(&whole, sink)));
        }
        sink.leaf(length, || described(self.kind(), &|| self.words(row, whole.bytes())))
    }

    fn kind(&self) -> &'static str {
        match self.column.name.as_str() {
            "value" => "value",
            "block properties" | "blob reference" => "bytes",
            _ => "key",
        }
    }

    fn words(&self, row: usize, string: &[u8]) -> String {
        let bytes = self.column.block.bytes();
        if let Some(name) = self.names.and_then(|names| names.get(bytes, row).ok()) {
            return properties::words(name, string);
        }
        key(string)
    }
}

/// A column of ascending strings: the prefix of all, the prefix of each bundle, and the rest of each.
pub(super) fn write_prefixed(
    column: &Column,
    header: &Header,
    view: &View,
    sink: &mut Sink,
) -> Result<()> {
    let bytes = column.block.bytes();
    let strings = header.prefixed(bytes, column.place)?;
    let (offsets, data, shift) = strings.parts();
    let mut fields = Fields::new(view, sink);
    fields.byte("keys in a bundle", "count", |shift| {
        format!("{} (2 to the power of {shift})", number(1 << shift.min(63)))
    })?;
    let keys = 1_usize.checked_shl(u32::from(shift)).unwrap_or(usize::MAX);
    let count = 1 + column.rows.div_ceil(keys) + column.rows;
    let start = place_in(column, view);
    let stored = view.part(1..data.saturating_sub(start));
    write_offsets(column, stored, offsets, count, fields.sink())?;
    let mut before = 0;
    let sink = fields.sink();
    for place in 0..count {
        if sink.is_enough() {
            return Ok(());
        }
        let end = offsets.get(bytes, place)?;
        let length = end
            .checked_sub(before)
            .ok_or_else(|| Error::damaged(data as u64, "a string ends before its predecessor"))?;
        before = end;
        sink.take(length, |sink| {
            let at = usize::try_from(sink.position() - column.block.offset()).unwrap_or(usize::MAX);
            let until = at.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
            let string = bytes.get(at..until).unwrap_or_default();
            (named(string_name(place, keys), "key").value(key(string)), None)
        })?;
    }
    Ok(())
}

fn string_name(place: usize, keys: usize) -> String {
    let Some(after) = place.checked_sub(1) else { return "prefix of all keys".to_owned() };
    let (bundle, within) = (after / (keys + 1), after % (keys + 1));
    match within.checked_sub(1) {
        None => format!("prefix of bundle {bundle}"),
        Some(row) => format!("rest of row {}", bundle * keys + row),
    }
}

fn write_offsets(
    column: &Column,
    view: View,
    offsets: Uints,
    count: usize,
    sink: &mut Sink,
) -> Result<()> {
    let column = column.clone();
    let draft = || named("ends of the strings", "column");
    sink.open(view.len() as u64, draft, || {
        parts(move |_, sink| {
            write_uints(&column, &view, offsets, count, sink, |row, value| {
                named(format!("end {row}"), "number").value(number(value))
            })
        })
    })
}

/// Offset of a column in its block.
fn place_in(column: &Column, view: &View) -> usize {
    usize::try_from(view.offset() - column.block.offset()).unwrap_or_default()
}
