//! The events of a script are the same everywhere: this test runs it natively, its twin in
//! `web/src/testing/events.test.ts` runs the wasm module, and both must meet one committed checksum.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod common;

use common::{opened, parsed, run};
use levelscope_wasm::Session;
use serde_json::Value;
use std::cell::RefCell;
use std::path::Path;

#[test]
fn a_script_emits_the_committed_events() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/events");
    let script = std::fs::read_to_string(fixtures.join("classroom.lsm")).expect("the script");
    let mut session = opened("classroom");
    let hasher = RefCell::new(crc32fast::Hasher::new());
    let mut events = 0;
    let mut take = |session: &mut Session| {
        while let Some(batch) = session.events(false) {
            let message = parsed(&batch);
            assert_eq!(message["elided"], 0, "the script is small enough for every event");
            events += message["events"].as_array().map_or(0, Vec::len);
            hasher.borrow_mut().update(batch.as_bytes());
        }
    };
    take(&mut session);
    for line in script.lines() {
        assert_eq!(run(&mut session, line)["error"], Value::Null, "{line}");
        take(&mut session);
        // Not only the same events: the same view, and the same bytes of every file.
        let hash = run(&mut session, "stats --hash");
        hasher.borrow_mut().update(hash["answers"][0]["value"]["hash"].to_string().as_bytes());
    }
    let found = format!("{events} events, checksum {:08x}\n", hasher.into_inner().finalize());
    let file = fixtures.join("classroom.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &found).expect("the fixture can be written");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "UPDATE=1 rewrites it");
}
