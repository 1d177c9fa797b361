//! Names for the bytes of a table.

use super::block::{FRAME_BYTES, Frame};
use super::coding::{Coding, Content, Raw, Walk};
use super::index::{BlockEntry, BlockIndex};
use super::pieces::{Part, Piece, pieces};
use super::{DELETE, Step};
use levelscope::event::ShownKey;
use levelscope::inspect::{Fact, KeyFact, Node, Scope, shown};
use levelscope::internals::fields::{Fields, little_endian};
use levelscope::internals::probe::NoProbe;
use levelscope::text;

/// Role of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Data,
    Index,
}

/// The entries in the first `end` bytes of `content`, and how many; a chunk begins at each of `chunks`.
pub(super) fn entries(
    role: Role,
    coding: Coding,
    content: &Content<'_>,
    (end, chunks): (usize, &[usize]),
    scope: Scope,
) -> (Vec<Node>, usize) {
    let mut nodes = Vec::new();
    let mut walk = Walk::new(coding, 0..end);
    loop {
        let at = walk.position();
        let first = chunks.binary_search(&at).is_ok();
        match walk.next(content, first) {
            None => break,
            Some(Ok(raw)) => {
                nodes.push(entry_node(role, coding, content, (&walk, &raw, first), scope));
            }
            Some(Err(error)) => {
                let count = nodes.len();
                let offset = content.offset_of(at);
                nodes.push(Node::damaged(offset, (end - at) as u64, error.message()));
                return (nodes, count);
            }
        }
    }
    let count = nodes.len();
    (nodes, count)
}

fn entry_node(
    role: Role,
    coding: Coding,
    content: &Content<'_>,
    (walk, raw, first): (&Walk, &Raw, bool),
    scope: Scope,
) -> Node {
    let (offset, bytes) = (content.offset_of(raw.at), (raw.next() - raw.at) as u64);
    let tombstone = content.slice(raw.stored.clone()) == [DELETE];
    let whole = walk.key(content, raw);
    let key = shown(&whole);
    let (name, value) = match role {
        Role::Data if tombstone => ("entry", format!("delete {key}")),
        Role::Data => ("entry", format!("set {key}")),
        Role::Index => ("index entry", format!("the block with keys up to {key}")),
    };
    if !scope.opens(offset, bytes) {
        return Node { more: true, ..Node::leaf(name, "entry", offset, bytes, value) };
    }
    let fact = (coding == Coding::Shared).then(|| {
        Fact::Key(KeyFact {
            key: ShownKey::new(&whole),
            shared: raw.shared,
            of_entry: role == Role::Data,
            tombstone,
            restart: first,
            ..KeyFact::default()
        })
    });
    let mut fields = Fields::new(content.slice(raw.at..raw.next()), offset);
    let _ = entry_fields(&mut fields, role, coding, raw);
    let parts = fields.finish("this belongs to no field");
    Node { fact, ..Node::branch(name, "entry", offset, value, parts) }
}

fn entry_fields(fields: &mut Fields<'_>, role: Role, coding: Coding, raw: &Raw) -> Option<()> {
    if coding == Coding::Shared {
        fields.varint("shared key length", "length")?;
    }
    for name in ["key length", "value length"] {
        match coding {
            Coding::Fixed => fields.number(name, "length", 2),
            Coding::Shared if name == "key length" => fields.varint("key suffix length", "length"),
            Coding::Varint | Coding::Shared => fields.varint(name, "length"),
        }?;
    }
    let name = if coding == Coding::Shared { "key suffix" } else { "key" };
    fields.text(name, "key", raw.suffix.len() as u64)?;
    operation_field(fields)?;
    if role == Role::Index && fields.rest().len() == FRAME_BYTES {
        let offset = fields.number("offset of the block", "offset", 4)?;
        fields.set_fact(Some(Fact::Place { offset }));
        fields.number("length of the block", "length", 4)?;
    }
    let rest = fields.rest().len() as u64;
    fields.text("value", "value", rest)?;
    Some(())
}

/// The byte in front of a value.
fn operation_field(fields: &mut Fields<'_>) -> Option<()> {
    fields
        .take("operation", "kind", 1, |kind| match kind {
            [0] => "0: delete".to_owned(),
            [1] => "1: set".to_owned(),
            _ => "not known: 0 deletes, 1 sets".to_owned(),
        })
        .map(drop)
}

/// The offsets in `bytes`, which begin at `offset` \[bytes\]; they count from `base` \[bytes\].
fn offsets(name: &str, bytes: &[u8], offset: u64, base: u64) -> Vec<Node> {
    let leaves = (1_u32..).zip((0_u64..).step_by(4)).zip(bytes.chunks(4));
    let leaves = leaves.map(|((number, distance), bytes)| {
        let to = little_endian(bytes);
        let fact = Some(Fact::Place { offset: base.saturating_add(to) });
        let at = offset.saturating_add(distance);
        let name = format!("{name} {number}");
        Node { fact, ..Node::leaf(name, "offset", at, bytes.len() as u64, to.to_string()) }
    });
    leaves.collect()
}

