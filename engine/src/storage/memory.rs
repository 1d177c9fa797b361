//! Placeholder.
/// Placeholder.
#[derive(Debug)]
pub struct MemoryStorage;
