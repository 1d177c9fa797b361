//! Helpers of the tests of this crate, of storage implementations and of hosts; no product code uses them.

pub mod conformance;
pub mod covers;
pub mod crash;
pub mod decode;
pub mod forge;
pub mod order;
pub mod rewrite;
pub mod samples;
