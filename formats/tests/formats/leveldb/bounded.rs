//! Small files that would cost much: the work for them is bounded by their length.

use levelscope::ErrorKind;
use levelscope::inspect::{Node, Scope};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::find;
use levelscope_formats::leveldb::{crc32c, masked};

/// Bytes of keys that are read of a block, for each of its own bytes.
const KEYS_RATIO: usize = 64;

fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number > 127 {
        out.push((number & 127) as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn seal(out: &mut Vec<u8>, block: &[u8]) -> (usize, usize) {
    let handle = (out.len(), block.len());
    out.extend_from_slice(block);
    out.push(0);
    out.extend_from_slice(&masked(crc32c(&[block, &[0]])).to_le_bytes());
    handle
}

fn handle_bytes((offset, bytes): (usize, usize)) -> Vec<u8> {
    let mut out = Vec::new();
    varint(offset, &mut out);
    varint(bytes, &mut out);
    out
}

fn entry(out: &mut Vec<u8>, shared: usize, suffix: &[u8], value: &[u8]) {
    varint(shared, out);
    varint(suffix.len(), out);
    varint(value.len(), out);
    out.extend_from_slice(suffix);
    out.extend_from_slice(value);
}

/// One restart point, at the first entry.
const RESTARTS: [u8; 8] = [0, 0, 0, 0, 1, 0, 0, 0];

/// A table with one data block, whose last internal key is `last`.
fn table(entries: &[u8], last: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let data = seal(&mut out, &[entries, &RESTARTS].concat());
    let metas = seal(&mut out, &RESTARTS);
    let mut index = Vec::new();
    entry(&mut index, 0, last, &handle_bytes(data));
    index.extend_from_slice(&RESTARTS);
    let index = seal(&mut out, &index);
    let mut footer = [handle_bytes(metas), handle_bytes(index)].concat();
    footer.resize(40, 0);
    out.extend_from_slice(&footer);
    out.extend_from_slice(&0xdb47_7524_8b80_fb57_u64.to_le_bytes());
    out
}

/// So many versions of one long key, each of which shares all of it: keys of `versions` times `key_bytes`.
fn versions(versions: u64, key_bytes: usize) -> Vec<u8> {
    let mut entries = Vec::new();
    let trailer = |number: u64| ((versions - number) << 8 | 1).to_le_bytes();
    let first = [&vec![b'k'; key_bytes][..], &trailer(0)].concat();
    entry(&mut entries, 0, &first, b"v");
    for number in 1..versions {
        entry(&mut entries, key_bytes, &trailer(number), b"v");
    }
    table(&entries, &[&vec![b'k'; key_bytes][..], &trailer(versions)].concat())
}

fn count(node: &Node, kind: &str) -> usize {
    let parts = node.children.iter().chain(&node.inside);
    usize::from(node.kind == kind) + parts.map(|part| count(part, kind)).sum::<usize>()
}

#[test]
fn keys_that_share_much_cost_a_multiple_of_their_block_and_are_not_damaged() {
    let format = find("leveldb-table").unwrap();
    let (number, key_bytes) = (6000, 6000);
    let file = versions(number, key_bytes);
    let most = file.len() * KEYS_RATIO / key_bytes;
    let (mut read, mut unread) = (0, 0);
    for entry in format.scan(&file) {
        match entry {
            Ok(_) => read += 1,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{error}");
                unread += 1;
            }
        }
    }
    assert!(read > most / 2 && read <= most && unread == 1, "{read} of at most {most}, {unread}");
    let tree = format.annotate("", &file, Scope::ALL);
    assert_covers(&tree, &file);
    // One more is that of the index.
    assert!(count(&tree, "entry") <= most + 1, "{} of at most {most}", count(&tree, "entry"));
    assert_eq!((count(&tree, "damaged"), count(&tree, "unread")), (0, 1));
    // With 16 entries between restart points, no key can be as long.
    let file = versions(16, 60_000);
    assert_eq!(format.scan(&file).flatten().count(), 16);
    assert_eq!(count(&format.annotate("", &file, Scope::ALL), "unread"), 0);
}
