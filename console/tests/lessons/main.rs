//! Lessons: each mistake is reported with its line, and the library's lessons agree with the engine.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, print their seeds, and read lessons from files"
)]

mod class;
mod library;
mod messages;
mod played;
mod shared;
mod tally;
mod tasks;
mod text;
mod watch;

use levelscope::Options;
use levelscope::storage::{MemoryStorage, NativeStorage, Storage};
use levelscope_console::lesson::{Complaint, LIBRARY, Lesson, Report, check, parse};
use levelscope_console::{Console, Failure, Host};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A host around one storage.
struct OneHost {
    storage: Arc<dyn Storage>,
    disk: Option<MemoryStorage>,
    /// As in a page, whose calls are short.
    in_slices: bool,
}

impl Host for OneHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.storage)
    }

    fn lessons(&self) -> Option<&'static [&'static str]> {
        Some(LIBRARY)
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn in_slices(&self) -> bool {
        self.in_slices
    }

    fn disk(&self) -> Option<MemoryStorage> {
        self.disk.clone()
    }
}

fn console(host: OneHost, options: Options) -> Result<Console, Failure> {
    let mut console = Console::new(Box::new(host));
    console.open(options)?;
    Ok(console)
}

fn in_memory(options: Options) -> Result<Console, Failure> {
    let disk = MemoryStorage::default();
    let storage = Arc::new(disk.clone());
    console(OneHost { storage, disk: Some(disk), in_slices: false }, options)
}

fn in_slices(options: Options) -> Result<Console, Failure> {
    let disk = MemoryStorage::default();
    let storage = Arc::new(disk.clone());
    console(OneHost { storage, disk: Some(disk), in_slices: true }, options)
}

/// What is wrong with `text`, in the parser or in the engine: `7: message`.
fn complaints(text: &str) -> Vec<String> {
    let found = match parse(text) {
        Ok(lesson) => check(&lesson, &mut in_memory).complaints,
        Err(complaints) => complaints,
    };
    found.iter().map(|Complaint { line, message }| format!("{line}: {message}")).collect()
}

/// Each start of a lesson in a directory of its own, on real files.
fn on_files(lesson: &Lesson, name: &str) -> Report {
    let root =
        std::env::temp_dir().join(format!("levelscope-lesson-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let mut count = 0;
    let mut fresh = |options| {
        count += 1;
        let storage = NativeStorage::open(root.join(count.to_string()))?;
        console(OneHost { storage: Arc::new(storage), disk: None, in_slices: false }, options)
    };
    let report = check(lesson, &mut fresh);
    let _ = fs::remove_dir_all(&root);
    report
}

/// The lessons of the library, by the names of their files.
fn library() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons");
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("there are lessons")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a lesson is text");
    files.iter().map(|path| (name(path), read(path))).collect()
}
