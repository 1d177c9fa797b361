//! History: the inputs of a session, its events, its damage, and the points at which to stop.

mod acknowledged;
mod capture;
mod damage;
mod image;
mod journal;
mod kept;
mod points;
mod power_loss;
mod quantity;
mod tape;
mod trigger;
mod window;

pub(crate) use acknowledged::AcknowledgedWrites;
pub(crate) use capture::{CALL_EVENTS_MAX, Capture, EVENTS_MAX};
pub use damage::Damage;
pub(crate) use damage::Damages;
pub(crate) use image::{Copied, Copying, Image};
pub use journal::Step;
pub(crate) use journal::{ASTRAY, Entry, Input, Journal, Stopped, astray, unavailable};
pub use kept::HistoryUpdate;
pub(crate) use kept::{Keeper, KeptBranch, Unreadable, read};
pub use points::{Breakpoint, BreakpointHit};
pub(crate) use points::{POINTS_MAX, Points};
pub use power_loss::PowerLoss;
pub(crate) use quantity::Quantity;
pub use tape::Listener;
pub(crate) use tape::{Outside, Tape};
pub(crate) use trigger::{Trigger, case_words, event_words};
pub use window::Window;
