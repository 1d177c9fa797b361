//! A writer of tables, for tables that no fixture has: large ones, and ones that no program would write.

use levelscope_foreign::checksum::{Checksum, context};

/// A table in the making.
pub(crate) struct Builder {
    /// What was written.
    pub(crate) bytes: Vec<u8>,
    version: u32,
    checksum: Checksum,
    base: u32,
}

/// Offset and length of a block.
pub(crate) type Handle = (u64, u64);

/// Appends `number` as a varint.
pub(crate) fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
}

/// The varints of a handle.
pub(crate) fn handle((offset, length): Handle) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(&mut bytes, offset);
    varint(&mut bytes, length);
    bytes
}

/// An internal key.
pub(crate) fn internal(key: &[u8], sequence: u64, kind: u8) -> Vec<u8> {
    [key, &(sequence << 8 | u64::from(kind)).to_le_bytes()].concat()
}

/// A block of these entries, each a restart point.
pub(crate) fn entries<K: AsRef<[u8]>, V: AsRef<[u8]>>(rows: &[(K, V)]) -> Vec<u8> {
    let (mut bytes, mut restarts) = (Vec::new(), Vec::new());
    for (key, value) in rows {
        restarts.push(u32::try_from(bytes.len()).unwrap());
        bytes.push(0);
        varint(&mut bytes, key.as_ref().len() as u64);
        varint(&mut bytes, value.as_ref().len() as u64);
        bytes.extend_from_slice(key.as_ref());
        bytes.extend_from_slice(value.as_ref());
    }
    if restarts.is_empty() {
        restarts.push(0);
    }
    for restart in &restarts {
        bytes.extend_from_slice(&restart.to_le_bytes());
    }
    bytes.extend_from_slice(&u32::try_from(restarts.len()).unwrap().to_le_bytes());
    bytes
}

impl Builder {
    /// An empty table.
    pub(crate) fn new(version: u32, checksum: Checksum) -> Self {
        let base = if version >= 6 { 0x1234_5678 } else { 0 };
        Self { bytes: Vec::new(), version, checksum, base }
    }

    /// Appends a block with its trailer.
    pub(crate) fn block(&mut self, block: &[u8], compression: u8) -> Handle {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(block);
        self.bytes.push(compression);
        let sum = self.checksum.of(&self.bytes[offset..]);
        let sum = sum.wrapping_add(context(self.base, offset as u64));
        self.bytes.extend_from_slice(&sum.to_le_bytes());
        (offset as u64, block.len() as u64)
    }

    /// Appends properties, metaindex, and the footer. `names` are more entries of the metaindex.
    pub(crate) fn finish(
        mut self,
        index: Handle,
        properties: &[(&str, Vec<u8>)],
        names: &[(&str, Handle)],
    ) -> Vec<u8> {
        let properties = self.block(&entries(properties), 0);
        let mut meta: Vec<(&str, Vec<u8>)> =
            names.iter().map(|(name, at)| (*name, handle(*at))).collect();
        if names.iter().all(|(name, _)| *name != "rocksdb.properties") {
            meta.push(("rocksdb.properties", handle(properties)));
        }
        if self.version >= 6 {
            meta.push(("rocksdb.index", handle(index)));
        }
        meta.sort();
        let metaindex = self.block(&entries(&meta), 0);
        let offset = self.bytes.len() as u64;
        let kind = match self.checksum {
            Checksum::None => 0,
            Checksum::Crc32c => 1,
            Checksum::XxHash => 2,
            Checksum::XxHash64 => 3,
            Checksum::Xxh3 => 4,
        };
        let mut footer = vec![kind];
        if self.version >= 6 {
            footer.extend_from_slice(&[0x3e, 0, 0x7a, 0, 0, 0, 0, 0]);
            footer.extend_from_slice(&self.base.to_le_bytes());
            footer.extend_from_slice(&u32::try_from(metaindex.1).unwrap().to_le_bytes());
        } else {
            footer.extend_from_slice(&handle(metaindex));
            footer.extend_from_slice(&handle(index));
        }
        footer.resize(41, 0);
        footer.extend_from_slice(&self.version.to_le_bytes());
        footer.extend_from_slice(&0x88e2_41b7_85f4_cff7_u64.to_le_bytes());
        if self.version >= 6 {
            let sum = self.checksum.of(&footer).wrapping_add(context(self.base, offset));
            footer[5..9].copy_from_slice(&sum.to_le_bytes());
        }
        self.bytes.extend_from_slice(&footer);
        self.bytes
    }
}
