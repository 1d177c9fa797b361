//! Table files, explained: the footer leads to index and meta index, and these to the blocks.

use super::block::{Role, contents, entries_of};
use super::fields::Fields;
use super::{Fact, Node, Scope, Source};
use crate::coding::crc32;
use crate::key::parse_internal_key;
use crate::sorting;
use crate::storage::FileName;
use crate::table::{
    BLOCK_TRAILER_BYTES, FILTER_NAME, FOOTER_BYTES, Footer, Handle, MAGIC, PREFIX_FILTER_NAME,
    PREFIX_INDEX_NAME, PROPERTIES_NAME, RANGES_NAME, decompress, find_block,
};
use crate::text;
use crate::{ErrorKind, Result};
use std::borrow::Cow;

/// Names the bytes of the table file `name` within `scope`. The outline costs the footer, the index and the meta index;
/// each block in the scope is read separately.
pub(super) fn annotate_table(name: FileName, file: &Source<'_>, scope: Scope) -> Result<Node> {
    let length = file.length();
    let mut footer = match length.checked_sub(FOOTER_BYTES as u64) {
        None => Cow::Borrowed(&[][..]),
        Some(at) => file.read(at, FOOTER_BYTES as u64)?,
    };
    if !ends_in_footer(&footer) {
        // The end is missing: these are bytes of something else.
        footer = Cow::Borrowed(&[]);
    }
    let footer_at = length - footer.len() as u64;
    let decoded = Footer::decode(&footer, name, footer_at);
    let (mut nodes, value) = match &decoded {
        Ok(footer) => body_nodes(file, footer_at, footer, scope)?,
        Err(error) if error.kind() == ErrorKind::UnsupportedFormat => {
            (vec![Node::unread(0, footer_at, error.message())], error.message().to_owned())
        }
        Err(error) => {
            let mut nodes = found_nodes(file, footer_at, scope)?;
            if footer.is_empty() && nodes.last().is_none_or(|node| node.kind != "damaged") {
                nodes.push(Node::missing(length, "the rest of a table is missing"));
            }
            (nodes, error.message().to_owned())
        }
    };
    if !footer.is_empty() {
        nodes.push(footer_node(&footer, footer_at));
    }
    let value = format!("{value}, {}", text::bytes(length));
    Ok(Node::branch(name.to_string(), "table", 0, value, nodes))
}

/// Whether `file` ends in a footer: by its magic, or by its checksum when that is damaged.
pub(super) fn ends_in_footer(file: &[u8]) -> bool {
    let Some(footer) = file.last_chunk::<FOOTER_BYTES>() else { return false };
    let Some((sealed, magic)) = footer.split_last_chunk::<8>() else { return false };
    let Some((covered, stored)) = sealed.split_last_chunk::<4>() else { return false };
    *magic == MAGIC || crc32(&[covered]).to_le_bytes() == *stored
}

/// The `length` bytes before a damaged footer: blocks, found by their checksums.
fn found_nodes(file: &Source<'_>, length: u64, scope: Scope) -> Result<Vec<Node>> {
    let mut read = |offset: u64, bytes: usize| file.read(offset, bytes as u64);
    let (mut nodes, mut position, mut number) = (Vec::new(), 0, Some(0_usize));
    while let Some(handle) = find_block(&mut read, position, length)? {
        // Data blocks come first; the roles of the blocks after them are unknown.
        number = number.filter(|_| is_data(file, handle));
        let role = number.map_or(Role::Unknown, Role::Data);
        nodes.push(block_node(file, handle, role, scope)?);
        number = number.map(|number| number.saturating_add(1));
        position = handle.end().unwrap_or(length);
    }
    if position < length {
        let why = "no block begins here whose checksum is right";
        nodes.push(Node::damaged(position, length - position, why));
    }
    Ok(nodes)
}

/// Whether the first key of the block at `handle` is one of a data block.
fn is_data(file: &Source<'_>, handle: Handle) -> bool {
    let Ok(block) = file.read(handle.offset, handle.bytes.saturating_add(1)) else { return false };
    let Some((tag, stored)) = block.split_last() else { return false };
    let decompressed = if *tag == 1 { decompress(stored).ok() } else { None };
    let entries = entries_of(decompressed.as_deref().unwrap_or(stored));
    entries.first().is_some_and(|(key, _)| parse_internal_key(key).is_some())
}

