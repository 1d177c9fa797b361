//! Internal keys: a user key, then eight bytes with sequence number and kind.

use crate::{Error, Result};

/// Largest sequence number: it stands for "newer than all" in searches and for exclusive bounds.
pub const SEQUENCE_MAX: u64 = (1 << 56) - 1;

/// Kind of an entry. The numbers are those of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 0: the key is deleted.
    Delete,
    /// 1: the key has a value; 18, Pebble's "set with delete", too.
    Put,
    /// 2: an operand for the merge operator.
    Merge,
    /// 7: a delete that cancels exactly one put.
    SingleDelete,
    /// 15: all keys in [key, value) with smaller sequence numbers are deleted.
    RangeDelete,
    /// 17, RocksDB: the value is in a blob file.
    BlobIndex,
    /// 19, Pebble: range keys in a span are deleted.
    RangeKeyDelete,
    /// 20, Pebble: a range key is unset.
    RangeKeyUnset,
    /// 21, Pebble: a range key is set.
    RangeKeySet,
    /// 20, RocksDB: a delete with a timestamp.
    DeleteWithTimestamp,
    /// 22, RocksDB: the value is a list of columns.
    WideColumns,
    /// 23, Pebble: a delete that knows how many bytes it deletes.
    DeleteSized,
    /// 24, RocksDB: a put that ends in a preferred sequence number of eight bytes.
    PreferredSequence,
    /// A number without a meaning here.
    Unknown(u8),
}

/// An engine, which defines the numbers of kinds: some differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// RocksDB, and programs that embed it.
    RocksDb,
    /// Pebble, CockroachDB's engine.
    Pebble,
    /// LevelDB.
    LevelDb,
    /// Levelscope itself: a closed directory, or that of another handle.
    Levelscope,
}

impl Engine {
    /// The word for it in answers: `rocksdb`, `pebble`, `leveldb`, `levelscope`.
    pub fn id(self) -> &'static str {
        match self {
            Self::RocksDb => "rocksdb",
            Self::Pebble => "pebble",
            Self::LevelDb => "leveldb",
            Self::Levelscope => "levelscope",
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::RocksDb => "RocksDB",
            Self::Pebble => "Pebble",
            Self::LevelDb => "LevelDB",
            Self::Levelscope => "Levelscope",
        }
    }
}

impl Kind {
    /// Meaning of `number` to `engine`. Pebble's bit 6, "obsolete", is masked away.
    pub fn of(engine: Engine, number: u8) -> Self {
        let number = if engine == Engine::Pebble { number & !64 } else { number };
        let pebble = engine == Engine::Pebble;
        match number {
            0 => Self::Delete,
            1 => Self::Put,
            2 if engine == Engine::Levelscope => Self::RangeDelete,
            2 => Self::Merge,
            7 => Self::SingleDelete,
            15 => Self::RangeDelete,
            17 if !pebble => Self::BlobIndex,
            18 if pebble => Self::Put,
            19 if pebble => Self::RangeKeyDelete,
            20 if pebble => Self::RangeKeyUnset,
            21 if pebble => Self::RangeKeySet,
            20 => Self::DeleteWithTimestamp,
            22 if !pebble => Self::WideColumns,
            23 if pebble => Self::DeleteSized,
            24 if !pebble => Self::PreferredSequence,
            other => Self::Unknown(other),
        }
    }

    /// Whether it hides older versions of its key and is itself no value.
    pub fn is_delete(self) -> bool {
        matches!(
            self,
            Self::Delete | Self::SingleDelete | Self::DeleteWithTimestamp | Self::DeleteSized
        )
    }

    /// The word for it, as `ldb` and `sst_dump` would be searched for.
    pub fn word(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Put => "put",
            Self::Merge => "merge",
            Self::SingleDelete => "single_delete",
            Self::RangeDelete => "range_delete",
            Self::BlobIndex => "blob_index",
            Self::RangeKeyDelete => "range_key_delete",
            Self::RangeKeyUnset => "range_key_unset",
            Self::RangeKeySet => "range_key_set",
            Self::DeleteWithTimestamp => "delete_with_timestamp",
            Self::WideColumns => "wide_columns",
            Self::DeleteSized => "delete_sized",
            Self::PreferredSequence => "preferred_seqno",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// An internal key, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InternalKey {
    /// The key of the user, with its timestamp where the comparator has one.
    pub user_key: Vec<u8>,
    /// Its sequence number.
    pub sequence: u64,
    /// Number of the kind, as in the file.
    pub kind: u8,
}

impl InternalKey {
    /// Takes `bytes` apart.
    ///
    /// # Errors
    /// `Damaged` at offset 0 when there are fewer than eight bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let (user_key, sequence, kind) = split(bytes)?;
        Ok(Self { user_key: user_key.to_vec(), sequence, kind })
    }
}

/// The parts of an internal key: user key, sequence number, number of the kind.
///
/// # Errors
/// `Damaged` at offset 0 when there are fewer than eight bytes.
pub fn split(bytes: &[u8]) -> Result<(&[u8], u64, u8)> {
    let Some((user_key, trailer)) = bytes.split_last_chunk::<8>() else {
        let message = format!("an internal key has at least 8 bytes, this one {}", bytes.len());
        return Err(Error::damaged(0, message));
    };
    let packed = u64::from_le_bytes(*trailer);
    Ok((user_key, packed >> 8, trailer[0]))
}
