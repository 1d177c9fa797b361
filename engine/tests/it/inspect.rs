//! Every byte of every file that the engine writes has one name, also when a file is looked at in
//! parts, when it is damaged, and when it is only half written.

use crate::common::*;
use levelscope::event::{EventKind, EventSink, Grain, Recorder};
use levelscope::inspect::{
    Decoded, Fact, Node, Scope, Source, annotate, annotate_scope, decoded_of, part_of, stretches,
};
use levelscope::storage::{File, FileName, MemoryStorage, Storage};
use levelscope::{Maintenance, Options, Result, WalSync};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The files of a random history, some of them damaged or cut.
fn files(seed: u64) -> Vec<(FileName, Vec<u8>)> {
    let mut random = Random(seed ^ 0xb17e5);
    let options = small_options(&mut random);
    let script = random_script(&mut random, 250);
    let memory = MemoryStorage::default();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let open = || open_watched(Arc::clone(&storage), options.clone(), None).expect("opens");
    let mut db = open();
    for op in &script {
        if let Op::Reopen = op {
            drop(db);
            db = open();
        } else {
            run(&db, op).expect("the operation works");
        }
    }
    let names = memory.list().unwrap();
    let names = names.iter().filter_map(|name| FileName::parse(name));
    let mut files: Vec<_> =
        names.map(|name| (name, db.read_file(name).expect("it can be read"))).collect();
    let hurt: Vec<_> = files.iter().map(|(name, file)| (*name, hurt(&mut random, file))).collect();
    files.extend(hurt);
    files
}

/// A copy with changed bytes, or cut off.
fn hurt(random: &mut Random, file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    if file.is_empty() {
        return file;
    }
    if random.below(3) == 0 {
        file.truncate(random.below(file.len() as u64) as usize);
    } else {
        for _ in 0..=random.below(4) {
            let at = random.below(file.len() as u64) as usize;
            file[at] ^= 1 << random.below(8);
        }
    }
    file
}

fn leaves<'a>(node: &'a Node, found: &mut Vec<&'a Node>) {
    if node.children.is_empty() {
        found.push(node);
    }
    node.children.iter().for_each(|child| leaves(child, found));
}

fn leaves_of(node: &Node) -> Vec<&Node> {
    let mut found = Vec::new();
    leaves(node, &mut found);
    found
}

/// Checks that the parts follow one another from `from` on, and where they end.
fn assert_whole(parts: &[Node], from: u64, place: &str) -> u64 {
    parts.iter().fold(from, |next, part| {
        assert_eq!(part.offset, next, "{place}: {part:?}");
        if !part.children.is_empty() {
            let end = assert_whole(&part.children, next, place);
            assert_eq!(end, next + part.bytes, "{place}: {part:?}");
        }
        assert_whole(&part.inside, 0, place);
        next + part.bytes
    })
}

#[test]
fn every_byte_of_every_file_has_one_name() {
    let mut technique = Technique::new("names of bytes", 30);
    while let Some(seed) = technique.next_seed() {
        for (name, file) in files(seed) {
            let place = format!("seed {seed}, {name}");
            let tree = annotate(name, &file).unwrap();
            assert_eq!(tree.bytes, file.len() as u64, "{place}");
            assert_eq!(assert_whole(&tree.children, 0, &place).max(tree.bytes), tree.bytes);
            let found = leaves_of(&tree);
            let mut next = 0;
            for offset in 0..file.len() as u64 {
                // Counted from the leaves, not from the tree: exactly one of them has the byte.
                while found[next].offset + found[next].bytes <= offset {
                    next += 1;
                }
                assert!(found[next].offset <= offset, "{place}: byte {offset}");
            }
            technique.count(file.len() as u64);
        }
    }
}

#[test]
fn a_window_names_bytes_as_the_whole_file_does() {
    let mut technique = Technique::new("windows of bytes", 20);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed);
        for (name, file) in files(seed) {
            let whole = annotate(name, &file).unwrap();
            for _ in 0..8 {
                let from = random.below(file.len() as u64 + 1);
                let to = from + 1 + random.below(200);
                let scope = Scope::between(from, to);
                let mut part = annotate_scope(name, &Source::Bytes(&file), scope).unwrap();
                part.keep_between(from, to);
                let inside = |leaf: &&Node| {
                    leaf.bytes > 0 && leaf.offset < to && leaf.offset + leaf.bytes > from
                };
                let fields = |leaf: &Node| {
                    (leaf.name.clone(), leaf.kind, leaf.number, leaf.offset, leaf.bytes)
                };
                let of = |tree: &Node| -> Vec<_> {
                    leaves_of(tree).into_iter().filter(inside).map(fields).collect()
                };
                assert_eq!(of(&part), of(&whole), "seed {seed}, {name}, {from} to {to}");
                technique.count(1);
            }
        }
    }
}

