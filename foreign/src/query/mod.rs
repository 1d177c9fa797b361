//! Typed questions to a directory, for a terminal and a page.

pub mod answer;
mod answering;
mod cautions;
mod facts;
mod history;
mod levels;
mod reads;
mod shown;

pub use facts::Object;
pub use reads::Part;
pub use shown::{bytes_of, shown};

use serde::Deserialize;

/// A question. Keys are hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "ask", rename_all = "camelCase")]
pub enum Query {
    /// [`answer::Overview`].
    Overview,
    /// [`answer::Levels`] of a family after a step (the last one when absent).
    Levels {
        /// Number of the family.
        family: u32,
        /// The step.
        step: Option<usize>,
    },
    /// A list of [`answer::StepLine`].
    Steps {
        /// The first.
        from: usize,
        /// At most so many.
        limit: usize,
    },
    /// [`answer::Facts`] about an object of a family after a step.
    Facts {
        /// Number of the family.
        family: u32,
        /// The step; the last one when absent.
        step: Option<usize>,
        /// The object, such as `table:10`, see [`Object::parse`]; empty for the family.
        object: String,
    },
    /// [`answer::Rows`] of a family.
    Scan {
        /// Number of the family.
        family: u32,
        /// The first key; the family's first one when absent.
        from: Option<String>,
        /// The key to stop before.
        to: Option<String>,
        /// At most so many entries.
        limit: usize,
        /// Sequence number to read at; the newest when absent.
        sequence: Option<u64>,
    },
    /// [`answer::Lookup`] of a key.
    Get {
        /// Number of the family.
        family: u32,
        /// The key.
        key: String,
        /// Sequence number to read at; the newest when absent.
        sequence: Option<u64>,
    },
    /// One of the ten questions, a [`crate::report::Report`].
    Report {
        /// Its word, such as `level0`.
        id: String,
        /// Number of the family, where the question is about one.
        family: Option<u32>,
        /// A key, where the question is about one.
        key: Option<String>,
    },
    /// A list of [`crate::Problem`], after the checksums of all files were compared.
    Check {
        /// Whether blocks are decompressed and decoded, too.
        deep: bool,
    },
}

/// The type of the answer to each `Query`, by its `ask`.
#[cfg(feature = "typescript")]
#[derive(Debug, ts_rs::TS)]
pub struct Answers {
    /// The directory as a whole.
    pub overview: answer::Overview,
    /// The levels of a family at a step.
    pub levels: answer::Levels,
    /// Steps of the history.
    pub steps: Vec<answer::StepLine>,
    /// Facts about an object.
    pub facts: answer::Facts,
    /// Live entries.
    pub scan: answer::Rows,
    /// A lookup.
    pub get: answer::Lookup,
    /// One of the ten questions.
    pub report: crate::report::Report,
    /// The outcome of a check.
    pub check: answer::CheckOutcome,
}
