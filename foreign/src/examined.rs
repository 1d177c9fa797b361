//! The extent of a check of one file.

use crate::Problem;

/// Reason that a check did not reach every block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// The file could not be opened.
    File,
    /// Blocks are found through the index, and the index could not be read.
    Index,
    /// Filters and other blocks beside the data are found through blocks that could not be read.
    Metaindex,
    /// The check ended early, after too many findings.
    Findings,
}

impl Gap {
    /// The reason in words; `its` is `its` or `their`.
    pub fn words(self, its: &str) -> String {
        match self {
            Self::File if its == "its" => "it cannot be opened".to_owned(),
            Self::File => "they cannot be opened".to_owned(),
            Self::Index => format!("{its} index cannot be read"),
            Self::Metaindex => {
                format!("the blocks that name {its} filters and properties cannot be read")
            }
            Self::Findings => format!("{its} check ended after too many findings"),
        }
    }
}

/// Extent of a check of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Examined {
    /// Bytes that were read.
    pub bytes: u64,
    /// Reason that not every checksum was compared; `None` when each one was.
    pub gap: Option<Gap>,
    /// Whether a deep check left out entries, because this version does not decode their blocks.
    pub undecoded: bool,
}

impl Examined {
    /// Of a file that could not be opened.
    pub(crate) fn unopened() -> Self {
        Self { gap: Some(Gap::File), undecoded: true, ..Self::default() }
    }
}

/// Findings that are reported of one table. A damaged index could give millions.
const FINDINGS_MAX: usize = 1000;

/// The course of a check of a table: it reports findings, and notes why parts were not reached.
pub(crate) struct Course<'c> {
    report: &'c mut dyn FnMut(Problem),
    pub(crate) findings: usize,
    gap: Option<Gap>,
    /// Whether entries were left out.
    pub(crate) undecoded: bool,
}

impl<'c> Course<'c> {
    pub(crate) fn new(report: &'c mut dyn FnMut(Problem), gap: Option<Gap>) -> Self {
        Self { report, findings: 0, gap, undecoded: false }
    }

    /// Notes why blocks are not reached; data blocks weigh more than others.
    pub(crate) fn miss(&mut self, gap: Gap) {
        self.gap = Some(self.gap.map_or(gap, |known| known.min(gap)));
    }

    pub(crate) fn report(&mut self, mut problem: Problem) {
        self.findings += 1;
        if self.findings == FINDINGS_MAX {
            problem.message.push_str("; more findings in this table are not listed");
        }
        if self.findings <= FINDINGS_MAX {
            (self.report)(problem);
        }
    }

    /// Whether it ends early: after too many findings, or when more than a sound table of `end` bytes has was `read`,
    /// because a damaged index or metaindex may name the same blocks again and again.
    pub(crate) fn is_over(&self, read: u64, end: u64) -> bool {
        self.findings >= FINDINGS_MAX || read > end.saturating_mul(4).saturating_add(1 << 24)
    }

    /// The extent of the check, after the last block; `is_over` when it ended early.
    pub(crate) fn examined(mut self, bytes: u64, is_over: bool) -> Examined {
        if is_over {
            self.miss(Gap::Findings);
        }
        let undecoded = self.undecoded || self.gap == Some(Gap::Index);
        Examined { bytes, gap: self.gap, undecoded }
    }
}
