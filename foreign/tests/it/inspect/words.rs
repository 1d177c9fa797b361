//! The tree agrees with the decoders.

use super::tree::Tree;
use crate::common::{Fixture, engine_of, fixture, fixtures, manifest};
use levelscope::event::ShownKey;
use levelscope::inspect::{KeyFact, shown};
use levelscope_foreign::batch::{Batch, Item, Operation};
use levelscope_foreign::frame::{LogKind, Records};
use levelscope_foreign::inspect::{self, Part, PartState};
use levelscope_foreign::name::FileName;
use levelscope_foreign::text::hex;
use levelscope_foreign::text::{key, number};
use levelscope_foreign::{Comparator, Engine, Files, Kind, Value, table};

fn tree<'f>(fixture: &'f Fixture, name: &'f str) -> Tree<'f> {
    Tree::new(&fixture.files, engine_of(&fixture.json), &fixture.name, name)
}

/// The entries of a table, with their values: those of rows, or of the first column of a block that has them.
fn entries(tree: &Tree<'_>) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    // Of the block on the way, where its entries are.
    let mut place: (Vec<usize>, Vec<usize>) = Default::default();
    for (path, part) in tree.whole() {
        let Some(own) = part.key.as_ref().filter(|own| own.sequence.is_some()) else { continue };
        let (around, block) = (&path[..path.len() - 1], &path[..path.len() - 2]);
        if place.0 != block {
            place = (block.to_vec(), around.to_vec());
        }
        if path.first() != Some(&0) || place.1 != around {
            continue;
        }
        let sequence = own.sequence.map(number).unwrap_or_default();
        // The fixtures have keys that are shown whole.
        let words = format!("{}, sequence number {sequence}, ", key(&own.key.head));
        let rest = part.value.strip_prefix(&words).unwrap_or_else(|| panic!("{part:?}"));
        let (kind, value) = rest.split_once(": ").map_or((rest, None), |(a, b)| (a, Some(b)));
        let kind = kind.split(" (").next().unwrap_or_default();
        let deletes = ["delete", "single_delete", "delete_with_timestamp", "delete_sized"];
        assert_eq!(own.tombstone, deletes.contains(&kind), "{part:?}");
        assert_eq!(own.kind, Some(kind), "{part:?}");
        // Of a long value there is the beginning.
        let is_cut = |own: &ShownKey| own.head.len() < own.bytes;
        let known = own.value.as_ref().filter(|own| !is_cut(own)).map(|own| shown(&own.head));
        assert!(known.as_deref() == value || own.value.as_ref().is_some_and(is_cut), "{part:?}");
        let is_first = part.name == "entry" && path.last() == Some(&0);
        assert!(!is_first || own.restart && own.shared == 0, "{part:?}");
        found.push((format!("{words}{kind}"), value.map(str::to_owned)));
    }
    found
}

#[test]
fn entries_of_tables_are_those_that_the_cursor_reads() {
    let (mut compared, mut rows) = (0, 0);
    for fixture in fixtures(&["t_", "i_", "e_", "h_", "l_", "p_", "v"]) {
        let engine = engine_of(&fixture.json);
        for name in fixture.named(&["sst", "ldb"]) {
            let order = Comparator::Unknown;
            let Ok(reader) = table::open(&fixture.files, &name, engine, order) else { continue };
            let Ok(mut cursor) = reader.cursor() else { continue };
            if cursor.first().is_err() {
                continue;
            }
            let mut wanted = Vec::new();
            while let Some(entry) = cursor.entry() {
                let (user_key, kind) = (key(entry.user_key), entry.kind);
                let (word, sequence) = (kind.word(), number(entry.sequence));
                let value = match cursor.value().unwrap() {
                    Value::Bytes(bytes) if matches!(kind, Kind::Put | Kind::Merge) => {
                        Some(shown(&bytes))
                    }
                    _ => None,
                };
                wanted.push((format!("{user_key}, sequence number {sequence}, {word}"), value));
                cursor.next().unwrap();
            }
            let found = entries(&tree(&fixture, &name));
            if engine == Engine::Pebble {
                // In columns, rows without a number and a value of their own have no bytes, so they are no parts.
                let mut left = wanted.iter();
                let is_part = found.iter().all(|(words, value)| {
                    left.any(|wanted| *words == wanted.0 && (value.is_none() || *value == wanted.1))
                });
                assert!(is_part, "{}/{name}: {found:?}, {wanted:?}", fixture.name);
            } else {
                assert_eq!(found, wanted, "{}/{name}", fixture.name);
            }
            rows += found.len();
            compared += 1;
        }
    }
    println!("{compared} tables, {rows} rows");
    assert!(compared > 60 && rows > 10_000, "{compared}, {rows}");
}

