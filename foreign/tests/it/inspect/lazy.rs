//! Opening a part reads what leads to it, not the file.

use super::tree::Tree;
use crate::common::fixture;
use levelscope_foreign::{CountedFiles, Engine, FileInfo, Files, Result};

/// A file of zeros with any length.
struct Zeros(Vec<FileInfo>);

impl Files for Zeros {
    fn list(&self) -> &[FileInfo] {
        &self.0
    }

    fn read_at(&self, _name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let left = self.0[0].bytes.saturating_sub(offset);
        let count = buffer.len().min(usize::try_from(left).unwrap());
        buffer[..count].fill(0);
        Ok(count)
    }
}

#[test]
fn a_log_and_a_text_of_a_terabyte_are_opened_anywhere() {
    for (name, path) in [("000001.log", &[20_000_000][..]), ("LOG", &[9_000_000]), ("other", &[])] {
        let zeros = Zeros(vec![FileInfo { name: name.to_owned(), bytes: 1 << 40 }]);
        let counted = CountedFiles::new(&zeros);
        counted.begin();
        let tree = Tree::new(&counted, Engine::RocksDb, "zeros", name);
        let opened = tree.open(&[], (5_000_000, 10));
        assert_eq!((opened.parts.len(), opened.next), (10, Some(5_000_010)), "{name}");
        assert!(opened.count.unwrap() > 10_000_000, "{name}");
        assert!(!tree.open(path, (0, 10)).parts.is_empty());
        let read: u64 = counted.end().iter().map(|(_, _, bytes)| bytes).sum();
        assert!(read < 4 << 20, "{name}: {read} bytes were read");
    }
}

#[test]
fn a_data_block_costs_footer_metaindex_index_and_itself() {
    for (name, reads_max) in [("h_history", 12), ("i_two_level", 12), ("p_history", 12)] {
        let fixture = fixture(name);
        let engine = if name == "p_history" { Engine::Pebble } else { Engine::RocksDb };
        let tables = fixture.named(&["sst"]);
        let longest = tables.iter().max_by_key(|name| fixture.files.length(name)).unwrap();
        let counted = CountedFiles::new(&fixture.files);
        let tree = Tree::new(&counted, engine, name, longest);
        let mut path = vec![0, 0];
        while !tree.open(&path, (0, 1)).trail.last().unwrap().name.starts_with("data block ") {
            path.push(0);
        }
        counted.begin();
        tree.open(&path, (0, 10));
        let reads = counted.end();
        assert!(reads.len() <= reads_max, "{name}: {reads:?}");
    }
}
