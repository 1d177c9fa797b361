//! Salvages one table: the blocks with right checksums and entries.
//!
//! The index has the offsets of the blocks. Without it they are found one after the other from the beginning of the
//! file: each ends where a checksum matches all of it, up to the first that is damaged.

use super::places::Place;
use super::report::{NewLoss, RepairReport, shown};
use crate::key::{ParsedKey, SeqNo, compare_internal, parse_internal_key};
use crate::manifest::TableMeta;
use crate::ranges::RangeTombstone;
use crate::storage::{File, FileName, FileNumber, Storage, read_exactly};
use crate::table::{
    ANOTHER_TABLE, BlockIter, Damage, EntryFlaw, FOOTER_BYTES, Footer, Handle, Index,
    PROPERTIES_NAME, corrupt, find_block, judge_entry, read_data_block, read_index, read_metas,
    read_properties,
};
use crate::text;
use crate::{Error, ErrorKind, Result, ValueKind};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// The good blocks of one table.
#[derive(Debug)]
pub(super) struct SavedTable {
    pub(super) name: FileName,
    pub(super) number: FileNumber,
    pub(super) blocks: Vec<Handle>,
    /// The first internal key.
    pub(super) first: Vec<u8>,
    pub(super) entries: u64,
    pub(super) tombstones: u64,
    /// The largest sequence number.
    pub(super) last_sequence: SeqNo,
    /// The last internal key.
    pub(super) last: Vec<u8>,
    /// Its range tombstones.
    pub(super) ranges: Vec<RangeTombstone>,
    /// The manifest's record of the table: nothing else is taken.
    pub(super) meta: Option<Arc<TableMeta>>,
}

impl SavedTable {
    /// Whether no manifest names it.
    pub(super) fn is_spare(&self) -> bool {
        self.meta.is_none()
    }

    /// Takes the block at `handle` if every entry of it is good and after the entries before it.
    fn take(&mut self, file: &dyn File, handle: Handle) -> std::result::Result<(), Error> {
        let block = read_data_block(file, self.name, handle)?;
        let damaged = |damage| corrupt(self.name, handle.offset, damage);
        let mut entries = BlockIter::new(Arc::new(block));
        entries.seek_to_first().map_err(damaged)?;
        let first = entries.key().to_vec();
        let mut last: Option<Vec<u8>> = (!self.last.is_empty()).then(|| self.last.clone());
        let (mut count, mut tombstones, mut newest) = (0, 0, 0);
        while entries.valid() {
            let key = entries.key();
            let entry = judge_entry(key, entries.value(), last.as_deref());
            let entry = entry.map_err(EntryFlaw::what).and_then(|entry| self.belongs(key, entry));
            let entry = entry.map_err(|what| damaged(Damage { at: 0, what }))?;
            tombstones += u64::from(entry.kind == ValueKind::Delete);
            count += 1;
            newest = entry.sequence.max(newest);
            let last = last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(key);
            entries.next().map_err(damaged)?;
        }
        if self.blocks.is_empty() {
            self.first = first;
        }
        self.blocks.push(handle);
        self.entries += count;
        self.tombstones += tombstones;
        self.last_sequence = self.last_sequence.max(newest);
        self.last = last.unwrap_or_default();
        Ok(())
    }

    /// The entry, if it can be one that the manifest means.
    fn belongs<'k>(
        &self,
        key: &[u8],
        entry: ParsedKey<'k>,
    ) -> std::result::Result<ParsedKey<'k>, &'static str> {
        let inside = self.meta.as_ref().is_none_or(|meta| {
            compare_internal(&meta.smallest, key).is_le()
                && compare_internal(key, &meta.largest).is_le()
                && (meta.sequence_min..=meta.sequence_max).contains(&entry.sequence)
        });
        inside.then_some(entry).ok_or("it has entries that this table never had by the manifest")
    }
}

