//! What records say: version edits and batches.

use super::node::{Content, Fields, Node};
use crate::batch::{Batch, Item, Operation, Placed};
use crate::bytes::Cursor;
use crate::frame::LogKind;
use crate::key::{Engine, split};
use crate::manifest::{Span, decode};
use crate::text;
use std::fmt::Write as _;

/// The parts of a record whose first byte lies at `base`.
pub(super) fn parts(kind: LogKind, record: &[u8], base: u64) -> Vec<Node> {
    match kind {
        LogKind::Manifest(engine) => edit(engine, record, base),
        LogKind::Log { engine, .. } => batch(engine, record, base),
    }
}

fn edit(engine: Engine, record: &[u8], base: u64) -> Vec<Node> {
    let mut spans = Vec::new();
    let error = decode(engine, record, Some(&mut spans)).err();
    let mut nodes: Vec<Node> = Vec::new();
    for span in &spans {
        let bytes = record.get(span.offset..span.offset + span.bytes).unwrap_or_default();
        let value =
            if span.name == "tag" { field_words(span.tag).to_owned() } else { words(span, bytes) };
        let part = Node::leaf(span.name, base + span.offset as u64, span.bytes as u64, value);
        match nodes.last_mut() {
            Some(field) if span.name != "tag" => add(field, part),
            _ => {
                let field = Node::leaf(field_words(span.tag), part.offset, part.bytes, "");
                nodes.push(field.with(Content::Parts(vec![part])));
            }
        }
    }
    let end = spans.last().map_or(0, |span| span.offset + span.bytes);
    if end < record.len() {
        let count = (record.len() - end) as u64;
        let why = error.map(|error| error.message().to_owned()).unwrap_or_default();
        nodes.push(Node::leaf("rest of the edit", base + end as u64, count, why).damaged());
    }
    nodes
}

/// Adds a part to the field that it belongs to, with its value in the field's own.
fn add(field: &mut Node, part: Node) {
    field.bytes = part.end().saturating_sub(field.offset);
    if part.name != "custom tag" && field.value.len() < 120 {
        if !field.value.is_empty() {
            field.value.push_str(", ");
        }
        // Writing to a string cannot fail.
        let _ = write!(field.value, "{} {}", part.name, part.value);
    }
    if let Content::Parts(parts) = &mut field.content {
        parts.push(part);
    }
}

/// What a field is about.
fn field_words(tag: u32) -> &'static str {
    match tag {
        1 => "order of keys",
        2 => "number of the log",
        3 => "next file number",
        4 => "last sequence number",
        5 => "where the next compaction begins",
        6 => "table removed",
        7 | 100 | 102 | 103 | 104 => "table added",
        9 => "number of the log before",
        10 => "oldest log that is needed",
        105 => "backing file added",
        106 => "backing file removed",
        107 | 400 | 8194 => "blob file added",
        108 => "blob file removed",
        200 => "column family of the edit",
        201 => "column family added",
        202 => "column family dropped",
        203 => "largest number of a column family",
        300 => "edit of an atomic group",
        401 | 8195 => "garbage in a blob file",
        8193 => "id of the database",
        8196 | 8199 => "log added",
        8197 | 8200 => "logs deleted",
        8198 => "history trimmed",
        8201 => "whether timestamps are kept",
        _ => "field that readers skip",
    }
}

/// Parts that are strings; all others are numbers where they can be.
const STRINGS: [&str; 13] = [
    "comparator",
    "family name",
    "database id",
    "timestamp",
    "checksum method",
    "checksum",
    "skipped",
    "file checksum",
    "file checksum function",
    "unique id",
    "synthetic prefix",
    "synthetic suffix",
    "log",
];