/// The index of a table that has the offset of every entry.
pub(super) fn entry_index(bytes: &[u8], offset: u64, scope: Scope) -> Node {
    let (numbers, count) =
        bytes.split_at_checked(bytes.len().saturating_sub(4)).unwrap_or_default();
    let value =
        format!("{}, {}", text::counted(little_endian(count), "entry"), text::bytes(bytes.len()));
    if !scope.opens(offset, bytes.len() as u64) {
        let leaf = Node::leaf("index", "index", offset, bytes.len() as u64, value);
        return Node { more: true, ..leaf };
    }
    let mut parts = offsets("entry", numbers, offset, 0);
    let mut fields = Fields::new(count, offset.saturating_add(numbers.len() as u64));
    let _ = fields.number("number of entries", "count", 4);
    parts.extend(fields.so_far());
    Node::branch("index", "index", offset, value, parts)
}

/// A table with blocks.
pub(super) fn table(
    step: Step,
    name: &str,
    file: &[u8],
    index: &BlockIndex<'_>,
    scope: Scope,
) -> Node {
    let (mut parts, mut at) = (Vec::new(), 0);
    for entry in places(index) {
        if entry.place.start < at {
            break;
        }
        gap(&mut parts, at, entry.place.start);
        at = entry.place.end;
        parts.push(block_node(step, index, &entry, (parts.len(), file), scope));
    }
    gap(&mut parts, at, index.begin());
    let count = parts.len();
    parts.extend(index_nodes(step, index, scope));
    let value = format!("{}, {}", text::counted(count, "data block"), text::bytes(file.len()));
    Node::branch(name, "table", 0, value, parts)
}

/// The entries of the index that can be read, in the order of the index.
fn places<'a>(index: &BlockIndex<'a>) -> impl Iterator<Item = BlockEntry<'a>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let entry = (at < index.frame.entries_end).then(|| index.entry_at(at))?.ok()?;
        at = entry.next;
        Some(entry)
    })
}

/// Names bytes that nothing leads to.
fn gap(parts: &mut Vec<Node>, from: usize, to: usize) {
    if to > from {
        let why = "no entry of the index leads to these bytes";
        parts.push(Node::damaged(from as u64, (to - from) as u64, why));
    }
}

fn block_node(
    step: Step,
    index: &BlockIndex<'_>,
    entry: &BlockEntry<'_>,
    (number, file): (usize, &[u8]),
    scope: Scope,
) -> Node {
    let (name, offset) = (format!("data block {}", number + 1), entry.place.start as u64);
    let bytes = entry.place.len() as u64;
    let stored = file.get(entry.place.clone()).unwrap_or_default();
    let closed = |value: String| {
        let leaf = Node::leaf(name.as_str(), "block", offset, bytes, value);
        Node { more: true, ..leaf }
    };
    if !scope.reads(offset, bytes) {
        return closed(text::bytes(bytes));
    }
    let content = match index.block(entry, &mut NoProbe) {
        Ok(content) => content,
        Err(error) => {
            let damaged = Node::damaged(offset, bytes, error.message());
            return Node::branch(name, "block", offset, error.message(), vec![damaged]);
        }
    };
    let value = if step.compressed() {
        format!("{}, decompressed {}", text::bytes(bytes), text::count(content.bytes.len() as u64))
    } else {
        text::bytes(bytes)
    };
    if !scope.deep {
        return closed(value);
    }
    if !step.compressed() {
        return Node::branch(name, "block", offset, value, block_parts(step, &content, scope));
    }
    // Offsets count from the start of the decompressed block.
    let inner = Content::stored(&content.bytes, 0);
    let inside = Node::branch("", "bytes", 0, "", block_parts(step, &inner, Scope::ALL)).children;
    let leaf =
        Node::leaf("compressed block", "compressed", offset, stored.len() as u64, value.as_str());
    Node::branch(name, "block", offset, value, vec![Node { inside, ..leaf }])
}

/// The entries of a block, and the numbers after them.
fn block_parts(step: Step, content: &Content<'_>, scope: Scope) -> Vec<Node> {
    let bytes = content.bytes.len();
    if step.coding() != Coding::Shared {
        return entries(Role::Data, step.coding(), content, (bytes, &[]), scope).0;
    }
    let frame = match Frame::read(content) {
        Ok(frame) => frame,
        Err(error) => return vec![Node::damaged(content.offset, bytes as u64, error.message())],
    };
    let range = (frame.entries_end, &*chunks(content, frame));
    let (mut nodes, _) = entries(Role::Data, step.coding(), content, range, scope);
    nodes.push(frame_offsets(content, frame, ("chunks", "chunk")));
    nodes.extend(frame_end(content, ("length of the block", "number of chunks")));
    nodes
}

