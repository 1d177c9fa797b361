//! The buckets of a prefix index, laid open for pictures and print.

use super::block::Block;
use super::open::{read_footer, read_index, read_metas, read_properties};
use super::prefix_index::{
    FREE, Form, LIST, PREFIX_INDEX_NAME, PrefixIndex, Span, prefix_at, read_spans, slot_of,
};
use super::properties::PROPERTIES_NAME;
use super::stored::{corrupt, read_block};
use crate::event::ShownKey;
use crate::filter::hash;
use crate::storage::{File, FileName, FileNumber};
use crate::{Error, PrefixIndexForm, Result};
use std::ops::Range;

/// Most blocks in the report of one bucket.
const BLOCKS_MAX: usize = 32;

/// One form of the prefix index of a table, and some of its buckets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PrefixBuckets {
    /// The table.
    pub table: FileNumber,
    /// Which form.
    pub form: PrefixIndexForm,
    /// Prefixes of the table.
    pub prefixes: u64,
    /// The block of prefixes in the file, decompressed: both forms are built of it \[bytes\].
    pub block_bytes: u64,
    /// Memory of this form \[bytes\].
    pub memory_bytes: u64,
    /// Buckets (exact: slots) in all.
    pub buckets: u64,
    /// Those that are empty.
    pub free: u64,
    /// Those that several prefixes share; the exact form has none.
    pub shared: u64,
    /// Number of the first bucket in `rows`.
    pub skip: u64,
    /// Buckets, one after the other.
    pub rows: Vec<PrefixBucket>,
}

/// One bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PrefixBucket {
    /// Its number, from 0.
    pub bucket: u64,
    /// The four bytes that are stored in it.
    pub word: u32,
    /// Whether no prefix leads here.
    pub free: bool,
    /// The prefixes that lead here. Only the exact form stores them.
    pub prefixes: Vec<ShownKey>,
    /// Numbers of the data blocks, from 0: the first ones.
    pub blocks: Vec<u32>,
    /// How many blocks there are.
    pub block_count: u64,
}

/// The prefixes of a table and their blocks, as its file has them.
struct Stored {
    table: FileNumber,
    block_bytes: u64,
    prefixes: Vec<u8>,
    spans: Vec<Span>,
}

impl PrefixBuckets {
    /// The buckets from `skip` on, at most `limit`, of `form` as it is built of the file of `table`;
    /// `None` when the table has no prefix index. Cost: reads index and prefixes of the table and builds
    /// the form.
    ///
    /// # Errors
    /// `Corruption` when the file is damaged there; those of the file.
    pub(crate) fn read(
        file: &dyn File,
        table: FileNumber,
        form: PrefixIndexForm,
        (skip, limit): (usize, usize),
    ) -> Result<Option<Self>> {
        let Some((stored, index)) = Stored::read(file, table, form)? else { return Ok(None) };
        Ok(Some(stored.buckets(&index, form, skip, limit)))
    }
}

impl Stored {
    /// The block in the file, and the index of `form` that an open table builds of it.
    fn read(
        file: &dyn File,
        table: FileNumber,
        form: PrefixIndexForm,
    ) -> Result<Option<(Self, PrefixIndex)>> {
        let name = FileName::Table(table);
        let footer = read_footer(file, table, file.len()?)?;
        let index = read_index(file, name, footer)?;
        let metas = read_metas(file, name, footer.meta_index, index.data_end())?;
        let properties = metas.get(PROPERTIES_NAME).copied().ok_or_else(|| {
            Error::corruption(name, footer.meta_index.offset, "the table has no properties")
        })?;
        let properties = read_properties(file, name, properties)?;
        let handle = metas.get(PREFIX_INDEX_NAME).copied();
        let Some((extractor, handle)) = properties.prefix.zip(handle) else { return Ok(None) };
        let block: Block = read_block(file, name, handle)?;
        let wrong = |damage| corrupt(name, handle.offset, damage);
        let (prefixes, spans) = read_spans(&block, extractor, index.len()).map_err(wrong)?;
        let built = PrefixIndex::decode(&block, extractor, form, index.len()).map_err(wrong)?;
        let block_bytes = block.bytes().len() as u64;
        Ok(built.map(|built| (Self { table, block_bytes, prefixes, spans }, built)))
    }

    fn prefix(&self, number: usize) -> &[u8] {
        prefix_at(&self.prefixes, &self.spans, number)
    }

    fn buckets(
        &self,
        index: &PrefixIndex,
        form: PrefixIndexForm,
        skip: usize,
        limit: usize,
    ) -> PrefixBuckets {
        let words = index.words();
        let led = self.led(index.parts(), words.len());
        let end = skip.saturating_add(limit).min(words.len());
        let rows = (skip..end).filter_map(|bucket| {
            let (word, prefixes) = (*words.get(bucket)?, led.get(bucket)?);
            let blocks = self.blocks(index.parts(), word);
            Some(PrefixBucket {
                bucket: bucket as u64,
                word,
                prefixes: prefixes.iter().map(|at| ShownKey::new(self.prefix(*at))).collect(),
                free: word == FREE,
                block_count: blocks.len() as u64,
                blocks: blocks.into_iter().take(BLOCKS_MAX).collect(),
            })
        });
        PrefixBuckets {
            table: self.table,
            form,
            prefixes: self.spans.len() as u64,
            block_bytes: self.block_bytes,
            memory_bytes: index.memory_bytes() as u64,
            buckets: words.len() as u64,
            free: words.iter().filter(|word| **word == FREE).count() as u64,
            shared: led.iter().filter(|prefixes| prefixes.len() > 1).count() as u64,
            skip: skip as u64,
            rows: rows.collect(),
        }
    }

    /// The numbers of the prefixes that lead to each bucket.
    fn led(&self, form: &Form, count: usize) -> Vec<Vec<usize>> {
        let mut led = vec![Vec::new(); count];
        let mut add = |bucket: usize, number| {
            if let Some(bucket) = led.get_mut(bucket) {
                bucket.push(number);
            }
        };
        match form {
            Form::Exact { slots, .. } => {
                let taken = slots.iter().enumerate().filter(|(_, number)| **number != FREE);
                taken.for_each(|(slot, number)| add(slot, *number as usize));
            }
            Form::Compact { .. } => {
                let numbers = 0..self.spans.len();
                numbers.for_each(|number| add(slot_of(hash(self.prefix(number)), count), number));
            }
        }
        led
    }

    /// The data blocks that a word leads to.
    fn blocks(&self, form: &Form, word: u32) -> Vec<u32> {
        match form {
            _ if word == FREE => Vec::new(),
            Form::Exact { .. } => {
                let span = self.spans.get(word as usize);
                span.map(|span| Range::clone(&span.blocks).collect()).unwrap_or_default()
            }
            Form::Compact { .. } if word & LIST == 0 => vec![word],
            Form::Compact { lists, .. } => {
                let list = lists.get((word & !LIST) as usize..).unwrap_or_default();
                let (count, rest) = list.split_first().unwrap_or((&0, &[]));
                rest.get(..*count as usize).unwrap_or_default().to_vec()
            }
        }
    }
}
