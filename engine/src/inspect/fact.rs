//! The content of a node, for programs.

use crate::event::ShownKey;

/// The content of a node as data, beside its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "fact", rename_all = "camelCase", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Fact {
    /// A stored checksum.
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum computed from the bytes.
        computed: u32,
        /// Where the bytes that it covers begin \[bytes\].
        from: u64,
        /// How many they are \[bytes\].
        bytes: u64,
    },
    /// An entry of a block, a log or a blob file.
    Key(KeyFact),
    /// A number that leads to another place, in the file or in the same decoded content.
    Place {
        /// Where it leads \[bytes\].
        offset: u64,
    },
}

/// An entry: its key, of which the beginning is that of the key before, and what it does to that key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct KeyFact {
    /// The key, without its sequence number and kind; of a batch or a record with several entries: the first one.
    pub key: ShownKey,
    /// Bytes at its beginning that are not stored again, because the key before has them.
    pub shared: usize,
    /// Whether an entry of the database has this key: separators of an index, names of properties and
    /// prefixes are keys of a block only.
    pub of_entry: bool,
    /// Sequence number, in blocks whose keys have one.
    pub sequence: Option<u64>,
    /// Whether it deletes its key.
    pub tombstone: bool,
    /// Its kind in the word of another engine; absent where `tombstone` tells it.
    pub kind: Option<&'static str>,
    /// Its value, as far as it is at hand: of one that was not read only the length. Absent where it has none, or has it
    /// elsewhere.
    pub value: Option<ShownKey>,
    /// The column family that it is written to, in a log whose entries name one.
    pub family: Option<u32>,
    /// How many entries a batch or a record has, where they are several.
    pub batch: Option<u32>,
    /// Whether a restart point leads to it: its key is whole.
    pub restart: bool,
}
