//! A database as JavaScript sees it: packed input, packed output, snapshots and iterators by number.

use crate::cursor::{Cursor, Page};
use crate::packed;
use levelscope::event::EventSink;
use levelscope::limits::KEY_BYTES_MAX;
use levelscope::storage::{FileName, Storage};
use levelscope::{
    Budget, Db, Error, ErrorKind, Maintenance, OpenPolicy, Options, Result, Snapshot, StepOutcome,
    WriteBatch,
};
use levelscope_origin::Numbered;
use std::ops::Bound;
use std::rc::Rc;
use std::sync::Arc;

/// Length from which an area is given back after the call that needed it \[bytes\].
const AREA_KEPT_BYTES: usize = 1 << 20;

/// An open database.
#[derive(Debug)]
pub struct Core {
    db: Db,
    input: Vec<u8>,
    output: Vec<u8>,
    batch: WriteBatch,
    snapshots: Numbered<Rc<Snapshot>>,
    cursors: Numbered<Cursor>,
}

impl Core {
    /// Opens the database in `storage`. `settings` has a line `name=value` for each option that is not the
    /// default; `policy` decides whether a database may be made, or must.
    ///
    /// # Errors
    /// As `Builder::open_in`.
    pub fn open(
        storage: Arc<dyn Storage>,
        settings: &str,
        policy: OpenPolicy,
        sink: Option<Arc<dyn EventSink>>,
    ) -> Result<Self> {
        let mut options = Options::default().maintenance(Maintenance::Manual);
        for line in settings.lines() {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            options.set(name, value)?;
        }
        let mut builder = Db::builder().options(options).policy(policy);
        if let Some(sink) = sink {
            builder = builder.events(sink);
        }
        let db = builder.open_in(storage)?;
        db.charge_reads();
        Ok(Self {
            db,
            input: Vec::new(),
            output: Vec::new(),
            batch: WriteBatch::new(),
            snapshots: Numbered::new(),
            cursors: Numbered::new(),
        })
    }

    /// The database itself.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The input area, with room for at least `bytes`.
    pub fn input(&mut self, bytes: usize) -> &mut [u8] {
        if self.input.len() < bytes || self.input.len() > AREA_KEPT_BYTES.max(bytes) {
            // A new one, because growing would copy what is no longer needed.
            self.input = Vec::new();
            self.input.resize(bytes.next_power_of_two(), 0);
        }
        &mut self.input
    }

    /// Length of the input area \[bytes\].
    pub fn input_bytes(&self) -> usize {
        self.input.len()
    }

    /// The output of the last call.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// The first `bytes` of the input.
    ///
    /// # Errors
    /// `InvalidArgument` when it is shorter.
    pub fn taken(&self, bytes: usize) -> Result<&[u8]> {
        self.input.get(..bytes).ok_or_else(|| Error::invalid("the input area is shorter"))
    }

    /// An empty output area.
    fn clear_output(&mut self) {
        self.output.clear();
        self.output.shrink_to(AREA_KEPT_BYTES);
    }

