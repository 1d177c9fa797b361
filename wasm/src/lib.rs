//! The engine and its console for a browser worker: JSON in and out, files of the origin below.
//!
//! ```text
//! worker.ts ── bindings ── Session ── Console ── engine
//!     └─ opens files ──── Directory ── OriginStorage ─┘
//! ```
//!
//! Nothing is decided here: commands belong to the console, everything else to the engine. This crate adds the storage
//! of the browser. Only the worker can open its files, asynchronously: a call that needs a file answers `blocked`, the
//! worker opens it, hands over the handle and calls again. New files and bytes wait in memory until the worker settles
//! them, before it reports to the page.

#[cfg(target_arch = "wasm32")]
pub mod bindings;
mod clock;
mod event_buffer;
#[cfg(target_arch = "wasm32")]
pub mod labs;
mod lessons;
mod samples;
mod session;
mod wire;
mod worker;

pub use lessons::lend as lend_lessons;
pub use session::Session;
