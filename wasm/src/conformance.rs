//! The exports of test builds: the storage conformance suite on the browser's own files, and a bug.

use levelscope::testing::conformance;
use levelscope_origin::OriginStorage;
use wasm_bindgen::prelude::wasm_bindgen;

/// Files that the suite uses: the worker opens all of them, empty, before each case.
#[wasm_bindgen(js_name = conformanceFiles)]
pub fn files() -> Vec<String> {
    conformance::names().iter().map(ToString::to_string).collect()
}

/// Names of the cases.
#[wasm_bindgen(js_name = conformanceCases)]
pub fn cases() -> Vec<String> {
    conformance::cases().iter().map(|case| case.name.to_owned()).collect()
}

/// Runs one case on the directory; returns the flaw, or nothing.
#[wasm_bindgen(js_name = runConformance)]
pub fn run(case: &str) -> Option<String> {
    let cases = conformance::cases();
    let Some(found) = cases.iter().find(|known| known.name == case) else {
        return Some("there is no such case".into());
    };
    (found.run)(&OriginStorage::ONLY).err()
}

/// Fails as a bug in the engine would.
///
/// # Panics
/// Always.
#[wasm_bindgen(js_name = panicNow)]
#[expect(clippy::panic, reason = "the worker must survive a report of it")]
pub fn panic_now() {
    panic!("a test asked for it");
}
