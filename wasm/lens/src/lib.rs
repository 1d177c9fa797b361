//! Directories of other engines for a browser worker: JSON in and out, files of a person below.
//!
//! ```text
//! worker.ts ── bindings ── Lens ── levelscope_foreign::Directory ── levelscope_console::directory (the terminal)
//!     └─ slices of files ── Host ── HostFiles ─┘
//! ```
//!
//! Nothing is decided here: `levelscope-foreign` reads the directory. This crate adds the files
//! of the page, which only the worker can read, and long work in steps, so that its progress can be shown. One module
//! instance opens one directory: the worker ends with it, because memory of a module never shrinks.

#[cfg(target_arch = "wasm32")]
pub mod bindings;
mod files;
mod lens;
mod pages;
mod terminal;
mod work;

pub use files::{Host, HostFiles, folders};
pub use lens::{Lens, Reply, kind, sentence};
pub use terminal::Ran;
pub use work::{CheckNews, Form, Progress};
