//! What lies where in a table of Pebble: its blocks, by what they are for.

use super::block::Block;
use super::entries::Shape;
use super::footer::Footer;
use super::table::Table;
use super::{index, spans, values};
use crate::table::properties::Budget;
use crate::{BlockHandle, Result, TableReader as _};

/// The most bytes of a list of blocks.
const LIST_BYTES_MAX: usize = 96 << 20;

/// How the content of a block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// Rows of internal keys.
    Entries,
    /// Rows of separators and handles.
    Index,
    /// Rows of names and values.
    Names,
    /// Columns after a header of so many bytes.
    Columns(usize),
    /// Bytes of another kind.
    Opaque,
}

/// A block in the file.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    /// Its purpose, in words.
    pub(crate) what: &'static str,
    /// Its name in the metaindex, where it has one.
    pub(crate) name: Option<String>,
    pub(crate) handle: BlockHandle,
    pub(crate) written: Written,
}

impl Table<'_> {
    /// Offset and format of the footer.
    pub(crate) fn footer_place(&self) -> (u64, u32) {
        (self.footer.offset, self.footer.format)
    }

    /// All blocks that can be found; damage in an index leaves out those that it leads to.
    pub(crate) fn blocks(&self) -> Vec<Listed> {
        let footer = self.footer;
        let mut list = Vec::new();
        let columns = |is: bool, custom, rows| if is { Written::Columns(custom) } else { rows };
        let mut add = |what, name: Option<&str>, handle, written| {
            list.push(Listed { what, name: name.map(str::to_owned), handle, written });
        };
        let names = columns(footer.has_column_metaindex(), 0, Written::Names);
        add("metaindex", None, footer.metaindex, names);
        let rows_of_index = columns(footer.has_columns(), 0, Written::Index);
        add("index", None, footer.index, rows_of_index);
        for name in self.metaindex.0.keys() {
            let Some(handle) = self.metaindex.handle(name) else { continue };
            let (what, written) = named(name, footer);
            add(what, Some(name), handle, written);
        }
        if let Some(entry) = self.metaindex.get(values::INDEX_NAME) {
            for handle in values::handles(&self.source, entry).unwrap_or_default() {
                add("value block", None, handle, Written::Opaque);
            }
        }
        let data = match self.shape {
            Shape::Rows { .. } => Written::Entries,
            Shape::Columns => Written::Columns(4),
            Shape::OtherColumns => Written::Opaque,
        };
        if self.two_level {
            let partitions = index::entries(&self.source, footer, footer.index, 0);
            for partition in partitions.map(|(blocks, _)| blocks).unwrap_or_default() {
                add("index partition", None, partition.handle, rows_of_index);
            }
        }
        for block in self.data_blocks().unwrap_or_default() {
            add("data block", None, block.handle, data);
        }
        let mut budget = Budget::new(LIST_BYTES_MAX);
        list.retain(|listed| {
            budget.take(listed.name.as_ref().map_or(0, String::len), "the blocks").is_ok()
        });
        list.sort_by_key(|listed| listed.handle);
        list.dedup_by_key(|listed| listed.handle);
        list
    }

    /// The content of a block, and the number of its compression.
    pub(crate) fn content(&self, handle: BlockHandle) -> Result<(Block, u8)> {
        let stored = self.source.read(handle)?;
        let compression = stored.compression;
        Ok((Block::decompress(&self.source, handle, stored)?, compression))
    }
}

/// What a block that the metaindex names is for, and how it is written.
fn named(name: &str, footer: Footer) -> (&'static str, Written) {
    let columns = |is: bool, custom, rows| if is { Written::Columns(custom) } else { rows };
    match name {
        "rocksdb.properties" => {
            ("properties", columns(footer.has_column_properties(), 0, Written::Names))
        }
        values::INDEX_NAME => ("index of the value blocks", Written::Opaque),
        spans::KEY_NAME => ("range keys", columns(footer.has_columns(), 4, Written::Entries)),
        _ if spans::DELETION_NAMES.contains(&name) => {
            ("range deletions", columns(footer.has_columns(), 4, Written::Entries))
        }
        _ if name.starts_with("fullfilter.") => ("filter", Written::Opaque),
        _ => ("named block", Written::Opaque),
    }
}
