//! What of the lessons the page fetches after the engine is ready: see `commands/part.rs`.

use super::player::Player;
use crate::commands::there;
use crate::output::Failure;
use crate::result::LessonHead;

/// A lesson that begins, or why it does not.
type Begun = Result<Box<dyn super::Lead>, Failure>;

/// All that the first part may call of the second one.
pub(super) struct Lessons {
    /// The lessons of the library.
    pub(super) heads: fn() -> Vec<LessonHead>,
    /// Begins the lesson with this id.
    pub(super) find: fn(&str) -> Begun,
    /// Begins the lesson in this text of a file of this name.
    pub(super) read: fn(&str, &str) -> Begun,
    /// Asks the question of this name of the lesson with this id.
    pub(super) recap: fn(&str, &str) -> Begun,
    /// Begins the script in this text, which was shared.
    pub(super) shared: fn(&str) -> Begun,
}

static LESSONS: Lessons = Lessons {
    heads: Player::heads,
    find: Player::find,
    read: Player::read,
    recap: Player::recap,
    shared: Player::shared,
};

/// The second part; `None`: the host has not fetched it yet.
pub(super) fn lessons() -> Option<&'static Lessons> {
    there(&LESSONS)
}
