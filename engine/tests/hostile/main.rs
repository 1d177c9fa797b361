//! Files forged with knowledge of the format: every checksum is right, nothing else can be trusted.
//!
//! The whole binary runs under an allocator with a limit: a forged length or count that makes the engine
//! allocate too much ends it. [`judge`] checks the properties that must hold for any hostile file.
#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(dead_code, reason = "some of the shared helpers are for the other binary")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

mod allocator;
#[path = "../it/common/mod.rs"]
mod common;
mod fixture;
mod judge;
mod lengths;
mod limits;
mod names;
mod structure;
mod sweep;
#[path = "../it/technique.rs"]
mod technique;
mod work;
