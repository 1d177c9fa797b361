//! The table cache: open tables, bounded by their number.

use super::charge::ReadCharges;
use super::open::properties_of;
use super::properties::{ANOTHER_TABLE, Properties};
use super::reader::Table;
use crate::cache::BlockCache;
use crate::few::Few;
use crate::identity::Owner;
use crate::live::LiveEntries;
use crate::manifest::TableMeta;
use crate::sorting;
use crate::storage::{FileName, FileNumber, Storage};
use crate::{Error, PrefixIndexForm, Result};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// Opens tables when they are first asked for, and closes those not used for the longest time.
#[derive(Debug)]
pub(crate) struct TableCache {
    storage: Arc<dyn Storage>,
    prefix_index: PrefixIndexForm,
    owner: Owner,
    blocks: Arc<BlockCache>,
    count_max: usize,
    open: RwLock<Few<FileNumber, OpenTable>>,
    clock: AtomicU64,
    /// How many [`TablePin`]s hold a table.
    pinned: Arc<AtomicUsize>,
    /// The properties of tables, open or not.
    held: Mutex<Few<FileNumber, LiveEntries>>,
    /// The read charges of the open tables.
    charges: ReadCharges,
}

/// A slot that keeps a table open for the owner of the slot, who finds it there without a lock.
///
/// At most half of the tables that may be open are kept so; other places stay empty.
#[derive(Debug, Default)]
pub(crate) struct TablePin(OnceLock<Pinned>);

#[derive(Debug)]
struct Pinned {
    table: Arc<Table>,
    count: Arc<AtomicUsize>,
}

impl TablePin {
    /// The table, if it is kept here.
    #[inline]
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        self.0.get().map(|pinned| &pinned.table)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A copy of a place is another place, empty at first.
impl Clone for TablePin {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Owners of the places are equal independently of their open tables.
impl PartialEq for TablePin {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for TablePin {}

/// The tables of a cache, for those who read them once from end to end: see
/// [`Table::sequential_cursor`].
#[derive(Debug)]
pub(crate) struct SequentialTables(pub(crate) Arc<TableCache>);

#[derive(Debug)]
struct OpenTable {
    table: Arc<Table>,
    last_used: AtomicU64,
}

impl TableCache {
    /// A cache of at most `open_tables_max` tables of `owner` in `storage`, whose blocks go to `cache`.
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        open_tables_max: usize,
        cache: Arc<BlockCache>,
        prefix_index: PrefixIndexForm,
        owner: Owner,
    ) -> Self {
        Self {
            storage,
            prefix_index,
            owner,
            blocks: cache,
            count_max: open_tables_max.max(1),
            open: RwLock::default(),
            clock: AtomicU64::new(0),
            pinned: Arc::default(),
            held: Mutex::default(),
            charges: ReadCharges::default(),
        }
    }

    /// The same cache with `charges` for its tables.
    pub(crate) fn charging(self, charges: ReadCharges) -> Self {
        Self { charges, ..self }
    }

    /// How many tables may be open at once.
    pub(crate) fn count_max(&self) -> usize {
        self.count_max
    }

    /// The charges of its tables.
    #[inline]
    pub(crate) fn charges(&self) -> &ReadCharges {
        &self.charges
    }

    /// The open table of `meta`, from `pin` if it is there; otherwise it is kept there if it may be.
    ///
    /// # Errors
    /// As [`Self::open`].
    #[inline]
    pub(crate) fn open_pinned(&self, meta: &TableMeta, pin: &TablePin) -> Result<Arc<Table>> {
        if let Some(table) = pin.table() {
            return Ok(Arc::clone(table));
        }
        let table = self.open(meta)?;
        if self.pinned.fetch_add(1, Ordering::Relaxed) < self.count_max / 2 {
            let count = Arc::clone(&self.pinned);
            // If another thread was quicker, this pin is dropped, and its drop lowers the count again.
            let _ = pin.0.set(Pinned { table: Arc::clone(&table), count });
        } else {
            self.pinned.fetch_sub(1, Ordering::Relaxed);
        }
        Ok(table)
    }

