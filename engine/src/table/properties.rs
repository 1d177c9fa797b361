//! The properties block: a table's description of itself.

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use super::format::format_version;
use crate::PrefixExtractor;
use crate::coding::{Reader, put_varint};
use crate::few::Few;
use crate::identity::Identity;
use crate::key::{Cut, SeqNo, TRAILER_BYTES, user_key};
use crate::live::{LiveEntries, part_of};
use crate::manifest::{RangesMeta, TableMeta};

/// Name of the properties block in the meta index.
pub const PROPERTIES_NAME: &[u8] = b"properties";
/// Name of the filter block in the meta index.
pub const FILTER_NAME: &[u8] = b"filter.bloom";

/// The flaw of a table with properties that contradict the manifest.
pub(crate) const ANOTHER_TABLE: &str = "the table is not the one that the manifest describes";

/// The properties of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Properties {
    /// Entries, all versions and tombstones.
    pub entries: u64,
    /// Tombstones among the entries.
    pub tombstones: u64,
    /// Data blocks.
    pub data_blocks: u64,
    /// Internal keys before prefix compression \[bytes\].
    pub key_bytes: u64,
    /// Values \[bytes\].
    pub value_bytes: u64,
    /// Data blocks before compression \[bytes\].
    pub data_raw_bytes: u64,
    /// Data blocks as stored, without trailers \[bytes\].
    pub data_stored_bytes: u64,
    /// Filter block, without trailer \[bytes\]; 0: no filter.
    pub filter_bytes: u64,
    /// Filter bits a key, as asked for.
    pub filter_bits: u64,
    /// User keys in the filter.
    pub filter_keys: u64,
    /// Smallest sequence number.
    pub sequence_min: SeqNo,
    /// Largest sequence number.
    pub sequence_max: SeqNo,
    /// Smallest user key.
    pub smallest: Vec<u8>,
    /// Largest user key.
    pub largest: Vec<u8>,
    /// The record of its range tombstones, if it has any.
    pub ranges: Option<RangesMeta>,
    /// Entries from one restart point to the next, as asked for.
    pub restart_interval: u64,
    /// Length of a data block, as asked for \[bytes\].
    pub block_bytes: u64,
    /// The extractor of its prefix filter and index; `None` without any of them.
    pub prefix: Option<PrefixExtractor>,
    /// The identity of the database; `None` in tables that are older than it.
    pub database: Option<Identity>,
    /// `none` or `snappy`: the compression that was asked for; each block records its own.
    pub compression: String,
}

impl Properties {
    /// Whether they agree with `meta`, the manifest's record of the table.
    pub(crate) fn describe(&self, meta: &TableMeta) -> bool {
        (self.entries, self.tombstones, self.data_blocks)
            == (meta.entries, meta.tombstones, u64::from(meta.blocks))
            && (self.sequence_min, self.sequence_max) == (meta.sequence_min, meta.sequence_max)
            && self.smallest == user_key(&meta.smallest)
            && self.largest == user_key(&meta.largest)
            && self.ranges == meta.ranges
    }

    /// An estimate of the newest versions in the table. The filter records how many keys there are; without a filter,
    /// each entry counts as a separate key. The estimate assumes keys and values of one size.
    pub(crate) fn held(&self) -> LiveEntries {
        let keys = if self.filter_keys > 0 { self.filter_keys } else { self.entries };
        let puts = self.entries.saturating_sub(self.tombstones);
        let values = keys.saturating_sub(self.tombstones).min(puts);
        let trailers = self.entries.saturating_mul(TRAILER_BYTES as u64);
        let keys = part_of(self.key_bytes.saturating_sub(trailers), puts, self.entries);
        let bytes = part_of(keys.saturating_add(self.value_bytes), values, puts);
        LiveEntries { values, tombstones: self.tombstones, bytes }
    }

