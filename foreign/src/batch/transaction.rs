//! Replays batches in order: visible operations, and prepared ones without a commit.

use super::{Batch, Item, Operation};
use crate::{Kind, Result};
use std::collections::BTreeMap;

/// A visible operation that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The family.
    pub family: u32,
    /// Kind of the operation.
    pub kind: Kind,
    /// The key, with its timestamp; the start of a range.
    pub key: Vec<u8>,
    /// The value; the end of a range.
    pub value: Vec<u8>,
    /// Its sequence number; of a prepared one, that of the commit.
    pub sequence: u64,
}

/// A prepared transaction without a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Its id.
    pub id: Vec<u8>,
    /// Number of the log that it was prepared in, which is kept for it.
    pub log: u64,
    /// Its operations, with the sequence numbers of the prepared batch.
    pub operations: Vec<Written>,
}

/// Takes batches in the order of the logs.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    pending: BTreeMap<Vec<u8>, (u64, Vec<Written>)>,
    log: u64,
}

impl From<Operation<'_>> for Written {
    fn from(operation: Operation<'_>) -> Self {
        Self {
            family: operation.family,
            kind: operation.kind,
            key: operation.key.to_vec(),
            value: operation.value.to_vec(),
            sequence: operation.sequence,
        }
    }
}

impl Replay {
    /// The batches that follow are those of log `number`.
    pub fn begin_log(&mut self, number: u64) {
        self.log = number;
    }

    /// Hands the operations that `batch` makes visible to `write`, in order. A batch with damage writes nothing.
    ///
    /// # Errors
    /// `Damaged` when the batch cannot be taken apart.
    pub fn apply(&mut self, batch: &Batch<'_>, mut write: impl FnMut(Written)) -> Result<()> {
        // Damage is found before anything is written; a list of the items could be much larger than the batch.
        batch.items().try_for_each(|item| item.map(|_| ()))?;
        let mut prepared: Option<Vec<Written>> = None;
        let mut committed = 0u64;
        for placed in batch.items() {
            match placed?.item {
                Item::Operation(operation) => match &mut prepared {
                    Some(operations) => operations.push(operation.into()),
                    None => write(operation.into()),
                },
                Item::BeginPrepare(_) => prepared = Some(Vec::new()),
                Item::EndPrepare(id) => {
                    let operations = prepared.take().unwrap_or_default();
                    self.pending.insert(id.to_vec(), (self.log, operations));
                }
                Item::Commit { id, timestamp } => {
                    let written = u64::from(batch.count);
                    for operation in self.pending.remove(id).unwrap_or_default().1 {
                        let sequence = batch.sequence.saturating_add(written + committed);
                        committed += 1;
                        write(stamped(operation, timestamp, sequence));
                    }
                }
                Item::Rollback(id) => {
                    self.pending.remove(id);
                }
                Item::Note(_) | Item::Noop | Item::Ingested { .. } | Item::Excised { .. } => {}
            }
        }
        Ok(())
    }

    /// The prepared transactions that have no commit yet, in the order of their ids.
    pub fn pending(&self) -> Vec<Pending> {
        let pending = self.pending.iter();
        pending
            .map(|(id, (log, operations))| {
                let (id, operations) = (id.clone(), operations.clone());
                Pending { id, log: *log, operations }
            })
            .collect()
    }
}

/// A prepared operation at its commit: the commit's timestamp takes the place of the zeros at the end of its key.
fn stamped(mut operation: Written, timestamp: &[u8], sequence: u64) -> Written {
    operation.sequence = sequence;
    if let Some(start) = operation.key.len().checked_sub(timestamp.len())
        && let Some(end) = operation.key.get_mut(start..)
    {
        end.copy_from_slice(timestamp);
    }
    operation
}
