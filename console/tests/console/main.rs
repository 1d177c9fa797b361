//! The command language as a host uses it.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, print their seeds, and read their scripts from files"
)]

mod bench;
mod blocking;
mod check;
mod commands;
mod golden;
mod measure;
mod never_panic;
mod time;
mod verbs;

use levelscope::Options;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::{Console, Host, Response};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A host around a disk in memory; each look at its clock takes a microsecond.
#[derive(Default)]
struct MemoryHost {
    storage: MemoryStorage,
    nanos: AtomicU64,
}

impl MemoryHost {
    fn on(storage: MemoryStorage) -> Self {
        Self { storage, nanos: AtomicU64::default() }
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

/// What was printed, as text, with the failure behind it.
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