/// Surveys table `number`, which is at `place`; `None` when nothing of it can be saved. `meta` is the manifest's record
/// of it.
///
/// # Errors
/// `WouldBlock`.
pub(super) fn survey(
    storage: &dyn Storage,
    number: FileNumber,
    place: Place,
    meta: Option<&Arc<TableMeta>>,
    report: &mut RepairReport,
) -> Result<Option<SavedTable>> {
    let name = match &place {
        Place::File(file) => *file,
        Place::Elsewhere(_) => FileName::Table(number),
    };
    let with_entries = meta.filter(|meta| meta.entries > 0);
    let tombstones = meta.is_none_or(|meta| meta.has_tombstones());
    let whole = |bytes, what: String| NewLoss {
        smallest: with_entries.map(|meta| shown(&meta.smallest)),
        largest: with_entries.map(|meta| shown(&meta.largest)),
        tombstones,
        ..NewLoss::bytes(name, 0, bytes, what)
    };
    if let Place::Elsewhere(what) = place {
        report.lose(whole(meta.map_or(0, |meta| meta.bytes), what));
        return Ok(None);
    }
    let opened = storage.open(name).and_then(|file| Ok((file.len()?, file)));
    let (length, file) = match opened {
        Ok(opened) => opened,
        Err(error) if error.blocked_on().is_some() => return Err(error),
        Err(error) => {
            report.lose(whole(meta.map_or(0, |meta| meta.bytes), error.message().to_owned()));
            return Ok(None);
        }
    };
    let (first, last) = (Vec::new(), Vec::new());
    let meta_kept = meta.map(Arc::clone);
    let mut saved = SavedTable {
        name,
        number,
        blocks: Vec::new(),
        first,
        entries: 0,
        tombstones: 0,
        last_sequence: 0,
        last,
        ranges: Vec::new(),
        meta: meta_kept,
    };
    let mut losses = Vec::new();
    match index_of(&*file, name, length) {
        Ok((footer, index)) if is_another(&*file, name, footer, &index, meta)? => {
            report.lose(whole(length, ANOTHER_TABLE.to_owned()));
            return Ok(None);
        }
        Ok((footer, index)) => {
            by_index(&*file, &index, length, &mut saved, &mut losses)?;
            saved.take_ranges(&*file, footer, &index, report)?;
        }
        Err(error) if error.blocked_on().is_some() => return Err(error),
        Err(error) => by_checksum(&*file, length, &error, &mut saved, &mut losses)?,
    }
    match meta.map(|meta| meta.entries.cmp(&saved.entries)) {
        // Whatever is damaged, it is not an entry.
        Some(Ordering::Equal) => losses.clear(),
        Some(Ordering::Less) => {
            report.lose(whole(length, format!("{ANOTHER_TABLE}: it has more entries")));
            return Ok(None);
        }
        Some(Ordering::Greater) if losses.is_empty() => {
            let claimed = text::counted(meta.map_or(0, |meta| meta.entries), "entry");
            let entries = text::count(saved.entries);
            let what = format!("the manifest records {claimed}, but the table has only {entries}");
            report.lose(whole(0, what));
        }
        _ => {}
    }
    report_losses(&saved, meta, losses, report);
    Ok((!saved.blocks.is_empty() || !saved.ranges.is_empty()).then_some(saved))
}

/// Reports the losses of a table: its damaged parts, and range tombstones that the manifest counts and the table does
/// not have.
fn report_losses(
    saved: &SavedTable,
    meta: Option<&Arc<TableMeta>>,
    losses: Vec<NewLoss>,
    report: &mut RepairReport,
) {
    let name = saved.name;
    let claimed = meta.map(|meta| meta.tombstones);
    // All tombstones of the table are saved, so only puts are lost.
    let all_tombstones = claimed == Some(saved.tombstones);
    for mut lost in losses {
        lost.tombstones = !all_tombstones;
        report.lose(lost);
    }
    let claimed = meta.and_then(|meta| meta.ranges.as_ref()).map_or(0, |ranges| ranges.count);
    let missing = claimed.saturating_sub(saved.ranges.len() as u64);
    if missing > 0 {
        let what = format!("{} cannot be read", text::counted(missing, "range tombstone"));
        report.lose(NewLoss::bytes(name, 0, 0, what));
    }
}

/// Whether the sums in the properties differ from those in the manifest: then another table was put in its place.
///
/// # Errors
/// `WouldBlock`. Parts that cannot be read are not compared.
fn is_another(
    file: &dyn File,
    name: FileName,
    footer: Footer,
    index: &Index,
    meta: Option<&Arc<TableMeta>>,
) -> Result<bool> {
    let Some(meta) = meta else { return Ok(false) };
    let properties =
        read_metas(file, name, footer.meta_index, index.data_end()).and_then(|metas| {
            metas
                .get(PROPERTIES_NAME)
                .map(|handle| read_properties(file, name, *handle))
                .transpose()
        });
    match properties {
        Ok(Some(found)) => Ok(!found.describe(meta)),
        Err(error) if error.blocked_on().is_some() => Err(error),
        _ => Ok(false),
    }
}

/// The index and the footer; the footer's table number is not checked.
fn index_of(file: &dyn File, name: FileName, length: u64) -> Result<(Footer, Index)> {
    let offset = length.checked_sub(FOOTER_BYTES as u64).ok_or_else(|| {
        Error::in_file(ErrorKind::Corruption, name, "the file is too short for a footer")
    })?;
    let footer = Footer::decode(&read_exactly(file, name, offset, FOOTER_BYTES)?, name, offset)?;
    if footer.index.end() != Some(offset) {
        return Err(Error::corruption(name, offset, "the index does not lie before the footer"));
    }
    let index = read_index(file, name, footer)?;
    Ok((footer, index))
}

