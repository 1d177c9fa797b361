//! Names for the bytes of a table.

use super::table::{FilterState, Frame, Item, METADATA_BYTES, Table};
use super::{STAMP_BYTES, live};
use crate::unreadable;
use levelscope::event::ShownKey;
use levelscope::inspect::{Fact, KeyFact, Node, Scope, shown};
use levelscope::internals::fields::{Fields, little_endian};
use levelscope::text;

/// A whole table.
pub(super) fn table(name: &str, file: &[u8], scope: Scope) -> Node {
    let frame = match Frame::read(file) {
        Ok(frame) => frame,
        Err(error) => return unreadable(name, file, &error),
    };
    let mut parts = vec![values(&frame, scope), index(&frame, scope), starts(&frame, scope)];
    parts.push(filter(&frame, file));
    parts.push(metadata(&frame));
    parts.retain(|part| part.bytes > 0);
    let sorted = match Table::open(file) {
        Ok(table) if table.is_sorted() => "",
        Ok(_) => ", not in order",
        Err(_) => ", damaged",
    };
    let value = format!(
        "{} of keys, {}{sorted}",
        text::counted(frame.keys, "version"),
        text::bytes(file.len())
    );
    Node::branch(name, "table", 0, value, parts)
}

/// A part that is not taken apart.
fn closed(name: &str, kind: &'static str, (from, to): (usize, usize), value: String) -> Node {
    let node = Node::leaf(name, kind, from as u64, (to - from) as u64, value);
    Node { more: true, ..node }
}

/// Whether the part between two places is taken apart.
fn opens(scope: Scope, (from, to): (usize, usize)) -> bool {
    scope.opens(from as u64, (to - from) as u64)
}

fn values(frame: &Frame<'_>, scope: Scope) -> Node {
    let range = (0, frame.items_at);
    let value = text::bytes(frame.items_at);
    if !opens(scope, range) {
        return closed("values", "block", range, value);
    }
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < frame.items_at {
        match frame.stored(at) {
            Ok((stored, next)) => {
                parts.push(value_node(frame, (at, next), stored, scope));
                at = next;
            }
            Err(error) => {
                let left = (frame.items_at - at) as u64;
                parts.push(Node::damaged(at as u64, left, error.message()));
                break;
            }
        }
    }
    Node::branch("values", "block", 0, value, parts)
}

fn value_node(frame: &Frame<'_>, (at, next): (usize, usize), stored: &[u8], scope: Scope) -> Node {
    let text = match live(stored) {
        Some(value) => shown(value),
        None => "deleted".to_owned(),
    };
    if !opens(scope, (at, next)) {
        return closed("value", "entry", (at, next), text);
    }
    let mut fields = Fields::new(frame.slice(at..next), at as u64);
    let _ = fields.number("value length", "length", 2);
    let _ = fields.take("value", "value", stored.len(), |_| text.clone());
    Node::branch("value", "entry", at as u64, text, fields.finish("this belongs to no field"))
}

fn index(frame: &Frame<'_>, scope: Scope) -> Node {
    let range = (frame.items_at, frame.starts_at);
    let value =
        format!("{}, {}", text::counted(frame.keys, "item"), text::bytes(range.1 - range.0));
    if !opens(scope, range) {
        return closed("index", "index", range, value);
    }
    let (mut parts, mut at) = (Vec::new(), range.0);
    for _ in 0..frame.keys {
        let Ok(item) = frame.item(at) else { break };
        parts.push(item_node(frame, &item, scope));
        at = item.next;
    }
    if at < range.1 {
        let why = "these bytes are no item of the index";
        parts.push(Node::damaged(at as u64, (range.1 - at) as u64, why));
    }
    Node::branch("index", "index", range.0 as u64, value, parts)
}

