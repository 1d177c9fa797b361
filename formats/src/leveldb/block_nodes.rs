//! The content of one (decompressed) block of a foreign table, explained.

use super::block::{Block, LONG_KEYS, Stored, Walk};
use super::cursor::parse;
use super::filter::{FILTER_NAME, FilterBlock};
use super::index::{IndexLayout, decode};
use super::nodes::values;
use levelscope::event::ShownKey;
use levelscope::inspect::{Fact, Node, shown};
use levelscope::internals::coding::Reader;
use levelscope::internals::fields::{Fields, little_endian};
use levelscope::internals::key::TRAILER_BYTES;
use levelscope::internals::table::Handle;
use levelscope::text;

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Data block, counted from 0.
    Data(usize),
    /// Filters of `LevelDB`.
    Filter,
    MetaIndex,
    Index(IndexLayout),
    Properties,
    /// All prefixes, concatenated.
    Prefixes,
    /// Lengths and blocks of those prefixes.
    PrefixMetadata,
    /// A meta block that is not taken apart.
    Other,
}

impl Role {
    /// The role of the meta block called `name`.
    pub(super) fn of_level(name: &[u8]) -> Self {
        if name == FILTER_NAME { Self::Filter } else { Self::Other }
    }

    /// Name of the block's node; data blocks are counted from 1, as people do.
    pub(super) fn name(self) -> String {
        match self {
            Self::Data(number) => format!("data block {}", number.saturating_add(1)),
            Self::Filter => "filter block".to_owned(),
            Self::MetaIndex => "meta index block".to_owned(),
            Self::Index(_) => "index block".to_owned(),
            Self::Properties => "properties block".to_owned(),
            Self::Prefixes => "prefixes of the hash index".to_owned(),
            Self::PrefixMetadata => "metadata of the hash index".to_owned(),
            Self::Other => "other meta block".to_owned(),
        }
    }

    /// Number of the block's node; 0 where the file decides.
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
            Self::Filter => "filter",
            Self::Index(_) => "index",
            _ => "meta",
        }
    }

    /// Whether keys end in sequence number and kind.
    fn internal(self) -> bool {
        match self {
            Self::Data(_) => true,
            Self::Index(layout) => !layout.user_keys,
            _ => false,
        }
    }
}

/// Names every byte of a decompressed block that begins at `offset` \[bytes\].
pub(super) fn contents(role: Role, bytes: &[u8], offset: u64) -> Vec<Node> {
    match role {
        Role::Filter => filter(bytes, offset),
        Role::Prefixes | Role::Other => {
            let mut fields = Fields::new(bytes, offset);
            let _ = fields.take("bytes", "bytes", bytes.len(), shown);
            fields.so_far()
        }
        Role::PrefixMetadata => metadata(bytes, offset),
        _ => entries(role, bytes, offset),
    }
}

fn metadata(bytes: &[u8], offset: u64) -> Vec<Node> {
    let mut fields = Fields::new(bytes, offset);
    let mut number = 1_u32;
    while !fields.rest().is_empty() {
        let begin = fields.position();
        let mut parts = Fields::new(fields.rest(), begin);
        let Some(value) = record(&mut parts) else { break };
        let name = format!("prefix {number}");
        fields.push(Node::branch(name, "entry", begin, value, parts.so_far()));
        number = number.saturating_add(1);
    }
    fields.finish("this is no record of a prefix")
}

fn record(parts: &mut Fields<'_>) -> Option<String> {
    parts.varint("prefix length", "length")?;
    let first = parts.varint("first data block", "offset")?;
    let count = parts.varint("data blocks", "count")?;
    Some(format!("data blocks {} to {}", first.saturating_add(1), first.saturating_add(count)))
}

fn filter(bytes: &[u8], offset: u64) -> Vec<Node> {
    let mut fields = Fields::new(bytes, offset);
    let block = FilterBlock::new(bytes);
    let _ = block.and_then(|block| filter_fields(&mut fields, block));
    fields.finish("this is no block of filters")
}

fn filter_fields(fields: &mut Fields<'_>, block: FilterBlock<'_>) -> Option<()> {
    let mut position = 0;
    for index in 0..block.count() {
        let (begin, end) = (block.begin(index), block.begin(index + 1));
        if begin != position {
            return None;
        }
        let filter = block.filters.get(begin..end)?;
        position = end;
        // The filter of a stretch in which no block begins is empty.
        let Some(bit_bytes) = filter.len().checked_sub(1) else { continue };
        let at = fields.position();
        let mut parts = Fields::new(filter, at);
        parts.take("bits", "bits", bit_bytes, |bits| {
            let set: u64 = bits.iter().map(|byte| u64::from(byte.count_ones())).sum();
            let all = text::count(bits.len() as u64 * 8);
            format!("{} of {all} bits are set", text::count(set))
        })?;
        parts.number("bits a key sets", "count", 1)?;
        let (name, number) = (format!("filter {}", index + 1), u32::try_from(index + 1).ok()?);
        let value = format!("for blocks from {} on", index as u64 * 2048);
        let node = Node::branch(name, "bits", at, value, parts.so_far());
        fields.push(Node { number, ..node });
    }
    fields.take("bytes after the filters", "bytes", block.filters.len() - position, shown)?;
    for index in 0..block.count() {
        fields.number(&format!("offset of filter {}", index + 1), "offset", 4)?;
    }
    fields.number("offset of these offsets", "offset", 4)?;
    fields.number("binary logarithm of the bytes for a filter", "number", 1)?;
    Some(())
}

