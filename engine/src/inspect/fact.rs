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
    /// An entry of a block: its key, of which the beginning is that of the key before.
    Key {
        /// The key, without its sequence number and kind.
        key: ShownKey,
        /// Bytes at its beginning that are not stored again, because the key before has them.
        shared: usize,
        /// Whether an entry of the database has this key: separators of an index, names of properties and
        /// prefixes are keys of a block only.
        of_entry: bool,
        /// Sequence number, in blocks whose keys have one.
        sequence: Option<u64>,
        /// Whether it deletes its key.
        tombstone: bool,
        /// Whether a restart point leads to it: its key is whole.
        restart: bool,
    },
    /// A number that leads to another place, in the file or in the same decoded content.
    Place {
        /// Where it leads \[bytes\].
        offset: u64,
    },
}
