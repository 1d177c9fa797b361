//! Table files of both families, explained: the footer leads to index and meta index, and these to the
//! blocks.

use super::block::Values;
use super::block_nodes::{Role, contents};
use super::frame::{Checksum, Footer, HANDLES_BYTES, compression, footer_bytes, is_newer};
use super::index::IndexedBlock;
use super::salvage::{Salvage, nowhere};
use levelscope::inspect::{Fact, Node, Scope};
use levelscope::internals::fields::{Fields, little_endian};
use levelscope::internals::sorting;
use levelscope::internals::table::{BLOCK_TRAILER_BYTES, Handle, decompress};
use levelscope::text;
use levelscope::{Error, ErrorKind, Result};

/// What a family of tables knows of its blocks.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) data: Vec<IndexedBlock>,
    /// What is known of bytes that belong to none of them.
    pub(crate) rest: Rest,
    /// Meta blocks with their roles.
    pub(crate) metas: Vec<(Handle, Role)>,
    /// How the index is stored.
    pub(crate) index: Role,
}

impl Known {
    /// No index says where blocks are, but their checksums do.
    pub(super) fn by_checksums(file: &[u8]) -> Self {
        let Salvage { data, others } = Salvage::of(file);
        let metas = others.into_iter().map(|handle| (handle, Role::Other)).collect();
        Self { data, rest: Rest::NotFound, metas, index: Role::Other }
    }
}

/// What is known of bytes to which no index leads.
#[derive(Debug, Clone)]
pub(crate) enum Rest {
    /// Index and meta index are whole: no block can be there.
    NoBlock,
    /// No index could be read, and blocks are known by their checksums: no such block is there.
    NotFound,
    /// An index is damaged: blocks may be there.
    IndexDamaged,
    /// An index, or the whole table, uses this, which is not read: blocks may be there.
    Unread(String),
}

impl Rest {
    /// After indexes were read; `error`: the first one that was not.
    pub(crate) fn of(error: Option<&Error>) -> Self {
        match error {
            None => Self::NoBlock,
            Some(error) if error.kind() == ErrorKind::UnsupportedFormat => {
                Self::Unread(error.message().to_owned())
            }
            Some(_) => Self::IndexDamaged,
        }
    }

    /// Bytes that no block has.
    fn node(&self, begin: u64, end: u64) -> Node {
        let bytes = end.saturating_sub(begin);
        match self {
            Self::NoBlock => Node::damaged(begin, bytes, "neither index nor meta index leads here"),
            Self::NotFound => {
                Node::damaged(begin, bytes, "no block begins here whose checksum is right")
            }
            Self::IndexDamaged => {
                let why = "the index is damaged";
                Node::leaf("blocks that are not read", "bytes", begin, bytes, why)
            }
            Self::Unread(why) => Node::unread(begin, bytes, why),
        }
    }
}

/// Names every byte of the table `file`, as far as `scope` says; `known` tells of its blocks, as far as
/// they can be read.
pub(crate) fn annotate_table(
    name: &str,
    file: &[u8],
    scope: Scope,
    known: impl FnOnce(&Footer) -> Known,
) -> Node {
    let length = file.len() as u64;
    let bytes = footer_bytes(file).unwrap_or(0).min(file.len());
    let (body, footer) = file.split_at_checked(file.len() - bytes).unwrap_or((file, &[]));
    let (mut nodes, value) = match Footer::of(file) {
        Ok(decoded) => body_nodes(body, &decoded, scope, known(&decoded)),
        Err(error) if body.is_empty() => (Vec::new(), error.to_string()),
        Err(error) if error.kind() == ErrorKind::UnsupportedFormat => {
            (vec![Node::unread(0, body.len() as u64, error.message())], error.message().to_owned())
        }
        Err(error) => {
            let (mut nodes, found) = body_nodes(body, &nowhere(), scope, Known::by_checksums(body));
            if footer.is_empty() && nodes.last().is_none_or(|node| node.kind != "damaged") {
                nodes.push(Node::missing(length, "the rest of a table is missing"));
            }
            (nodes, format!("{error}; {found} found by their checksums"))
        }
    };
    if !footer.is_empty() {
        nodes.push(footer_node(footer, body.len() as u64));
    }
    Node::branch(name, "table", 0, format!("{value}, {}", text::bytes(length)), nodes)
}

