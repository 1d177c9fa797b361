//! What a command does to the database: which may be asked of the past, and which have to be replayed.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes the database.
    Change,
    /// It changes no data, but events, figures or the cache tell of it.
    Read,
    /// It leaves no trace at all.
    Look,
    /// It works on a copy, or on a branch of its own.
    Apart,
    /// It is about the whole session: it means the same wherever in time one looks.
    Session,
    /// It is about the moment that is shown; a page does it itself.
    Host,
}

impl Effect {
    /// Whether the past can be asked so.
    pub(crate) fn asks(self) -> bool {
        matches!(self, Self::Read | Self::Look)
    }
}
