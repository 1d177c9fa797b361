//! A power failure that a branch began with.

use super::journal::Step;
use serde::Serialize;

/// A power failure, and its losses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PowerLoss {
    /// The last step of the recovery after it.
    pub recovered: Step,
    /// The part of the disk that was left and the writes that were lost, as sentences.
    pub sentence: String,
}