fn entries(role: Role, bytes: &[u8], offset: u64) -> Vec<Node> {
    let block = match Block::new(bytes.to_vec(), values(role)) {
        Ok(block) => block,
        Err(_) if bytes.is_empty() => return Vec::new(),
        Err(damage) => return vec![Node::damaged(offset, bytes.len() as u64, damage.what)],
    };
    let mut fields = Fields::new(block.slice(0, block.entries_end()), offset);
    let mut walk = Walk::default();
    let mut number = 1_u32;
    let mut before = None;
    let mut ahead = (0..block.restart_count()).map(|index| block.restart(index)).peekable();
    while let Ok(Some(stored)) = walk.next(&block) {
        if walk.is_long(&block) {
            break;
        }
        while ahead.next_if(|restart| *restart < stored.begin).is_some() {}
        let restart = ahead.peek() == Some(&stored.begin);
        let entry = EntryIn { role, block: &block, stored, key: walk.key(), before };
        let begin = fields.position();
        let mut parts = Fields::new(block.slice(stored.begin, stored.end), begin);
        if entry.parts(&mut parts).is_none() {
            break;
        }
        let children = parts.finish("no part of an entry");
        let fact = Some(entry.fact(restart));
        let node = Node::branch(entry.name(number), "entry", begin, entry.says(), children);
        before = entry.handle();
        fields.push(Node { fact, ..node });
        number = number.saturating_add(1);
    }
    let mut nodes = if walk.is_long(&block) {
        fields.finish_unread(LONG_KEYS)
    } else {
        fields.finish("this is no entry of a block")
    };
    nodes.extend(tail(&block, offset));
    nodes
}

/// One entry, with what is needed to understand it.
struct EntryIn<'a> {
    role: Role,
    block: &'a Block,
    stored: Stored,
    key: &'a [u8],
    /// The handle in the entry before.
    before: Option<Handle>,
}

impl EntryIn<'_> {
    fn name(&self, number: u32) -> String {
        match self.role {
            Role::Properties => format!("property {}", shown(self.key)),
            Role::MetaIndex => format!("meta block {}", shown(self.key)),
            Role::Index(_) => format!("index entry {number}"),
            _ => format!("entry {number}"),
        }
    }

    fn value(&self) -> &[u8] {
        self.block.value(self.stored)
    }

    /// The handle that it holds, when it should hold one.
    fn handle(&self) -> Option<Handle> {
        match self.role {
            Role::MetaIndex => Handle::decode(self.value()),
            Role::Index(layout) => {
                let shared = layout.differences && self.stored.shared > 0;
                decode(self.value(), self.before.filter(|_| shared))
            }
            _ => None,
        }
    }

    /// The key without sequence number and kind.
    fn user_key(&self) -> &[u8] {
        match parse(self.key) {
            Some(parsed) if self.role.internal() => parsed.user_key,
            _ => self.key,
        }
    }

    /// What it says, in one line.
    fn says(&self) -> String {
        let key = shown(self.user_key());
        match (self.role, self.handle()) {
            (Role::Properties, _) => property(self.key, self.value()),
            (Role::MetaIndex, Some(at)) => {
                format!("{} at offset {}", text::bytes(at.bytes), text::count(at.offset))
            }
            (Role::Index(_), Some(at)) => {
                let bytes = text::bytes(at.bytes);
                format!("{bytes} at offset {}, keys up to {key}", text::count(at.offset))
            }
            (Role::Data(_), _) => match parse(self.key) {
                Some(parsed) => {
                    let what =
                        format!("{} {key}, sequence number {}", kind(parsed.kind), parsed.sequence);
                    if self.value().is_empty() {
                        what
                    } else {
                        format!("{what}: {}", shown(self.value()))
                    }
                }
                None => "a key without a sequence number".to_owned(),
            },
            _ => "not understood".to_owned(),
        }
    }

    fn parts(&self, parts: &mut Fields<'_>) -> Option<()> {
        let stored = self.stored;
        parts.varint("shared key length", "length")?;
        parts.varint("key suffix length", "length")?;
        let is_difference = matches!(self.role, Role::Index(layout) if layout.differences);
        if !is_difference {
            parts.varint("value length", "length")?;
        }
        let suffix_bytes = stored.value - stored.suffix;
        if self.role.internal() {
            let trailer_bytes = suffix_bytes.min(TRAILER_BYTES);
            parts.text("key suffix", "key", (suffix_bytes - trailer_bytes) as u64)?;
            let name = if trailer_bytes < TRAILER_BYTES {
                "end of sequence number and kind"
            } else {
                "sequence number and kind"
            };
            parts.take(name, "sequence", trailer_bytes, |_| trailer(self.key))?;
        } else {
            parts.text("name", "key", suffix_bytes as u64)?;
        }
        match self.role {
            Role::Index(_) if is_difference && stored.shared > 0 => {
                parts.varint("difference of the length, zigzag", "length")?;
                parts.tell(self.handle().map(|handle| Fact::Place { offset: handle.offset }));
            }
            Role::Index(_) | Role::MetaIndex => {
                let offset = parts.varint("offset of the block", "offset")?;
                parts.tell(Some(Fact::Place { offset }));
                parts.varint("length of the block", "length")?;
            }
            Role::Properties => {
                let shown = |value: &[u8]| property(self.key, value);
                parts.take("value", "value", stored.end - stored.value, shown)?;
            }
            _ => {
                parts.text("value", "value", (stored.end - stored.value) as u64)?;
            }
        }
        Some(())
    }

    /// What a program is told.
    fn fact(&self, restart: bool) -> Fact {
        let parsed = parse(self.key).filter(|_| self.role.internal());
        let key = self.user_key();
        Fact::Key {
            key: ShownKey::new(key),
            shared: self.stored.shared.min(key.len()),
            of_entry: matches!(self.role, Role::Data(_)),
            sequence: parsed.map(|parsed| parsed.sequence),
            tombstone: parsed.is_some_and(|parsed| matches!(parsed.kind, 0 | 7)),
            restart,
        }
    }
}

