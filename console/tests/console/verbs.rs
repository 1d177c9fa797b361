//! The table of verbs: complete, explained, and with examples that work.

use super::{console, text};
use levelscope_console::verbs;
use std::collections::BTreeSet;

#[test]
fn every_verb_has_help_and_an_example_that_works() {
    for preset in ["default", "classroom", "article"] {
        for verb in verbs() {
            let mut console = console(preset);
            let help = console.run(&format!("help {}", verb.name));
            assert!(help.error.is_none(), "{}", text(&help));
            for part in [verb.usage.split(' ').next().unwrap_or(""), verb.purpose, verb.example] {
                assert!(!part.is_empty() && text(&help).contains(part), "{}: {part:?}", verb.name);
            }
            assert!(verb.usage.starts_with(verb.name) && verb.example.contains(verb.name));
            assert!(verb.purpose.ends_with('.'), "{}", verb.purpose);
            let response = console.run(verb.example);
            assert!(response.error.is_none(), "{}: {}", verb.example, text(&response));
            // A lesson answers where one is played; see the tests of lessons.
            let answers = !response.lines.is_empty() || verb.group == "lessons";
            assert!(answers, "{} prints nothing", verb.example);
        }
    }
}

#[test]
fn wrong_commands_give_usage_and_a_hint() {
    for (line, hint) in [
        ("pit a 1", "did you mean put?"),
        ("delete a", "did you mean del?"),
        ("put a", "usage: put KEY VALUE"),
        ("put a b c", "quote what contains spaces"),
        ("scan --limt 3", "did you mean --limit?"),
        ("scan --limit x", "usage: scan"),
        ("get a --snapshot 1", "`snapshot` makes one"),
        ("get --x", "quote a key"),
        ("options set blom_bits 1", "did you mean bloom_bits?"),
        ("options preset small", "classroom"),
        ("layout 99", "`files` lists all"),
        ("put 0x1 a", "quote it"),
        ("step sideways", "usage: step"),
        ("fill 3 --words --start 1", "usage: fill"),
        ("fill 3 --deletes 5", "usage: fill"),
        ("fill 3 --words --overwrites 60 --deletes 21", "usage: fill"),
        ("batch", "usage: batch"),
        ("batch put a", "usage: batch"),
        ("reset", "reset --yes"),
    ] {
        let response = console("default").run(line);
        let failure = response.error.unwrap_or_else(|| panic!("{line} should fail"));
        let found = failure.hint.unwrap_or_default();
        assert!(found.contains(hint), "{line}: {found:?} should contain {hint:?}");
    }
}

#[test]
fn columns_of_help_never_run_together() {
    for verb in verbs() {
        for form in verb.usage.split(" | ") {
            let word = form.split(' ').next().unwrap_or_default();
            assert_eq!(word, verb.name, "each form begins with the verb: {}", verb.usage);
        }
        let printed = text(&console("default").run(&format!("help {}", verb.name)));
        let columns: Vec<Option<usize>> = verb
            .flags
            .iter()
            .map(|flag| {
                let form = format!("  {} {}", flag.name, flag.value);
                let form = form.trim_end();
                let line = printed.lines().find(|line| line.starts_with(form));
                let line = line.unwrap_or_else(|| panic!("{form} is not printed:\n{printed}"));
                let (_, rest) = line.split_at(form.len());
                assert!(rest.starts_with("  "), "{line}");
                line.find(flag.purpose)
            })
            .collect();
        assert!(columns.windows(2).all(|pair| pair[0] == pair[1]), "{printed}");
    }
}

#[test]
fn groups_of_help_are_printed_once() {
    let mut groups: Vec<&str> = verbs().map(|verb| verb.group).collect();
    groups.dedup();
    let once: BTreeSet<&str> = groups.iter().copied().collect();
    assert_eq!(once.len(), groups.len(), "{groups:?}");
}

#[test]
fn a_failure_stops_the_line() {
    let mut console = console("default");
    let response = console.run("put a 1; pit b 2; put c 3");
    let error = response.error.clone();
    let hint = error.and_then(|failure| failure.hint).unwrap_or_default();
    assert!(hint.contains("1 command after it not run"), "{hint}");
    assert_eq!(response.result().as_array().map(Vec::len), Some(1));
    assert_eq!(console.run("get c").result()["found"], false);
}

#[test]
fn verbs_are_read_in_any_case_and_by_the_names_of_other_programs() {
    let mut console = console("default");
    for line in ["SET apple red", "Put pear green", "Batch SET fig blue, DEL pear", "HELP SET"] {
        let response = console.run(line);
        assert!(response.error.is_none(), "{line}: {}", text(&response));
    }
    assert_eq!(console.run("GET apple").result()["value"], "red");
    assert_eq!(console.run("GeT pear").result()["found"], false);
    assert_eq!(console.run("get fig").result()["value"], "blue");
    assert!(console.run("DEL apple").error.is_none());
    assert_eq!(console.run("get apple").result()["found"], false);
}

#[test]
fn exit_ends_the_line_and_the_program() {
    for verb in ["exit", "EXIT", "Quit"] {
        let mut console = console("default");
        let response = console.run(&format!("put a 1; {verb}; put b 2"));
        assert!(response.error.is_none(), "{}", text(&response));
        assert!(console.has_ended(), "{verb}");
        // A page has nothing to end: its next line runs as ever.
        assert_eq!(console.run("get b; get a").result()[0]["found"], false);
        assert!(!console.has_ended(), "{verb}");
    }
}

#[test]
fn the_preset_article_makes_the_four_tables_of_the_article() {
    // A pair of the article has four words, 25 bytes on average, as this key and value have.
    for seed in 1..=20 {
        let mut console = console("article");
        let filled =
            console.run(&format!("fill 700 --order random --value-size 9 --seed {seed}; run"));
        assert!(filled.error.is_none(), "{}", text(&filled));
        let levels = console.db().expect("it is open").view().levels;
        let tables: Vec<u64> =
            levels.iter().flat_map(|level| level.tables.iter().map(|table| table.bytes)).collect();
        assert_eq!(tables.len(), 4, "seed {seed}: {tables:?}");
    }
}
