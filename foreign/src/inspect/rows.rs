//! Blocks of sorted entries: entries, values, restart points, hash index.

use super::node::{Content, Fields, Node};
use crate::key::{Engine, Kind, split};
use crate::table::{BlockEntry, DecodedBlock};
use crate::text;

/// How keys of a block are told.
#[derive(Clone, Copy)]
pub(super) enum Keys {
    /// Internal keys.
    Internal(Engine),
    /// Names or separators.
    Plain,
}

/// The parts of a decoded block whose first byte lies at `base`.
pub(super) fn parts(block: &DecodedBlock, base: u64, keys: Keys) -> Vec<Node> {
    let [entries, values, restarts, hash] = &block.parts;
    if block.entries.is_empty() && entries.is_empty() && restarts.is_empty() {
        return Vec::new();
    }
    let at = |place: usize| base + place as u64;
    let bytes_of =
        |range: &std::ops::Range<usize>| block.bytes.get(range.clone()).unwrap_or_default();
    let mut nodes: Vec<Node> =
        block.entries.iter().map(|entry| entry_node(block, entry, base, keys)).collect();
    if !values.is_empty() {
        nodes.push(values_node(block, values.clone(), base));
    }
    if !restarts.is_empty() {
        let mut fields = Fields::new(bytes_of(restarts), at(restarts.start));
        for _ in 0..restarts.len() / 4 {
            fields.number("offset of an entry whose key shares nothing", 4);
        }
        let count = text::count((restarts.len() / 4) as u64, "restart point");
        let node = Node::leaf("restart points", at(restarts.start), restarts.len() as u64, count);
        nodes.push(node.with(Content::Parts(fields.done())));
    }
    if !hash.is_empty() {
        nodes.push(hash_node(bytes_of(hash), at(hash.start)));
    }
    let tail = hash.end.max(restarts.end);
    let mut fields = Fields::new(block.bytes.get(tail..).unwrap_or_default(), at(tail));
    if fields.rest().len() > 4 {
        fields.number("offset of the values", 4);
    }
    fields.take("number of restart points, and flags", 4, |bytes| {
        let number = bytes.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        let flags = match number >> 28 {
            0 => String::new(),
            flags => format!(", flags 0x{flags:x}"),
        };
        format!("{}{flags}", text::number(number & 0x0fff_ffff))
    });
    nodes.extend(fields.done());
    nodes
}

fn hash_node(bytes: &[u8], offset: u64) -> Node {
    let mut fields = Fields::new(bytes, offset);
    let buckets = bytes.len().saturating_sub(2);
    fields.take("buckets: a restart point each", buckets, |_| String::new());
    fields.number("number of buckets", 2);
    let value = text::count(buckets as u64, "bucket");
    Node::leaf("hash index", offset, bytes.len() as u64, value).with(Content::Parts(fields.done()))
}

fn values_node(block: &DecodedBlock, range: std::ops::Range<usize>, base: u64) -> Node {
    let mut nodes = Vec::new();
    for entry in block.entries.iter().filter(|entry| !entry.value.is_empty()) {
        let value = block.bytes.get(entry.value.clone()).unwrap_or_default();
        let offset = base + entry.value.start as u64;
        nodes.push(Node::leaf("value", offset, value.len() as u64, text::key(value)));
    }
    let (offset, bytes) = (base + range.start as u64, range.len() as u64);
    Node::leaf("values", offset, bytes, "").with(Content::Parts(nodes))
}

/// Names of the numbers before a key.
const NUMBERS: [&str; 4] = [
    "bytes shared with the key before",
    "bytes of the key that follow",
    "bytes of the value",
    "offset of the value",
];

fn entry_node(block: &DecodedBlock, entry: &BlockEntry, base: u64, keys: Keys) -> Node {
    let bytes = block.bytes.get(entry.range.clone()).unwrap_or_default();
    let offset = base + entry.range.start as u64;
    let unshared = entry.key.len().saturating_sub(entry.shared);
    let is_inside = entry.value.start >= entry.range.start && entry.value.end <= entry.range.end;
    let value_bytes = if is_inside { entry.value.len() } else { 0 };
    let head = bytes.len().saturating_sub(unshared + value_bytes);
    let mut fields = Fields::new(bytes, offset);
    for name in NUMBERS {
        if bytes.len() - fields.rest().len() < head {
            fields.varint(name);
        }
    }
    fields.take("rest of the key", unshared, text::key);
    let target = entry.target.map(|handle| {
        format!("block of {} at {}", text::count(handle.bytes, "byte"), text::number(handle.offset))
    });
    let told = target.clone();
    fields.take("value", value_bytes, |value| told.unwrap_or_else(|| text::key(value)));
    let mut value = key_words(&entry.key, keys);
    if let Some(target) = target {
        value = format!("{value} → {target}");
    }
    Node::leaf("entry", offset, bytes.len() as u64, value).with(Content::Parts(fields.done()))
}

/// A key in words.
pub(super) fn key_words(key: &[u8], keys: Keys) -> String {
    match keys {
        Keys::Internal(engine) => match split(key) {
            Ok((user_key, sequence, kind)) => format!(
                "{}, sequence {}, {}",
                text::key(user_key),
                text::number(sequence),
                Kind::of(engine, kind).word()
            ),
            Err(_) => text::key(key),
        },
        Keys::Plain => text::key(key),
    }
}
