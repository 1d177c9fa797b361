//! Files forged with knowledge of the format: every checksum is right, nothing else can be trusted.
//!
//! The whole binary runs under an allocator with a limit: a forged length or count that makes the engine
//! allocate too much ends it. [`judge`] checks the properties that must hold for any hostile file.
#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(dead_code, reason = "some of the shared helpers are for the other binary")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

#[path = "../it/common/mod.rs"]
mod common;
mod fixture;
mod formats;
mod judge;
mod lengths;
mod limits;
mod names;
mod structure;
mod sweep;
#[path = "../it/technique.rs"]
mod technique;
mod work;

/// No test here has files of more than a few MiB, and no file may make the engine take more than this.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 64 << 20);

/// A test that fails may take what it needs to say so.
fn lift_the_limit_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let _ = ALLOCATOR.set_limit(usize::MAX);
            hook(info);
        }));
    });
}

#[test]
fn the_limit_is_on() {
    assert_eq!(ALLOCATOR.limit(), 64 << 20);
    let mut vector: Vec<u8> = Vec::new();
    assert!(vector.try_reserve_exact(65 << 20).is_err(), "more than the limit was given");
}