fn for_each_node(node: &Node, path: &str, visit: &mut impl FnMut(&Node, &str)) {
    visit(node, path);
    for part in node.children.iter().chain(&node.inside) {
        let path = format!("{path}/{}", part.step());
        for_each_node(part, path.trim_start_matches('/'), visit);
    }
}

#[test]
fn every_node_is_found_by_its_path() {
    let mut technique = Technique::new("paths of nodes", 4);
    while let Some(seed) = technique.next_seed() {
        for (name, file) in files(seed) {
            let source = Source::Bytes(&file);
            let mut number = 0_u64;
            let whole = annotate(name, &file).unwrap();
            for_each_node(&whole, "", &mut |node, path| {
                number += 1;
                if number > 40 && !number.is_multiple_of(17) {
                    return;
                }
                let place = format!("seed {seed}, {name}/{path}");
                let part = part_of(name, &source, path, (1, 2)).unwrap().expect(&place);
                let last = part.trail.last().expect(&place);
                // The file's own node does not take its parts apart.
                if !path.is_empty() {
                    assert_eq!(last.node, node.alone(), "{place}");
                }
                let parts: Vec<&Node> = node.children.iter().chain(&node.inside).collect();
                assert_eq!(part.count, parts.len() as u64, "{place}");
                assert_eq!(part.parts.len(), parts.len().saturating_sub(1).min(2), "{place}");
                assert_eq!(
                    part.parts.first().map(Node::step),
                    parts.get(1).map(|node| node.step()),
                    "{place}"
                );
                technique.count(1);
            });
            for wrong in ["block:0", "block", "entry:1/x", ":", "record:99999999999", "table:1"] {
                assert_eq!(part_of(name, &source, wrong, (0, 1)).unwrap(), None, "{name}/{wrong}");
            }
        }
    }
}

#[test]
fn ribbons_cover_a_file_and_are_short() {
    for (name, file) in files(7) {
        let outline = annotate_scope(name, &Source::Bytes(&file), Scope::OUTLINE).unwrap();
        for most in [1, 3, 10, 1000] {
            let found = stretches(&outline, most);
            let end = found.iter().fold(0, |next, stretch| {
                assert_eq!(stretch.offset, next, "{name}: {stretch:?}");
                next + stretch.bytes
            });
            assert_eq!(end, file.len() as u64, "{name}");
            let counted = found.iter().filter(|stretch| stretch.kind != "mark");
            let parts: u64 = counted.map(|stretch| stretch.parts).sum();
            // Missing bytes have no place in a ribbon, and marks are joined with the records around them.
            let shown = |child: &&Node| child.bytes > 0 && child.kind != "mark";
            let shown = outline.children.iter().filter(shown).count();
            assert_eq!(parts, shown as u64, "{name}");
            // Joined stretches have a share of the file each; those between two kinds stay.
            assert!(found.len() as u64 <= most + 12, "{name}: {}", found.len());
        }
    }
}

