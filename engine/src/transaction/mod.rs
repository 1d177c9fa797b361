//! The memory of a transaction until its commit: its writes, and the ranges that it has read.
//!
//! Both are plain sets that know nothing of a database; `db::transaction` is the handle over them.

mod ranges;
mod reads;
#[cfg(test)]
mod tests;
mod writes;

pub(crate) use reads::{ReadSet, ReadWatch};
pub(crate) use writes::{WriteSet, WritesCursor};

use crate::event::{Isolation, TransactionId};
use crate::key::SeqNo;
use crate::view::TransactionView;
use std::sync::atomic::{AtomicU64, Ordering};

/// An open transaction as the rest of the database sees it: its read sequence number, and figures for views.
#[derive(Debug)]
pub(crate) struct OpenTransaction {
    pub(crate) id: TransactionId,
    /// Compactions keep the versions visible at it, and newer ones.
    pub(crate) sequence: SeqNo,
    pub(crate) isolation: Isolation,
    // Changed by the handle alone.
    writes: AtomicU64,
    write_bytes: AtomicU64,
    reads: AtomicU64,
}

impl OpenTransaction {
    /// A transaction that has neither read nor written.
    pub(crate) fn new(id: TransactionId, sequence: SeqNo, isolation: Isolation) -> Self {
        let zero = AtomicU64::default;
        Self { id, sequence, isolation, writes: zero(), write_bytes: zero(), reads: zero() }
    }

    /// Notes its present writes: `writes` keys in `bytes`.
    pub(crate) fn wrote(&self, writes: usize, bytes: usize) {
        self.writes.store(writes as u64, Ordering::Relaxed);
        self.write_bytes.store(bytes as u64, Ordering::Relaxed);
    }

    /// Notes one more read; how many there are with it.
    pub(crate) fn read(&self) -> u64 {
        self.reads.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// As views show it.
    pub(crate) fn view(&self) -> TransactionView {
        TransactionView {
            transaction: self.id,
            sequence: self.sequence,
            isolation: self.isolation,
            writes: self.writes.load(Ordering::Relaxed),
            write_bytes: self.write_bytes.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
        }
    }
}
