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
    /// It changes the database, and writes that down itself.
    Damage,
    /// It is about the whole session, or works on a database or a branch of its own: it may be given wherever in
    /// time one looks.
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
