//! Answers in the words of the page.

use levelscope::event::Event;
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};
use levelscope_console::{Failure, Step};
use serde_json::{Value, json};

pub(crate) fn wire_events(events: &[(Step, Event)]) -> Vec<Value> {
    events.iter().map(|(step, event)| wire_event(*step, event)).collect()
}

pub(crate) fn wire_event(step: Step, event: &Event) -> Value {
    let mut value = json!(event);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("sentence".into(), json!(event.sentence()));
        fields.insert("step".into(), json!(step));
    }
    value
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
