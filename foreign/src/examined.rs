//! How far the check of one file came.

/// Why a check did not reach every block of a file.
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

/// How much of a file a check has examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Examined {
    /// Bytes that were read.
    pub bytes: u64,
    /// Why not every checksum was compared; `None` when each one was.
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
