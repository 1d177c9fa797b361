//! Data for other programs: tables that RocksDB ingests.

pub mod block;
pub mod live;
pub mod sst;

pub use live::LiveEntries;
pub use sst::{SstSummary, SstWriter};
