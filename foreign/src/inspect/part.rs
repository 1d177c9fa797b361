//! The parts of a file: plain data.

use levelscope::inspect::KeyFact;

/// Readability of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PartState {
    /// No damage was found in its own bytes, as far as they were looked at.
    #[default]
    Sound,
    /// They violate their format.
    Damaged,
    /// They may be sound, but this version does not read them.
    NotRead,
}

/// A named range of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// Name of the range, in the field's term: `data block 3`, `shared key length`.
    pub name: String,
    /// Its type, one word of the list in docs/FORMATS.md.
    pub kind: &'static str,
    /// Its start: in the file, or in decoded content, see `decoded`.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its value, in words; empty when its parts hold all of it.
    pub value: String,
    /// Of an entry of a data block, an index, a batch or a blob file: its key, and the entry as data.
    pub key: Option<KeyFact>,
    /// Whether it has parts.
    pub opens: bool,
    /// Whether `offset` counts in decoded content, such as a decompressed block, and not in the file.
    pub decoded: bool,
    /// Its readability.
    pub state: PartState,
    /// Its damage, as a sentence with file and offset.
    pub problem: Option<String>,
}

/// A part that was opened, with some of its own parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedPart {
    /// The file.
    pub file: String,
    /// Its length in bytes.
    pub length: u64,
    /// From the file down to the part that was opened.
    pub trail: Vec<Part>,
    /// Its parts from place `from` on, each without its own.
    pub parts: Vec<Part>,
    /// The place of the first of them.
    pub from: usize,
    /// Parts that it has in all; `None` where counting them would read the whole file.
    pub count: Option<usize>,
    /// The place of the next part; `None` at the end.
    pub next: Option<usize>,
}

/// Some bytes as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// The file.
    pub file: String,
    /// Offset of the first of them, in the file or in the decoded content.
    pub offset: u64,
    /// The bytes as hexadecimal digits.
    pub hex: String,
    /// Bytes of the file, or of the decoded content.
    pub length: u64,
    /// Whether they are from decoded content.
    pub decoded: bool,
}