fn operation_fact(operation: &Operation<'_>) -> KeyFact {
    let Operation { family, kind, sequence, key, value, .. } = *operation;
    let has_value = matches!(kind, Kind::Put | Kind::Merge);
    KeyFact {
        key: ShownKey::new(key),
        of_entry: true,
        sequence: Some(sequence),
        tombstone: kind.is_delete(),
        kind: Some(kind.word()),
        value: has_value.then(|| ShownKey::of_value(value)),
        family: Some(family),
        ..KeyFact::default()
    }
}

/// A record of several entries has the first of them, and their number.
#[test]
fn records_of_logs_have_their_first_entry() {
    let (mut batches, mut families) = (0, std::collections::BTreeSet::new());
    for fixture in fixtures(&["w_", "h_", "l_", "p_", "c_", "f_"]) {
        for name in fixture.named(&["log"]) {
            let mut first = None;
            for (_, part) in tree(&fixture, &name).whole().into_iter().rev() {
                let Some(fact) = part.key else { continue };
                families.extend(fact.family);
                if part.kind == "entry" {
                    first = Some(fact);
                } else if part.kind == "batch" && fact.batch.is_some() {
                    let first = first.take().unwrap();
                    assert_eq!((fact.key, fact.sequence), (first.key, first.sequence));
                    assert_eq!(fact.family, first.family);
                    batches += 1;
                }
            }
        }
    }
    assert!(batches > 10 && families.len() > 1, "{batches}, {families:?}");
}