fn trailer(key: &[u8]) -> String {
    match parse(key) {
        Some(parsed) => format!("{}, {}", parsed.sequence, kind(parsed.kind)),
        None => "unknown kind".to_owned(),
    }
}

/// What an entry of this kind does; only 0 and 1 are known to both families.
fn kind(kind: u8) -> String {
    match kind {
        0 => "delete".to_owned(),
        1 => "put".to_owned(),
        2 => "merge".to_owned(),
        7 => "delete once".to_owned(),
        15 => "delete range".to_owned(),
        17 => "put in a blob file".to_owned(),
        22 => "put columns or seek".to_owned(),
        other => format!("kind {other}"),
    }
}

/// Ends of the names of properties that are text; others are varints.
const TEXTS: [&[u8]; 10] = [
    b".name",
    b".comparator",
    b".compression",
    b".compression_options",
    b".filter.policy",
    b".identity",
    b".filtering",
    b".merge.operator",
    b".property.collectors",
    b".external_sst_file.global_seqno",
];

fn property(name: &[u8], value: &[u8]) -> String {
    let mut reader = Reader::new(value);
    let number = reader.varint().filter(|_| reader.is_empty());
    match number {
        _ if name.ends_with(b".index.type") => little_endian(value).to_string(),
        Some(number) if !TEXTS.iter().any(|end| name.ends_with(end)) => number.to_string(),
        _ => shown(value),
    }
}

/// Restart points, and the buckets after them, of the block that begins at `begin` \[bytes\].
fn tail(block: &Block, begin: u64) -> Vec<Node> {
    let offset = begin.saturating_add(block.entries_end() as u64);
    let bytes = block.slice(block.entries_end(), block.bytes().len());
    let mut fields = Fields::new(bytes, offset);
    let _ = tail_fields(&mut fields, block, begin);
    fields.finish("this is no part of a block")
}

fn tail_fields(fields: &mut Fields<'_>, block: &Block, begin: u64) -> Option<()> {
    let mut leaves =
        Fields::new(fields.rest().get(..4 * block.restart_count())?, fields.position());
    for number in 1..=block.restart_count() {
        let distance = leaves.number(&format!("restart point {number}"), "offset", 4)?;
        leaves.tell(Some(Fact::Place { offset: begin.saturating_add(distance) }));
    }
    let at = fields.position();
    fields.push(Node::branch("restart points", "restarts", at, "", leaves.so_far()));
    if let Some(buckets) = block.bucket_bytes().checked_sub(2) {
        fields.take("buckets of keys", "bits", buckets, |_| format!("{buckets} buckets"))?;
        fields.number("buckets", "count", 2)?;
    }
    fields.take("restart points", "count", 4, |count| {
        (little_endian(count) & 0x7fff_ffff).to_string()
    })?;
    Some(())
}
