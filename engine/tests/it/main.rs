//! Whole-crate tests, in one binary.
#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

mod agreement;
mod buffered;
mod capacity;
mod checking;
mod checkpoint;
mod closing;
mod common;
mod conformance;
mod corruption;
mod crash;
mod cut_meanwhile;
mod damaged_current;
mod decoders;
mod decorators;
mod determinism;
mod early_logs;
mod effects;
mod events;
mod everyday;
mod fault;
mod filtering;
mod follow;
mod forge;
mod full_disk;
mod fuzz;
mod gate;
mod golden;
mod group;
mod held;
mod history;
mod hosted;
mod identity;
mod inspect;
mod killed_opening;
mod limits;
mod live;
mod live_reads;
mod log_names;
mod memory;
mod metrics;
mod missing_log;
mod model;
mod mutation;
mod native;
mod opening;
mod options;
mod order;
mod parallel;
mod parts;
mod patches;
mod pinned;
mod probes;
mod read_compaction;
mod reading;
mod refreshing;
mod repairing;
mod review;
mod roll;
mod schedules;
mod size;
mod slowdown;
mod strategies;
mod technique;
mod text;
mod threads;
mod threads_crash;
mod transactions;
mod two_flushes;
mod unfinished;
