//! The key of a point lookup, with the values that every table needs of it.

use crate::filter::hash;
use crate::key::{KIND_SEEK, SeqNo, SplitKey, pack_trailer};
use std::cell::OnceCell;

/// A user key as of a sequence number; its hash is computed once for all filters, if any is asked.
#[derive(Debug)]
pub(crate) struct LookupKey<'a> {
    user_key: &'a [u8],
    sequence: SeqNo,
    hash: OnceCell<u64>,
}

impl<'a> LookupKey<'a> {
    pub(crate) fn new(user_key: &'a [u8], sequence: SeqNo) -> Self {
        Self { user_key, sequence, hash: OnceCell::new() }
    }

    pub(crate) fn user_key(&self) -> &'a [u8] {
        self.user_key
    }

    pub(crate) fn sequence(&self) -> SeqNo {
        self.sequence
    }

    /// The hash for filters.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| hash(self.user_key))
    }

    /// The internal key to look for.
    pub(super) fn target(&self) -> SplitKey<'a> {
        SplitKey { user_key: self.user_key, trailer: pack_trailer(self.sequence, KIND_SEEK) }
    }
}
