//! Version edits: their fields, and the parts of a field.

use super::fields::Fields;
use super::sink::{Draft, Sink, named, parts};
use super::view::View;
use crate::bytes::Cursor;
use crate::key::split;
use crate::manifest::{Edit, Form, Span, decode};
use crate::text::{count, key, number};
use crate::{Engine, Result};

/// Parts of a field that are listed beside its name.
const WORDS_MAX: usize = 9;

/// The changes of an edit, in words.
pub(super) fn words(engine: Engine, record: &[u8]) -> String {
    decode(engine, record, None).map_or_else(|_| String::new(), |edit| summary(&edit))
}

fn summary(edit: &Edit) -> String {
    let mut words = Vec::new();
    let mut change = |number: usize, verb: &str, what: &str| {
        if number > 0 {
            words.push(format!("{verb} {}", count(number as u64, what)));
        }
    };
    change(edit.added.len(), "adds", "table");
    change(edit.removed.len(), "removes", "table");
    change(edit.blobs_added.len() + edit.pebble_blobs_added.len(), "adds", "blob file");
    change(edit.pebble_blobs_removed.len(), "removes", "blob file");
    change(usize::from(edit.family_added.is_some()), "creates", "column family");
    change(usize::from(edit.family_dropped), "drops", "column family");
    if let Some(name) = &edit.comparator {
        words.push(format!("comparator {}", key(name)));
    }
    let numbers = [
        ("log number", edit.log_number),
        ("next file", edit.next_file),
        ("last sequence number", edit.last_sequence),
    ];
    if words.is_empty() {
        let set = numbers.iter().filter_map(|(name, value)| Some((name, (*value)?)));
        words.extend(set.map(|(name, value)| format!("{name} {}", number(value))));
    }
    let logs = edit.logs_added.len() as u64;
    if words.is_empty() && logs > 0 {
        words.push(format!("tracks {}", count(logs, "log")));
    }
    if words.is_empty() && edit.database_id.is_some() {
        words.push("the id of the database".to_owned());
    }
    if words.is_empty() { "changes nothing".to_owned() } else { words.join(", ") }
}

/// The fields of the edit `view`.
pub(super) fn write(engine: Engine, view: &View, sink: &mut Sink) -> Result<()> {
    let mut field = Field { start: 0, spans: Vec::new() };
    let mut outcome = Ok(());
    let mut note = |span: Span| {
        if span.form == Form::Tag && span.offset > field.start {
            if outcome.is_ok() {
                outcome = field.put(engine, view, span.offset, sink);
            }
            field = Field { start: span.offset, spans: Vec::new() };
        }
        if field.spans.len() < WORDS_MAX {
            field.spans.push(span);
        }
    };
    let decoded = decode(engine, view.bytes(), Some(&mut note));
    outcome?;
    decoded.map_err(|error| error.shifted(view.offset()))?;
    field.put(engine, view, view.len(), sink)
}

/// A field whose end is not known yet, with its first spans.
struct Field {
    start: usize,
    spans: Vec<Span>,
}

impl Field {
    fn put(&self, engine: Engine, view: &View, end: usize, sink: &mut Sink) -> Result<()> {
        let whole = view.part(self.start..end);
        let draft = || self.draft(view.bytes());
        sink.open(whole.len() as u64, draft, || {
            parts(move |_, sink| write_field(engine, &whole, sink))
        })
    }

    fn draft(&self, record: &[u8]) -> Draft {
        let tag = self.spans.first().map_or(0, |span| span.tag);
        let values = self.spans.iter().filter(|span| span.form != Form::Tag).map(|span| {
            let end = span.offset.saturating_add(span.bytes);
            let words = span_words(span, record.get(span.offset..end).unwrap_or_default());
            format!("{} {words}", span.name)
        });
        let mut words: Vec<String> = values.collect();
        if let [only] = words.as_mut_slice() {
            // The name of the field holds it already.
            let name =
                self.spans.iter().find(|span| span.form != Form::Tag).map_or("", |span| span.name);
            *only = only.strip_prefix(name).unwrap_or(only).trim_start().to_owned();
        }
        if self.spans.len() == WORDS_MAX {
            words.push("…".to_owned());
        }
        named(tag_name(tag), "field").value(words.join(", "))
    }
}

