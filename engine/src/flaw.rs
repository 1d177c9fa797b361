//! Policies for a flaw of a database, which is an error that opening returns: fail, report or save the rest.
//!
//! | policy | who | reaction to a flaw |
//! |---|---|---|
//! | strict: [`strict`] | opening | fails with the first one |
//! | report | a check | makes a finding of each, and goes on |
//! | salvage: [`salvage`] | a repair | goes on without the spoiled data |
//!
//! So a rule stands once, as code that reports to [`Flaws`] (decision 34).

use crate::{Error, Result};

/// Hears of every flaw. When it answers with an error, nothing is looked at any more.
pub(crate) type Flaws<'a> = dyn FnMut(Error) -> Result<()> + 'a;

/// Fails with the first flaw.
///
/// # Errors
/// The flaw.
pub(crate) fn strict(flaw: Error) -> Result<()> {
    Err(flaw)
}

/// Goes on after every flaw.
///
/// # Errors
/// Only `WouldBlock`, which is not a flaw.
pub(crate) fn salvage(flaw: Error) -> Result<()> {
    if flaw.blocked_on().is_some() { Err(flaw) } else { Ok(()) }
}

/// The value; `None` when there was a flaw instead, which `flaws` have heard of.
///
/// # Errors
/// `WouldBlock`; those of `flaws`.
pub(crate) fn pass<T>(result: Result<T>, flaws: &mut Flaws<'_>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.blocked_on().is_some() => Err(error),
        Err(error) => flaws(error).map(|()| None),
    }
}
