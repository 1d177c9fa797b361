//! Builds one block: prefix-compressed entries, then restart offsets.

use crate::coding::{put_varint, shared_prefix, varint_bytes};

/// Most entries from one restart point to the next; a block with more is damaged.
pub(super) const RESTART_INTERVAL_MAX: usize = 1024;

/// Collects entries in ascending order.
#[derive(Debug)]
pub struct BlockBuilder {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    interval: usize,
    since_restart: usize,
    entries: u32,
    last_key: Vec<u8>,
}

/// How an entry would be appended to the block.
#[derive(Debug, Clone, Copy)]
pub struct Planned {
    shared: usize,
    restart: bool,
    /// Length of the finished block with this entry \[bytes\].
    pub block_bytes: usize,
}

impl BlockBuilder {
    /// An empty block with a restart point every `interval` entries.
    pub fn new(interval: usize) -> Self {
        Self {
            bytes: Vec::new(),
            restarts: Vec::new(),
            interval: interval.clamp(1, RESTART_INTERVAL_MAX),
            since_restart: 0,
            entries: 0,
            last_key: Vec::new(),
        }
    }

    /// Whether it has no entry yet.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Entries so far.
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// Length of the block if it were finished now \[bytes\].
    pub fn finished_bytes(&self) -> usize {
        self.bytes.len() + 4 * self.restarts.len() + 4
    }

    /// How `key` and `value` would be written, and how long the block would be then.
    pub fn plan(&self, key: &[u8], value: &[u8]) -> Planned {
        let restart = self.since_restart == 0 || self.since_restart >= self.interval;
        let shared = if restart { 0 } else { shared_prefix(&self.last_key, key) };
        let unshared = key.len() - shared;
        let entry_bytes = varint_bytes(shared)
            + varint_bytes(unshared)
            + varint_bytes(value.len())
            + unshared
            + value.len();
        let restart_bytes = if restart { 4 } else { 0 };
        Planned {
            shared,
            restart,
            block_bytes: self.finished_bytes() + entry_bytes + restart_bytes,
        }
    }

    /// Appends an entry as [`Self::plan`] planned it. Keys must ascend: the caller checks.
    pub fn push(&mut self, plan: Planned, key: &[u8], value: &[u8]) {
        if plan.restart {
            self.restarts.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
            self.since_restart = 0;
        }
        let suffix = key.get(plan.shared..).unwrap_or_default();
        let lengths = [plan.shared as u64, suffix.len() as u64, value.len() as u64];
        if lengths.iter().all(|length| *length < 0x80) {
            // Nearly always: three varints of one byte each.
            self.bytes.extend_from_slice(&lengths.map(|length| length.to_le_bytes()[0]));
        } else {
            for length in lengths {
                put_varint(&mut self.bytes, length);
            }
        }
        self.bytes.extend_from_slice(suffix);
        self.bytes.extend_from_slice(value);
        self.last_key.truncate(plan.shared);
        self.last_key.extend_from_slice(suffix);
        self.since_restart += 1;
        self.entries += 1;
    }

    /// Appends an entry.
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.push(self.plan(key, value), key, value);
    }

    /// Appends restart offsets and their count; the block is then whole until [`Self::clear`].
    pub fn finish(&mut self) -> &[u8] {
        for restart in &self.restarts {
            self.bytes.extend_from_slice(&restart.to_le_bytes());
        }
        let count = u32::try_from(self.restarts.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&count.to_le_bytes());
        &self.bytes
    }

    /// Begins the next block.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.restarts.clear();
        self.last_key.clear();
        self.since_restart = 0;
        self.entries = 0;
    }
}
