//! Sentences about transactions.

use crate::event::words::{bytes, count};
use crate::event::{EventKind, Isolation};
use crate::key::ValueKind;

pub(super) fn transaction(kind: &EventKind) -> String {
    match kind {
        EventKind::OpBegin { transaction, sequence, isolation } => {
            let checked = match isolation {
                Isolation::Snapshot => "its writes are checked when it commits",
                Isolation::Serializable => {
                    "its writes and all that it reads are checked when it commits"
                }
            };
            format!(
                "Transaction {transaction} begins and reads at sequence number {sequence}; {checked}."
            )
        }
        EventKind::OpBuffer { transaction, key, entry, value_bytes, writes, .. } => {
            let what = match entry {
                ValueKind::Put => format!("puts {key} with a value of {}", bytes(*value_bytes)),
                ValueKind::Delete => format!("deletes {key}"),
            };
            format!(
                "Transaction {transaction} {what}; nobody else sees its {} yet.",
                count(*writes, "write")
            )
        }
        EventKind::OpRead { transaction, key, found, own, .. } => {
            let what = match (found, own) {
                (true, true) => "finds its own write",
                (false, true) => "finds its own delete",
                (true, false) => "finds the value of its snapshot",
                (false, false) => "finds nothing in its snapshot",
            };
            format!("Transaction {transaction} gets {key} and {what}.")
        }
        EventKind::OpReadRange { transaction, .. } => {
            format!(
                "Transaction {transaction} opens an iterator over its snapshot and its own writes."
            )
        }
        EventKind::OpCommit { transaction, count: 0, .. } => {
            format!("Transaction {transaction} commits; it only read, so nothing is written.")
        }
        EventKind::OpCommit { transaction, count: number, bytes: size, first_sequence } => format!(
            "Transaction {transaction} commits {} in {}, with sequence numbers from {first_sequence} on.",
            count(*number, "write"),
            bytes(*size)
        ),
        EventKind::OpConflict { transaction, key, read, sequence, winner } => {
            let relation = if *read { "has read" } else { "writes" };
            format!(
                "Transaction {transaction} conflicts: {key}, which it {relation}, was committed with \
                 {winner}; it reads at {sequence}."
            )
        }
        EventKind::OpRollback { transaction, writes } => match writes {
            0 => format!("Transaction {transaction} is rolled back; it had written nothing."),
            1 => format!("Transaction {transaction} is rolled back: its write is forgotten."),
            _ => {
                format!(
                    "Transaction {transaction} is rolled back: its {writes} writes are forgotten."
                )
            }
        },
        _ => String::new(),
    }
}
