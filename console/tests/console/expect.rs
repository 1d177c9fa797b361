//! `expect`: claims about results, which change nothing.

use super::{console, text};
use levelscope::Budget;
use levelscope_console::Console;

/// A database with two tables, a log, a snapshot and a transaction.
fn prepared() -> Console {
    let mut console = console("classroom");
    let made = console.run(
        "put apple red; put fig green; flush; run; put apple green; flush; step job; put pear yellow; snapshot",
    );
    assert!(made.error.is_none(), "{}", text(&made));
    console
}

fn failure(console: &mut Console, line: &str) -> String {
    let response = console.run(line);
    let failure = response.error.unwrap_or_else(|| panic!("{line} should fail"));
    format!("{}: {}", failure.kind, failure.message)
}

/// What holds of the prepared database, what does not, and words of the answer.
const COMPARISONS: &[(&str, &str, &str)] = &[
    (
        "get apple -> value == \"green\"",
        "get apple -> value == \"red\"",
        "\"green\", not == \"red\"",
    ),
    (
        "get apple -> value != \"red\"",
        "get apple -> value != \"green\"",
        "\"green\", not != \"green\"",
    ),
    ("count -> entries < 4", "count -> entries < 3", "3, not < 3"),
    ("count -> entries <= 3", "count -> entries <= 2", "3, not <= 2"),
    ("count -> entries > 2", "count -> entries > 3", "3, not > 3"),
    ("count -> entries >= 3", "count -> entries >= 4", "3, not >= 4"),
    ("count -> entries == 3.0", "count -> entries > 3.5", "3, not > 3.5"),
    (
        "get apple -> outcome has \"oun\"",
        "get apple -> key has \"pear\"",
        "\"apple\", not has \"pear\"",
    ),
    (
        "scan -> entries[*].key has \"fig\"",
        "scan -> entries[*].key has \"kiwi\"",
        "a list of 3 items, not",
    ),
    ("scan -> entries[0] has \"valueBytes\"", "scan -> it has \"x\"", "not has \"x\""),
    ("get kiwi -> value == none", "get fig -> value == none", "\"green\", not == none"),
    ("get fig -> value != none", "get kiwi -> value != none", "none, not != none"),
    ("get fig -> found", "get kiwi -> found", "is false"),
    ("get fig -> found == true", "get fig -> found == false", "true, not == false"),
    ("get fig -> value", "get kiwi -> value", "is none"),
    ("scan -> count(entries) == 3", "scan -> count(entries[*]) == 2", "3, not == 2"),
    ("lsm -> count(levels[*].tables) == 2", "lsm -> count(levels[*].tables) == 1", "2, not == 1"),
    (
        "lsm -> sum(levels[*].tables[*].entries) == 3",
        "lsm -> sum(levels[*].tables[*].entries) == 4",
        "3, not == 4",
    ),
    (
        "scan -> min(entries[*].valueBytes) == 5",
        "scan -> min(entries[*].valueBytes) == 6",
        "5, not",
    ),
    (
        "scan -> max(entries[*].valueBytes) == 6",
        "scan -> max(entries[*].valueBytes) == 5",
        "6, not",
    ),
    (
        "scan z -> max(entries[*].valueBytes) == none",
        "scan z -> sum(entries[*].valueBytes) == 1",
        "0, not",
    ),
    ("scan -> entries[7] == none", "scan -> entries[7]", "is none"),
    ("get apple --snapshot 1 -> value == \"green\"", "get apple --snapshot 1 -> deleted", "false"),
    ("stats -> puts >= 4", "stats -> puts == 4k", "4, not == 4096"),
];

#[test]
fn every_comparison_answers_both_ways() {
    let mut console = prepared();
    for (holds, fails, is) in COMPARISONS {
        let response = console.run(&format!("expect {holds}"));
        assert!(response.error.is_none(), "{holds}: {}", text(&response));
        assert_eq!(response.result()["holds"], true, "{holds}");
        assert!(text(&response).contains("as expected"), "{}", text(&response));
        let message = failure(&mut console, &format!("expect {fails}"));
        assert!(message.starts_with("false: ") && message.contains(is), "{fails}: {message}");
    }
    let message = failure(&mut console, "expect stats -> entriesShadowed == 2");
    assert_eq!(message, "false: stats -> entriesShadowed is 0, not == 2");
}

