//! The write-ahead log: every batch is here before it is acknowledged.
//!
//! File headers ([`file`]), the framing of records ([`record`]) and the rule that distinguishes a torn tail from damage
//! ([`tail`]) are shared with the manifest, which is a log too.

#[cfg(not(target_arch = "wasm32"))]
mod ahead;
pub(crate) mod chain;
mod early;
mod ending;
pub(crate) mod file;
mod log;
mod reader;
pub(crate) mod record;
pub(crate) mod salvage;
pub(crate) mod tail;
#[cfg(test)]
pub(crate) mod tests;
mod whole;
mod writer;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use ahead::{AheadSyncs, AheadWork};
pub(crate) use early::EarlyLog;
pub(crate) use ending::EndingLog;
pub(crate) use log::LogWriter;
pub(crate) use reader::{LogEnd, LogFlaw, Replay, WalRecord, WalSummary, replay, walk};
pub(crate) use whole::read_log;
pub(crate) use writer::{Before, WalWriter};
