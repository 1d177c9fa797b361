//! Findings about a directory: damage, missing files, and remarks.

use crate::sorting::sort_by_key;
use crate::text::hex;
use crate::{Error, ErrorKind, Files};
use std::collections::BTreeSet;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Normal, but worth knowing: a log that a crash cut off, a file that the manifest does not name.
    Note,
    /// Part of the database is not read by this version, though nothing is wrong with it.
    NotRead,
    /// Data is lost or wrong.
    Error,
}

/// In which way a file is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Its bytes are wrong.
    Damaged,
    /// It is not in the directory.
    Missing,
    /// It may be sound, but the history ends before the edit that adds it.
    InNoLevel,
    /// It is sound, but recovery leaves it out.
    LeftOut,
    /// This version does not read it.
    NotRead,
    /// It is as it should be.
    Note,
}

impl Standing {
    /// It in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::Missing => "missing",
            Self::InNoLevel => "in no level",
            Self::LeftOut => "left out",
            Self::NotRead => "not read",
            Self::Note => "note",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    /// The file.
    pub file: String,
    /// Offset of the first bad byte, where one is to blame.
    pub offset: Option<u64>,
    /// Its severity.
    pub severity: Severity,
    /// In which way the file is not as it should be.
    pub state: Standing,
    /// A sentence: the damage and its consequence.
    pub message: String,
    /// The column family that it concerns.
    pub family: Option<String>,
    /// The level of the table that it concerns.
    pub level: Option<u32>,
    /// The smallest and largest user key that are concerned, as hexadecimal digits of at most 1,024 bytes.
    pub keys: Option<(String, String)>,
}

impl Problem {
    /// A finding about a whole file.
    pub fn new(severity: Severity, file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            offset: None,
            severity,
            state: match severity {
                Severity::Error => Standing::Damaged,
                Severity::NotRead => Standing::NotRead,
                Severity::Note => Standing::Note,
            },
            message: message.into(),
            family: None,
            level: None,
            keys: None,
        }
    }

    /// With the severity of the kind of `error`; `file` counts when the error names none.
    pub fn of(error: &Error, file: &str) -> Self {
        let severity = match error.kind() {
            ErrorKind::NotRead => Severity::NotRead,
            _ => Severity::Error,
        };
        let file = error.file().unwrap_or(file);
        let mut problem = Self::new(severity, file, error.message()).at(error.offset());
        if error.kind() == ErrorKind::Missing {
            problem.state = Standing::Missing;
        }
        problem
    }

    /// With its place in the file.
    pub(crate) fn at(self, offset: impl Into<Option<u64>>) -> Self {
        Self { offset: offset.into(), ..self }
    }

    /// Whether its file itself is damaged or missing.
    pub(crate) fn is_damage(&self) -> bool {
        let is_sound = matches!(self.state, Standing::InNoLevel | Standing::LeftOut);
        self.severity == Severity::Error && !is_sound
    }

    /// The same finding with another state.
    #[must_use]
    pub(crate) fn standing(mut self, state: Standing) -> Self {
        self.state = state;
        self
    }
}

/// Errors first, each once.
pub fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    problems.retain(|problem| {
        seen.insert((problem.file.clone(), problem.offset, problem.message.clone()))
    });
    sort_by_key(&mut problems, |problem| std::cmp::Reverse(problem.severity));
    problems
}

/// As [`sorted`]; a file that is missing or no regular file is reported once, in the words of the first of its most
/// severe findings.
pub fn distinct(problems: Vec<Problem>, files: &dyn Files) -> Vec<Problem> {
    let mut problems = sorted(problems);
    let mut absent = BTreeSet::new();
    problems.retain(|problem| {
        problem.offset.is_some()
            || files.length(&problem.file).is_some()
            || absent.insert(problem.file.clone())
    });
    problems
}

/// Bytes of a key that a finding holds.
const KEY_BYTES_MAX: usize = 1024;

/// The bounds of keys as a finding holds them: at most 1,024 bytes of each, as hexadecimal digits.
pub fn bounds(smallest: &[u8], largest: &[u8]) -> (String, String) {
    let head = |key: &[u8]| hex(key.get(..KEY_BYTES_MAX).unwrap_or(key));
    (head(smallest), head(largest))
}

/// A key that a finding gives as hexadecimal digits, as all other tables write keys.
pub fn key_text(digits: &str) -> String {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
    bytes.map_or_else(|| digits.to_owned(), |bytes| crate::text::key(&bytes))
}
