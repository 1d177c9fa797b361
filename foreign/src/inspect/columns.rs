//! Columnar blocks of Pebble: header and columns.

use super::node::{Content, Fields, Node};
use crate::pebble::columns::{Header, TYPE_BOOL, TYPE_BYTES, TYPE_PREFIX_BYTES, TYPE_UINT};
use crate::text;

/// The parts of the columnar block `bytes` whose first byte lies at `base`, after a header of `custom` bytes.
pub(super) fn parts(bytes: &[u8], base: u64, custom: usize) -> Vec<Node> {
    let Ok(header) = Header::decode(bytes, custom) else { return Vec::new() };
    let mut fields = Fields::new(bytes, base);
    fields.take("header of this kind of block", custom, |_| String::new());
    fields.number("version of the columns", 1);
    fields.number("columns", 2);
    fields.number("rows", 4);
    for (place, (kind, _)) in header.columns().iter().enumerate() {
        let words = kind_words(*kind);
        fields.take(&format!("type of column {}", place + 1), 1, |_| words.to_owned());
        fields.number(&format!("offset of column {}", place + 1), 4);
    }
    let head = bytes.len() - fields.rest().len();
    let head_parts = fields.done();
    let mut nodes = vec![
        Node::leaf("header", base, head as u64, text::count(header.rows as u64, "row"))
            .with(Content::Parts(head_parts)),
    ];
    let columns = header.columns();
    for (place, (kind, start)) in columns.iter().enumerate() {
        let next = columns.get(place + 1).map_or(bytes.len().saturating_sub(1), |next| next.1);
        let count = next.saturating_sub(*start);
        let name = format!("column {}", place + 1);
        nodes.push(Node::leaf(name, base + *start as u64, count as u64, kind_words(*kind)));
    }
    if let Some(last) = bytes.len().checked_sub(1) {
        nodes.push(Node::leaf("padding", base + last as u64, 1, ""));
    }
    nodes
}

fn kind_words(kind: u8) -> &'static str {
    match kind {
        TYPE_BOOL => "truth values",
        TYPE_UINT => "integers",
        TYPE_BYTES => "strings",
        TYPE_PREFIX_BYTES => "strings without shared prefixes",
        _ => "a type that is not known",
    }
}
