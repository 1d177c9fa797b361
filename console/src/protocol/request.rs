//! The requests of a page to the worker, and their limits.

use super::Message;
use crate::commands::Query;
use crate::history::Step;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer};
use serde_json::{Error, Value};
use std::collections::BTreeMap;
use std::ops::Deref;

/// Longest command line \[UTF-16 units\]: a pasted script fits, a runaway string does not.
const LINE_UNITS_MAX: usize = 1 << 20;
/// Most settings of one opening.
const SETTINGS_MAX: usize = 64;
/// Longest name or value of a setting, and longest name of a preset \[UTF-16 units\].
const SETTING_UNITS_MAX: usize = 100;
/// Most steps of background work a second.
const STEPS_PER_SECOND_MAX: u32 = 1000;
/// Most files from outside at once.
pub const FILES_MAX: usize = 1024;
/// Most bytes of files from outside at once: a branch is in memory.
pub const BYTES_MAX: u64 = 300 << 20;
/// Longest name of a file from outside, with its directories \[UTF-16 units\].
pub const NAME_UNITS_MAX: usize = 4096;

/// A request with its number.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NumberedRequest {
    /// Grows from request to request; answers carry it.
    pub id: u64,
    /// The request itself.
    #[serde(deserialize_with = "by_type")]
    pub request: Request,
}

/// A request of a page.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(tag = "type"))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
// Variants without fields have braces: serde refuses unknown fields only of those.
pub enum Request {
    /// Opens the database; answered with `opened` or `owned`.
    Open {
        /// Name of a preset.
        preset: Text<SETTING_UNITS_MAX>,
        /// Values of options, which replace those of the preset.
        settings: Settings,
        /// Where the files are to be.
        storage: StorageWish,
        /// Whether to take the database from the tab that owns it.
        take_over: bool,
    },
    /// Runs a line of commands; answered with `done`.
    Command {
        /// The line.
        line: Text<LINE_UNITS_MAX>,
        /// `null`: now. Otherwise a replica answers, as the engine was at this step of the current branch, or after
        /// the call to which the step belongs; only commands that change nothing may be asked.
        at: Option<Step>,
    },
    /// A question without a trace: nothing for the terminal, nothing in the history. Answered with `done`.
    Query {
        /// The question.
        #[serde(deserialize_with = "by_ask")]
        query: Query,
        /// As for a command.
        at: Option<Step>,
    },
    /// Some events of a branch again, by replay; answered with `window`. Progress is sent; `cancel` stops it.
    Window {
        /// The number of the branch; `null`: the current one.
        branch: Option<usize>,
        /// The first step.
        from: Step,
        /// The last step.
        to: Step,
        /// Whether details are sent.
        details: bool,
    },
    /// The command `import` with files that the page has read: a database of Levelscope, or a log of entries. Their bytes
    /// travel beside the request, in this order. Answered with `done`.
    Files {
        /// The files.
        files: FileOffers,
    },
    /// Plays the lesson that is written in a file. Answered with `done`.
    Lesson {
        /// The name of the file.
        name: Text<NAME_UNITS_MAX>,
        /// Its text.
        text: Text<LINE_UNITS_MAX>,
    },
    /// Plays a script that was shared, in an empty database of its own. Answered with `done`.
    Shared {
        /// Its text.
        text: Text<LINE_UNITS_MAX>,
        /// Whether all of it runs at once.
        runs: bool,
    },
    /// Lets background work go on by itself.
    Play {
        /// How much work one step does.
        grain: PlayGrain,
        /// 0: as fast as possible.
        steps_per_second: Rate,
    },
    /// Ends `play`.
    Pause {},
    /// Stops the command at work; what it has done stays done.
    Cancel {},
    /// Ways to go on typing; answered with `completions`.
    Complete {
        /// The line so far.
        line: Text<LINE_UNITS_MAX>,
        /// UTF-16 units before the cursor.
        cursor: usize,
    },
    /// Closes the database; answered with `closed`.
    Close {},
}

impl NumberedRequest {
    /// The request that is written in `text` as JSON.
    ///
    /// # Errors
    /// The message [`Message::Failed`] with the reason, and with the number of the request where it has a
    /// readable one.
    pub fn read(text: &str) -> Result<Self, Box<Message>> {
        let refused = |id, error: Error| {
            let message = format!("this is no request: {error}");
            Box::new(Message::Failed { id, kind: "protocol".into(), message })
        };
        let value: Value = serde_json::from_str(text).map_err(|error| refused(None, error))?;
        let id = value.get("id").and_then(Value::as_u64);
        Self::deserialize(value).map_err(|error| refused(id, error))
    }
}

