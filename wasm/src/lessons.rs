//! The texts of the lessons: the worker fetches them when the first lesson is asked for.

use std::sync::OnceLock;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

static LESSONS: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Hands over the texts of the lessons, in their order. They stay as long as the worker.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen(js_name = lendLessons))]
pub fn lend(texts: Vec<String>) {
    LESSONS.get_or_init(|| texts.into_iter().map(|text| &*text.leak()).collect());
}

/// The texts that were handed over.
pub(crate) fn lent() -> Option<&'static [&'static str]> {
    LESSONS.get().map(Vec::as_slice)
}
