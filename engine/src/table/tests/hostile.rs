//! Files that were made to harm: every checksum is right, nothing else is.

use super::super::block_builder::BlockBuilder;
use super::super::format::{BLOCK_TRAILER_BYTES, FOOTER_BYTES, Footer, Handle, MAGIC, seal};
use super::super::properties::Properties;
use super::*;
use crate::coding::crc32;

fn open_bytes(bytes: &[u8]) -> Result<Arc<Table>> {
    let storage = MemoryStorage::new();
    storage.put("000007.sst", bytes);
    let file = storage.open(FileName::Table(7)).unwrap();
    let cache = Arc::new(BlockCache::new(0));
    Table::open(file, 7, bytes.len() as u64, cache, PrefixIndexForm::Exact, OWNER).map(Arc::new)
}

/// Opens and reads everything; nothing may panic, hang or allocate without bounds.
fn read_all(bytes: &[u8]) -> Result<()> {
    let table = open_bytes(bytes)?;
    let mut failure = None;
    for key in [&b""[..], b"a", b"k", b"user000003", b"zz"] {
        failure = failure.or(lookup(&table, key, 1 << 50, 0, &mut NoProbe).err());
    }
    for forward in [true, false] {
        let mut cursor = table.cursor();
        let mut moved = if forward { cursor.seek_to_first() } else { cursor.seek_to_last() };
        while moved.is_ok() && cursor.valid() {
            moved = if forward { cursor.next() } else { cursor.prev() };
        }
        failure = failure.or(moved.err());
    }
    failure.map_or(Ok(()), Err)
}

fn corrupt(bytes: &[u8], what: &str) {
    match read_all(bytes) {
        Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "{what}: {error}"),
        Ok(()) => panic!("{what}: it was read"),
    }
}

/// Makes a table file from given blocks.
#[derive(Default)]
struct Forge {
    bytes: Vec<u8>,
}

impl Forge {
    fn block(&mut self, block: &[u8], compression: Compression) -> Handle {
        let handle = Handle { offset: self.bytes.len() as u64, bytes: block.len() as u64 };
        self.bytes.extend_from_slice(block);
        self.bytes.extend_from_slice(&seal(block, compression));
        handle
    }

    /// Appends properties, meta index, index and footer to the data blocks.
    fn finish(mut self, index: &[(&[u8], Handle)]) -> Vec<u8> {
        let properties = Properties {
            data_blocks: index.len() as u64,
            database: OWNER.identity,
            ..Properties::default()
        };
        let properties = self.block(&properties.encode(), Compression::None);
        let meta_index = self.block(&handles(&[(b"properties", properties)]), Compression::None);
        let index = self.block(&handles(index), Compression::None);
        self.bytes.extend(Footer { meta_index, index, number: 7, ranges: false }.encode());
        self.bytes
    }
}

fn handles(entries: &[(&[u8], Handle)]) -> Vec<u8> {
    let mut block = BlockBuilder::new(1);
    for (key, handle) in entries {
        let mut value = Vec::new();
        handle.encode(&mut value);
        block.add(key, &value);
    }
    block.finish().to_vec()
}

fn key(user_key: &[u8], sequence: u64) -> Vec<u8> {
    internal_key(user_key, sequence, ValueKind::Put)
}

/// A table with the one data block `block`.
fn with_block(block: &[u8], compression: Compression) -> Vec<u8> {
    let mut forge = Forge::default();
    let handle = forge.block(block, compression);
    forge.finish(&[(&key(b"z", 1), handle)])
}

fn block_of(keys: &[Vec<u8>]) -> Vec<u8> {
    let mut block = BlockBuilder::new(16);
    for key in keys {
        block.add(key, b"value");
    }
    block.finish().to_vec()
}

/// A block of raw entries, one restart point at its beginning.
fn raw_block(entries: &[u8]) -> Vec<u8> {
    [entries, &[0, 0, 0, 0, 1, 0, 0, 0]].concat()
}

