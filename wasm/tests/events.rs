//! The events of a script are the same everywhere: this test runs it natively, its twin in
//! `web/src/testing/events.test.ts` runs the wasm module, and both must meet one committed checksum.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use levelscope_wasm::{Place, Session};
use serde_json::{Value, json};
use std::path::Path;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn run(session: &mut Session, line: &str) {
    session.start(line, false);
    loop {
        let progress = parsed(&session.advance(1000));
        match progress["state"].as_str() {
            Some("more") => {}
            Some("done") => {
                assert_eq!(progress["error"], Value::Null, "{line}");
                return;
            }
            _ => panic!("{line}: {progress}"),
        }
    }
}

#[test]
fn a_script_tells_what_is_committed() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/events");
    let script = std::fs::read_to_string(fixtures.join("classroom.lsm")).expect("the script");
    let mut session = Session::new(Place::Memory);
    let request = json!({ "preset": "classroom", "settings": {} }).to_string();
    assert_eq!(parsed(&session.open(&request)), json!({ "state": "opened" }));
    let mut hasher = crc32fast::Hasher::new();
    let mut events = 0;
    let mut take = |session: &mut Session| {
        while let Some(batch) = session.events(false) {
            let told = parsed(&batch);
            assert_eq!(told["elided"], 0, "the script is small enough for every event");
            events += told["events"].as_array().map_or(0, Vec::len);
            hasher.update(batch.as_bytes());
        }
    };
    take(&mut session);
    for line in script.lines() {
        run(&mut session, line);
        take(&mut session);
    }
    let found = format!("{events} events, checksum {:08x}\n", hasher.finalize());
    let file = fixtures.join("classroom.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &found).expect("the fixture can be written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "UPDATE=1 rewrites it");
}
