//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct NativeStorage;
