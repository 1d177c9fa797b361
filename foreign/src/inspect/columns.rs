//! The content of a block in columns.

use super::fields::{Fields, kind_words};
use super::sink::{Draft, Inner, Sink, named, parts};
use super::strings;
use super::view::View;
use crate::bytes::Cursor;
use crate::key::Engine;
use crate::pebble::columns::{Header, TYPE_BOOL, TYPE_BYTES, TYPE_PREFIX_BYTES, TYPE_UINT, Uints};
use crate::pebble::entries::other_header;
use crate::text::{count, number};
use crate::{Error, Result};

/// Columns of a kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// Entries with keys of the default schema.
    Data,
    /// Entries with keys of another schema.
    OtherData,
    /// Separators and handles.
    Index,
    /// Range deletions or range keys.
    Spans,
    /// Names and values.
    Names,
    /// The blob values that a table refers to.
    References,
    /// Values of a blob file.
    BlobValues,
    /// The blocks of a blob file.
    BlobIndex,
}

/// Name of the column of trailers.
const TRAILERS: &str = "sequence number and kind";
/// Names of the columns after the key of a data block.
const DATA: [&str; 5] = [TRAILERS, "prefix changed", "value", "value is elsewhere", "obsolete"];

impl Schema {
    /// The header of the block `bytes`, and how many bytes stand before it.
    pub(super) fn header(self, bytes: &[u8]) -> Result<(usize, Header)> {
        let custom = match self {
            Self::OtherData => {
                let (before, header) = other_header(bytes)?;
                return Ok((before + 4, header));
            }
            Self::Data | Self::Spans | Self::BlobIndex => 4,
            _ => 0,
        };
        Ok((custom, Header::decode(bytes, custom)?))
    }

    /// Name of the four bytes before the header.
    fn custom_name(self) -> &'static str {
        match self {
            Self::Spans => "number of boundaries",
            Self::BlobIndex => "number of virtual blocks",
            _ => "length of the longest key",
        }
    }

    /// The name of column `place` of `columns`.
    pub(super) fn column_name(self, place: usize, columns: usize) -> String {
        let known: &[&str] = match self {
            Self::Data => return data_name(place, &["key prefix", "key suffix"]),
            Self::OtherData => {
                let keys = columns.saturating_sub(DATA.len());
                let keys: Vec<String> = (0..keys).map(|key| format!("key column {key}")).collect();
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                return data_name(place, &keys);
            }
            Self::Index => &["separator", "block offset", "block length", "block properties"],
            Self::Spans => &["boundary key", "first row", TRAILERS, "suffix", "value"],
            Self::Names => &["name", "value"],
            Self::References => &["blob reference"],
            Self::BlobValues => &["value"],
            Self::BlobIndex => &["virtual block", "block offset"],
        };
        known.get(place).map_or_else(|| format!("column {place}"), |name| (*name).to_owned())
    }

    /// Rows of column `place`: most columns have those of the block.
    fn rows(self, place: usize, custom: u32, header: &Header) -> usize {
        match (self, place) {
            (Self::Spans, 0 | 1) | (Self::BlobIndex, 0) => custom as usize,
            (Self::BlobIndex, 1) => header.rows.saturating_add(1),
            _ => header.rows,
        }
    }
}

fn data_name(place: usize, keys: &[&str]) -> String {
    let after = place.checked_sub(keys.len()).and_then(|place| DATA.get(place));
    let name = keys.get(place).or(after);
    name.map_or_else(|| format!("column {place}"), |name| (*name).to_owned())
}

/// The parts of the content `view`.
pub(super) fn write(schema: Schema, view: &View, sink: &mut Sink) -> Result<()> {
    let (custom, header) =
        schema.header(view.bytes()).map_err(|error| error.shifted(view.offset()))?;
    let mut fields = Fields::new(view, sink);
    fields.field(
        |cursor| cursor.take(custom.saturating_sub(4)),
        |_| named("header of the key schema", "bytes"),
    )?;
    let custom_value = if custom >= 4 { fields.u32(schema.custom_name(), "count")? } else { 0 };
    fields.u8("version", "number")?;
    fields.u16("number of columns", "count")?;
    fields.u32("number of rows", "count")?;
    let columns = header.columns();
    for place in 0..columns.len() {
        let name = schema.column_name(place, columns.len());
        fields.byte(&format!("type of column \"{name}\""), "kind", type_words)?;
        fields.u32(&format!("offset of column \"{name}\""), "offset")?;
    }
    let end = view.len().saturating_sub(1);
    for (place, (kind, start)) in columns.iter().enumerate() {
        let until = columns.get(place + 1).map_or(end, |column| column.1);
        let sink = fields.sink();
        sink.gap(view.offset() + *start as u64, "no column begins here")?;
        let length = until.checked_sub(*start).ok_or_else(|| {
            Error::damaged(sink.position(), "a column begins after the one that follows it")
        })?;
        let column = Column {
            schema,
            place,
            kind: *kind,
            rows: schema.rows(place, custom_value, &header),
            name: schema.column_name(place, columns.len()),
            block: view.clone(),
        };
        sink.open(length as u64, || column.draft(), || column.inner(*start..until))?;
    }
    let left = sink.end() - sink.position();
    sink.leaf(left, || named("padding", "padding"))
}

fn type_words(kind: u8) -> String {
    let word = match kind {
        TYPE_BOOL => "truth values",
        TYPE_UINT => "integers",
        TYPE_BYTES => "strings",
        TYPE_PREFIX_BYTES => "prefix-compressed strings",
        _ => "not known",
    };
    format!("{word} ({kind})")
}

