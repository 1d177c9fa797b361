//! Files of other programs: what is in `tests/fixtures/formats`, and any others of the same kinds.
#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(dead_code, unused_imports, reason = "some of the shared helpers are for other binaries")]
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

#[path = "../../../engine/tests/it/common/mod.rs"]
mod common;
mod damage;
mod decoders;
mod directory;
mod exchange;
mod fixture;
mod froopy;
mod kvdb;
mod ladder;
mod leftovers;
#[path = "../../../engine/tests/it/mutation.rs"]
mod mutation;
mod random;
mod strangers;
#[path = "../../../engine/tests/it/technique.rs"]
mod technique;
