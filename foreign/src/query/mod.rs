//! Questions to a directory, typed: a terminal and a page ask the same ones.

pub mod answer;
mod answering;
mod cautions;
mod history;
mod levels;
mod reads;
mod shown;

pub use reads::Part;

use serde::Deserialize;

/// A question. Keys are hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "ask", rename_all = "snake_case")]
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
    /// The life of a table, as a list of [`answer::LifeLine`].
    Table {
        /// Its number.
        number: u64,
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
    /// The parts of a part of a file, [`crate::inspect::Opened`].
    Bytes {
        /// The file.
        file: String,
        /// The part to open, by its path of places in the tree; the file when empty.
        #[serde(default)]
        path: Vec<usize>,
        /// The place of the first part.
        #[serde(default)]
        from: usize,
        /// At most so many parts.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// The smallest part of a file that has a byte, [`crate::inspect::Found`].
    Find {
        /// The file.
        file: String,
        /// The offset of the byte.
        offset: u64,
    },
    /// Bytes as they are, [`crate::inspect::Raw`].
    Raw {
        /// The file.
        file: String,
        /// A part in whose space the offset counts; the file when empty.
        #[serde(default)]
        path: Vec<usize>,
        /// Offset of the first byte.
        offset: u64,
        /// At most so many bytes.
        limit: usize,
    },
}
