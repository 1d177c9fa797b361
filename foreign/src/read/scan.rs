//! The live entries of a family, at a sequence number.

use super::row::{Blobs, PebbleHandle, Row, RowValue};
use super::{Deletions, MergeCursor, MergeOperator};
use crate::key::{Kind, SEQUENCE_MAX};
use crate::problem::bounds;
use crate::{Comparator, EntryCursor, Error, Problem, Result, Value};

/// Versions that a read sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// Entries with larger sequence numbers are not seen.
    pub sequence: u64,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self { sequence: SEQUENCE_MAX }
    }
}

/// Counts of the entries that a scan read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Passed {
    /// Entries read.
    pub entries: u64,
    /// Of these, tombstones that are the newest version of their key.
    pub tombstones: u64,
    /// Of these, entries that a range deletion hides.
    pub range_deleted: u64,
    /// Of these, versions that a newer entry hides, tombstones among them, and those newer than the snapshot.
    pub shadowed: u64,
    /// Of these, operands and values that were joined with a newer operand of their key.
    pub joined: u64,
    /// Of these, entries whose value could not be read.
    pub unread: u64,
}

impl Passed {
    /// Entries that are left: each is, or makes, a live one.
    pub fn live(&self) -> u64 {
        let others = [self.tombstones, self.range_deleted, self.shadowed, self.joined, self.unread];
        others.into_iter().fold(self.entries, u64::saturating_sub)
    }
}

/// A walk over live entries.
pub struct Scan<'a> {
    merged: MergeCursor<'a>,
    deletions: Deletions,
    comparator: Comparator,
    operator: MergeOperator,
    blobs: &'a dyn Blobs,
    snapshot: Snapshot,
    /// The key that it ends before; `None`: it goes to the last.
    end: Option<Vec<u8>>,
    passed: Passed,
    problems: Vec<Problem>,
}

/// The versions of one key.
#[derive(Default)]
struct Versions {
    newest: Option<(u64, usize, Option<u64>)>,
    operands: Vec<Vec<u8>>,
    base: Option<RowValue>,
    settled: bool,
}

impl<'a> Scan<'a> {
    /// Over `merged`, with the range deletions of all its layers.
    pub fn new(
        merged: MergeCursor<'a>,
        deletions: Deletions,
        comparator: Comparator,
        operator: MergeOperator,
        blobs: &'a dyn Blobs,
        snapshot: Snapshot,
    ) -> Self {
        let (passed, problems) = (Passed::default(), Vec::new());
        let end = None;
        Self { merged, deletions, comparator, operator, blobs, snapshot, end, passed, problems }
    }

    /// Ends before `key` (without a timestamp): later entries are neither read nor counted.
    #[must_use]
    pub fn until(mut self, key: Option<&[u8]>) -> Self {
        self.end = key.map(<[u8]>::to_vec);
        self
    }

    /// Goes before the first live entry.
    ///
    /// # Errors
    /// The host stopped it.
    pub fn first(&mut self) -> Result<()> {
        self.merged.first()
    }

    /// Goes before the first live entry whose key is not less than `key` (without a timestamp).
    ///
    /// # Errors
    /// The host stopped it.
    pub fn seek(&mut self, key: &[u8]) -> Result<()> {
        let mut target = key.to_vec();
        // The newest timestamp comes first.
        target.extend(std::iter::repeat_n(0xff, self.comparator.timestamp_bytes()));
        self.merged.seek(&target, SEQUENCE_MAX)
    }

    /// Counts so far.
    pub fn passed(&self) -> Passed {
        self.passed
    }

