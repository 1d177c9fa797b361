//! What a command does to the database: which may be asked of the past, and which have to be replayed.

use crate::args::Args;

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes the database.
    Change,
    /// It changes no data, but events, figures or the cache tell of it.
    Read,
    /// Nobody could tell that it was there.
    Look,
    /// It is about the time machine and the host, not about the database.
    Time,
}

impl Effect {
    /// What the command with these arguments does. A verb that is not listed changes the database.
    pub(crate) fn of(args: &Args) -> Self {
        match args.verb.name {
            "help" | "history" | "lsm" | "files" | "mem" | "wal" | "manifest" | "layout"
            | "hex" | "stats" | "why" | "transactions" => Self::Look,
            "options" if args.words.is_empty() => Self::Look,
            "snapshot" if args.has("--list") => Self::Look,
            "compact" if args.has("--plan") => Self::Look,
            "get" | "scan" | "prefix" | "explain" | "read" | "count" | "check" => Self::Read,
            "fork" | "branch" | "branches" | "break" | "crash" | "corrupt" | "play" | "pause"
            | "bench" => Self::Time,
            _ => Self::Change,
        }
    }

    /// Whether the past can be asked so.
    pub(crate) fn asks(self) -> bool {
        matches!(self, Self::Read | Self::Look)
    }
}