fn body_nodes(body: &[u8], footer: &Footer, scope: Scope, known: Known) -> (Vec<Node>, String) {
    let value = text::counted(known.data.len(), "data block");
    let mut blocks = vec![(footer.meta_index, Role::MetaIndex), (footer.index, known.index)];
    blocks.extend(known.metas);
    let data = (0..).zip(known.data);
    blocks.extend(data.map(|(number, place)| (place.handle, Role::Data(number))));
    sorting::sort_by_key(&mut blocks, |(handle, _)| handle.offset);

    let length = body.len() as u64;
    let rest = known.rest;
    let mut nodes = Vec::new();
    let mut position = 0;
    for (handle, role) in blocks {
        // A block that is not where one can be has no node: its bytes belong to others.
        let Some(end) = handle.end().filter(|end| *end <= length) else { continue };
        if handle.offset < position {
            continue;
        }
        if handle.offset > position {
            nodes.push(rest.node(position, handle.offset));
        }
        nodes.push(block_node(body, footer, handle, role, scope));
        position = end;
    }
    if length > position {
        nodes.push(rest.node(position, length));
    }
    (nodes, value)
}

/// The block at `handle`, which lies in `body`.
fn block_node(body: &[u8], footer: &Footer, handle: Handle, role: Role, scope: Scope) -> Node {
    let offset = handle.offset;
    let length = handle.bytes.saturating_add(BLOCK_TRAILER_BYTES as u64);
    let number = role.number();
    let closed = |value: String| {
        let node = Node::leaf(role.name(), role.kind(), offset, length, value);
        Node { number, more: true, ..node }
    };
    if !scope.reads(offset, length) {
        return closed(text::bytes(handle.bytes));
    }
    let Some((covered, stored, trailer)) = split(body, handle) else {
        return Node::damaged(offset, length, "this block is cut off");
    };
    let [tag, ..] = trailer;
    let decompressed = if tag == 1 { Some(decompress(stored)) } else { None };
    let size = text::bytes(stored.len());
    let value = match &decompressed {
        Some(Ok(block)) => format!("{size}, decompressed {}", text::count(block.len() as u64)),
        Some(Err(why)) => (*why).to_owned(),
        None if tag == 0 => size,
        None => format!("{size}, compressed by {}", compression(footer.is_level(), tag, stored)),
    };
    if !scope.deep {
        return closed(value);
    }
    let mut children = match decompressed {
        Some(Ok(block)) => {
            let leaf = Node::leaf(
                "compressed block",
                "compressed",
                offset,
                stored.len() as u64,
                value.as_str(),
            );
            // A branch numbers its parts.
            let inside = Node::branch("", "bytes", 0, "", contents(role, &block, 0)).children;
            vec![Node { inside, ..leaf }]
        }
        None if tag == 0 => contents(role, stored, offset),
        _ if stored.is_empty() => Vec::new(),
        Some(Err(why)) => vec![Node::damaged(offset, stored.len() as u64, why)],
        None => {
            let way = compression(footer.is_level(), tag, stored);
            let why = format!("the block is compressed by {way}, which is not read");
            vec![Node::unread(offset, stored.len() as u64, why)]
        }
    };
    children.push(trailer_node(footer, (covered, stored), trailer, offset));
    Node { number, ..Node::branch(role.name(), role.kind(), offset, value, children) }
}

