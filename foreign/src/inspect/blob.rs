//! Blob files of RocksDB: header, records, footer.

use super::node::{Content, Fields, Lazy, Node};
use crate::blob::RocksBlobFile;
use crate::text;
use crate::{Files, Result};

const HEADER_BYTES: usize = 30;
const HEAD_BYTES: usize = 32;
const FOOTER_BYTES: usize = 32;
/// Records of one part, where a file has many.
const GROUP: usize = 1000;

/// The parts of a whole blob file; many records are parts of their own.
pub(super) fn all(files: &dyn Files, name: &str, length: u64) -> Result<Vec<Node>> {
    let file = RocksBlobFile::open(files, name)?;
    let header = files.read(name, 0, HEADER_BYTES)?;
    let mut fields = Fields::new(&header, 0);
    fields.hex("magic number", 4);
    fields.number("version", 4);
    fields.number("number of the column family", 4);
    fields.number("flags: whether values expire", 1);
    fields.number("compression of the values", 1);
    fields.number("earliest expiration, in seconds since 1970", 8);
    fields.number("latest expiration, in seconds since 1970", 8);
    let header = Node::leaf("header", 0, HEADER_BYTES as u64, "");
    let mut nodes = vec![header.with(Content::Parts(fields.done()))];
    let end = if file.count().is_some() { length - FOOTER_BYTES as u64 } else { length };
    let found = records(files, name, HEADER_BYTES as u64, end)?;
    if found.len() <= 2 * GROUP {
        nodes.extend(found);
    } else {
        for (place, chunk) in found.chunks(GROUP).enumerate() {
            let (Some(first), Some(last)) = (chunk.first(), chunk.last()) else { continue };
            let (start, end) = (first.offset, last.end());
            let from = (place * GROUP + 1) as u64;
            let to = from + chunk.len() as u64 - 1;
            let name = format!("records {} to {}", text::number(from), text::number(to));
            let node = Node::leaf(name, start, end - start, "");
            nodes.push(node.with(Content::Lazy(Lazy::BlobRecords(start, end))));
        }
    }
    if file.count().is_some() {
        let footer = files.read(name, end, FOOTER_BYTES)?;
        let mut fields = Fields::new(&footer, end);
        fields.hex("magic number", 4);
        fields.number("records", 8);
        fields.number("earliest expiration, in seconds since 1970", 8);
        fields.number("latest expiration, in seconds since 1970", 8);
        fields.hex("checksum of the footer", 4);
        let footer = Node::leaf("footer", end, FOOTER_BYTES as u64, "");
        nodes.push(footer.with(Content::Parts(fields.done())));
    }
    Ok(nodes)
}

/// The records in `[start, end)`.
pub(super) fn records(files: &dyn Files, name: &str, start: u64, end: u64) -> Result<Vec<Node>> {
    let mut nodes = Vec::new();
    let mut at = start;
    while end.saturating_sub(at) >= HEAD_BYTES as u64 {
        let head = files.read(name, at, HEAD_BYTES)?;
        let mut fields = Fields::new(&head, at);
        let key = fields.number("bytes of the key", 8);
        let value = fields.number("bytes of the value", 8);
        fields.number("expiration, in seconds since 1970", 8);
        fields.hex("checksum of these numbers", 4);
        fields.hex("checksum of key and value", 4);
        let mut parts = fields.done();
        let key_at = at + HEAD_BYTES as u64;
        let value_at = key_at.checked_add(key);
        let next = value_at.and_then(|at| at.checked_add(value)).filter(|next| *next <= end);
        let (Some(value_at), Some(next)) = (value_at, next) else { break };
        let shown = usize::try_from(key.min(1024)).unwrap_or(0);
        let words = text::key(&files.read(name, key_at, shown)?);
        parts.push(Node::leaf("key", key_at, key, words.clone()));
        parts.push(Node::leaf("value", value_at, value, ""));
        nodes.push(Node::leaf("record", at, next - at, words).with(Content::Parts(parts)));
        at = next;
    }
    if at < end {
        nodes.push(Node::leaf("record that is cut off or damaged", at, end - at, "").damaged());
    }
    Ok(nodes)
}
