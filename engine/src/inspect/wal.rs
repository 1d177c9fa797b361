//! Write-ahead logs, explained.

use super::fields::Fields;
use super::log::{Body, annotate_log};
use super::{Fact, KeyFact, Node, Scope, range_words, shown};
use crate::event::ShownKey;
use crate::key::ValueKind;
use crate::storage::FileName;
use crate::wal::file::Log;
use crate::wal::record::{RECORD_HEADER_BYTES, Record, RecordKind};

/// Names the bytes of the write-ahead log `name` within `scope`: `file`, and zeros up to its `length`; the first
/// `synced` are known to have been durable \[bytes\].
pub(super) fn annotate_wal(
    name: FileName,
    file: &[u8],
    scope: Scope,
    (length, synced): (u64, u64),
) -> Node {
    annotate_log(name, "log", file, Body { value, parts }, scope, (length, synced))
}

fn value(log: Log, record: &Record<'_>) -> String {
    let header = &record.header;
    match header.kind {
        RecordKind::CleanEnd => "the log was closed here".to_owned(),
        RecordKind::SyncMark => super::proves_synced(header.synced_bytes),
        RecordKind::Follows => {
            let before = FileName::Wal(header.number);
            match (record.offset == log.header_bytes(), header.count) {
                (true, 0) => format!("comes after {before}"),
                (true, _) => format!("comes after {before}, which had no clean end yet"),
                (false, _) => format!("{before} has its clean end by now"),
            }
        }
        RecordKind::Batch | RecordKind::Edit => {
            let (first, count) = (header.number, header.count);
            let last = first.saturating_add(u64::from(count)).saturating_sub(1);
            format!("batch of {count}, sequence numbers {first} to {last}")
        }
    }
}

fn parts(record: &Record<'_>) -> Vec<Node> {
    let header = &record.header;
    if !matches!(header.kind, RecordKind::Batch | RecordKind::Edit) {
        return Vec::new();
    }
    let mut fields = Fields::new(record.body, (record.offset + RECORD_HEADER_BYTES) as u64);
    for index in 0..u64::from(header.count) {
        let sequence = header.number.saturating_add(index);
        if fields.rest().is_empty() || !entry(&mut fields, sequence) {
            break;
        }
    }
    fields.finish("this is no entry of a batch")
}

/// Adds the next entry; false when there is none that can be read.
fn entry(fields: &mut Fields<'_>, sequence: u64) -> bool {
    let begin = fields.position();
    let mut parts = Fields::new(fields.rest(), begin);
    let Some((kind, key, value, words)) = entry_parts(&mut parts) else { return false };
    let children = parts.so_far();
    fields.push(Node::branch(format!("entry {sequence}"), "entry", begin, words, children));
    fields.set_fact(Some(Fact::Key(KeyFact {
        key: ShownKey::new(key),
        of_entry: true,
        sequence: Some(sequence),
        tombstone: kind != ValueKind::Put,
        value: (kind == ValueKind::Put).then(|| ShownKey::of_value(value)),
        ..KeyFact::default()
    })));
    true
}

/// Adds the parts of one entry, returns its kind, its key and its value, and describes its effect.
fn entry_parts<'a>(parts: &mut Fields<'a>) -> Option<(ValueKind, &'a [u8], &'a [u8], String)> {
    let tag = parts.rest().first().copied()?;
    let kind = ValueKind::from_tag(tag)?;
    let word = match kind {
        ValueKind::Put => "put",
        ValueKind::Delete => "delete",
        ValueKind::RangeDelete => return range_parts(parts),
    };
    parts.take("kind", "kind", 1, |_| format!("{tag}: {word}"))?;
    let key_bytes = parts.varint("key length", "length")?;
    let value_bytes = parts.varint("value length", "length")?;
    let key = parts.text("key", "key", key_bytes)?;
    let value = parts.text("value", "value", value_bytes)?;
    Some((kind, key, value, format!("{word} {}", shown(key))))
}

