//! Fixtures as a host gives them.
#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::disallowed_methods, reason = "tests read files of the disk")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use levelscope_lens::Host;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files in memory, in the order of a person's choice.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// Bytes that were read.
    pub(crate) read: Rc<Cell<u64>>,
}

impl Host for Memory {
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let (_, bytes) = self.files.get(file).ok_or("the host has no such file")?;
        let rest = bytes.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl Memory {
    /// Names and lengths.
    pub(crate) fn list(&self) -> Vec<(String, u64)> {
        self.files.iter().map(|(name, bytes)| (name.clone(), bytes.len() as u64)).collect()
    }
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/lsm"))
}

/// The fixture called `name`, in a folder of that name; the files backwards, because a host gives them in any order.
pub(crate) fn fixture(name: &str) -> Memory {
    let mut files = Vec::new();
    add(&root().join(name), &format!("{name}/"), &mut files);
    files.sort();
    files.reverse();
    Memory { files, read: Rc::default() }
}

fn add(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            add(&entry.path(), &format!("{prefix}{name}/"), files);
        } else {
            files.push((format!("{prefix}{name}"), std::fs::read(entry.path()).unwrap()));
        }
    }
}

/// The names of all fixtures.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
