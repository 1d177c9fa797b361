//! What the console's part of the program knows of a lesson at work.

use crate::console::Console;
use crate::output::{Failure, Response};
use crate::result::LessonState;
use crate::session::LessonRequest;
use levelscope::Options;

/// What a lesson has come to.
pub(super) enum Led {
    /// There is more to do: call again.
    More,
    /// The host must fetch the second part of the program, then call again.
    Absent,
    /// An empty database with these options is needed, then call again.
    Fresh(Box<Options>),
    /// This line is to be typed.
    Type(String),
    /// It waits for the learner.
    Rests,
}

/// A lesson at work, as the console's part of the program knows it.
pub(super) trait Lead: Send {
    /// Goes on, with at most about `units` operations of a command in `console`.
    fn advance(&mut self, console: &mut Console, units: u32) -> Led;
    /// Takes what a line asked; [`Lead::advance`] does it.
    ///
    /// # Errors
    /// Why the lesson cannot do that now.
    fn ask(&mut self, request: &LessonRequest, console: &Console) -> Result<(), Failure>;
    /// Takes a line that was typed, and what came of it.
    fn has_typed(&mut self, line: &str, response: &Response, console: &Console);
    /// `console` has moved by itself, which changes nothing for the lesson.
    fn forgive(&mut self, console: &Console);
    /// Does no more without the learner than the line at work.
    fn stop(&mut self);
    /// Goes to this act of its own, as if all before had been done.
    fn go_to(&mut self, at: usize);
    /// Whether commands of the learner's own have changed the database.
    fn has_strayed(&self, console: &Console) -> bool;
    /// The state.
    fn state(&self, console: &Console) -> LessonState;
    /// Its id; empty: it is no whole lesson.
    fn id(&self) -> &str;
}
