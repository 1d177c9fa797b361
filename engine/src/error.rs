//! One error type for the whole engine: a kind to branch on, and a sentence for a person.
//!
//! Every error that concerns a file names it, and corruption names the offset too. Raw bytes of the
//! database never appear in a message: they are reached through [`crate::inspect`]. A key that a message
//! has to name is escaped and cut.

use crate::storage::FileName;
use crate::text;
use std::fmt;
use std::sync::Arc;

/// The result of every fallible engine call.
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of an [`Error`], by what a caller can do about it; programs branch on this closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call itself was wrong (a limit, an option, a range): correct it and call again.
    InvalidArgument,
    /// A file that should be there is not.
    NotFound,
    /// Another process, tab or handle owns this database.
    Locked,
    /// The storage failed; the message names the operation.
    Io,
    /// The storage is full: free space and reopen.
    OutOfSpace,
    /// Stored bytes are damaged: file and offset are in the error.
    Corruption,
    /// A file was written by a newer version or another program.
    UnsupportedFormat,
    /// An earlier failure made this handle read-only: reopen the database.
    ReadOnly,
    /// The handle was closed.
    Closed,
    /// Another writer has committed a key that a transaction wrote or relied on: begin another and read again.
    Conflict,
    /// Writes wait for a flush or a compaction: step the jobs, then call again.
    Stalled,
    /// The host must open [`Error::blocked_on`] first, or without such a file the owner of the database changed its
    /// files too fast for a reader. Nothing was changed: call again.
    WouldBlock,
}

impl ErrorKind {
    /// The word for it in results and messages: `outOfSpace`.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalidArgument",
            Self::NotFound => "notFound",
            Self::Locked => "locked",
            Self::Io => "io",
            Self::OutOfSpace => "outOfSpace",
            Self::Corruption => "corruption",
            Self::UnsupportedFormat => "unsupportedFormat",
            Self::ReadOnly => "readOnly",
            Self::Closed => "closed",
            Self::Conflict => "conflict",
            Self::Stalled => "stalled",
            Self::WouldBlock => "wouldBlock",
        }
    }
}

/// An engine error: kind, sentence, and the place in the files where it has one.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    file: Option<FileName>,
    /// Name of a file of another program.
    foreign: Option<Box<str>>,
    offset: Option<u64>,
    /// The error of the storage.
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// Errors are equal when kind, place and message are; the storage's own error does not count.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.message == other.message
            && self.file == other.file
            && self.foreign == other.foreign
            && self.offset == other.offset
    }
}

impl Eq for Error {}

impl Error {
    /// An error of `kind` with a finished sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message, file: None, foreign: None, offset: None, source: None }
    }

    /// The caller broke a rule; `message` names the rule and how to keep it.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// Bytes of `file` at `offset` \[bytes\] break the rules of the format.
    pub fn corruption(file: FileName, offset: u64, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), ..Self::in_file(ErrorKind::Corruption, file, message) }
    }

    /// Bytes at `offset` \[bytes\] of a file that has no name here, such as one of another program.
    pub fn damaged_at(offset: u64, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), ..Self::new(ErrorKind::Corruption, message) }
    }

    /// A file without a name ends too early, at `length` \[bytes\]; `message` names the part that it cuts. There is no
    /// byte at that offset, so the error has none.
    pub fn ends_at(length: u64, message: impl AsRef<str>) -> Self {
        let message =
            format!("the file ends at byte {}: {}", text::count(length), message.as_ref());
        Self::new(ErrorKind::Corruption, message)
    }

    /// Bytes at `offset` \[bytes\] use something that is not read here: they are not damaged.
    pub fn not_read_at(offset: u64, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), ..Self::new(ErrorKind::UnsupportedFormat, message) }
    }

    /// An error of `kind` that concerns `file` as a whole.
    pub fn in_file(kind: ErrorKind, file: FileName, message: impl Into<String>) -> Self {
        Self { file: Some(file), ..Self::new(kind, message) }
    }

    /// The host has to open or create `file` before the call can go on; nothing was changed.
    pub fn would_block(file: FileName) -> Self {
        Self::in_file(ErrorKind::WouldBlock, file, "this file must be opened by the host first")
    }

    /// The same error, about the file `name` of another program.
    #[must_use]
    pub fn in_foreign(self, name: &str) -> Self {
        Self { foreign: Some(name.into()), ..self }
    }

    /// The same error, with the storage's own error as its [`source`](std::error::Error::source).
    #[must_use]
    pub fn caused_by(self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), ..self }
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The file concerned, if any.
    pub fn file(&self) -> Option<FileName> {
        self.file
    }

    /// The file of another program that is concerned, if it has a name.
    pub fn foreign_file(&self) -> Option<&str> {
        self.foreign.as_deref()
    }

    /// The offset \[bytes\] in [`Error::file`], or in the file of another program that was read.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The file that a host must open before calling again, for [`ErrorKind::WouldBlock`].
    pub fn blocked_on(&self) -> Option<FileName> {
        if self.kind == ErrorKind::WouldBlock { self.file } else { None }
    }

    /// The sentence alone, without file and offset.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.file.map(|file| file.to_string());
        let offset = self.offset.map(text::count);
        match (own.as_deref().or(self.foreign.as_deref()), offset) {
            (Some(file), Some(offset)) if self.kind == ErrorKind::UnsupportedFormat => {
                write!(f, "{file} is not read at offset {offset}: {}", self.message)
            }
            (None, Some(offset)) if self.kind == ErrorKind::UnsupportedFormat => {
                write!(f, "not read at offset {offset}: {}", self.message)
            }
            (Some(file), Some(offset)) => {
                write!(f, "{file} is damaged at offset {offset}: {}", self.message)
            }
            (Some(file), None) => write!(f, "{file}: {}", self.message),
            (None, Some(offset)) => write!(f, "damaged at offset {offset}: {}", self.message),
            (None, None) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn an_error_keeps_the_storages_error() {
        let plain = Error::new(ErrorKind::Io, "cannot read");
        let error = plain.clone().caused_by(fmt::Error);
        let source = error.source().map(ToString::to_string);
        assert_eq!(source, Some(fmt::Error.to_string()));
        assert!(plain.source().is_none());
        assert_eq!(error, plain, "the source is no part of the message");
    }
}
