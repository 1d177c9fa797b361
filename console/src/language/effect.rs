//! The effect of a command on the database: it decides whether the past can answer it, and whether it is replayed.

/// The effect of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes the database.
    Change,
    /// It changes no data, but makes events, or changes figures or the cache.
    Read,
    /// It leaves no trace at all.
    Look,
    /// It changes the database, and writes that down itself.
    Recorded,
    /// It is about the session, or works on a database or branch of its own: allowed at any step.
    Session,
    /// It changes only the display; the page carries it out itself.
    Host,
}

impl Effect {
    /// Whether it would change what has already happened.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Self::Change | Self::Recorded)
    }
}
