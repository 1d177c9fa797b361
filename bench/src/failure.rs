//! The one kind of failure here: something to print, and the end of the run.

/// Anything that went wrong; the text of it is all that is needed.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A result that can fail.
pub type Outcome<T> = Result<T, Failure>;
