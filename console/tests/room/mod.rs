//! Directories for tests, and the program run on them.
#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of its own, removed at the end.
pub(crate) struct Room(PathBuf);

impl Room {
    pub(crate) fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("levelscope-foreign-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A directory with these files.
    pub(crate) fn with(&self, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(&path).expect("a directory");
        for (file, bytes) in files {
            std::fs::write(path.join(file), bytes).expect("a file");
        }
        path
    }

    /// A copy of a directory of the fixtures.
    pub(crate) fn copy(&self, fixture: &str) -> PathBuf {
        self.copy_of("formats", fixture)
    }

    /// A copy of a database that one of the other programs left.
    pub(crate) fn copy_lsm(&self, fixture: &str) -> PathBuf {
        self.copy_of("lsm", fixture)
    }

    /// A copy of files that people have reported.
    pub(crate) fn copy_report(&self, fixture: &str) -> PathBuf {
        self.copy_of("reports", fixture)
    }

    fn copy_of(&self, collection: &str, fixture: &str) -> PathBuf {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
        let from = fixtures.join(collection).join(fixture);
        let path = self.path(&fixture.replace('/', "-"));
        std::fs::create_dir_all(&path).expect("a directory");
        for (name, bytes) in content(&from) {
            std::fs::write(path.join(name), bytes).expect("a file");
        }
        path
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Everything in a directory; `None` for directories in it.
pub(crate) fn content(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(path) else { return BTreeMap::new() };
    let entries = entries.map(|entry| entry.expect("an entry"));
    let file = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).unwrap_or_default())
    };
    entries.map(file).collect()
}

pub(crate) fn run(arguments: &[&str]) -> (bool, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_levelscope"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let text = [stdout, stderr].concat();
    (status.success(), String::from_utf8_lossy(&text).replace('\n', " "))
}

pub(crate) fn refused(arguments: &[&str], message: &str) {
    let (good, text) = run(arguments);
    assert!(!good && text.contains(message), "{arguments:?} should print {message:?}: {text}");
}

pub(crate) fn accepted(arguments: &[&str]) -> String {
    let (good, text) = run(arguments);
    assert!(good, "{arguments:?}: {text}");
    text
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}
