//! Tables and blob files that are made here, because no directory at hand has them: value blocks, a rewritten blob
//! file, a key schema that is not known.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::fixture;
use levelscope_foreign::blob::PebbleBlobFile;
use levelscope_foreign::checksum::masked_crc32c;
use levelscope_foreign::pebble::Table;
use levelscope_foreign::{
    Comparator, ErrorKind, Files, Kind, MemoryFiles, Severity, TableReader, Value, pebble,
};

const ORDER: Comparator = Comparator::Bytewise;

/// A file that grows by blocks with trailers.
#[derive(Default)]
struct Made(Vec<u8>);

impl Made {
    /// Appends a block and returns its handle as varints.
    fn block(&mut self, content: &[u8]) -> Vec<u8> {
        let mut handle = varint(self.0.len());
        handle.extend(varint(content.len()));
        self.0.extend_from_slice(content);
        self.0.push(0);
        let covered = [content, &[0]].concat();
        self.0.extend_from_slice(&masked_crc32c(&covered).to_le_bytes());
        handle
    }

    /// The footer of a table of a row format.
    fn finish(mut self, format: u32, metaindex: &[u8], index: &[u8]) -> Vec<u8> {
        let start = self.0.len();
        self.0.push(1);
        self.0.extend_from_slice(metaindex);
        self.0.extend_from_slice(index);
        self.0.resize(start + 41, 0);
        self.0.extend_from_slice(&format.to_le_bytes());
        self.0.extend_from_slice("\u{1fab3}\u{1fab3}".as_bytes());
        self.0
    }
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(u8::try_from(number % 128).unwrap() | 128);
        number /= 128;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

/// A block of rows, each a restart point; `marked` sets the top bit of all restart points but the first.
fn rows(entries: &[(Vec<u8>, Vec<u8>)], marked: bool) -> Vec<u8> {
    let mut block = Vec::new();
    let mut restarts = Vec::new();
    for (key, value) in entries {
        let mark = if marked && !restarts.is_empty() { 1 << 31 } else { 0 };
        restarts.push(u32::try_from(block.len()).unwrap() | mark);
        block.push(0);
        block.extend(varint(key.len()));
        block.extend(varint(value.len()));
        block.extend_from_slice(key);
        block.extend_from_slice(value);
    }
    if restarts.is_empty() {
        restarts.push(0);
    }
    for restart in &restarts {
        block.extend_from_slice(&restart.to_le_bytes());
    }
    block.extend_from_slice(&u32::try_from(restarts.len()).unwrap().to_le_bytes());
    block
}

fn internal(key: &str, sequence: u64, kind: u64) -> Vec<u8> {
    [key.as_bytes(), &(sequence << 8 | kind).to_le_bytes()].concat()
}

/// A table of format 3 with two value blocks: one value of `k` is in the second.
fn table_with_value_blocks(handle: &[u8]) -> Vec<u8> {
    table_with_value_blocks_at(handle, 0)
}

/// The same; in the index the second value block begins `earlier` bytes earlier.
fn table_with_value_blocks_at(handle: &[u8], earlier: usize) -> Vec<u8> {
    let mut made = Made::default();
    let prefixed = |prefix: u8, value: &[u8]| [&[prefix], value].concat();
    let data = rows(
        &[
            // In the table; in a value block; obsolete and in the table; a set with delete and a merge without prefix.
            (internal("k", 9, 1), prefixed(0, b"newest")),
            (internal("k", 8, 1), prefixed(0xa0, handle)),
            (internal("k", 7, 1 | 64), prefixed(0x20, b"obsolete")),
            (internal("l", 6, 18), b"with delete".to_vec()),
            (internal("m", 5, 2), b"operand".to_vec()),
        ],
        true,
    );
    let data = made.block(&data);
    let index = made.block(&rows(&[(internal("n", 0, 0), [data, vec![1, 2, 3]].concat())], false));
    let mut places = Vec::new();
    for (number, content) in [b"first block".as_slice(), b"0123456789"].into_iter().enumerate() {
        places.push(u8::try_from(number).unwrap());
        let offset = made.0.len() - number * earlier;
        places.extend_from_slice(&u16::try_from(offset).unwrap().to_le_bytes());
        places.push(u8::try_from(content.len()).unwrap());
        made.block(content);
    }
    let value_index = [made.block(&places), vec![1, 2, 1]].concat();
    let entries = (b"rocksdb.num.entries".to_vec(), varint(5));
    let properties = made.block(&rows(&[entries], false));
    let metaindex = made.block(&rows(
        &[
            (b"pebble.value_index".to_vec(), value_index),
            (b"rocksdb.properties".to_vec(), properties),
        ],
        false,
    ));
    made.finish(3, &metaindex, &index)
}

fn memory(name: &str, bytes: Vec<u8>) -> MemoryFiles {
    MemoryFiles::new([(name.to_owned(), bytes)])
}

#[test]
fn values_in_value_blocks_are_read_and_prefixes_are_taken_off() {
    // 4 bytes at offset 3 of value block 1.
    let files = memory("000001.sst", table_with_value_blocks(&[4, 1, 3]));
    let table = pebble::open(&files, "000001.sst", ORDER).unwrap();
    let mut cursor = table.cursor().unwrap();
    let mut found = Vec::new();
    cursor.first().unwrap();
    while let Some(entry) = cursor.entry() {
        let (sequence, kind) = (entry.sequence, entry.kind);
        found.push((sequence, kind, cursor.value().unwrap()));
        cursor.next().unwrap();
    }
    let bytes = |value: &[u8]| Value::Bytes(value.to_vec());
    let wanted = [
        (9, Kind::Put, bytes(b"newest")),
        (8, Kind::Put, bytes(b"3456")),
        (7, Kind::Put, bytes(b"obsolete")),
        (6, Kind::Put, bytes(b"with delete")),
        (5, Kind::Merge, bytes(b"operand")),
    ];
    assert_eq!(found, wanted);
    for (sequence, wanted) in [(100, 9), (8, 8), (7, 7)] {
        cursor.seek(b"k", sequence).unwrap();
        assert_eq!(cursor.entry().unwrap().sequence, wanted);
    }
    cursor.seek(b"k", 6).unwrap();
    assert_eq!(cursor.entry().unwrap().user_key, b"l");
    let mut problems = Vec::new();
    table.check(true, &mut |problem| problems.push(problem));
    assert_eq!(problems, []);
}

#[test]
fn a_value_outside_of_its_value_block_is_damage() {
    // Past the end of the block; a block that does not exist; a handle that is cut short.
    for handle in [&[4, 1, 7][..], &[4, 2, 0], &[4]] {
        let files = memory("000001.sst", table_with_value_blocks(handle));
        let table = pebble::open(&files, "000001.sst", ORDER).unwrap();
        let mut cursor = table.cursor().unwrap();
        cursor.seek(b"k", 8).unwrap();
        let error = cursor.value().unwrap_err();
        assert_eq!((error.kind(), error.file()), (ErrorKind::Damaged, Some("000001.sst")));
        let mut problems = Vec::new();
        table.check(true, &mut |problem| problems.push(problem));
        assert_eq!(problems.len(), 1, "{problems:?}");
        let mut problems = 0;
        table.check(false, &mut |_| problems += 1);
        assert_eq!(problems, 0);
    }
    // 16 bytes earlier is the first value block.
    let files = memory("000001.sst", table_with_value_blocks_at(&[4, 0, 0], 16));
    let table = pebble::open(&files, "000001.sst", ORDER).unwrap();
    let mut cursor = table.cursor().unwrap();
    cursor.seek(b"k", 8).unwrap();
    let error = cursor.value().unwrap_err();
    assert!(error.message().contains("overlaps another one"), "{error}");
}

/// A table of format 2 with one data block; its index has `times` entries for it, each with the separator `n`.
fn plain_table(entries: &[(Vec<u8>, Vec<u8>)], counted: usize, times: usize) -> MemoryFiles {
    let mut made = Made::default();
    let data = made.block(&rows(entries, false));
    let index = made.block(&rows(&vec![(internal("n", 0, 0), data); times], false));
    let count = (b"rocksdb.num.entries".to_vec(), varint(counted));
    let properties = made.block(&rows(&[count], false));
    let names = [(b"rocksdb.properties".to_vec(), properties)];
    let metaindex = made.block(&rows(&names, false));
    memory("000001.sst", made.finish(2, &metaindex, &index))
}

/// Findings of a deep check of the table.
fn findings(files: &MemoryFiles) -> Vec<String> {
    let table = pebble::open(files, "000001.sst", ORDER).unwrap();
    let mut found = Vec::new();
    table.check(true, &mut |problem| found.push(problem.message));
    found
}

#[test]
fn a_check_finds_keys_out_of_order_and_a_wrong_count() {
    let put = |key: &str, sequence: u64| (internal(key, sequence, 1), b"value".to_vec());
    let none: [&str; 0] = [];
    let sound = [put("a", 3), put("b", 9), put("b", 8)];
    assert_eq!(findings(&plain_table(&sound, 3, 1)), none);
    let order = "the keys of this block are not in order";
    // Descending keys, an older version before a newer one, the same entry again, a key after the separator.
    assert_eq!(findings(&plain_table(&[put("b", 3), put("a", 3)], 2, 1)), [order]);
    assert_eq!(findings(&plain_table(&[put("b", 3), put("b", 4)], 2, 1)), [order]);
    assert_eq!(findings(&plain_table(&[put("b", 3), put("b", 3)], 2, 1)), [order]);
    assert_eq!(findings(&plain_table(&[put("b", 3), put("n0", 3)], 2, 1)), [order]);
    assert_eq!(findings(&plain_table(&sound, 4, 1)), ["3 entries, the properties count 4"]);
}

#[test]
fn an_index_that_names_a_block_twice_is_damage() {
    let entries = [(internal("a", 3, 1), b"value".to_vec())];
    let files = plain_table(&entries, 1, 2);
    let table = pebble::open(&files, "000001.sst", ORDER).unwrap();
    assert_eq!(table.cursor().err().unwrap().kind(), ErrorKind::Damaged);
    assert_eq!(findings(&files).len(), 1);
    assert_eq!(findings(&plain_table(&entries, 1, 1)).len(), 0);
}

/// A columnar block: a column of integers of eight bytes, or of strings, for each part.
fn columns(custom: &[u8], rows: u32, parts: &[Column<'_>]) -> Vec<u8> {
    let mut block = custom.to_vec();
    block.push(1);
    block.extend_from_slice(&u16::try_from(parts.len()).unwrap().to_le_bytes());
    block.extend_from_slice(&rows.to_le_bytes());
    let head = block.len();
    block.resize(head + 5 * parts.len(), 0);
    for (number, part) in parts.iter().enumerate() {
        let at = head + 5 * number;
        block[at] = if matches!(part, Column::Uints(_)) { 2 } else { 3 };
        let offset = u32::try_from(block.len()).unwrap();
        block[at + 1..at + 5].copy_from_slice(&offset.to_le_bytes());
        match part {
            Column::Uints(numbers) => uints(&mut block, numbers),
            Column::Strings(strings) => {
                let mut ends = vec![0];
                ends.extend(strings.iter().scan(0, |end, string| {
                    *end += string.len() as u64;
                    Some(*end)
                }));
                uints(&mut block, &ends);
                block.extend(strings.concat());
            }
        }
    }
    block.push(0);
    block
}

enum Column<'a> {
    Uints(Vec<u64>),
    Strings(Vec<&'a [u8]>),
}

fn uints(block: &mut Vec<u8>, numbers: &[u64]) {
    if numbers.is_empty() {
        return;
    }
    block.push(8);
    block.resize(block.len().next_multiple_of(8), 0);
    for number in numbers {
        block.extend_from_slice(&number.to_le_bytes());
    }
}

#[test]
fn a_rewritten_blob_file_is_read_by_its_old_blocks() {
    let mut made = Made::default();
    let mut offsets = vec![0];
    for values in [vec![b"a".as_slice(), b"bb", b"ccc"], vec![b"dddd"]] {
        let rows = u32::try_from(values.len()).unwrap();
        made.block(&columns(&[], rows, &[Column::Strings(values)]));
        offsets.push(made.0.len() as u64);
    }
    // Old block 0 is the first of the file; 1 has no value left; 2 starts at row 1 of the first; 3 is the second.
    let mapping = vec![0, 0xffff_ffff, 1 << 32, 1];
    let parts = [Column::Uints(mapping), Column::Uints(offsets)];
    let start = made.0.len() as u64;
    let index = columns(&4_u32.to_le_bytes(), 2, &parts);
    made.block(&index);
    let mut tail = Vec::new();
    tail.extend_from_slice(&start.to_le_bytes());
    tail.extend_from_slice(&(index.len() as u64).to_le_bytes());
    tail.extend_from_slice(&[1, 2]);
    tail.extend_from_slice(&7_u64.to_le_bytes());
    tail.resize(58, 0);
    tail.extend_from_slice("\u{1fab3}\u{1f982}".as_bytes());
    made.0.extend_from_slice(&masked_crc32c(&tail).to_le_bytes());
    made.0.extend_from_slice(&tail);

    let files = memory("000007.blob", made.0);
    let mut blob = PebbleBlobFile::open(&files, "000007.blob").unwrap();
    assert_eq!((blob.format(), blob.blocks()), (2, 2));
    assert_eq!(blob.value(0, 1, 2).unwrap(), b"bb");
    assert_eq!(blob.value(2, 0, 2).unwrap(), b"bb");
    assert_eq!(blob.value(2, 1, 3).unwrap(), b"ccc");
    assert_eq!(blob.value(3, 0, 4).unwrap(), b"dddd");
    for (block, value, bytes) in [(1, 0, 1), (4, 0, 1), (2, 2, 1), (3, 0, 3)] {
        assert_eq!(blob.value(block, value, bytes).unwrap_err().kind(), ErrorKind::Damaged);
    }
    let mut problems = Vec::new();
    blob.check(true, &mut |problem| problems.push(problem));
    assert_eq!(problems, []);
}

#[test]
fn a_table_of_another_key_schema_shows_all_but_its_keys() {
    let name = "000005.sst";
    let mut bytes = fixture("p_newest_plain").files.read_whole(name, 1 << 20).unwrap();
    let at = bytes.windows(17).position(|bytes| bytes == b"DefaultKeySchema(").unwrap();
    bytes[at..at + 7].copy_from_slice(b"Private");
    // The checksum of the properties follows the first byte after them that makes it fit.
    let sound = fixture("p_newest_plain").files.read_whole(name, 1 << 20).unwrap();
    let (start, end) = (0..at)
        .rev()
        .find_map(|start| {
            let fits = |end: &usize| {
                masked_crc32c(&sound[start..*end]).to_le_bytes() == sound[*end..*end + 4]
            };
            (at + 17..(at + 1500).min(sound.len() - 4)).find(fits).map(|end| (start, end))
        })
        .unwrap();
    let checksum = masked_crc32c(&bytes[start..end]);
    bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());

    let files = memory(name, bytes);
    let table = Table::open(&files, name, Comparator::Unknown).unwrap();
    let error = table.cursor().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotRead);
    assert!(error.message().contains("PrivateKeySchema("), "{error}");
    // Without their keys they are not called decoded.
    let mut problems = Vec::new();
    assert!(!table.check(false, &mut |problem| problems.push(problem)).undecoded);
    assert!(table.check(true, &mut |problem| problems.push(problem)).undecoded);
    assert!(problems.iter().all(|problem| problem.severity == Severity::NotRead), "{problems:?}");
}
