//! What lies where in a table: its blocks with their kinds, and the entries of one block with their offsets.

use super::block::Layout;
use super::entries::BlockCursor;
use super::properties::Budget;
use super::reader::{BlockTable, block};
use super::source::TRAILER;
use crate::entry::BlockHandle;
use crate::sorting::sort_by_key;
use crate::{Problem, Result};
use std::ops::Range;

/// The most bytes of a list of blocks.
const LIST_BYTES_MAX: usize = 96 << 20;
/// The most bytes of a list of entries, beside which the block itself is in memory.
const ENTRIES_BYTES_MAX: usize = 32 << 20;

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Entries of the user.
    Data,
    /// Separators and handles of data blocks, or of partitions of the index.
    Index,
    /// One of the index blocks of an index with two levels.
    IndexPartition,
    /// A filter, or one partition of it.
    Filter,
    /// Separators and handles of the partitions of a filter.
    FilterIndex,
    /// Prefixes that RocksDB's hash index finds blocks by.
    HashIndex,
    /// Properties of the table.
    Properties,
    /// Range deletions.
    RangeDeletions,
    /// The dictionary that data blocks are compressed with.
    Dictionary,
    /// Names and handles of all blocks that are no data blocks.
    Metaindex,
    /// The last bytes; it has no trailer.
    Footer,
    /// A block that the metaindex names and that is not known here.
    Other,
}

/// A block in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhysicalBlock {
    /// What it is for.
    pub kind: BlockKind,
    /// Where it is.
    pub handle: BlockHandle,
    /// The number of its compression; `None` for the footer and where the block cannot be read.
    pub compression: Option<u8>,
    /// Its name in the metaindex, where it has one.
    pub name: Option<String>,
}

/// An entry of a block, with offsets in the decompressed block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockEntry {
    /// Where it is; a value that is apart from its key is not in it.
    pub range: Range<usize>,
    /// The whole key, with what it shares.
    pub key: Vec<u8>,
    /// Bytes that the key shares with the one before it.
    pub shared: usize,
    /// Where the value is.
    pub value: Range<usize>,
    /// In an index: the block that it leads to.
    pub target: Option<BlockHandle>,
}

/// A block of entries, decompressed and decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedBlock {
    /// The decompressed bytes.
    pub bytes: Vec<u8>,
    /// The number of the compression it was stored with.
    pub compression: u8,
    /// The entries in order; none for filters, dictionaries and blocks that are not known.
    pub entries: Vec<BlockEntry>,
    /// Where the entries are, the values where they are apart, the restart points, the hash index.
    pub parts: [Range<usize>; 4],
}

/// What the block called `name` in the metaindex is for.
fn kind_of(name: &str) -> BlockKind {
    match name {
        "rocksdb.properties" | "rocksdb.stats" => BlockKind::Properties,
        "rocksdb.index" => BlockKind::Index,
        "rocksdb.range_del" => BlockKind::RangeDeletions,
        "rocksdb.compression_dict" => BlockKind::Dictionary,
        _ if name.starts_with("partitionedfilter.") => BlockKind::FilterIndex,
        _ if name.starts_with("fullfilter.") || name.starts_with("filter.") => BlockKind::Filter,
        _ if name.starts_with("rocksdb.hashindex.") => BlockKind::HashIndex,
        _ => BlockKind::Other,
    }
}

