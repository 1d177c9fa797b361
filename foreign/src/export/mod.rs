//! Data for other programs: tables that RocksDB ingests.

pub mod block;
pub mod sst;

pub use sst::{SstSummary, SstWriter};
