//! Blocks that other programs compressed: zlib, zstd and LZ4 with and without dictionaries.

use super::{BLOCK_BYTES_MAX, Form, LZ4, LZ4HC, NONE, SNAPPY, ZLIB, ZSTD, decompress, name};
use crate::{ErrorKind, Result};

const TEXT: &[u8] =
    b"user:061327 value of the dictionary 33;user:000922 value of the dictionary 38;\
    user:077165 value of the dictionary 35;and something new";

/// Rows like those of the text.
fn dictionary() -> Vec<u8> {
    let row = |i: usize| format!("user:{:06} value of the dictionary {i};", i * 7919 % 100_000);
    let rows: String = (0..40).map(row).collect();
    rows.as_bytes()[rows.len() - 460..].to_vec()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] << 4 | pair[1]).unwrap()).collect()
}

/// With the size before it, a varint of two bytes.
fn sized(size: usize, bytes: &[u8]) -> Vec<u8> {
    let low = u8::try_from(size & 0x7f).unwrap() | 0x80;
    let mut block = vec![low, u8::try_from(size >> 7).unwrap()];
    block.extend_from_slice(bytes);
    block
}

fn plain(form: Form, number: u8, block: &[u8], dictionary: &[u8]) -> Result<Vec<u8>> {
    decompress(form, number, block, dictionary).map(std::borrow::Cow::into_owned)
}

const ZLIB_RAW: &str = "2b2d4e2db232303334363257284bcc294d55c84f5328c9485548c94c2ec9cccf4b2caa54\
    3036b62e052b3330b03432c2adcc02aaccdcdcd0cc14b73253ebc4bc1485e2fcdcd4928cccbc7485bcd47200";
const ZLIB_DICTIONARY: &str = "23294088b494608024e6a52814e7e7a6966464e6a52be4a5960300";
const ZSTD_PLAIN: &str = "28b52ffd20869502005404757365723a3036313332372076616c7565206f662074686520\
    64696374696f6e6172792033333b3030393232383737313635353b616e6420736f6d657468696e67206e65770400\
    c02a7019b0ef0a5364";
const ZSTD_RAW_DICTIONARY: &str =
    "28b52ffd2086e5000088616e6420736f6d657468696e67206e657703400030c2a394c25c01";
const ZSTD_TRAINED_DICTIONARY: &str = "28b52ffd23e27e146586bd0100438207bc5b83e0ad2bb0eed2760e8249\
    2d79c1144dd453451074394e5441d1430506fc1160a32a9e2d00d57c8fd7962740043b3fd9c710";

#[test]
fn blocks_decompress_to_their_text() {
    let snappy = snap::raw::Encoder::new().compress_vec(TEXT).unwrap();
    for form in [Form::LevelDb, Form::RocksDbOld, Form::RocksDb, Form::Pebble] {
        assert_eq!(plain(form, NONE, TEXT, &[]).unwrap(), TEXT);
        assert_eq!(plain(form, SNAPPY, &snappy, &[]).unwrap(), TEXT);
    }
    let (zlib, zstd) = (unhex(ZLIB_RAW), unhex(ZSTD_PLAIN));
    assert_eq!(plain(Form::RocksDb, ZLIB, &sized(TEXT.len(), &zlib), &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::RocksDbOld, ZLIB, &zlib, &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::RocksDb, ZSTD, &sized(TEXT.len(), &zstd), &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::RocksDb, 0x40, &sized(TEXT.len(), &zstd), &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::Pebble, ZSTD, &sized(TEXT.len(), &zstd), &[]).unwrap(), TEXT);
    // LevelDB's number 2 is zstd, without a size before it.
    assert_eq!(plain(Form::LevelDb, ZLIB, &zstd, &[]).unwrap(), TEXT);
    // Minecraft's LevelDB: zlib under the same number, and raw deflate under that of RocksDB's LZ4.
    for effort in [0x01, 0x9c, 0xda] {
        // The checksum after the deflated bytes is not read: the block has another.
        let block = [&[0x78, effort], &zlib[..], &[0; 4]].concat();
        assert_eq!(plain(Form::LevelDb, ZLIB, &block, &[]).unwrap(), TEXT);
    }
    assert_eq!(plain(Form::LevelDb, LZ4, &zlib, &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::LevelDb, LZ4, &zlib[1..], &[]).unwrap_err().kind(), ErrorKind::Damaged);
    // 15 literals and 119 more, and nothing else.
    let lz4 = [&[0xf0, 119][..], TEXT].concat();
    assert_eq!(plain(Form::RocksDb, LZ4, &sized(TEXT.len(), &lz4), &[]).unwrap(), TEXT);
    assert_eq!(plain(Form::RocksDb, LZ4HC, &sized(TEXT.len(), &lz4), &[]).unwrap(), TEXT);
    let old = [&(TEXT.len() as u64).to_le_bytes()[..], &lz4].concat();
    assert_eq!(plain(Form::RocksDbOld, LZ4, &old, &[]).unwrap(), TEXT);
}