impl BlockTable<'_> {
    /// The blocks that the metaindex names, without the index.
    pub(super) fn named_blocks(&self) -> impl Iterator<Item = (&str, BlockKind, BlockHandle)> {
        self.metaindex().0.keys().filter_map(|name| {
            let (kind, handle) = (kind_of(name), self.metaindex().handle(name)?);
            (kind != BlockKind::Index).then_some((name.as_str(), kind, handle))
        })
    }

    /// All blocks in the order of their offsets, the footer at the end. Reads the index and the trailer of each block.
    /// `tell` gets the damage in an index, whose blocks are then missing in the list.
    pub fn blocks(&self, tell: &mut dyn FnMut(Problem)) -> Vec<PhysicalBlock> {
        let mut list =
            List { table: self, budget: Budget::new(LIST_BYTES_MAX), blocks: Vec::new() };
        for listed in [list.named(), list.index()] {
            if let Err(error) = listed {
                tell(Problem::of(&error, self.name()));
            }
        }
        let mut blocks = list.blocks;
        sort_by_key(&mut blocks, |block| (block.handle, block.kind));
        blocks.dedup_by_key(|block| (block.handle, block.kind));
        let footer = self.footer();
        let handle = BlockHandle { offset: footer.offset, bytes: footer.bytes as u64 };
        let kind = BlockKind::Footer;
        blocks.push(PhysicalBlock { kind, handle, compression: None, name: None });
        blocks
    }

    fn compression_at(&self, handle: BlockHandle) -> Option<u8> {
        self.source().extent(handle).ok()?;
        let end = handle.offset.checked_add(handle.bytes)?;
        self.source().bytes(end, TRAILER).ok()?.first().copied()
    }

    /// The decompressed bytes and the entries of a block that [`BlockTable::blocks`] lists.
    ///
    /// # Errors
    /// `Damaged` when its checksum is wrong or it does not decode, `NotRead` when its compression is not supported.
    pub fn decoded(&self, kind: BlockKind, handle: BlockHandle) -> Result<DecodedBlock> {
        self.decode(kind, handle).map_err(|error| error.in_file(self.name()))
    }

    fn decode(&self, kind: BlockKind, handle: BlockHandle) -> Result<DecodedBlock> {
        let layout = match kind {
            BlockKind::Data | BlockKind::RangeDeletions => Layout::Data,
            BlockKind::Properties | BlockKind::Metaindex => Layout::Plain,
            BlockKind::Index | BlockKind::IndexPartition | BlockKind::FilterIndex => {
                self.index_layout()
            }
            BlockKind::Footer => {
                let bytes = self.source().bytes(handle.offset, self.footer().bytes)?;
                return Ok(opaque(bytes, crate::compression::NONE));
            }
            BlockKind::Filter | BlockKind::HashIndex | BlockKind::Dictionary | BlockKind::Other => {
                let stored = self.source().read(handle)?;
                let bytes =
                    self.source().decompress(handle, stored.compression, &stored.bytes, &[])?;
                return Ok(opaque(bytes.into_owned(), stored.compression));
            }
        };
        let compression = self.compression_at(handle).unwrap_or_default();
        let mut cursor = if kind == BlockKind::Data {
            self.data_block(handle)?
        } else {
            block(self.source(), handle, layout)?
        };
        let entries = entries(&mut cursor, layout)?;
        let parts = cursor.block().parts();
        Ok(DecodedBlock { bytes: cursor.into_block().into_bytes(), compression, entries, parts })
    }
}

/// Collects the blocks of a table.
struct List<'t, 'f> {
    table: &'t BlockTable<'f>,
    budget: Budget,
    blocks: Vec<PhysicalBlock>,
}

impl List<'_, '_> {
    fn push(&mut self, kind: BlockKind, handle: BlockHandle, name: Option<&str>) -> Result<()> {
        let name = name.map(str::to_owned);
        self.budget.take(name.as_ref().map_or(0, String::len) + 32, "the blocks of a table")?;
        let compression = self.table.compression_at(handle);
        self.blocks.push(PhysicalBlock { kind, handle, compression, name });
        Ok(())
    }

    fn named(&mut self) -> Result<()> {
        let table = self.table;
        self.push(BlockKind::Metaindex, table.footer().metaindex, None)?;
        self.push(BlockKind::Index, table.index_handle(), None)?;
        for (name, kind, handle) in table.named_blocks() {
            self.push(kind, handle, Some(name))?;
            if kind == BlockKind::FilterIndex {
                let mut rows = table.index_block(handle)?;
                while rows.advance()? {
                    self.push(BlockKind::Filter, rows.handle(), None)?;
                }
            }
        }
        Ok(())
    }

    fn index(&mut self) -> Result<()> {
        let mut index = self.table.index()?;
        let mut partition = None;
        while index.advance()? {
            if let Some(handle) = index.partition().filter(|handle| partition != Some(*handle)) {
                partition = Some(handle);
                self.push(BlockKind::IndexPartition, handle, None)?;
            }
            self.push(BlockKind::Data, index.handle(), None)?;
        }
        Ok(())
    }
}

fn opaque(bytes: Vec<u8>, compression: u8) -> DecodedBlock {
    let end = bytes.len();
    DecodedBlock {
        bytes,
        compression,
        entries: Vec::new(),
        parts: [0..0, end..end, end..end, end..end],
    }
}

fn entries(cursor: &mut BlockCursor, layout: Layout) -> Result<Vec<BlockEntry>> {
    let mut budget = Budget::new(ENTRIES_BYTES_MAX);
    let mut entries = Vec::new();
    while cursor.advance()? {
        budget.take(cursor.key().len() + 64, "the entries of a block")?;
        entries.push(BlockEntry {
            range: cursor.entry_range(),
            key: cursor.key().to_vec(),
            shared: cursor.shared(),
            value: cursor.value_range(),
            target: matches!(layout, Layout::Index { .. }).then(|| cursor.handle()),
        });
    }
    Ok(entries)
}
