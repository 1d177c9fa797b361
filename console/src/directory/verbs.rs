//! The verbs on a directory, in the order of help.

use super::{DirectorySession, answers, making};
use crate::language::{Args, At, Offer, Verb, What, command, flag, offer, switch};
use crate::output::{Failure, Response};

/// Answers a verb.
type Answer = fn(&mut DirectorySession<'_, '_>, &Args) -> Result<Response, Failure>;

/// One verb, and how it is answered.
pub(super) type Command = command::Command<Answer>;

impl Verb {
    /// The command of this verb, which `answer` answers.
    const fn answers(self, answer: Answer) -> Command {
        Command::new(self, answer)
    }
}

const LOOK: &str = "look inside";
const READ: &str = "read";
const MAKE: &str = "make files";
const TIME: &str = "time";
const HELP: &str = "help";

const fn verb(
    group: &'static str,
    name: &'static str,
    usage: &'static str,
    purpose: &'static str,
) -> Verb {
    Verb { name, group, usage, purpose, example: name, ..Verb::LOOK }
}

const FILES: &[Offer] = &[offer(At::Words(&[]), What::Files)];

pub(super) const COMMANDS: &[Command] = &[
    verb(
        LOOK,
        "stats",
        "stats",
        "Shows whose database it is, its families, and the findings so far.",
    )
    .answers(answers::stats)
    .synonyms(&["overview"]),
    verb(LOOK, "families", "families", "Lists the column families.")
    .answers(answers::families),
    Verb {
        example: "family default",
        ..verb(
            LOOK,
            "family",
            "family NAME",
            "Chooses the column family, or the file without an engine, that the other commands are about.",
        )
    }
    .answers(answers::family)
    .offers(&[offer(At::Words(&[]), What::Families)]),
    Verb {
        flags: &[flag("--at", "step", "the step (the one that goto chose, or the last)")],
        ..verb(LOOK, "levels", "levels [--at STEP]", "Shows logs and tables by level.")
    }
    .answers(answers::levels)
    .aliases(&["lsm"])
    .synonyms(&["tables"]),
    Verb {
        example: "about L0",
        ..verb(
            LOOK,
            "about",
            "about [TABLE|LEVEL|LOG|BLOB]",
            "Shows what is known of the family, or of 10, L1, 000012.log or 000007.blob; of a table also its life.",
        )
    }
    .answers(answers::about)
    .aliases(&["table"])
    .synonyms(&["facts"])
    .offers(FILES),
    verb(LOOK, "files", "files", "Lists every file, and whether the database would read it.")
    .answers(answers::files),
    Verb {
        example: "layout CURRENT",
        flags: &[
            flag("--node", "path", "the parts of one part, such as blocks:1/block:3"),
            flag("--skip", "n", "number of parts to skip (0)"),
            flag("--limit", "n", "most parts (200)"),
            switch("-v", "the parts of parts, down to single fields, of a file without an engine"),
            flag("--ribbon", "n", "a summary of the file in about N stretches"),
        ],
        ..verb(
            LOOK,
            "layout",
            "layout FILE [-v] [--limit N] [--node PATH] [--skip N] [--ribbon N]",
            "Names every part of a file, down to single fields.",
        )
    }
    .answers(answers::layout)
    .synonyms(&["bytes", "inspect"])
    .offers(FILES),
    Verb {
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
    }
    .answers(answers::hex)
    .synonyms(&["dump"])
    .offers(FILES),
    verb(
        LOOK,
        "problems",
        "problems",
        "Lists the findings so far, without a check, and the files that were read for them.",
    )
    .answers(answers::problems),
    Verb {
        flags: &[switch("--deep", "decodes every entry, too")],
        ..verb(
            LOOK,
            "check",
            "check [--deep]",
            "Compares every checksum and reports damaged and missing files; damage is a failure.",
        )
    }
    .answers(answers::check)
    .synonyms(&["verify"]),
    Verb {
        example: "get apple",
        flags: READS,
        ..verb(
            READ,
            "get",
            "get KEY [--sequence N] [--search sequential|binary]",
            "Reads the newest value of a key, or the one that was visible at a sequence number.",
        )
    }
    .answers(answers::get),
    Verb {
        example: "scan a c --limit 10",
        flags: &[flag("--limit", "n", "most entries (20)"), SEQUENCE],
        ..verb(
            READ,
            "scan",
            "scan [FROM] [TO] [--limit N] [--sequence N]",
            "Lists live entries in order, from FROM up to, but not including, TO.",
        )
    }
    .answers(answers::scan),
    Verb {
        example: "explain get apple",
        flags: READS,
        ..verb(
            READ,
            "explain",
            "explain [get] KEY [--sequence N] [--search sequential|binary] [--detail]",
            "Shows the path of a read: every place that it asked, and what it read there.",
        )
    }
    .answers(answers::explain)
    .offers(&[offer(At::Words(&[]), What::Words(&["get"]))]),
    Verb {
        example: "report level0",
        flags: &[switch("--csv", "the rows, with raw numbers")],
        ..verb(
            READ,
            "report",
            "report [NAME [KEY]] [--csv]",
            "Lists the questions that a report answers, or answers one.",
        )
    }
    .answers(answers::report)
    .synonyms(&["reports"])
    .offers(&[offer(At::Words(&[]), What::Reports)]),
    Verb {
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
    }
    .answers(answers::export),
    verb(MAKE, "formats", "formats", "Lists the formats of files without an engine.")
        .answers(making::formats),
    Verb {
        example: "open store.db --as kvdb-log",
        flags: &[flag("--as", "format", "the format, one of those that formats lists")],
        ..verb(
            MAKE,
            "open",
            "open FILE --as FORMAT",
            "Reads a file without an engine as this format, without recognition.",
        )
    }
    .answers(making::open)
    .offers(FILES),
    Verb {
        example: "convert ladder-varint",
        flags: &[flag("--name", "name", "name of the new file")],
        ..verb(
            MAKE,
            "convert",
            "convert FORMAT [FILE] [--name NAME]",
            "Writes the entries of a file in another format, into a new file in memory.",
        )
    }
    .answers(making::convert)
    .offers(&[offer(At::Words(&[]), What::WritableFormats), offer(At::Words(&["*"]), What::Files)]),
    Verb {
        example: "kvdb put key1 value1",
        flags: &[
            flag("--file", "file", "the log (store.db, made when it is not there)"),
            switch("--sync", "syncs the record before the command returns (the usual way)"),
            switch("--async", "leaves the record to the operating system, without a sync"),
            flag("--record-limit", "bytes", "longest record with its header (1 MiB)"),
        ],
        ..verb(
            MAKE,
            "kvdb",
            "kvdb put KEY VALUE [--sync|--async] [--record-limit BYTES] [--file FILE] \
                | kvdb del KEY [--sync|--async] [--file FILE] | kvdb get KEY [--file FILE]",
            "Uses a database that is a single log, in memory: a write appends a record, a read scans all of it.",
        )
    }
    .answers(making::kvdb)
    .offers(&[offer(At::Words(&[]), What::Words(&["put", "get", "del"]))]),
    Verb {
        example: "save store.db copy.db",
        flags: &[switch("--force", "replaces an existing file")],
        ..verb(
            MAKE,
            "save",
            "save FILE [PATH] [--force]",
            "Writes a file to a path of this machine; in a page, downloads it.",
        )
    }
    .answers(making::save)
    .offers(FILES),
    Verb {
        example: "steps 0 --limit 5",
        flags: &[flag("--limit", "n", "most steps (20)")],
        ..verb(
            TIME,
            "steps",
            "steps [FROM] [--limit N]",
            "Lists the history: what each version edit did.",
        )
    }
    .answers(answers::steps),
    verb(TIME, "back", "back [N]", "Goes N steps back: levels are shown as of that step.")
    .answers(answers::back),
    verb(TIME, "forward", "forward [N]", "Goes N steps forward, at most to the last one.")
    .answers(answers::forward),
    Verb {
        example: "goto 0",
        ..verb(TIME, "goto", "goto STEP", "Goes to a step of the history.")
    }
    .answers(answers::goto),
    verb(TIME, "now", "now", "Returns to the last step.")
    .answers(answers::now),
    Verb {
        example: "help report",
        ..verb(
            HELP,
            "help",
            "help [COMMAND] | help words",
            "Lists the commands, or explains one. help words explains quoting.",
        )
    }
    .answers(answers::help)
    .synonyms(&["man", "?"])
    .offers(&[offer(At::Words(&[]), What::Verbs)]),
    verb(
        HELP,
        "exit",
        "exit",
        "Ends the native program without the commands after it. A page stays open.",
    )
    .answers(answers::exit)
    .aliases(&["quit"]),
];

const SEQUENCE: crate::language::Flag = flag("--sequence", "n", "read as of this sequence number");
/// The refusal of a search that the engine of a directory makes itself.
pub(super) const NO_SEARCH: &str =
    "--search and --detail are for files without an engine, or of Levelscope";
const READS: &[crate::language::Flag] = &[
    SEQUENCE,
    flag(
        "--search",
        "sequential|binary",
        "the search in files without an engine, or of Levelscope (as their own program does)",
    ),
    switch("--detail", "each comparison, too, in files without an engine, or of Levelscope"),
];

/// All verbs, in the order of help.
pub(super) fn verbs() -> impl Iterator<Item = &'static Verb> {
    COMMANDS.iter().map(|command| &command.verb)
}

/// The command whose verb is `name`, in any case, or has it as an alias.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    command::find(COMMANDS.iter(), name)
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
