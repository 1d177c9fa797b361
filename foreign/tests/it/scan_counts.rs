//! Counts of a scan.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::{Fixture, fixtures};
use levelscope_foreign::CountedFiles;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::query::Part;

/// Tombstones that something hides were counted twice, and operands as live entries.
#[test]
fn every_entry_that_was_read_is_counted_once() {
    let (mut scans, mut tombstones, mut joined, mut unread) = (0, 0, 0, 0);
    for Fixture { name, files, .. } in fixtures(&[""]) {
        let counted = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&counted) else { continue };
        let families: Vec<u32> = directory.manifest().last().families.keys().copied().collect();
        for family in families {
            for limit in [3, usize::MAX] {
                let part = Part { from: None, to: None, limit, sequence: None };
                let Ok(rows) = directory.rows(family, &part) else { continue };
                let live = rows.rows.len() as u64;
                assert_eq!(rows.passed.live(), live, "{name}, family {family}: {:?}", rows.passed);
                scans += 1;
                tombstones += rows.passed.tombstones;
                joined += rows.passed.joined;
                unread += rows.passed.unread;
            }
        }
    }
    assert!(scans > 100 && tombstones > 100 && joined > 10 && unread > 10);
}