#[test]
fn blocks_decompress_with_their_dictionary_only() {
    let rows = dictionary();
    // The first row of the text lies 273 bytes before the end of the dictionary: a match of 19 bytes, five literals.
    let lz4 = [&[0x0f, 0x11, 0x01, 0][..], b"\x50other"].concat();
    let lz4_text = [&rows[rows.len() - 273..][..19], b"other"].concat();
    let trained = unhex(TRAINED);
    for (number, block, dictionary, text) in [
        (ZLIB, unhex(ZLIB_DICTIONARY), &rows, TEXT),
        (ZSTD, unhex(ZSTD_RAW_DICTIONARY), &rows, TEXT),
        (ZSTD, unhex(ZSTD_TRAINED_DICTIONARY), &trained, TEXT),
        (LZ4, lz4, &rows, &lz4_text),
    ] {
        let block = sized(text.len(), &block);
        assert_eq!(plain(Form::RocksDb, number, &block, dictionary).unwrap(), text, "{number}");
        let without = plain(Form::RocksDb, number, &block, &[]);
        assert_eq!(without.unwrap_err().kind(), ErrorKind::Damaged, "{number}");
    }
}

#[test]
fn a_claim_that_the_bytes_cannot_hold_is_damage_before_memory_is_allocated() {
    for number in [ZLIB, LZ4, ZSTD] {
        let block = [&[0xff, 0xff, 0xff, 0xff, 0x7f][..], &[0; 40]].concat();
        let error = plain(Form::RocksDb, number, &block, &[]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Damaged, Some(0)), "{error}");
    }
    // Enough bytes for the claim, but more than the limit.
    let mut block = vec![0; BLOCK_BYTES_MAX / 2];
    block[..5].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0x7f]);
    let error = plain(Form::RocksDb, ZLIB, &block, &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotRead, "{error}");
}

#[test]
fn a_block_with_another_size_than_it_claims_is_damaged() {
    for (number, block) in [(ZLIB, unhex(ZLIB_RAW)), (ZSTD, unhex(ZSTD_PLAIN))] {
        for size in [TEXT.len() - 1, TEXT.len() + 1] {
            let error = plain(Form::RocksDb, number, &sized(size, &block), &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Damaged, "{number}, {size}: {error}");
        }
    }
}

#[test]
fn a_compression_that_is_not_supported_is_named() {
    for (number, word) in [(3, "BZip2"), (6, "Xpress"), (0x80, "custom"), (9, "compression 9")] {
        let error = plain(Form::RocksDb, number, TEXT, &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotRead);
        assert!(error.message().contains(word), "{error}");
    }
    assert_eq!(name(Form::Pebble, 8), "MinLZ");
    assert!(plain(Form::Pebble, 8, TEXT, &[]).unwrap_err().message().contains("MinLZ"));
}

const TRAINED: &str = "37a430ece27e14652510c87107ffffffffffff0fb5ed8e0c1624c8082297028b40c695203e89730c1248e0ff \
    1f7333000000000003c0e01e0000244000010102020202020202020202020202020202020204020202020202 \
    020202020202020202020202040202f5499274a4806060606060606060606060606060606060606060606060 \
    60fdcccc6cdb0100000004000000080000002064696374696f6e61727920313b757365723a30313538333820 \
    76616c7565206f66207468652064696374696f6e61727920323b757365723a3032333735372076616c756520 \
    6f66207468652064696374696f6e61727920333b757365723a3033313637362076616c7565206f6620746865 \
    2064696374696f6e61727920343b757365723a3033393539352076616c7565206f6620746865206469637469 \
    6f6e61727920353b757365723a30343735312064696374696f6e61727920313b757365723a30313538333820 \
    76616c7565206f66207468652064696374696f6e61727920323b757365723a3032333735372076616c756520 \
    6f66207468652064696374696f6e61727920333b757365723a3033313637362076616c7565206f6620746865 \
    2064696374696f6e61727920343b757365723a3033393539352076616c7565206f6620746865206469637469 \
    6f6e61727920353b757365723a3034373531342076616c7565206f66207468652064696374696f6e61727920 \
    363b757365723a3035353433332076616c7565206f66207468652064696374696f6e61727920373b75736572 \
    3a3036333335322076616c7565206f66207468652064696374696f6e61727920383b757365723a3037313237 \
    312076616c7565206f66207468652064696374696f6e61727920393b757365723a3037393139302076616c75 \
    65206f66207468652064696374696f6e6172792031303b757365723a3038373130392076616c7565206f6620 \
    7468652064696374696f6e6172792031313b7a48466d67684137724975775a37616a54472f704f52637a3442 \
    767165747a466f3851462b6352547463744f6c3736414c6d6970335643384363683345587a55524c4467614e \
    394e43314c560a6d5778340a757365723a3030303030302076616c7565206f66207468652064696374696f6e \
    61727920303b757365723a3030373931392076616c7565206f66207468652064696374696f6e61727920313b \
    757365723a3031353833382076616c7565206f66207468652064696374696f6e61727920323b757365723a30 \
    32333735372076616c7565206f66207468652064696374696f6e61727920333b757365723a30333136373620 \
    76616c7565206f66207468652064696374696f6e61727920343b757365723a3033393539352076616c756520 \
    6f66207468652064696374696f6e61727920353b757365723a3034373531342076616c7565206f6620746865 \
    2064696374696f6e61727920363b757365723a3035353433332076616c7565206f6620746865206469637469 \
    6f6e61727920373b757365723a3036333335322076616c7565206f66207468652064696374696f6e61727920 \
    383b757365723a3037313237312076616c7565206f66207468652064696374696f6e61727920393b75736572 \
    3a3037393139302076616c75";
