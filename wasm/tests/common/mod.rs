//! A session in memory, and lines run on it to their end.

use levelscope_console::protocol::StorageKind;
use levelscope_wasm::Session;
use serde_json::{Value, json};

pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

pub(crate) fn opened(preset: &str) -> Session {
    let mut session = Session::new(StorageKind::Memory);
    assert_eq!(parsed(&session.open(&opening(preset, &json!({})))), json!({ "state": "done" }));
    session
}

/// A request to open a database.
pub(crate) fn opening(preset: &str, settings: &Value) -> String {
    asked(&json!({
        "type": "open", "preset": preset, "settings": settings, "storage": "memory", "takeOver": false,
    }))
}

/// A request as the page writes it.
pub(crate) fn asked(request: &Value) -> String {
    json!({ "id": 1, "request": request }).to_string()
}

pub(crate) fn run(session: &mut Session, line: &str) -> Value {
    session
        .begin(&asked(&json!({ "type": "command", "line": line, "at": null })))
        .expect("it is a request");
    loop {
        let progress = parsed(&session.advance(100));
        match progress["state"].as_str() {
            Some("more") => {}
            Some("done") => return progress,
            _ => panic!("{line}: {progress}"),
        }
    }
}
