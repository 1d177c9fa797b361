//! Block-based tables as a format.

use super::{HashIndex, Properties};
use crate::leveldb::tables::{
    Cursor, Footer, Index, Known, LEVEL_MAGIC, ROCKS_MAGIC, Rest, Role, Table, annotate_table,
    first_not_before, metas, readable, unread_kind,
};
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod};
use levelscope::event::ShownKey;
use levelscope::inspect::{Node, Scope, shown};
use levelscope::internals::probe::{Among, Probe};
use levelscope::{Error, ErrorKind, Result};

/// The format.
#[derive(Debug)]
pub(crate) struct TableFormat;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "rocksdb-table",
    name: "block-based table of RocksDB",
    purpose: "Blocks as in a table of LevelDB, with properties and, if wanted, an index of prefixes.",
    holds: Holds::Table,
    searches: &[SearchMethod::Binary, SearchMethod::PrefixHash, SearchMethod::Sequential],
    writable: false,
    proof: "it has the magic number or the properties of such a table",
    shared: None,
};

/// Indexes in one level, without the first keys of blocks.
const INDEX_TYPE_MAX: u64 = 1;

/// What other indexes are.
const OTHER_INDEX: &str = "the index has two levels or keys of its own, which is not read";

/// The reason for not reading a table whose keys are in another `order`.
fn other_order(order: &[u8]) -> String {
    format!("keys are in the order {}, and only bytewise order is read", shown(order))
}

/// The error for a table of which no data block is read: that begins with its first byte, as [`known`] tells it.
fn unread(message: &str) -> Error {
    Error::not_read_at(0, message)
}

/// Whether an entry of this kind has a value; other kinds need more than the table to be understood.
fn kinds(kind: u8, offset: u64) -> Result<bool> {
    match kind {
        // A delete, also one that stands for a single put or carries a time.
        0 | 7 | 20 => Ok(false),
        1 => Ok(true),
        2 => Err(Error::not_read_at(offset, "an entry is a merge operand, which is not read")),
        17 => Err(Error::not_read_at(offset, "a value lies in a blob file, which is not read")),
        22 => Err(Error::not_read_at(offset, "a value has columns, which are not read")),
        15 | 24 => Err(unread_kind(kind, offset)),
        _ => Err(Error::damaged_at(offset, "the kind of an entry is unknown")),
    }
}

fn open(file: &[u8]) -> Result<(Table<'_>, Properties)> {
    opened(file).map_err(|error| match error.kind() {
        ErrorKind::UnsupportedFormat => unread(error.message()),
        _ => error,
    })
}

fn opened(file: &[u8]) -> Result<(Table<'_>, Properties)> {
    let footer = Footer::of(file)?;
    let metas = metas(file, &footer)?;
    let properties = Properties::read(file, &footer)?;
    if let Some(order) = properties.other_order() {
        return Err(unread(&other_order(order)));
    }
    if properties.index_type() > INDEX_TYPE_MAX {
        return Err(unread(OTHER_INDEX));
    }
    let index = Index::read(file, &footer, properties.layout())?;
    let order = properties.order();
    Ok((Table { file, footer, metas, index, kinds, order }, properties))
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let footer_bytes = if file.ends_with(&LEVEL_MAGIC) { 48 } else { 53 };
    probe.access("footer", file.len().saturating_sub(footer_bytes) as u64, footer_bytes as u64);
    let (table, properties) = open(file)?;
    match method {
        SearchMethod::Binary => table.binary(key, probe),
        SearchMethod::Sequential => table.sequential(key, probe),
        SearchMethod::PrefixHash => by_prefix(&table, &properties, key, probe),
    }
}

/// Looks for `key` in the blocks that its prefix leads to.
fn by_prefix<P: Probe>(
    table: &Table<'_>,
    properties: &Properties,
    key: &[u8],
    probe: &mut P,
) -> Result<Option<Entry<'static>>> {
    let Some(index) = HashIndex::of(table.file)? else {
        return Err(Error::invalid("the table has no hash index"));
    };
    let Some(extractor) = properties.extractor() else {
        return Err(Error::invalid("the table does not say how long its prefixes are"));
    };
    let Some(prefix) = extractor.prefix_of(key) else {
        // Keys that are too short for a prefix are not in the hash index.
        return table.binary(key, probe);
    };
    let metadata = table.metas.iter().find(|(name, _)| name.ends_with(b".hashindex.metadata"));
    let handle = metadata.map(|(_, handle)| *handle).unwrap_or_default();
    probe.access("hash index", handle.offset, handle.bytes);
    let buckets = index.buckets();
    let blocks = buckets.blocks_of(prefix);
    let place = |at: usize| {
        let block = blocks.get(at).and_then(|block| usize::try_from(*block).ok());
        block.and_then(|block| Some((block, table.index.places.get(block)?)))
    };
    let found = first_not_before(Among::Blocks, 0..blocks.len(), probe, |at| {
        let separator = place(at).map_or(&[][..], |(_, place)| &place.separator);
        let upper = table.index.upper(separator);
        Ok((upper < key, ShownKey::new(upper)))
    })?;
    let Some((block, place)) = place(found) else { return Ok(None) };
    // Blocks of other prefixes can lie between those of a bucket: the key may belong into one of them.
    let before = block.checked_sub(1).and_then(|before| table.index.places.get(before));
    if let Some(before) = before {
        probe.comparison();
        if table.index.upper(&before.separator) >= key {
            return Ok(None);
        }
    }
    table.in_block(place, key, probe)
}

impl Format for TableFormat {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, _: &str, file: &[u8]) -> Likeness {
        if file.ends_with(&ROCKS_MAGIC) {
            return Likeness::Certain;
        }
        if !file.ends_with(&LEVEL_MAGIC) {
            return Likeness::None;
        }
        let metas = readable(Footer::of(file).and_then(|footer| metas(file, &footer)));
        let rocks = metas.iter().any(|(name, _)| name.starts_with(b"rocksdb."));
        if rocks { Likeness::Certain } else { Likeness::Perhaps }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate_table(name, file, scope, |footer| known(file, footer))
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        match open(file) {
            Ok((Table { footer, index, order, .. }, _)) => {
                let mut cursor = Cursor::new(footer, index, kinds, order);
                Box::new(std::iter::from_fn(move || cursor.next(file)))
            }
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    searched_by!(search);
}

/// What is known of the blocks of `file`, as far as they can be read.
fn known(file: &[u8], footer: &Footer) -> Known {
    let properties = readable(Properties::read(file, footer));
    let layout = properties.layout();
    let metas = metas(file, footer);
    let metas_error = metas.as_ref().err().cloned();
    let roles = readable(metas).into_iter().map(|(name, handle)| {
        let role = match name.as_slice() {
            b"rocksdb.properties" => Role::Properties,
            b"rocksdb.hashindex.prefixes" => Role::Prefixes,
            b"rocksdb.hashindex.metadata" => Role::PrefixMetadata,
            _ => Role::Other,
        };
        (handle, role)
    });
    let unread = match properties.other_order() {
        Some(order) => Some(other_order(order)),
        None if properties.index_type() > INDEX_TYPE_MAX => Some(OTHER_INDEX.to_owned()),
        None => None,
    };
    let is_read = unread.is_none();
    let places = Index::read(file, footer, layout).map(|index| index.places);
    Known {
        rest: match unread {
            Some(why) => Rest::Unread(why),
            None => Rest::of(metas_error.as_ref().or(places.as_ref().err())),
        },
        data: if is_read { readable(places) } else { Vec::new() },
        metas: roles.collect(),
        index: if is_read { Role::Index(layout) } else { Role::Other },
    }
}
