//! Files of no format that is known: nothing is recognized without evidence.

use crate::common::Random;
use crate::fixture::{file, format};
use levelscope_formats::{Likeness, recognize};

/// What a picture of a sketch begins with, and bytes of no pattern, as a compressor leaves them.
fn picture(magic: &[u8], seed: u64, bytes: usize) -> Vec<u8> {
    [magic, &Random(seed).bytes(bytes)].concat()
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03 \0\0\x02X\x08\x06\0\0\0";
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0";
    let pdf = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n";
    let elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\0\0\0\0";
    let text = "It was the best of times, it was the worst of times.\n".repeat(40);
    vec![
        ("picture.png", picture(png, 1, 20_000)),
        ("picture.jpg", picture(jpeg, 2, 9_000)),
        ("paper.pdf", picture(pdf, 3, 5_000)),
        ("program", picture(elf, 4, 30_000)),
        ("notes.txt", text.into_bytes()),
        ("short.txt", b"hello\n".to_vec()),
        ("table.json", br#"{"key": "value", "list": [1, 2, 3]}"#.to_vec()),
        ("zeros", vec![0; 4096]),
        ("few zeros", vec![0; 13]),
        ("ones", vec![0xff; 4096]),
        ("random", Random(5).bytes(100_000)),
        ("page.html", b"<!doctype html><title>page</title><p>text".to_vec()),
    ]
}

#[test]
fn what_is_of_no_format_is_unknown_whatever_it_is_called() {
    for (name, bytes) in samples() {
        let all =
            [name, "000005.ldb", "000005.log", "000005.sst", "store.db", "CURRENT", "1_2.log"];
        for name_ in all.into_iter().chain(["0_0.sst", "MANIFEST-000002"]) {
            let found = recognize(name_, &bytes);
            assert!(found.is_empty(), "{name} called {name_}: {found:?}");
        }
    }
}

/// A picture was a log of `FroopyDB`, because more than half of it could be read as records.
#[test]
fn records_in_part_of_a_file_are_no_evidence() {
    let log = format("froopy-log");
    let name = "1795221886453_9007.log";
    let whole = file(&format!("froopydb/wal/{name}"));
    assert_eq!(log.recognize("any", &whole), Likeness::Likely);
    let spoilt = [&whole[..], b"\0\0\0\0 and something else"].concat();
    assert_eq!(log.recognize("any", &spoilt), Likeness::None);
}

#[test]
fn a_certain_format_has_no_alternatives() {
    let found = recognize("any", &file("kvdb/basic.db"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].likeness, Likeness::Certain);
}
