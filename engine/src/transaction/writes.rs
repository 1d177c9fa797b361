//! The writes of a transaction before it commits: of each key the last one.
//!
//! Iterators see them as entries with [`SEQUENCE_UNCOMMITTED`], which hide every version below them.

use crate::batch::{check_lengths, entry_bytes};
use crate::iter::Cursor;
use crate::key::{
    SEQUENCE_UNCOMMITTED, TRAILER_BYTES, ValueKind, append_internal_key, pack_trailer,
};
use crate::limits::{BATCH_BYTES_MAX, BATCH_COUNT_MAX};
use crate::text;
use crate::{Error, Result, WriteBatch};
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

/// What one key will be: a value, or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write(Option<Arc<[u8]>>);

impl Write {
    /// The value; `None` for a delete.
    pub(crate) fn value(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }

    fn kind(&self) -> ValueKind {
        if self.0.is_some() { ValueKind::Put } else { ValueKind::Delete }
    }
}

type Writes = BTreeMap<Arc<[u8]>, Write>;

/// Puts and deletes by key. They always fit one [`WriteBatch`].
///
/// Cost: the logarithm a call. The first write after a cursor was made copies the list of keys, not
/// keys and values themselves.
#[derive(Debug, Default)]
pub(crate) struct WriteSet {
    writes: Arc<Writes>,
    /// Length as the body of a batch.
    bytes: usize,
}

impl WriteSet {
    /// Sets what `key` will be: a value, or deleted.
    ///
    /// # Errors
    /// `InvalidArgument` when key or value are too long or the writes would no longer fit one batch;
    /// then nothing has changed.
    pub(crate) fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        check_lengths(key.len(), value.map_or(0, <[u8]>::len))?;
        let before = self.writes.get(key);
        if before.is_none() && self.writes.len() >= BATCH_COUNT_MAX as usize {
            return Err(Error::invalid(format!(
                "a transaction writes at most {}: commit it and begin another",
                text::counted(BATCH_COUNT_MAX, "key")
            )));
        }
        let replaced = before.map_or(0, |before| entry_bytes(key, before.value()));
        let bytes = self.bytes - replaced + entry_bytes(key, value);
        if bytes > BATCH_BYTES_MAX {
            return Err(Error::invalid(format!(
                "a transaction writes at most {} and this one has {}: commit it and begin another",
                text::bytes(BATCH_BYTES_MAX),
                text::count(self.bytes as u64)
            )));
        }
        self.bytes = bytes;
        Arc::make_mut(&mut self.writes).insert(Arc::from(key), Write(value.map(Arc::from)));
        Ok(())
    }

    /// What `key` will be, if it is written.
    pub(crate) fn get(&self, key: &[u8]) -> Option<&Write> {
        self.writes.get(key)
    }

    /// The keys in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.writes.keys().map(|key| &**key)
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> usize {
        self.writes.len()
    }

    /// Length as the body of a batch \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All writes as one batch, in the order of their keys.
    ///
    /// # Errors
    /// None that [`Self::set`] would not have found.
    pub(crate) fn batch(&self) -> Result<WriteBatch> {
        let mut batch = WriteBatch::new();
        for (key, write) in &*self.writes {
            match write.value() {
                Some(value) => batch.put(key, value)?,
                None => batch.delete(key)?,
            }
        }
        Ok(batch)
    }

    /// A cursor over the writes as they are now.
    pub(crate) fn cursor(&self) -> WritesCursor {
        let (key, write) = (Vec::new(), Write(None));
        WritesCursor { writes: Arc::clone(&self.writes), valid: false, key, write }
    }
}

/// Stands on one write; never fails.
#[derive(Debug)]
pub(crate) struct WritesCursor {
    writes: Arc<Writes>,
    valid: bool,
    /// The internal key of the write.
    key: Vec<u8>,
    write: Write,
}

impl WritesCursor {
    fn place(&mut self, choose: impl FnOnce(&Writes) -> Option<(&Arc<[u8]>, &Write)>) {
        let writes = Arc::clone(&self.writes);
        let chosen = choose(&writes);
        self.valid = chosen.is_some();
        let Some((key, write)) = chosen else { return };
        self.key.clear();
        append_internal_key(&mut self.key, key, SEQUENCE_UNCOMMITTED, write.kind());
        self.write.clone_from(write);
    }

    fn user_key(&self) -> Arc<[u8]> {
        Arc::from(crate::key::user_key(&self.key))
    }
}

impl Cursor for WritesCursor {
    fn valid(&self) -> bool {
        self.valid
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.place(Writes::first_key_value);
        Ok(())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.place(Writes::last_key_value);
        Ok(())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        // A target too short for a trailer comes before every entry of that user key.
        let (user_key, trailer) = target
            .split_last_chunk::<TRAILER_BYTES>()
            .map_or((target, u64::MAX), |(key, trailer)| (key, u64::from_le_bytes(*trailer)));
        self.place(|writes| {
            writes.range::<[u8], _>((Included(user_key), Unbounded)).find(|(key, write)| {
                let own = pack_trailer(SEQUENCE_UNCOMMITTED, write.kind());
                &***key != user_key || own <= trailer
            })
        });
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        if self.valid {
            let key = self.user_key();
            self.place(|writes| writes.range::<[u8], _>((Excluded(&*key), Unbounded)).next());
        }
        Ok(())
    }

    fn prev(&mut self) -> Result<()> {
        if self.valid {
            let key = self.user_key();
            self.place(|writes| writes.range::<[u8], _>((Unbounded, Excluded(&*key))).next_back());
        }
        Ok(())
    }

    fn key(&self) -> &[u8] {
        if self.valid { &self.key } else { &[] }
    }

    fn value(&self) -> &[u8] {
        self.write.value().filter(|_| self.valid).unwrap_or_default()
    }
}
