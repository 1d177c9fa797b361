//! Placeholder.
use super::{EventKind, Grain};
impl EventKind {
    /// Grain.
    pub fn grain(&self) -> Grain { Grain::Phase }
}
