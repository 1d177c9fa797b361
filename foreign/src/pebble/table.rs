//! A table of Pebble, opened.

use super::block::Block;
use super::cursor::TableCursor;
use super::entries::{Entries, Shape, ValuePlace};
use super::footer::{self, Footer};
use super::index::BlockWalk;
use super::{index, spans, values};
use crate::compression::Form;
use crate::files::missing;
use crate::table::properties::{Budget, INDEX_TWO_LEVEL, of_properties};
use crate::table::{Names, Source};
use crate::{
    Comparator, DataBlock, EntryCursor, Error, Examined, Files, Problem, RangeDeletion, RangeKey,
    Result, TableReader, TableSummary, Value,
};

/// The name of the properties in the metaindex.
const PROPERTIES: &str = "rocksdb.properties";
/// The property with the name of the key schema, and the start of the only one that is known.
const SCHEMA: &str = "pebble.colblk.schema";
const DEFAULT_SCHEMA: &[u8] = b"DefaultKeySchema(";
/// Most bytes of a list of data blocks.
const BLOCKS_BYTES_MAX: usize = 96 << 20;

/// A table of Pebble. Footer, metaindex and properties are read, blocks only when asked for.
pub struct Table<'f> {
    pub(super) source: Source<'f>,
    pub(super) footer: Footer,
    pub(super) metaindex: Names,
    pub(super) comparator: Comparator,
    pub(super) two_level: bool,
    pub(super) shape: Shape,
    summary: TableSummary,
}

impl<'f> Table<'f> {
    /// Opens the table `name`.
    ///
    /// # Errors
    /// As [`super::open`].
    pub fn open(files: &'f dyn Files, name: &str, comparator: Comparator) -> Result<Self> {
        Self::try_open(files, name, comparator).map_err(|error| error.in_file(name))
    }

    fn try_open(files: &'f dyn Files, name: &str, comparator: Comparator) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let footer = footer::read(files, name, length)?;
        let source = Source::of_blocks(files, name, footer.offset, footer.checksum, Form::Pebble);
        let metaindex = index::names(&source, footer.metaindex, footer.has_column_metaindex())?;
        let properties = match metaindex.handle(PROPERTIES) {
            Some(handle) => index::names(&source, handle, footer.has_column_properties())?,
            None => Names::default(),
        };
        let kind = properties.fixed32("rocksdb.block.based.table.index.type").unwrap_or(0);
        let two_level = kind == INDEX_TWO_LEVEL;
        let schema = properties.get(SCHEMA);
        let shape = if !footer.has_columns() {
            Shape::Rows { prefixes: footer.has_value_prefixes() }
        } else if schema.is_none_or(|schema| schema.starts_with(DEFAULT_SCHEMA)) {
            Shape::Columns
        } else {
            Shape::OtherColumns
        };
        let summary = summary(footer, properties);
        Ok(Self { source, footer, metaindex, comparator, two_level, shape, summary })
    }

    /// A walk over the data blocks.
    pub(super) fn walk(&self) -> Result<BlockWalk> {
        BlockWalk::new(&self.source, self.footer, self.two_level)
    }

    /// The entries of one data block.
    pub(super) fn entries(&self, block: &DataBlock) -> Result<Entries> {
        let block = Block::read(&self.source, block.handle)?;
        Entries::new(block, self.shape).map_err(|error| error.in_file(self.source.name()))
    }

    /// The value that `stored` describes.
    pub(super) fn value(
        &self,
        stored: ValuePlace<'_>,
        kept: &mut values::ValueBlocks,
    ) -> Result<Value> {
        match stored {
            ValuePlace::Here(value) => Ok(Value::Bytes(value.to_vec())),
            ValuePlace::Blob { reference, bytes, block, value } => {
                Ok(Value::PebbleBlob { reference, bytes, block, value })
            }
            ValuePlace::ValueBlock { bytes, block, offset } => {
                let entry = self.metaindex.get(values::INDEX_NAME);
                kept.get(&self.source, entry, (bytes, block, offset)).map(Value::Bytes)
            }
        }
    }

    /// The failure of keys that cannot be put together.
    pub(super) fn need_keys(&self) -> Result<()> {
        if self.shape != Shape::OtherColumns {
            return Ok(());
        }
        let schema = self.summary.properties.get(SCHEMA).map(Vec::as_slice).unwrap_or_default();
        let schema = String::from_utf8_lossy(schema);
        let message = format!("not read: the keys need the key schema {schema}");
        Err(Error::not_read(message).in_file(self.source.name()))
    }

    fn spans<T>(
        &self,
        names: &[&str],
        decode: impl Fn(Block, bool) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        let handle = names.iter().find_map(|name| self.metaindex.handle(name));
        let Some(handle) = handle else { return Ok(Vec::new()) };
        let block = Block::read(&self.source, handle)?;
        decode(block, self.footer.has_columns()).map_err(|error| error.in_file(self.source.name()))
    }
}

impl TableReader for Table<'_> {
    fn summary(&self) -> &TableSummary {
        &self.summary
    }

    fn cursor(&self) -> Result<Box<dyn EntryCursor + '_>> {
        self.need_keys()?;
        Ok(Box::new(TableCursor::new(self)?))
    }

    fn range_deletions(&self) -> Result<Vec<RangeDeletion>> {
        self.spans(&spans::DELETION_NAMES, spans::deletions)
    }

    fn range_keys(&self) -> Result<Vec<RangeKey>> {
        self.spans(&[spans::KEY_NAME], spans::keys)
    }

    fn data_blocks(&self) -> Result<Vec<DataBlock>> {
        let mut walk = self.walk()?;
        let mut budget = Budget::new(BLOCKS_BYTES_MAX);
        let mut blocks = Vec::new();
        while let Some(block) = walk.next(&self.source, self.footer)? {
            budget
                .take(block.separator.len(), "the data blocks of a table")
                .map_err(|error| error.in_file(self.source.name()))?;
            blocks.push(block);
        }
        Ok(blocks)
    }

    fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        super::check::check(self, deep, report)
    }
}

fn summary(footer: Footer, properties: Names) -> TableSummary {
    let shape = if footer.has_columns() { "columns" } else { "rows" };
    TableSummary {
        format: format!("Pebble table, format {} ({shape})", footer.format),
        checksum: footer.checksum.word(),
        ..of_properties(properties)
    }
}