/// The bytes that the checksum of a block covers, the block itself, and its trailer.
fn split(body: &[u8], handle: Handle) -> Option<(&[u8], &[u8], [u8; BLOCK_TRAILER_BYTES])> {
    let end = usize::try_from(handle.end()?).ok()?;
    let sealed = body.get(usize::try_from(handle.offset).ok()?..end)?;
    let (stored, trailer) = sealed.split_last_chunk::<BLOCK_TRAILER_BYTES>()?;
    Some((sealed.get(..=stored.len())?, stored, *trailer))
}

fn trailer_node(
    footer: &Footer,
    (covered, stored): (&[u8], &[u8]),
    trailer: [u8; BLOCK_TRAILER_BYTES],
    offset: u64,
) -> Node {
    let [tag, ..] = trailer;
    let trailer_at = offset.saturating_add(stored.len() as u64);
    let mut fields = Fields::new(&trailer, trailer_at);
    let _ = fields.take("compression", "kind", 1, |_| {
        format!("{tag}: {}", compression(footer.is_level(), tag, stored))
    });
    let name = "checksum of the block";
    let _ = match (footer.checksum.of(covered), footer.checksum) {
        (Some(computed), _) => fields.checksum(name, computed, (offset, covered.len() as u64)),
        (None, Checksum::None) => fields.take(name, "zeros", 4, |_| "none".to_owned()).map(drop),
        (None, kind) => {
            let told =
                |bytes| format!("0x{:08x}, not verified: {}", little_endian(bytes), kind.name());
            fields.take(name, "checksum", 4, told).map(drop)
        }
    };
    Node::branch("trailer", "trailer", trailer_at, "", fields.so_far())
}

fn footer_node(footer: &[u8], offset: u64) -> Node {
    let mut fields = Fields::new(footer, offset);
    let _ = footer_fields(&mut fields, footer);
    let parts = fields.finish("this is no part of a footer");
    Node::branch("footer", "footer", offset, "", parts)
}

/// Adds the fields of the footer, as far as they are there.
fn footer_fields(fields: &mut Fields<'_>, footer: &[u8]) -> Option<()> {
    let is_level = footer.len() == HANDLES_BYTES + 8;
    let begin = usize::from(!is_level);
    if !is_level {
        fields.take("checksum type", "kind", 1, |bytes| {
            let [tag] = bytes else { return String::new() };
            format!("{tag}: {}", Checksum::name_of(*tag))
        })?;
    }
    let handles = footer.get(begin..begin + HANDLES_BYTES)?;
    if !is_level && is_newer(handles) {
        fields.push(Node::unread(fields.position(), handles.len() as u64, "the footer is newer"));
        fields.number("format version", "number", 4)?;
        return fields.text("magic", "magic", 8).map(drop);
    }
    let mut inner = Fields::new(handles, fields.position());
    // Handles that cannot be read leave a damaged leaf.
    let sound = ["meta index", "index"].iter().try_for_each(|of| {
        let offset = inner.varint(&format!("offset of the {of}"), "offset")?;
        inner.tell(Some(Fact::Place { offset }));
        inner.varint(&format!("length of the {of}"), "length").map(drop)
    });
    if sound.is_some() {
        let rest = inner.rest().len();
        inner.take("zeros", "zeros", rest, |zeros| {
            let clean = zeros.iter().all(|byte| *byte == 0);
            if clean { String::new() } else { "not all of them are zero".to_owned() }
        })?;
    }
    for node in inner.finish("these are no handles") {
        fields.push(node);
    }
    if !is_level {
        fields.number("format version", "number", 4)?;
    }
    fields.text("magic", "magic", 8)?;
    Some(())
}

/// Reads a block only to tell of it: what cannot be read is told elsewhere.
pub(crate) fn readable<T: Default>(read: Result<T>) -> T {
    read.unwrap_or_else(|_: Error| T::default())
}

/// How the values of an index are stored.
pub(crate) fn values(role: Role) -> Values {
    match role {
        Role::Index(layout) if layout.differences => Values::Handles,
        _ => Values::Any,
    }
}
