//! The content of one (decompressed) block of a table, explained.

use super::fields::{Fields, little_endian};
use super::hexadecimal;
use super::{Fact, KeyFact, Node, range_words, shown};
use crate::event::ShownKey;
use crate::key::{TRAILER_BYTES, ValueKind, parse_any_key, parse_internal_key, user_key};
use crate::table::{Block, BlockIter, Entry, Handle, number_value};
use crate::text;
use std::sync::Arc;

/// The role of a block in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Data block, counted from 0.
    Data(usize),
    Filter,
    PrefixFilter,
    PrefixIndex,
    Properties,
    /// Range tombstones.
    Ranges,
    /// A meta block that this version does not know.
    Unknown,
    MetaIndex,
    Index,
}

impl Role {
    /// Name of the block's node; data blocks are counted from 1, as people do.
    pub(super) fn name(self) -> String {
        match self {
            Self::Data(number) => format!("data block {}", number.saturating_add(1)),
            Self::Filter => "filter block".to_owned(),
            Self::PrefixFilter => "prefix filter block".to_owned(),
            Self::PrefixIndex => "prefix index block".to_owned(),
            Self::Properties => "properties block".to_owned(),
            Self::Ranges => "range tombstones block".to_owned(),
            Self::Unknown => "unknown meta block".to_owned(),
            Self::MetaIndex => "meta index block".to_owned(),
            Self::Index => "index block".to_owned(),
        }
    }

    /// Number of the block's node; 0 where the file decides. A data block keeps its own when those in
    /// front of it are lost.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Data(index) => u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1),
            _ => 0,
        }
    }

    /// The kind of the block's node.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Data(_) => "block",
            Self::Filter | Self::PrefixFilter => "filter",
            Self::Index => "index",
            Self::Ranges => "ranges",
            Self::PrefixIndex | Self::Properties | Self::Unknown | Self::MetaIndex => "meta",
        }
    }
}

/// Names every byte of a decompressed block that begins at `offset` \[bytes\].
pub(super) fn contents(role: Role, bytes: &[u8], offset: u64) -> Vec<Node> {
    match role {
        Role::Filter | Role::PrefixFilter => filter(bytes, offset),
        Role::Unknown => whole(bytes, offset),
        _ => entries(role, bytes, offset),
    }
}

/// Keys and values of a block, up to the first that cannot be read.
pub(super) fn entries_of(bytes: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let Ok(block) = Block::new(bytes.to_vec()) else { return Vec::new() };
    let mut entries = BlockIter::new(Arc::new(block));
    let mut pairs = Vec::new();
    let mut moved = entries.seek_to_first();
    while moved.is_ok() && entries.valid() {
        pairs.push((entries.key().to_vec(), entries.value().to_vec()));
        moved = entries.next();
    }
    pairs
}

/// The entry at `at`; makes `key`, the key before, its key.
fn next_entry(block: &Block, at: usize, key: &mut Vec<u8>) -> Option<Entry> {
    let entry = block.entry(at).ok().filter(|entry| entry.shared <= key.len())?;
    key.truncate(entry.shared);
    key.extend_from_slice(block.slice(entry.suffix..entry.value));
    Some(entry)
}

fn whole(bytes: &[u8], offset: u64) -> Vec<Node> {
    let mut fields = Fields::new(bytes, offset);
    let _ = fields.take("bytes", "bytes", bytes.len(), shown);
    fields.so_far()
}

fn filter(bytes: &[u8], offset: u64) -> Vec<Node> {
    let mut fields = Fields::new(bytes, offset);
    let Some(bit_bytes) = bytes.len().checked_sub(1) else { return Vec::new() };
    let _ = fields.take("bits", "bits", bit_bytes, |bits| {
        let set: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
        let all = text::count(bits.len() as u64 * 8);
        format!("{} of {all} bits are set", text::count(set))
    });
    let _ = fields.number("bits a key sets", "count", 1);
    fields.so_far()
}

