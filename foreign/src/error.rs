//! The error of this crate: a sentence with file and offset.

use std::fmt;

/// Kind of a failure; hosts choose their reaction by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes violate their format.
    Damaged,
    /// The bytes may be sound, but this version does not read them, such as a newer format version.
    NotRead,
    /// The file is not in the directory.
    Missing,
    /// The host could not read the file.
    Io,
    /// The question makes no sense here, such as a family that does not exist.
    Invalid,
    /// The host asked to stop.
    Stopped,
}

/// A failure with the file and, where one is to blame, the offset of the first bad byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    file: Option<String>,
    offset: Option<u64>,
    message: String,
}

/// The result of every read.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A failure that names no file yet; [`Error::in_file`] adds it where the name is known.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, file: None, offset: None, message: message.into() }
    }

    /// Damage at `offset`, counted from the start of the bytes at hand; see [`Error::shifted`].
    pub fn damaged(offset: u64, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), ..Self::new(ErrorKind::Damaged, message) }
    }

    /// Bytes that this version does not read, such as `version 8`.
    pub fn not_read(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotRead, message)
    }

    /// With the name of the file, unless it has one already.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }

    /// With an offset, unless it has one already.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset.get_or_insert(offset);
        self
    }

    /// The same failure, with this offset.
    pub(crate) fn moved(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// The same failure, where the bytes at hand began at `start` of the file.
    #[must_use]
    pub fn shifted(mut self, start: u64) -> Self {
        self.offset = self.offset.map(|offset| offset.saturating_add(start));
        self
    }

    /// Kind of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The file, where it is known.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The offset of the first bad byte, where one is to blame.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The sentence without file and offset.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if let Some(offset) = self.offset {
            write!(f, "at offset {offset}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A failure of the engine's decoders; the file that was read adds its name.
impl From<levelscope::Error> for Error {
    fn from(error: levelscope::Error) -> Self {
        let kind = match error.kind() {
            levelscope::ErrorKind::Corruption => ErrorKind::Damaged,
            levelscope::ErrorKind::UnsupportedFormat => ErrorKind::NotRead,
            levelscope::ErrorKind::NotFound => ErrorKind::Missing,
            levelscope::ErrorKind::Io => ErrorKind::Io,
            _ => ErrorKind::Invalid,
        };
        Self { offset: error.offset(), ..Self::new(kind, error.message()) }
    }
}