#[test]
fn a_forged_but_honest_table_is_read() {
    read_all(&with_block(&block_of(&[key(b"a", 3), key(b"k", 1)]), Compression::None)).unwrap();
}

#[test]
fn impossible_handles_in_the_footer_are_refused() {
    let (storage, ..) = build(&numbered(30, 10), PLAIN);
    let good = storage.read(FileName::Table(7)).unwrap();
    read_all(&good).unwrap();
    let front = &good[..good.len() - FOOTER_BYTES];
    let ends = [0, 1, 5, good.len() as u64, 1 << 32, (1 << 32) - 1, u64::MAX - 4, u64::MAX];
    for offset in ends {
        for bytes in ends {
            let wrong = Handle { offset, bytes };
            let honest = Footer::decode(&good[front.len()..], FileName::Table(7), 0).unwrap();
            for footer in
                [Footer { index: wrong, ..honest }, Footer { meta_index: wrong, ..honest }]
            {
                corrupt(&[front, &footer.encode()].concat(), "footer");
            }
        }
    }
}

#[test]
fn a_footer_of_another_version_is_unsupported() {
    let mut footer = vec![0; 40];
    footer.extend(3_u32.to_le_bytes());
    footer.extend(crc32(&[&footer]).to_le_bytes());
    footer.extend(MAGIC);
    assert_eq!(read_all(&footer).unwrap_err().kind(), ErrorKind::UnsupportedFormat);
}

#[test]
fn impossible_handles_in_the_index_are_refused() {
    let data = block_of(&[key(b"a", 3)]);
    let sealed = (data.len() + BLOCK_TRAILER_BYTES) as u64;
    let honest = Handle { offset: 0, bytes: data.len() as u64 };
    let after = Handle { offset: sealed, bytes: data.len() as u64 };
    let keys = [key(b"k", 1), key(b"l", 1)];
    for (first, second) in [
        (honest, honest),
        (after, honest),
        (honest, Handle { offset: sealed - 1, ..honest }),
        (honest, Handle { bytes: u64::MAX, ..after }),
        (honest, Handle { bytes: 1 << 31, ..after }),
        (honest, Handle { bytes: 0, ..after }),
        (Handle { bytes: honest.bytes - 1, ..honest }, after),
    ] {
        let mut forge = Forge::default();
        forge.block(&data, Compression::None);
        forge.block(&data, Compression::None);
        corrupt(&forge.finish(&[(&keys[0], first), (&keys[1], second)]), "index handle");
    }
    for (what, index) in [
        ("empty", vec![]),
        ("short key", vec![(&b"z"[..], honest)]),
        ("not ascending", vec![(&keys[1], honest), (&keys[0], after)]),
    ] {
        let mut forge = Forge::default();
        (0..index.len()).for_each(|_| {
            forge.block(&data, Compression::None);
        });
        corrupt(&forge.finish(&index), what);
    }
}