#[test]
fn entries_of_logs_are_those_of_their_batches() {
    let mut compared = 0;
    for fixture in fixtures(&["w_", "h_", "l_", "p_", "c_"]) {
        let engine = engine_of(&fixture.json);
        for name in fixture.named(&["log"]) {
            let FileName::Log { number: log, .. } = FileName::parse(&name) else { continue };
            let kind = LogKind::Log { engine, number: log };
            let mut records = Records::open(&fixture.files, &name, kind).unwrap();
            let mut wanted = Vec::new();
            while let Some(record) = records.read().unwrap() {
                let batch = Batch::open(engine, &record.data).unwrap();
                for placed in batch.items() {
                    if let Item::Operation(operation) = placed.unwrap().item {
                        wanted.push(operation_fact(&operation));
                    }
                }
            }
            let all = tree(&fixture, &name).whole();
            let found: Vec<&Part> = all
                .iter()
                .map(|(_, part)| part)
                .filter(|part| part.name == "entry" && part.kind == "entry")
                .collect();
            assert_eq!(found.len(), wanted.len(), "{}/{name}", fixture.name);
            for (part, wanted) in found.iter().zip(&wanted) {
                assert_eq!(part.key.as_ref(), Some(wanted));
                let words = format!("sequence number {}, ", number(wanted.sequence.unwrap()));
                assert!(part.value.starts_with(&key(&wanted.key.head)), "{part:?}");
                assert!(part.value.contains(&words), "{part:?}: {words}");
            }
            compared += wanted.len();
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_manifest_has_a_part_for_each_edit_and_each_field() {
    for fixture in fixtures(&["h_", "l_", "p_", "c_", "b_"]) {
        let manifest = manifest(&fixture);
        let all = tree(&fixture, manifest.name()).whole();
        // An edit without a field has no bytes.
        let full = manifest.edits().iter().filter(|edit| edit.bytes > 0).count();
        let found = all.iter().filter(|(_, part)| part.kind == "edit").count();
        assert_eq!(found, full, "{}", fixture.name);
        let added: usize = (0..manifest.edits().len())
            .map(|edit| manifest.edit(&fixture.files, edit).unwrap().1.added.len())
            .sum();
        let found = all.iter().filter(|(_, part)| part.name == "added table").count();
        assert_eq!(found, added, "{}", fixture.name);
    }
}

#[test]
fn raw_bytes_are_those_of_the_file_or_of_the_decoded_content() {
    let fixture = fixture("t_fv3_snappy_xxhash");
    let name = fixture.named(&["sst"]).remove(0);
    let whole = fixture.files.read_whole(&name, 1 << 20).unwrap();
    let raw = |path: &[usize], offset, limit| {
        inspect::raw(&fixture.files, Engine::RocksDb, &name, path, (offset, limit)).unwrap()
    };
    let found = raw(&[], 7, 20);
    assert_eq!((found.hex, found.length), (hex(&whole[7..27]), whole.len() as u64));
    assert_eq!(raw(&[], whole.len() as u64 - 2, 20).hex.len(), 4);
    assert_eq!(raw(&[], u64::MAX, 20).hex, "");
    assert!(raw(&[], 0, usize::MAX).hex.len() <= 128 << 10);
    // Data blocks, the first one, its compressed bytes, their content.
    let content = tree(&fixture, &name).open(&[0, 0, 0, 0], (0, 10));
    let part = content.trail.last().unwrap();
    assert!(part.decoded && part.kind == "content", "{part:?}");
    let found = raw(&[0, 0, 0, 0], 0, 1 << 20);
    assert!(found.decoded);
    assert_eq!((found.length, found.hex.len() as u64), (part.bytes, part.bytes * 2));
    assert!(found.hex.contains(&hex(b"user:0")), "{}", found.hex);
}

#[test]
fn a_block_with_a_wrong_checksum_is_named_and_its_content_shows() {
    let sound = fixture("t_fv2_none_crc32c");
    let name = sound.named(&["sst"]).remove(0);
    let mut bytes = sound.files.read_whole(&name, 1 << 20).unwrap();
    bytes[20] ^= 1;
    let files = levelscope_foreign::MemoryFiles::new([(name.clone(), bytes)]);
    let tree = Tree::new(&files, Engine::RocksDb, "flipped", &name);
    let block = tree.open(&[0, 0], (0, 10));
    let part = block.trail.last().unwrap();
    assert_eq!(part.state, PartState::Damaged);
    let problem = part.problem.as_ref().unwrap();
    assert!(problem.starts_with(&format!("{name}: at offset 0: the block")), "{problem}");
    let sum = tree.open(&[0, 0, 1], (0, 10)).parts.remove(1);
    assert!(sum.problem.unwrap().contains("the checksum is wrong"));
    assert!(tree.open(&[0, 0, 0, 0], (0, 10)).parts.len() > 3);
    let all = tree.whole();
    let damaged = all.iter().filter(|(_, part)| part.state == PartState::Damaged).count();
    assert_eq!(damaged, 2, "the block in its list, and its checksum");
}

#[test]
fn a_path_that_leads_nowhere_is_an_error() {
    let fixture = fixture("l_history");
    let name = fixture.named(&["ldb", "sst"]).remove(0);
    for path in [&[99][..], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[0; 100]] {
        let opened = inspect::open(&fixture.files, Engine::LevelDb, &name, path, (0, 10));
        let error = opened.unwrap_err();
        assert_eq!(error.kind(), levelscope_foreign::ErrorKind::Invalid, "{error}");
    }
    let opened = inspect::open(&fixture.files, Engine::LevelDb, "000999.ldb", &[], (0, 10));
    assert_eq!(opened.unwrap_err().kind(), levelscope_foreign::ErrorKind::Missing);
    // After the last part there is none, however far after.
    for from in [99, usize::MAX - 1, usize::MAX] {
        let opened = tree(&fixture, &name).open(&[], (from, 10));
        assert_eq!((opened.parts.len(), opened.next), (0, None), "from {from}");
    }
}

/// No record of a manifest is described by its length alone.
#[test]
fn every_edit_names_its_content() {
    let mut records = 0;
    for fixture in fixtures(&["h_", "l_", "p_", "c_", "w"]) {
        for file in fixture.files.list() {
            let FileName::Manifest(_) = FileName::parse(&file.name) else { continue };
            for (_, part) in tree(&fixture, &file.name).whole() {
                if part.kind == "record" && part.name == "record" {
                    assert!(!part.value.ends_with(" B"), "{}: {}", fixture.name, part.value);
                    records += 1;
                }
            }
        }
    }
    assert!(records > 100, "{records}");
}

/// Pebble marks the end of a log with a number after its own, which is no older log.
#[test]
fn remains_are_of_a_log_with_a_smaller_number() {
    let mut remains = 0;
    for fixture in fixtures(&["p_", "w", "d"]) {
        for file in fixture.files.list() {
            let FileName::Log { number: own, .. } = FileName::parse(&file.name) else { continue };
            for (_, part) in tree(&fixture, &file.name).whole() {
                if part.name != "remains of an older log" {
                    continue;
                }
                let text = &part.value;
                assert!(text.starts_with("the log ends here; "), "{text}");
                if let Some((_, log)) = text.split_once(", as log ") {
                    assert!(log.parse::<u64>().unwrap() < own, "{} {text}", file.name);
                }
                remains += 1;
            }
        }
    }
    assert!(remains > 0);
}
