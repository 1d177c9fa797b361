//! Answers in the words of the page.

use levelscope::event::Event;
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};
use levelscope_console::protocol::WireEvent;
use levelscope_console::{Failure, Step};
use serde_json::{Value, json};

pub(crate) fn wire_events(events: &[(Step, Event)]) -> Vec<WireEvent> {
    events.iter().map(|(step, event)| WireEvent::new(*step, event)).collect()
}

pub(crate) fn blocked(file: FileName) -> Value {
    json!({ "state": "blocked", "file": file })
}

pub(crate) fn refused(error: Error) -> Value {
    match (error.kind(), error.blocked_on()) {
        (ErrorKind::WouldBlock, Some(file)) => blocked(file),
        _ => json!({ "state": "failed", "error": Failure::from(error) }),
    }
}
