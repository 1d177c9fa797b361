//! The engine for programs in JavaScript.
//!
//! ```text
//! JavaScript ── input area ──▶ Core ──▶ Db ──▶ MemoryStorage, or OriginStorage ──▶ files that JavaScript opens
//!            ◀─ output area ──
//! ```
//!
//! Keys and values travel in two areas of the module's memory, in the form of [`packed`], so that one call
//! carries many of them and nothing is copied twice. A call that needs a file which only JavaScript can open
//! fails with `blocked`, having changed nothing; JavaScript opens it and calls again.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod core;
mod cursor;
#[cfg(target_arch = "wasm32")]
mod files;
#[cfg(all(target_arch = "wasm32", feature = "inspect"))]
mod inspect;
pub mod packed;

pub use crate::core::Core;
pub use cursor::Page;