fn by_index(
    file: &dyn File,
    index: &Index,
    length: u64,
    saved: &mut SavedTable,
    gaps: &mut Vec<NewLoss>,
) -> Result<()> {
    for position in 0..index.len() {
        let Some(handle) = index.handle(position) else { continue };
        let end = handle.end().filter(|end| *end <= length);
        let taken = if end.is_some() {
            saved.take(file, handle)
        } else {
            let what = "the block ends after the end of the file";
            Err(Error::corruption(saved.name, handle.offset, what))
        };
        let Err(error) = taken else { continue };
        if error.blocked_on().is_some() {
            return Err(error);
        }
        let before = position.checked_sub(1).and_then(|before| index.key(before));
        let bytes = end.unwrap_or(length).saturating_sub(handle.offset);
        gaps.push(NewLoss {
            smallest: before.map(shown),
            largest: index.key(position).map(shown),
            ..NewLoss::bytes(saved.name, handle.offset, bytes, error.message())
        });
    }
    Ok(())
}

fn by_checksum(
    file: &dyn File,
    length: u64,
    error: &Error,
    saved: &mut SavedTable,
    gaps: &mut Vec<NewLoss>,
) -> Result<()> {
    let mut offset = 0;
    let name = saved.name;
    let mut read = |at, bytes| read_exactly(file, name, at, bytes).map(Cow::Owned);
    loop {
        let handle = match find_block(&mut read, offset, length) {
            Err(error) if error.blocked_on().is_some() => return Err(error),
            Ok(Some(handle)) => handle,
            _ => break,
        };
        if saved.take(file, handle).is_err() {
            // The first block after the data is a filter or the properties. Nothing is lost.
            if !looks_like_data(file, saved.name, handle) {
                saved.take_ranges_from(file, offset, length)?;
                return Ok(());
            }
            break;
        }
        offset = handle.end().unwrap_or(length);
    }
    let message = error.message();
    let end = if offset == 0 { "none was found" } else { "the last one ends here" };
    let what = format!("{message}; so data blocks were searched from the beginning; {end}");
    gaps.push(NewLoss {
        smallest: (!saved.last.is_empty()).then(|| shown(&saved.last)),
        ..NewLoss::bytes(saved.name, offset, length.saturating_sub(offset), what)
    });
    Ok(())
}

/// Whether the first entry of a good block has an internal key.
fn looks_like_data(file: &dyn File, name: FileName, handle: Handle) -> bool {
    let Ok(block) = read_data_block(file, name, handle) else { return false };
    let mut entries = BlockIter::new(Arc::new(block));
    entries.seek_to_first().is_ok() && parse_internal_key(entries.key()).is_some()
}

/// A cursor over the good blocks of a table, which goes forward only.
#[derive(Debug)]
pub(super) struct SavedCursor {
    name: FileName,
    file: Arc<dyn File>,
    blocks: std::vec::IntoIter<Handle>,
    handle: Handle,
    entries: Option<BlockIter>,
}

impl SavedCursor {
    /// A cursor on the first entry.
    pub(super) fn open(storage: &dyn Storage, table: SavedTable) -> Result<Self> {
        let file = storage.open(table.name)?;
        let (blocks, handle) = (table.blocks.into_iter(), Handle::default());
        let mut cursor = Self { name: table.name, file, blocks, handle, entries: None };
        cursor.next_block()?;
        Ok(cursor)
    }

    fn next_block(&mut self) -> Result<()> {
        self.entries = None;
        let Some(handle) = self.blocks.next() else { return Ok(()) };
        self.handle = handle;
        let mut entries =
            BlockIter::new(Arc::new(read_data_block(&*self.file, self.name, handle)?));
        entries.seek_to_first().map_err(|damage| corrupt(self.name, handle.offset, damage))?;
        self.entries = Some(entries);
        Ok(())
    }

    pub(super) fn key(&self) -> Option<&[u8]> {
        self.entries.as_ref().filter(|entries| entries.valid()).map(BlockIter::key)
    }

    pub(super) fn value(&self) -> &[u8] {
        self.entries.as_ref().map_or(&[], BlockIter::value)
    }

    pub(super) fn next(&mut self) -> Result<()> {
        let Some(entries) = &mut self.entries else { return Ok(()) };
        let moved = entries.next();
        moved.map_err(|damage| corrupt(self.name, self.handle.offset, damage))?;
        if entries.valid() { Ok(()) } else { self.next_block() }
    }
}