/// The nodes of the `length` bytes before the footer, and a sentence about them.
fn body_nodes(
    file: &Source<'_>,
    length: u64,
    footer: &Footer,
    scope: Scope,
) -> Result<(Vec<Node>, String)> {
    let mut blocks = vec![(footer.meta_index, Role::MetaIndex), (footer.index, Role::Index)];
    for (name, handle) in handles(file, length, footer.meta_index)? {
        let role = match name.as_slice() {
            FILTER_NAME => Role::Filter,
            PREFIX_FILTER_NAME => Role::PrefixFilter,
            PREFIX_INDEX_NAME => Role::PrefixIndex,
            PROPERTIES_NAME => Role::Properties,
            name if name.starts_with(RANGES_NAME) => Role::Ranges,
            _ => Role::Unknown,
        };
        blocks.push((handle, role));
    }
    let data = handles(file, length, footer.index)?;
    let value = text::counted(data.len(), "data block");
    blocks.extend((0..).zip(data).map(|(number, (_, handle))| (handle, Role::Data(number))));
    sorting::sort_by_key(&mut blocks, |(handle, _)| handle.offset);

    let mut nodes = Vec::new();
    let mut position = 0;
    for (handle, role) in blocks {
        // A block that is not where one can be has no node: its bytes belong to others.
        let Some(end) = handle.end().filter(|end| *end <= length) else { continue };
        if handle.offset < position {
            continue;
        }
        unnamed(&mut nodes, position, handle.offset);
        nodes.push(block_node(file, handle, role, scope)?);
        position = end;
    }
    unnamed(&mut nodes, position, length);
    Ok((nodes, value))
}

fn unnamed(nodes: &mut Vec<Node>, begin: u64, end: u64) {
    if end > begin {
        nodes.push(Node::damaged(begin, end - begin, "neither index nor meta index leads here"));
    }
}

/// Names and handles in the index block at `handle`, as far as they can be read; the blocks lie in
/// the first `length` \[bytes\].
fn handles(file: &Source<'_>, length: u64, handle: Handle) -> Result<Vec<(Vec<u8>, Handle)>> {
    let Some(end) = handle.end().filter(|end| *end <= length) else { return Ok(Vec::new()) };
    let block = file.read(handle.offset, end.saturating_sub(handle.offset))?;
    let Some((stored, trailer)) = block.split_last_chunk::<BLOCK_TRAILER_BYTES>() else {
        return Ok(Vec::new());
    };
    let decompressed = if trailer.first() == Some(&1) { decompress(stored).ok() } else { None };
    Ok(entries_of(decompressed.as_deref().unwrap_or(stored))
        .into_iter()
        .filter_map(|(key, value)| Some((key, Handle::decode(&value)?)))
        .collect())
}

/// The block at `handle`, which lies in the file.
fn block_node(file: &Source<'_>, handle: Handle, role: Role, scope: Scope) -> Result<Node> {
    let offset = handle.offset;
    let length = handle.bytes.saturating_add(BLOCK_TRAILER_BYTES as u64);
    if !scope.reads(offset, length) {
        let value = text::bytes(handle.bytes);
        return Ok(closed(role, offset, length, value));
    }
    let block = file.read(offset, length)?;
    let Some((stored, trailer)) = block.split_last_chunk::<BLOCK_TRAILER_BYTES>() else {
        return Ok(Node::damaged(offset, length, "this block is cut off"));
    };
    let [tag, ..] = trailer;
    if !scope.deep {
        return Ok(closed(role, offset, length, sizes(*tag, stored)));
    }
    let (mut children, value) = match tag {
        0 => (contents(role, stored, offset), text::bytes(stored.len())),
        1 => compressed(role, stored, offset),
        _ => (unknown(stored, offset), "unknown compression".to_owned()),
    };
    children.push(trailer_node(stored, *trailer, offset));
    let node = Node::branch(role.name(), role.kind(), offset, value, children);
    Ok(Node { number: role.number(), ..node })
}

