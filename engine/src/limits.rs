//! Every maximum of the engine and its files, with its unit and its reason.
//!
//! A limit that a caller can break is reported as [`crate::ErrorKind::InvalidArgument`]; one that a
//! file breaks is [`crate::ErrorKind::Corruption`], found before anything is allocated for it.

/// Longest user key \[bytes\]: a key must fit a small block and every index entry.
pub const KEY_BYTES_MAX: usize = 64 * 1024;

/// Longest value \[bytes\]: one value is copied a few times in memory, also in a 4 GiB address space.
pub const VALUE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Longest write batch \[bytes of encoded body\]: one WAL record, replayed in one piece.
pub const BATCH_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Most operations in one batch: sequence numbers of a batch must fit 32 bits.
pub const BATCH_COUNT_MAX: u32 = 16 * 1024 * 1024;

/// Most memory for the read set of a serializable transaction \[bytes\]: as much as it may write.
pub const TRANSACTION_READ_BYTES_MAX: usize = BATCH_BYTES_MAX;

/// Largest sequence number: 56 bits, because the last 8 of the trailer are the kind.
pub const SEQUENCE_MAX: u64 = (1 << 56) - 1;

/// Largest block on disk or decompressed \[bytes\]: one value of the maximum size, its key and lengths.
pub const BLOCK_BYTES_MAX: usize = VALUE_BYTES_MAX + KEY_BYTES_MAX + 64 * 1024;

/// Largest encoded manifest edit \[bytes\]: a snapshot edit with the most files of a database.
pub const EDIT_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Longest table file \[bytes\], and most entries of one: sums over all tables must fit 64 bits.
pub const TABLE_BYTES_MAX: u64 = 1 << 40;

/// Most levels a database may have, L0 included.
pub const LEVEL_COUNT_MAX: usize = 12;

/// Largest file number: six digits are shown, more are allowed, up to the largest exact JSON number.
pub const FILE_NUMBER_MAX: u64 = (1 << 53) - 1;

/// Most bytes of a key that events and views carry \[bytes\]; the full length stands beside it.
pub const SHOWN_KEY_BYTES_MAX: usize = 96;
