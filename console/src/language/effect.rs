//! What a command does to the database: which may be asked of the past, and which have to be replayed.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes the database.
    Change,
    /// It changes no data, but makes events, or changes figures or the cache.
    Read,
    /// It leaves no trace at all.
    Look,
    /// It changes the database, and writes that down itself.
    Damage,
    /// It is about the session, or works on a database or branch of its own: allowed at any step.
    Session,
    /// It is about the moment that is shown; a page does it itself.
    Host,
}

impl Effect {
    /// Whether it would change what has already happened.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Self::Change | Self::Damage)
    }
}
