//! Nothing is read before a question needs it.

use super::made::{files, open, work};
use levelscope::Options;
use levelscope::storage::MemoryStorage;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::files::total;
use levelscope_foreign::{CountedFiles, FileInfo, Files, MemoryFiles, Result};
use std::cell::Cell;

/// Files that count the bytes that are read.
struct Meter(MemoryFiles, Cell<u64>);

impl Files for Meter {
    fn list(&self) -> &[FileInfo] {
        self.0.list()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let read = self.0.read_at(name, offset, buffer)?;
        self.1.set(self.1.get() + read as u64);
        Ok(read)
    }
}

#[test]
fn opening_and_a_lookup_read_little_of_a_large_directory() {
    let disk = MemoryStorage::default();
    let options = Options::default()
        .compression(levelscope::Compression::None)
        .maintenance(levelscope::Maintenance::Inline);
    let db = open(&disk, &options);
    for number in 0..60_000_u64 {
        let key = format!("key{:08}", number.wrapping_mul(7919) % 60_000);
        db.put(key, [u8::try_from(number % 251).unwrap(); 1000]).unwrap();
    }
    db.request_flush().unwrap();
    work(&db);
    db.close().unwrap();
    let files = Meter(files(&disk), Cell::new(0));
    assert!(total(files.list().iter().map(|file| file.bytes)) > 50 << 20);
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).unwrap();
    assert_eq!(directory.family(0).unwrap().levels.len(), 3);
    let opened = files.1.get();
    let lookup = directory.lookup(0, b"key00031415", None).unwrap();
    assert_eq!(lookup.outcome, "value", "{}", lookup.answer);
    let read = files.1.get();
    assert!(opened < 64 << 10 && read < 500 << 10, "{opened} bytes to open, {read} in all");
}
