//! The time machine's commands: `fork branch branches break crash corrupt why`.

mod crash;
mod forks;
mod points;
mod why;

pub(crate) use crash::at as crash_at;
pub(crate) use points::tell as tell_hit;

use crate::verbs::Verb;

const GROUP: &str = "time";

pub(super) const FORKS: &[Verb] = forks::VERBS;
pub(super) const POINTS: &[Verb] = points::VERBS;
pub(super) const CRASHES: &[Verb] = crash::VERBS;
pub(super) const CAUSES: &[Verb] = why::VERBS;
