//! Compaction decisions: which tables to merge, and which entries of a merge to keep.
//!
//! Both are pure: a version and options in, a plan with its reason out; an entry in, a verdict out.
//! The work itself is a job.

mod pick;
mod retain;

pub(crate) use pick::{Plan, manual, pick, scores};
pub(crate) use retain::Retain;
