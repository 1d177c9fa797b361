//! Forged tables.

use super::{TableClaim, internal_key, varint};
use crate::coding::crc32;
use crate::storage::FileNumber;
use crate::table::{
    Block, BlockIter, FILTER_NAME, Handle, PROPERTIES_NAME, Properties, decompress,
};
use std::sync::Arc;

/// A block under construction.
#[derive(Debug, Clone, Default)]
pub struct BlockForge {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
}

impl BlockForge {
    /// Makes the next entry a restart point.
    #[must_use]
    pub fn restart(self) -> Self {
        let at = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.restart_at(at)
    }

    /// Adds any restart point.
    #[must_use]
    pub fn restart_at(mut self, at: u32) -> Self {
        self.restarts.push(at);
        self
    }

    /// Appends an entry whose lengths are true.
    #[must_use]
    pub fn entry(self, shared: u64, suffix: &[u8], value: &[u8]) -> Self {
        let lengths = [shared, suffix.len() as u64, value.len() as u64];
        self.claimed(lengths, &[suffix, value].concat())
    }

    /// Appends an entry with any lengths: shared, suffix, value.
    #[must_use]
    pub fn claimed(mut self, lengths: [u64; 3], rest: &[u8]) -> Self {
        self.bytes.extend(lengths.into_iter().flat_map(varint));
        self.bytes.extend_from_slice(rest);
        self
    }

    /// The block with its restart points.
    pub fn finish(self) -> Vec<u8> {
        let count = u32::try_from(self.restarts.len()).unwrap_or(u32::MAX);
        self.finish_counting(count)
    }

    /// The block with its restart points, followed by any claimed count of them.
    pub fn finish_counting(mut self, count: u32) -> Vec<u8> {
        for restart in &self.restarts {
            self.bytes.extend_from_slice(&restart.to_le_bytes());
        }
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes
    }
}

/// A table under construction: data blocks first, then whatever it is finished with.
#[derive(Debug, Clone)]
pub struct TableForge {
    number: FileNumber,
    bytes: Vec<u8>,
    /// Index key, offset and length of each data block, for the index.
    pub index: Vec<(Vec<u8>, u64, u64)>,
    /// Name, offset and length of each meta block, for the meta index.
    pub metas: Vec<(Vec<u8>, u64, u64)>,
    properties: Properties,
    /// Keys, values, blocks and stored blocks \[bytes\], for the properties.
    sums: [u64; 4],
}

impl TableForge {
    /// An empty table.
    pub fn new(number: FileNumber) -> Self {
        let properties = Properties { compression: "none".to_owned(), ..Properties::default() };
        Self {
            number,
            bytes: Vec::new(),
            index: Vec::new(),
            metas: Vec::new(),
            properties,
            sums: [0; 4],
        }
    }

    /// Appends a sealed block as stored; returns its offset and length.
    pub fn stored(&mut self, stored: &[u8], compression: u8) -> (u64, u64) {
        let offset = self.bytes.len() as u64;
        self.bytes.extend_from_slice(stored);
        self.bytes.push(compression);
        let checksum = crc32(&[stored, &[compression]]);
        self.bytes.extend_from_slice(&checksum.to_le_bytes());
        (offset, stored.len() as u64)
    }

    /// Appends a data block and its index entry.
    pub fn data(&mut self, index_key: &[u8], stored: &[u8], compression: u8) {
        let (offset, bytes) = self.stored(stored, compression);
        let added = sums(stored, compression);
        self.sums.iter_mut().zip(added).for_each(|(sum, more)| *sum = sum.saturating_add(more));
        self.index.push((index_key.to_vec(), offset, bytes));
    }

    /// Appends a meta block and its entry in the meta index.
    pub fn meta(&mut self, name: &[u8], stored: &[u8]) {
        let (offset, bytes) = self.stored(stored, 0);
        self.metas.push((name.to_vec(), offset, bytes));
    }

    /// Appends a filter block.
    pub fn filter(&mut self, block: &[u8]) {
        self.meta(FILTER_NAME, block);
    }

