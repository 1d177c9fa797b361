//! The time machine: the inputs of a session are written down, and a replica does them again.
//!
//! ```text
//! journal ──── replica at step 57 ──── answers commands about the past
//!    │              └── becomes a branch: fork; its disk after a crash: another branch
//!    └─ base image + inputs       points: breakpoints and crash points, matched with every event
//! ```
//!
//! The engine is deterministic: the same files and the same inputs give the same events, bytes and numbers.
//! So nothing of the past is stored but the inputs. An engine stands only between two calls: "at a step"
//! means after the call to which the step belongs.

mod ask;
mod renewal;
mod returning;
mod window;

pub(crate) use ask::{Question, ReplicaRun};
pub(crate) use renewal::Renewal;
pub(crate) use returning::Returning;
pub(crate) use window::WindowTask;
