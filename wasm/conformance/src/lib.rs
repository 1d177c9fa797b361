//! The storage conformance suite on the files of a browser's origin: a module that `tests/e2e/conformance.spec.ts` alone loads.

#![cfg(target_arch = "wasm32")]

use levelscope::testing::conformance;
use levelscope_origin::OriginStorage;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::FileSystemSyncAccessHandle;

/// Makes a panic reach JavaScript with its message.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}

/// Files that the suite uses: the worker opens all of them, empty, before each case.
#[wasm_bindgen]
pub fn files() -> Vec<String> {
    conformance::names().iter().map(ToString::to_string).collect()
}

/// Names of the cases.
#[wasm_bindgen]
pub fn cases() -> Vec<String> {
    conformance::cases().iter().map(|case| case.name.to_owned()).collect()
}

/// Begins with an empty directory.
#[wasm_bindgen]
pub fn begin() {
    OriginStorage::ONLY.with(|directory| directory.begin(Vec::new()));
}

/// Hands over the open handle of a file.
///
/// # Errors
/// A sentence: a foreign name, a file that is open already, or the browser's error.
#[wasm_bindgen]
pub fn register(name: &str, handle: FileSystemSyncAccessHandle) -> Result<(), JsError> {
    OriginStorage::ONLY
        .with(|directory| directory.register(name, Box::new(handle)))
        .map_err(|error| JsError::new(&error.to_string()))
}

/// Runs one case on the directory; returns the flaw, or nothing.
#[wasm_bindgen]
pub fn run(case: &str) -> Option<String> {
    let cases = conformance::cases();
    let Some(found) = cases.iter().find(|known| known.name == case) else {
        return Some("there is no such case".into());
    };
    (found.run)(&OriginStorage::ONLY).err()
}
