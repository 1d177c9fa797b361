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

use crate::directory::Directory;
use crate::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

/// Steps of one answer.
const STEPS_MAX: usize = 20_000;

/// Each question with its word, its fields, the type of its answer, and the call that answers it.
macro_rules! queries {
    (
        $directory:ident;
        $($(#[$doc:meta])* $ask:ident: $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        } -> $answer:ty = $call:expr;)*
    ) => {
        /// A question. Keys are hexadecimal digits.
        #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        #[serde(tag = "ask", rename_all = "camelCase")]
        pub enum Query {
            $($(#[$doc])* $name { $($(#[$field_doc])* $field: $type,)* },)*
        }

        impl Directory<'_> {
            /// The answer to `query` in JSON, in the shape that [`Query`] names for it.
            ///
            /// # Errors
            /// The question makes no sense here, or nothing of its answer can be read.
            pub fn answer(&self, query: &Query) -> Result<Box<RawValue>> {
                let $directory = self;
                let written = match query {$(
                    Query::$name { $($field),* } => to_raw_value::<$answer>(&$call),
                )*};
                written.map_err(|error| Error::new(ErrorKind::Invalid, error.to_string()))
            }
        }

        /// The type of the answer to each `Query`, by its `ask`.
        #[cfg(feature = "typescript")]
        #[derive(Debug, ts_rs::TS)]
        pub struct Answers {
            $($(#[$doc])* pub $ask: $answer,)*
        }
    };
}

queries! {
    directory;
    /// The directory as a whole.
    overview: Overview {} -> answer::Overview = directory.overview()?;
    /// The levels of a family after a step.
    levels: Levels {
        /// Number of the family.
        family: u32,
        /// The step; the last one when absent.
        step: Option<usize>,
    } -> answer::Levels = directory.levels(*family, *step)?;
    /// Steps of the history.
    steps: Steps {
        /// The first.
        from: usize,
        /// At most so many.
        limit: usize,
    } -> Vec<answer::StepLine> = directory.step_lines(*from, (*limit).min(STEPS_MAX))?;
    /// Facts about an object of a family after a step.
    facts: Facts {
        /// Number of the family.
        family: u32,
        /// The step; the last one when absent.
        step: Option<usize>,
        /// The object, such as `table:10`, see [`Object::parse`]; empty for the family.
        object: String,
    } -> answer::Facts = directory.facts(*family, *step, &Object::parse(object)?)?;
    /// Live entries of a family.
    scan: Scan {
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
    } -> answer::Rows = directory.rows(*family, &Part::of([from, to], *limit, *sequence)?)?;
    /// A lookup of a key.
    get: Get {
        /// Number of the family.
        family: u32,
        /// The key.
        key: String,
        /// Sequence number to read at; the newest when absent.
        sequence: Option<u64>,
    } -> answer::Lookup = directory.lookup(*family, &bytes_of(key)?, *sequence)?;
    /// A question with a report for its answer.
    report: Report {
        /// Its word, such as `level0`.
        id: String,
        /// Number of the family, where the question is about one.
        family: Option<u32>,
        /// A key, where the question is about one.
        key: Option<String>,
    } -> crate::report::Report = directory.report_of(id, *family, key.as_deref())?;
    /// The findings, after the checksums of all files were compared.
    check: Check {
        /// Whether blocks are decompressed and decoded, too.
        deep: bool,
    } -> answer::CheckOutcome = answer::CheckOutcome {
        problems: directory.check_all(*deep),
        extent: directory.checked().extent(*deep),
    };
}