/// A block that is not taken apart.
fn closed(role: Role, offset: u64, length: u64, value: String) -> Node {
    let node = Node::leaf(role.name(), role.kind(), offset, length, value);
    Node { number: role.number(), more: true, ..node }
}

/// The lengths of a block, from its header.
fn sizes(tag: u8, stored: &[u8]) -> String {
    match tag {
        0 => text::bytes(stored.len()),
        1 => match decompress(stored) {
            Ok(block) => both_sizes(stored, &block),
            Err(why) => why.to_owned(),
        },
        _ => "unknown compression".to_owned(),
    }
}

fn trailer_node(stored: &[u8], trailer: [u8; BLOCK_TRAILER_BYTES], offset: u64) -> Node {
    let [tag, ..] = trailer;
    let covered = stored.len() as u64 + 1;
    let trailer_at = offset.saturating_add(stored.len() as u64);
    let mut fields = Fields::new(&trailer, trailer_at);
    let _ = fields.take("compression", "kind", 1, |_| match tag {
        0 => "0: none".to_owned(),
        1 => "1: snappy".to_owned(),
        tag => format!("{tag}: unknown"),
    });
    let computed = crc32(&[stored, &[tag]]);
    let _ = fields.checksum("checksum of the block", computed, (offset, covered));
    Node::branch("trailer", "trailer", trailer_at, String::new(), fields.so_far())
}

fn both_sizes(stored: &[u8], block: &[u8]) -> String {
    format!("{}, decompressed {}", text::bytes(stored.len()), text::count(block.len() as u64))
}

fn compressed(role: Role, stored: &[u8], offset: u64) -> (Vec<Node>, String) {
    match decompress(stored) {
        Ok(block) => {
            let sizes = both_sizes(stored, &block);
            let stored = stored.len() as u64;
            let leaf = Node::leaf("compressed block", "compressed", offset, stored, sizes.as_str());
            // A branch numbers its parts.
            let inside = Node::branch("", "bytes", 0, "", contents(role, &block, 0)).children;
            (vec![Node { inside, ..leaf }], sizes)
        }
        Err(why) => (unknown(stored, offset), why.to_owned()),
    }
}

fn unknown(stored: &[u8], offset: u64) -> Vec<Node> {
    if stored.is_empty() {
        return Vec::new();
    }
    vec![Node::damaged(offset, stored.len() as u64, "this block cannot be decompressed")]
}

fn footer_node(footer: &[u8], offset: u64) -> Node {
    let mut fields = Fields::new(footer, offset);
    let _ = footer_fields(&mut fields, footer);
    let parts = fields.finish("the file is too short for a footer");
    Node::branch("footer", "footer", offset, String::new(), parts)
}

