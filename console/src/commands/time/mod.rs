//! The time machine's commands: `back forward goto now fork branch branches break crash corrupt why`.

pub(super) mod crash;
pub(super) mod cursor;
pub(super) mod forks;
pub(super) mod merge;
pub(super) mod points;
pub(super) mod why;

pub(crate) use crash::at as crash_at;
pub(in crate::commands) use forks::{room, room_for};
pub(crate) use points::print as print_hit;
pub(in crate::commands) use points::{Place, place};

const GROUP: &str = "time";
