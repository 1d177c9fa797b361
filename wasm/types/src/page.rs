//! The types of the protocol, and what the page has to know before the engine is there.

use crate::HEADER;
use crate::declarations::Declarations;
use levelscope::ReadStop;
use levelscope::event::{CATALOGUE, Grain};
use levelscope::limits::SHOWN_KEY_BYTES_MAX;
use levelscope::storage::FileName;
use levelscope::view::EditView;
use levelscope_console::glossary::terms;
use levelscope_console::lesson::{LIBRARY, parse};
use levelscope_console::protocol::{
    BYTES_MAX, CallState, CurrentOptions, FILES_MAX, Message, NAME_UNITS_MAX, NumberedRequest, Work,
};
use levelscope_console::result::{GetResult, LabReport, ScanResult, WalResult, WorkResult};
use levelscope_console::{Answers, PLAY_RATE, SPEEDS, Speed, Verb, verbs};
use std::fmt::Write as _;

/// The names of the verbs that `is`, as a constant.
fn list(docs: &str, name: &str, is: impl Fn(&'static Verb) -> bool) -> String {
    let names: Vec<&str> = verbs().filter(|verb| is(verb)).map(|verb| verb.name).collect();
    let names = names.join("',\n  '");
    format!("\n/** {docs} */\nexport const {name} = [\n  '{names}',\n] as const;\n")
}

/// The files of a database: the name of each kind, with the number 0 where it has one.
fn file_names() -> String {
    let files = [
        ("table", FileName::Table(0)),
        ("wal", FileName::Wal(0)),
        ("manifest", FileName::Manifest(0)),
        ("current", FileName::Current),
        ("lock", FileName::Lock),
    ];
    let lines = files.map(|(kind, name)| format!("  {kind}: '{name}',\n")).concat();
    let docs = "How files are called, each of the number 0, by the kind of their object";
    format!("\n/** {docs}. */\nexport const FILE_NAMES = {{\n{lines}}} as const;\n")
}

/// How fast Play can go, and how fast it goes at first.
fn speeds() -> String {
    let mut lines = String::new();
    for Speed { word, steps_per_second } in SPEEDS {
        let _ = writeln!(lines, "  {{ word: '{word}', stepsPerSecond: {steps_per_second} }},");
    }
    format!(
        "\n/** How fast Play can go: the word of `play`, and steps a second, 0 as many as possible. */\n\
         export const SPEEDS = [\n{lines}] as const;\n\
         \n/** Steps a second of Play while no other speed was chosen. */\n\
         export const PLAY_RATE = {PLAY_RATE};\n"
    )
}

/// The names of all kinds of events, as a type.
fn kinds_of_events() -> String {
    let names: Vec<String> = CATALOGUE.iter().map(|info| format!("  | '{}'", info.name)).collect();
    format!("\n/** Every kind of event. */\nexport type EventName =\n{};\n", names.join("\n"))
}

pub(crate) fn types() -> String {
    let mut declarations = Declarations::new();
    macro_rules! add_all {
        ($($result:ty),* $(,)?) => { $( declarations.add::<$result>(); )* };
    }
    add_all![NumberedRequest, Message, Work, CallState, CurrentOptions, Grain, ReadStop, Answers];
    add_all![GetResult, ScanResult, LabReport, WorkResult, WalResult];
    let mut text = HEADER.to_owned();
    text.push_str(&declarations.text());
    for (docs, name, limit) in [
        ("Files from outside at once", "FILES_MAX", FILES_MAX as u64),
        ("Bytes of files from outside at once", "BYTES_MAX", BYTES_MAX),
        (
            "Longest name of such a file, with its directories [UTF-16 units]",
            "NAME_UNITS_MAX",
            NAME_UNITS_MAX as u64,
        ),
    ] {
        let _ = write!(text, "\n/** {docs}. */\nexport const {name} = {limit};\n");
    }
    let number = SHOWN_KEY_BYTES_MAX;
    let docs = "Bytes of a key that events and views carry";
    let _ = write!(text, "\n/** {docs}. */\nexport const SHOWN_KEY_BYTES_MAX = {number};\n");
    let number = EditView::SHOWN_MAX;
    let docs = "Edits of the manifest that a view has at most";
    let _ = write!(text, "\n/** {docs}. */\nexport const MANIFEST_EDITS_MAX = {number};\n");
    text.push_str(&file_names());
    text.push_str(&kinds_of_events());
    text.push_str(&speeds());
    text.push_str(&list("Verbs that the page does itself.", "PAGE_VERBS", Verb::is_of_page));
    text
}

/// The sentences of the glossary by the names of the terms: a constant, because the page shows some of them before
/// the engine is there.
pub(crate) fn glossary() -> String {
    let lines: Vec<String> = terms()
        .map(|term| {
            assert!(
                !term.meaning.contains('\''),
                "{}: no apostrophes, so that no quote is escaped",
                term.name
            );
            format!("  '{}': '{}',\n", term.name, term.meaning)
        })
        .collect();
    let docs = "What each term of the glossary means, in one sentence";
    let lines = lines.concat();
    format!(
        "{HEADER}\n/** {docs}. */\nexport const TERMS = {{\n{lines}}} as const;\n\nexport type TermName = keyof typeof TERMS;\n"
    )
}

/// The lessons of the library, for lists.
pub(crate) fn lessons() -> String {
    let mut lines = String::new();
    for head in LIBRARY.iter().filter_map(|text| Some(parse(text).ok()?.head)) {
        let title = head.title.replace('\'', "\\'");
        let _ = writeln!(
            lines,
            "  {{ id: '{}', title: '{title}', minutes: {}, level: {} }},",
            head.id, head.minutes, head.level
        );
    }
    let docs = "The lessons, in the order in which they are taught";
    format!("{HEADER}\n/** {docs}. */\nexport const LESSONS = [\n{lines}] as const;\n")
}
