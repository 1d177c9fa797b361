//! The functions for the engine's module: a mapping, function by function. Running experiments have numbers.

use crate::work::{Lab, State};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static AT_WORK: RefCell<(u32, BTreeMap<u32, Lab>)> = const { RefCell::new((0, BTreeMap::new())) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Nanoseconds since the worker began. Browsers give it in steps of 5 to 100 microseconds.
fn nanos() -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a worker lives for less than the 584 years that fit, and time is not negative"
    )]
    let nanos = (now() * 1e6) as u64;
    nanos
}

/// Throws the message of a panic: the error that JavaScript catches otherwise contains only `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}

fn with<T: Default>(number: u32, act: impl FnOnce(&mut Lab) -> T) -> T {
    AT_WORK.with_borrow_mut(|(_, labs)| labs.get_mut(&number).map(act).unwrap_or_default())
}

/// See [`Lab::begin`]; its number.
#[wasm_bindgen]
pub fn begin(settings: &str) -> u32 {
    let lab = Lab::begin(settings, nanos);
    AT_WORK.with_borrow_mut(|(last, labs)| {
        *last += 1;
        labs.insert(*last, lab);
        *last
    })
}

/// See [`Lab::step`]. 0: there is more to do, 1: it is done, 2: it failed.
#[wasm_bindgen]
pub fn step(number: u32) -> u32 {
    with(number, |lab| match lab.step() {
        State::More => 0,
        State::Done => 1,
        State::Failed => 2,
    })
}

/// Units done.
#[wasm_bindgen]
pub fn done(number: u32) -> u64 {
    with(number, |lab| lab.position().0)
}

/// Units in all, if that is known.
#[wasm_bindgen]
pub fn total(number: u32) -> Option<u64> {
    with(number, |lab| lab.position().1)
}

/// See [`Lab::report`].
#[wasm_bindgen]
pub fn report(number: u32, stopped: bool) -> Option<String> {
    with(number, |lab| lab.report(stopped))
}

/// See [`Lab::failure`].
#[wasm_bindgen]
pub fn failure(number: u32) -> Option<String> {
    with(number, |lab| lab.failure())
}

/// Forgets an experiment.
#[wasm_bindgen]
pub fn end(number: u32) {
    AT_WORK.with_borrow_mut(|(_, labs)| labs.remove(&number));
}
