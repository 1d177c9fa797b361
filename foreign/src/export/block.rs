//! Blocks as RocksDB and LevelDB write them, with trailer.

use crate::checksum::masked;

/// Builds one block: prefix-compressed keys, restart points, and at the end their offsets.
#[derive(Debug)]
pub(super) struct BlockBuilder {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    restart_interval: usize,
    since_restart: usize,
    last_key: Vec<u8>,
}

impl BlockBuilder {
    /// An empty block with a restart point every `restart_interval` entries.
    pub(super) fn new(restart_interval: usize) -> Self {
        Self {
            bytes: Vec::new(),
            restarts: Vec::new(),
            restart_interval,
            since_restart: 0,
            last_key: Vec::new(),
        }
    }

    /// Adds an entry; keys must ascend.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        let mut shared = 0;
        if self.restarts.is_empty() || self.since_restart == self.restart_interval {
            self.restarts.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
            self.since_restart = 0;
        } else {
            shared = key.iter().zip(&self.last_key).take_while(|(a, b)| a == b).count();
        }
        let rest = key.get(shared..).unwrap_or_default();
        put_varint(&mut self.bytes, shared as u64);
        put_varint(&mut self.bytes, rest.len() as u64);
        put_varint(&mut self.bytes, value.len() as u64);
        self.bytes.extend_from_slice(rest);
        self.bytes.extend_from_slice(value);
        self.last_key.clear();
        self.last_key.extend_from_slice(key);
        self.since_restart += 1;
    }

    /// Bytes so far, with the restart offsets.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + 4 * self.restarts.len() + 4
    }

    /// Whether it has no entry.
    pub(super) fn is_empty(&self) -> bool {
        self.restarts.is_empty()
    }

    /// The block without its trailer; the builder is empty again.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bytes);
        if self.restarts.is_empty() {
            self.restarts.push(0);
        }
        for restart in &self.restarts {
            bytes.extend_from_slice(&restart.to_le_bytes());
        }
        let count = u32::try_from(self.restarts.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&count.to_le_bytes());
        self.restarts.clear();
        self.since_restart = 0;
        self.last_key.clear();
        bytes
    }
}

/// Appends `number` as a varint.
pub(super) fn put_varint(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push((number & 0x7f) as u8);
}

/// The five bytes after an uncompressed block: its type and its checksum, a masked CRC-32C.
pub(super) fn trailer(block: &[u8]) -> [u8; 5] {
    const UNCOMPRESSED: u8 = 0;
    let checksum = crc32c::crc32c_append(crc32c::crc32c(block), &[UNCOMPRESSED]);
    let [a, b, c, d] = masked(checksum).to_le_bytes();
    [UNCOMPRESSED, a, b, c, d]
}
