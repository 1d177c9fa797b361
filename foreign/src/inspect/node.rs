//! The tree of a file: parts that lie side by side without gaps.

use crate::bytes::Cursor;
use crate::entry::BlockHandle;
use crate::table::BlockKind;
use std::rc::Rc;

/// A part of a file or of unpacked bytes, and what is inside.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    /// What the bytes say, in words; empty for parts that only hold others.
    pub(crate) value: String,
    pub(crate) is_damaged: bool,
    pub(crate) content: Content,
}

/// The inside of a part.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Nothing that has a name of its own.
    Leaf,
    /// Parts in the same space.
    Parts(Vec<Node>),
    /// Bytes that the file holds compressed or in pieces, with their parts.
    Unpacked(Rc<[u8]>, Vec<Node>),
    /// Parts that are read when they are asked for.
    Lazy(Lazy),
}

/// What to read for the parts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lazy {
    /// A block of a table of RocksDB or LevelDB.
    Block(BlockKind, BlockHandle),
    /// A block of a table or a blob file of Pebble.
    PebbleBlock(Shape, BlockHandle),
    /// Records and other pieces of a log in this range.
    Pieces(u64, u64),
    /// A record of a log, which begins and ends at these offsets.
    Record(u64, u64),
    /// Records of a blob file in this range.
    BlobRecords(u64, u64),
    /// Lines of text in this range.
    Lines(u64, u64),
}

/// How the content of a block of Pebble is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Rows of internal keys.
    Entries,
    /// Rows of separators and handles.
    Index,
    /// Rows of names and values.
    Names,
    /// Columns after a header of so many bytes.
    Columns(usize),
    /// Bytes without parts.
    Opaque,
}

impl Node {
    pub(crate) fn leaf(
        name: impl Into<String>,
        offset: u64,
        bytes: u64,
        value: impl Into<String>,
    ) -> Self {
        let (name, value) = (name.into(), value.into());
        Self { name, offset, bytes, value, is_damaged: false, content: Content::Leaf }
    }

    pub(crate) fn with(mut self, content: Content) -> Self {
        self.content = content;
        self
    }

    pub(crate) fn damaged(mut self) -> Self {
        self.is_damaged = true;
        self
    }

    pub(crate) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }

    /// Whether there is anything inside.
    pub(crate) fn opens(&self) -> bool {
        match &self.content {
            Content::Leaf => false,
            Content::Parts(parts) => !parts.is_empty(),
            Content::Unpacked(..) | Content::Lazy(_) => true,
        }
    }
}

/// A part without length at `offset`, which holds bytes that the file has in another form.
pub(crate) fn unpacked(name: &str, offset: u64, bytes: Vec<u8>, parts: Vec<Node>) -> Node {
    let value =
        format!("{}, not as they lie in the file", crate::text::count(bytes.len() as u64, "byte"));
    Node::leaf(name, offset, 0, value).with(Content::Unpacked(bytes.into(), parts))
}

/// `nodes` in order, without gaps and overlaps, over `[start, end)`: bytes between them get a part of their own, and
/// parts that overlap, which only damage makes, are cut.
pub(crate) fn tiled(mut nodes: Vec<Node>, start: u64, end: u64) -> Vec<Node> {
    nodes.sort_by_key(|node| (node.offset, node.end()));
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    let mut at = start;
    for mut node in nodes {
        if node.offset > end || (node.bytes > 0 && node.end() <= at) {
            continue;
        }
        if node.offset > at {
            out.push(unnamed(at, node.offset));
            at = node.offset;
        }
        let node_end = node.end().min(end);
        if node.offset < at || node_end < node.end() {
            // What is inside would reach over the cut.
            node.bytes = node_end.saturating_sub(at);
            node.offset = at;
            node.is_damaged = true;
            node.content = Content::Leaf;
        }
        at = at.max(node.end());
        out.push(node);
    }
    if at < end {
        out.push(unnamed(at, end));
    }
    out
}

/// The name of bytes that no structure leads to.
pub const UNNAMED: &str = "bytes that nothing refers to";

fn unnamed(start: u64, end: u64) -> Node {
    Node::leaf(UNNAMED, start, end - start, "")
}

/// Names bytes one after the other. It never fails: where bytes are missing, the part is cut and marked as damaged.
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    base: u64,
    at: usize,
    nodes: Vec<Node>,
}

impl<'a> Fields<'a> {
    /// At the first of `bytes`, which lie at `base`.
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, base, at: 0, nodes: Vec::new() }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, name: &str, count: usize, value: String, is_damaged: bool) {
        let offset = self.base + self.at as u64;
        let node = Node::leaf(name, offset, count as u64, value);
        self.nodes.push(if is_damaged { node.damaged() } else { node });
        self.at += count;
    }

    /// The next `count` bytes.
    pub(crate) fn take(
        &mut self,
        name: &str,
        count: usize,
        value: impl FnOnce(&[u8]) -> String,
    ) -> &'a [u8] {
        let rest = self.rest();
        let taken = rest.get(..count).unwrap_or(rest);
        let is_cut = taken.len() < count;
        if !(taken.is_empty() && count == 0) {
            let value = if is_cut { "cut short".to_owned() } else { value(taken) };
            self.push(name, taken.len(), value, is_cut);
        }
        taken
    }

    /// A little-endian number of `count` bytes, at most 8.
    pub(crate) fn number(&mut self, name: &str, count: usize) -> u64 {
        let read =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        read(self.take(name, count, |bytes| crate::text::number(read(bytes))))
    }

    /// A number in hexadecimal digits, such as a checksum.
    pub(crate) fn hex(&mut self, name: &str, count: usize) {
        self.take(name, count, |bytes| {
            let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
            format!("0x{}", crate::problem::hex(&reversed))
        });
    }

    /// A varint.
    pub(crate) fn varint(&mut self, name: &str) -> u64 {
        let mut cursor = Cursor::new(self.rest(), 0);
        let Ok(number) = cursor.varint() else {
            self.push(name, self.rest().len(), "no varint".into(), true);
            return 0;
        };
        let count = self.rest().len() - cursor.rest().len();
        self.push(name, count, crate::text::number(number), false);
        number
    }

    /// A string after its length, shown as a key.
    pub(crate) fn prefixed(&mut self, length: &str, name: &str) -> &'a [u8] {
        let count = usize::try_from(self.varint(length)).unwrap_or(usize::MAX);
        self.take(name, count, crate::text::key)
    }

    /// All bytes that are left, if any.
    pub(crate) fn remaining(mut self, name: &str) -> Vec<Node> {
        let count = self.rest().len();
        self.take(name, count, |_| String::new());
        self.nodes
    }

    /// The parts; bytes that are left have no name.
    pub(crate) fn done(self) -> Vec<Node> {
        self.nodes
    }
}
