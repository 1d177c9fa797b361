//! Manifests and `CURRENT`, explained.

use super::fields::Fields;
use super::log::{Body, annotate_log};
use super::{Node, Scope, hexadecimal};
use crate::coding::crc32;
use crate::identity::IDENTITY_BYTES;
use crate::key::{TRAILER_BYTES, ValueKind, parse_internal_key};
use crate::manifest::VersionEdit;
use crate::manifest::current::{
    self, CHECKSUM_OFFSET, FORMAT_VERSION, IDENTITY_OFFSET, MAGIC, OLD_FORMAT_VERSION, SLOT_BYTES,
    Slot,
};
use crate::storage::FileName;
use crate::wal::file::Log;
use crate::wal::record::{RECORD_HEADER_BYTES, Record, RecordKind};

/// Names the bytes of the manifest `name` within `scope`; the first `synced` are known to have been durable \[bytes\].
pub(super) fn annotate_manifest(name: FileName, file: &[u8], scope: Scope, synced: u64) -> Node {
    let lengths = (file.len() as u64, synced);
    annotate_log(name, "manifest", file, Body { value, parts }, scope, lengths)
}

fn value(log: Log, record: &Record<'_>) -> String {
    if record.header.kind == RecordKind::SyncMark {
        return super::proves_synced(record.header.synced_bytes);
    }
    let offset = (record.offset + RECORD_HEADER_BYTES) as u64;
    match VersionEdit::decode(record.body, log.name(), offset) {
        Ok(edit) => summary(&edit),
        Err(error) => error.to_string(),
    }
}

fn parts(record: &Record<'_>) -> Vec<Node> {
    let mut fields = Fields::new(record.body, (record.offset + RECORD_HEADER_BYTES) as u64);
    while !fields.rest().is_empty() && field(&mut fields) {}
    fields.finish("this is no field of an edit")
}

fn summary(edit: &VersionEdit) -> String {
    let numbers = |numbers: &mut dyn Iterator<Item = (usize, u64)>| {
        let words: Vec<String> =
            numbers.map(|(level, table)| format!("{table} in L{level}")).collect();
        words.join(", ")
    };
    let removed = numbers(&mut edit.removed.iter().copied());
    let added = numbers(&mut edit.added.iter().map(|(level, table)| (*level, table.number)));
    match (removed.is_empty(), added.is_empty()) {
        (true, true) => "counters only".to_owned(),
        (true, false) => format!("adds table {added}"),
        (false, true) => format!("removes table {removed}"),
        (false, false) => format!("removes table {removed}; adds table {added}"),
    }
}

/// Adds the next field; false when there is none that can be read.
fn field(fields: &mut Fields<'_>) -> bool {
    let begin = fields.position();
    let mut parts = Fields::new(fields.rest(), begin);
    let Some(name) = field_parts(&mut parts) else { return false };
    let children = parts.so_far();
    let value = children.get(1).map(|child| child.value.clone()).unwrap_or_default();
    let value = if children.len() == 2 { value } else { String::new() };
    fields.push(Node::branch(name, "field", begin, value, children));
    true
}

