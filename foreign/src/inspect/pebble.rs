//! Tables and blob files of Pebble.

use super::columns;
use super::node::{Content, Fields, Lazy, Node, Shape, unpacked};
use super::rows::{self, Keys};
use super::table::{grouped, trailer_parts};
use crate::blob::PebbleBlobFile;
use crate::compression::{self, Form, NONE};
use crate::entry::BlockHandle;
use crate::pebble::Table;
use crate::pebble::walk::{Listed, Written};
use crate::table::{BlockCursor, DecodedBlock, Layout, TRAILER, TRAILER_BYTES};
use crate::{Comparator, Engine, Files, Result};

/// Whether the file is a blob file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Table,
    Blob,
}

/// The blocks of a table and its footer.
pub(super) fn table(files: &dyn Files, name: &str, length: u64) -> Result<Vec<Node>> {
    let table = Table::open(files, name, Comparator::Bytewise)?;
    let (mut data, mut values, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    for listed in table.blocks() {
        match listed.what {
            "data block" => data.push(block_node(&listed, data.len())),
            "value block" => values.push(block_node(&listed, values.len())),
            _ => nodes.push(block_node(&listed, 0)),
        }
    }
    nodes.extend(grouped("data blocks", "data block", data));
    nodes.extend(grouped("value blocks", "value block", values));
    let (offset, format) = table.footer_place();
    nodes.push(footer(files, name, offset, length, format)?);
    Ok(nodes)
}

fn block_node(listed: &Listed, place: usize) -> Node {
    let name = match listed.what {
        "data block" | "value block" => format!("{} {}", listed.what, place + 1),
        what => what.to_owned(),
    };
    let shape = match listed.written {
        Written::Entries => Shape::Entries,
        Written::Index => Shape::Index,
        Written::Names => Shape::Names,
        Written::Columns(custom) => Shape::Columns(custom),
        Written::Opaque => Shape::Opaque,
    };
    let value = listed.name.clone().unwrap_or_default();
    lazy_block(name, listed.handle, shape, value)
}

fn lazy_block(name: String, handle: BlockHandle, shape: Shape, value: String) -> Node {
    let bytes = handle.bytes.saturating_add(TRAILER_BYTES);
    let node = Node::leaf(name, handle.offset, bytes, value);
    node.with(Content::Lazy(Lazy::PebbleBlock(shape, handle)))
}

fn footer(files: &dyn Files, name: &str, offset: u64, length: u64, format: u32) -> Result<Node> {
    let count = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
    let bytes = files.read(name, offset, count)?;
    let mut fields = Fields::new(&bytes, offset);
    fields.number("kind of the checksums", 1);
    for of in ["metaindex", "index"] {
        fields.varint(&format!("offset of the {of}"));
        fields.varint(&format!("bytes of the {of}"));
    }
    let keep = match format {
        ..=5 => 12,
        6 => 16,
        _ => 20,
    };
    let zeros = fields.rest().len().saturating_sub(keep);
    fields.take("zeros", zeros, |_| String::new());
    if format >= 7 {
        fields.hex("attributes", 4);
    }
    if format >= 6 {
        fields.hex("checksum of the footer", 4);
    }
    fields.number("table format", 4);
    fields.hex("magic number", 8);
    let node = Node::leaf("footer", offset, bytes.len() as u64, "");
    Ok(node.with(Content::Parts(fields.done())))
}

/// The blocks of a blob file and its footer.
pub(super) fn blob(files: &dyn Files, name: &str, length: u64) -> Result<Vec<Node>> {
    let file = PebbleBlobFile::open(files, name)?;
    let handles = file.handles()?;
    let nodes = handles.into_iter().enumerate().map(|(place, handle)| {
        lazy_block(format!("value block {}", place + 1), handle, Shape::Columns(0), String::new())
    });
    let mut nodes = grouped("value blocks", "value block", nodes.collect());
    let (index, offset) = file.index_and_footer();
    nodes.push(lazy_block("index".into(), index, Shape::Columns(4), String::new()));
    let count = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
    let bytes = files.read(name, offset, count)?;
    let mut fields = Fields::new(&bytes, offset);
    fields.hex("checksum of the footer", 4);
    fields.number("offset of the index", 8);
    fields.number("bytes of the index", 8);
    fields.number("kind of the checksums", 1);
    fields.number("format", 1);
    fields.number("number of the file when it was written", 8);
    let more = fields.rest().len().saturating_sub(8);
    fields.take("what format 2 adds", more, |_| String::new());
    fields.hex("magic number", 8);
    let footer = Node::leaf("footer", offset, bytes.len() as u64, "");
    nodes.push(footer.with(Content::Parts(fields.done())));
    Ok(nodes)
}

/// The parts of one block with its trailer.
pub(super) fn block(
    files: &dyn Files,
    name: &str,
    of: Of,
    shape: Shape,
    handle: BlockHandle,
) -> Result<Vec<Node>> {
    let (block, number) = match of {
        Of::Table => Table::open(files, name, Comparator::Bytewise)?.content(handle)?,
        Of::Blob => PebbleBlobFile::open(files, name)?.content(handle)?,
    };
    let trailer_at = handle.offset.saturating_add(handle.bytes);
    let trailer = files.read(name, trailer_at, TRAILER)?;
    let words = compression_words(number);
    let mut nodes = if number == NONE {
        match inside(&block.bytes, handle, true, shape)? {
            parts if parts.is_empty() => {
                vec![Node::leaf("content", handle.offset, handle.bytes, "")]
            }
            parts => parts,
        }
    } else {
        let parts = inside(&block.bytes, handle, false, shape)?;
        vec![
            Node::leaf("content, compressed", handle.offset, handle.bytes, words.clone()),
            unpacked("content", trailer_at, block.bytes, parts),
        ]
    };
    nodes.extend(trailer_parts(&trailer, trailer_at, &words));
    Ok(nodes)
}

fn compression_words(number: u8) -> String {
    if number == 8 { "MinLZ".into() } else { compression::name(Form::Pebble, number) }
}

fn inside(bytes: &[u8], handle: BlockHandle, raw: bool, shape: Shape) -> Result<Vec<Node>> {
    let base = if raw { handle.offset } else { 0 };
    let index = Layout::Index { user_keys: false, deltas: false, first_keys: false };
    let (layout, keys) = match shape {
        Shape::Columns(custom) => return Ok(columns::parts(bytes, base, custom)),
        Shape::Opaque => return Ok(Vec::new()),
        Shape::Entries => (Layout::Data, Keys::Internal(Engine::Pebble)),
        Shape::Index => (index, Keys::Internal(Engine::Pebble)),
        Shape::Names => (Layout::Plain, Keys::Plain),
    };
    let block = crate::table::Block::new(bytes.to_vec(), handle, raw)?;
    let mut cursor = BlockCursor::new(block, layout);
    let entries = crate::table::entries(&mut cursor, layout)?;
    let parts = cursor.block().parts();
    let decoded = DecodedBlock { bytes: bytes.to_vec(), compression: NONE, entries, parts };
    Ok(rows::parts(&decoded, base, keys))
}