/// Offsets of the chunks, as far as they are in order.
fn chunks(content: &Content<'_>, frame: Frame) -> Vec<usize> {
    let chunks = (0..frame.count).map_while(|chunk| frame.offset(content, chunk).ok());
    let chunks: Vec<usize> = chunks.collect();
    if chunks.is_sorted() { chunks } else { Vec::new() }
}

fn frame_offsets(content: &Content<'_>, frame: Frame, (name, each): (&str, &str)) -> Node {
    let to = content.bytes.len().saturating_sub(FRAME_BYTES);
    let at = content.offset_of(frame.entries_end);
    let bytes = content.slice(frame.entries_end..to);
    let value = text::counted(frame.count, "offset");
    Node::branch(name, "restarts", at, value, offsets(each, bytes, at, content.offset))
}

fn frame_end(content: &Content<'_>, (length, count): (&str, &str)) -> Vec<Node> {
    let at = content.bytes.len().saturating_sub(FRAME_BYTES);
    let mut fields = Fields::new(content.slice(at..content.bytes.len()), content.offset_of(at));
    let _ = fields.number(length, "length", 4);
    let _ = fields.number(count, "count", 4);
    fields.finish("the file is too short for a footer")
}

/// The index block up to its last numbers, and these as the footer.
fn index_nodes(step: Step, index: &BlockIndex<'_>, scope: Scope) -> [Node; 2] {
    let (content, frame) = (&index.content, index.frame);
    let bytes = content.bytes.len().saturating_sub(FRAME_BYTES);
    let value = format!("{}, {}", text::counted(frame.count, "entry"), text::bytes(bytes));
    let index_node = if scope.opens(content.offset, bytes as u64) {
        let range = (frame.entries_end, &*chunks(content, frame));
        let (mut parts, _) = entries(Role::Index, step.coding(), content, range, scope);
        parts.push(frame_offsets(content, frame, ("offsets", "index entry")));
        Node::branch("index block", "index", content.offset, value, parts)
    } else {
        let leaf = Node::leaf("index block", "index", content.offset, bytes as u64, value);
        Node { more: true, ..leaf }
    };
    let footer =
        frame_end(content, ("length of the index block with the footer", "number of blocks"));
    let footer = Node::branch("footer", "footer", content.offset_of(bytes), "", footer);
    [index_node, footer]
}

/// A log.
pub(super) fn log(name: &str, file: &[u8], scope: Scope) -> Node {
    let (mut nodes, mut chunks) = (Vec::new(), 0_u64);
    for piece in pieces(file) {
        nodes.push(match piece {
            Piece::Chunk { at, part, payload } => {
                chunks += 1;
                chunk_node(file, (at, payload.end), part, scope)
            }
            Piece::Padding(range) => {
                let (offset, bytes) = (range.start as u64, range.len() as u64);
                Node::leaf("padding", "zeros", offset, bytes, "up to the end of the block")
            }
            Piece::Torn(range) => {
                let why = "a torn tail: the file ends within this chunk";
                Node::damaged(range.start as u64, range.len() as u64, why)
            }
            Piece::Bad(range, why) => Node::damaged(range.start as u64, range.len() as u64, why),
        });
    }
    let value = format!("{}, {}", text::counted(chunks, "chunk"), text::bytes(file.len()));
    Node::branch(name, "log", 0, value, nodes)
}

fn chunk_node(file: &[u8], (begin, end): (usize, usize), part: Part, scope: Scope) -> Node {
    let (offset, bytes) = (begin as u64, (end - begin) as u64);
    let (name, value) = match part {
        Part::Full => ("record", "a whole record"),
        Part::First => ("first part of a record", "a record that goes on in the next block"),
        Part::Middle => ("middle part of a record", "a record that goes on in the next block"),
        Part::Last => ("last part of a record", "the end of a record"),
    };
    if !scope.opens(offset, bytes) {
        return Node { more: true, ..Node::leaf(name, "record", offset, bytes, value) };
    }
    let mut fields = Fields::new(file.get(begin..end).unwrap_or_default(), offset);
    let _ = chunk_fields(&mut fields, part);
    Node::branch(name, "record", offset, value, fields.finish("this belongs to no field"))
}

fn chunk_fields(fields: &mut Fields<'_>, part: Part) -> Option<()> {
    fields.number("length", "length", 2)?;
    fields.take("kind", "kind", 1, |kind| match kind {
        [1] => "1: full".to_owned(),
        [2] => "2: first".to_owned(),
        [3] => "3: middle".to_owned(),
        _ => "4: last".to_owned(),
    })?;
    if matches!(part, Part::Full | Part::First) {
        let key_bytes = fields.varint("key length", "length")?;
        fields.varint("value length", "length")?;
        let here = key_bytes.min(fields.rest().len() as u64);
        fields.text("key", "key", here)?;
        if !fields.rest().is_empty() {
            operation_field(fields)?;
        }
    }
    let rest = fields.rest().len() as u64;
    let name = if part == Part::Full { "value" } else { "part of the record" };
    fields.text(name, if part == Part::Full { "value" } else { "bytes" }, rest)?;
    Some(())
}
