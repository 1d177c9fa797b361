//! One block of a table or a blob file: stored bytes, trailer and content.

use super::fields::{Fields, checksum};
use super::sink::{Inner, Sink, named, parts};
use super::table::Table;
use super::view::{Space, View};
use super::{Scene, columns, filter, rows};
use crate::bytes::Cursor;
use crate::compression::{self, name as compression_name};
use crate::table::{Source, TRAILER, TRAILER_BYTES};
use crate::text::bytes;
use crate::{BlockHandle, Error, ErrorKind, Result};
use std::rc::Rc;

/// Role of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// Entries of the user.
    Data,
    /// The index, or the top of an index with two levels.
    Index,
    /// A partition of the index.
    IndexPartition,
    /// The index of a filter in partitions.
    FilterIndex,
    /// A filter over the whole table, or a partition of one.
    Filter,
    /// A filter of LevelDB: one for every 2 KiB of data blocks.
    FilterByRange,
    /// RocksDB's hash index: the prefixes.
    HashPrefixes,
    /// RocksDB's hash index: the blocks of each prefix.
    HashBlocks,
    /// Properties.
    Properties,
    /// Range deletions.
    RangeDeletions,
    /// Range keys of Pebble.
    RangeKeys,
    /// The dictionary of the data blocks.
    Dictionary,
    /// Names and handles of the other blocks.
    Metaindex,
    /// Pebble: where the value blocks are, in numbers of these widths.
    ValueIndex([usize; 3]),
    /// Pebble: values outside of the data blocks.
    Values,
    /// Pebble: the blob values that the table refers to.
    BlobReferences,
    /// A blob file of Pebble: values in a column.
    BlobValues,
    /// A blob file of Pebble: where its blocks are.
    BlobIndex,
    /// A block that is not known here.
    Other,
}

impl Role {
    /// The type of the part.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Data | Self::Values | Self::BlobValues => "block",
            Self::Index | Self::IndexPartition | Self::ValueIndex(_) | Self::BlobIndex => "index",
            Self::Filter | Self::FilterIndex | Self::FilterByRange => "filter",
            Self::RangeDeletions | Self::RangeKeys => "ranges",
            _ => "meta",
        }
    }
}

/// A stored block.
struct StoredBlock {
    /// Without the trailer.
    view: View,
    trailer: View,
    compression: u8,
    /// The checksum that it should have; `None` when it has none.
    right: Option<u32>,
    problem: Option<Error>,
}

fn stored(scene: &Scene<'_>, source: &Source<'_>, handle: BlockHandle) -> Result<StoredBlock> {
    let extent = source.extent(handle)?;
    let view = View::of_file(scene.read(handle.offset, extent as u64)?, handle.offset);
    let length = extent.saturating_sub(TRAILER);
    let problem = source.verify(handle, view.bytes()).err();
    let both = view.part(0..length + 1);
    let compression = both.bytes().last().copied().unwrap_or_default();
    let stored = view.bytes().last_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let right = stored
        .filter(|_| source.has_checksum())
        .map(|stored| source.right_sum(handle, both.bytes(), stored));
    let trailer = view.part(length..extent);
    Ok(StoredBlock { view: view.part(0..length), trailer, compression, right, problem })
}

impl StoredBlock {
    /// The content, with its own space when it was compressed.
    fn content(&self, source: &Source<'_>, dictionary: &[u8]) -> Result<(View, Option<Space>)> {
        let origin = self.view.offset();
        if self.compression == compression::NONE {
            return Ok((self.view.clone(), None));
        }
        let stored = self.view.bytes();
        let bytes = compression::decompress(source.form(), self.compression, stored, dictionary)
            .map_err(|error| error.moved(origin))?;
        let (view, space) = View::decoded(bytes.into_owned(), origin);
        Ok((view, Some(space)))
    }
}

/// The content of the block at `handle`; a wrong checksum does not matter.
pub(super) fn content(scene: &Scene<'_>, table: &Table, handle: BlockHandle) -> Result<View> {
    let source = table.source(scene);
    let stored = stored(scene, &source, handle)?;
    Ok(stored.content(&source, &[])?.0)
}

/// Damage of a block that is listed, which a look at its checksum shows. Blocks beyond the budget of the answer are
/// compared when they are opened.
pub(super) fn glance(
    scene: &Scene<'_>,
    table: &Table,
    handle: BlockHandle,
    sink: &Sink,
) -> Option<Error> {
    let left = scene.glances.get().checked_sub(handle.bytes).filter(|_| sink.is_list())?;
    scene.glances.set(left);
    match stored(scene, &table.source(scene), handle) {
        Ok(stored) => stored.problem,
        Err(error) => Some(error).filter(|error| error.kind() == ErrorKind::Damaged),
    }
}

