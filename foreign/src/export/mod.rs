//! Data for other programs: live entries as plain keys and values, and tables that RocksDB ingests.

pub mod block;
pub mod carry;
pub mod sst;

pub use carry::{Carried, Carrier, Policy, Tally};
pub use sst::{SstSummary, SstWriter};