/// Adds the fields of the footer, as far as they are there.
fn footer_fields(fields: &mut Fields<'_>, footer: &[u8]) -> Option<()> {
    if footer.len() != FOOTER_BYTES {
        return None;
    }
    let begin = fields.position();
    let offset = fields.number("offset of the meta index", "offset", 8)?;
    fields.set_fact(Some(Fact::Place { offset }));
    fields.number("length of the meta index", "length", 8)?;
    let offset = fields.number("offset of the index", "offset", 8)?;
    fields.set_fact(Some(Fact::Place { offset }));
    fields.number("length of the index", "length", 8)?;
    fields.number("table number", "number", 8)?;
    fields.number("format version", "number", 4)?;
    let covered = footer.get(..FOOTER_BYTES - MAGIC.len() - 4)?;
    let range = (begin, covered.len() as u64);
    fields.checksum("checksum of the footer", crc32(&[covered]), range)?;
    if fields.rest() == MAGIC {
        return fields.magic(&MAGIC);
    }
    let what = "the file does not end in the magic of a table file";
    fields.push(Node::damaged(fields.position(), MAGIC.len() as u64, what));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::fields::find;
    use crate::memtable::{SplitMix64, for_seeds};
    use crate::table::{TableOptions, example, sample};
    use crate::testing::covers::assert_covers;
    use crate::{Compression, PrefixExtractor, inspect};

    const NAME: FileName = FileName::Table(7);

    fn tables() -> Vec<Vec<u8>> {
        let mut files = vec![example()];
        for compression in [Compression::None, Compression::Snappy] {
            for bloom_bits in [0, 10] {
                for restart_interval in [1, 3, 16] {
                    files.push(sample(TableOptions {
                        database: None,
                        block_bytes: 256,
                        restart_interval,
                        compression,
                        bloom_bits,
                        prefix: PrefixExtractor::Fixed(9),
                        prefix_filter: bloom_bits > 0,
                        prefix_index: restart_interval == 3,
                    }));
                }
            }
        }
        files
    }

    fn inside_is_whole(node: &Node) -> u32 {
        let mut next = 0;
        for part in &node.inside {
            assert_eq!(part.offset, next, "{part:?}");
            assert_covers_from(part, &mut next);
        }
        u32::from(!node.inside.is_empty()) + node.children.iter().map(inside_is_whole).sum::<u32>()
    }

    fn assert_covers_from(node: &Node, next: &mut u64) {
        assert_eq!(node.offset, *next);
        node.children.iter().for_each(|child| assert_covers_from(child, next));
        if node.children.is_empty() {
            *next += node.bytes;
        }
        assert_eq!(*next, node.offset + node.bytes);
    }

    fn damaged(node: &Node) -> bool {
        node.kind == "damaged" || node.children.iter().chain(&node.inside).any(damaged)
    }

    #[test]
    fn every_byte_has_one_name() {
        let mut compressed = 0;
        for file in tables() {
            let tree = inspect::annotate(NAME, &file).unwrap();
            assert_covers(&tree, &file);
            assert!(!damaged(&tree));
            compressed += inside_is_whole(&tree);
        }
        assert!(compressed > 10, "{compressed}");
    }

    #[test]
    fn every_byte_has_one_name_in_damaged_files_too() {
        let file = example();
        for cut in 0..file.len() {
            let file = &file[..cut];
            assert_covers(&inspect::annotate(NAME, file).unwrap(), file);
        }
        for at in 0..file.len() {
            for mask in [1, 0x80, 0xff] {
                let mut file = file.clone();
                file[at] ^= mask;
                assert_covers(&inspect::annotate(NAME, &file).unwrap(), &file);
            }
        }
        let files = tables();
        for_seeds(300, |seed| {
            let mut random = SplitMix64::new(seed);
            let mut file = files[random.below(files.len())].clone();
            for _ in 0..=random.below(20) {
                let at = random.below(file.len());
                file[at] = u8::try_from(random.below(256)).unwrap();
            }
            let tree = inspect::annotate(NAME, &file).unwrap();
            assert_covers(&tree, &file);
            inside_is_whole(&tree);
        });
    }

    #[test]
    fn nodes_describe_every_part() {
        let tree = inspect::annotate(NAME, &example()).unwrap();
        let value = |name: &str| find(&tree, name).map(|node| node.value.as_str());
        assert_eq!(tree.value, format!("1 data block, {}", text::bytes(tree.bytes)));
        assert_eq!(value("entry 1"), Some("put apple, sequence number 1: red"));
        assert_eq!(value("entry 3"), Some("delete fig, sequence number 2"));
        assert_eq!(value("key suffix"), Some("apple"));
        assert_eq!(value("table number"), Some("7"));
        assert_eq!(value("property entries"), Some("3"));
        assert_eq!(value("property key.largest"), Some("fig"));
        assert_eq!(value("magic"), Some("lvsc.sst"));
        assert_eq!(value("compression"), Some("0: none"));
        let holds = |node: &&Node| (node.offset..node.offset + node.bytes).contains(&3);
        let path = std::iter::successors(Some(&tree), |node| node.children.iter().find(holds));
        let path: Vec<&str> = path.map(|node| node.name.as_str()).collect();
        assert_eq!(path, ["000007.sst", "data block 1", "entry 1", "key suffix"]);
        let block = find(&tree, "data block 1").unwrap();
        assert!(block.children.last().unwrap().children[1].value.ends_with(", correct"));
    }
}
