//! A session as the worker uses it, in memory.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod common;

use common::{asked, opened, opening, parsed};
use levelscope_console::protocol::StorageKind;
use levelscope_wasm::Session;
use serde_json::{Value, json};

fn run(session: &mut Session, line: &str) -> Value {
    common::run(session, line)
}

#[test]
fn lines_are_run_and_answered() {
    let mut session = opened("classroom");
    assert_eq!(run(&mut session, "put a 1")["error"], Value::Null);
    assert_eq!(run(&mut session, "get a")["answers"][0]["value"]["value"], "1");
    assert_eq!(run(&mut session, "frobnicate")["error"]["kind"], "usage");
    assert_eq!(parsed(&session.advance(1))["state"], "idle");
}

#[test]
fn wrong_options_are_refused_and_nothing_is_opened() {
    let mut session = Session::new(StorageKind::Memory);
    for request in [
        "not json".to_owned(),
        asked(&json!({ "type": "close" })),
        opening("huge", &json!({})),
        opening("classroom", &json!({ "memtable_bytes": "1" })),
        opening("classroom", &json!({ "maintenance": "threads:2" })),
    ] {
        let answer = parsed(&session.open(&request));
        assert_eq!(answer["state"], "failed", "{request}");
        assert_eq!(answer["error"]["kind"], "invalidArgument", "{request}");
    }
    assert_eq!(run(&mut session, "get a")["error"]["kind"], "closed");
    assert_eq!(parsed(&session.step("phase", 1))["state"], "done");
    assert_eq!(parsed(&session.step("week", 1))["error"]["kind"], "invalidArgument");
}

#[test]
fn only_requests_for_work_begin_it() {
    let mut session = opened("classroom");
    for request in ["close", "pause", "cancel"] {
        assert!(session.begin(&asked(&json!({ "type": request }))).is_err(), "{request}");
    }
    assert!(session.begin("put a 1").is_err());
    assert_eq!(parsed(&session.advance(1))["state"], "idle");
    let query = json!({ "type": "query", "query": { "ask": "stats" }, "at": null });
    session.begin(&asked(&query)).expect("it is a query");
    assert_eq!(parsed(&session.advance(100))["answers"][0]["value"]["puts"], 0);
}

#[test]
fn a_window_carries_the_number_of_its_request() {
    let mut session = opened("classroom");
    run(&mut session, "put a 1");
    let window = json!({ "type": "window", "branch": null, "from": 1, "to": 4, "details": false });
    session.begin(&json!({ "id": 9, "request": window }).to_string()).expect("it is a request");
    while parsed(&session.advance(100))["state"] == "more" {}
    let window = parsed(&session.take_window().expect("events"));
    assert_eq!(
        (&window["type"], &window["id"], &window["from"]),
        (&json!("window"), &json!(9), &json!(1))
    );
}

#[test]
fn an_invalid_request_is_answered_with_a_message() {
    let mut session = opened("classroom");
    let failed = session.begin(&asked(&json!({ "type": "format" }))).expect_err("no request");
    let failed = parsed(&failed);
    assert_eq!((&failed["type"], &failed["id"]), (&json!("failed"), &json!(1)));
    assert_eq!(failed["kind"], "protocol");
    assert_eq!(parsed(&session.begin("hello").expect_err("no request"))["id"], Value::Null);
}

#[test]
fn events_come_with_sentences_and_a_view_when_asked_or_when_ids_begin_again() {
    let mut session = opened("classroom");
    let opening = parsed(&session.events(true).expect("a checkpoint"));
    assert_eq!(opening["events"][0]["id"], 1);
    assert_eq!(opening["view"]["memtables"][0]["entries"], 0);
    assert!(session.events(false).is_none());
    run(&mut session, "put a 1");
    let put = parsed(&session.events(false).expect("the put"));
    assert_eq!(put["view"], Value::Null);
    assert_eq!(put["events"][0]["kind"], "op.put");
    assert!(put["events"][0]["sentence"].as_str().is_some_and(|sentence| sentence.ends_with('.')));
    assert!(put["fileBytes"].as_u64().is_some_and(|bytes| bytes > 8192));
    run(&mut session, "put b 2; options preset default; put c 3");
    let anew = parsed(&session.events(false).expect("a new database handle"));
    let events = anew["events"].as_array().expect("events");
    let ids: Vec<_> = events.iter().filter_map(|event| event["id"].as_u64()).collect();
    assert!(ids.windows(2).any(|pair| pair[1] == 1), "numbers begin again: {ids:?}");
    let steps: Vec<_> = events.iter().filter_map(|event| event["step"].as_u64()).collect();
    assert!(steps.windows(2).all(|pair| pair[1] == pair[0] + 1), "steps go on: {steps:?}");
    assert_eq!(anew["view"]["lastSequence"], 3);
}

#[test]
fn the_view_makes_up_for_events_that_did_not_fit() {
    let mut session = opened("classroom");
    session.events(true);
    run(&mut session, "fill 500");
    let batch = parsed(&session.events(false).expect("many"));
    assert_eq!(batch["events"].as_array().map(Vec::len), Some(500));
    assert!(batch["elided"].as_u64().is_some_and(|elided| elided > 500));
    assert_eq!(batch["view"]["lastSequence"], 500);
}

#[test]
fn work_is_stepped_until_it_is_done() {
    let mut session = opened("classroom");
    run(&mut session, "put a 1; flush");
    assert!(session.has_work());
    assert_eq!(parsed(&session.step("phase", 1))["state"], "more");
    assert_eq!(parsed(&session.step("job", 100))["state"], "done");
    assert!(!session.has_work());
}

#[test]
fn completion_counts_in_units_of_javascript() {
    let mut session = opened("classroom");
    run(&mut session, "put a 1");
    let line = "put \u{1F34E} 1; ge";
    let units = line.encode_utf16().count();
    let items = parsed(&session.complete(line, units));
    let get = items.as_array().and_then(|items| items.iter().find(|item| item["kind"] == "verb"));
    let from = get.and_then(|item| item["from"].as_u64());
    assert_eq!(from, Some(units as u64 - 2), "{items}");
    session.complete(line, 5);
    session.complete(line, usize::MAX);
}

#[test]
fn work_that_outruns_the_page_sends_its_newest_events() {
    let mut session = opened("classroom");
    session.events(false);
    let count = |message: &Value| message["events"].as_array().map_or(0, Vec::len);
    run(&mut session, "fill 60");
    let few = parsed(&session.newest_events().unwrap_or_default());
    assert!(few["elided"] == 0 && count(&few) > 100, "everything fits: {}", count(&few));
    run(&mut session, "fill 400");
    let many = parsed(&session.newest_events().unwrap_or_default());
    assert_eq!(count(&many), 100);
    let steps: Vec<_> = (0..100).map(|at| many["events"][at]["step"].as_u64()).collect();
    assert!(steps.is_sorted());
    let first = steps[0].unwrap_or_default();
    let step = few["events"][count(&few) - 1]["step"].as_u64().unwrap_or_default();
    assert_eq!(many["elided"].as_u64(), Some(first - step - 1), "none is lost from the count");
    assert!(many["view"].is_object());
    assert_eq!(session.newest_events(), None, "these were the newest");
}

#[test]
fn a_closed_session_answers_that_it_is_closed() {
    let mut session = opened("classroom");
    assert_eq!(parsed(&session.close()), json!({ "state": "done" }));
    assert_eq!(parsed(&session.close()), json!({ "state": "done" }));
    assert_eq!(run(&mut session, "put a 1")["error"]["kind"], "closed");
}
