//! The bytes of database files, explained: a tree in which every byte of a file has a name.
//!
//! [`annotate`] takes the whole file. Leaves (nodes without children) do not overlap and leave no gap, so that any
//! offset leads to exactly one leaf. Damage does not stop it: bytes that cannot be understood become a leaf of kind
//! `damaged` with the reason; sound bytes that were not read, one of kind `unread`.
//!
//! Some leaves hold encoded content, such as a compressed block. That content is under [`Node::inside`]; the offsets
//! there count from the start of the *decoded* content.
//!
//! Large files are looked at in parts: a [`Scope`] selects the blocks and records that are read and taken apart,
//! [`part_of`] finds one node by its path, [`stretches`] sums the file up for a ribbon.

mod block;
mod defect;
mod fact;
#[doc(hidden)]
pub mod fields;
mod log;
mod magic;
mod manifest;
mod part;
mod source;
mod stretch;
mod table;
mod wal;

pub use defect::Defect;
pub use fact::{Fact, KeyFact};
pub use magic::own_name;
pub use part::{
    Decoded, Part, Step, decoded_by, decoded_in, decoded_of, part_by, part_in, part_of,
};
pub use source::Source;
pub use stretch::{Stretch, joined, stretches};

use crate::Result;
use crate::event::ShownRange;
use crate::storage::FileName;
use crate::text;
use std::fmt::Write;

/// Most bytes of a key or value that a node shows.
const SHOWN_CHARACTERS_MAX: usize = 64;

/// A named range of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Node {
    /// Name of the range, such as `data block 3` or `table number`.
    pub name: String,
    /// Its type: one word from a closed list, see docs/FORMAT.md.
    pub kind: &'static str,
    /// Which of its siblings with this kind it is, from 1: the node's step in a path, `entry:5`. The
    /// file itself has 0.
    pub number: u32,
    /// Where it begins \[bytes\]: in the file, or in the decoded content for nodes `inside`.
    pub offset: u64,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// Its meaning, for a person; empty when the children explain everything.
    pub value: String,
    /// The parts, in order, without gaps; empty for a leaf.
    pub children: Vec<Node>,
    /// The parts of the decoded content of a leaf, with separate offsets.
    pub inside: Vec<Node>,
    /// Whether it has parts that are not listed here, because they were not asked for.
    pub more: bool,
    /// The same for programs.
    pub fact: Option<Fact>,
}

/// The part of a file that is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Blocks and records with a byte from here on are read \[bytes\].
    pub from: u64,
    /// And only those that begin before here \[bytes\].
    pub to: u64,
    /// Whether the parts of those are named too.
    pub deep: bool,
}

impl Scope {
    /// Everything.
    pub const ALL: Self = Self { from: 0, to: u64::MAX, deep: true };
    /// Blocks and records, each read, none taken apart.
    pub const WIDE: Self = Self { from: 0, to: u64::MAX, deep: false };
    /// Blocks and records, as far as they are known without reading them.
    pub const OUTLINE: Self = Self { from: 0, to: 0, deep: false };

    /// The parts of the bytes from `from` up to `to`, those not counted.
    pub fn between(from: u64, to: u64) -> Self {
        Self { from, to, deep: true }
    }

    /// Whether something at `offset` with so many `bytes` is read.
    pub fn reads(&self, offset: u64, bytes: u64) -> bool {
        offset < self.to && offset.saturating_add(bytes.max(1)) > self.from
    }

    /// Whether it is taken apart, too.
    pub fn opens(&self, offset: u64, bytes: u64) -> bool {
        self.deep && self.reads(offset, bytes)
    }
}

