//! Compaction decisions: which tables to merge, where to cut the outputs, which entries to keep, and
//! whether writes have to slow down or wait meanwhile.
//!
//! All of it is pure: a version and options in, a plan with its reason out; an entry in, a verdict out.
//! The work itself is a job.
//!
//! ```text
//! leveled        L0 run run run   L1 one run          L2 one run          a full level gives a table down
//! tiered         L0 run run run   L1 run run run      L2 run run run      T runs become one run, one level down
//! lazy leveled   L0 run run run   L1 run run run      L2 one run          tiered, but the last level is one run
//! ```

mod claim;
mod cut;
mod filter;
mod pick;
mod plan;
mod pressure;
mod ranges;
mod retain;
mod score;
#[cfg(test)]
mod simulation;
mod split;
mod strategy;
#[cfg(test)]
mod testing;

pub(crate) use claim::Claims;
pub(crate) use cut::Cut;
pub(crate) use filter::FilterHandle;
pub use filter::{CompactionFilter, FilterDecision, FilterEntry};
pub(crate) use pick::{AskedTarget, Picker};
pub(crate) use plan::{Plan, ReadDue};
pub(crate) use pressure::{Load, slowdown, stall};
pub(crate) use ranges::{JudgedRange, RangeOutputs};
pub(crate) use retain::Retain;
pub(crate) use score::{debt_bytes, levels, scores};
