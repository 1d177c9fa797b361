//! The parts of a table that a builder has written.

/// A data block that has just been closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockWritten {
    /// Its position in the table.
    pub(crate) index: u32,
    pub(crate) entries: u32,
    /// Length before compression \[bytes\].
    pub(crate) raw_bytes: u32,
    /// Length as stored, without trailer \[bytes\].
    pub(crate) stored_bytes: u32,
    /// Where it begins in the file \[bytes\].
    pub(crate) offset: u64,
    /// First user key.
    pub(crate) first: Vec<u8>,
    /// Last user key.
    pub(crate) last: Vec<u8>,
}

/// The filter that has just been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FilterWritten {
    /// User keys in it; 0 when the options ask for no filter.
    pub(crate) keys: u64,
    /// Length of its block, without trailer \[bytes\]; 0 when there is none.
    pub(crate) bytes: u64,
}

/// The index that has just been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexWritten {
    /// Data blocks.
    pub(crate) blocks: u32,
    /// Length of the index block, without trailer \[bytes\].
    pub(crate) bytes: u64,
}
