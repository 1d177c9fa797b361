//! Forged files: right checksums around whatever bytes a test wants to see refused.
//!
//! ```text
//! LogForge    file header | record*          kinds, counts and lengths as given
//! EditForge   fields of a manifest edit      numbers as given
//! BlockForge  entries | restart points       lengths and restarts as given
//! TableForge  blocks | metas | index | footer  handles as given, or as they really are
//! ```
//!
//! Forged files carry no identity: they are those of a database that is older than identities.
//!
//! Nothing here is clever: a forge writes the given fields, with the words of docs/FORMAT.md, and seals them.

mod table;

pub use table::{BlockForge, TableForge};

use crate::coding::{crc32, put_length_prefixed, put_varint};
use crate::manifest::current::SLOT_BYTES;
use crate::storage::{FileName, FileNumber, MemoryStorage};
use crate::wal::file::Log;

/// `value` as a varint.
pub fn varint(value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, value);
    out
}

/// An internal key with any sequence number and any kind.
pub fn internal_key(user_key: &[u8], sequence: u64, kind: u8) -> Vec<u8> {
    let mut key = user_key.to_vec();
    key.extend_from_slice(&((sequence << 8) | u64::from(kind)).to_le_bytes());
    key
}

/// One operation of a batch, its lengths as given.
pub fn batch_entry(kind: u8, key_bytes: u64, value_bytes: u64, rest: &[u8]) -> Vec<u8> {
    let mut entry = vec![kind];
    put_varint(&mut entry, key_bytes);
    put_varint(&mut entry, value_bytes);
    entry.extend_from_slice(rest);
    entry
}

/// A put, as a batch holds it.
pub fn put_entry(key: &[u8], value: &[u8]) -> Vec<u8> {
    batch_entry(1, key.len() as u64, value.len() as u64, &[key, value].concat())
}

/// The header of one record, before it is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordFields {
    /// Length of the body \[bytes\]; `None`: as it is.
    pub body_bytes: Option<u32>,
    /// Entries, or tables.
    pub count: u32,
    /// Bytes that the record claims as durable.
    pub synced_bytes: u64,
    /// Sequence number, or position of an edit.
    pub number: u64,
    /// 1 batch, 2 clean end, 3 edit, 4 sync mark.
    pub kind: u8,
}

impl RecordFields {
    /// A batch of `count` operations whose first has the sequence number `number`.
    pub fn batch(number: u64, count: u32) -> Self {
        Self { body_bytes: None, count, synced_bytes: 0, number, kind: 1 }
    }

    /// Edit `number` of a manifest, with `count` tables removed and added.
    pub fn edit(number: u64, count: u32) -> Self {
        Self { kind: 3, ..Self::batch(number, count) }
    }
}

/// A log or a manifest under construction.
#[derive(Debug, Clone)]
pub struct LogForge {
    number: FileNumber,
    bytes: Vec<u8>,
}

impl LogForge {
    /// A write-ahead log with a good file header.
    pub fn wal(number: FileNumber) -> Self {
        Self::of(Log::wal(number, None))
    }

    /// A manifest with a good file header.
    pub fn manifest(number: FileNumber) -> Self {
        Self::of(Log::manifest(number, None))
    }

    fn of(log: Log) -> Self {
        let mut bytes = Vec::new();
        log.encode_header(&mut bytes);
        Self { number: log.number(), bytes }
    }

    /// Appends a record with these fields, sealed.
    #[must_use]
    pub fn record(mut self, fields: RecordFields, body: &[u8]) -> Self {
        let offset = self.bytes.len() as u64;
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let mut header = fields.body_bytes.unwrap_or(length).to_le_bytes().to_vec();
        header.extend_from_slice(&crc32(&[body]).to_le_bytes());
        header.extend_from_slice(&fields.count.to_le_bytes());
        header.extend_from_slice(&fields.synced_bytes.to_le_bytes());
        let packed = (u64::from(fields.kind) << 56) | (fields.number & ((1 << 56) - 1));
        header.extend_from_slice(&packed.to_le_bytes());
        let checksum = crc32(&[&self.number.to_le_bytes(), &offset.to_le_bytes(), &header]);
        header.extend_from_slice(&checksum.to_le_bytes());
        self.bytes.extend_from_slice(&header);
        self.bytes.extend_from_slice(body);
        self
    }

    /// Appends bytes as they are.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// An edit's record of a table that it adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableClaim {
    /// Level, run, number, bytes, entries, tombstones, blocks, smallest and largest sequence number.
    pub numbers: [u64; 9],
    /// Smallest internal key.
    pub smallest: Vec<u8>,
    /// Largest internal key.
    pub largest: Vec<u8>,
}

/// A manifest edit under construction: fields in the order in which they are added.
#[derive(Debug, Clone, Default)]
pub struct EditForge {
    bytes: Vec<u8>,
    tables: u32,
}

impl EditForge {
    /// The three counters with which a manifest must begin.
    pub fn snapshot(log_number: u64, next_file: u64, last_sequence: u64) -> Self {
        let counters = [(1, log_number), (2, next_file), (3, last_sequence)];
        counters.into_iter().fold(Self::default(), |edit, (tag, value)| edit.field(tag, &[value]))
    }

    /// Appends a tag and numbers.
    #[must_use]
    pub fn field(mut self, tag: u8, numbers: &[u64]) -> Self {
        self.bytes.push(tag);
        self.bytes.extend(numbers.iter().copied().flat_map(varint));
        self
    }

    /// Appends: a log ends after so many bytes.
    #[must_use]
    pub fn sealed(self, log: u64, bytes: u64) -> Self {
        self.field(4, &[log, bytes])
    }

    /// Appends: a table leaves a level.
    #[must_use]
    pub fn removed(mut self, level: u64, number: u64) -> Self {
        self.tables += 1;
        self.field(5, &[level, number])
    }

    /// Appends: a table enters a level.
    #[must_use]
    pub fn added(mut self, claim: &TableClaim) -> Self {
        self = self.field(6, &claim.numbers);
        self.tables += 1;
        put_length_prefixed(&mut self.bytes, &claim.smallest);
        put_length_prefixed(&mut self.bytes, &claim.largest);
        self
    }

    /// The body of the record, and its count of tables.
    pub fn finish(self) -> (Vec<u8>, u32) {
        (self.bytes, self.tables)
    }
}

/// One sealed slot of `CURRENT`.
pub fn slot(version: u32, epoch: u64, manifest: u64) -> Vec<u8> {
    let mut out = b"lvsc.cur".to_vec();
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&epoch.to_le_bytes());
    out.extend_from_slice(&manifest.to_le_bytes());
    out.resize(SLOT_BYTES - 4, 0);
    let checksum = crc32(&[&out]);
    out.extend_from_slice(&checksum.to_le_bytes());
    out
}

/// A disk whose `CURRENT` names manifest 1, which has these edits, beside `files`.
pub fn database(edits: Vec<EditForge>, files: &[(FileName, Vec<u8>)]) -> MemoryStorage {
    let mut manifest = LogForge::manifest(1);
    for (number, edit) in (1..).zip(edits) {
        let (body, tables) = edit.finish();
        manifest = manifest.record(RecordFields::edit(number, tables), &body);
    }
    let disk = MemoryStorage::new();
    disk.put("CURRENT", &[vec![0; SLOT_BYTES], slot(1, 1, 1)].concat());
    disk.put("MANIFEST-000001", &manifest.finish());
    for (name, bytes) in files {
        disk.put(&name.to_string(), bytes);
    }
    disk
}