fn field_parts(parts: &mut Fields<'_>) -> Option<&'static str> {
    let tag = parts.rest().first().copied()?;
    let name = match tag {
        1 => "log number",
        2 => "next file number",
        3 => "last sequence number",
        4 => "log without a clean end",
        5 => "table removed",
        6 => "table added",
        7 => "files with an identity",
        8 => "range tombstones of a table",
        9 => "live log",
        _ => return None,
    };
    parts.take("tag", "kind", 1, |_| format!("{tag}: {name}"))?;
    let numbers: &[(&str, &'static str)] = match tag {
        1 | 2 => &[("file number", "number")],
        3 => &[("sequence number", "sequence")],
        4 => &[("log number", "number"), ("bytes that count", "length")],
        5 => &[("level", "number"), ("table number", "number")],
        6 => &TABLE,
        7 => &[("first file number", "number")],
        8 => &[("table number", "number"), ("range tombstones", "count")],
        _ => &[("log number", "number"), ("where its clean end ends; 0: nowhere yet", "length")],
    };
    for (name, kind) in numbers {
        parts.varint(name, kind)?;
    }
    if tag == 6 {
        internal_key(parts, "smallest")?;
        internal_key(parts, "largest")?;
    } else if tag == 8 {
        let length = parts.varint("length of the first key", "length")?;
        parts.text("first key", "key", length)?;
        let length = parts.varint("length of the end", "length")?;
        parts.text("key before which the last one ends", "key", length)?;
    }
    Some(name)
}

/// The numbers of an added table, before its keys.
const TABLE: [(&str, &str); 9] = [
    ("level", "number"),
    ("run", "number"),
    ("table number", "number"),
    ("file length", "length"),
    ("entries", "count"),
    ("tombstones", "count"),
    ("data blocks", "count"),
    ("smallest sequence number", "sequence"),
    ("largest sequence number", "sequence"),
];

fn internal_key(parts: &mut Fields<'_>, which: &str) -> Option<()> {
    let length = parts.varint(&format!("length of the {which} key"), "length")?;
    if length == 0 {
        // A table that has range tombstones only.
        return Some(());
    }
    let user_bytes = length.checked_sub(TRAILER_BYTES as u64)?;
    let whole = parts.rest().get(..usize::try_from(length).ok()?)?;
    let parsed = parse_internal_key(whole)?;
    parts.text(&format!("{which} key"), "key", user_bytes)?;
    let word = match parsed.kind {
        ValueKind::Put => "put",
        ValueKind::Delete => "delete",
        ValueKind::RangeDelete => return None,
    };
    let sequence = parsed.sequence;
    parts.take("sequence number and kind", "sequence", TRAILER_BYTES, |_| {
        format!("{sequence}, {word}")
    })?;
    Some(())
}

/// Names every byte of `CURRENT`. Both slots are there, also one that is missing.
pub(super) fn annotate_current(file: &[u8]) -> Node {
    let mut nodes = vec![slot(file, 0), slot(file, 1)];
    if let Some(rest) = file.get(2 * SLOT_BYTES..).filter(|rest| !rest.is_empty()) {
        let (offset, bytes) = (2 * SLOT_BYTES as u64, rest.len() as u64);
        nodes.push(Node::leaf("bytes after the slots", "bytes", offset, bytes, "ignored"));
    }
    let valid = [0, 1].into_iter().filter_map(|index| current::decode(file, index).ok().flatten());
    let value = match valid.max_by_key(|slot| slot.epoch) {
        Some(Slot { epoch, manifest, .. }) => {
            format!("{} counts, as of epoch {epoch}", FileName::Manifest(manifest))
        }
        None => "no slot is valid".to_owned(),
    };
    Node::branch(FileName::Current.to_string(), "current", 0, value, nodes)
}

/// The slot with `index` 0 or 1, as far as it is there. It is called as its place in a path: `slot:1`, `slot:2`.
fn slot(file: &[u8], index: u64) -> Node {
    let name = format!("slot {}", index.saturating_add(1));
    let begin = if index == 0 { 0 } else { SLOT_BYTES }.min(file.len());
    let end = begin.saturating_add(SLOT_BYTES).min(file.len());
    let bytes = file.get(begin..end).unwrap_or_default();
    let (value, mut nodes) = slot_parts(file, bytes, index, begin as u64);
    if bytes.len() < SLOT_BYTES {
        let what = if bytes.is_empty() { "is missing" } else { "is cut off" };
        nodes.push(Node::missing(end as u64, format!("{name} {what}")));
    }
    Node::branch(name, "slot", begin as u64, value, nodes)
}

/// The meaning of the slot, and its parts.
fn slot_parts(file: &[u8], bytes: &[u8], index: u64, offset: u64) -> (String, Vec<Node>) {
    if bytes.is_empty() {
        return ("not there".to_owned(), Vec::new());
    }
    if bytes.iter().all(|byte| *byte == 0) {
        let zeros = Node::leaf("zeros", "zeros", offset, bytes.len() as u64, String::new());
        return ("not yet written".to_owned(), vec![zeros]);
    }
    let mut fields = Fields::new(bytes, offset);
    let value = match current::decode(file, index) {
        Ok(Some(slot)) => {
            format!("epoch {}: {}", slot.epoch, FileName::Manifest(slot.manifest))
        }
        Ok(None) => match current::decode(file, 1 - index.min(1)) {
            Ok(Some(_)) => "not valid: the other slot counts".to_owned(),
            _ => "not valid".to_owned(),
        },
        Err(error) => return (error.to_string(), fields.finish_unread(error.message())),
    };
    let _ = slot_fields(&mut fields, bytes);
    (value, fields.finish_cut("the beginning of a slot"))
}

/// Adds the fields of a slot, as far as they are there.
fn slot_fields(fields: &mut Fields<'_>, bytes: &[u8]) -> Option<()> {
    let begin = fields.position();
    fields.magic(MAGIC)?;
    let version = fields.number("format version", "number", 4)?;
    fields.number("epoch", "number", 8)?;
    fields.number("manifest number", "number", 8)?;
    let mut end = IDENTITY_OFFSET;
    if has_identity(version, bytes) {
        fields.take("identity of the database", "identity", IDENTITY_BYTES, hexadecimal)?;
        end += IDENTITY_BYTES;
    }
    fields.take("zeros", "zeros", CHECKSUM_OFFSET - end, |zeros| {
        let clean = zeros.iter().all(|byte| *byte == 0);
        if clean { String::new() } else { "not all of them are zero".to_owned() }
    })?;
    let covered = bytes.get(..CHECKSUM_OFFSET)?;
    fields.checksum("checksum of the slot", crc32(&[covered]), (begin, covered.len() as u64))
}

/// Whether a slot of this format version has an identity; with a damaged version, its bytes decide.
fn has_identity(version: u64, slot: &[u8]) -> bool {
    if version == u64::from(OLD_FORMAT_VERSION) || version == u64::from(FORMAT_VERSION) {
        return version == u64::from(FORMAT_VERSION);
    }
    let identity = slot.get(IDENTITY_OFFSET..IDENTITY_OFFSET + IDENTITY_BYTES);
    identity.is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::fields::find;
    use crate::key::internal_key;
    use crate::manifest::{ManifestWriter, TableMeta};
    use crate::storage::MemoryStorage;
    use crate::testing::covers::assert_covers;
    use std::sync::Arc;

    const NAME: FileName = FileName::Manifest(3);
    const IDENTITY: Option<crate::Identity> = Some(MemoryStorage::IDENTITY);

    fn manifest() -> Vec<u8> {
        let storage = MemoryStorage::new();
        let snapshot = VersionEdit {
            log_number: Some(1),
            next_file: Some(700),
            last_sequence: Some(9),
            sealed_logs: vec![(2, 300)],
            live_logs: vec![(2, 0), (3, 400)],
            ..VersionEdit::default()
        };
        let table = Arc::new(TableMeta {
            number: 5,
            run: 9,
            bytes: 4000,
            entries: 9,
            tombstones: 1,
            blocks: 1,
            smallest: internal_key(b"", 1, ValueKind::Put),
            largest: internal_key(b"pear", 2, ValueKind::Delete),
            ranges: None,
            sequence_min: 1,
            sequence_max: 9,
        });
        let mut writer =
            ManifestWriter::create(&storage, Log::manifest(3, IDENTITY), &snapshot).unwrap();
        writer.sync().unwrap();
        let added = vec![(0, table)];
        writer.append(&VersionEdit { added, ..VersionEdit::default() }).unwrap();
        let removed = vec![(0, 5)];
        writer.append(&VersionEdit { removed, ..VersionEdit::default() }).unwrap();
        writer.sync().unwrap();
        storage.read(NAME).unwrap()
    }

    #[test]
    fn a_manifest_is_explained() {
        let tree = annotate_manifest(NAME, &manifest(), Scope::ALL, 0);
        assert_covers(&tree, &manifest());
        let words: Vec<&str> = tree.children.iter().map(|node| node.value.as_str()).collect();
        assert_eq!(words[1], "counters only");
        assert_eq!(words[3..5], ["adds table 5 in L0", "removes table 5 in L0"]);
        assert_eq!(find(&tree, "next file number").unwrap().value, "700");
        assert_eq!(find(&tree, "largest key").unwrap().value, "pear");
        assert_eq!(find(&tree, "sequence number and kind").unwrap().value, "1, put");
        assert!(find(&tree, "damaged bytes").is_none());
    }

    #[test]
    fn every_byte_of_a_bad_manifest_has_a_name() {
        let good = manifest();
        for at in 0..good.len() {
            assert_covers(&annotate_manifest(NAME, &good[..at], Scope::ALL, 0), &good[..at]);
            let mut bytes = good.clone();
            bytes[at] ^= 0x42;
            assert_covers(&annotate_manifest(NAME, &bytes, Scope::ALL, 0), &bytes);
        }
    }

    #[test]
    fn current_is_explained() {
        let storage = MemoryStorage::new();
        current::write(&storage, Slot { epoch: 1, manifest: 2, identity: IDENTITY }).unwrap();
        let read = || storage.read(FileName::Current).unwrap();
        let tree = annotate_current(&read());
        assert_covers(&tree, &read());
        assert_eq!(tree.value, "MANIFEST-000002 counts, as of epoch 1");
        assert_eq!(find(&tree, "slot 1").unwrap().value, "not yet written");

        current::write(&storage, Slot { epoch: 2, manifest: 8, identity: IDENTITY }).unwrap();
        let good = read();
        let tree = annotate_current(&good);
        assert_eq!(tree.value, "MANIFEST-000008 counts, as of epoch 2");
        assert_eq!(find(&tree, "slot 2").unwrap().value, "epoch 1: MANIFEST-000002");
        for at in (0..good.len()).step_by(7) {
            assert_covers(&annotate_current(&good[..at]), &good[..at]);
            let mut bytes = good.clone();
            bytes[at] ^= 0x42;
            let tree = annotate_current(&bytes);
            assert_covers(&tree, &bytes);
            assert!(format!("{tree:?}").contains("not valid"), "byte {at}");
        }
        let longer = [good.as_slice(), &[0; 5000]].concat();
        assert_covers(&annotate_current(&longer), &longer);
    }

    #[test]
    fn both_slots_stand_in_the_tree_in_their_places() {
        let storage = MemoryStorage::new();
        current::write(&storage, Slot { epoch: 1, manifest: 2, identity: IDENTITY }).unwrap();
        let young = storage.read(FileName::Current).unwrap();
        current::write(&storage, Slot { epoch: 2, manifest: 8, identity: IDENTITY }).unwrap();
        let older = storage.read(FileName::Current).unwrap();
        let files = [&older[..], &older[..5000], &older[..4096], &older[..9], &[], &young[..]];
        for file in files {
            let tree = annotate_current(file);
            assert_covers(&tree, file);
            let slots: Vec<_> =
                tree.children.iter().map(|node| (node.step(), node.offset)).collect();
            let length = file.len() as u64;
            let places = [("slot:1".to_owned(), 0), ("slot:2".to_owned(), length.min(4096))];
            assert_eq!(slots, places, "{length} bytes");
            let names: Vec<&str> = tree.children.iter().map(|node| node.name.as_str()).collect();
            assert_eq!(names, ["slot 1", "slot 2"]);
        }
        let cut = format!("{:?}", annotate_current(&older[..5000]));
        assert!(cut.contains("slot 2 is cut off"), "{cut}");
        let cut = format!("{:?}", annotate_current(&older[..4096]));
        assert!(cut.contains("slot 2 is missing"), "{cut}");
    }

    #[test]
    fn a_wrong_magic_is_called_wrong_and_an_identity_stays_one() {
        let storage = MemoryStorage::new();
        current::write(&storage, Slot { epoch: 1, manifest: 2, identity: IDENTITY }).unwrap();
        let good = storage.read(FileName::Current).unwrap();
        for at in [SLOT_BYTES + 4, SLOT_BYTES + 8] {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            let tree = annotate_current(&bytes);
            let identity =
                find(&tree, "identity of the database").expect("it is called by its name");
            assert_eq!((identity.offset, identity.bytes), (4124, 16));
            let magic = &find(&tree, "magic").unwrap().value;
            let expected = if at == SLOT_BYTES + 4 {
                "lvsc/cur, wrong: it should be lvsc.cur"
            } else {
                "lvsc.cur"
            };
            assert_eq!(magic, expected);
        }
        let mut log = manifest();
        log[4] ^= 1;
        let magic =
            &find(&annotate_manifest(NAME, &log, Scope::ALL, 0), "magic").unwrap().value.clone();
        assert_eq!(magic, "lvsc/man, wrong: it should be lvsc.man");
    }
}
