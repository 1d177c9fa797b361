//! Table files, explained: the footer leads to index and meta index, and these to the blocks.

use super::Node;
use super::block::{Role, contents, entries_of};
use super::fields::{Fields, checksum};
use crate::coding::crc32;
use crate::storage::FileName;
use crate::table::{
    BLOCK_TRAILER_BYTES, FILTER_NAME, FOOTER_BYTES, Footer, Handle, MAGIC, PREFIX_FILTER_NAME,
    PREFIX_INDEX_NAME, PROPERTIES_NAME, decompress,
};

/// Names every byte of the table file `name`.
pub(super) fn annotate_table(name: FileName, file: &[u8]) -> Node {
    let length = file.len() as u64;
    let footer_at = file.len().saturating_sub(FOOTER_BYTES);
    let (body, footer) = file.split_at_checked(footer_at).unwrap_or((file, &[]));
    let decoded = Footer::decode(footer, name, footer_at as u64);
    let (mut nodes, value) = match &decoded {
        Ok(footer) => body_nodes(body, footer),
        Err(error) if body.is_empty() => (Vec::new(), error.to_string()),
        Err(error) => {
            let why = "without a sound footer nobody knows what is here";
            (vec![Node::damaged(0, body.len() as u64, why)], error.to_string())
        }
    };
    if !footer.is_empty() {
        nodes.push(footer_node(footer, footer_at as u64));
    }
    Node::branch(name.to_string(), "table", 0, format!("{value}, {length} bytes"), nodes)
}

/// What is in front of the footer, and a sentence about it.
fn body_nodes(body: &[u8], footer: &Footer) -> (Vec<Node>, String) {
    let mut blocks = vec![(footer.meta_index, Role::MetaIndex), (footer.index, Role::Index)];
    for (name, handle) in handles(body, footer.meta_index) {
        let role = match name.as_slice() {
            FILTER_NAME => Role::Filter,
            PREFIX_FILTER_NAME => Role::PrefixFilter,
            PREFIX_INDEX_NAME => Role::PrefixIndex,
            PROPERTIES_NAME => Role::Properties,
            _ => Role::Unknown,
        };
        blocks.push((handle, role));
    }
    let data = handles(body, footer.index);
    let value = format!("{} data blocks", data.len());
    blocks.extend((0..).zip(data).map(|(number, (_, handle))| (handle, Role::Data(number))));
    blocks.sort_by_key(|(handle, _)| handle.offset);

    let mut nodes = Vec::new();
    let mut position = 0;
    let length = body.len() as u64;
    for (handle, role) in blocks {
        // A block that is not where one can be has no node: its bytes belong to others.
        let Some(end) = handle.end().filter(|end| *end <= length) else { continue };
        if handle.offset < position {
            continue;
        }
        unnamed(&mut nodes, position, handle.offset);
        if let Some(node) = block_node(body, handle, role) {
            nodes.push(node);
            position = end;
        }
    }
    unnamed(&mut nodes, position, length);
    (nodes, value)
}

fn unnamed(nodes: &mut Vec<Node>, begin: u64, end: u64) {
    if end > begin {
        nodes.push(Node::damaged(begin, end - begin, "neither index nor meta index leads here"));
    }
}

/// The stored block at `handle` and its trailer; `None` when it is not whole.
fn split_block(body: &[u8], handle: Handle) -> Option<(&[u8], &[u8; BLOCK_TRAILER_BYTES])> {
    let begin = usize::try_from(handle.offset).ok()?;
    let end = usize::try_from(handle.end()?).ok()?;
    body.get(begin..end)?.split_last_chunk()
}

/// Names and handles in the index block at `handle`, as far as they can be read.
fn handles(body: &[u8], handle: Handle) -> Vec<(Vec<u8>, Handle)> {
    let Some((stored, trailer)) = split_block(body, handle) else { return Vec::new() };
    let decompressed = if trailer.first() == Some(&1) { decompress(stored).ok() } else { None };
    entries_of(decompressed.as_deref().unwrap_or(stored))
        .into_iter()
        .filter_map(|(key, value)| Some((key, Handle::decode(&value)?)))
        .collect()
}

