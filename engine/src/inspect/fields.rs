//! Cuts a run of bytes into named leaves, in order.

use super::{Fact, Node, shown};
use crate::coding::Reader;

/// The leaves so far, and the bytes left to name.
pub struct Fields<'a> {
    reader: Reader<'a>,
    offset: u64,
    nodes: Vec<Node>,
}

impl<'a> Fields<'a> {
    /// Names `bytes`, which begin at `offset` \[bytes\] of the file.
    pub fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { reader: Reader::new(bytes), offset, nodes: Vec::new() }
    }

    /// Offset in the file of the next byte to name \[bytes\].
    pub fn position(&self) -> u64 {
        self.offset.saturating_add(self.reader.position() as u64)
    }

    /// The remaining bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.reader.rest()
    }

    /// Names the next `count` bytes, with their meaning from `value`; `None` when fewer are left. A field of 0 bytes
    /// gets no leaf.
    pub fn take(
        &mut self,
        name: &str,
        kind: &'static str,
        count: usize,
        value: impl FnOnce(&'a [u8]) -> String,
    ) -> Option<&'a [u8]> {
        let offset = self.position();
        let bytes = self.reader.bytes(count)?;
        if count > 0 {
            self.nodes.push(Node::leaf(name, kind, offset, count as u64, value(bytes)));
        }
        Some(bytes)
    }

    /// Names the next `count` bytes as a little-endian number.
    pub fn number(&mut self, name: &str, kind: &'static str, count: usize) -> Option<u64> {
        self.take(name, kind, count, |bytes| little_endian(bytes).to_string()).map(little_endian)
    }

    /// Names the next varint.
    pub fn varint(&mut self, name: &str, kind: &'static str) -> Option<u64> {
        let mut ahead = self.reader;
        let value = ahead.varint()?;
        let count = ahead.position() - self.reader.position();
        self.take(name, kind, count, |_| value.to_string())?;
        Some(value)
    }

    /// Names the next `count` bytes and shows them as text.
    pub fn text(&mut self, name: &str, kind: &'static str, count: u64) -> Option<&'a [u8]> {
        self.take(name, kind, usize::try_from(count).ok()?, shown)
    }

    /// Names the next bytes as the magic number, which has to be `magic`.
    pub fn magic(&mut self, magic: &[u8]) -> Option<()> {
        let compare = |found: &[u8]| {
            if found == magic {
                shown(found)
            } else {
                format!("{}, wrong: it should be {}", shown(found), shown(magic))
            }
        };
        self.take("magic", "magic", magic.len(), compare).map(drop)
    }

    /// Gives the last leaf its fact.
    pub fn set_fact(&mut self, fact: Option<Fact>) {
        if let Some(node) = self.nodes.last_mut() {
            node.fact = fact;
        }
    }

    /// Names the next four bytes as the checksum of `count` bytes from `from` on, which is `computed`.
    pub fn checksum(&mut self, name: &str, computed: u32, (from, count): (u64, u64)) -> Option<()> {
        let stored = self.take(name, "checksum", 4, |stored| checksum(stored, computed))?;
        let stored = u32::try_from(little_endian(stored)).ok()?;
        self.set_fact(Some(Fact::Checksum { stored, computed, from, bytes: count }));
        Some(())
    }

    /// Adds a node that names the bytes from its own offset on by itself.
    pub fn push(&mut self, node: Node) {
        let count = usize::try_from(node.bytes).unwrap_or(usize::MAX);
        if self.reader.bytes(count).is_some() {
            self.nodes.push(node);
        }
    }

    /// The leaves so far; the caller names the remaining bytes.
    pub fn so_far(self) -> Vec<Node> {
        self.nodes
    }

    /// The leaves; bytes without a name yet are `what` of a part that the file ends in.
    pub fn finish_cut(mut self, what: &str) -> Vec<Node> {
        let rest = self.rest().len() as u64;
        if rest > 0 {
            self.nodes.push(Node::leaf("cut off", "bytes", self.position(), rest, what));
        }
        self.nodes
    }

    /// The leaves; bytes without a name yet are sound, but not read, because of `why`.
    pub fn finish_unread(mut self, why: &str) -> Vec<Node> {
        let rest = self.rest().len() as u64;
        if rest > 0 {
            self.nodes.push(Node::unread(self.position(), rest, why));
        }
        self.nodes
    }

    /// The leaves; bytes without a name are damaged, because of `why`.
    pub fn finish(mut self, why: &str) -> Vec<Node> {
        let rest = self.rest().len() as u64;
        if rest > 0 {
            self.nodes.push(Node::damaged(self.position(), rest, why));
        }
        self.nodes
    }
}

/// Up to eight bytes as a number.
pub fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |value, byte| (value << 8) | u64::from(*byte))
}

/// A stored checksum, and whether it matches the bytes that it covers.
fn checksum(stored: &[u8], computed: u32) -> String {
    if stored == computed.to_le_bytes() {
        return format!("0x{computed:08x}, correct");
    }
    format!("0x{:08x}, wrong: it should be 0x{computed:08x}", little_endian(stored))
}

/// The first node with this name, from the top.
#[cfg(test)]
pub fn find<'a>(tree: &'a Node, name: &str) -> Option<&'a Node> {
    if tree.name == name {
        return Some(tree);
    }
    tree.children.iter().find_map(|child| find(child, name))
}