    /// Sets the claims of the properties and the manifest: entries, tombstones, smallest and largest sequence number;
    /// smallest and largest user key. The rest follows from the blocks.
    pub fn claim(&mut self, numbers: [u64; 4], smallest: &[u8], largest: &[u8]) {
        let [entries, tombstones, sequence_min, sequence_max] = numbers;
        let (smallest, largest) = (smallest.to_vec(), largest.to_vec());
        let compression = "none".to_owned();
        self.properties = Properties {
            entries,
            tombstones,
            sequence_min,
            sequence_max,
            smallest,
            largest,
            compression,
            ..Properties::default()
        };
    }

    /// Appends properties, meta index, index and a true footer; returns the file and its record for a manifest, in L1.
    pub fn finish(mut self) -> (Vec<u8>, TableClaim) {
        self.properties.data_blocks = self.index.len() as u64;
        let [key_bytes, value_bytes, data_raw_bytes, data_stored_bytes] = self.sums;
        let sums = Properties {
            key_bytes,
            value_bytes,
            data_raw_bytes,
            data_stored_bytes,
            ..self.properties
        };
        self.properties = sums;
        let properties = self.properties.encode();
        self.meta(PROPERTIES_NAME, &properties);
        let (number, claimed) = (self.number, self.properties.clone());
        let blocks = self.index.len() as u64;
        let file = self.finish_without_properties();
        let numbers = [
            1,
            1,
            number,
            file.len() as u64,
            claimed.entries,
            claimed.tombstones,
            blocks,
            claimed.sequence_min,
            claimed.sequence_max,
        ];
        let smallest = internal_key(&claimed.smallest, claimed.sequence_max, 1);
        let largest = internal_key(&claimed.largest, claimed.sequence_min, 1);
        (file, TableClaim { numbers, smallest, largest })
    }

    /// Appends meta index, index and a true footer.
    pub fn finish_without_properties(mut self) -> Vec<u8> {
        self.metas.sort();
        let metas = std::mem::take(&mut self.metas);
        let meta_index = self.stored(&handle_block(&metas), 0);
        let index = std::mem::take(&mut self.index);
        let index = self.stored(&handle_block(&index), 0);
        let number = self.number;
        self.footer([meta_index.0, meta_index.1, index.0, index.1, number], 1)
    }

    /// Appends a sealed footer with any fields.
    pub fn footer(mut self, fields: [u64; 5], version: u32) -> Vec<u8> {
        let mut footer: Vec<u8> = fields.into_iter().flat_map(u64::to_le_bytes).collect();
        footer.extend_from_slice(&version.to_le_bytes());
        let checksum = crc32(&[&footer]);
        footer.extend_from_slice(&checksum.to_le_bytes());
        footer.extend_from_slice(b"lvsc.sst");
        self.bytes.extend_from_slice(&footer);
        self.bytes
    }
}

/// Keys, values, length decoded and stored of a block, as far as it can be read.
fn sums(stored: &[u8], compression: u8) -> [u64; 4] {
    let decoded = match compression {
        0 => stored.to_vec(),
        _ => decompress(stored).unwrap_or_default(),
    };
    let (mut keys, mut values, raw) = (0, 0, decoded.len());
    if let Ok(block) = Block::new(decoded) {
        let mut entries = BlockIter::new(Arc::new(block));
        let mut moved = entries.seek_to_first();
        while moved.is_ok() && entries.valid() {
            keys += entries.key().len();
            values += entries.value().len();
            moved = entries.next();
        }
    }
    [keys, values, raw, stored.len()].map(|bytes| bytes as u64)
}

/// A block of restart interval 1 whose values are handles.
fn handle_block(entries: &[(Vec<u8>, u64, u64)]) -> Vec<u8> {
    let mut block = BlockForge::default();
    for (key, offset, bytes) in entries {
        let mut value = Vec::new();
        Handle { offset: *offset, bytes: *bytes }.encode(&mut value);
        block = block.restart().entry(0, key, &value);
    }
    block.finish()
}
