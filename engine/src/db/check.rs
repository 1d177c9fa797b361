//! Checking a whole database: order, ranges, counts, checksums, and the set of files.

use super::Db;
use crate::iter::Cursor;
use crate::key::{compare_internal, parse_internal_key, user_key};
use crate::manifest::TableMeta;
use crate::storage::FileName;
use crate::{ErrorKind, Result, ValueKind};
use std::cmp::Ordering;

mod order;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckReport {
    /// Tables read from end to end.
    pub tables: u64,
    /// Entries in them.
    pub entries: u64,
    /// What is wrong, one sentence each; empty when all is well.
    pub problems: Vec<String>,
}

impl Db {
    /// Reads every table and compares it with what the manifest says.
    ///
    /// # Errors
    /// `WouldBlock` only: everything else that goes wrong is a problem in the report.
    pub fn check(&self) -> Result<CheckReport> {
        let view = self.shared().read_view();
        let mut report = CheckReport::default();
        for (level, meta) in view.version.tables() {
            report.tables += 1;
            match self.check_table(meta) {
                Ok((entries, problems)) => {
                    report.entries += entries;
                    let name = FileName::Table(meta.number);
                    let problems = problems.into_iter();
                    report
                        .problems
                        .extend(problems.map(|what| format!("{name} (L{level}): {what}")));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(error) => report.problems.push(error.to_string()),
            }
        }
        for level in 0..view.version.level_count() {
            let runs = view.version.runs(level).iter();
            for pair in runs.flat_map(|run| run.tables().windows(2)) {
                if let [left, right] = pair
                    && user_key(&left.largest) >= user_key(&right.smallest)
                {
                    report.problems.push(format!(
                        "tables {} and {} of L{level} overlap",
                        left.number, right.number
                    ));
                }
            }
        }
        if report.problems.is_empty() {
            match self.check_order(&view.version) {
                Ok(problems) => report.problems.extend(problems),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error),
                Err(error) => report.problems.push(error.to_string()),
            }
        }
        Ok(report)
    }

    fn check_table(&self, meta: &TableMeta) -> Result<(u64, Vec<String>)> {
        let mut problems = Vec::new();
        let mut cursor = self.shared().table(meta)?.cursor();
        cursor.seek_to_first()?;
        let (mut entries, mut tombstones) = (0, 0);
        let mut last: Vec<u8> = Vec::new();
        while cursor.valid() {
            let key = cursor.key();
            if entries == 0 && key != meta.smallest {
                problems.push("its first key is not the one in the manifest".into());
            }
            if entries > 0 && compare_internal(&last, key) != Ordering::Less {
                problems.push(format!("entry {} is out of order", entries + 1));
            }
            match parse_internal_key(key) {
                Some(parsed) => {
                    tombstones += u64::from(parsed.kind == ValueKind::Delete);
                    if !(meta.sequence_min..=meta.sequence_max).contains(&parsed.sequence) {
                        problems.push(format!("entry {} has a foreign sequence", entries + 1));
                    }
                }
                None => problems.push(format!("entry {} has no valid key", entries + 1)),
            }
            last.clear();
            last.extend_from_slice(key);
            entries += 1;
            cursor.next()?;
        }
        if entries > 0 && last != meta.largest {
            problems.push("its last key is not the one in the manifest".into());
        }
        if (entries, tombstones) != (meta.entries, meta.tombstones) {
            problems.push(format!(
                "it has {entries} entries and {tombstones} tombstones, the manifest says {} and {}",
                meta.entries, meta.tombstones
            ));
        }
        Ok((entries, problems))
    }
}