    /// The numbers with their names in the file, in bytewise order.
    pub fn numbers(&self) -> [(&'static str, u64); 15] {
        [
            ("block.bytes", self.block_bytes),
            ("block.restart_interval", self.restart_interval),
            ("data.blocks", self.data_blocks),
            ("data.raw_bytes", self.data_raw_bytes),
            ("data.stored_bytes", self.data_stored_bytes),
            ("entries", self.entries),
            ("filter.bits_per_key", self.filter_bits),
            ("filter.bytes", self.filter_bytes),
            ("filter.keys", self.filter_keys),
            ("format", u64::from(format_version(self.ranges.is_some()))),
            ("key.bytes", self.key_bytes),
            ("sequence.max", self.sequence_max),
            ("sequence.min", self.sequence_min),
            ("tombstones", self.tombstones),
            ("value.bytes", self.value_bytes),
        ]
    }

    /// The properties as a block.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut values: Few<&str, Vec<u8>> = Few::new();
        for (name, number) in self.numbers() {
            put_varint(values.or_default(name), number);
        }
        values.insert("key.smallest", self.smallest.clone());
        values.insert("key.largest", self.largest.clone());
        values.insert("compression", self.compression.clone().into_bytes());
        if let Some(database) = self.database {
            values.insert("database", database.bytes().to_vec());
        }
        if let Some(prefix) = self.prefix {
            values.insert("prefix", prefix.to_string().into_bytes());
        }
        if let Some(RangesMeta { count, begin, end }) = &self.ranges {
            put_varint(values.or_default("range.tombstones"), *count);
            values.insert("range.begin", begin.clone());
            values.insert("range.end", end.key().unwrap_or_default().to_vec());
        }
        let mut block = BlockBuilder::new(1);
        for (name, value) in values.iter() {
            block.add(name.as_bytes(), value);
        }
        block.finish().to_vec()
    }

    /// Decodes the output of [`Self::encode`]; names that this version does not know are passed over.
    ///
    /// # Errors
    /// The flaw, and its offset in the block.
    pub(crate) fn decode(block: &Block) -> Result<Self, Damage> {
        let mut values: Few<&[u8], &[u8]> = Few::new();
        let mut previous: Option<&[u8]> = None;
        for item in flat_entries(block) {
            let (entry, name, value) = item?;
            if previous.is_some_and(|before| before >= name) {
                return Err(Damage { at: entry.suffix, what: "the property names do not ascend" });
            }
            previous = Some(name);
            values.insert(name, value);
        }
        let missing = Damage { at: 0, what: "a property is missing or malformed" };
        let bytes = |name: &str| values.get(name.as_bytes()).copied().ok_or(missing);
        let number = |name: &str| number_value(bytes(name)?).ok_or(missing);
        let format = number("format")?;
        let has_ranges = format == u64::from(format_version(true));
        if !has_ranges && format != u64::from(format_version(false)) {
            return Err(Damage { at: 0, what: "the properties are of another format version" });
        }
        let ranges = || -> Result<RangesMeta, Damage> {
            let end = bytes("range.end")?;
            let end = if end.is_empty() { Cut::End } else { Cut::before(end) };
            let begin = bytes("range.begin")?.to_vec();
            Ok(RangesMeta { count: number("range.tombstones")?, begin, end })
        };
        Ok(Self {
            entries: number("entries")?,
            tombstones: number("tombstones")?,
            data_blocks: number("data.blocks")?,
            key_bytes: number("key.bytes")?,
            value_bytes: number("value.bytes")?,
            data_raw_bytes: number("data.raw_bytes")?,
            data_stored_bytes: number("data.stored_bytes")?,
            filter_bytes: number("filter.bytes")?,
            filter_bits: number("filter.bits_per_key")?,
            filter_keys: number("filter.keys")?,
            sequence_min: number("sequence.min")?,
            sequence_max: number("sequence.max")?,
            smallest: bytes("key.smallest")?.to_vec(),
            largest: bytes("key.largest")?.to_vec(),
            ranges: has_ranges.then(ranges).transpose()?,
            restart_interval: number("block.restart_interval")?,
            block_bytes: number("block.bytes")?,
            prefix: values.get(&b"prefix"[..]).map(|word| prefix_value(word)).transpose()?,
            database: match values.get(&b"database"[..]) {
                Some(bytes) => Some(Identity::decode(bytes).ok_or(missing)?),
                None => None,
            },
            compression: std::str::from_utf8(bytes("compression")?)
                .map_err(|_| missing)?
                .to_owned(),
        })
    }
}

fn prefix_value(word: &[u8]) -> Result<PrefixExtractor, Damage> {
    let prefix = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    let known = prefix.filter(|prefix| *prefix != PrefixExtractor::None);
    known.ok_or(Damage { at: 0, what: "the properties name an unknown kind of prefix" })
}

/// A property value that is one varint and nothing else.
pub(crate) fn number_value(value: &[u8]) -> Option<u64> {
    let mut reader = Reader::new(value);
    let number = reader.varint()?;
    reader.is_empty().then_some(number)
}
