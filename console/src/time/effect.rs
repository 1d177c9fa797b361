//! What a command does to the database: which may be asked of the past, and which have to be replayed.

use crate::args::Args;
use crate::verbs::Verb;

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It changes the database.
    Change,
    /// It changes no data, but events, figures or the cache tell of it.
    Read,
    /// Nobody could tell that it was there.
    Look,
    /// It works on a copy, or on a branch of its own.
    Apart,
    /// It is about the whole session: it means the same wherever in time one looks.
    Session,
    /// It is about what is looked at; a page does it itself.
    Host,
}

impl Effect {
    /// What the command with these arguments does.
    pub(crate) fn of(args: &Args) -> Self {
        match args.verb.name {
            "options" if args.words.is_empty() => Self::Look,
            "snapshot" if args.has("--list") => Self::Look,
            "compact" if args.has("--plan") => Self::Look,
            "export" if args.has("--leveldb") => Self::Read,
            verb => Self::of_verb(verb),
        }
    }

    /// What the verb does unless its arguments say something else. One that is not listed changes the
    /// database.
    pub(crate) fn of_verb(verb: &str) -> Self {
        match verb {
            "help" | "lsm" | "files" | "mem" | "wal" | "manifest" | "layout" | "hex" | "stats"
            | "buckets" | "transactions" | "export" => Self::Look,
            "get" | "scan" | "prefix" | "explain" | "read" | "count" | "check" | "convert" => {
                Self::Read
            }
            "crash" | "corrupt" | "bench" | "lab" => Self::Apart,
            "fork" | "branch" | "branches" | "break" | "why" | "merge" | "history" | "open"
            | "opened" | "formats" | "entries" | "lookup" | "close" | "import" | "kvdb"
            | "save" | "exit" => Self::Session,
            "play" | "pause" | "back" | "forward" | "goto" | "now" | "bytes" | "bookmark"
            | "clear" => Self::Host,
            _ => Self::Change,
        }
    }

    /// Whether the past can be asked so.
    pub(crate) fn asks(self) -> bool {
        matches!(self, Self::Read | Self::Look)
    }
}

impl Verb {
    /// Whether a page does it itself: where it looks is nothing that the console knows.
    #[must_use]
    pub fn is_of_page(&self) -> bool {
        Effect::of_verb(self.name) == Effect::Host
    }

    /// Whether it is about the whole session: it means the same wherever in time one looks.
    #[must_use]
    pub fn is_of_session(&self) -> bool {
        Effect::of_verb(self.name) == Effect::Session
    }
}