    /// Opens the table of `meta` and keeps it open in `pin`, so that it can be read when its file is deleted.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn hold(&self, meta: &TableMeta, pin: &TablePin) -> Result<()> {
        if pin.table().is_none() {
            let table = self.open(meta)?;
            self.pinned.fetch_add(1, Ordering::Relaxed);
            let _ = pin.0.set(Pinned { table, count: Arc::clone(&self.pinned) });
        }
        Ok(())
    }

    /// Closes all tables that are not held and not among `wanted`: deleted files take space as long as they are open.
    pub(crate) fn close_all_but(&self, wanted: &BTreeSet<FileNumber>) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.retain(|number, open| wanted.contains(number) || Arc::strong_count(&open.table) > 1);
    }

    /// The open table of `meta`.
    ///
    /// # Errors
    /// Those of opening the file; `Corruption` when the table is not the one that `meta` describes.
    pub(crate) fn open(&self, meta: &TableMeta) -> Result<Arc<Table>> {
        if let Some(open) =
            self.open.read().unwrap_or_else(PoisonError::into_inner).get(&meta.number)
        {
            open.last_used.store(self.tick(), Ordering::Relaxed);
            return Ok(Arc::clone(&open.table));
        }
        // Opened without the lock: others may go on, and two may open the same table.
        let name = FileName::Table(meta.number);
        let file = self.storage.open(name)?;
        let blocks = Arc::clone(&self.blocks);
        let (form, owner) = (self.prefix_index, self.owner);
        let table = Table::open(file, meta.number, meta.bytes, blocks, form, owner)?;
        table.reads.begin(self.charges.reads_for(meta.bytes));
        let table = Arc::new(table);
        check_against(&table, meta, name)?;
        self.note(meta.number, table.properties());
        let last_used = AtomicU64::new(self.tick());
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let entry = open.or_insert_with(meta.number, || OpenTable { table, last_used });
        let table = Arc::clone(&entry.table);
        close_oldest(&mut open, self.count_max);
        Ok(table)
    }

    /// Remembers the sizes of table `number`.
    pub(crate) fn note(&self, number: FileNumber, properties: &Properties) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.insert(number, properties.held());
    }

    /// The size of the newest versions in the table of `meta`; `None` while its properties cannot be read. They are
    /// read once, past both caches.
    pub(crate) fn held(&self, meta: &TableMeta) -> Option<LiveEntries> {
        let known = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = known.get(&meta.number) {
            return Some(*held);
        }
        drop(known);
        let file = self.storage.open(FileName::Table(meta.number)).ok()?;
        let properties = properties_of(&*file, meta.number, meta.bytes).ok()?;
        self.note(meta.number, &properties);
        Some(properties.held())
    }

    /// Closes table `number`, which is to be deleted; those who still hold it may go on reading.
    pub(crate) fn evict(&self, number: FileNumber) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    /// Memory of the prefix indexes of the open tables \[bytes\].
    pub(crate) fn prefix_index_bytes(&self) -> u64 {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.values().map(|open| open.table.prefixes().memory_bytes() as u64).sum()
    }

    /// Numbers of the open tables.
    #[cfg(test)]
    pub(crate) fn open_numbers(&self) -> Vec<FileNumber> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }
}

fn check_against(table: &Table, meta: &TableMeta, name: FileName) -> Result<()> {
    if table.properties().describe(meta) {
        return Ok(());
    }
    Err(Error::corruption(name, 0, ANOTHER_TABLE))
}

fn close_oldest(open: &mut Few<FileNumber, OpenTable>, count_max: usize) {
    if open.len() <= count_max {
        return;
    }
    // Some more than one, so that the search for the oldest is not made at every call.
    let count = (open.len() - count_max) + count_max / 32;
    // Removing a table that a reader still holds would not close it.
    let mut ages: Vec<(u64, FileNumber)> = open
        .iter()
        .filter(|(_, table)| Arc::strong_count(&table.table) == 1)
        .map(|(number, table)| (table.last_used.load(Ordering::Relaxed), *number))
        .collect();
    sorting::sort(&mut ages);
    for (_, number) in ages.iter().take(count) {
        open.remove(number);
    }
}
