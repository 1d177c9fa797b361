//! The clock of the worker, for commands that measure; the engine has none.

/// Nanoseconds since the worker began; `None` outside of a worker. Browsers give it in steps of 5 to
/// 100 microseconds.
#[cfg(target_arch = "wasm32")]
pub(crate) fn nanos() -> Option<u64> {
    use wasm_bindgen::JsCast;
    let scope = js_sys::global().dyn_into::<web_sys::WorkerGlobalScope>().ok()?;
    let millis = scope.performance()?.now();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a worker lives for less than the 584 years that fit, and time is not negative"
    )]
    Some((millis * 1e6) as u64)
}

/// There is no worker.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn nanos() -> Option<u64> {
    None
}