fn item_node(frame: &Frame<'_>, item: &Item<'_>, scope: Scope) -> Node {
    let (range, offset) = ((item.at, item.next), item.at as u64);
    let tombstone = matches!(frame.value(item), Ok(None));
    let word = if tombstone { "delete" } else { "put" };
    let value = format!("{word} {} at time {}", shown(item.key), item.stamp);
    if !opens(scope, range) {
        return closed("index item", "entry", range, value);
    }
    let mut fields = Fields::new(frame.slice(item.at..item.next), offset);
    let _ = item_fields(&mut fields, item);
    let fact = Fact::Key(KeyFact {
        key: ShownKey::new(item.key),
        of_entry: true,
        sequence: Some(item.stamp),
        tombstone,
        ..KeyFact::default()
    });
    let parts = fields.finish("this belongs to no field");
    Node { fact: Some(fact), ..Node::branch("index item", "entry", offset, value, parts) }
}

fn item_fields(fields: &mut Fields<'_>, item: &Item<'_>) -> Option<()> {
    fields.number("key length with its time", "length", 2)?;
    fields.text("key", "key", item.key.len() as u64)?;
    fields.take("time", "sequence", STAMP_BYTES, |_| item.stamp.to_string())?;
    let offset = fields.number("offset of the value", "offset", 4)?;
    fields.set_fact(Some(Fact::Place { offset }));
    Some(())
}

fn starts(frame: &Frame<'_>, scope: Scope) -> Node {
    let range = (frame.starts_at, frame.filter_at);
    let value = text::counted(frame.keys, "offset");
    if !opens(scope, range) {
        return closed("offsets of the items", "restarts", range, value);
    }
    let bytes = frame.slice(range.0..range.1);
    let leaves = (1_u32..).zip((range.0 as u64..).step_by(4)).zip(bytes.chunks(4));
    let leaves = leaves.map(|((number, at), bytes)| {
        let offset = little_endian(bytes);
        let name = format!("index item {number}");
        let leaf = Node::leaf(name, "offset", at, bytes.len() as u64, offset.to_string());
        Node { fact: Some(Fact::Place { offset }), ..leaf }
    });
    Node::branch("offsets of the items", "restarts", range.0 as u64, value, leaves.collect())
}

fn filter(frame: &Frame<'_>, file: &[u8]) -> Node {
    let (at, to) = (frame.filter_at, frame.metadata_at());
    let bits = frame.slice(at..to);
    let set: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
    let state = match Table::open(file).map(|table| table.filter()) {
        Ok(FilterState::Good) => "",
        Ok(FilterState::Overflown) => "; only the first of them are used, so it is not asked",
        Ok(FilterState::Wrong) => "; it denies keys of this table, so it is not asked",
        Err(_) => "; the index is damaged, so it is not asked",
    };
    let value = format!(
        "{} of {} bits are set{state}",
        text::count(set),
        text::count(bits.len() as u64 * 8)
    );
    let leaf = Node::leaf("bits", "bits", at as u64, bits.len() as u64, value.as_str());
    let leaves = if bits.is_empty() { Vec::new() } else { vec![leaf] };
    Node::branch("filter", "filter", at as u64, value, leaves)
}

fn metadata(frame: &Frame<'_>) -> Node {
    let at = frame.metadata_at();
    let mut fields = Fields::new(frame.slice(at..at + METADATA_BYTES), at as u64);
    let _ = metadata_fields(&mut fields);
    let parts = fields.finish("the file is too short for the metadata");
    Node::branch("metadata", "footer", at as u64, "", parts)
}

fn metadata_fields(fields: &mut Fields<'_>) -> Option<()> {
    fields.number("level", "number", 2)?;
    fields.number("number in the level", "number", 2)?;
    fields.number("versions of keys", "count", 4)?;
    for name in ["offset of the index", "offset of the filter"] {
        let offset = fields.number(name, "offset", 4)?;
        fields.set_fact(Some(Fact::Place { offset }));
    }
    Some(())
}
