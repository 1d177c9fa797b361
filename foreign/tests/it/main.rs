//! Directories of other engines: the reader's answers, compared with those of the real libraries. Tests that count
//! memory have programs of their own.
#![cfg(test)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its fixtures"
)]
#![allow(unreachable_pub, reason = "modules of one program")]

#[path = "../common/mod.rs"]
mod common;

mod blobs;
mod carry;
mod damage;
mod directories;
mod facts;
mod frames;
mod history;
mod ingested;
mod inspect;
mod logs;
mod loose;
mod manifest;
mod manifest_claims;
mod originals;
mod own;
mod pebble;
mod pebble_damage;
mod pebble_made;
mod pebble_slices;
mod recognize;
mod reports;
mod scan_counts;
mod sparse;
mod tables;
mod tables_made;
mod tables_speed;
mod unreadable;
mod verdicts;
