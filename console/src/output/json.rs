//! Results of commands in JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// A result in JSON, written once: who passes it on copies its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The result in JSON.
    pub fn of(result: impl Serialize) -> Self {
        Self::written(serde_json::value::to_raw_value(&result))
    }

    /// For all types one function: that of each is in what a page downloads.
    fn written(result: serde_json::Result<Box<RawValue>>) -> Self {
        // Only maps with keys that are not strings cannot be written, and no result has one.
        result.map_or_else(|_| Self::default(), Self)
    }

    /// The result as a value whose parts can be looked at.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }
}

impl From<Box<RawValue>> for Json {
    fn from(written: Box<RawValue>) -> Self {
        Self(written)
    }
}

impl Default for Json {
    fn default() -> Self {
        Self(RawValue::NULL.to_owned())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}