impl Node {
    /// A leaf.
    pub fn leaf(
        name: impl Into<String>,
        kind: &'static str,
        offset: u64,
        bytes: u64,
        value: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), kind, offset, bytes, value: value.into(), ..Self::default() }
    }

    /// A node that is exactly its `children`; it begins at `offset` \[bytes\], also without any.
    pub fn branch(
        name: impl Into<String>,
        kind: &'static str,
        offset: u64,
        value: impl Into<String>,
        mut children: Vec<Self>,
    ) -> Self {
        let bytes = children.iter().map(|child| child.bytes).sum();
        number_parts(&mut children);
        Self { children, ..Self::leaf(name, kind, offset, bytes, value) }
    }

    /// A leaf of bytes that cannot be understood, and why.
    pub fn damaged(offset: u64, bytes: u64, why: impl Into<String>) -> Self {
        Self::leaf("damaged bytes", "damaged", offset, bytes, why)
    }

    /// A leaf without bytes at the end of a file that has to go on at `offset` \[bytes\], and why.
    pub fn missing(offset: u64, why: impl Into<String>) -> Self {
        Self::leaf("missing bytes", "damaged", offset, 0, why)
    }

    /// A leaf of bytes with a feature that Levelscope does not read, and its name: they are not damaged.
    pub fn unread(offset: u64, bytes: u64, why: impl Into<String>) -> Self {
        Self::leaf("bytes that are not read", "unread", offset, bytes, why)
    }

    /// Its step in a path: `entry:5`.
    pub fn step(&self) -> String {
        format!("{}:{}", self.kind, self.number)
    }

    /// The node without its parts.
    #[must_use]
    pub fn alone(&self) -> Self {
        let more = self.more || !self.children.is_empty() || !self.inside.is_empty();
        Self {
            name: self.name.clone(),
            value: self.value.clone(),
            fact: self.fact.clone(),
            more,
            children: Vec::new(),
            inside: Vec::new(),
            ..*self
        }
    }

    /// Keeps, at every depth, only the parts with bytes from `from` up to `to`, and no decoded ones.
    pub fn keep_between(&mut self, from: u64, to: u64) {
        let parts = self.children.len() + self.inside.len();
        self.inside = Vec::new();
        self.children.retain_mut(|child| {
            let end = child.offset.saturating_add(child.bytes);
            let kept = child.bytes > 0 && child.offset < to && end > from;
            if kept {
                child.keep_between(from, to);
            }
            kept
        });
        self.more |= self.children.len() < parts;
    }
}

/// Numbers each node among those of its kind, from 1; a node that has a number keeps it.
fn number_parts(nodes: &mut [Node]) {
    let mut seen: Vec<(&'static str, u32)> = Vec::new();
    for node in nodes.iter_mut().filter(|node| node.number == 0) {
        let known = seen.iter().position(|(kind, _)| *kind == node.kind);
        let at = known.unwrap_or(seen.len());
        if known.is_none() {
            seen.push((node.kind, 0));
        }
        if let Some((_, count)) = seen.get_mut(at) {
            *count = count.saturating_add(1);
            node.number = *count;
        }
    }
}

/// Names every byte of the file `name`, whose whole content is `bytes`.
///
/// # Errors
/// None at present: damage is part of the tree.
pub fn annotate(name: FileName, bytes: &[u8]) -> Result<Node> {
    annotate_scope(name, &Source::Bytes(bytes), Scope::ALL)
}

/// Names the bytes of the file `name` within `scope`: other blocks and records have no parts and are not read, so that
/// a large table costs a read of its index and of the blocks in the scope. Logs are read as a whole.
///
/// # Errors
/// Those of the file that is read. Damage is part of the tree.
pub fn annotate_scope(name: FileName, source: &Source<'_>, scope: Scope) -> Result<Node> {
    match name {
        FileName::Table(_) => table::annotate_table(name, source, scope),
        FileName::Wal(number) => {
            let (file, length) = source.log(number)?;
            let lengths = (length, source.synced());
            Ok(wal::annotate_wal(name, &file, scope, lengths))
        }
        FileName::Manifest(_) => {
            Ok(manifest::annotate_manifest(name, &source.all()?, scope, source.synced()))
        }
        FileName::Current => Ok(manifest::annotate_current(&source.all()?)),
        FileName::Lock => Ok(Node::leaf(name.to_string(), "lock", 0, 0, LOCK)),
        FileName::Other(other) => Ok(Node::leaf(other, "bytes", 0, source.length(), OTHER)),
    }
}

const OTHER: &str = "a file of another program: see the formats";
const LOCK: &str = "records whether a program has the database open";

/// `bytes` as hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The meaning of a sync mark, as a clause.
fn proves_synced(bytes: u64) -> String {
    let verb = if bytes == 1 { "was" } else { "were" };
    format!("proves that {} {verb} synced", text::bytes(bytes))
}

/// Describes a range delete of [`begin`, `end`).
fn range_words(begin: &[u8], end: &[u8]) -> String {
    format!("range delete {}", ShownRange::new(begin, end))
}

/// [`text::escape`] of `bytes`, cut to a length that can be shown.
pub fn shown(bytes: &[u8]) -> String {
    let (text, used) = text::escape_some(bytes, SHOWN_CHARACTERS_MAX);
    if used < bytes.len() {
        return format!("{text}... ({})", text::bytes(bytes.len()));
    }
    text
}
