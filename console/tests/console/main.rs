//! The command language as a host uses it.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, print their seeds, and read their scripts from files"
)]

mod answers;
mod bench;
mod blocking;
mod carried;
mod check;
mod commands;
mod compare;
mod expect;
mod glossary;
mod golden;
mod handed_out;
mod lab;
mod measure;
mod never_panic;
mod queries;
mod share;
mod stopped;
#[path = "../../../engine/tests/it/technique.rs"]
#[allow(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod technique;
mod time;
mod until;
mod verbs;

use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::{Console, Failure, Foreign, Host, Response};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A host around a disk in memory; each look at its clock takes a microsecond.
#[derive(Default)]
struct MemoryHost {
    storage: MemoryStorage,
    nanos: AtomicU64,
    /// The files that a command has saved.
    saved: Arc<Mutex<Vec<Foreign>>>,
    /// The files of every path; empty: those of a small database.
    there: Vec<Foreign>,
}

impl MemoryHost {
    fn on(storage: MemoryStorage) -> Self {
        Self { storage, ..Self::default() }
    }
}

impl Host for MemoryHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.storage.clone())
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn disk(&self) -> Option<MemoryStorage> {
        Some(self.storage.clone())
    }

    /// Each path leads to the same files.
    fn read_files(&self, _: &str) -> Result<Vec<Foreign>, Failure> {
        match self.there.as_slice() {
            [] => Ok(carried::own_files()),
            there => Ok(there.to_vec()),
        }
    }

    fn pick_files(&self) -> bool {
        true
    }

    fn save_files(&self, _: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        *self.saved.lock().expect("no thread panicked") = files;
        Ok(())
    }

    fn clock_nanos(&self) -> Option<u64> {
        Some(self.nanos.fetch_add(1000, Ordering::Relaxed))
    }
}

/// A console on an empty disk with the options of `preset`.
fn console(preset: &str) -> Console {
    console_on(MemoryStorage::default(), preset)
}

fn console_on(storage: MemoryStorage, preset: &str) -> Console {
    let mut console = Console::new(Box::new(MemoryHost::on(storage)));
    let options = Options::preset(preset).expect("the preset exists");
    console.open(options).expect("an empty database opens");
    console
}

/// The printed lines as text, followed by the failure.
fn text(response: &Response) -> String {
    let mut text = String::new();
    for line in &response.lines {
        text.push_str(line.to_text().trim_end());
        text.push('\n');
    }
    if let Some(failure) = &response.error {
        let _ = writeln!(text, "error: {}", failure.message);
        if let Some(hint) = &failure.hint {
            let _ = writeln!(text, "hint: {hint}");
        }
    }
    text
}
