//! Opens a table: footer, index, filters and properties are read, checked and kept.

use super::block::Damage;
use super::block::flat_entries;
use super::charge::ReadCharge;
use super::format::{FOOTER_BYTES, Footer, Handle};
use super::index::Index;
use super::prefix_index::{PREFIX_INDEX_NAME, PrefixIndex};
use super::prefixes::{PREFIX_FILTER_NAME, Prefixes};
use super::properties::{FILTER_NAME, PROPERTIES_NAME, Properties};
use super::ranges::{self, RANGES_NAME};
use super::reader::Table;
use super::stored::{corrupt, read_block, read_filter, read_index_block};
use super::tail::Tail;
use crate::cache::BlockCache;
use crate::few::Few;
use crate::identity::{Identity, Owner, mismatch};
use crate::manifest::RangesMeta;
use crate::ranges::RangeSet;
use crate::sorting;
use crate::storage::{File, FileName, FileNumber, read_exactly};
use crate::text;
use crate::{Error, ErrorKind, PrefixIndexForm, Result};
use std::sync::Arc;

impl Table {
    /// Opens table `number` of `owner`, whose file has `file_bytes`.
    ///
    /// # Errors
    /// `Corruption` when a checksum, a length, the number, the identity or the structure is wrong;
    /// `UnsupportedFormat`; those of the file.
    pub(crate) fn open(
        file: Arc<dyn File>,
        number: FileNumber,
        file_bytes: u64,
        cache: Arc<BlockCache>,
        prefix_index: PrefixIndexForm,
        owner: Owner,
    ) -> Result<Self> {
        let name = FileName::Table(number);
        let tail = Tail::read(&*file, name, file_bytes)?;
        let footer = read_footer(&tail, number, file_bytes)
            .map_err(|error| unless_foreign(&*file, number, owner, error))?;
        let index = read_index(&tail, name, footer)?;
        let metas = read_metas(&tail, name, footer.meta_index, index.data_end())?;
        let filter = match metas.get(FILTER_NAME) {
            Some(handle) => Some(read_filter(&tail, name, *handle)?),
            None => None,
        };
        let handle = metas.get(PROPERTIES_NAME).copied().ok_or_else(|| {
            Error::corruption(name, footer.meta_index.offset, "the table has no properties")
        })?;
        let properties = read_properties(&tail, name, handle)?;
        if let Some(what) = mismatch(owner.of(number), properties.database) {
            return Err(Error::corruption(name, handle.offset, what));
        }
        if properties.data_blocks != index.len() as u64 {
            let message = "properties and index disagree about the number of data blocks";
            return Err(Error::corruption(name, handle.offset, message));
        }
        let prefixes = read_prefixes(&tail, name, &metas, &properties, prefix_index)?;
        let ranges = read_ranges(&tail, name, footer, &metas)?;
        if properties.ranges != ranges_meta(&ranges) {
            let message = "the properties do not describe the range tombstones of the table";
            return Err(Error::corruption(name, handle.offset, message));
        }
        if index.len() == 0 && ranges.is_empty() {
            return Err(Error::corruption(name, footer.index.offset, "the index is empty"));
        }
        let reads = ReadCharge::default();
        Ok(Self { file, number, index, filter, prefixes, ranges, properties, cache, reads })
    }
}

/// `error`, met in a file that does not match the manifest's record of table `number`; when the file is sound and
/// belongs to another database, the error of that.
fn unless_foreign(file: &dyn File, number: FileNumber, owner: Owner, error: Error) -> Error {
    let name = FileName::Table(number);
    let claimed = claims(file, name).ok().flatten();
    let what = claimed.and_then(|(_, found)| mismatch(owner.of(number), found));
    match (error.kind(), what) {
        (ErrorKind::Corruption, Some(what)) => {
            Error::corruption(name, error.offset().unwrap_or(0), what)
        }
        _ => error,
    }
}

