//! The ten reports on fixtures, with sentences and figures compared with values that are counted another way.

#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail where fixtures are odd"
)]

mod absent;
mod case;
mod files;
mod keys;
mod large;
mod levels;
mod steps;
mod unfamiliar;
