use super::*;

fn error(text: &str) -> String {
    Condition::parse(text).expect_err(text).message
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    for text in [
        "get apple -> value == \"red\"",
        "get \"two words\" -> found",
        "lsm -> sum(levels[*].tables[*].entries) == 2",
        "stats -> tableBytes < before",
        "stats -> tableBytes >= before * 1.5",
        "stats -> tableBytes != before - -3",
        "files -> [0].name has \"CUR\\\"R\\xff\"",
        "count -> it",
        "files -> count(it) > 3",
        "get a -> value == none",
        "get a -> found == false",
        "lsm -> max([*].x) <= 4096",
        "wal -> sum(wals[*].records) >= sum(wals[*].syncedRecords) + 3",
        "lsm -> levels[0].score.runs == levels[1].score.runs",
    ] {
        let condition = Condition::parse(text).expect(text);
        assert_eq!(condition.to_string(), text);
        assert_eq!(Condition::parse(&condition.to_string()).expect(text), condition);
    }
    let short = Condition::parse("lsm -> it.levels[0] == 4k").expect("it can be left out");
    assert_eq!(short.to_string(), "lsm -> levels[0] == 4096");
}

#[test]
fn errors_name_what_is_expected() {
    for (text, message) in [
        ("", "one command"),
        ("get a; get b -> x", "one command"),
        ("get a", "needs -> after its command"),
        ("-> value", "before -> comes a command"),
        ("get a ->", "after -> comes a path"),
        ("get a -> == 3", "after -> comes a path"),
        ("get a -> value=3", "not ="),
        (
            "get a -> value ==",
            "a number, a text in quotes, true, false, none, before or a path, not nothing",
        ),
        ("get a -> value == red", "not red"),
        ("get a -> value == a..b", "not a..b"),
        ("get a -> value == a.b / 4", "not a.b/4"),
        ("get a -> value == 3 4", "complete before 4"),
        ("get a -> value == before / 4", "+, - or * and a number"),
        ("get a -> value == before + x", "+, - or * and a number"),
        ("get a -> value == before + 1 2", "complete before 2"),
        ("get a -> sum(x", "closing bracket )"),
        ("get a -> x[1", "closing bracket ]"),
        ("get a -> x[a]", "a number or *, not a"),
        ("get a -> x[99999999999999999999999]", "a number or *"),
        ("get a -> x..y", "not ."),
        ("get a -> x.", "does not end with a point"),
        ("get a -> x[0]y", "not y"),
        ("get a -> sum()", "a name or it"),
        ("get a -> value == \"x", "not finished"),
    ] {
        assert!(error(text).contains(message), "{text}: {}", error(text));
    }
}
