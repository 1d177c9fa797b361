//! A stretch of the past.

use super::journal::Step;
use levelscope::event::Event;
use levelscope::view::View;

/// Events that follow one another.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// Step of the first event; at most the one that was asked for.
    pub from: Step,
    /// The last step covered.
    pub to: Step,
    /// The events, each with its step.
    pub events: Vec<(Step, Event)>,
    /// The view before them.
    pub view: View,
}
