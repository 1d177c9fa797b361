//! A branch as hosts and commands know it.

use crate::history::{Damage, PowerLoss, Step};
use serde::Serialize;

/// A branch, for hosts and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BranchState {
    /// 0 is the branch that began the session. Numbers are not used again.
    pub id: usize,
    /// `main`, `fork 1`, `crash 2`, `damage 3`.
    pub name: String,
    /// The branch that it comes from, which may have been dropped since; none of main and of an imported
    /// database.
    pub parent: Option<usize>,
    /// Its last step that is one of its parent, too; none without one.
    pub forked_at: Option<Step>,
    /// Whether it is in memory only.
    pub memory: bool,
    /// Its last step.
    pub steps: Step,
    /// Why its past cannot be asked, if so.
    pub pastless: Option<String>,
    /// Bytes that were flipped on it, or before it began.
    pub damaged: Vec<Damage>,
    /// The power failure that it began with, if it did.
    pub crash: Option<PowerLoss>,
}
