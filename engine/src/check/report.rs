//! The report of a check.

use crate::Error;
use crate::storage::FileName;
use crate::text;
use std::fmt;

/// Findings that a report keeps; more are counted.
const FINDINGS_MAX: usize = 1000;
/// Findings that a report keeps of one file: the first ones are enough.
const FINDINGS_PER_FILE_MAX: usize = 50;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// A remainder of a crash or of a failed deletion, which the database does not need.
    Warning,
    /// Something is damaged, missing or untrue.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One observation of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Name of the file that it is about; it need not exist.
    pub file: String,
    /// Where in the file, if it is known \[bytes\]. For a compressed block: where the block begins.
    pub offset: Option<u64>,
    /// The observation, as a sentence without its full stop.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => {
                write!(f, "{} at offset {}: {}", self.file, text::count(offset), self.what)
            }
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// The findings of a check, and how much it read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct CheckReport {
    /// Files of the database in the directory.
    pub files: u64,
    /// Tables read from end to end.
    pub tables: u64,
    /// Data blocks in them.
    pub blocks: u64,
    /// Entries in them.
    pub entries: u64,
    /// Batches in logs.
    pub batches: u64,
    /// Length of the files that were read from end to end, each once \[bytes\].
    pub bytes_read: u64,
    /// Findings that are errors, those that are not kept included.
    pub errors: u64,
    /// Findings that are warnings, likewise.
    pub warnings: u64,
    /// Findings, in the order in which they were made; no more than a thousand, and fifty of one file.
    pub findings: Vec<Finding>,
    /// Findings beyond that.
    pub left_out: u64,
}

impl CheckReport {
    /// Whether nothing is damaged, missing or untrue.
    pub fn is_sound(&self) -> bool {
        self.errors == 0
    }

    /// The errors, one sentence each, with file and offset.
    pub fn problems(&self) -> Vec<String> {
        let errors = self.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(Finding::to_string).collect()
    }

    /// Adds the findings and the reads of one unit of work.
    pub(super) fn add(&mut self, found: UnitReport) {
        let UnitReport { findings, tables, blocks, entries, batches, whole: _ } = found;
        self.tables += tables;
        self.blocks += blocks;
        self.entries += entries;
        self.batches += batches;
        for finding in findings {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => {}
            }
            let of_file = self.findings.iter().filter(|other| other.file == finding.file).count();
            if self.findings.len() < FINDINGS_MAX && of_file < FINDINGS_PER_FILE_MAX {
                self.findings.push(finding);
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// The findings of one unit of work and how much it read; thrown away when the unit has to be repeated.
#[derive(Debug, Default)]
pub(super) struct UnitReport {
    pub(super) findings: Vec<Finding>,
    pub(super) tables: u64,
    pub(super) blocks: u64,
    pub(super) entries: u64,
    pub(super) batches: u64,
    /// Files that were read from end to end, and their length \[bytes\].
    pub(super) whole: Vec<(FileName, u64)>,
}

impl UnitReport {
    /// Notes that all `bytes` of a file were read.
    pub(super) fn read_whole(&mut self, file: FileName, bytes: u64) {
        self.whole.push((file, bytes));
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        file: &impl ToString,
        offset: impl Into<Option<u64>>,
        what: impl Into<String>,
    ) {
        let (file, offset, what) = (file.to_string(), offset.into(), what.into());
        self.findings.push(Finding { severity, file, offset, what });
    }

    pub(super) fn error(
        &mut self,
        file: FileName,
        offset: impl Into<Option<u64>>,
        what: impl Into<String>,
    ) {
        self.add(Severity::Error, &file, offset, what);
    }

    /// Takes an error of the engine for a finding about `file`, unless it names another one.
    ///
    /// # Errors
    /// `WouldBlock`: that is none.
    pub(super) fn damage(&mut self, file: FileName, error: &Error) -> crate::Result<()> {
        if error.blocked_on().is_some() {
            return Err(error.clone());
        }
        let file = error.file().unwrap_or(file);
        self.error(file, error.offset(), error.message());
        Ok(())
    }

    /// Makes a finding of a flaw of the files as a whole: the policy of a check ([`crate::flaw`]).
    ///
    /// # Errors
    /// `WouldBlock`: that is none.
    pub(super) fn flaw(&mut self, flaw: &Error) -> crate::Result<()> {
        self.damage(FileName::Current, flaw)
    }

    /// The value, or the error as a finding.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn take<T>(
        &mut self,
        file: FileName,
        result: crate::Result<T>,
    ) -> crate::Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => self.damage(file, &error).map(|()| None),
        }
    }
}
