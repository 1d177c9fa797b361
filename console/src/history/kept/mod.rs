//! The history of a session as bytes, so that it outlives the program: what was done on every branch, and the files
//! that each began with.
//!
//! ```text
//! "levelscope history 1\n"  version of the program  then records, each: length u32 · CRC-32 u32 · postcard
//! ```
//!
//! The file is written from its beginning when a session begins or when it has grown too long, and grows by records in
//! between. It is no part of a database: without it, or with a damaged one, the history only begins anew.

mod keeper;
mod record;

pub use keeper::HistoryUpdate;
pub(crate) use keeper::Keeper;

use super::{Damage, Journal, PowerLoss};
use std::sync::Arc;

/// The first bytes of the file.
const MAGIC: &[u8] = b"levelscope history 1\n";

/// Most bytes of the file: half of it for what is written at once, the rest to grow.
pub(crate) const KEPT_BYTES_MAX: usize = 8 << 20;

/// A branch of an earlier session.
#[derive(Debug, Clone)]
pub(crate) struct KeptBranch {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) forked_at: Option<u64>,
    pub(crate) crash: Option<PowerLoss>,
    pub(crate) damaged: Vec<Damage>,
    pub(crate) journal: Arc<Journal>,
}

/// Why the bytes hold no history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// There are none.
    Empty,
    /// Another version of the program wrote them, whose steps may differ.
    OtherVersion,
    /// They are not what was written; at this offset.
    Damaged(usize),
}

/// The branches in `bytes`, in the order of their beginnings, when `version` wrote them.
///
/// # Errors
/// Why not.
pub(crate) fn read(bytes: &[u8], version: &str) -> Result<Vec<KeptBranch>, Unreadable> {
    record::branches(bytes, version)
}