/// The parts of the block at `handle` of a table.
pub(super) fn inner(table: &Rc<Table>, role: Role, handle: BlockHandle) -> Inner {
    let table = Rc::clone(table);
    parts(move |scene, sink| {
        let source = table.source(scene);
        let dictionary = match role {
            Role::Data => table.dictionary(scene)?,
            _ => Vec::new(),
        };
        write(scene, &source, handle, &dictionary, sink, move |view| {
            parts(move |scene, sink| write_content(scene, &table, &role, &view, sink))
        })
    })
}

/// The parts of the block at `handle`, whose content `inside` opens.
pub(super) fn write(
    scene: &Scene<'_>,
    source: &Source<'_>,
    handle: BlockHandle,
    dictionary: &[u8],
    sink: &mut Sink,
    inside: impl FnOnce(View) -> Inner + 'static,
) -> Result<()> {
    let stored = stored(scene, source, handle)?;
    sink.blame(stored.problem.clone());
    let length = stored.view.len() as u64;
    if stored.compression == compression::NONE {
        let view = stored.view.clone();
        let draft = || named("block content", "content").value(bytes(length));
        sink.open(length, draft, || inside(view))?;
    } else {
        compressed(&stored, source, dictionary, sink, inside)?;
    }
    let form = source.form();
    let draft = || named("block trailer", "trailer");
    sink.open(TRAILER_BYTES, draft, || {
        parts(move |_, sink| {
            let at = stored.trailer.offset() + 1;
            let mut fields = Fields::new(&stored.trailer, sink);
            fields.byte("compression type", "kind", |number| {
                format!("{} ({number})", compression_name(form, number))
            })?;
            fields.field(Cursor::u32, |sum| checksum("checksum", *sum, stored.right, at))?;
            Ok(())
        })
    })
}

fn compressed(
    stored: &StoredBlock,
    source: &Source<'_>,
    dictionary: &[u8],
    sink: &mut Sink,
    inside: impl FnOnce(View) -> Inner + 'static,
) -> Result<()> {
    let length = stored.view.len() as u64;
    let name = compression_name(source.form(), stored.compression);
    match stored.content(source, dictionary) {
        Ok((view, Some(space))) => {
            let held = view.len() as u64;
            let words = format!("{name}, {} decompressed", bytes(held));
            let draft = || named("compressed content", "compressed").value(words);
            sink.open(length, draft, || {
                parts(move |_, sink| {
                    sink.enter(space, held);
                    let draft = || named("decompressed content", "content").value(bytes(held));
                    sink.open(held, draft, || inside(view))
                })
            })
        }
        Ok((_, None)) => Ok(()),
        Err(error) => {
            let kind = match error.kind() {
                ErrorKind::NotRead => "unread",
                _ => "damaged",
            };
            sink.leaf(length, || named("compressed content", kind).value(name).problem(Some(error)))
        }
    }
}

/// The parts of the content of a block.
fn write_content(
    scene: &Scene<'_>,
    table: &Rc<Table>,
    role: &Role,
    view: &View,
    sink: &mut Sink,
) -> Result<()> {
    if let Some(schema) = table.columns(role) {
        return columns::write(schema, view, sink);
    }
    match role {
        Role::Filter => filter::write(view, sink),
        Role::FilterByRange => filter::write_by_range(view, sink),
        Role::HashBlocks => filter::write_hash_blocks(view, sink),
        Role::ValueIndex(widths) => filter::write_value_index(*widths, view, sink),
        Role::HashPrefixes => leaf(view, "prefixes, one after the other", "bytes", sink),
        Role::Dictionary => leaf(view, "dictionary", "bytes", sink),
        Role::Values => leaf(view, "values, one after the other", "value", sink),
        Role::Other | Role::BlobValues | Role::BlobIndex | Role::BlobReferences => {
            leaf(view, "bytes", "bytes", sink)
        }
        _ => rows::write(scene, table, role, view, sink),
    }
}

fn leaf(view: &View, name: &str, kind: &'static str, sink: &mut Sink) -> Result<()> {
    sink.leaf(view.len() as u64, || named(name, kind).value(bytes(view.len() as u64)))
}
