//! Tables, searched as the database searches them.

use super::{PROOF, annotate, likeness, own};
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod};
use levelscope::inspect::{Node, Scope};
use levelscope::internals::Few;
use levelscope::internals::filter::hash;
use levelscope::internals::key::{
    KIND_SEEK, SplitKey, ValueKind, compare_internal, pack_trailer, parse_internal_key,
};
use levelscope::internals::probe::Probe;
use levelscope::internals::table::{
    Block, BlockIter, FILTER_NAME, FOOTER_BYTES, Footer, Handle, Index, corrupt, find_block,
    newest_range_over, read_data_block, read_filter, read_footer, read_index, read_metas,
    search_in_block,
};
use levelscope::limits::SEQUENCE_MAX;
use levelscope::storage::{FileName, FilePart};
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// The format.
#[derive(Debug)]
pub(crate) struct TableFormat;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "levelscope-table",
    name: "table of Levelscope",
    purpose: "Blocks of entries that share prefixes, with an index, a filter, properties and checksums.",
    holds: Holds::Table,
    searches: &[SearchMethod::Binary, SearchMethod::Sequential],
    writable: false,
    proof: PROOF,
};

/// The kind of name that such a file has in a database.
const USUAL: FileName = FileName::Table(1);

/// A table whose footer and indexes are read.
struct Table<'a> {
    file: FilePart<'a>,
    name: FileName,
    footer: Footer,
    index: Index,
    metas: Few<Vec<u8>, Handle>,
}

impl<'a> Table<'a> {
    fn open(file: &'a [u8]) -> Result<Self> {
        let (name, length) = (own("", file, USUAL), file.len() as u64);
        let FileName::Table(number) = name else {
            return Err(Error::invalid("this is no table"));
        };
        let file = FilePart::whole(file);
        let footer = read_footer(&file, number, length)?;
        let index = read_index(&file, name, footer)?;
        let metas = read_metas(&file, name, footer.meta_index, index.data_end())?;
        Ok(Self { file, name, footer, index, metas })
    }

    fn block(&self, handle: Handle) -> Result<Block> {
        read_data_block(&self.file, self.name, handle)
    }

    /// The newest entry for `key`: filter, index, block.
    fn binary<P: Probe>(&self, key: &[u8], probe: &mut P) -> Result<Option<Entry<'static>>> {
        probe.access(
            "meta index block",
            self.footer.meta_index.offset,
            sealed(self.footer.meta_index),
        );
        if let Some(handle) = self.metas.get(FILTER_NAME).copied() {
            probe.access("filter block", handle.offset, sealed(handle));
            let filter = read_filter(&self.file, self.name, handle)?;
            let answer = filter.explain(hash(key));
            let maybe = answer.maybe;
            probe.filtered(|| answer);
            if !maybe {
                return Ok(None);
            }
        }
        let target = SplitKey { user_key: key, trailer: pack_trailer(SEQUENCE_MAX, KIND_SEEK) };
        probe.access("index block", self.footer.index.offset, sealed(self.footer.index));
        let position = self.index.find(&target, probe);
        let Some(handle) = self.index.handle(position) else { return Ok(None) };
        probe.access("data block", handle.offset, sealed(handle));
        let block = self.block(handle)?;
        let damaged = |damage| corrupt(self.name, handle.offset, damage);
        let found = search_in_block(&block, &target, probe).map_err(damaged)?;
        let Some(found) = found.filter(|found| found.same_user_key) else { return Ok(None) };
        let [tag, ..] = found.trailer.to_le_bytes();
        let what = "an entry is of an unknown kind";
        let kind = ValueKind::from_tag(tag);
        let kind = kind.ok_or_else(|| Error::corruption(self.name, handle.offset, what))?;
        let value = block.slice(found.entry.value..found.entry.end).to_vec();
        Ok(Some(Entry {
            key: Cow::Owned(key.to_vec()),
            value: (kind == ValueKind::Put).then_some(Cow::Owned(value)),
            sequence: Some(found.trailer >> 8),
            offset: handle.offset,
        }))
    }
}

fn sealed(handle: Handle) -> u64 {
    handle.sealed_bytes().map_or(handle.bytes, |bytes| bytes as u64)
}

