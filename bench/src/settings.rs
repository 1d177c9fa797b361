//! The settings that all engines of a run share.

use serde::{Deserialize, Serialize};

/// Settings of a run; each process gets them as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Entries that the fills write.
    pub entries: u64,
    /// Point reads of each read workload.
    pub reads: u64,
    /// Length of a value \[bytes\].
    pub value_bytes: usize,
    /// Size of a memtable \[bytes\].
    pub write_buffer_bytes: usize,
    /// Size of the block cache \[bytes\].
    pub cache_bytes: usize,
    /// Bits a key in the Bloom filters.
    pub bloom_bits: u32,
    /// Background threads, where an engine lets one choose.
    pub threads: usize,
    /// Puts a second that `readwhilewriting` writes beside the reads.
    pub write_rate: u64,
    /// Seed of keys, values and orders.
    pub seed: u64,
    /// Options of Levelscope alone, by name.
    pub levelscope: Vec<(String, String)>,
}

impl Settings {
    /// Keys and values of all entries \[bytes\].
    pub fn raw_bytes(&self) -> u64 {
        self.entries * (crate::data::KEY_BYTES + self.value_bytes) as u64
    }
}