#[test]
fn checksums_are_those_of_the_bytes_that_they_name() {
    let mut checked = 0;
    for (name, file) in files(11) {
        for_each_node(&annotate(name, &file).unwrap(), "", &mut |node, path| {
            let Some(Fact::Checksum { stored, computed, from, bytes }) = &node.fact else { return };
            let place = format!("{name}/{path}");
            let range = *from as usize..(*from + *bytes) as usize;
            let at = node.offset as usize;
            assert_eq!(file[at..at + 4], stored.to_le_bytes(), "{place}");
            // A record's header sum also covers its place, which is not stored.
            let of_record = path.contains("record:") || path.contains("mark:");
            if !(of_record && node.name == "checksum of the header") {
                assert_eq!(*computed, crc32fast::hash(&file[range]), "{place}");
                checked += 1;
            }
            assert_eq!(stored == computed, node.value.ends_with("correct"), "{place}");
        });
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn compressed_blocks_can_be_looked_into() {
    let mut looked = 0;
    for block_bytes in [256, 4096] {
        let (name, file) = table_of(block_bytes, 200, |number| {
            format!("a value that is much like the others, number {number}").into_bytes()
        });
        let source = Source::Bytes(&file);
        for_each_node(&annotate(name, &file).unwrap(), "", &mut |node, path| {
            if node.kind != "compressed" {
                return;
            }
            let (block, _) = path.rsplit_once('/').unwrap();
            for path in [path, block] {
                let Decoded { bytes, node: holder } =
                    decoded_of(name, &source, path).unwrap().expect(path);
                assert_eq!(&holder, node, "{name}/{path}");
                let end = assert_whole(&holder.inside, 0, path);
                assert_eq!(end, bytes.len() as u64, "{name}/{path}");
            }
            // The compressed leaf need not be named.
            if node.inside.first().is_some_and(|first| first.kind == "entry") {
                let short = part_of(name, &source, &format!("{block}/entry:1"), (0, 9));
                let long = part_of(name, &source, &format!("{path}/entry:1"), (0, 9));
                assert_eq!(short.unwrap(), long.unwrap());
                looked += 1;
            }
        });
    }
    assert!(looked > 10, "{looked}");
}

/// The table that a flush of `count` pairs makes.
fn table_of(
    block_bytes: usize,
    count: u64,
    mut value: impl FnMut(u64) -> Vec<u8>,
) -> (FileName, Vec<u8>) {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::default());
    let options = Options::default()
        .maintenance(Maintenance::Manual)
        .block_bytes(block_bytes)
        .memtable_bytes(8 << 20);
    let db = open_watched(storage, options, None).unwrap();
    for number in 0..count {
        db.put(format!("key{number:08}").as_bytes(), value(number)).unwrap();
    }
    run(&db, &Op::Flush).unwrap();
    while db.view().levels.iter().all(|level| level.tables.is_empty()) {
        run(&db, &Op::Step(1000)).unwrap();
    }
    let table = db.view().levels.iter().flat_map(|level| level.tables.clone()).next().unwrap();
    let name = FileName::Table(table.table);
    (name, db.read_file(name).unwrap())
}

/// A file that counts the bytes read from it.
#[derive(Debug)]
struct Counting {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl File for Counting {
    fn append(&self, _: &[u8]) -> Result<()> {
        panic!("inspection never writes")
    }
    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        panic!("inspection never writes")
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let rest = &self.bytes[offset as usize..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
    fn sync(&self) -> Result<()> {
        panic!("inspection never writes")
    }
    fn len(&self) -> Result<u64> {
        Ok(self.bytes.len() as u64)
    }
}

#[test]
fn a_block_of_a_large_table_is_explained_without_reading_the_table() {
    let mut random = Random(5);
    let (name, bytes) = table_of(4096, 20_000, |_| random.bytes(100));
    let file = Counting { bytes, read: AtomicU64::new(0) };
    let length = file.bytes.len() as u64;
    assert!(length > 2_000_000, "{length}");
    let source = Source::open(&file, name).unwrap();
    let part = part_of(name, &source, "block:200/entry:3", (0, 10)).unwrap().unwrap();
    assert_eq!(part.trail[1].node.name, "data block 200");
    let read = file.read.swap(0, Ordering::Relaxed);
    assert!(read < length / 10, "{read} of {length} bytes were read");
    let whole = annotate(name, &file.bytes).unwrap();
    let at = part.trail[1].node.offset;
    let mut window = annotate_scope(name, &source, Scope::between(at, at + 100)).unwrap();
    window.keep_between(at, at + 100);
    assert_eq!(window.children.len(), 1);
    assert_eq!(window.bytes, whole.bytes);
    let read = file.read.swap(0, Ordering::Relaxed);
    assert!(read < length / 20, "{read} of {length} bytes were read");
}

#[test]
fn a_record_has_the_number_of_its_event() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let events = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink = Some(Arc::clone(&events) as Arc<dyn EventSink>);
    let (wal_sync, maintenance) = (WalSync::None, Maintenance::Manual);
    let options = Options::default().wal_sync(wal_sync).maintenance(maintenance);
    let db = open_watched(storage, options, sink).unwrap();
    // Several records at once are followed by a sync mark; the second log begins with the name of the first.
    for round in 0..6_u8 {
        for key in 0..round {
            db.put([round, key], b"value").unwrap();
        }
        db.sync().unwrap();
        if round == 3 {
            db.rotate().unwrap();
        }
    }
    db.write_out().unwrap();
    let mut appended = 0;
    for event in events.drain().0 {
        let EventKind::WalAppend { wal, offset, records, .. } = event.kind else { continue };
        let log = db.inspect(FileName::Wal(wal)).unwrap();
        let node = log.children.iter().find(|node| node.offset == offset).unwrap();
        assert_eq!(
            (node.name.clone(), node.step()),
            (format!("record {records}"), format!("record:{records}"))
        );
        appended += 1;
    }
    assert_eq!(appended, 15);
    for wal in db.view().wals {
        let log = db.inspect(FileName::Wal(wal.wal)).unwrap();
        assert!(log.value.starts_with(&format!("{} record", wal.records)), "{}", log.value);
        assert!(log.children.iter().any(|node| node.name == "sync mark"), "{log:?}");
    }
}