fn entries(role: Role, bytes: &[u8], offset: u64) -> Vec<Node> {
    let block = match Block::new_or_empty(bytes.to_vec()) {
        Ok(block) => block,
        Err(_) if bytes.is_empty() => return Vec::new(),
        Err(damage) => return vec![Node::damaged(offset, bytes.len() as u64, damage.what)],
    };
    let front = block.slice(0..block.entries_end());
    let mut fields = Fields::new(front, offset);
    let mut key = Vec::new();
    let mut at = 0;
    let mut number = 1_u32;
    let mut restarts_ahead =
        (0..block.restart_count()).map(|index| block.restart(index)).peekable();
    while at < front.len() {
        let Some(entry) = next_entry(&block, at, &mut key) else { break };
        while restarts_ahead.next_if(|restart| *restart < at).is_some() {}
        let restart = restarts_ahead.peek() == Some(&at);
        let begin = fields.position();
        let mut parts = Fields::new(block.slice(at..entry.end), begin);
        let value = block.slice(entry.value..entry.end);
        if entry_parts(role, &mut parts, &key, entry).is_none() {
            break;
        }
        let name = entry_name(role, number, &key);
        let text = entry_value(role, &key, value);
        let children = parts.finish("no part of an entry");
        let fact = Some(key_fact(role, &key, value, (entry.shared, restart)));
        fields.push(Node { fact, ..Node::branch(name, "entry", begin, text, children) });
        at = entry.end;
        number = number.saturating_add(1);
    }
    let mut nodes = fields.finish("this is no entry of a block");
    nodes.extend(restarts(&block, offset));
    nodes
}

fn entry_name(role: Role, number: u32, key: &[u8]) -> String {
    match role {
        Role::Properties => format!("property {}", shown(key)),
        Role::MetaIndex => format!("meta block {}", shown(key)),
        Role::Index => format!("index entry {number}"),
        Role::PrefixIndex => format!("prefix {}", shown(key)),
        _ => format!("entry {number}"),
    }
}

/// Describes the entry in one line.
fn entry_value(role: Role, key: &[u8], value: &[u8]) -> String {
    match (role, parse_internal_key(key), Handle::decode(value)) {
        (Role::Properties, ..) => property(key, value),
        (Role::Ranges, ..) => match parse_any_key(key) {
            Some(parsed) => {
                let words = range_words(parsed.user_key, value);
                format!("{words}, sequence number {}", parsed.sequence)
            }
            None => "not understood".to_owned(),
        },
        (Role::PrefixIndex, _, Some(Handle { offset: first, bytes: count })) => {
            let last = first.saturating_add(count);
            format!("in data blocks {} to {last}", first.saturating_add(1))
        }
        (Role::MetaIndex, _, Some(handle)) => {
            format!("{} at offset {}", text::bytes(handle.bytes), text::count(handle.offset))
        }
        (Role::Index, _, Some(handle)) => {
            let upper = shown(user_key(key));
            let bytes = text::bytes(handle.bytes);
            format!("{bytes} at offset {}, keys up to {upper}", text::count(handle.offset))
        }
        (Role::Data(_), Some(parsed), _) => {
            let (user_key, sequence) = (shown(parsed.user_key), parsed.sequence);
            match parsed.kind {
                ValueKind::Delete => format!("delete {user_key}, sequence number {sequence}"),
                ValueKind::Put => {
                    format!("put {user_key}, sequence number {sequence}: {}", shown(value))
                }
                ValueKind::RangeDelete => "not understood".to_owned(),
            }
        }
        _ => "not understood".to_owned(),
    }
}

fn property(name: &[u8], value: &[u8]) -> String {
    let is_text = name.starts_with(b"key.smallest")
        || name.starts_with(b"key.largest")
        || name == b"range.begin"
        || name == b"range.end"
        || name == b"compression"
        || name == b"prefix";
    if name == b"database" {
        return hexadecimal(value);
    }
    match number_value(value).filter(|_| !is_text) {
        Some(number) => number.to_string(),
        None => shown(value),
    }
}