/// One column.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) schema: Schema,
    pub(super) place: usize,
    kind: u8,
    pub(super) rows: usize,
    pub(super) name: String,
    /// The whole block.
    pub(super) block: View,
}

impl Column {
    fn draft(&self) -> Draft {
        let words = format!("{}, {}", type_words(self.kind), count(self.rows as u64, "row"));
        named(format!("column \"{}\"", self.name), "column").value(words)
    }

    fn inner(&self, range: std::ops::Range<usize>) -> Inner {
        let column = self.clone();
        parts(move |_, sink| {
            let written = column.write(&range, sink);
            written.map_err(|error| column.located(&error))
        })
    }

    /// `error`, whose offset counts from the start of the block, with the offset in its space.
    fn located(&self, error: &Error) -> Error {
        let base = self.block.offset();
        let at =
            error.offset().map_or(base, |at| if at < base { at.saturating_add(base) } else { at });
        Error::new(error.kind(), error.message()).at(at)
    }

    fn write(&self, range: &std::ops::Range<usize>, sink: &mut Sink) -> Result<()> {
        let bytes = self.block.bytes();
        let view = self.block.part(range.clone());
        let (_, header) = self.schema.header(bytes)?;
        match self.kind {
            TYPE_UINT => {
                let uints = header.uints(bytes, self.place, self.rows)?;
                let rows = Rows::new(self, &header, uints.shape().1);
                write_uints(self, &view, uints, self.rows, sink, |row, value| {
                    rows.draft(row, value)
                })
            }
            TYPE_BOOL => self.bools(&view, sink),
            TYPE_BYTES => strings::write(self, &header, &view, sink),
            TYPE_PREFIX_BYTES => strings::write_prefixed(self, &header, &view, sink),
            kind => Err(Error::damaged(range.start as u64, format!("a column of type {kind}"))),
        }
    }

    /// A bit for each row in words of 64, and a bit for each word.
    fn bools(&self, view: &View, sink: &mut Sink) -> Result<()> {
        let start = view.offset() - self.block.offset();
        let mut fields = Fields::new(view, sink);
        let encoding = fields.byte("encoding", "kind", |encoding| match encoding {
            1 => "false in every row (1)".to_owned(),
            other => format!("a bitmap ({other})"),
        })?;
        if encoding == 1 {
            return fields.end();
        }
        let padding = usize::try_from((start + 1).next_multiple_of(8) - start - 1).unwrap_or(0);
        fields.field(|cursor| cursor.take(padding), |_| named("padding", "padding"))?;
        for word in 0..self.rows.div_ceil(64) {
            fields.field(Cursor::u64, |bits| {
                let words = format!("{} of them true", number(u64::from(bits.count_ones())));
                named(format!("rows from {} on", word * 64), "bits").value(words)
            })?;
        }
        while fields.left() > 0 {
            fields.field(Cursor::u64, |_| {
                named("summary", "bits").value("a bit for each word that is not zero")
            })?;
        }
        fields.end()
    }
}

/// The integers of a column.
struct Rows {
    column: Column,
    /// Of their sequence numbers and kinds, unless all are the same.
    entries: Option<strings::Entries>,
}

impl Rows {
    fn new(column: &Column, header: &Header, width: usize) -> Self {
        let has_entries = column.name == TRAILERS && width > 0;
        let entries = has_entries.then(|| strings::Entries::of(column, header)).flatten();
        Self { column: column.clone(), entries }
    }

    fn draft(&self, row: usize, value: u64) -> Draft {
        let draft = named(format!("row {row}"), "number");
        if let Some(entries) = &self.entries {
            return entries.described(row, draft);
        }
        if self.column.name == TRAILERS {
            let kind = kind_words(Engine::Pebble, value.to_le_bytes()[0]);
            return draft.value(format!("sequence number {}, {kind}", number(value >> 8)));
        }
        if self.column.schema == Schema::BlobIndex && self.column.place == 0 {
            let (block, first) = (value & 0xffff_ffff, value >> 32);
            let words = format!("block {}, values from {} on", number(block), number(first));
            return draft.value(words);
        }
        draft.value(number(value))
    }
}

/// A column of `rows` integers, each of which `draft` describes.
pub(super) fn write_uints(
    column: &Column,
    view: &View,
    uints: Uints,
    rows: usize,
    sink: &mut Sink,
    draft: impl Fn(usize, u64) -> Draft,
) -> Result<()> {
    let mut fields = Fields::new(view, sink);
    if rows == 0 {
        return fields.end();
    }
    let (start, width, _) = uints.shape();
    let encoding = fields.byte("encoding", "kind", |encoding| {
        let base = if encoding & 0x80 == 0 { "" } else { " after a base" };
        match encoding & 0x7f {
            0 => format!("the same in every row{base} ({encoding:#04x})"),
            width => format!("integers of {width} bytes{base} ({encoding:#04x})"),
        }
    })?;
    if encoding & 0x80 != 0 {
        fields.field(Cursor::u64, |base| match width {
            0 => draft(0, *base).called("base"),
            _ => named("base", "number").value(number(*base)),
        })?;
    }
    let at = fields.offset() - column.block.offset();
    let padding = (start as u64).saturating_sub(at);
    let padding = usize::try_from(padding).unwrap_or(usize::MAX);
    fields.field(|cursor| cursor.take(padding), |_| named("padding", "padding"))?;
    if width == 0 {
        return fields.end();
    }
    for row in 0..rows {
        if fields.sink().is_enough() {
            return Ok(());
        }
        let value = uints.get(column.block.bytes(), row)?;
        fields.field(|cursor| cursor.take(width), |_| draft(row, value))?;
    }
    fields.end()
}
