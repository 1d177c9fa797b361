//! A hash of the state of a database.

use super::Session;
use levelscope::storage::{FileName, read_whole};
use levelscope::view::View;
use levelscope::{Db, Result};

/// A 64-bit FNV-1a hash.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl Session {
    /// A hash of the state: of the view, and of the names and bytes of all files of the database.
    ///
    /// # Errors
    /// Those of the storage.
    pub(crate) fn state_hash(&self) -> Result<u64> {
        self.hash_with(self.database().map(Db::view).as_ref())
    }

    /// The same for the same state at another step, and after other reads.
    ///
    /// # Errors
    /// Those of the storage.
    pub(crate) fn timeless_hash(&self) -> Result<u64> {
        let view = self.database().map(|db| View { time: 0, ..db.view() });
        self.hash_with(view.as_ref())
    }

    fn hash_with(&self, view: Option<&View>) -> Result<u64> {
        let mut hash = Fnv::default();
        hash.write(serde_json::to_string(&view).unwrap_or_default().as_bytes());
        let storage = self.storage();
        for name in storage.list()? {
            // A lock is of the place where the files are, and a copy of them has none.
            let Some(file) = FileName::parse(&name).filter(|name| *name != FileName::Lock) else {
                continue;
            };
            hash.write(name.as_bytes());
            let mut bytes = read_whole(&*storage.open(file)?, file)?;
            if matches!(file, FileName::Wal(_)) {
                // Where syncs are dear, a log is made longer ahead: zeros that are no part of it.
                let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                bytes.truncate(end);
            }
            hash.write(&(bytes.len() as u64).to_le_bytes());
            hash.write(&bytes);
        }
        Ok(hash.0)
    }
}
