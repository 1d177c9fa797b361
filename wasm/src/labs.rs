//! Experiments, which run in a module of their own: the worker fetches it when the first one is asked for.

use crate::wire::json;
use crate::worker::HostRequests;
use levelscope_console::experiments::{Reported, Running, Settings, Surroundings, Unit};
use levelscope_console::protocol::Wanted;
use levelscope_console::{Failure, Json, OutputLine};
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The exports of `levelscope-wasm-labs`.
    pub type Labs;

    #[wasm_bindgen(method)]
    fn begin(this: &Labs, settings: &str) -> u32;
    #[wasm_bindgen(method)]
    fn step(this: &Labs, number: u32) -> u32;
    #[wasm_bindgen(method)]
    fn done(this: &Labs, number: u32) -> u64;
    #[wasm_bindgen(method)]
    fn total(this: &Labs, number: u32) -> Option<u64>;
    #[wasm_bindgen(method)]
    fn report(this: &Labs, number: u32, stopped: bool) -> Option<String>;
    #[wasm_bindgen(method)]
    fn failure(this: &Labs, number: u32) -> Option<String>;
    #[wasm_bindgen(method)]
    fn end(this: &Labs, number: u32);
}

thread_local! {
    static LABS: RefCell<Option<Labs>> = const { RefCell::new(None) };
}

/// Hands over the module of experiments.
#[wasm_bindgen(js_name = lendLabs)]
pub fn lend_labs(labs: Labs) {
    LABS.set(Some(labs));
}

fn with<T>(act: impl FnOnce(&Labs) -> T) -> Option<T> {
    LABS.with_borrow(|labs| labs.as_ref().map(act))
}

/// An experiment in the other module.
pub(crate) struct Remote {
    settings: String,
    /// Its number there, once it has begun.
    number: Option<u32>,
    requests: Arc<HostRequests>,
}

impl Remote {
    pub(crate) fn new(settings: &Settings, csv: bool, requests: &Arc<HostRequests>) -> Self {
        let numbers: Vec<u64> = settings.numbers.iter().map(|setting| setting.value).collect();
        let settings = json(&(settings.lab.id, numbers, &settings.words, csv));
        Self { settings, number: None, requests: Arc::clone(requests) }
    }
}

impl Running for Remote {
    fn step(&mut self, _: &dyn Surroundings) -> Result<Unit, Failure> {
        let Some(number) = self.number else {
            self.number = with(|labs| labs.begin(&self.settings));
            if self.number.is_some() {
                return Ok(Unit::More);
            }
            self.requests.want(Wanted::Labs);
            return Ok(Unit::Waits);
        };
        match with(|labs| labs.step(number)) {
            Some(0) => Ok(Unit::More),
            Some(1) => Ok(Unit::Done),
            _ => Err(failure(with(|labs| labs.failure(number)).flatten())),
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        let at = |number| with(|labs| (labs.done(number), labs.total(number)));
        self.number.and_then(at).unwrap_or((0, None))
    }

    fn report(&mut self, stopped: bool) -> Option<Reported> {
        let number = self.number?;
        let answer = with(|labs| labs.report(number, stopped)).flatten()?;
        let (lines, report) = serde_json::from_str::<(Vec<OutputLine>, Json)>(&answer).ok()?;
        Some(Reported { lines, report })
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            with(|labs| labs.end(number));
        }
    }
}

fn failure(answer: Option<String>) -> Failure {
    let fields = answer.and_then(|answer| serde_json::from_str(&answer).ok());
    let (kind, message, hint) = fields.unwrap_or_default();
    Failure { kind, message, hint }
}
