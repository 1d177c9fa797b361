//! Writes that wait in memory until the worker settles them, all at once.
//!
//! Opening, growing and syncing a file each cost as much in a browser as many puts, and most logs, and many tables, of
//! a long command are deleted again before anyone could have seen them. So the worker lets the engine work on for a
//! slice, [settles](Directory::settle) the rest, and only then reports to the page (decision 55). Until then the medium
//! is as it was at the settling before.

use super::directory::Directory;
use super::entry::{Entry, State};
use super::host::Refusal;
use levelscope::Result;
use levelscope::storage::FileName;

/// With more bytes than this in memory, the next file waits until they are settled \[bytes\].
const STAGED_BYTES_MAX: u64 = 8 << 20;

/// Most files that one call of [`Directory::settle`] writes: each may wait for the disk.
const FILES_AT_ONCE: usize = 8;

/// Bytes that a file gets at an offset.
pub(super) struct Piece {
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
}

impl Piece {
    pub(super) fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// Copies the part that `buffer` asks for, which begins at `offset` of the file.
    pub(super) fn copy_to(&self, offset: u64, buffer: &mut [u8]) {
        let (from, to) = (self.offset.max(offset), self.end().min(offset + buffer.len() as u64));
        if from >= to {
            return;
        }
        let within = |start: u64| {
            let place = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
            place(from)..place(to)
        };
        let source = self.bytes.get(within(self.offset));
        if let (Some(target), Some(source)) = (buffer.get_mut(within(offset)), source) {
            target.copy_from_slice(source);
        }
    }
}

/// The turn in which a file is settled: before every file that names it, so that the tab may die anywhere in between.
fn order(entry: &Entry) -> u8 {
    match entry.name {
        FileName::Table(_) | FileName::Other(_) | FileName::Lock => 0,
        // It goes on where the medium knows it.
        FileName::Wal(_) if entry.is_settled() => 1,
        FileName::Manifest(_) => 2,
        FileName::Current => 3,
        // The logs before it, which are deleted by now, must be out of the manifest.
        FileName::Wal(_) => 4,
    }
}

impl Directory {
    /// From now on writes wait for [`Self::settle`].
    pub fn stage(&mut self) {
        self.staging = true;
    }

    /// Files with waiting data that are not open; empty once settling has failed.
    fn unopened(&self) -> Vec<FileName> {
        if self.failed.is_some() {
            return Vec::new();
        }
        let entries = self.entries.iter().map(|(_, entry)| entry);
        let unopened = entries.filter(|entry| entry.is_waiting() && entry.handle.is_none());
        unopened.map(|entry| entry.name).collect()
    }

    /// Deleted files whose names new files have, as [`Self::take_removed`]: remove them before the new ones are opened.
    pub fn take_replaced(&mut self) -> Vec<String> {
        let names = self.unopened();
        self.take_removed_if(|name| names.contains(&name))
    }

    /// Files that have to be opened before the next [`Self::settle`].
    pub fn files_to_settle(&self) -> Vec<String> {
        self.unopened().iter().map(ToString::to_string).collect()
    }

    /// Whether the waiting data is too long to make the next file in memory.
    pub fn is_full(&self) -> bool {
        let waiting = self.entries.iter().flat_map(|(_, entry)| &entry.staged);
        waiting.map(|piece| piece.bytes.len() as u64).sum::<u64>() > STAGED_BYTES_MAX
    }

    /// Writes waiting data and makes synced bytes durable, a few files in each call; returns whether that was all. It
    /// skips deleted files. Until everything is settled the engine must not write.
    ///
    /// # Errors
    /// The browser's error, once. All writes are refused with it until the database is closed; then the files have the
    /// content of the medium again. Until then, bytes that could not be written can be read.
    pub fn settle(&mut self) -> Result<bool> {
        if self.failed.is_some() {
            return Ok(true);
        }
        let settled = self.settle_some();
        self.failed = settled.as_ref().err().cloned();
        settled
    }

    /// Called instead of [`Self::settle`] when the browser refuses to open a file.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub fn settle_refused(&mut self, refusal: &Refusal) -> Result<bool> {
        let Some(file) = self.unopened().first().copied() else { return Ok(true) };
        let error = refusal.error(file, "open");
        self.failed = Some(error.clone());
        Err(error)
    }

    pub(super) fn is_staging(&self) -> bool {
        cfg!(feature = "staging") && self.staging
    }

    /// Whether a new file can wait in memory.
    pub(super) fn prepares_in_memory(&self) -> bool {
        self.is_staging() && !self.is_full()
    }

    pub(super) fn refuse_after_failure(&self) -> Result<()> {
        self.failed.as_ref().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Writes `bytes` to a file, or keeps them for the worker.
    pub(super) fn write(&mut self, id: u64, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        if !self.is_staging() {
            return self.entry(id)?.write(offset, bytes);
        }
        self.refuse_after_failure()?;
        self.entry(id)?.stage(offset, bytes)
    }

    /// Makes everything written to a file durable, or lets the worker do it.
    pub(super) fn sync_file(&mut self, id: u64) -> Result<()> {
        if !self.is_staging() {
            return self.entry(id)?.sync();
        }
        self.refuse_after_failure()?;
        self.entry(id)?.stage_sync();
        Ok(())
    }

    /// Drops everything that the medium does not have.
    pub(super) fn return_to_medium(&mut self) {
        self.removed.clear();
        let entries = self.entries.iter().map(|(number, entry)| (number, entry.medium.made));
        let unmade: Vec<u64> =
            entries.filter(|(_, made)| !made).map(|(number, _)| number).collect();
        for number in unmade {
            self.entries.remove(number);
        }
        self.entries.iter_mut().for_each(|(_, entry)| entry.return_to_medium());
    }

    fn settle_some(&mut self) -> Result<bool> {
        let mut left = FILES_AT_ONCE;
        let present = |entry: &&mut Entry| entry.state == State::Present;
        // Recovery syncs logs before it writes the manifest that counts their bytes.
        for entry in self.entries.iter_mut().map(|(_, entry)| entry).filter(present) {
            if entry.staged.is_empty() && entry.handle.is_some() {
                left -= usize::from(entry.settle()?);
            }
            if left == 0 {
                return Ok(false);
            }
        }
        for turn in 0..=4 {
            let entries = self.entries.iter_mut().map(|(_, entry)| entry).filter(present);
            for entry in entries.filter(|entry| entry.is_waiting() && order(entry) == turn) {
                if left == 0 {
                    return Ok(false);
                }
                left -= usize::from(entry.settle()?);
            }
        }
        Ok(true)
    }
}