/// Adds the parts of one entry whose whole key is `key`.
fn entry_parts(role: Role, parts: &mut Fields<'_>, key: &[u8], entry: Entry) -> Option<()> {
    parts.varint("shared key length", "length")?;
    parts.varint("key suffix length", "length")?;
    parts.varint("value length", "length")?;
    let suffix_bytes = entry.value - entry.suffix;
    if matches!(role, Role::Data(_) | Role::Index | Role::Ranges) {
        let trailer_bytes = suffix_bytes.min(TRAILER_BYTES);
        parts.text("key suffix", "key", (suffix_bytes - trailer_bytes) as u64)?;
        let name = if trailer_bytes < TRAILER_BYTES {
            "end of sequence number and kind"
        } else {
            "sequence number and kind"
        };
        parts.take(name, "sequence", trailer_bytes, |_| trailer(key))?;
    } else {
        parts.text("name", "key", suffix_bytes as u64)?;
    }
    let value_bytes = entry.end - entry.value;
    match role {
        Role::Index | Role::MetaIndex => {
            let offset = parts.varint("offset of the block", "offset")?;
            parts.set_fact(Some(Fact::Place { offset }));
            parts.varint("length of the block", "length")?;
        }
        Role::Ranges => {
            let name = "key before which the range ends";
            parts.text(name, "value", value_bytes as u64)?;
        }
        Role::PrefixIndex => {
            parts.varint("first data block", "offset")?;
            parts.varint("data blocks", "count")?;
        }
        Role::Properties => {
            parts.take("value", "value", value_bytes, |value| property(key, value))?;
        }
        _ => {
            parts.text("value", "value", value_bytes as u64)?;
        }
    }
    Some(())
}

fn trailer(key: &[u8]) -> String {
    match parse_any_key(key) {
        Some(parsed) => {
            let word = match parsed.kind {
                ValueKind::Put => "put",
                ValueKind::Delete => "delete",
                ValueKind::RangeDelete => "range delete",
            };
            format!("{}, {word}", parsed.sequence)
        }
        None => "unknown kind".to_owned(),
    }
}

/// The fact about an entry with the whole key `key`, for programs.
fn key_fact(role: Role, key: &[u8], value: &[u8], (shared, restart): (usize, bool)) -> Fact {
    let has_trailer = matches!(role, Role::Data(_) | Role::Index | Role::Ranges);
    let parsed = parse_any_key(key).filter(|_| has_trailer);
    let key = parsed.map_or(key, |parsed| parsed.user_key);
    let (of_entry, kind) = (matches!(role, Role::Data(_)), parsed.map(|parsed| parsed.kind));
    let has_value = of_entry && kind == Some(ValueKind::Put);
    Fact::Key(KeyFact {
        key: ShownKey::new(key),
        shared: shared.min(key.len()),
        of_entry,
        sequence: parsed.map(|parsed| parsed.sequence),
        tombstone: kind.is_some_and(|kind| kind != ValueKind::Put),
        value: has_value.then(|| ShownKey::of_value(value)),
        restart,
        ..KeyFact::default()
    })
}

/// The restart points of the block that begins at `begin` \[bytes\].
fn restarts(block: &Block, begin: u64) -> Vec<Node> {
    let offset = begin.saturating_add(block.entries_end() as u64);
    let tail = block.slice(block.entries_end()..block.bytes().len());
    let count_at = tail.len().saturating_sub(4);
    let (offsets, count) = tail.split_at_checked(count_at).unwrap_or((tail, &[]));
    let leaves = (1_u32..).zip((0_u64..).step_by(4)).zip(offsets.chunks(4));
    let leaves = leaves.map(|((number, distance), bytes)| {
        let at = offset.saturating_add(distance);
        let distance = little_endian(bytes);
        let fact = Some(Fact::Place { offset: begin.saturating_add(distance) });
        let (name, length) = (format!("restart point {number}"), bytes.len() as u64);
        Node { fact, ..Node::leaf(name, "offset", at, length, distance.to_string()) }
    });
    let mut fields = Fields::new(count, offset.saturating_add(count_at as u64));
    let _ = fields.number("restart points", "count", 4);
    let leaves: Vec<Node> = leaves.collect();
    let mut nodes = Vec::new();
    // The index of a table without data blocks has none.
    if !leaves.is_empty() {
        nodes.push(Node::branch("restart points", "restarts", offset, "", leaves));
    }
    nodes.extend(fields.so_far());
    nodes
}
