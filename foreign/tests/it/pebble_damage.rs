//! Damage in tables of Pebble is reported with its place, and hides nothing else.
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]

use crate::common::{fixture, fixtures};
use levelscope_foreign::{
    Comparator, Error, ErrorKind, FileInfo, Files, MemoryFiles, Result, Severity, TableReader,
    pebble,
};
use std::cell::Cell;

const ORDER: Comparator = Comparator::Bytewise;

#[test]
fn a_flipped_byte_of_a_table_is_reported_with_file_and_offset() {
    let directory = fixture("dp_table_flip");
    let table = pebble::open(&directory.files, "000005.sst", ORDER).unwrap();
    let mut cursor = table.cursor().unwrap();
    let error = cursor.first().unwrap_err();
    assert_eq!(error.file(), Some("000005.sst"));
    // The first block begins at 0 and has 633 bytes; byte 40 is changed.
    assert_eq!(error.offset(), Some(0));
    assert_eq!(error.kind(), ErrorKind::Damaged);
    // The walk goes on after the block.
    cursor.next().unwrap();
    let first = cursor.entry().unwrap().user_key.to_vec();
    let blocks = table.data_blocks().unwrap();
    assert!(first > blocks[0].separator && first <= blocks[1].separator);
    for deep in [false, true] {
        let mut problems = Vec::new();
        table.check(deep, &mut |problem| problems.push(problem));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].severity, Severity::Error);
        assert_eq!((problems[0].file.as_str(), problems[0].offset), ("000005.sst", Some(0)));
    }
}

#[test]
fn sound_tables_have_no_problems() {
    for directory in fixtures(&["p_"]) {
        for file in directory.files.list() {
            if file.name.split('.').next_back() != Some("sst") {
                continue;
            }
            let table = pebble::open(&directory.files, &file.name, ORDER).unwrap();
            for deep in [false, true] {
                let mut problems = Vec::new();
                let read = table.check(deep, &mut |problem| problems.push(problem)).bytes;
                assert_eq!(problems, [], "{} {}", directory.name, file.name);
                assert!(read > file.bytes / 2 && read <= 2 * file.bytes, "{read} {}", file.bytes);
            }
        }
    }
}

/// The keys that a walk gives, and the errors on the way.
fn walked(table: &dyn TableReader) -> (Vec<Vec<u8>>, Vec<Error>) {
    let (mut keys, mut errors) = (Vec::new(), Vec::new());
    let mut cursor = table.cursor().unwrap();
    let mut result = cursor.first();
    loop {
        match (result, cursor.entry()) {
            (Err(error), _) => errors.push(error),
            (Ok(()), Some(entry)) => keys.push(entry.user_key.to_vec()),
            (Ok(()), None) => return (keys, errors),
        }
        result = cursor.next();
    }
}

#[test]
fn damage_in_a_part_of_the_index_hides_only_its_blocks() {
    let directory = fixture("p_two_level_index");
    let name = "000005.sst";
    let sound = directory.files.read_whole(name, 1 << 20).unwrap();
    let table = pebble::open(&directory.files, name, ORDER).unwrap();
    let (all, errors) = walked(table.as_ref());
    assert_eq!(errors, []);
    let data: Vec<u64> =
        table.data_blocks().unwrap().iter().map(|block| block.handle.offset).collect();
    let mut partitions = 0;
    for at in (0..sound.len()).step_by(64) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        let files = MemoryFiles::new([(name.to_owned(), bytes)]);
        let Ok(table) = pebble::open(&files, name, ORDER) else { continue };
        if table.cursor().is_err() {
            continue;
        }
        let (keys, errors) = walked(table.as_ref());
        if errors.is_empty() {
            assert_eq!(keys, all);
            continue;
        }
        assert_eq!(errors.len(), 1, "{errors:?}");
        let offset = errors[0].offset().unwrap();
        assert!(offset <= at as u64 && at as u64 - offset < 4096, "{offset} {at}");
        partitions += u32::from(!data.contains(&offset));
        assert!(keys.len() > all.len() / 2 && keys.len() < all.len(), "{}", keys.len());
        for deep in [false, true] {
            let mut problems = Vec::new();
            table.check(deep, &mut |problem| problems.push(problem));
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert_eq!(problems[0].offset, Some(offset));
        }
    }
    assert!(partitions > 2, "{partitions}");
}

#[test]
fn a_flipped_byte_of_the_footer_is_reported() {
    let name = "000005.sst";
    // The footer of format 7 has 61 bytes; this one is never used but counts for the checksum.
    let mut bytes = fixture("p_newest_plain").files.read_whole(name, 1 << 20).unwrap();
    let at = bytes.len() - 30;
    assert_eq!(bytes[at], 0);
    bytes[at] = 1;
    let start = bytes.len() as u64 - 61;
    let files = MemoryFiles::new([(name.to_owned(), bytes)]);
    let error = pebble::open(&files, name, ORDER).err().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Damaged, Some(start)));
    assert!(error.message().contains("footer has a wrong checksum"), "{error}");
}

/// Files that count how often they are read.
struct CountedReads {
    files: MemoryFiles,
    reads: Cell<usize>,
}

impl Files for CountedReads {
    fn list(&self) -> &[FileInfo] {
        self.files.list()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.reads.set(self.reads.get() + 1);
        self.files.read_at(name, offset, buffer)
    }
}

#[test]
fn a_search_in_a_two_level_index_reads_one_part_of_it() {
    let files = CountedReads { files: fixture("p_two_level_index").files, reads: Cell::new(0) };
    let table = pebble::open(&files, "000005.sst", ORDER).unwrap();
    let mut cursor = table.cursor().unwrap();
    for key in ["fleet/00299", "fleet/00000", "fleet/00150"] {
        files.reads.set(0);
        cursor.seek(key.as_bytes(), u64::MAX >> 8).unwrap();
        assert_eq!(cursor.entry().unwrap().user_key, key.as_bytes());
        // A part of the index and a data block.
        assert_eq!(files.reads.get(), 2, "{key}");
    }
}
