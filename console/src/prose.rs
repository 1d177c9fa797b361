//! Prose with marks: a lesson's text, as a page or a terminal shows it.

use serde::Serialize;

/// A paragraph, left to right.
pub type Prose = Vec<Inline>;

/// A piece of prose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "is", rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Inline {
    /// Plain text.
    Text {
        /// Its text.
        text: String,
    },
    /// `code`
    Code {
        /// Its text.
        text: String,
    },
    /// `**strong**`
    Strong {
        /// Its text.
        text: String,
    },
    /// `*emphasis*`
    Emphasis {
        /// Its text.
        text: String,
    },
    /// `[text](target)`
    Link {
        /// Its text.
        text: String,
        /// `https:` or an object, such as `table:4`.
        target: String,
    },
}

impl Inline {
    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text }
            | Self::Code { text }
            | Self::Strong { text }
            | Self::Emphasis { text }
            | Self::Link { text, .. } => text,
        }
    }
}

/// Prose without its marks.
pub(crate) fn plain(prose: &[Inline]) -> String {
    prose.iter().map(Inline::text).collect()
}
