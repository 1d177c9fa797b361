//! Answers in the words of the page.

use levelscope::event::Event;
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};
use levelscope_console::Step;
use levelscope_console::protocol::{CallState, WireEvent};

pub(crate) fn wire_events(events: &[(Step, Event)]) -> Vec<WireEvent> {
    events.iter().map(|(step, event)| WireEvent::new(*step, event)).collect()
}

pub(crate) fn blocked(file: FileName) -> CallState {
    CallState::Blocked { file: file.to_string() }
}

pub(crate) fn refused(error: Error) -> CallState {
    match (error.kind(), error.blocked_on()) {
        (ErrorKind::WouldBlock, Some(file)) => blocked(file),
        _ => CallState::Failed { error: error.into() },
    }
}

/// How settling the files ended, as JSON.
#[cfg(target_arch = "wasm32")]
pub(crate) fn settled(outcome: levelscope::Result<bool>) -> String {
    let state = |all| if all { CallState::Done {} } else { CallState::More {} };
    json(&outcome.map_or_else(refused, state))
}

/// `answer` as JSON.
pub(crate) fn json(answer: &impl serde::Serialize) -> String {
    // Only maps with keys that are not strings cannot be written, and no answer has one.
    serde_json::to_string(answer).unwrap_or_default()
}
