//! Files that claim a terabyte and hold little: reads are bounded, and unread parts are reported.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::frames::{Style, push_record};
use levelscope_foreign::events::Log;
use levelscope_foreign::frame::{End, LogKind, Records};
use levelscope_foreign::{Engine, ErrorKind, FileInfo, Files, Result, Severity};
use std::cell::Cell;

const MIB: u64 = 1 << 20;

/// A file with something at its start and at its end, and zeros between them.
struct Sparse {
    list: Vec<FileInfo>,
    start: Vec<u8>,
    end: Vec<u8>,
    read: Cell<u64>,
}

impl Sparse {
    fn new(name: &str, bytes: u64, start: &[u8], end: &[u8]) -> Self {
        let list = vec![FileInfo { name: name.to_owned(), bytes }];
        Self { list, start: start.to_vec(), end: end.to_vec(), read: Cell::new(0) }
    }
}

impl Files for Sparse {
    fn list(&self) -> &[FileInfo] {
        &self.list
    }

    fn read_at(&self, _name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let length = self.list[0].bytes;
        let left = length.saturating_sub(offset);
        let count = buffer.len().min(usize::try_from(left).unwrap());
        self.read.set(self.read.get() + count as u64);
        let buffer = &mut buffer[..count];
        buffer.fill(0);
        for (at, piece) in [(0, &self.start), (length - self.end.len() as u64, &self.end)] {
            let (from, to) = (offset.max(at), (offset + count as u64).min(at + piece.len() as u64));
            if from < to {
                let place = |of: u64| usize::try_from(of).unwrap();
                buffer[place(from - offset)..place(to - offset)]
                    .copy_from_slice(&piece[place(from - at)..place(to - at)]);
            }
        }
        Ok(count)
    }
}

fn record() -> Vec<u8> {
    let mut bytes = Vec::new();
    push_record(&mut bytes, Style::Plain, b"a record");
    bytes
}

/// How many records there are, and how the file ends.
fn records(files: &Sparse) -> (usize, End) {
    let name = files.list[0].name.clone();
    let kind = LogKind::Manifest(Engine::RocksDb);
    let mut records = Records::open(files, &name, kind).unwrap();
    let mut count = 0;
    while records.read().unwrap().is_some() {
        count += 1;
    }
    let end = records.end().unwrap().clone();
    assert!(!records.resume().unwrap());
    (count, end)
}

#[test]
fn a_tail_of_zeros_without_end_is_looked_at_in_places() {
    let files = Sparse::new("MANIFEST-000001", 1 << 40, &record(), &[]);
    assert_eq!(records(&files), (1, End::Clean));
    assert!(files.read.get() <= 256 * MIB, "{} bytes", files.read.get());
}

#[test]
fn bytes_after_very_many_zeros_are_reported_and_not_read() {
    let files = Sparse::new("MANIFEST-000001", 1 << 40, &record(), b"more");
    let (count, end) = records(&files);
    assert_eq!(count, 1);
    let End::Damaged(error) = end else { panic!("{end:?}") };
    assert_eq!((error.kind(), error.offset()), (ErrorKind::NotRead, Some(64 * MIB + (32 << 10))));
    assert_eq!(error.file(), Some("MANIFEST-000001"));
    assert!(files.read.get() <= 256 * MIB, "{} bytes", files.read.get());
    // Space that was reserved, with records after it, is read.
    let mut end = vec![0; 32 << 10];
    end[..record().len()].copy_from_slice(&record());
    let files = Sparse::new("MANIFEST-000001", 16 * MIB, &record(), &end);
    assert_eq!(records(&files), (2, End::Clean));
}

#[test]
fn a_used_log_with_zeros_without_end_has_bounded_reads() {
    let mut start = Vec::new();
    push_record(&mut start, Style::Recyclable(7), b"a record");
    push_record(&mut start, Style::Recyclable(6), b"an older record");
    let last = start.len() - 1;
    start[last] ^= 1;
    let files = Sparse::new("000007.log", 1 << 40, &start, &[]);
    let kind = LogKind::Log { engine: Engine::RocksDb, number: 7 };
    let mut records = Records::open(&files, "000007.log", kind).unwrap();
    assert!(records.read().unwrap().is_some());
    assert!(records.read().unwrap().is_none());
    assert!(matches!(records.end(), Some(End::Recycled { .. })), "{:?}", records.end());
    assert!(files.read.get() <= 256 * MIB, "{} bytes", files.read.get());
}

#[test]
fn the_start_and_the_end_of_a_very_large_log_are_read() {
    let line = |event: &str| {
        format!(
            "2026/01/02-03:04:05.000000 1 EVENT_LOG_v1 {{\"time_micros\": 1767323045000000, \"event\": \"{event}\"}}\n"
        )
    };
    let end = format!("\n{}", line("at_the_end"));
    let files = Sparse::new("LOG", 1 << 40, line("at_the_start").as_bytes(), end.as_bytes());
    let events = Log::read(&files);
    assert_eq!(events.counts.keys().collect::<Vec<_>>(), ["at_the_end", "at_the_start"]);
    assert!(files.read.get() <= 513 * MIB, "{} bytes", files.read.get());
    let problem = &events.problems[0];
    assert_eq!((problem.severity, problem.file.as_str()), (Severity::NotRead, "LOG"));
    let expected =
        "not read whole: it has 1.0 TiB; the first 128 MiB and the last 384 MiB are read";
    assert_eq!(problem.message, expected);
}
