//! Reads the archives of `tests/fixtures/reports`: each holds one directory of a database.

use levelscope_foreign::MemoryFiles;
use std::path::PathBuf;

fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> usize {
    let mut word = [0; 8];
    word[..BYTES].copy_from_slice(&bytes[at..at + BYTES]);
    usize::try_from(u64::from_le_bytes(word)).unwrap()
}

/// The files of the archive whose name begins with `number` and a dash, without their folder.
pub(crate) fn report(prefix: &str) -> MemoryFiles {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/reports"));
    let mut paths = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let path = paths.find(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(&format!("{prefix}-"))
    });
    MemoryFiles::new(unzip(&std::fs::read(path.unwrap()).unwrap()))
}

/// The central directory lists all files; its end is found from its magic.
fn unzip(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06").unwrap();
    let mut at = number::<4>(bytes, end + 16);
    let mut files = Vec::new();
    for _ in 0..number::<2>(bytes, end + 10) {
        let (method, packed) = (number::<2>(bytes, at + 10), number::<4>(bytes, at + 20));
        let [name, extra, comment] = [28, 30, 32].map(|place| number::<2>(bytes, at + place));
        let path = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
        let local = number::<4>(bytes, at + 42);
        let start = local + 30 + number::<2>(bytes, local + 26) + number::<2>(bytes, local + 28);
        let data = &bytes[start..start + packed];
        let data = match method {
            0 => data.to_vec(),
            _ => miniz_oxide::inflate::decompress_to_vec(data).unwrap(),
        };
        at += 46 + name + extra + comment;
        if let Some((_, name)) = path.split_once('/').filter(|(_, name)| !name.is_empty()) {
            files.push((name.to_owned(), data));
        }
    }
    files
}
