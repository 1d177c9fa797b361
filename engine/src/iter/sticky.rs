//! The error rule of all cursors: the first error stays, a call that would block does not count.

use crate::{Error, ErrorKind, Result};

/// Remembers the first error that is not `WouldBlock`.
#[derive(Debug, Default)]
pub(super) struct Sticky(Option<Error>);

impl Sticky {
    /// The error of an earlier call, again.
    pub(super) fn check(&self) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Remembers `error` unless the call may be made again; true when it was remembered.
    pub(super) fn keep(&mut self, error: &Error) -> bool {
        let kept = error.kind() != ErrorKind::WouldBlock;
        if kept {
            self.0 = Some(error.clone());
        }
        kept
    }
}
