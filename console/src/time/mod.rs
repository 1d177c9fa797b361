//! The time machine: what was done is written down, and a replica does it again.
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
mod branch;
mod capture;
mod damage;
mod effect;
mod image;
mod journal;
mod points;
mod quantity;
mod renewal;
mod replica;
mod trigger;
mod window;

pub(crate) use ask::{Question, Roll};
pub use branch::BranchState;
pub(crate) use branch::{BRANCHES_MAX, Lab, Time};
pub(crate) use capture::Capture;
pub use damage::Damage;
pub(crate) use effect::Effect;
pub(crate) use image::{Copied, Copying, Image};
pub use journal::Step;
pub(crate) use journal::{ASTRAY, Input, Journal, Stopped, unavailable};
pub use points::{Breakpoint, Hit};
pub(crate) use points::{POINTS_MAX, Points};
pub(crate) use quantity::Quantity;
pub(crate) use renewal::Renewal;
pub(crate) use replica::{Goal, ReplicaHost};
pub(crate) use trigger::{Trigger, case_words, event_words};
pub use window::Window;
pub(crate) use window::WindowTask;
