//! Queries: what programs ask gets the answers of commands, and leaves no trace.

use super::console;
use levelscope_console::{Console, Query};

/// A database with a table and a log.
fn filled() -> Console {
    let mut console = console("classroom");
    console.run("options set prefix until:.");
    let response = console.run("fill 200 --words --seed 7; flush; run; put \"a b;c\" 1");
    assert!(response.error.is_none(), "{response:?}");
    console
}

/// One of each kind, with the command that people would type.
fn queries(console: &mut Console) -> Vec<(Query, String)> {
    let table = console
        .db()
        .expect("open")
        .view()
        .levels
        .iter()
        .find_map(|level| level.tables.first().map(|table| table.table));
    let table = table.expect("a table was flushed");
    let memtable = console.db().expect("open").view().memtables[0].memtable;
    let own = format!("table:{table}");
    let key = b"a b;c".to_vec();
    vec![
        (Query::Files {}, "files".into()),
        (Query::Stats {}, "stats".into()),
        (Query::Memtable { memtable, key: None }, format!("mem {memtable}")),
        (
            Query::Memtable { memtable, key: Some(key.clone()) },
            format!("mem {memtable} --path \"a b;c\""),
        ),
        (Query::Recent { limit: 3 }, "mem --newest 3".into()),
        (Query::Contents { tables: vec![table], limit: 9 }, format!("contents {table} --limit 9")),
        (
            Query::Contents { tables: vec![table, table], limit: u64::MAX },
            format!("contents {table} --limit 10000"),
        ),
        (Query::Follow { key }, "follow \"a b;c\"".into()),
        (Query::Buckets { table, limit: 9 }, format!("buckets {table} --limit 9")),
        (Query::Ribbon { file: own.clone(), stretches: 5 }, format!("layout {own} --ribbon 5")),
        (
            Query::Part { file: own.clone(), path: "block:1".into(), skip: 1, limit: 2 },
            format!("layout {own} --node block:1 --skip 1 --limit 2"),
        ),
        (
            Query::Hex { file: own.clone(), inside: None, offset: 3, length: 40 },
            format!("hex {own} --at 3 --length 40"),
        ),
        (
            Query::Hex { file: own.clone(), inside: Some("block:1".into()), offset: 0, length: 8 },
            format!("hex {own} --node block:1 --decoded --at 0 --length 8"),
        ),
        (
            Query::Find { file: own.clone(), inside: None, offset: 0, bytes: vec![0] },
            format!("hex {own} --at 0 --length 1 --find \"\\x00\""),
        ),
        (Query::Labs {}, "lab".into()),
    ]
}

#[test]
fn each_query_has_the_answer_of_its_command() {
    let mut console = filled();
    for (query, command) in queries(&mut console) {
        let shown = format!("{query:?}");
        let answer = console.answer(query, None);
        let result = console.run(&command);
        assert!(answer.error.is_none(), "{shown}: {:?}", answer.error);
        assert!(!answer.result().is_null(), "{shown}");
        let asked = shown.split([' ', '{']).next().unwrap_or_default().to_lowercase();
        let kind = answer.answers.first().map(|answer| answer.kind);
        assert_eq!(kind, Some(asked.as_str()), "{shown}: the page takes it for another one");
        assert_eq!(answer.answers, result.answers, "{shown}");
    }
}

#[test]
fn queries_leave_no_trace() {
    let mut console = filled();
    let queries = queries(&mut console);
    let before = (console.state_hash().expect("hash"), console.steps());
    let history: Vec<String> = console.history().map(str::to_owned).collect();
    for (query, _) in queries {
        console.answer(query, None);
    }
    assert_eq!((console.state_hash().expect("hash"), console.steps()), before);
    assert_eq!(console.history().collect::<Vec<_>>(), history);
    let response = console.run("fork");
    assert!(response.error.is_none(), "the past is as it was: {response:?}");
}

#[test]
fn the_past_answers() {
    let mut console = filled();
    let then = console.steps();
    let files = console.answer(Query::Files {}, None).result();
    let table = console.run("lsm").result();
    console.run("fill 400 --words --seed 8; flush; run");
    assert_ne!(console.run("lsm").result(), table);
    assert_eq!(console.answer(Query::Files {}, Some(then)).result(), files);
    let answer = console.answer(Query::Stats {}, Some(u64::MAX));
    assert!(answer.error.is_some_and(|failure| failure.message.contains("no step")));
}

#[test]
fn words_of_a_query_are_never_options_or_commands() {
    let mut console = filled();
    for text in ["--ribbon", "x; reset --yes", "\" ; del a", "", "@"] {
        let query = Query::Ribbon { file: text.into(), stretches: 5 };
        let answer = console.answer(query, None);
        let failure = answer.error.unwrap_or_else(|| panic!("{text:?} is no file"));
        assert_eq!(failure.kind, "usage", "{text:?}: {failure:?}");
    }
    assert_eq!(console.run("get \"a b;c\"").result()["value"], "1");
}

/// Searching is done in stretches of 256 KiB: what begins after one, or on the border of two, is found, too.
#[test]
fn bytes_are_found_in_every_stretch() {
    let mut console = console("classroom");
    let response =
        console.run("options set memtable_bytes 4000000; fill 3 --value-size 300000 --seed 7");
    assert!(response.error.is_none(), "{response:?}");
    let file = format!("wal:{}", console.db().expect("open").view().wals[0].wal);
    console.run("sync");
    let bytes_at = |console: &mut Console, offset, length| {
        let query = Query::Hex { file: file.clone(), inside: None, offset, length };
        let result = console.answer(query, None).result();
        let hex = result["hex"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned();
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal");
        (0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>()
    };
    for at in [262_144 - 5, 262_144, 524_288 - 1, 800_000] {
        let bytes = bytes_at(&mut console, at, 12);
        assert_eq!(bytes.len(), 12);
        for offset in [0, at] {
            let bytes = bytes.clone();
            let find = Query::Find { file: file.clone(), inside: None, offset, bytes };
            let found = console.answer(find, None);
            assert_eq!(found.result()["offset"], at, "from {offset}: {:?}", found.error);
        }
    }
    for bytes in [Vec::new(), vec![7; 300_000]] {
        let length = bytes.len();
        let find = Query::Find { file: file.clone(), inside: None, offset: 0, bytes };
        let failure = console.answer(find, None).error;
        assert!(failure.is_some(), "{length} bytes cannot be there");
    }
}
