//! A table that RocksDB's `IngestExternalFile` accepts: block-based, format version 2, without compression.

use super::block::{BlockBuilder, put_varint, trailer};
use crate::sorting::sort_by_key;
use crate::{Comparator, Error, ErrorKind, Result};

/// Data blocks end at this size.
const BLOCK_BYTES: usize = 4096;
/// A restart point every so many entries.
const RESTART_INTERVAL: usize = 16;
/// The last eight bytes of a block-based table of RocksDB.
const MAGIC: u64 = 0x88e2_41b7_85f4_cff7;
/// Newer versions are read by every release since 2014, too, but need a size before compressed blocks.
const FORMAT_VERSION: u32 = 2;
const CHECKSUM_CRC32C: u8 = 1;
/// Kind of a put, with sequence number 0: the program that ingests the table gives it one.
const PUT: u64 = 1;

/// Counts of the written file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SstSummary {
    /// Entries.
    pub entries: u64,
    /// Bytes of the table.
    pub bytes: u64,
}

/// Writes a table piece by piece: the caller takes the bytes out after each entry, so that a table of any
/// size needs the memory of one block and its index only.
#[derive(Debug)]
pub struct SstWriter {
    comparator: Comparator,
    comparator_name: String,
    out: Vec<u8>,
    written: u64,
    data: BlockBuilder,
    index: BlockBuilder,
    last_key: Option<Vec<u8>>,
    entries: u64,
    blocks: u64,
    raw_key_bytes: u64,
    raw_value_bytes: u64,
}

impl SstWriter {
    /// A table for a family with the order called `comparator_name`.
    ///
    /// # Errors
    /// `NotRead` when that order is not known: the order of the entries could not be proved, and RocksDB does not
    /// check it.
    pub fn new(comparator_name: &str) -> Result<Self> {
        let comparator = Comparator::named(comparator_name.as_bytes());
        if !comparator.is_known() || comparator.timestamp_bytes() > 0 {
            let message = format!("a table in the order \"{comparator_name}\" cannot be written");
            return Err(Error::not_read(message));
        }
        Ok(Self {
            comparator,
            comparator_name: if comparator_name.as_bytes() == crate::comparator::LEVELSCOPE {
                // RocksDB knows this order by its own name.
                "leveldb.BytewiseComparator".to_owned()
            } else {
                comparator_name.to_owned()
            },
            out: Vec::new(),
            written: 0,
            data: BlockBuilder::new(RESTART_INTERVAL),
            index: BlockBuilder::new(1),
            last_key: None,
            entries: 0,
            blocks: 0,
            raw_key_bytes: 0,
            raw_value_bytes: 0,
        })
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// `Invalid` when `key` does not come after the one before.
    pub fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        if let Some(last) = &self.last_key
            && self.comparator.compare(last, key).is_ge()
        {
            return Err(Error::new(ErrorKind::Invalid, "keys have to ascend"));
        }
        if value.len() > u32::MAX as usize / 2 || key.len() > u32::MAX as usize / 4 {
            return Err(Error::new(ErrorKind::Invalid, "an entry has at most 1 GiB"));
        }
        let internal = internal_key(key);
        self.data.add(&internal, value);
        self.entries += 1;
        self.raw_key_bytes += internal.len() as u64;
        self.raw_value_bytes += value.len() as u64;
        self.last_key = Some(key.to_vec());
        if self.data.len() >= BLOCK_BYTES {
            self.end_block();
        }
        Ok(())
    }

