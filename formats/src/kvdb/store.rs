//! A database of one log: a write appends a record, a read goes through all of them.

use super::record::{HEADER_BYTES, Header, put, read};
use super::walk::{End, summary};
use crate::{Entry, Trail};
use levelscope::internals::probe::{NoProbe, Probe};
use levelscope::storage::{File, FileName, Storage, read_exactly};
use levelscope::text;
use levelscope::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::sync::Arc;

/// The name of the log.
pub const FILE: FileName = FileName::Other("store.db");

/// Longest record, unless the settings change it \[bytes\].
pub const RECORD_BYTES_MAX: usize = 1 << 20;

/// Bytes that are read at once.
const READ_BYTES: usize = 64 << 10;

/// Settings of a [`Store`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreSettings {
    /// Whether each write is durable before it returns; otherwise the operating system decides when.
    pub sync: bool,
    /// Longest record that is written: header, key and value together \[bytes\].
    pub record_bytes_max: usize,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { sync: true, record_bytes_max: RECORD_BYTES_MAX }
    }
}

/// A database of one log.
#[derive(Debug)]
pub struct Store {
    file: Arc<dyn File>,
    settings: StoreSettings,
    /// Bytes of good records: also the length of the file, while nothing has failed.
    bytes: u64,
    /// Bytes of a torn record that were cut off when the store was opened.
    torn_bytes: u64,
    /// Whether a write has failed, so that the end of the file is unknown.
    failed: bool,
}

impl Store {
    /// Opens the log in `storage`, or makes one. A torn last write is cut off first, so that nothing is appended to it.
    /// Cost: a pass over the file, in memory.
    ///
    /// # Errors
    /// `Corruption` with the offset when a record is damaged, and where the next good one is: the file
    /// stays as it is; `Io`.
    pub fn open(storage: &dyn Storage, settings: StoreSettings) -> Result<Self> {
        let file = match storage.open(FILE) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let file = storage.create(FILE)?;
                storage.sync_directory()?;
                file
            }
            Err(error) => return Err(error),
        };
        let length = file.len()?;
        let content = read_exactly(&*file, FILE, 0, too_long(usize::try_from(length))?)?;
        let found = summary(&content);
        match found.end {
            End::Clean => {}
            End::Damaged(_) => {
                return Err(Error::corruption(FILE, found.valid_bytes, found.what));
            }
            End::Torn => {
                file.truncate(found.valid_bytes)?;
                file.sync()?;
            }
        }
        let torn_bytes = length.saturating_sub(found.valid_bytes);
        Ok(Self { file, settings, bytes: found.valid_bytes, torn_bytes, failed: false })
    }

    /// Length of the log \[bytes\].
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes that were cut off when the store was opened \[bytes\].
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    /// Sets `key`.
    ///
    /// # Errors
    /// `InvalidArgument` when the key is empty or the record too long; `Io` and `OutOfSpace`, after
    /// which every write is `ReadOnly` until the store is opened again.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.append(key, Some(value))
    }

    /// Deletes `key`, whether it is there or not.
    ///
    /// # Errors
    /// Those of [`Store::put`].
    pub fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.append(key, None)
    }

    fn append(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        if self.failed {
            let message = "an earlier write has failed: open the store again";
            return Err(Error::in_file(ErrorKind::ReadOnly, FILE, message));
        }
        let value_bytes = value.map_or(0, <[u8]>::len);
        let bytes = HEADER_BYTES.saturating_add(key.len()).saturating_add(value_bytes);
        let most = self.settings.record_bytes_max;
        if bytes > most {
            return Err(Error::invalid(format!(
                "this record would have {}, {HEADER_BYTES} of them its header; the most is {}",
                text::bytes(bytes),
                text::count(most as u64)
            )));
        }
        let mut record = Vec::with_capacity(bytes);
        put(&mut record, key, value)?;
        self.failed = true;
        self.file.append(&record)?;
        if self.settings.sync {
            self.file.sync()?;
        }
        self.failed = false;
        self.bytes = self.bytes.saturating_add(bytes as u64);
        Ok(())
    }

    /// Makes all writes durable.
    ///
    /// # Errors
    /// `Io`; see [`Store::put`].
    pub fn sync(&mut self) -> Result<()> {
        self.failed = true;
        self.file.sync()?;
        self.failed = false;
        Ok(())
    }

    /// The value of `key`; `None` when it was never set, or deleted since. Cost: the whole log is read,
    /// 64 KiB at a time.
    ///
    /// # Errors
    /// `Corruption` with the offset when a record has been damaged since the store was opened; `Io`.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let found = self.search(key, &mut NoProbe)?;
        Ok(found.and_then(|entry| entry.value).map(Cow::into_owned))
    }

    /// The last record of `key`, a tombstone too, with each read of the file and each comparison in
    /// `trail`.
    ///
    /// # Errors
    /// Those of [`Store::get`].
    pub fn explain(&self, key: &[u8], trail: &mut Trail) -> Result<Option<Entry<'static>>> {
        self.search(key, trail)
    }

    fn search<P: Probe>(&self, key: &[u8], probe: &mut P) -> Result<Option<Entry<'static>>> {
        let (mut found, mut window, mut base) = (None, Vec::new(), 0_u64);
        while base < self.bytes {
            let mut at = 0;
            while let Ok(record) = read(&window, at) {
                probe.comparison();
                if record.key == key {
                    let offset = base.saturating_add(record.offset as u64);
                    found = Some(Entry { offset, ..record.entry() }.into_owned());
                }
                at = record.end;
            }
            base = base.saturating_add(at as u64);
            if base < self.bytes {
                let rest = window.get(at..).unwrap_or_default();
                window = self.read_window(base, rest, at > 0 || window.is_empty())?;
                probe.access("records", base, window.len() as u64);
            }
        }
        Ok(found)
    }

    /// Bytes from `base` on, with the whole record of which `rest` is known, unless all of it is and it
    /// has been found to be none: then nothing has `moved`.
    fn read_window(&self, base: u64, rest: &[u8], moved: bool) -> Result<Vec<u8>> {
        let damaged = || Error::corruption(FILE, base, "this is no record any more");
        let left = self.bytes.saturating_sub(base);
        let needed = match Header::read(rest) {
            Some(header) if header.plausible() => header.record_bytes(),
            Some(_) => return Err(damaged()),
            None => HEADER_BYTES as u64,
        };
        if needed > left || (!moved && needed <= rest.len() as u64) {
            return Err(damaged());
        }
        let count = left.min(needed.max(READ_BYTES as u64));
        read_exactly(&*self.file, FILE, base, too_long(usize::try_from(count))?)
    }
}

fn too_long<E>(bytes: std::result::Result<usize, E>) -> Result<usize> {
    bytes.map_err(|_| {
        Error::in_file(ErrorKind::OutOfSpace, FILE, "the file does not fit into memory")
    })
}
