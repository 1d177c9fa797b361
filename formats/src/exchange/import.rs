//! A directory of `LevelDB`, taken into a database.

use crate::Entry;
use crate::leveldb::{Damage, Database, Files, Live};
use levelscope::limits::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use levelscope::text;
use levelscope::{Db, Error, Result, WriteBatch};

/// A batch is written when it has so many bytes.
const BATCH_BYTES: usize = 256 << 10;
/// Or so many entries.
const BATCH_ENTRIES: u32 = 1_000;

/// What an import has done.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportReport {
    /// Live entries that were written.
    pub entries: u64,
    /// Keys and values in them \[bytes\].
    pub bytes: u64,
    /// Tables of which an entry was read.
    pub tables: u64,
    /// Logs of which an entry was read.
    pub logs: u64,
    /// What was left out, in sentences that name the file.
    pub skipped: Vec<String>,
    /// Damage was left out, which may have held newer values and tombstones: keys may have older values,
    /// and deleted keys may be back.
    pub values_may_be_older: bool,
}

/// An import that goes on with every [`Import::step`].
pub struct Import<'a> {
    db: Db,
    live: Live<'a>,
    damage: Damage,
    batch: WriteBatch,
    is_read: bool,
    /// Counted when their batch is written.
    waiting_bytes: u64,
    report: ImportReport,
}

impl<'a> Import<'a> {
    /// Begins to take the live entries of the directory `files` into `db`, where they become ordinary
    /// writes. What the database has already stays, unless a key comes again.
    ///
    /// # Errors
    /// `NotFound`, `Corruption`, `UnsupportedFormat` of the directory; with [`Damage::Skip`] only when
    /// there is nothing of a database, or its keys have another order.
    pub fn new(db: &Db, files: &'a dyn Files, damage: Damage) -> Result<Self> {
        let database = Database::open(files, damage)?;
        Ok(Self {
            db: db.clone(),
            live: database.entries()?,
            damage,
            batch: WriteBatch::new(),
            is_read: false,
            waiting_bytes: 0,
            report: ImportReport::default(),
        })
    }

    /// Writes the next batch; false when all is written.
    ///
    /// # Errors
    /// `Corruption`, `UnsupportedFormat` of the directory: what was written before stays. With [`Damage::Skip`] the kind of
    /// the first problem, when no entry can be read. `Stalled` and
    /// `WouldBlock` of the database: call again. Others of [`Db::write`].
    pub fn step(&mut self) -> Result<bool> {
        while !self.is_read && self.batch.len() < BATCH_ENTRIES && self.batch.bytes() < BATCH_BYTES
        {
            if let Some(entry) = self.live.next() {
                self.add(&entry?)?;
            } else {
                self.refuse_nothing()?;
                self.is_read = true;
            }
        }
        // A batch that could not be written stays, to be written by the next call.
        self.db.write(&self.batch, None)?;
        self.report.entries = self.report.entries.saturating_add(self.batch.len().into());
        self.report.bytes =
            self.report.bytes.saturating_add(std::mem::take(&mut self.waiting_bytes));
        self.batch.clear();
        Ok(!self.is_read)
    }

    /// Refuses a directory of which damage has left nothing. A database without entries is no such one.
    fn refuse_nothing(&self) -> Result<()> {
        let live = &self.live;
        let Some(first) = live.skipped().first().filter(|_| live.has_lost()) else { return Ok(()) };
        if live.tables_read() > 0 || live.logs_read() > 0 {
            return Ok(());
        }
        let more = match live.skipped().len() - 1 {
            0 => String::new(),
            count => format!("; and {} more", text::counted(count, "problem")),
        };
        let message = format!(
            "no entry of this directory can be read, so nothing was imported: {first}{more}"
        );
        Err(Error::new(first.kind(), message))
    }

    fn add(&mut self, entry: &Entry<'_>) -> Result<()> {
        let (key, value) = (&entry.key, entry.value.as_deref().unwrap_or_default());
        let fits = key.len() <= KEY_BYTES_MAX && value.len() <= VALUE_BYTES_MAX;
        if !fits && self.damage == Damage::Skip {
            self.report.skipped.push(too_long(key.len(), value.len()).to_string());
            return Ok(());
        }
        if !fits {
            return Err(too_long(key.len(), value.len()));
        }
        self.waiting_bytes = self.waiting_bytes.saturating_add((key.len() + value.len()) as u64);
        self.batch.put(key, value)
    }

    /// What was done so far.
    pub fn report(&self) -> ImportReport {
        let mut report = self.report.clone();
        (report.tables, report.logs) = (self.live.tables_read(), self.live.logs_read());
        report.skipped.extend(self.live.skipped().iter().map(ToString::to_string));
        report.values_may_be_older = self.live.has_lost();
        report
    }
}

fn too_long(key_bytes: usize, value_bytes: usize) -> Error {
    let (what, bytes, most) = if key_bytes > KEY_BYTES_MAX {
        ("key", key_bytes, KEY_BYTES_MAX)
    } else {
        ("value", value_bytes, VALUE_BYTES_MAX)
    };
    let (bytes, most) = (text::bytes(bytes), text::bytes(most));
    Error::invalid(format!(
        "a {what} of {bytes} is too long: a {what} of Levelscope has at most {most}"
    ))
}
