//! Entries in files of other programs.

use levelscope::Result;
use std::borrow::Cow;

/// One entry of a file: a key, and its value or tombstone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The key, without sequence number or time.
    pub key: Cow<'a, [u8]>,
    /// The value; `None` for a tombstone.
    pub value: Option<Cow<'a, [u8]>>,
    /// Sequence number or time stamp, in formats that have one.
    pub sequence: Option<u64>,
    /// Its offset \[bytes\]: of its own first byte, or of the compressed block around it.
    pub offset: u64,
}

/// The entries of a file, one after the other.
pub type Entries<'a> = Box<dyn Iterator<Item = Result<Entry<'a>>> + 'a>;

impl<'a> Entry<'a> {
    /// An entry to write.
    pub fn new(key: &'a [u8], value: Option<&'a [u8]>) -> Self {
        let (key, value) = (Cow::Borrowed(key), value.map(Cow::Borrowed));
        Self { key, value, sequence: None, offset: 0 }
    }

    /// The same, independent of the file.
    pub fn into_owned(self) -> Entry<'static> {
        Entry {
            key: Cow::Owned(self.key.into_owned()),
            value: self.value.map(|value| Cow::Owned(value.into_owned())),
            sequence: self.sequence,
            offset: self.offset,
        }
    }
}
