//! Blocks byte by byte.

use super::super::entries::BlockCursor;
use super::{Block, Layout};
use crate::ErrorKind;
use crate::entry::BlockHandle;

const AT: BlockHandle = BlockHandle { offset: 1000, bytes: 0 };

fn cursor(bytes: &[u8], layout: Layout) -> BlockCursor {
    BlockCursor::new(Block::new(bytes.to_vec(), AT, true).unwrap(), layout)
}

/// Three entries, two restart points, keys and values apart, and a hash index.
fn apart() -> Vec<u8> {
    let mut block = Vec::new();
    block.extend_from_slice(b"\x00\x02\x01\x00aa"); // restart point: value 0
    block.extend_from_slice(b"\x01\x01\x02b"); // "ab" shares "a"
    block.extend_from_slice(b"\x00\x01\x03\x03b"); // restart point: value 3
    block.extend_from_slice(b"1223xx");
    block.extend_from_slice(&[0, 0, 0, 0, 10, 0, 0, 0]);
    block.extend_from_slice(&[255, 0, 1, 3, 0]); // three buckets
    block.extend_from_slice(&[15, 0, 0, 0]);
    block.extend_from_slice(&(2_u32 | 1 << 28 | 1 << 31).to_le_bytes());
    block
}

#[test]
fn keys_and_values_may_be_apart_with_a_hash_index_after_them() {
    let mut entries = cursor(&apart(), Layout::Plain);
    assert_eq!(entries.block().parts(), [0..15, 15..21, 21..29, 29..34]);
    let mut rows = Vec::new();
    while entries.advance().unwrap() {
        rows.push((entries.key().to_vec(), entries.value().to_vec()));
    }
    let expected = [("aa", "1"), ("ab", "22"), ("b", "3xx")];
    assert_eq!(rows, expected.map(|(key, value)| (key.into(), value.into())));
    assert!(entries.restarts_agree());
    for (target, found) in [("", "aa"), ("ab", "ab"), ("aba", "b"), ("b", "b")] {
        assert!(entries.seek(|key| key < target.as_bytes()).unwrap());
        assert_eq!(entries.key(), found.as_bytes());
    }
    assert_eq!(entries.value(), b"3xx");
    assert!(!entries.seek(|key| key < &b"c"[..]).unwrap());
}

#[test]
fn handles_may_be_differences_to_the_one_before() {
    let layout = Layout::Index { user_keys: true, deltas: true, first_keys: false };
    let mut block = Vec::new();
    block.extend_from_slice(b"\x00\x01a\x0a\x14"); // offset 10, 20 bytes
    block.extend_from_slice(b"\x01\x01b\x03"); // 2 bytes fewer
    block.extend_from_slice(b"\x01\x01c\x04"); // 2 bytes more
    block.extend_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0]);
    let mut rows = cursor(&block, layout);
    let mut handles = Vec::new();
    while rows.advance().unwrap() {
        handles.push((rows.handle().offset, rows.handle().bytes));
    }
    assert_eq!(handles, [(10, 20), (35, 18), (58, 20)]);
    assert_eq!(rows.key(), b"ac");
}

#[test]
fn damage_in_a_block_has_its_offset_in_the_file() {
    // The second entry shares three bytes of a key of one.
    let mut block = b"\x00\x01\x00a\x03\x00\x00".to_vec();
    block.extend_from_slice(&[0, 0, 0, 0, 1, 0, 0, 0]);
    let mut entries = cursor(&block, Layout::Plain);
    assert!(entries.advance().unwrap());
    assert_eq!(entries.advance().unwrap_err().offset(), Some(1004));
    assert!(!entries.advance().unwrap());
    // Of a compressed block only the place of the block is known.
    let mut entries = BlockCursor::new(Block::new(block, AT, false).unwrap(), Layout::Plain);
    assert!(entries.advance().unwrap());
    let error = entries.advance().unwrap_err();
    assert_eq!(error.offset(), Some(1000));
    assert!(error.message().ends_with("(byte 4 of the decompressed block)"), "{error}");
}

#[test]
fn the_end_of_a_block_is_checked() {
    for end in [&[][..], &[1, 0, 0], &[9, 0, 0, 0], &[0, 0, 0, 0x80], &[0, 0, 0, 0x10]] {
        let error = Block::new(end.to_vec(), AT, true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{end:?}");
    }
    let reserved = Block::new(vec![0, 0, 0, 0, 1, 0, 0, 0x40], AT, true).unwrap_err();
    assert_eq!(reserved.kind(), ErrorKind::NotRead);
    // Spread evenly: a hint, nothing else.
    assert!(Block::new(vec![0, 0, 0, 0, 1, 0, 0, 0x20], AT, true).is_ok());
}