/// The number and the identity in a table; `None` when too much of it is damaged.
///
/// # Errors
/// Those of the file, without `Corruption` and `UnsupportedFormat`.
pub(crate) fn claims(
    file: &dyn File,
    name: FileName,
) -> Result<Option<(FileNumber, Option<Identity>)>> {
    let read = || -> Result<(FileNumber, Option<Identity>)> {
        let length = file.len()?;
        let footer_at = length.saturating_sub(FOOTER_BYTES as u64);
        let footer = read_exactly(file, name, footer_at, FOOTER_BYTES)?;
        // Once more with its own number, so that no length in it is believed that the file cannot have.
        let claimed = Footer::decode(&footer, name, footer_at)?.number;
        Ok((claimed, properties_of(file, claimed, length)?.database))
    };
    match read() {
        Ok(claims) => Ok(Some(claims)),
        Err(error)
            if matches!(error.kind(), ErrorKind::Corruption | ErrorKind::UnsupportedFormat) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The properties of table `number`, whose file should have `file_bytes`, without opening it.
///
/// # Errors
/// `Corruption`; `UnsupportedFormat`; those of the file.
pub(super) fn properties_of(
    file: &dyn File,
    number: FileNumber,
    file_bytes: u64,
) -> Result<Properties> {
    let name = FileName::Table(number);
    let footer = read_footer(file, number, file_bytes)?;
    let index = read_index(file, name, footer)?;
    let metas = read_metas(file, name, footer.meta_index, index.data_end())?;
    let handle = metas.get(PROPERTIES_NAME).copied().ok_or_else(|| {
        Error::corruption(name, footer.meta_index.offset, "the table has no properties")
    })?;
    read_properties(file, name, handle)
}

/// Whether `head` may be the beginning of a table, as a crash leaves one without its end: the first key of
/// a block shares nothing, so a block begins with a zero, and a compressed one with its length, a literal
/// and a zero. Other programs of this kind begin their tables in the same way.
pub(crate) fn may_begin(head: &[u8]) -> bool {
    let Some(first) = head.first() else { return true };
    let length = head.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let compressed = match head.get(length..) {
        // The length of a literal has up to four bytes more.
        Some([tag, rest @ ..]) if tag.trailing_zeros() >= 2 => {
            let more = usize::from(tag >> 2).saturating_sub(59);
            rest.get(more).is_none_or(|byte| *byte == 0)
        }
        Some([_, ..]) => false,
        _ => true,
    };
    *first == 0 || compressed
}

/// The footer of table `number`, whose file should have `file_bytes`.
pub fn read_footer(file: &dyn File, number: FileNumber, file_bytes: u64) -> Result<Footer> {
    let name = FileName::Table(number);
    let length = file.len()?;
    if length != file_bytes {
        let (length_text, right) = (text::bytes(length), text::count(file_bytes));
        let message = format!("the file has {length_text}, but should have {right}");
        return Err(Error::corruption(name, length.min(file_bytes), message));
    }
    let Some(footer_offset) = file_bytes.checked_sub(FOOTER_BYTES as u64) else {
        let (length_text, footer) = (text::bytes(length), text::bytes(FOOTER_BYTES));
        let message =
            format!("the file has {length_text}: too short for a table, whose footer has {footer}");
        return Err(Error::corruption(name, length, message));
    };
    let footer = read_exactly(file, name, footer_offset, FOOTER_BYTES)?;
    let footer = Footer::decode(&footer, name, footer_offset)?;
    if footer.number != number {
        let message = format!("the file holds table {}", footer.number);
        return Err(Error::corruption(name, footer_offset, message));
    }
    let adjacent = footer.index.end() == Some(footer_offset)
        && footer.meta_index.end() == Some(footer.index.offset);
    if !adjacent {
        let message = "meta index, index and footer do not follow one another";
        return Err(Error::corruption(name, footer_offset, message));
    }
    Ok(footer)
}

/// The index that `footer` leads to.
pub fn read_index(file: &dyn File, name: FileName, footer: Footer) -> Result<Index> {
    Index::decode(read_index_block(file, name, footer.index)?)
        .map_err(|damage| corrupt(name, footer.index.offset, damage))
}

/// The properties block at `handle`.
pub fn read_properties(file: &dyn File, name: FileName, handle: Handle) -> Result<Properties> {
    Properties::decode(&read_block(file, name, handle)?)
        .map_err(|damage| corrupt(name, handle.offset, damage))
}

/// The prefix filter of the table, and its prefix index in the form `form`.
pub(crate) fn read_prefixes(
    file: &dyn File,
    name: FileName,
    metas: &Few<Vec<u8>, Handle>,
    properties: &Properties,
    form: PrefixIndexForm,
) -> Result<Prefixes> {
    let Some(extractor) = properties.prefix else { return Ok(Prefixes::default()) };
    let filter = match metas.get(PREFIX_FILTER_NAME) {
        Some(handle) => Some(read_filter(file, name, *handle)?),
        None => None,
    };
    let index = match metas.get(PREFIX_INDEX_NAME).filter(|_| form != PrefixIndexForm::None) {
        Some(handle) => {
            let blocks = usize::try_from(properties.data_blocks).unwrap_or(usize::MAX);
            PrefixIndex::decode(&read_block(file, name, *handle)?, extractor, form, blocks)
                .map_err(|damage| corrupt(name, handle.offset, damage))?
        }
        None => None,
    };
    Ok(Prefixes { extractor, filter, index })
}

/// The range tombstones of a table.
///
/// # Errors
/// `Corruption`, also when they contradict the format version; those of the file.
pub(crate) fn read_ranges(
    file: &dyn File,
    name: FileName,
    footer: Footer,
    metas: &Few<Vec<u8>, Handle>,
) -> Result<RangeSet> {
    let mut tombstones = Vec::new();
    for (_, handle) in metas.iter().filter(|(block, _)| block.starts_with(RANGES_NAME)) {
        ranges::decode(&read_block(file, name, *handle)?, &mut tombstones)
            .map_err(|damage| corrupt(name, handle.offset, damage))?;
    }
    if tombstones.is_empty() == footer.ranges {
        let message = "the format version and the range tombstones of the table disagree";
        return Err(Error::corruption(name, footer.meta_index.offset, message));
    }
    Ok(RangeSet::new(tombstones))
}

/// The record of `ranges` for the manifest and the properties.
pub(crate) fn ranges_meta(ranges: &RangeSet) -> Option<RangesMeta> {
    let span = ranges.span()?;
    let (count, end) = (ranges.len() as u64, span.to.owned());
    Some(RangesMeta { count, begin: span.from.next_key()?, end })
}

/// The meta blocks by name. They fill the file from the data blocks to the meta index.
pub fn read_metas(
    file: &dyn File,
    name: FileName,
    meta_index: Handle,
    data_end: u64,
) -> Result<Few<Vec<u8>, Handle>> {
    let block = read_block(file, name, meta_index)?;
    let mut metas = Few::new();
    for item in flat_entries(&block) {
        let (entry, meta_name, value) =
            item.map_err(|damage| corrupt(name, meta_index.offset, damage))?;
        let handle = Handle::decode(value);
        let unknown = handle.filter(|_| !metas.contains_key(meta_name));
        let Some(handle) = unknown else {
            let damage =
                Damage { at: entry.value, what: "a meta block is malformed or named twice" };
            return Err(corrupt(name, meta_index.offset, damage));
        };
        metas.insert(meta_name.to_vec(), handle);
    }
    let mut handles: Vec<Handle> = metas.values().copied().collect();
    sorting::sort_by_key(&mut handles, |handle| handle.offset);
    let mut end = Some(data_end);
    for handle in handles {
        end = handle.end().filter(|_| end == Some(handle.offset));
    }
    if end != Some(meta_index.offset) {
        let message = "data blocks, meta blocks and meta index do not follow one another";
        return Err(Error::corruption(name, meta_index.offset, message));
    }
    Ok(metas)
}
