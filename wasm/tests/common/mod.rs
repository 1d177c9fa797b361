//! A session in memory, and lines run on it to their end.

use levelscope_wasm::{Place, Session};
use serde_json::{Value, json};

pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

pub(crate) fn opened(preset: &str) -> Session {
    let mut session = Session::new(Place::Memory);
    let request = json!({ "preset": preset, "settings": {} }).to_string();
    assert_eq!(parsed(&session.open(&request)), json!({ "state": "opened" }));
    session
}

pub(crate) fn run(session: &mut Session, line: &str) -> Value {
    session.start(line);
    loop {
        let progress = parsed(&session.advance(100));
        match progress["state"].as_str() {
            Some("more") => {}
            Some("done") => return progress,
            _ => panic!("{line}: {progress}"),
        }
    }
}
