//! Metaindex and properties: blocks of names.

use super::block::Layout;
use super::entries::BlockCursor;
use super::footer::Footer;
use crate::bytes::Cursor;
use crate::compression::{self, Form};
use crate::entry::{BlockHandle, TableSummary};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// The most bytes of names and values that are kept.
pub(crate) const NAMES_BYTES_MAX: usize = 32 << 20;

/// Counts bytes that are kept of a block whose entries may share more than they store.
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    /// Counts `bytes`, and 64 of overhead.
    pub(crate) fn take(&mut self, bytes: usize, of: &str) -> Result<()> {
        let left = self.left.checked_sub(bytes.saturating_add(64));
        self.left =
            left.ok_or_else(|| Error::not_read(format!("not read: {of} need too much memory")))?;
        Ok(())
    }
}

/// Names with their values, from a metaindex or a block of properties.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names(pub BTreeMap<String, Vec<u8>>);

impl Names {
    /// Reads all entries of a block.
    pub(crate) fn read(mut cursor: BlockCursor) -> Result<Self> {
        let mut names = BTreeMap::new();
        let mut budget = Budget::new(NAMES_BYTES_MAX);
        while cursor.advance()? {
            let (key, value) = (cursor.key(), cursor.value());
            budget.take(key.len() + value.len(), "the names of a table")?;
            names.insert(String::from_utf8_lossy(key).into_owned(), value.to_vec());
        }
        Ok(Self(names))
    }

    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// A number of any length.
    pub fn number(&self, name: &str) -> Option<u64> {
        Cursor::new(self.get(name)?, 0).varint().ok()
    }

    /// Four bytes.
    pub fn fixed32(&self, name: &str) -> Option<u32> {
        Cursor::new(self.get(name)?, 0).u32().ok()
    }

    /// The handle called `name`.
    pub fn handle(&self, name: &str) -> Option<BlockHandle> {
        let mut cursor = Cursor::new(self.get(name)?, 0);
        BlockHandle::read(&mut cursor).ok()
    }
}

/// The layout of the index in the properties: its number, whether keys are user keys, whether handles are differences.
pub(crate) fn index_layout(names: &Names) -> (u32, Layout) {
    let kind = names.fixed32("rocksdb.block.based.table.index.type").unwrap_or(0);
    let set = |name| names.number(name).is_some_and(|number| number != 0);
    let layout = Layout::Index {
        user_keys: set("rocksdb.index.key.is.user.key"),
        deltas: set("rocksdb.index.value.is.delta.encoded"),
        first_keys: kind == INDEX_FIRST_KEY,
    };
    (kind, layout)
}

/// The index has two levels.
pub(crate) const INDEX_TWO_LEVEL: u32 = 2;
const INDEX_FIRST_KEY: u32 = 3;

/// The summary of a table from its footer and properties.
pub(super) fn summary(footer: &Footer, names: Names) -> TableSummary {
    TableSummary {
        format: if footer.leveldb {
            "LevelDB table".to_owned()
        } else {
            format!("RocksDB block-based table, version {}", footer.version)
        },
        checksum: footer.checksum.word(),
        ..of_properties(names)
    }
}

/// The part of a summary that comes from the properties, which Pebble names as RocksDB does.
pub(crate) fn of_properties(names: Names) -> TableSummary {
    let number = |name: &str| names.number(name);
    let text = |name| names.get(name).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let ingested =
        names.fixed32("rocksdb.external_sst_file.version").is_some_and(|version| version >= 2);
    let sequence = || {
        let stored = names.get("rocksdb.external_sst_file.global_seqno");
        stored.and_then(|bytes| Cursor::new(bytes, 0).u64().ok()).unwrap_or(0)
    };
    TableSummary {
        compression: text("rocksdb.compression")
            .map_or_else(String::new, |word| compression_words(&word)),
        entries: number("rocksdb.num.entries"),
        deletions: number("rocksdb.deleted.keys"),
        range_deletions: number("rocksdb.num.range-deletions"),
        merge_operands: number("rocksdb.merge.operands"),
        raw_key_bytes: number("rocksdb.raw.key.size"),
        raw_value_bytes: number("rocksdb.raw.value.size"),
        comparator: text("rocksdb.comparator"),
        global_sequence: ingested.then(sequence),
        created_seconds: number("rocksdb.creation.time").filter(|seconds| *seconds > 0),
        properties: names.0,
        ..TableSummary::default()
    }
}

/// The property `rocksdb.compression` in words: version 7 writes `manager;numbers;`, with two hexadecimal digits for
/// each compression in use, older ones a name.
pub fn compression_words(property: &str) -> String {
    let mut parts = property.split(';');
    let (Some(_), Some(numbers), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
        return property.to_owned();
    };
    let digits: Vec<char> = numbers.chars().filter(char::is_ascii_hexdigit).collect();
    let words = digits.chunks(2).filter_map(|pair| {
        let number = u8::from_str_radix(&pair.iter().collect::<String>(), 16).ok()?;
        Some(compression::name(Form::RocksDb, number))
    });
    let words = words.collect::<Vec<_>>().join(", ");
    if words.is_empty() { compression::name(Form::RocksDb, compression::NONE) } else { words }
}

#[cfg(test)]
mod tests {
    use super::compression_words;

    #[test]
    fn the_compression_is_named_in_words() {
        assert_eq!(compression_words("LZ4"), "LZ4");
        assert_eq!(compression_words("BuiltinV2;04;"), "LZ4");
        assert_eq!(compression_words("BuiltinV2;0407;"), "LZ4, ZSTD");
        assert_eq!(compression_words("BuiltinV2;;"), "NoCompression");
        assert_eq!(compression_words(";;"), "NoCompression");
        assert_eq!(compression_words("Mine;80;"), "custom compression 0x80");
    }
}
