//! The time machine's commands: `back forward goto now fork branch branches break crash corrupt why`.

mod crash;
mod cursor;
mod forks;
mod merge;
mod points;
mod why;

pub(crate) use crash::at as crash_at;
pub(in crate::commands) use forks::{room, room_for};
pub(crate) use points::print as print_hit;
pub(in crate::commands) use points::{Place, place};

use crate::commands::Command;

const GROUP: &str = "time";

pub(super) const CURSOR: &[Command] = cursor::VERBS;
pub(super) const FORKS: &[Command] = forks::VERBS;
pub(super) const POINTS: &[Command] = points::VERBS;
pub(super) const CRASHES: &[Command] = crash::VERBS;
pub(super) const MERGE: &[Command] = merge::VERBS;
pub(super) const CAUSES: &[Command] = why::VERBS;
