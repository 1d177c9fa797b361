//! The only kind of failure: a text to print, after which the run ends.

/// Any error, as a text.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A result that can fail.
pub type Outcome<T> = Result<T, Failure>;
