//! Tables into which an ingestion has written its sequence number.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use levelscope_foreign::export::SstWriter;
use levelscope_foreign::{Comparator, Engine, Files, MemoryFiles, Problem, table};

const NAME: &[u8] = b"rocksdb.external_sst_file.global_seqno";

/// A table with two entries.
fn written() -> Vec<u8> {
    let mut writer = SstWriter::new("leveldb.BytewiseComparator").unwrap();
    writer.add(b"apple", b"red").unwrap();
    writer.add(b"pear", b"green").unwrap();
    writer.finish().unwrap();
    writer.take()
}

fn findings(bytes: Vec<u8>) -> Vec<Problem> {
    let files = MemoryFiles::new([("000008.sst".to_owned(), bytes)]);
    let mut found = Vec::new();
    let reader = table::open(&files, "000008.sst", Engine::RocksDb, Comparator::Bytewise);
    match reader {
        Ok(reader) => {
            reader.check(true, &mut |problem| found.push(problem));
        }
        Err(error) => found.push(Problem::of(&error, files.list()[0].name.as_str())),
    }
    found
}

/// A table that RocksDB 7.8 has ingested so: names of properties lack what they share with the one before.
#[test]
fn a_table_that_the_library_ingested_is_sound() {
    assert_eq!(findings(include_bytes!("../data/ingested.sst").to_vec()), []);
}

/// `write_global_seqno` changes the properties under their checksum, and the library counts it with zeros there.
#[test]
fn a_sequence_number_that_was_written_into_the_properties_is_no_damage() {
    let sound = written();
    assert_eq!(findings(sound.clone()), []);
    let at = sound.windows(NAME.len()).position(|part| part == NAME).unwrap() + NAME.len();
    let mut ingested = sound.clone();
    ingested[at..at + 8].copy_from_slice(&61u64.to_le_bytes());
    assert_eq!(findings(ingested.clone()), []);
    let files = MemoryFiles::new([("000008.sst".to_owned(), ingested.clone())]);
    let reader = table::open(&files, "000008.sst", Engine::RocksDb, Comparator::Bytewise).unwrap();
    assert_eq!(reader.summary().ingested_sequence(Some(61)), Some(61));
    // Any other byte of the block is still under the checksum.
    ingested[at + 9] ^= 1;
    let found = findings(ingested);
    assert!(found[0].message.contains("wrong crc32c checksum"), "{found:?}");
}
