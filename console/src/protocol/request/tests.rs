use super::{Message, NumberedRequest, Request};
use serde_json::{Value, json};

fn read(request: &Value) -> Result<NumberedRequest, (Option<u64>, String)> {
    NumberedRequest::read(&json!({ "id": 7, "request": request }).to_string())
        .map_err(|message| reason(*message))
}

fn reason(message: Message) -> (Option<u64>, String) {
    match message {
        Message::Failed { id, kind, message } if kind == "protocol" => (id, message),
        other => panic!("{other:?}"),
    }
}

fn open() -> Value {
    json!({ "type": "open", "preset": "classroom", "settings": { "l0_trigger": "4" }, "storage": "auto",
        "takeOver": false })
}

/// `request` with one field changed, or one more.
fn with(mut request: Value, field: &str, value: Value) -> Value {
    request[field] = value;
    request
}

fn files(count: usize, bytes: u64) -> Value {
    let file = json!({ "name": "a.sst", "bytes": bytes });
    json!({ "type": "files", "files": vec![file; count] })
}

#[test]
fn requests_are_read() {
    let asked = read(&open()).unwrap();
    assert_eq!(asked.id, 7);
    let Request::Open { preset, settings, take_over: false, .. } = asked.request else {
        panic!("{asked:?}")
    };
    assert_eq!((&*preset, settings["l0_trigger"].as_str()), ("classroom", "4"));
    for request in [
        json!({ "type": "command", "line": "x".repeat(1 << 20), "at": null }),
        json!({ "type": "command", "line": "get a", "at": 12 }),
        json!({ "type": "query", "query": { "ask": "stats" }, "at": null }),
        json!({ "type": "window", "branch": null, "from": 3, "to": 9, "details": true }),
        json!({ "type": "window", "branch": 2, "from": 3, "to": 9, "details": true }),
        json!({ "type": "play", "grain": "job", "stepsPerSecond": 0 }),
        json!({ "type": "complete", "line": "pu", "cursor": 2 }),
        json!({ "type": "cancel" }),
        json!({ "type": "pause" }),
        json!({ "type": "close" }),
        files(1024, 300 << 10),
    ] {
        read(&request).unwrap_or_else(|why| panic!("{request}: {why:?}"));
    }
}

#[test]
fn what_is_not_exactly_a_request_is_refused_with_its_number() {
    let command = || json!({ "type": "command", "line": "x", "at": null });
    let query = || json!({ "type": "query", "query": { "ask": "stats" }, "at": null });
    let window = || json!({ "type": "window", "from": 1, "to": 2, "details": true });
    let play = || json!({ "type": "play", "grain": "job", "stepsPerSecond": 1 });
    let settings: Value =
        (0..65).map(|at| (format!("o{at}"), json!("1"))).collect::<serde_json::Map<_, _>>().into();
    for request in [
        json!(null),
        json!("open"),
        json!([open()]),
        json!({}),
        with(open(), "type", json!("format")),
        with(open(), "type", json!("constructor")),
        with(open(), "storage", json!("disk")),
        with(open(), "takeOver", json!("yes")),
        with(open(), "extra", json!(1)),
        with(open(), "preset", json!("x".repeat(101))),
        with(open(), "settings", json!(null)),
        with(open(), "settings", json!({ "memtable_bytes": 64 })),
        with(open(), "settings", json!({ "Bad Name": "1" })),
        with(open(), "settings", json!({ "__proto__": { "a": "1" } })),
        with(open(), "settings", json!({ "l0_trigger": "1".repeat(101) })),
        with(open(), "settings", settings),
        with(command(), "line", json!("x".repeat((1 << 20) + 1))),
        with(command(), "at", json!(-1)),
        with(command(), "at", json!(0.5)),
        with(command(), "view", json!({})),
        with(query(), "query", json!("stats")),
        with(query(), "query", json!({ "ask": "reset" })),
        with(query(), "query", json!({ "ask": "stats", "more": 1 })),
        with(query(), "at", json!("now")),
        with(window(), "to", json!(0.5)),
        json!({ "type": "window", "from": 1, "to": 2 }),
        with(play(), "grain", json!("week")),
        with(play(), "stepsPerSecond", json!(1001)),
        with(play(), "stepsPerSecond", json!(null)),
        json!({ "type": "complete", "line": "x", "cursor": -1 }),
        json!({ "type": "cancel", "line": "x" }),
        files(1025, 1),
        files(2, (300 << 20) - 1),
        files(2, u64::MAX),
        with(files(1, 1), "files", json!([{ "name": "x".repeat(4097), "bytes": 1 }])),
        with(files(1, 1), "files", json!([{ "name": "x", "bytes": 1, "more": 1 }])),
        with(files(1, 1), "files", json!([{ "name": 7, "bytes": 1 }])),
    ] {
        let (id, why) = read(&request).expect_err(&request.to_string());
        assert_eq!(id, Some(7), "{request}");
        assert!(why.len() > "this is no request: ".len(), "{request}: {why}");
    }
}

#[test]
fn a_request_without_a_readable_number_is_refused_without_one() {
    for text in [
        "",
        "hello",
        "null",
        "[1]",
        r#"{"id":-1,"request":{"type":"close"}}"#,
        r#"{"id":1.5,"request":{"type":"close"}}"#,
        r#"{"id":"1","request":{"type":"close"}}"#,
        r#"{"request":{"type":"close"}}"#,
        &"[".repeat(100_000),
    ] {
        assert_eq!(reason(*NumberedRequest::read(text).unwrap_err()).0, None, "{text:.40}");
    }
    // As in JavaScript, the last of two equal names counts.
    let twice = r#"{"id":1,"request":{"type":"cancel","type":"close"}}"#;
    assert!(matches!(NumberedRequest::read(twice).unwrap().request, Request::Close {}));
    assert!(NumberedRequest::read(r#"{"id":1,"request":{"type":"close"},"more":1}"#).is_err());
}
