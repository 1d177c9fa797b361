//! Tables of RocksDB and LevelDB: blocks with their trailers, and the footer.

use super::node::{Content, Fields, Lazy, Node, unpacked};
use super::rows::{Keys, parts};
use crate::compression::{self, Form, NONE};
use crate::entry::BlockHandle;
use crate::table::{BlockKind, BlockTable, PhysicalBlock, TRAILER_BYTES};
use crate::text;
use crate::{Comparator, Engine, Files, Result};

/// From so many on, data blocks have a part of their own.
const GROUP_MIN: usize = 16;

fn open<'f>(files: &'f dyn Files, name: &str, engine: Engine) -> Result<BlockTable<'f>> {
    BlockTable::open(files, name, engine, Comparator::Bytewise)
}

/// The blocks of a table and its footer.
pub(super) fn blocks(files: &dyn Files, name: &str, engine: Engine) -> Result<Vec<Node>> {
    let table = open(files, name, engine)?;
    let (mut data, mut nodes) = (Vec::new(), Vec::new());
    // What cannot be read has no name then.
    for block in table.blocks(&mut |_| {}) {
        match block.kind {
            BlockKind::Footer => nodes.push(footer(&table, block.handle)?),
            BlockKind::Data => data.push(block_node(&block, data.len(), table.source().form())),
            _ => nodes.push(block_node(&block, 0, table.source().form())),
        }
    }
    nodes.extend(grouped("data blocks", "data block", data));
    Ok(nodes)
}

/// Many parts of one kind that follow one another, as one part.
pub(super) fn grouped(name: &str, one: &str, nodes: Vec<Node>) -> Vec<Node> {
    let follow =
        nodes.iter().zip(nodes.iter().skip(1)).all(|(node, next)| node.end() == next.offset);
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return nodes };
    if nodes.len() < GROUP_MIN || !follow {
        return nodes;
    }
    let (offset, bytes) = (first.offset, last.end() - first.offset);
    let value = text::count(nodes.len() as u64, one);
    vec![Node::leaf(name, offset, bytes, value).with(Content::Parts(nodes))]
}

fn block_node(block: &PhysicalBlock, place: usize, form: Form) -> Node {
    let name = match block.kind {
        BlockKind::Data => format!("data block {}", place + 1),
        kind => kind_words(kind).to_owned(),
    };
    let mut value: Vec<String> = block.name.iter().cloned().collect();
    match block.compression {
        None => value.push("not readable".into()),
        Some(NONE) => {}
        Some(number) => value.push(compression::name(form, number)),
    }
    let handle = block.handle;
    let bytes = handle.bytes.saturating_add(TRAILER_BYTES);
    let node = Node::leaf(name, handle.offset, bytes, value.join(", "));
    node.with(Content::Lazy(Lazy::Block(block.kind, handle)))
}

fn kind_words(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Data => "data block",
        BlockKind::Index => "index",
        BlockKind::IndexPartition => "index partition",
        BlockKind::Filter => "filter",
        BlockKind::FilterIndex => "index of the filter",
        BlockKind::HashIndex => "hash index",
        BlockKind::Properties => "properties",
        BlockKind::RangeDeletions => "range deletions",
        BlockKind::Dictionary => "compression dictionary",
        BlockKind::Metaindex => "metaindex",
        BlockKind::Footer => "footer",
        BlockKind::Other => "named block",
    }
}

/// The parts of one block with its trailer.
pub(super) fn block(
    files: &dyn Files,
    name: &str,
    engine: Engine,
    kind: BlockKind,
    handle: BlockHandle,
) -> Result<Vec<Node>> {
    let table = open(files, name, engine)?;
    let decoded = table.decoded(kind, handle)?;
    let keys = match kind {
        BlockKind::Data | BlockKind::RangeDeletions => Keys::Internal(engine),
        BlockKind::Index | BlockKind::IndexPartition | BlockKind::FilterIndex
            if table.index_has_internal_keys() =>
        {
            Keys::Internal(engine)
        }
        _ => Keys::Plain,
    };
    let what = format!("content of the {}", kind_words(kind));
    let form = table.source().form();
    let trailer_at = handle.offset.saturating_add(handle.bytes);
    let mut nodes = if decoded.compression == NONE {
        let inside = parts(&decoded, handle.offset, keys);
        if inside.is_empty() {
            vec![Node::leaf(what, handle.offset, handle.bytes, "")]
        } else {
            inside
        }
    } else {
        let words = compression::name(form, decoded.compression);
        let inside = parts(&decoded, 0, keys);
        vec![
            Node::leaf(format!("{what}, compressed"), handle.offset, handle.bytes, words),
            unpacked(&what, trailer_at, decoded.bytes, inside),
        ]
    };
    let trailer = files.read(name, trailer_at, crate::table::TRAILER)?;
    nodes.extend(trailer_parts(
        &trailer,
        trailer_at,
        &compression::name(form, decoded.compression),
    ));
    Ok(nodes)
}

/// The bytes after a block.
pub(super) fn trailer_parts(trailer: &[u8], offset: u64, compression: &str) -> Vec<Node> {
    let mut fields = Fields::new(trailer, offset);
    let words = compression.to_owned();
    fields.take("compression", 1, |_| words);
    fields.hex("checksum of the block and its compression", 4);
    fields.done()
}

fn handle_parts(fields: &mut Fields<'_>, of: &str) {
    fields.varint(&format!("offset of the {of}"));
    fields.varint(&format!("bytes of the {of}"));
}

fn footer(table: &BlockTable<'_>, handle: BlockHandle) -> Result<Node> {
    let decoded = table.decoded(BlockKind::Footer, handle)?;
    let (bytes, footer) = (decoded.bytes.as_slice(), table.footer());
    let mut fields = Fields::new(bytes, handle.offset);
    let padding = |fields: &mut Fields<'_>, keep: usize| {
        let count = fields.rest().len().saturating_sub(keep);
        fields.take("zeros", count, |_| String::new());
    };
    if footer.leveldb {
        handle_parts(&mut fields, "metaindex");
        handle_parts(&mut fields, "index");
        padding(&mut fields, 8);
    } else {
        let words = footer.checksum.word();
        fields.take("kind of the checksums", 1, |_| words.to_owned());
        if footer.version < 6 {
            handle_parts(&mut fields, "metaindex");
            handle_parts(&mut fields, "index");
        } else {
            fields.hex("mark of version 6 and newer", 4);
            fields.hex("checksum of the footer", 4);
            fields.hex("number that checksums are mixed with", 4);
            fields.number("bytes of the metaindex", 4);
        }
        padding(&mut fields, 12);
        fields.number("format version", 4);
    }
    fields.hex("magic number", 8);
    let node = Node::leaf("footer", handle.offset, bytes.len() as u64, "");
    Ok(node.with(Content::Parts(fields.done())))
}
