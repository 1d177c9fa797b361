//! An allocator with a limit, for the whole binary.

/// No test here has files of more than a few MiB, and no file may make the engine take more than this.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 64 << 20);

/// A failing test may allocate the memory for its message.
pub fn lift_the_limit_on_panic() {
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
