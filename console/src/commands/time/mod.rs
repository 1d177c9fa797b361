//! The time machine's commands: `back forward goto now fork branch branches break crash corrupt why`.

mod crash;
mod cursor;
mod forks;
mod merge;
mod points;
mod why;

pub(crate) use crash::at as crash_at;
pub(in crate::commands) use forks::room;
pub(crate) use points::tell as tell_hit;

use crate::verbs::Verb;

const GROUP: &str = "time";

pub(super) const CURSOR: &[Verb] = cursor::VERBS;
pub(super) const FORKS: &[Verb] = forks::VERBS;
pub(super) const POINTS: &[Verb] = points::VERBS;
pub(super) const CRASHES: &[Verb] = crash::VERBS;
pub(super) const MERGE: &[Verb] = merge::VERBS;
pub(super) const CAUSES: &[Verb] = why::VERBS;
