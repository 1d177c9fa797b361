//! The hash index: which data blocks have keys with a prefix.
//!
//! Two meta blocks hold it: all prefixes concatenated, and for each its length, the first of
//! its data blocks and how many there are. From that, a program that opens the table makes either a map
//! from prefixes to blocks, or an array of buckets that holds blocks only: smaller, and prefixes that
//! collide share what they are told.

use super::Properties;
use crate::leveldb::hash_signed;
use crate::leveldb::tables::{Footer, Index, meta, metas};
use levelscope::internals::coding::Reader;
use levelscope::{Error, Result};
use std::collections::BTreeMap;

const PREFIXES: &[u8] = b"rocksdb.hashindex.prefixes";
const METADATA: &[u8] = b"rocksdb.hashindex.metadata";

/// A bucket that no prefix is in.
const EMPTY: u32 = 0x7fff_ffff;
/// The rest of the bucket is a place in the array of blocks, not a block.
const MANY: u32 = 1 << 31;

/// Which data blocks have keys with one prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first, counted from 0.
    pub first: u32,
    /// Number of consecutive ones.
    pub count: u32,
}

/// The hash index of a table, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HashIndex {
    records: Vec<(Vec<u8>, Span)>,
}

impl HashIndex {
    /// The hash index of the table `file`; `None` when it has none.
    ///
    /// # Errors
    /// `Corruption` with the offset; `UnsupportedFormat`.
    pub fn of(file: &[u8]) -> Result<Option<Self>> {
        let footer = Footer::of(file)?;
        let metas = metas(file, &footer)?;
        let both = meta(&metas, PREFIXES).zip(meta(&metas, METADATA));
        let Some((prefixes, metadata)) = both else { return Ok(None) };
        let (names, places) = (footer.block(file, prefixes)?, footer.block(file, metadata)?);
        let blocks = Index::read(file, &footer, Properties::read(file, &footer)?.layout())?;
        let index = Self::decode(&names, &places, blocks.places.len());
        index.map(Some).map_err(|what| Error::damaged_at(metadata.offset, what))
    }

    /// The blocks are known to be there and to ascend from prefix to prefix, as keys do: so all of them
    /// together are hardly more than there are blocks and prefixes.
    fn decode(
        prefixes: &[u8],
        metadata: &[u8],
        blocks: usize,
    ) -> std::result::Result<Self, &'static str> {
        let blocks = u32::try_from(blocks).unwrap_or(EMPTY);
        let mut next_min = 0;
        let mut records = Vec::new();
        let (mut names, mut places) = (Reader::new(prefixes), Reader::new(metadata));
        while !places.is_empty() {
            let mut number = || places.varint().and_then(|number| u32::try_from(number).ok());
            let fields = (number(), number(), number());
            let (Some(length), Some(first), Some(count)) = fields else {
                return Err("a record of the hash index is malformed");
            };
            let prefix = usize::try_from(length).ok().and_then(|length| names.bytes(length));
            let prefix = prefix.ok_or("the prefixes are shorter than their lengths")?;
            let end = first.checked_add(count).filter(|end| *end <= blocks && count > 0);
            let end = end.ok_or("a prefix is said to be in no data block")?;
            if first < next_min {
                return Err("the data blocks of the prefixes do not ascend");
            }
            // The next prefix can begin in the last block of this one.
            next_min = end - 1;
            records.push((prefix.to_vec(), Span { first, count }));
        }
        if names.is_empty() {
            Ok(Self { records })
        } else {
            Err("the prefixes are longer than their lengths")
        }
    }

    /// Prefixes and their blocks, in the order in which they are stored.
    pub fn records(&self) -> impl Iterator<Item = (&[u8], Span)> {
        self.records.iter().map(|(prefix, span)| (prefix.as_slice(), *span))
    }

    /// The first form: a map from each prefix to its blocks. Of a prefix that is stored twice the first
    /// record counts.
    pub fn map(&self) -> BTreeMap<&[u8], Span> {
        let mut map = BTreeMap::new();
        for (prefix, span) in self.records() {
            map.entry(prefix).or_insert(span);
        }
        map
    }

    /// The second form: an array of buckets.
    pub fn buckets(&self) -> Buckets {
        Buckets::new(self)
    }
}

/// The second form of a hash index: each bucket leads to data blocks, no prefix is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buckets {
    buckets: Vec<u32>,
    blocks: Vec<u32>,
}

impl Buckets {
    fn new(index: &HashIndex) -> Self {
        // One more than there are prefixes, so that there is always one.
        let count = index.records.len().saturating_add(1);
        let mut spans: Vec<Vec<Span>> = vec![Vec::new(); count];
        for (prefix, span) in index.records() {
            let Some(bucket) = spans.get_mut(bucket_of(prefix, count)) else { continue };
            match bucket.last_mut() {
                Some(last) if span.first <= last.end() => {
                    // Neighbours, or the same block again.
                    let end = span.end().max(last.end());
                    last.count = end.saturating_sub(last.first);
                }
                _ => bucket.push(span),
            }
        }
        let mut built = Self { buckets: Vec::with_capacity(count), blocks: Vec::new() };
        for bucket in spans {
            built.add(&bucket);
        }
        built
    }

    fn add(&mut self, spans: &[Span]) {
        let count: u32 = spans.iter().fold(0, |sum, span| sum.saturating_add(span.count));
        let bucket = match (count, spans.first()) {
            (0, _) | (_, None) => EMPTY,
            (1, Some(span)) => span.first,
            _ => {
                let at = u32::try_from(self.blocks.len()).unwrap_or(EMPTY);
                self.blocks.push(count);
                self.blocks.extend(spans.iter().flat_map(|span| span.first..span.end()));
                at | MANY
            }
        };
        self.buckets.push(bucket);
    }

    /// The buckets: a block, a place in [`Self::blocks`] with the highest bit set, or `0x7fffffff`.
    pub fn buckets(&self) -> &[u32] {
        &self.buckets
    }

    /// For each bucket with several blocks their count, and they themselves in ascending order.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// The data blocks that may have keys with `prefix`; none: there is no such key.
    pub fn blocks_of(&self, prefix: &[u8]) -> &[u32] {
        let bucket = bucket_of(prefix, self.buckets.len());
        match self.buckets.get(bucket..=bucket) {
            Some([EMPTY]) | None => &[],
            Some([many]) if many & MANY != 0 => {
                let at = usize::try_from(many & !MANY).unwrap_or(usize::MAX);
                let list = self.blocks.get(at..).and_then(<[u32]>::split_first);
                list.and_then(|(count, list)| list.get(..usize::try_from(*count).ok()?))
                    .unwrap_or_default()
            }
            Some(one) => one,
        }
    }

    /// Memory for buckets and blocks \[bytes\].
    pub fn memory_bytes(&self) -> usize {
        4 * (self.buckets.len() + self.blocks.len())
    }
}

impl Span {
    /// The block after the last one.
    fn end(self) -> u32 {
        self.first.saturating_add(self.count)
    }
}

fn bucket_of(prefix: &[u8], count: usize) -> usize {
    let hash = usize::try_from(hash_signed(prefix, 0)).unwrap_or(0);
    hash.checked_rem(count).unwrap_or(0)
}
