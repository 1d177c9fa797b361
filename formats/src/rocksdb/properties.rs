//! The properties block: what a table says of itself.

use crate::leveldb::tables::{
    Block, Footer, IndexLayout, LONG_KEYS, Order, Values, Walk, corrupt, meta, metas,
};
use levelscope::internals::coding::Reader;
use levelscope::{Error, PrefixExtractor, Result};
use std::collections::BTreeMap;

const NAME: &[u8] = b"rocksdb.properties";
const INDEX_TYPE: &[u8] = b"rocksdb.block.based.table.index.type";
const USER_KEYS: &[u8] = b"rocksdb.index.key.is.user.key";
const DIFFERENCES: &[u8] = b"rocksdb.index.value.is.delta.encoded";
const EXTRACTOR: &[u8] = b"rocksdb.prefix.extractor.name";
const COMPARATOR: &[u8] = b"rocksdb.comparator";
const BYTEWISE: &[u8] = b"leveldb.BytewiseComparator";

/// What a table says of itself: names and values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties {
    values: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Properties {
    /// The properties of the table `file`; none when it has no such block.
    ///
    /// # Errors
    /// `Corruption` with the offset; `UnsupportedFormat`.
    pub fn of(file: &[u8]) -> Result<Self> {
        Self::read(file, &Footer::of(file)?)
    }

    pub(super) fn read(file: &[u8], footer: &Footer) -> Result<Self> {
        let mut properties = Self::default();
        let Some(handle) = meta(&metas(file, footer)?, NAME) else { return Ok(properties) };
        let damaged = |damage| corrupt(handle.offset, damage);
        let block = Block::new(footer.block(file, handle)?, Values::Any).map_err(damaged)?;
        let mut walk = Walk::default();
        while let Some(entry) = walk.next(&block).map_err(damaged)? {
            if walk.is_long(&block) {
                return Err(Error::not_read_at(handle.offset, LONG_KEYS));
            }
            properties.values.insert(walk.key().to_vec(), block.value(entry).to_vec());
        }
        Ok(properties)
    }

    /// The value of `name`, as it is stored.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.values.get(name).map(Vec::as_slice)
    }

    /// All names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.values.iter().map(|(name, value)| (name.as_slice(), value.as_slice()))
    }

    /// The value of `name` as a number.
    pub fn number(&self, name: &[u8]) -> Option<u64> {
        Reader::new(self.get(name)?).varint()
    }

    /// The kind of the index: 0 for binary search, 1 with prefixes, 2 in two levels, 3 with first keys.
    pub fn index_type(&self) -> u64 {
        self.get(INDEX_TYPE).and_then(|value| value.first()).copied().unwrap_or(0).into()
    }

    pub(super) fn layout(&self) -> IndexLayout {
        let is_set = |name| self.number(name).is_some_and(|value| value != 0);
        IndexLayout { user_keys: is_set(USER_KEYS), differences: is_set(DIFFERENCES) }
    }

    /// Whether keys are in another order than the bytewise one.
    pub(super) fn other_order(&self) -> Option<&[u8]> {
        self.get(COMPARATOR).filter(|name| *name != BYTEWISE)
    }

    /// What they say of the order of the keys.
    pub(super) fn order(&self) -> Order {
        if self.get(COMPARATOR).is_some() { Order::Bytewise } else { Order::Unknown }
    }

    /// Which first bytes of a key are its prefix; `None` when that is not known here.
    pub fn extractor(&self) -> Option<PrefixExtractor> {
        let name = std::str::from_utf8(self.get(EXTRACTOR)?).ok()?;
        let bytes = name.strip_prefix("rocksdb.FixedPrefix.")?;
        bytes.parse().ok().map(PrefixExtractor::Fixed)
    }
}