#[test]
fn malformed_blocks_are_refused() {
    let restarts = |offsets: &[u32], count: u32| {
        let mut block = vec![0, 9, 0];
        block.extend(key(b"a", 1));
        for offset in offsets {
            block.extend(offset.to_le_bytes());
        }
        block.extend(count.to_le_bytes());
        block
    };
    let mut huge = vec![0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1];
    huge.extend([1, 1]);
    let mut shares_too_much = vec![0, 9, 0];
    shares_too_much.extend(key(b"a", 1));
    shares_too_much.extend([11, 9, 0]);
    shares_too_much.extend(key(b"b", 1));
    let mut unknown_kind = key(b"a", 1);
    unknown_kind[1] = 7;
    for (what, block) in [
        ("nothing", vec![]),
        ("three bytes", vec![0; 3]),
        ("no restart point", vec![0; 4]),
        ("count of all bytes", vec![0xff; 64]),
        ("restart at 1", restarts(&[1], 1)),
        ("restart twice", restarts(&[0, 0], 2)),
        ("restart too large", restarts(&[0, 12], 2)),
        ("restart inside", restarts(&[0, 2], 2)),
        ("count too large", restarts(&[0], 9)),
        ("count largest", restarts(&[0], u32::MAX)),
        ("huge lengths", raw_block(&huge)),
        ("cut entry", raw_block(&[0, 9, 0, b'a'])),
        ("cut varint", raw_block(&[0x80])),
        ("no key", raw_block(&[0, 0, 0])),
        ("shares too much", raw_block(&shares_too_much)),
        ("first shares", raw_block(&[1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
        ("key too long", block_of(&[key(&vec![b'a'; 70_000], 1)])),
        ("backwards", block_of(&[key(b"b", 1), key(b"a", 1)])),
        ("twice", block_of(&[key(b"a", 1), key(b"a", 1)])),
        ("older first", block_of(&[key(b"a", 1), key(b"a", 2)])),
        ("older first, high byte", block_of(&[key(b"a", 1), key(b"a", 1 << 40)])),
        ("shorter", block_of(&[key(b"abcdefghijkl", 1), key(b"abcd", 1)])),
        ("beyond the index key", block_of(&[key(b"a", 1), key(b"zz", 1)])),
    ] {
        corrupt(&with_block(&block, Compression::None), what);
    }
    let table = open_bytes(&with_block(&block_of(&[unknown_kind]), Compression::None)).unwrap();
    assert_eq!(lookup(&table, b"a", 9, 0, &mut NoProbe).unwrap_err().kind(), ErrorKind::Corruption);
}

#[test]
fn decompression_bombs_are_refused() {
    for claimed in [0_u64, 1, 1 << 20, (1 << 32) - 1, 1 << 32, u64::MAX] {
        let mut bomb = Vec::new();
        crate::coding::put_varint(&mut bomb, claimed);
        bomb.extend([0; 40]);
        corrupt(&with_block(&bomb, Compression::Snappy), "bomb");
    }
    let mut zeros = snap::raw::Encoder::new().compress_vec(&vec![0; 1 << 20]).unwrap();
    corrupt(&with_block(&zeros, Compression::Snappy), "a million zeros are no block");
    zeros.truncate(1000);
    corrupt(&with_block(&zeros, Compression::Snappy), "cut");
}

#[test]
fn reading_backwards_through_one_endless_interval_is_refused() {
    let mut block = BlockBuilder::new(1024);
    for sequence in (0..1025_u64).rev() {
        block.add(&key(b"a", sequence), b"");
    }
    let mut bytes = block.finish().to_vec();
    // Remove the second restart point.
    let end = bytes.len();
    bytes.truncate(end - 8);
    bytes.extend(1_u32.to_le_bytes());
    corrupt(&with_block(&bytes, Compression::None), "endless interval");
}

#[test]
fn random_rewrites_never_panic() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let mut data = block_of(&[key(b"a", 3), key(b"k", 7), key(b"k", 2), key(b"user", 1)]);
        for _ in 0..=random.below(4) {
            let at = random.below(data.len());
            data[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
        }
        let _ = read_all(&with_block(&data, Compression::None));
        let _ = read_all(&with_block(&data, Compression::Snappy));
        // The same to index or meta index of a whole table, with its checksum made right again.
        let (storage, ..) = build(&numbered(30, 10), TableOptions { block_bytes: 128, ..PLAIN });
        let good = storage.read(FileName::Table(7)).unwrap();
        let footer =
            Footer::decode(&good[good.len() - FOOTER_BYTES..], FileName::Table(7), 0).unwrap();
        let handle = [footer.index, footer.meta_index][random.below(2)];
        let start = usize::try_from(handle.offset).unwrap();
        let end = start + usize::try_from(handle.bytes).unwrap();
        let mut bytes = good;
        for _ in 0..=random.below(4) {
            let at = start + random.below(end - start);
            bytes[at] = u8::try_from(random.below(256)).unwrap();
        }
        let trailer = seal(&bytes[start..end], Compression::None);
        bytes[end..end + BLOCK_TRAILER_BYTES].copy_from_slice(&trailer);
        let _ = read_all(&bytes);
    });
}
