//! The bytes of database files, explained: a tree in which every byte of a file has a name.
//!
//! [`annotate`] takes the whole file. Leaves (nodes without children) do not overlap and leave no
//! gap, so that any offset leads to exactly one leaf. Damage does not stop it: what cannot be
//! understood becomes a leaf of kind `damaged` that says why.
//!
//! Some leaves hold encoded content, such as a compressed block. What they hold is under
//! [`Node::inside`]; the offsets there count from the start of the *decoded* content.

mod block;
mod fields;
mod log;
mod manifest;
mod table;
mod wal;

use crate::storage::FileName;
use crate::{Error, Result};

/// Most bytes of a key or value that a node shows.
const SHOWN_BYTES_MAX: usize = 64;

/// A named range of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Node {
    /// What the range is, such as `data block 3` or `table number`.
    pub name: String,
    /// Its type: one word from a closed list, see docs/FORMAT.md.
    pub kind: String,
    /// Where it begins \[bytes\]: in the file, or in the decoded content for nodes `inside`.
    pub offset: u64,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// What it says, for a person; empty when the children say it all.
    pub value: String,
    /// The parts, in order, without gaps; empty for a leaf.
    pub children: Vec<Node>,
    /// The parts of the decoded content of a leaf, with offsets of their own.
    pub inside: Vec<Node>,
}

impl Node {
    /// A leaf.
    pub fn leaf(
        name: impl Into<String>,
        kind: &str,
        offset: u64,
        bytes: u64,
        value: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            kind: kind.to_owned(),
            offset,
            bytes,
            value: value.into(),
            ..Self::default()
        }
    }

    /// A node that is exactly its `children`; it begins at `offset` \[bytes\], also without any.
    pub fn branch(
        name: impl Into<String>,
        kind: &str,
        offset: u64,
        value: impl Into<String>,
        children: Vec<Self>,
    ) -> Self {
        let bytes = children.iter().map(|child| child.bytes).sum();
        Self { children, ..Self::leaf(name, kind, offset, bytes, value) }
    }

    /// A leaf of bytes that cannot be understood, and why.
    pub fn damaged(offset: u64, bytes: u64, why: impl Into<String>) -> Self {
        Self::leaf("damaged bytes", "damaged", offset, bytes, why)
    }

    /// The path from this node down to the leaf that has the byte at `offset`; empty when outside.
    pub fn path_to(&self, offset: u64) -> Vec<&Self> {
        let mut path = Vec::new();
        let mut next = self.holds(offset).then_some(self);
        while let Some(node) = next {
            path.push(node);
            next = node.children.iter().find(|child| child.holds(offset));
        }
        path
    }

    fn holds(&self, offset: u64) -> bool {
        offset.checked_sub(self.offset).is_some_and(|distance| distance < self.bytes)
    }
}

/// Names every byte of the file `name`, whose whole content is `bytes`.
///
/// # Errors
/// `InvalidArgument` for a file that has no format of its own (`LOCK`).
pub fn annotate(name: FileName, bytes: &[u8]) -> Result<Node> {
    match name {
        FileName::Table(_) => Ok(table::annotate_table(name, bytes)),
        FileName::Wal(_) => Ok(wal::annotate_wal(name, bytes)),
        FileName::Manifest(_) => Ok(manifest::annotate_manifest(name, bytes)),
        FileName::Current => Ok(manifest::annotate_current(bytes)),
        FileName::Lock => Err(Error::invalid("LOCK has no content: it is only held, never read")),
    }
}

/// `bytes` as printable ASCII, cut to a length that can be shown: other bytes become `\xNN`.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let shown = bytes.get(..SHOWN_BYTES_MAX).unwrap_or(bytes);
    let text = shown.escape_ascii();
    if shown.len() < bytes.len() {
        return format!("{text}... ({} bytes)", bytes.len());
    }
    text.to_string()
}