fn block_node(body: &[u8], handle: Handle, role: Role) -> Option<Node> {
    let (stored, trailer) = split_block(body, handle)?;
    let offset = handle.offset;
    let [tag, sum @ ..] = trailer;
    let (mut children, value) = match tag {
        0 => (contents(role, stored, offset), format!("{} bytes", stored.len())),
        1 => compressed(role, stored, offset),
        _ => (unknown(stored, offset), "unknown compression".to_owned()),
    };
    let trailer_at = offset.saturating_add(handle.bytes);
    let mut fields = Fields::new(trailer, trailer_at);
    let _ = fields.take("compression", "kind", 1, |_| match tag {
        0 => "0: none".to_owned(),
        1 => "1: snappy".to_owned(),
        tag => format!("{tag}: unknown"),
    });
    let computed = crc32(&[stored, &[*tag]]);
    let _ = fields.take("checksum of the block", "checksum", 4, |_| checksum(sum, computed));
    let parts = fields.so_far();
    children.push(Node::branch("trailer", "trailer", trailer_at, String::new(), parts));
    Some(Node::branch(role.name(), "block", offset, value, children))
}

fn compressed(role: Role, stored: &[u8], offset: u64) -> (Vec<Node>, String) {
    match decompress(stored) {
        Ok(block) => {
            let sizes = format!("{} bytes, decompressed {}", stored.len(), block.len());
            let stored = stored.len() as u64;
            let leaf = Node::leaf("compressed block", "compressed", offset, stored, sizes.as_str());
            (vec![Node { inside: contents(role, &block, 0), ..leaf }], sizes)
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
    fields.number("offset of the meta index", "offset", 8)?;
    fields.number("length of the meta index", "length", 8)?;
    fields.number("offset of the index", "offset", 8)?;
    fields.number("length of the index", "length", 8)?;
    fields.number("table number", "number", 8)?;
    fields.number("format version", "number", 4)?;
    let covered = footer.get(..FOOTER_BYTES - MAGIC.len() - 4)?;
    fields.take("checksum of the footer", "checksum", 4, |stored| {
        checksum(stored, crc32(&[covered]))
    })?;
    fields.text("magic", "magic", MAGIC.len() as u64)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::fields::{assert_covers, find};
    use crate::memtable::{SplitMix64, for_seeds};
    use crate::table::{TableOptions, example, sample};
    use crate::{Compression, PrefixExtractor, inspect};

    const NAME: FileName = FileName::Table(7);

    fn tables() -> Vec<Vec<u8>> {
        let mut files = vec![example()];
        for compression in [Compression::None, Compression::Snappy] {
            for bloom_bits in [0, 10] {
                for restart_interval in [1, 3, 16] {
                    files.push(sample(TableOptions {
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
    fn nodes_say_what_is_there() {
        let tree = inspect::annotate(NAME, &example()).unwrap();
        let value = |name: &str| find(&tree, name).map(|node| node.value.as_str());
        assert_eq!(tree.value, format!("1 data blocks, {} bytes", tree.bytes));
        assert_eq!(value("entry 1"), Some("put apple, sequence number 1: red"));
        assert_eq!(value("entry 3"), Some("delete fig, sequence number 2"));
        assert_eq!(value("key suffix"), Some("apple"));
        assert_eq!(value("table number"), Some("7"));
        assert_eq!(value("property entries"), Some("3"));
        assert_eq!(value("property key.largest"), Some("fig"));
        assert_eq!(value("magic"), Some("lvsc.sst"));
        assert_eq!(value("compression"), Some("0: none"));
        let path: Vec<&str> = tree.path_to(3).iter().map(|node| node.name.as_str()).collect();
        assert_eq!(path, ["000007.sst", "data block 1", "entry 1", "key suffix"]);
        let block = find(&tree, "data block 1").unwrap();
        assert!(block.children.last().unwrap().children[1].value.ends_with(", correct"));
    }
}
