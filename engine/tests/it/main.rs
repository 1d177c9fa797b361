//! Whole-crate tests, in one binary.

mod events;
mod memory;