/// The parts of one field, which is encoded as an edit.
fn write_field(engine: Engine, view: &View, sink: &mut Sink) -> Result<()> {
    let mut fields = Fields::new(view, sink);
    let mut outcome = Ok(());
    let mut note = |span: Span| {
        if outcome.is_ok() {
            outcome = write_span(engine, &mut fields, &span);
        }
    };
    let decoded = decode(engine, view.bytes(), Some(&mut note));
    outcome?;
    decoded.map_err(|error| error.shifted(view.offset()))?;
    Ok(())
}

fn write_span(engine: Engine, fields: &mut Fields<'_, '_>, span: &Span) -> Result<()> {
    match span.form {
        Form::Tag => {
            let words = |tag: &u64| format!("{} ({tag})", tag_name(span.tag));
            fields.field(Cursor::varint, |tag| named("tag", "kind").value(words(tag)))?;
        }
        Form::Number => {
            fields.varint(span.name, number_kind(span.name))?;
        }
        Form::Byte => {
            fields.u8(span.name, "number")?;
        }
        Form::Text => {
            let length =
                fields.varint32(&format!("length of the {}", span.name), "length")? as usize;
            let read = |cursor: &mut Cursor<'_>| cursor.take(length).map(<[u8]>::to_vec);
            fields.field(read, |bytes| {
                named(span.name, "bytes").value(text_words(span.name, bytes))
            })?;
        }
        Form::Key => {
            let length =
                fields.varint32(&format!("length of the {}", span.name), "length")? as usize;
            fields.internal_key(length, span.name, engine)?;
        }
    }
    Ok(())
}

fn number_kind(name: &str) -> &'static str {
    match name {
        "size" | "bytes" | "value bytes" | "synced bytes" => "length",
        "last sequence" | "smallest sequence" | "largest sequence" => "sequence",
        _ => "number",
    }
}

fn span_words(span: &Span, bytes: &[u8]) -> String {
    let mut cursor = Cursor::new(bytes, 0);
    match span.form {
        Form::Tag => String::new(),
        Form::Number => cursor.varint().map_or_else(|_| String::new(), number),
        Form::Byte => cursor.u8().map_or_else(|_| String::new(), |byte| byte.to_string()),
        Form::Text => {
            cursor.prefixed().map_or_else(|_| String::new(), |text| text_words(span.name, text))
        }
        Form::Key => {
            let whole = cursor.prefixed().unwrap_or_default();
            split(whole).map_or_else(|_| String::new(), |(user_key, ..)| key(user_key))
        }
    }
}

/// A string of an edit: some hold a number.
fn text_words(name: &str, bytes: &[u8]) -> String {
    const NUMBERS: [&str; 9] = [
        "oldest blob file",
        "oldest ancestor time",
        "file creation time",
        "creation time",
        "epoch number",
        "size freed by range deletions",
        "tail size",
        "log number",
        "size of the last manifest",
    ];
    let mut cursor = Cursor::new(bytes, 0);
    match cursor.varint() {
        Ok(value) if cursor.is_empty() && NUMBERS.contains(&name) => number(value),
        _ => key(bytes),
    }
}

fn tag_name(tag: u32) -> &'static str {
    match tag {
        1 => "comparator",
        2 => "log number",
        3 => "next file number",
        4 => "last sequence number",
        5 => "compaction cursor",
        6 => "removed table",
        7 | 100 | 102 | 103 | 104 => "added table",
        9 => "previous log number",
        10 => "smallest log number to keep",
        105 => "added backing file",
        106 => "removed backing file",
        107 | 400 | 8194 => "added blob file",
        108 => "removed blob file",
        200 => "column family",
        201 => "created column family",
        202 => "dropped column family",
        203 => "highest column family",
        300 => "edits left in the atomic group",
        401 | 8195 => "garbage in a blob file",
        8193 => "database id",
        8196 | 8199 => "added log",
        8197 | 8200 => "deleted logs",
        8198 => "trimmed history",
        8201 => "timestamps are kept in tables",
        8202 => "progress of a subcompaction",
        8203 => "size of the last manifest",
        _ => "skipped field",
    }
}