fn by_type<'de, D: Deserializer<'de>>(reader: D) -> Result<Request, D::Error> {
    tagged(Value::deserialize(reader)?, "type").map_err(D::Error::custom)
}

fn by_ask<'de, D: Deserializer<'de>>(reader: D) -> Result<Query, D::Error> {
    tagged(Value::deserialize(reader)?, "ask").map_err(D::Error::custom)
}

impl Query {
    /// Reads a question in JSON, whose field `ask` names it.
    ///
    /// # Errors
    /// It is none of these questions.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        tagged(serde_json::from_str(text)?, "ask")
    }
}

/// The variant that the field `tag` of `value` names. Serde's own way to read tagged enums costs 20 KiB more to
/// fetch: it has a copy of its buffer for each variant.
fn tagged<T: DeserializeOwned>(mut value: Value, tag: &str) -> serde_json::Result<T> {
    let fields = value.as_object_mut().ok_or_else(|| Error::custom("it is no object"))?;
    match fields.remove(tag) {
        Some(Value::String(name)) => T::deserialize(Value::from_iter([(name, value)])),
        _ => Err(Error::custom(format!("it has no {tag}"))),
    }
}

/// Where the files of a database are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StorageWish {
    /// Among the browser's files when it has them, otherwise in memory.
    Auto,
    /// In memory.
    Memory,
}

/// How much work one step of `play` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PlayGrain {
    /// One phase of a job.
    Phase,
    /// A whole job.
    Job,
    /// One entry of a merge.
    Entry,
}

impl PlayGrain {
    /// The grain of this name.
    pub fn read(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// A text of at most `UNITS` UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(as = "String"))]
#[serde(try_from = "String")]
pub struct Text<const UNITS: usize>(String);

impl<const UNITS: usize> Deref for Text<UNITS> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const UNITS: usize> TryFrom<String> for Text<UNITS> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        // Each byte of UTF-8 is at most one unit.
        if text.len() > UNITS && text.encode_utf16().count() > UNITS {
            return Err(format!("a text is longer than {UNITS} characters"));
        }
        Ok(Self(text))
    }
}

/// Names and values of options.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "Record<string, string>"))]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct Settings(BTreeMap<String, String>);

impl Deref for Settings {
    type Target = BTreeMap<String, String>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl TryFrom<BTreeMap<String, String>> for Settings {
    type Error = String;

    fn try_from(settings: BTreeMap<String, String>) -> Result<Self, String> {
        if settings.len() > SETTINGS_MAX {
            return Err(format!("there are more than {SETTINGS_MAX} settings"));
        }
        for (name, value) in &settings {
            let is_name = name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
            if !is_name || name.len() > SETTING_UNITS_MAX {
                return Err("settings has a name that no option has".into());
            }
            if value.len() > SETTING_UNITS_MAX {
                return Err(format!(
                    "the value of {name} is longer than {SETTING_UNITS_MAX} bytes"
                ));
            }
        }
        Ok(Self(settings))
    }
}

/// Steps of background work a second; 0: as many as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(as = "u32"))]
#[serde(try_from = "u32")]
pub struct Rate(u32);

impl TryFrom<u32> for Rate {
    type Error = String;

    fn try_from(rate: u32) -> Result<Self, String> {
        if rate > STEPS_PER_SECOND_MAX {
            return Err(format!("there are at most {STEPS_PER_SECOND_MAX} steps a second"));
        }
        Ok(Self(rate))
    }
}

/// A file whose bytes travel beside the request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FileOffer {
    /// Its name, with its directories.
    pub name: Text<NAME_UNITS_MAX>,
    /// Its length \[bytes\].
    pub bytes: u64,
}

/// Files from outside: few enough, and small enough together.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(as = "Vec<FileOffer>"))]
#[serde(try_from = "Vec<FileOffer>")]
pub struct FileOffers(Vec<FileOffer>);

impl TryFrom<Vec<FileOffer>> for FileOffers {
    type Error = String;

    fn try_from(files: Vec<FileOffer>) -> Result<Self, String> {
        if files.len() > FILES_MAX {
            return Err(format!("there are more than {FILES_MAX} files"));
        }
        if files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.bytes)) > BYTES_MAX {
            return Err("the files are too large".into());
        }
        Ok(Self(files))
    }
}

#[cfg(test)]
mod tests;