#[test]
fn incomparable_values_are_reported() {
    let mut console = prepared();
    for (line, expected) in [
        ("expect count -> entrys == 3", "has no entrys in it; did you mean entries?"),
        ("expect count -> zzz", "there are: bytes, entries"),
        ("expect count -> entries.x", "has no x, because entries is 3"),
        ("expect count -> entries[0]", "has no items, because entries is 3"),
        ("expect scan -> entries.key", "has a list in entries: [NUMBER] or [*] comes before key"),
        ("expect count -> it[0]", "has a record in it, not a list"),
        ("expect scan -> entries[9].key", "has no key, because entries[9] is none"),
        ("expect scan -> sum(entries[*].key) == 1", "which is no number"),
        ("expect get apple -> value == 3", "a text is written in quotes"),
        ("expect get apple -> value != 3", "a text is written in quotes"),
        ("expect get apple -> value < 3", "only numbers can be <"),
        ("expect count -> entries == \"3\"", "of another kind"),
        ("expect scan -> entries == 3", "sum, count, min, max or has takes its items"),
        ("expect count -> entries has 3", "only a text, a list or a record has parts"),
        ("expect count -> entries == before", "there is no value from before"),
        (
            "expect get a --snapshot 9 -> found",
            "get a --snapshot 9 -> found fails: there is no snapshot 9",
        ),
        ("expect get a", "needs -> after its command"),
        ("expect", "expect needs a command"),
        ("expect gat a -> found", "there is no command gat"),
        ("expect get -> found", "get needs"),
        ("expect put a 1 -> count", "put may not stand in a condition: it changes the database"),
        ("expect corrupt CURRENT 1 -> it", "it changes the database"),
        ("expect until when l0 > 1 -> it", "it changes the database"),
        ("expect branches -> it", "branches may not stand in a condition: it is about the session"),
        ("expect play -> it", "play may not stand in a condition: it changes what is shown"),
        ("expect export --leveldb -> it", "it writes files"),
    ] {
        let message = failure(&mut console, line);
        assert!(message.contains(expected), "{line}: {message}");
    }
}

#[test]
fn looking_changes_nothing() {
    let mut console = prepared();
    console.run("begin; put kiwi brown");
    let (before, steps) = (console.state_hash().expect("memory"), console.steps());
    let stats = console.run("stats").result();
    // The first of two lookups of one key would put its block into the cache, if it did not look at a copy.
    let blocks = console.run("expect explain get fig -> blocksRead >= 0").result()["value"].clone();
    for _ in 0..3 {
        let again = console.run("expect explain get fig -> blocksRead > 0");
        assert_eq!(again.result()["value"], blocks, "{}", text(&again));
    }
    for line in [
        "check -> errors == 0",
        "scan -> count(entries) == 4",
        "lsm -> it",
        "lab L2 -> it",
        "transactions -> [0].writes == 1",
    ] {
        let response = console.run(&format!("expect {line}"));
        assert!(response.error.is_none(), "{}", text(&response));
        assert!(console.run(&format!("expect {line} != none == 3")).error.is_some());
    }
    assert_eq!((console.state_hash().expect("memory"), console.steps()), (before, steps));
    assert_eq!(console.run("stats").result(), stats);
    // A later replay does not know that anything was asked.
    let hash = console.run("fork; stats --hash").result()[1]["hash"].clone();
    assert_eq!(hash, format!("{before:016x}"));
}

#[test]
fn the_past_can_be_asked() {
    let mut console = console("classroom");
    console.run("put a 1");
    let step = console.steps();
    console.run("put a 2");
    assert!(console.run("expect get a -> value == \"2\"").error.is_none());
    assert!(console.run(&format!("goto {step}; expect get a -> value == \"1\"")).error.is_none());
    assert!(console.run("expect get a -> value == \"2\"").error.is_some());
}

#[test]
fn a_question_sees_background_work_that_goes_on_after_another_one() {
    let mut console = console("classroom");
    console.run("put a 1; flush");
    // Each unit of work adds to the last input of the journal, and the replica of the question before knows it shorter.
    for _ in 0..40 {
        let _ = console.step(Budget::Entry);
        let tables = console.db().expect("open").view().levels[0].tables.len();
        let response = console.run(&format!("expect lsm -> count(levels[0].tables) == {tables}"));
        assert!(response.error.is_none(), "{}", text(&response));
    }
    console.run("expect lsm -> it; corrupt CURRENT 1");
    assert!(console.run("expect files -> it").error.is_none());
}
