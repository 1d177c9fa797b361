//! Requests of a line to the lesson at work.

/// A command line's request to the lesson at work. A console cannot do it, because a lesson has its own consoles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LessonRequest {
    /// `lesson`: which lessons there are.
    List,
    /// `lesson start`: play this one, from this act on.
    Start {
        /// Its id.
        id: String,
        /// The acts that count as done.
        at: usize,
    },
    /// `lesson recap`: ask one question of a lesson again, without its scene.
    Recap {
        /// The id of the lesson.
        id: String,
        /// The name of the question.
        question: String,
    },
    /// A file was dropped: play the lesson that is written in it.
    Read {
        /// The name of the file.
        name: String,
        /// The text.
        text: String,
    },
    /// A link was opened: play the script that it holds.
    Shared {
        /// The text.
        text: String,
        /// Whether all of it runs at once.
        runs: bool,
    },
    /// `lesson back`: what the visitor's own commands did is dropped.
    Back,
    /// `next`: go on; with the author's solution where a task is not done.
    Next {
        /// Whether the lesson may do the task.
        skips: bool,
    },
    /// `answer`: an answer, or "I do not know".
    Answer(Option<String>),
    /// `hint`: the next hint, and after the last one the solution.
    Hint,
    /// `leave`: end the lesson.
    Leave,
}

impl LessonRequest {
    /// Whether it is about the lessons that come with the program.
    pub(crate) fn needs_library(&self) -> bool {
        matches!(self, Self::List | Self::Start { .. } | Self::Recap { .. })
    }
}
