//! Blob files: sums their garbage over edits, and derives the live files from the tables.

use super::edit::Edit;
use crate::sorting::set;
use crate::{BlobFile, Engine, TableFile};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of header and footer of RocksDB's blob files.
const FRAME_BYTES: u64 = 62;

/// Applies the blob file fields of `edit`; returns a sentence for each contradiction.
pub(super) fn apply(blobs: &mut BTreeMap<u64, BlobFile>, edit: &Edit) -> Vec<String> {
    let mut faults = Vec::new();
    for added in &edit.blobs_added {
        let blob = BlobFile {
            number: added.number,
            count: Some(added.count),
            garbage_count: Some(0),
            total_bytes: added.bytes,
            file_bytes: added.bytes.saturating_add(FRAME_BYTES),
            ..BlobFile::default()
        };
        if blobs.insert(added.number, blob).is_some() {
            faults.push(format!("blob file {} is added twice", added.number));
        }
    }
    for garbage in &edit.blob_garbage {
        if let Some(blob) = blobs.get_mut(&garbage.number) {
            blob.garbage_count = blob.garbage_count.map(|sum| sum.saturating_add(garbage.count));
            blob.garbage_bytes = blob.garbage_bytes.saturating_add(garbage.bytes);
        } else {
            let number = garbage.number;
            faults.push(format!("blob file {number} gets garbage, but was never added"));
        }
    }
    for (id, number) in &edit.pebble_blobs_removed {
        if blobs.remove(number).is_none() {
            faults.push(format!("blob file {number} (blob {id}) is removed, but is not there"));
        }
    }
    for added in &edit.pebble_blobs_added {
        let blob = BlobFile {
            number: added.number,
            id: added.id,
            total_bytes: added.value_bytes,
            file_bytes: added.bytes,
            created_seconds: (added.created_seconds != 0).then_some(added.created_seconds),
            ..BlobFile::default()
        };
        blobs.insert(added.number, blob);
    }
    faults
}

/// The blob files that count while `tables` are all tables of the family.
pub(super) fn counting<'a>(
    engine: Engine,
    blobs: &BTreeMap<u64, BlobFile>,
    tables: impl Iterator<Item = &'a TableFile>,
) -> BTreeMap<u64, BlobFile> {
    if blobs.is_empty() {
        return BTreeMap::new();
    }
    match engine {
        Engine::RocksDb => referenced(blobs, tables),
        _ => with_garbage(blobs, tables),
    }
}

/// RocksDB writes no removals: a file counts from the oldest one that a table names on, unless all of it is garbage
/// and no table names it as its oldest.
fn referenced<'a>(
    blobs: &BTreeMap<u64, BlobFile>,
    tables: impl Iterator<Item = &'a TableFile>,
) -> BTreeMap<u64, BlobFile> {
    let oldest: BTreeSet<u64> = set(tables.filter_map(|table| table.oldest_blob_file));
    let Some(first) = oldest.first() else { return BTreeMap::new() };
    let counts = |blob: &BlobFile| {
        oldest.contains(&blob.number) || blob.count == Some(0) || blob.garbage_count < blob.count
    };
    let from_first = blobs.range(first..).filter(|(_, blob)| counts(blob));
    from_first.map(|(number, blob)| (*number, blob.clone())).collect()
}

/// Pebble's tables record how many bytes of each blob file they refer to; the rest is garbage.
fn with_garbage<'a>(
    blobs: &BTreeMap<u64, BlobFile>,
    tables: impl Iterator<Item = &'a TableFile>,
) -> BTreeMap<u64, BlobFile> {
    let mut live: BTreeMap<u64, u64> = BTreeMap::new();
    for (id, bytes) in tables.flat_map(|table| &table.blob_references) {
        let sum = live.entry(*id).or_default();
        *sum = sum.saturating_add(*bytes);
    }
    let mut all = blobs.clone();
    for blob in all.values_mut() {
        let referenced = live.get(&blob.id).copied().unwrap_or(0);
        blob.garbage_bytes = blob.total_bytes.saturating_sub(referenced);
    }
    all
}
