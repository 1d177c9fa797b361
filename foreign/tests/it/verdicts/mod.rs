//! Answers about directories that people asked about in public: what is damaged, what the engine would keep, and what
//! can be saved.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its fixtures"
)]

mod logs;
mod manifests;
mod unread;

use levelscope_foreign::directory::Directory;
use levelscope_foreign::report::Report;
use levelscope_foreign::{CountedFiles, Files, MemoryFiles};

/// What `look` makes of the directory.
fn opened<T>(files: &MemoryFiles, look: impl FnOnce(&Directory<'_>) -> T) -> T {
    let counted = CountedFiles::new(files);
    look(&Directory::open(&counted).unwrap())
}

fn damage(directory: &Directory<'_>) -> Report {
    directory.report("damage", None, None).unwrap()
}

/// The report as one text: answer, rows, notes.
fn text(report: &Report) -> String {
    format!("{}\n{}\n{}", report.answer, report.table.csv(), report.missing.join("\n"))
}

/// The same files with changes.
fn changed(files: &MemoryFiles, change: impl Fn(&str, &mut Vec<u8>) -> bool) -> MemoryFiles {
    MemoryFiles::new(files.list().iter().filter_map(|file| {
        let mut bytes = files.read_whole(&file.name, u64::MAX).unwrap();
        change(&file.name, &mut bytes).then(|| (file.name.clone(), bytes))
    }))
}

#[track_caller]
fn has(text: &str, words: &str) {
    assert!(text.contains(words), "no \"{words}\" in:\n{text}");
}

#[track_caller]
fn lacks(text: &str, words: &str) {
    assert!(!text.contains(words), "\"{words}\" in:\n{text}");
}
