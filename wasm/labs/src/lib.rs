//! Experiments for a browser worker, in a module of their own, which is fetched when the first one is asked for.
//!
//! ```text
//! levelscope-wasm ── imports ── worker.ts ── exports ── this module ── levelscope_labs
//! ```
//!
//! The engine's module reads commands and prints reports; this one does the units of an experiment on databases of its
//! own. Both are called in the same worker, one unit a call.

#[cfg(target_arch = "wasm32")]
pub mod bindings;
mod work;

pub use work::{Lab, State};