/// A walk over the entries of the blocks of a table.
struct Walk<'a> {
    file: FilePart<'a>,
    name: FileName,
    /// The remaining blocks, each with the largest key of its index entry.
    blocks: std::vec::IntoIter<(Handle, Option<Vec<u8>>)>,
    current: Option<(Handle, Option<Vec<u8>>, BlockIter)>,
    /// The last key.
    last: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn of(table: &Table<'a>) -> Self {
        let handle = |position| Some((table.index.handle(position)?, table.index.key(position)));
        let blocks = (0..table.index.len()).filter_map(handle);
        let blocks = blocks.map(|(handle, upper)| (handle, upper.map(<[u8]>::to_vec)));
        Self::over(table.file, table.name, blocks.collect())
    }

    fn over(file: FilePart<'a>, name: FileName, blocks: Vec<(Handle, Option<Vec<u8>>)>) -> Self {
        Self { file, name, blocks: blocks.into_iter(), current: None, last: Vec::new() }
    }

    /// The entry at which `entries` stands; `None` at the end of the block.
    fn entry(
        &mut self,
        handle: Handle,
        upper: Option<&[u8]>,
        entries: &BlockIter,
    ) -> Result<Option<Entry<'static>>> {
        if !entries.valid() {
            return Ok(None);
        }
        let key = entries.key();
        let damaged = |what: &str| Error::corruption(self.name, handle.offset, what);
        let parsed = parse_internal_key(key);
        let parsed = parsed.ok_or_else(|| damaged("an entry has no internal key"))?;
        if !self.last.is_empty() && compare_internal(&self.last, key) != Ordering::Less {
            return Err(damaged("the keys are not in order"));
        }
        if upper.is_some_and(|upper| compare_internal(key, upper) == Ordering::Greater) {
            return Err(damaged("a key comes after the last key of its block in the index"));
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        let is_put = parsed.kind == ValueKind::Put;
        Ok(Some(Entry {
            key: Cow::Owned(parsed.user_key.to_vec()),
            value: is_put.then(|| Cow::Owned(entries.value().to_vec())),
            sequence: Some(parsed.sequence),
            offset: handle.offset,
        }))
    }

    /// The next entry of the current block, and a step past it; `None` at its end.
    fn step(
        &mut self,
        handle: Handle,
        upper: Option<&[u8]>,
        entries: &mut BlockIter,
    ) -> Result<Option<Entry<'static>>> {
        let entry = self.entry(handle, upper, entries)?;
        if entry.is_some() {
            entries.next().map_err(|damage| corrupt(self.name, handle.offset, damage))?;
        }
        Ok(entry)
    }

    fn open(&self, handle: Handle) -> Result<BlockIter> {
        let mut entries = BlockIter::new(Arc::new(read_data_block(&self.file, self.name, handle)?));
        entries.seek_to_first().map_err(|damage| corrupt(self.name, handle.offset, damage))?;
        Ok(entries)
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Result<Entry<'a>>;

    /// An error costs the block that it is in; the next call goes on with the next one.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((handle, upper, mut entries)) = self.current.take() else {
                let (handle, upper) = self.blocks.next()?;
                match self.open(handle) {
                    Ok(entries) => self.current = Some((handle, upper, entries)),
                    Err(error) => return Some(Err(error.nameless())),
                }
                continue;
            };
            match self.step(handle, upper.as_deref(), &mut entries) {
                Ok(Some(entry)) => {
                    self.current = Some((handle, upper, entries));
                    return Some(Ok(entry));
                }
                Ok(None) => {}
                Err(error) => return Some(Err(error.nameless())),
            }
        }
    }
}

/// The data blocks that their checksums prove, from the beginning of the file on.
fn by_checksum(file: FilePart<'_>, name: FileName) -> Vec<(Handle, Option<Vec<u8>>)> {
    let length = file.bytes().len() as u64;
    let mut read = |offset: u64, bytes: usize| {
        let begin = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = begin.saturating_add(bytes);
        Ok(Cow::Borrowed(file.bytes().get(begin..end).unwrap_or_default()))
    };
    let (mut blocks, mut offset) = (Vec::new(), 0);
    while let Ok(Some(handle)) = find_block(&mut read, offset, length) {
        let Ok(block) = read_data_block(&file, name, handle) else { break };
        let mut entries = BlockIter::new(Arc::new(block));
        let is_data =
            entries.seek_to_first().is_ok() && parse_internal_key(entries.key()).is_some();
        if !is_data {
            break;
        }
        blocks.push((handle, None));
        offset = handle.end().unwrap_or(length);
    }
    blocks
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let footer_at = file.len().saturating_sub(FOOTER_BYTES);
    probe.access("footer", footer_at as u64, (file.len() - footer_at) as u64);
    let table = Table::open(file).map_err(Error::nameless)?;
    let found = search_entries(&table, key, method, probe)?;
    let newest = newest_range_over(&table.file, table.name, table.footer, &table.metas, key);
    let range = newest.map_err(Error::nameless)?;
    Ok(match range.filter(|range| found.as_ref().is_none_or(|it| it.sequence < Some(*range))) {
        Some(range) => Some(Entry {
            key: Cow::Owned(key.to_vec()),
            value: None,
            sequence: Some(range),
            offset: table.footer.meta_index.offset,
        }),
        None => found,
    })
}

/// The newest entry for `key`, without the range tombstones.
fn search_entries<'a, P: Probe>(
    table: &Table<'a>,
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    match method {
        SearchMethod::Binary => table.binary(key, probe).map_err(Error::nameless),
        SearchMethod::Sequential => {
            probe.access("data blocks", 0, table.index.data_end());
            for entry in Walk::of(table) {
                let entry = entry?;
                probe.comparison();
                match entry.key.as_ref().cmp(key) {
                    Ordering::Less => {}
                    Ordering::Equal => return Ok(Some(entry)),
                    Ordering::Greater => return Ok(None),
                }
            }
            Ok(None)
        }
    }
}

impl Format for TableFormat {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, file, USUAL)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate(USUAL, name, file, scope)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        match Table::open(file) {
            Ok(table) => Box::new(Walk::of(&table)),
            Err(error) => {
                let name = own("", file, USUAL);
                let blocks = by_checksum(FilePart::whole(file), name);
                let found = Walk::over(FilePart::whole(file), name, blocks);
                Box::new(std::iter::once(Err(error.nameless())).chain(found))
            }
        }
    }

    searched_by!(search);
}