    /// The layers that it reads.
    pub fn merged(&self) -> &MergeCursor<'a> {
        &self.merged
    }

    /// Damage since the last call.
    pub fn problems(&mut self) -> Vec<Problem> {
        let mut problems = self.merged.problems();
        problems.append(&mut self.problems);
        problems
    }

    /// The next live entry; `None` at the end. [`Scan::problems`] names values that cannot be read, and their
    /// keys are left out.
    ///
    /// # Errors
    /// The host stopped it.
    pub fn next_row(&mut self) -> Result<Option<Row>> {
        loop {
            let Some(entry) = self.merged.entry() else { return Ok(None) };
            let key = self.comparator.parts(entry.user_key).0.to_vec();
            let is_after = |end: &Vec<u8>| self.comparator.compare_keys(&key, end).is_ge();
            if self.end.as_ref().is_some_and(is_after) {
                return Ok(None);
            }
            if let Some(row) = self.next_of(&key)? {
                return Ok(Some(row));
            }
        }
    }

    /// The live entry of `key`, at which the walk stands after [`Scan::seek`]; nothing of later keys is read.
    ///
    /// # Errors
    /// The host stopped it.
    pub fn row_of(&mut self, key: &[u8]) -> Result<Option<Row>> {
        let entry = self.merged.entry();
        if entry.is_none_or(|entry| self.comparator.parts(entry.user_key).0 != key) {
            return Ok(None);
        }
        self.next_of(key)
    }

    /// The live entry of the key at which the walk stands, which is `key`.
    fn next_of(&mut self, key: &[u8]) -> Result<Option<Row>> {
        match self.versions_of(key)? {
            Ok(versions) => Ok(self.row(key.to_vec(), versions)),
            Err(error) => {
                let mut problem = Problem::of(&error, "values");
                problem.keys = Some(bounds(key, key));
                self.problems.push(problem);
                Ok(None)
            }
        }
    }

    /// Adds findings of the time before the walk.
    pub fn add_problems(&mut self, mut problems: Vec<Problem>) {
        self.problems.append(&mut problems);
    }

    /// Reads all versions of `key`. The outer failure is the host's, the inner one that of a value.
    fn versions_of(&mut self, key: &[u8]) -> Result<Result<Versions>> {
        let mut versions = Versions::default();
        let mut failure = None;
        while let Some(entry) = self.merged.entry() {
            let (of_key, timestamp) = self.comparator.parts(entry.user_key);
            if of_key != key {
                break;
            }
            let (sequence, kind) = (entry.sequence, entry.kind);
            let timestamp = timestamp.try_into().ok().map(u64::from_le_bytes);
            let (user_key, stamped) = (entry.user_key.to_vec(), timestamp);
            self.passed.entries += 1;
            if sequence <= self.snapshot.sequence && !versions.settled {
                if let Err(error) = self.version(&mut versions, &user_key, sequence, kind, stamped)
                {
                    versions.settled = true;
                    // Operands that were read before it make no entry, either.
                    self.passed.unread += 1 + u64::from(versions.newest.is_some());
                    failure = Some(error);
                }
            } else {
                self.passed.shadowed += 1;
            }
            self.merged.next()?;
        }
        Ok(failure.map_or(Ok(versions), Err))
    }

    /// Takes in one version, from the newest to the oldest.
    fn version(
        &mut self,
        versions: &mut Versions,
        user_key: &[u8],
        sequence: u64,
        kind: Kind,
        timestamp: Option<u64>,
    ) -> Result<()> {
        let deleted = self.deletions.covering(user_key, self.snapshot.sequence, self.comparator);
        if deleted > sequence {
            self.passed.range_deleted += 1;
            versions.settled = true;
            return Ok(());
        }
        if kind.is_delete() {
            self.passed.tombstones += 1;
            versions.settled = true;
            return Ok(());
        }
        let Some(layer) = self.merged.layer() else { return Ok(()) };
        let value = match kind {
            Kind::Merge => {
                let operand = self.bytes(layer)?;
                versions.operands.push(operand);
                None
            }
            Kind::Put => Some(RowValue::Bytes(self.bytes(layer)?)),
            Kind::PreferredSequence => {
                let mut bytes = self.bytes(layer)?;
                bytes.truncate(bytes.len().saturating_sub(8));
                Some(RowValue::Bytes(bytes))
            }
            Kind::BlobIndex => {
                let index = self.bytes(layer)?;
                Some(RowValue::Bytes(self.blobs.rocksdb(user_key, &index)?))
            }
            Kind::WideColumns => {
                let columns = self.bytes(layer)?;
                Some(RowValue::Columns(self.blobs.columns(user_key, &columns)?))
            }
            // Kinds that are no versions of a key.
            _ => return Ok(()),
        };
        self.passed.joined += u64::from(versions.newest.is_some());
        versions.newest.get_or_insert((sequence, layer, timestamp));
        if value.is_some() {
            (versions.base, versions.settled) = (value, true);
        }
        Ok(())
    }

    /// The value of the current entry.
    fn bytes(&mut self, layer: usize) -> Result<Vec<u8>> {
        match self.merged.value()? {
            Value::Bytes(bytes) => Ok(bytes),
            Value::PebbleBlob { reference, bytes, block, value } => {
                let (Some(layer), Some(entry)) =
                    (self.merged.layers().get(layer), self.merged.entry())
                else {
                    return Err(Error::damaged(0, "a value in a blob file without its table"));
                };
                let order = self.comparator;
                let mut tables = layer.tables.iter();
                let table = tables.find(|table| !table.ends_before(order, entry.user_key));
                let table = table.ok_or_else(|| Error::damaged(0, "a key outside of its table"))?;
                self.blobs.pebble(table, PebbleHandle { reference, bytes, block, value })
            }
        }
    }

    fn row(&self, key: Vec<u8>, mut versions: Versions) -> Option<Row> {
        let (sequence, layer, timestamp) = versions.newest?;
        versions.operands.reverse();
        let row = |value| Row { key, timestamp, sequence, layer, value };
        if versions.operands.is_empty() {
            return versions.base.map(row);
        }
        Some(row(merged(&self.operator, versions.base, versions.operands)))
    }
}

/// `base` with the operands, the oldest first. Of columns the default one is merged into.
fn merged(operator: &MergeOperator, base: Option<RowValue>, operands: Vec<Vec<u8>>) -> RowValue {
    if let Some(RowValue::Columns(mut columns)) = base {
        let default = columns.iter().position(|(name, _)| name.is_empty());
        let old = default.and_then(|place| columns.get(place)).map(|(_, value)| value.as_slice());
        let Some(value) = operator.apply(old, &operands) else {
            return RowValue::Merge { base: old.map(<[u8]>::to_vec), operands };
        };
        match default.and_then(|place| columns.get_mut(place)) {
            Some(column) => column.1 = value,
            None => columns.insert(0, (Vec::new(), value)),
        }
        return RowValue::Columns(columns);
    }
    let base = match base {
        Some(RowValue::Bytes(bytes)) => Some(bytes),
        _ => None,
    };
    match operator.apply(base.as_deref(), &operands) {
        Some(value) => RowValue::Bytes(value),
        None => RowValue::Merge { base, operands },
    }
}