    /// The bytes that are final since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Ends the table; [`SstWriter::take`] then gives its last bytes.
    ///
    /// # Errors
    /// `Invalid` for a table without entries: RocksDB dies of one.
    pub fn finish(&mut self) -> Result<SstSummary> {
        if self.entries == 0 {
            let message = "there are no live entries: RocksDB ingests no empty table";
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        if !self.data.is_empty() {
            self.end_block();
        }
        let data_bytes = self.written;
        let mut index = std::mem::replace(&mut self.index, BlockBuilder::new(1));
        let index = index.finish();
        let properties = self.properties(data_bytes, index.len() as u64 + 5);
        let properties = self.write_block(&properties);
        let mut meta = BlockBuilder::new(1);
        meta.add(b"rocksdb.properties", &properties);
        let meta = self.write_block(&meta.finish());
        let index = self.write_block(&index);
        self.write(&footer(&meta, &index));
        Ok(SstSummary { entries: self.entries, bytes: self.written })
    }

    /// Writes the data block and its entry of the index: the last key is a separator that needs no proof.
    fn end_block(&mut self) {
        let block = self.data.finish();
        let handle = self.write_block(&block);
        let separator = internal_key(self.last_key.as_deref().unwrap_or_default());
        self.index.add(&separator, &handle);
        self.blocks += 1;
    }

    /// Writes a block with its trailer; its handle.
    fn write_block(&mut self, block: &[u8]) -> Vec<u8> {
        let mut handle = Vec::new();
        put_varint(&mut handle, self.written);
        put_varint(&mut handle, block.len() as u64);
        self.write(block);
        self.write(&trailer(block));
        handle
    }

    fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.written += bytes.len() as u64;
    }

    /// The block of properties: names in order.
    fn properties(&self, data_bytes: u64, index_bytes: u64) -> Vec<u8> {
        let number = |number: u64| {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, number);
            bytes
        };
        let mut properties = vec![
            ("rocksdb.block.based.table.index.type", 0u32.to_le_bytes().to_vec()),
            ("rocksdb.block.based.table.prefix.filtering", b"0".to_vec()),
            ("rocksdb.block.based.table.whole.key.filtering", b"1".to_vec()),
            ("rocksdb.comparator", self.comparator_name.clone().into_bytes()),
            ("rocksdb.compression", b"NoCompression".to_vec()),
            ("rocksdb.data.size", number(data_bytes)),
            ("rocksdb.deleted.keys", number(0)),
            ("rocksdb.external_sst_file.global_seqno", 0u64.to_le_bytes().to_vec()),
            ("rocksdb.external_sst_file.version", 2u32.to_le_bytes().to_vec()),
            ("rocksdb.filter.size", number(0)),
            ("rocksdb.fixed.key.length", number(0)),
            ("rocksdb.format.version", number(0)),
            ("rocksdb.index.size", number(index_bytes)),
            ("rocksdb.merge.operands", number(0)),
            ("rocksdb.num.data.blocks", number(self.blocks)),
            ("rocksdb.num.entries", number(self.entries)),
            ("rocksdb.num.range-deletions", number(0)),
            ("rocksdb.raw.key.size", number(self.raw_key_bytes)),
            ("rocksdb.raw.value.size", number(self.raw_value_bytes)),
        ];
        sort_by_key(&mut properties, |(name, _)| *name);
        let mut block = BlockBuilder::new(1);
        for (name, value) in properties {
            block.add(name.as_bytes(), &value);
        }
        block.finish()
    }
}

/// `key` as a put with sequence number 0.
fn internal_key(key: &[u8]) -> Vec<u8> {
    let mut internal = key.to_vec();
    internal.extend_from_slice(&PUT.to_le_bytes());
    internal
}

/// The last 53 bytes.
fn footer(meta: &[u8], index: &[u8]) -> Vec<u8> {
    let mut handles = [meta, index].concat();
    handles.resize(40, 0);
    let mut footer = vec![CHECKSUM_CRC32C];
    footer.append(&mut handles);
    footer.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    footer.extend_from_slice(&MAGIC.to_le_bytes());
    footer
}

#[cfg(test)]
mod tests {
    use super::SstWriter;

    #[test]
    fn order_is_proved_before_a_byte_is_written() {
        let mut writer = SstWriter::new("leveldb.BytewiseComparator").unwrap();
        writer.add(b"b", b"1").unwrap();
        assert!(writer.add(b"b", b"2").is_err());
        assert!(writer.add(b"a", b"2").is_err());
        writer.add(b"c", b"2").unwrap();
        assert_eq!(writer.finish().unwrap().entries, 2);
        let mut reverse = SstWriter::new("rocksdb.ReverseBytewiseComparator").unwrap();
        reverse.add(b"c", b"").unwrap();
        reverse.add(b"b", b"").unwrap();
        assert!(SstWriter::new("idb_cmp1").is_err());
    }

    #[test]
    fn an_empty_table_is_refused() {
        assert!(SstWriter::new("leveldb.BytewiseComparator").unwrap().finish().is_err());
    }
}