/// Adds the parts of a range delete and names its range of keys.
fn range_parts<'a>(parts: &mut Fields<'a>) -> Option<(ValueKind, &'a [u8], &'a [u8], String)> {
    parts.take("kind", "kind", 1, |_| "2: range delete".to_owned())?;
    let begin_bytes = parts.varint("key length", "length")?;
    let end_bytes = parts.varint("value length", "length")?;
    let begin = parts.text("first key", "key", begin_bytes)?;
    let end = parts.text("key before which the range ends", "value", end_bytes)?;
    Some((ValueKind::RangeDelete, begin, end, range_words(begin, end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WriteBatch;
    use crate::inspect::fields::find;
    use crate::storage::MemoryStorage;
    use crate::testing::covers::assert_covers;
    use crate::wal::WalWriter;

    const NAME: FileName = FileName::Wal(3);

    fn annotate_wal(name: FileName, file: &[u8], scope: Scope) -> Node {
        super::annotate_wal(name, file, scope, (file.len() as u64, 0))
    }

    fn log() -> Vec<u8> {
        let storage = MemoryStorage::new();
        let mut writer = WalWriter::create(&storage, 3).unwrap();
        let mut batch = WriteBatch::new();
        batch.put(b"apple", b"red").unwrap();
        batch.delete(b"").unwrap();
        for first in [1, 3, 5] {
            writer.append(first, batch.len(), batch.body()).unwrap();
        }
        writer.sync().unwrap();
        writer.close().unwrap();
        storage.read(NAME).unwrap()
    }

    #[test]
    fn a_log_is_explained() {
        let tree = annotate_wal(NAME, &log(), Scope::ALL);
        assert_covers(&tree, &log());
        let words: Vec<&str> = tree.children.iter().map(|node| node.value.as_str()).collect();
        assert_eq!(
            words,
            [
                "",
                "batch of 2, sequence numbers 1 to 2",
                "batch of 2, sequence numbers 3 to 4",
                "batch of 2, sequence numbers 5 to 6",
                "proves that 178 bytes were synced",
                "the log was closed here",
            ]
        );
        let entry = find(&tree, "entry 4").unwrap();
        assert_eq!(entry.value, "delete ");
        let fact = |name: &str| find(&tree, name).and_then(|node| node.fact.clone());
        let is = |key: &[u8], sequence, value: Option<&[u8]>| {
            Fact::Key(KeyFact {
                key: ShownKey::new(key),
                of_entry: true,
                sequence: Some(sequence),
                tombstone: value.is_none(),
                value: value.map(ShownKey::of_value),
                ..KeyFact::default()
            })
        };
        assert_eq!(fact("entry 3"), Some(is(b"apple", 3, Some(b"red"))));
        assert_eq!(fact("entry 4"), Some(is(b"", 4, None)));
        assert!(find(&tree, "checksum of the body").unwrap().value.ends_with("correct"));
        assert!(find(&tree, "damaged bytes").is_none());
    }

    #[test]
    fn range_deletes_are_explained() {
        let storage = MemoryStorage::new();
        let mut writer = WalWriter::create(&storage, 3).unwrap();
        let mut batch = WriteBatch::new();
        batch.delete_range(b"a", b"m").unwrap();
        batch.delete_from(b"x").unwrap();
        writer.append(7, batch.len(), batch.body()).unwrap();
        writer.close().unwrap();
        let file = storage.read(NAME).unwrap();
        let tree = annotate_wal(NAME, &file, Scope::ALL);
        assert_covers(&tree, &file);
        assert_eq!(find(&tree, "entry 7").unwrap().value, r#"range delete ["a", "m")"#);
        let second = find(&tree, "entry 8").unwrap();
        assert_eq!(second.value, r#"range delete ["x", end of all keys)"#);
        assert!(find(second, "key before which the range ends").is_none());
    }

    #[test]
    fn every_byte_of_a_cut_log_has_a_name() {
        let good = log();
        for cut in 0..=good.len() {
            assert_covers(&annotate_wal(NAME, &good[..cut], Scope::ALL), &good[..cut]);
        }
    }

    #[test]
    fn what_was_synced_and_is_no_record_is_damage() {
        let mut bytes = log();
        let last = bytes.len() - 2;
        bytes[last] ^= 1;
        let verdict = |synced| {
            let tree = super::annotate_wal(NAME, &bytes, Scope::ALL, (bytes.len() as u64, synced));
            find(&tree, "damaged bytes").unwrap().value.clone()
        };
        assert!(
            verdict(0).contains("a crash tore unsynced bytes here, or they were damaged"),
            "{}",
            verdict(0)
        );
        let synced = last as u64 - 30;
        assert_eq!(verdict(synced), verdict(0), "the synced bytes end before it");
        let whole = bytes.len() as u64;
        assert!(
            verdict(whole).contains(&format!("the first {whole} bytes of the file were synced")),
            "{}",
            verdict(whole)
        );
    }

    #[test]
    fn reserved_space_is_one_node() {
        let mut bytes = log();
        let length = bytes.len();
        bytes.resize(4096, 0);
        let tree = annotate_wal(NAME, &bytes, Scope::ALL);
        assert_covers(&tree, &bytes);
        let last = tree.children.last().unwrap();
        assert_eq!((last.name.as_str(), last.offset), ("reserved space", length as u64));
        // After a torn record too.
        bytes[length - 2] ^= 1;
        let tree = annotate_wal(NAME, &bytes, Scope::ALL);
        assert_covers(&tree, &bytes);
        assert_eq!(tree.children.last().unwrap(), last);
        assert_eq!(find(&tree, "damaged bytes").unwrap().bytes, 32);
        let empty = annotate_wal(NAME, &[0; 4096], Scope::ALL);
        assert_covers(&empty, &[0; 4096]);
        assert_eq!(empty.value, "created, but never written");
    }

    #[test]
    fn zeros_that_are_not_held_are_reserved_space() {
        let mut bytes = log();
        for torn in [false, true] {
            let last = bytes.len() - 2;
            bytes[last] ^= u8::from(torn);
            let mut whole = bytes.clone();
            whole.resize(4096, 0);
            for held in [bytes.len(), bytes.len() + 99] {
                let tree = super::annotate_wal(NAME, &whole[..held], Scope::ALL, (4096, 0));
                assert_eq!(tree, annotate_wal(NAME, &whole, Scope::ALL), "{torn}");
            }
        }
        let empty = super::annotate_wal(NAME, &[], Scope::ALL, (4096, 0));
        assert_eq!(empty, annotate_wal(NAME, &[0; 4096], Scope::ALL));
    }

    #[test]
    fn every_byte_of_a_damaged_log_has_a_name() {
        let good = log();
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 0x21;
            let tree = annotate_wal(NAME, &bytes, Scope::ALL);
            assert_covers(&tree, &bytes);
            // Later records are still explained, unless the flip hit the identity in the file header.
            let unknown = (20..36).contains(&at);
            assert!(at >= 132 || unknown || find(&tree, "entry 6").is_some(), "byte {at}");
            let reported = format!("{tree:?}").contains("does not match its checksum");
            assert!(reported || at < 40, "byte {at}: {tree:?}");
        }
    }
}
