//! `help TERM`, and docs/GLOSSARY.md, which is written from the same sentences.

use super::{console, text};
use levelscope_console::glossary::{GLOSSARY, terms};
use std::fmt::Write as _;

#[test]
fn help_explains_every_term_and_its_other_words() {
    let mut console = console("default");
    for term in terms() {
        for word in [term.name].iter().chain(term.also) {
            let response = console.run(&format!("help {word}"));
            assert!(response.error.is_none(), "{word}: {}", text(&response));
            assert!(text(&response).contains(term.meaning), "{word}: {}", text(&response));
        }
    }
    let listed = console.run("help terms");
    assert_eq!(listed.result().as_array().map(Vec::len), Some(terms().count()));
}

#[test]
fn help_suggests_the_nearest_term() {
    let mut console = console("default");
    for (typed, meant) in [
        ("help memtabel", "did you mean memtable?"),
        ("help tombstoen", "did you mean tombstone?"),
        ("help write amplificatoin", "did you mean write amplification?"),
        ("help pit", "did you mean put?"),
        ("help xyzzy", "`help terms` all terms"),
        ("tombstone", "`help tombstone` explains the term"),
    ] {
        let failure = console.run(typed).error.expect("there is no such word");
        assert!(failure.hint.clone().unwrap_or_default().contains(meant), "{typed}: {failure:?}");
    }
}

#[test]
fn a_command_that_is_a_term_is_explained_as_both() {
    let printed = text(&console("default").run("help flush"));
    assert!(printed.contains("the term: A flush writes"), "{printed}");
    assert!(printed.contains("example: "), "{printed}");
}

#[test]
fn help_checkpoint_explains_the_copy_of_a_database() {
    for typed in ["help checkpoint", "help database checkpoint"] {
        let printed = text(&console("default").run(typed));
        assert!(printed.contains("consistent copy of a database"), "{printed}");
    }
}

/// docs/GLOSSARY.md.
fn reference() -> String {
    let mut text = "# Glossary\n\nGenerated from `console/src/glossary.rs`; \
                    `UPDATE=1 cargo test -p levelscope-console --test console -- glossary::` rewrites it.\n\n\
                    `help TERM` prints the same sentences in every terminal, and the page shows them at the words with \
                    a dotted line.\n"
        .to_owned();
    for group in GLOSSARY {
        let _ = write!(text, "\n## {}\n\n| term | meaning |\n|---|---|\n", group.title);
        for term in group.terms {
            let also = match term.also {
                [] => String::new(),
                also => format!(" ({})", also.join(", ")),
            };
            let _ = writeln!(text, "| **{}**{also} | {} |", term.name, term.meaning);
        }
    }
    text
}

#[test]
fn the_glossary_of_the_docs_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/GLOSSARY.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, reference()).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == reference(),
        "docs/GLOSSARY.md is out of date: run the test with UPDATE=1"
    );
}