    /// Writes the first `bytes` of the input, packed operations, as one batch. Nothing is durable before
    /// [`Core::sync`], and nothing outlives the program before [`Core::write_out`], unless the options demand
    /// it.
    ///
    /// # Errors
    /// As `Db::write`.
    pub fn write(&mut self, bytes: usize) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        let outcome = self
            .taken(bytes)
            .and_then(|packed| packed::operations(packed, &mut batch))
            .and_then(|()| self.db.write(&batch, Some(false)));
        if batch.bytes() <= AREA_KEPT_BYTES {
            self.batch = batch;
        }
        outcome.map(|_| ())
    }

    /// Hands every write so far to the files.
    ///
    /// # Errors
    /// As `Db::write_out`.
    pub fn write_out(&self) -> Result<()> {
        self.db.write_out()
    }

    /// Makes every write so far durable.
    ///
    /// # Errors
    /// As `Db::sync`.
    pub fn sync(&self) -> Result<()> {
        self.db.sync()
    }

    fn snapshot_at(&self, number: u32) -> Result<Option<&Snapshot>> {
        if number == 0 {
            return Ok(None);
        }
        let snapshot = self.snapshots.get(number.into()).ok_or_else(no_snapshot)?;
        Ok(Some(snapshot))
    }

    /// The value of the key of `bytes` in the input, as output; `None` when it has none.
    ///
    /// # Errors
    /// As `Db::get`; `Closed` for a snapshot that was released.
    pub fn get(&mut self, bytes: usize, snapshot: u32) -> Result<Option<usize>> {
        self.clear_output();
        let key = self.taken(bytes)?;
        let (value, _) = self.db.lookup(key, self.snapshot_at(snapshot)?)?;
        let Some(value) = value else { return Ok(None) };
        self.output.extend_from_slice(&value);
        Ok(Some(self.output.len()))
    }

    /// The values of the packed keys in the first `bytes` of the input, packed, as output.
    ///
    /// # Errors
    /// As [`Core::get`].
    pub fn get_many(&mut self, bytes: usize, snapshot: u32) -> Result<usize> {
        self.look_up(bytes, snapshot, packed::push_value)
    }

    /// Whether the packed keys in the first `bytes` of the input have values: a byte for each, as output.
    ///
    /// # Errors
    /// As [`Core::get`].
    pub fn has_many(&mut self, bytes: usize, snapshot: u32) -> Result<usize> {
        self.look_up(bytes, snapshot, |output, value| {
            output.push(u8::from(value.is_some()));
            Ok(())
        })
    }

    fn look_up(
        &mut self,
        bytes: usize,
        snapshot: u32,
        mut push: impl FnMut(&mut Vec<u8>, Option<&[u8]>) -> Result<()>,
    ) -> Result<usize> {
        self.clear_output();
        let mut output = std::mem::take(&mut self.output);
        // Of one moment, although each key is looked up by itself.
        let moment = (snapshot == 0).then(|| self.db.snapshot());
        let at = moment.as_ref().map_or_else(|| self.snapshot_at(snapshot), |now| Ok(Some(now)));
        let outcome = at.and_then(|at| {
            packed::keys(self.taken(bytes)?, |key| {
                let (value, _) = self.db.lookup(key, at)?;
                push(&mut output, value.as_deref())
            })
        });
        self.output = output;
        outcome.map(|()| self.output.len())
    }

    /// Takes a snapshot, from now on known as `number`.
    pub fn take_snapshot(&mut self, number: u32) {
        self.snapshots.insert(number.into(), Rc::new(self.db.snapshot()));
    }

    /// Releases a snapshot.
    pub fn release_snapshot(&mut self, number: u32) {
        self.snapshots.remove(number.into());
    }

    /// Makes an iterator over the packed range in the first `bytes` of the input, known as `number`.
    ///
    /// # Errors
    /// `Closed` for a snapshot that was released.
    pub fn open_iterator(&mut self, number: u32, bytes: usize) -> Result<()> {
        let range = packed::range(self.taken(bytes)?)?;
        let snapshot = match range.snapshot {
            0 => Rc::new(self.db.snapshot()),
            number => Rc::clone(self.snapshots.get(number.into()).ok_or_else(no_snapshot)?),
        };
        self.cursors.insert(number.into(), Cursor::new(range, snapshot));
        Ok(())
    }

    /// The next entries of an iterator, packed, as output: up to `count`, or until they have `bytes_max`.
    ///
    /// # Errors
    /// As the engine's reads; `Closed` for an iterator that was closed.
    pub fn next_page(&mut self, number: u32, count: u32, bytes_max: usize) -> Result<Page> {
        self.clear_output();
        let cursor = self.cursors.get_mut(number.into()).ok_or_else(no_iterator)?;
        cursor.page(&self.db, &mut self.output, (count, bytes_max))
    }

    /// Deletes the next entries of an iterator: up to `count`, as one batch.
    ///
    /// # Errors
    /// As [`Core::next_page`] and [`Core::write`].
    pub fn delete_page(&mut self, number: u32, count: u32) -> Result<Page> {
        let cursor = self.cursors.get_mut(number.into()).ok_or_else(no_iterator)?;
        cursor.delete_page(&self.db, count)
    }

    /// Deletes the packed range in the first `bytes` of the input by one range tombstone. False where the range
    /// is one of a snapshot, or its ends are too long: then nothing was done, and the keys are deleted one by one.
    ///
    /// # Errors
    /// As [`Core::write`].
    pub fn clear_range(&self, bytes: usize) -> Result<bool> {
        let range = packed::range(self.taken(bytes)?)?;
        if range.snapshot != 0 {
            return Ok(false);
        }
        let after = |key: &[u8]| [key, &[0]].concat();
        let begin = match &range.lower {
            Bound::Unbounded => Vec::new(),
            Bound::Included(key) => key.clone(),
            Bound::Excluded(key) => after(key),
        };
        let end = match &range.upper {
            Bound::Unbounded => None,
            Bound::Included(key) => Some(after(key)),
            Bound::Excluded(key) => Some(key.clone()),
        };
        let longest = begin.len().max(end.as_ref().map_or(0, Vec::len));
        if longest > KEY_BYTES_MAX {
            return Ok(false);
        }
        let mut batch = WriteBatch::new();
        match end {
            Some(end) => batch.delete_range(begin, end)?,
            None => batch.delete_from(begin)?,
        }
        self.db.write(&batch, Some(false))?;
        Ok(true)
    }

    /// Begins to flush the memtables: [`Core::step`] does it. False when there is nothing to flush.
    ///
    /// # Errors
    /// As `Db::request_flush`.
    pub fn request_flush(&self) -> Result<bool> {
        self.db.request_flush()
    }

    /// Begins to compact the tables that have keys of the packed range in the first `bytes` of the input into the
    /// deepest level that has any: [`Core::step`] does it. False when there is nothing to compact.
    ///
    /// # Errors
    /// As `Db::compact`.
    pub fn request_compaction(&self, bytes: usize) -> Result<bool> {
        let range = packed::range(self.taken(bytes)?)?;
        self.db.compact((range.lower, range.upper))
    }

    /// The bytes in files and memtables of the packed range in the first `bytes` of the input.
    ///
    /// # Errors
    /// As `Db::approximate_size`.
    pub fn approximate_size(&self, bytes: usize) -> Result<u64> {
        let range = packed::range(self.taken(bytes)?)?;
        Ok(self.db.approximate_size((range.lower, range.upper))?.total_bytes())
    }

    /// The next page of an iterator begins at the key of `bytes` in the input.
    ///
    /// # Errors
    /// `Closed` for an iterator that was closed.
    pub fn seek(&mut self, number: u32, bytes: usize) -> Result<()> {
        let target = self.taken(bytes)?.to_vec();
        self.cursors.get_mut(number.into()).ok_or_else(no_iterator)?.seek(&target);
        Ok(())
    }

    /// Gives up an iterator.
    pub fn close_iterator(&mut self, number: u32) {
        self.cursors.remove(number.into());
    }

    /// Goes on with background work by about so many entries; false when there is none.
    ///
    /// # Errors
    /// The failure that ended the job; `WouldBlock`.
    pub fn step(&self, entries: u32) -> Result<bool> {
        match self.db.step(Budget::Entries(entries))? {
            StepOutcome::Idle => Ok(false),
            StepOutcome::More | StepOutcome::Finished(_) => Ok(true),
            StepOutcome::Blocked(file) => Err(Error::would_block(file)),
        }
    }

    /// Files that will be created soon, for a host that opens them ahead.
    pub fn files_wanted_soon(&self) -> Vec<FileName> {
        self.db.files_wanted_soon()
    }

    /// Ends the log cleanly. Snapshots and iterators are given up.
    ///
    /// # Errors
    /// As `Db::close`.
    pub fn close(&mut self) -> Result<()> {
        self.cursors.clear();
        self.snapshots.clear();
        self.db.close()
    }
}

fn no_snapshot() -> Error {
    Error::new(ErrorKind::Closed, "the snapshot was closed")
}

fn no_iterator() -> Error {
    Error::new(ErrorKind::Closed, "the iterator was closed")
}
