//! Checks one table block by block, against its own properties and the manifest.

mod tally;

use self::tally::Tally;
use super::report::UnitReport;
use super::source::ReadOnlyStorage;
use crate::few::Few;
use crate::filter::{Filter, hash};
use crate::identity::mismatch;
use crate::key::{compare_internal, parse_internal_key, user_key};
use crate::manifest::TableMeta;
use crate::ranges::RangeSet;
use crate::storage::{File, FileName, FileNumber, Storage};
use crate::survey::Belonging;
use crate::table::{
    BlockIter, Damage, EntryFlaw, FILTER_NAME, Footer, Handle, Index, PROPERTIES_NAME, Prefixes,
    Properties, corrupt, judge_entry, read_data_block, read_filter, read_footer, read_index,
    read_metas, read_prefixes, read_properties, read_ranges,
};
use crate::text;
use crate::{PrefixIndexForm, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// A table that is being checked.
#[derive(Debug)]
pub(super) struct TableCheck {
    name: FileName,
    /// The manifest's description of the table; `None` when no manifest can be read.
    meta: Option<Arc<TableMeta>>,
    file: Arc<dyn File>,
    /// Its length \[bytes\].
    length: u64,
    index: Option<Index>,
    properties: Option<(Handle, Properties)>,
    filter: Option<(Handle, Filter)>,
    /// There is a filter, but it cannot be read.
    filter_damaged: bool,
    /// With a filter only, with each form of the index: what the options may ask for.
    prefixes: Vec<Prefixes>,
    /// Its range tombstones; `None` when they cannot be read.
    ranges: Option<RangeSet>,
    /// The block that is next.
    position: usize,
    tally: Tally,
}

impl TableCheck {
    /// Opens table `number` and reads all but its data blocks; `None` when there is nothing to go on with.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn open(
        storage: &ReadOnlyStorage,
        number: FileNumber,
        meta: Option<Arc<TableMeta>>,
        belonging: Belonging,
        found: &mut UnitReport,
    ) -> Result<Option<Self>> {
        let name = FileName::Table(number);
        let opened = storage.open(name).and_then(|file| Ok((file.len()?, file)));
        let Some((length, file)) = found.take(name, opened)? else { return Ok(None) };
        found.tables += 1;
        if let Some(meta) = meta.as_ref().filter(|meta| meta.bytes != length) {
            let bytes = meta.bytes;
            let what = format!(
                "the file has {}, but the manifest records {}",
                text::bytes(length),
                text::count(bytes)
            );
            found.error(name, length.min(bytes), what);
        }
        let footer = found.take(name, read_footer(&*file, number, length))?;
        let mut check = Self {
            name,
            meta,
            file,
            length,
            index: None,
            properties: None,
            filter: None,
            filter_damaged: false,
            prefixes: Vec::new(),
            ranges: None,
            position: 0,
            tally: Tally::default(),
        };
        let Some(footer) = footer else { return Ok(None) };
        let index = read_index(&*check.file, name, footer);
        check.index = found.take(name, index)?;
        check.read_metas(footer, belonging, found)?;
        Ok(Some(check))
    }

    fn read_metas(
        &mut self,
        footer: Footer,
        belonging: Belonging,
        found: &mut UnitReport,
    ) -> Result<()> {
        let name = self.name;
        let Some(index) = &self.index else { return Ok(()) };
        let metas = read_metas(&*self.file, name, footer.meta_index, index.data_end());
        let Some(metas) = found.take(name, metas)? else { return Ok(()) };
        if let Some(handle) = metas.get(FILTER_NAME) {
            let filter = found.take(name, read_filter(&*self.file, name, *handle))?;
            self.filter_damaged = filter.is_none();
            self.filter = filter.map(|filter| (*handle, filter));
        }
        let Some(handle) = metas.get(PROPERTIES_NAME) else {
            found.error(name, footer.meta_index.offset, "the table has no properties");
            return Ok(());
        };
        let properties = read_properties(&*self.file, name, *handle);
        let Some(properties) = found.take(name, properties)? else { return Ok(()) };
        let expected = belonging.expected(footer.number, properties.database);
        if let Some(what) = mismatch(expected, properties.database) {
            found.error(name, handle.offset, what);
        }
        self.read_prefixes(&metas, &properties, found)?;
        self.ranges = found.take(name, read_ranges(&*self.file, name, footer, &metas))?;
        if let Some(ranges) = &self.ranges {
            self.tally.ranges(ranges);
        }
        self.properties = Some((*handle, properties));
        Ok(())
    }

    fn read_prefixes(
        &mut self,
        metas: &Few<Vec<u8>, Handle>,
        properties: &Properties,
        found: &mut UnitReport,
    ) -> Result<()> {
        if properties.prefix.is_none() {
            return Ok(());
        }
        for form in [PrefixIndexForm::None, PrefixIndexForm::Exact, PrefixIndexForm::Compact] {
            let read = read_prefixes(&*self.file, self.name, metas, properties, form);
            // A flaw of one form is a flaw of the other.
            let Some(prefixes) = found.take(self.name, read)? else { return Ok(()) };
            self.prefixes.push(prefixes);
        }
        Ok(())
    }

    /// Checks one data block; false when there was none left and the sums have been compared.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing.
    pub(super) fn step(&mut self, found: &mut UnitReport) -> Result<bool> {
        let handle = self.index.as_ref().and_then(|index| index.handle(self.position));
        let Some(handle) = handle else {
            if self.index.is_some() {
                found.read_whole(self.name, self.length);
            }
            self.compare(found);
            return Ok(false);
        };
        let inside = handle.end().is_some_and(|end| end <= self.length);
        let block = if inside {
            found.take(self.name, read_data_block(&*self.file, self.name, handle))?
        } else {
            let what = "by the index this block ends after the end of the file";
            found.error(self.name, handle.offset, what);
            None
        };
        found.blocks += 1;
        let raw_bytes = block.as_ref().map(|block| block.bytes().len() as u64);
        self.tally.block(handle, raw_bytes);
        if let Some(block) = block
            && let Err(damage) = self.walk(handle, BlockIter::new(Arc::new(block)), found)
        {
            let error = corrupt(self.name, handle.offset, damage);
            found.damage(self.name, &error)?;
            self.tally.is_partial = true;
        }
        self.position += 1;
        Ok(true)
    }

    /// Walks over the entries of one block.
    fn walk(
        &mut self,
        handle: Handle,
        mut entries: BlockIter,
        found: &mut UnitReport,
    ) -> std::result::Result<(), Damage> {
        entries.seek_to_first()?;
        self.check_separator(true, handle, entries.key(), found);
        while entries.valid() {
            found.entries += 1;
            self.entry(handle, entries.key(), entries.value(), found);
            entries.next()?;
        }
        let last = std::mem::take(&mut self.tally.last_key);
        self.check_separator(false, handle, &last, found);
        self.tally.last_key = last;
        Ok(())
    }

    /// The first key of a block must be after the index key before; its last key must not be after its own index key.
    fn check_separator(&self, first: bool, handle: Handle, key: &[u8], found: &mut UnitReport) {
        let Some(index) = &self.index else { return };
        let outside = if first {
            let before = self.position.checked_sub(1).and_then(|before| index.key(before));
            before.is_some_and(|before| compare_internal(before, key) != Ordering::Less)
        } else {
            let own = index.key(self.position);
            own.is_some_and(|own| compare_internal(key, own) == Ordering::Greater)
        };
        if outside {
            let which = if first { "first" } else { "last" };
            let what = format!("the {which} key of this block is not where the index has it");
            found.error(self.name, handle.offset, what);
        }
    }

    fn entry(&mut self, handle: Handle, key: &[u8], value: &[u8], found: &mut UnitReport) {
        let tally = &mut self.tally;
        let before = (tally.entries > 0).then_some(tally.last_key.as_slice());
        match judge_entry(key, value, before) {
            // Reported once.
            Err(EntryFlaw::Order) if std::mem::replace(&mut tally.disorder_reported, true) => {}
            Err(flaw) => found.error(self.name, handle.offset, flaw.what()),
            Ok(_) => {}
        }
        let Some(entry) = parse_internal_key(key) else {
            tally.is_partial = true;
            return;
        };
        let new_key = tally.entries == 0 || user_key(&tally.last_key) != entry.user_key;
        if new_key {
            tally.user_keys += 1;
            let denied = |filter: &Filter| !filter.may_contain(hash(entry.user_key));
            if self.filter.as_ref().is_some_and(|(_, filter)| denied(filter)) {
                tally.denied.count(handle.offset);
            }
            if self.prefixes.first().is_some_and(|prefixes| !prefixes.may_have(entry.user_key)) {
                tally.prefix_denied.count(handle.offset);
            }
        }
        if let Some(index) = &self.index {
            let mut forms = self.prefixes.iter().skip(1);
            if forms.any(|prefixes| !prefixes.leads_to(key, index, self.position)) {
                tally.prefix_lost.count(handle.offset);
            }
        }
        tally.entry(key, &entry, value);
    }
}
