//! The versions of one key in a table, and the entries that hold them.

use super::block::{Block, Damage};
use super::block_iter::BlockIter;
use super::format::Handle;
use super::open::{read_footer, read_index, read_metas};
use super::properties::FILTER_NAME;
use super::ranges::{RANGES_NAME, decode as decode_ranges};
use super::stored::{corrupt, read_block, read_data_block, read_filter};
use crate::Result;
use crate::filter::hash;
use crate::key::{ParsedKey, SplitKey, compare_keys, parse_internal_key};
use crate::probe::NoProbe;
use crate::ranges::RangeTombstone;
use crate::storage::{File, FileName, FileNumber};
use std::cmp::Ordering;
use std::sync::Arc;

/// One version, and the entry that holds it.
pub(crate) struct StoredVersion<'a> {
    /// Key, sequence number, kind.
    pub(crate) key: ParsedKey<'a>,
    /// Its value; empty for a tombstone.
    pub(crate) value: &'a [u8],
    /// The number of its block, from 1.
    pub(crate) block: u32,
    /// Its number in the block, from 1.
    pub(crate) entry: u32,
    /// Where the block begins \[bytes\].
    pub(crate) offset: u64,
    /// Length of the stored block, without its trailer \[bytes\].
    pub(crate) bytes: u64,
}

/// Calls `take` with every version of `user_key` in the table, the newest first. Returns the answer of its filter, if
/// it has one.
///
/// It opens no table for readers and leaves the cache alone. Cost: index, filter, and the blocks that hold the key.
///
/// # Errors
/// `Corruption` when the file is damaged there; those of the file.
pub(crate) fn versions_in(
    file: &dyn File,
    number: FileNumber,
    user_key: &[u8],
    take: &mut dyn FnMut(&StoredVersion<'_>),
) -> Result<Option<bool>> {
    let name = FileName::Table(number);
    let footer = read_footer(file, number, file.len()?)?;
    let index = read_index(file, name, footer)?;
    let metas = read_metas(file, name, footer.meta_index, index.data_end())?;
    let filter = metas.get(FILTER_NAME).map(|handle| read_filter(file, name, *handle));
    let maybe = filter.transpose()?.map(|filter| filter.may_contain(hash(user_key)));
    let newest = SplitKey { user_key, trailer: u64::MAX };
    let mut position = index.find(&newest, &mut NoProbe);
    while let Some(handle) = index.handle(position) {
        let block = Arc::new(read_data_block(file, name, handle)?);
        let number = u32::try_from(position).unwrap_or(u32::MAX).saturating_add(1);
        let mut take_key = |key: ParsedKey<'_>, value: &[u8], entry| {
            let (offset, bytes) = (handle.offset, handle.bytes);
            take(&StoredVersion { key, value, block: number, entry, offset, bytes });
        };
        let goes_on = versions_in_block(block, user_key, &mut take_key)
            .map_err(|damage| corrupt(name, handle.offset, damage))?;
        if !goes_on {
            break;
        }
        position += 1;
    }
    Ok(maybe)
}

/// Calls `take` with the entries of the table in the order of their keys until it returns `false`.
///
/// It opens no table for readers and leaves the cache alone. Cost: index, and the blocks up to the last entry.
///
/// # Errors
/// As [`versions_in`].
pub(crate) fn entries_in(
    file: &dyn File,
    number: FileNumber,
    take: &mut dyn FnMut(&StoredVersion<'_>) -> bool,
) -> Result<()> {
    let name = FileName::Table(number);
    let footer = read_footer(file, number, file.len()?)?;
    let index = read_index(file, name, footer)?;
    for (block, handle) in (1_u32..).zip((0..index.len()).map_while(|place| index.handle(place))) {
        let (offset, bytes) = (handle.offset, handle.bytes);
        let damaged = |damage| corrupt(name, offset, damage);
        let mut entries = BlockIter::new(Arc::new(read_data_block(file, name, handle)?));
        entries.seek_to_first().map_err(damaged)?;
        let mut entry = 1_u32;
        while entries.valid() {
            if let Some(key) = parse_internal_key(entries.key()) {
                let value = entries.value();
                if !take(&StoredVersion { key, value, block, entry, offset, bytes }) {
                    return Ok(());
                }
            }
            entries.next().map_err(damaged)?;
            entry = entry.saturating_add(1);
        }
    }
    Ok(())
}

/// One range tombstone over a key, and the entry that holds it.
pub(crate) struct StoredRange {
    pub(crate) tombstone: RangeTombstone,
    /// The number of its block among those of range tombstones, from 1.
    pub(crate) block: u32,
    /// Its number in the block, from 1.
    pub(crate) entry: u32,
    /// Where the block is.
    pub(crate) handle: Handle,
}

/// Every range tombstone of the table over `user_key`, in the order of their beginnings.
///
/// # Errors
/// As [`versions_in`].
pub(crate) fn ranges_in(
    file: &dyn File,
    number: FileNumber,
    user_key: &[u8],
) -> Result<Vec<StoredRange>> {
    let name = FileName::Table(number);
    let footer = read_footer(file, number, file.len()?)?;
    let index = read_index(file, name, footer)?;
    let metas = read_metas(file, name, footer.meta_index, index.data_end())?;
    let blocks = metas.iter().filter(|(block, _)| block.starts_with(RANGES_NAME));
    let mut found = Vec::new();
    for (block, (_, handle)) in (1_u32..).zip(blocks) {
        let mut tombstones = Vec::new();
        decode_ranges(&read_block(file, name, *handle)?, &mut tombstones)
            .map_err(|damage| corrupt(name, handle.offset, damage))?;
        let numbered = (1_u32..).zip(tombstones);
        let over = numbered.filter(|(_, tombstone)| tombstone.span().holds(user_key));
        found.extend(over.map(|(entry, tombstone)| StoredRange {
            tombstone,
            block,
            entry,
            handle: *handle,
        }));
    }
    Ok(found)
}

/// Calls `take` with the versions in one block, each with the number of its entry. Returns whether the next block may
/// have more.
fn versions_in_block(
    block: Arc<Block>,
    user_key: &[u8],
    take: &mut dyn FnMut(ParsedKey<'_>, &[u8], u32),
) -> std::result::Result<bool, Damage> {
    let mut entries = BlockIter::new(block);
    entries.seek_to_first()?;
    let mut number = 1_u32;
    while entries.valid() {
        if let Some(key) = parse_internal_key(entries.key()) {
            match compare_keys(key.user_key, user_key) {
                Ordering::Less => {}
                Ordering::Equal => take(key, entries.value(), number),
                Ordering::Greater => return Ok(false),
            }
        }
        entries.next()?;
        number = number.saturating_add(1);
    }
    Ok(true)
}
