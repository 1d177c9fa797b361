//! Exports a database as a directory of `LevelDB`.

use crate::leveldb::{DirectoryBuilder, TableStyle};
use levelscope::{Db, DbIterator, Result, ScanOptions, Snapshot};

/// Options of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportOptions {
    /// A table ends with the block that makes it this long \[bytes\].
    pub table_bytes: usize,
    /// Style of the tables.
    pub style: TableStyle,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { table_bytes: 2 << 20, style: TableStyle::default() }
    }
}

/// Counts of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    /// Entries in the tables.
    pub entries: u64,
    /// Tables handed out.
    pub tables: u64,
    /// Bytes of all files handed out.
    pub bytes: u64,
    /// The level on which the tables are; 0 while that is open, or without tables.
    pub level: u64,
    /// The sequence number of all entries: that of the moment of the export.
    pub last_sequence: u64,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Its name, without directories.
    pub name: String,
    /// All bytes of the file.
    pub bytes: Vec<u8>,
}

/// An export that hands out one file after the other.
pub struct Export {
    iterator: DbIterator,
    snapshot: Snapshot,
    builder: DirectoryBuilder,
    /// The iterator stands on an entry that is in a table already, or nowhere yet.
    moved_on: bool,
    begun: bool,
    report: ExportReport,
}

impl Export {
    /// Begins to hand out the live entries of `db` as they are now. Writes that come later do not count.
    ///
    /// # Errors
    /// Those of [`Db::iter`].
    pub fn new(db: &Db, options: ExportOptions) -> Result<Self> {
        let snapshot = db.snapshot();
        let scan = ScanOptions::default().snapshot(&snapshot);
        let iterator = db.iter(&scan)?;
        let last_sequence = snapshot.sequence();
        let builder = DirectoryBuilder::new(options.style, options.table_bytes, last_sequence);
        let report = ExportReport { last_sequence, ..ExportReport::default() };
        Ok(Self { iterator, snapshot, builder, moved_on: false, begun: false, report })
    }

    /// The next file: tables, then the manifest and an empty log, at last `CURRENT`, without which nothing counts.
    /// `None` when all were handed out.
    ///
    /// # Errors
    /// `WouldBlock`: call again. `Corruption` and others of [`DbIterator::next`].
    pub fn next_file(&mut self) -> Result<Option<NewFile>> {
        self.begin()?;
        while self.iterator.valid() {
            if !self.moved_on {
                let (key, value) = (self.iterator.key(), self.iterator.value());
                let table = self.builder.add(key, value)?;
                self.report.entries = self.report.entries.saturating_add(1);
                self.moved_on = true;
                if let Some(table) = table {
                    return Ok(Some(self.handed_out(table, true)));
                }
            }
            self.iterator.next()?;
            self.moved_on = false;
        }
        if let Some(table) = self.builder.end_table() {
            return Ok(Some(self.handed_out(table, true)));
        }
        let file = self.builder.next_metadata();
        self.report.level = self.builder.level();
        Ok(file.map(|file| self.handed_out(file, false)))
    }

    fn begin(&mut self) -> Result<()> {
        if self.begun {
            return Ok(());
        }
        self.iterator.seek_to_first()?;
        self.begun = true;
        Ok(())
    }

    fn handed_out(&mut self, (name, bytes): (String, Vec<u8>), is_table: bool) -> NewFile {
        self.report.tables = self.report.tables.saturating_add(u64::from(is_table));
        self.report.bytes = self.report.bytes.saturating_add(bytes.len() as u64);
        NewFile { name, bytes }
    }

    /// The counts so far.
    pub fn report(&self) -> ExportReport {
        self.report
    }

    /// The moment that is handed out.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }
}