fn words(span: &Span, bytes: &[u8]) -> String {
    let mut cursor = Cursor::new(bytes, 0);
    let string = cursor.prefixed().ok().filter(|_| cursor.is_empty());
    if let Some(string) = string {
        let is_key = span.name.contains("key") || span.name.contains("cursor");
        if is_key && let Ok((user_key, sequence, _)) = split(string) {
            return format!("{}, sequence {}", text::key(user_key), text::number(sequence));
        }
        if STRINGS.contains(&span.name) || is_key {
            return text::key(string);
        }
    }
    let mut cursor = Cursor::new(bytes, 0);
    match (cursor.varint(), cursor.is_empty(), string) {
        (Ok(number), true, _) => text::number(number),
        (_, _, Some(string)) => {
            let mut inner = Cursor::new(string, 0);
            match (inner.varint(), inner.is_empty()) {
                (Ok(number), true) => text::number(number),
                _ => text::key(string),
            }
        }
        _ => text::key(bytes),
    }
}

fn batch(engine: Engine, record: &[u8], base: u64) -> Vec<Node> {
    let mut fields = Fields::new(record, base);
    fields.number("sequence number of the first operation", 8);
    fields.number("operations", 4);
    let Ok(batch) = Batch::open(engine, record) else {
        return fields.remaining("rest of the batch");
    };
    let mut nodes = fields.done();
    let mut end = crate::batch::HEADER_BYTES;
    let mut why = String::new();
    for item in batch.items() {
        match item {
            Ok(placed) => {
                end = placed.offset + placed.bytes;
                nodes.push(item_node(record, &placed, base));
            }
            Err(error) => error.message().clone_into(&mut why),
        }
    }
    if end < record.len() {
        let count = (record.len() - end) as u64;
        nodes.push(Node::leaf("rest of the batch", base + end as u64, count, why).damaged());
    }
    nodes
}

fn item_node(record: &[u8], placed: &Placed<'_>, base: u64) -> Node {
    let offset = base + placed.offset as u64;
    let bytes = record.get(placed.offset..placed.offset + placed.bytes).unwrap_or_default();
    let (name, value) = item_words(&placed.item);
    let mut fields = Fields::new(bytes, offset);
    let number = bytes.first().copied().unwrap_or_default();
    fields.take("type", 1, |_| format!("{number}: {name}"));
    if let Item::Operation(operation) = &placed.item {
        operation_parts(&mut fields, operation, number);
    } else {
        let strings = match &placed.item {
            Item::Noop | Item::BeginPrepare(_) => 0,
            Item::Excised { .. } => 2,
            Item::Commit { timestamp, .. } if !timestamp.is_empty() => 2,
            _ => 1,
        };
        for _ in 0..strings {
            fields.prefixed("bytes that follow", "content");
        }
    }
    let node = Node::leaf(name, offset, bytes.len() as u64, value);
    node.with(Content::Parts(fields.remaining("rest")))
}

fn operation_parts(fields: &mut Fields<'_>, operation: &Operation<'_>, number: u8) {
    // Types of a family other than the default one have another number than the kind in tables.
    if number != operation.number {
        fields.varint("number of the column family");
    }
    fields.prefixed("bytes of the key", "key");
    if !fields.rest().is_empty() {
        fields.prefixed("bytes of the value", "value");
    }
}

fn item_words(item: &Item<'_>) -> (String, String) {
    match item {
        Item::Operation(operation) => {
            let family = match operation.family {
                0 => String::new(),
                family => format!(", column family {family}"),
            };
            let sequence = text::number(operation.sequence);
            let value = format!("{}, sequence {sequence}{family}", text::key(operation.key));
            (operation.kind.word().to_owned(), value)
        }
        Item::Note(note) => ("bytes that are in the log only".into(), text::key(note)),
        Item::Noop => ("mark without a meaning for readers".into(), String::new()),
        Item::BeginPrepare(_) => ("a prepared part begins".into(), String::new()),
        Item::EndPrepare(id) => ("a prepared part ends".into(), text::key(id)),
        Item::Commit { id, .. } => ("commit of a prepared part".into(), text::key(id)),
        Item::Rollback(id) => ("rollback of a prepared part".into(), text::key(id)),
        Item::Ingested { number, .. } => ("table ingested".into(), text::number(*number)),
        Item::Excised { start, end, .. } => {
            ("range cut out".into(), format!("{} to {}", text::key(start), text::key(end)))
        }
    }
}
