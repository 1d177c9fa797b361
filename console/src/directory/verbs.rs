//! The verbs that read a directory of another engine, in the order of help.

use super::{DirectorySession, answers};
use crate::language::{Args, At, Effect, Offer, Typing, Verb, What, flag, offer, switch};
use crate::output::{Failure, Response};

/// One verb, and how it is answered.
pub(super) struct Command {
    pub(super) verb: Verb,
    pub(super) typing: Typing,
    pub(super) answer: fn(&mut DirectorySession<'_, '_>, &Args) -> Result<Response, Failure>,
}

const LOOK: &str = "look inside";
const READ: &str = "read";
const TIME: &str = "time";
const HELP: &str = "help";

const fn verb(
    group: &'static str,
    name: &'static str,
    usage: &'static str,
    purpose: &'static str,
) -> Verb {
    Verb { name, group, usage, purpose, example: name, flags: &[], effect: |_| Effect::Look }
}

const FILES: &[Offer] = &[offer(At::Words(&[]), What::Files)];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        verb: verb(
            LOOK,
            "stats",
            "stats",
            "Shows whose database it is, its families, and the findings so far.",
        ),
        typing: Typing { synonyms: &["overview"], ..Typing::NONE },
        answer: answers::stats,
    },
    Command {
        verb: verb(LOOK, "families", "families", "Lists the column families."),
        typing: Typing::NONE,
        answer: answers::families,
    },
    Command {
        verb: Verb {
            example: "family default",
            ..verb(
                LOOK,
                "family",
                "family NAME",
                "Chooses the column family that the other commands are about.",
            )
        },
        typing: Typing { offers: &[offer(At::Words(&[]), What::Families)], ..Typing::NONE },
        answer: answers::family,
    },
    Command {
        verb: Verb {
            flags: &[flag("--at", "step", "the step (the one that goto chose, or the last)")],
            ..verb(LOOK, "levels", "levels [--at STEP]", "Shows logs and tables by level.")
        },
        typing: Typing { aliases: &["lsm"], synonyms: &["tables"], ..Typing::NONE },
        answer: answers::levels,
    },
    Command {
        verb: Verb {
            example: "about L0",
            ..verb(
                LOOK,
                "about",
                "about [TABLE|LEVEL|LOG|BLOB]",
                "Shows what is known of the family, or of 10, L1, 000012.log or 000007.blob; of a table also its life.",
            )
        },
        typing: Typing { aliases: &["table"], synonyms: &["facts"], offers: FILES },
        answer: answers::about,
    },
    Command {
        verb: verb(
            LOOK,
            "files",
            "files",
            "Lists every file, and whether the database would read it.",
        ),
        typing: Typing::NONE,
        answer: answers::files,
    },
    Command {
        verb: Verb {
            example: "layout CURRENT",
            flags: &[
                flag("--node", "path", "the parts of one part, such as blocks:1/block:3"),
                flag("--skip", "n", "number of parts to skip (0)"),
                flag("--limit", "n", "most parts (200)"),
                flag("--ribbon", "n", "a summary of the file in about N stretches"),
            ],
            ..verb(
                LOOK,
                "layout",
                "layout FILE [--limit N] [--node PATH] [--skip N] [--ribbon N]",
                "Names every part of a file, down to single fields.",
            )
        },
        typing: Typing { synonyms: &["bytes", "inspect"], offers: FILES, ..Typing::NONE },
        answer: answers::layout,
    },
    Command {
        verb: Verb {
            example: "hex CURRENT --length 16",
            flags: &[
                flag("--node", "path", "one part, such as blocks:1/block:3"),
                switch("--decoded", "the content of the part, which is encoded"),
                flag("--at", "offset", "the first offset (0)"),
                flag("--length", "bytes", "number of bytes (512)"),
                flag("--find", "bytes", "from the first place on that has these bytes"),
                switch("-v", "a row for every single field"),
            ],
            ..verb(
                LOOK,
                "hex",
                "hex FILE [--node PATH] [--decoded] [--at OFFSET] [--length BYTES] [--find BYTES] [-v]",
                "Shows the bytes of a file, and the parts that they belong to.",
            )
        },
        typing: Typing { synonyms: &["dump"], offers: FILES, ..Typing::NONE },
        answer: answers::hex,
    },
    Command {
        verb: verb(
            LOOK,
            "problems",
            "problems",
            "Lists the findings so far, without a check, and the files that were read for them.",
        ),
        typing: Typing::NONE,
        answer: answers::problems,
    },
    Command {
        verb: Verb {
            flags: &[switch("--deep", "decodes every entry, too")],
            ..verb(
                LOOK,
                "check",
                "check [--deep]",
                "Compares every checksum and reports damaged and missing files; damage is a failure.",
            )
        },
        typing: Typing { synonyms: &["verify"], ..Typing::NONE },
        answer: answers::check,
    },
    Command {
        verb: Verb {
            example: "get apple",
            flags: READS,
            ..verb(
                READ,
                "get",
                "get KEY [--sequence N]",
                "Reads the newest value of a key, or the one that was visible at a sequence number.",
            )
        },
        typing: Typing::NONE,
        answer: answers::get,
    },
    Command {
        verb: Verb {
            example: "scan a c --limit 10",
            flags: &[flag("--limit", "n", "most entries (20)"), SEQUENCE],
            ..verb(
                READ,
                "scan",
                "scan [FROM] [TO] [--limit N] [--sequence N]",
                "Lists live entries in order, from FROM up to, but not including, TO.",
            )
        },
        typing: Typing::NONE,
        answer: answers::scan,
    },
    Command {
        verb: Verb {
            example: "explain get apple",
            flags: READS,
            ..verb(
                READ,
                "explain",
                "explain get KEY [--sequence N]",
                "Shows the path of a read: every place that it asked, and what it read there.",
            )
        },
        typing: Typing { offers: &[offer(At::Words(&[]), What::Words(&["get"]))], ..Typing::NONE },
        answer: answers::explain,
    },
    Command {
        verb: Verb {
            example: "report level0",
            flags: &[switch("--csv", "the rows, with raw numbers")],
            ..verb(
                READ,
                "report",
                "report [NAME [KEY]] [--csv]",
                "Lists the questions that a report answers, or answers one.",
            )
        },
        typing: Typing {
            synonyms: &["reports"],
            offers: &[offer(At::Words(&[]), What::Reports)],
            ..Typing::NONE
        },
        answer: answers::report,
    },
    Command {
        verb: Verb {
            example: "export default.sst",
            flags: &[
                switch("--lossy", "leaves out the entries that such a table cannot hold"),
                switch("--skip-damage", "leaves out the parts that cannot be read"),
            ],
            ..verb(
                READ,
                "export",
                "export FILE.sst [--lossy] [--skip-damage]",
                "Writes the live entries of the family as a table that RocksDB ingests.",
            )
        },
        typing: Typing::NONE,
        answer: answers::export,
    },
    Command {
        verb: Verb {
            example: "steps 0 --limit 5",
            flags: &[flag("--limit", "n", "most steps (20)")],
            ..verb(
                TIME,
                "steps",
                "steps [FROM] [--limit N]",
                "Lists the history: what each version edit did.",
            )
        },
        typing: Typing::NONE,
        answer: answers::steps,
    },
    Command {
        verb: verb(
            TIME,
            "back",
            "back [N]",
            "Goes N steps back: levels are shown as of that step.",
        ),
        typing: Typing::NONE,
        answer: answers::back,
    },
    Command {
        verb: verb(
            TIME,
            "forward",
            "forward [N]",
            "Goes N steps forward, at most to the last one.",
        ),
        typing: Typing::NONE,
        answer: answers::forward,
    },
    Command {
        verb: Verb {
            example: "goto 0",
            ..verb(TIME, "goto", "goto STEP", "Goes to a step of the history.")
        },
        typing: Typing::NONE,
        answer: answers::goto,
    },
    Command {
        verb: verb(TIME, "now", "now", "Returns to the last step."),
        typing: Typing::NONE,
        answer: answers::now,
    },
    Command {
        verb: Verb {
            example: "help report",
            ..verb(
                HELP,
                "help",
                "help [COMMAND] | help words",
                "Lists the commands, or explains one. help words explains quoting.",
            )
        },
        typing: Typing {
            synonyms: &["man", "?"],
            offers: &[offer(At::Words(&[]), What::Verbs)],
            ..Typing::NONE
        },
        answer: answers::help,
    },
    Command {
        verb: verb(
            HELP,
            "exit",
            "exit",
            "Ends the native program without the commands after it. A page stays open.",
        ),
        typing: Typing { aliases: &["quit"], ..Typing::NONE },
        answer: answers::exit,
    },
];

const SEQUENCE: crate::language::Flag = flag("--sequence", "n", "read as of this sequence number");
const READS: &[crate::language::Flag] = &[SEQUENCE];

/// All verbs, in the order of help.
pub(super) fn verbs() -> impl Iterator<Item = &'static Verb> {
    COMMANDS.iter().map(|command| &command.verb)
}

/// The command whose verb is `name`, in any case, or has it as an alias.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    let name = name.to_ascii_lowercase();
    COMMANDS
        .iter()
        .find(|Command { verb, typing, .. }| verb.name == name || typing.aliases.contains(&&*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_word_means_one_verb() {
        let mut words = BTreeSet::new();
        for Command { verb, typing, .. } in COMMANDS {
            for word in [verb.name].iter().chain(typing.aliases).chain(typing.synonyms) {
                assert!(words.insert(*word), "{word} means two verbs");
            }
        }
    }
}
