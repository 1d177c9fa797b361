//! One line of `EVENT_LOG_v1` as the wanted fields. Unknown keys are skipped without being kept.

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Numbers that are kept.
const NUMBERS: &[&str] = &[
    "time_micros",
    "job",
    "file_number",
    "file_size",
    "total_blob_bytes",
    "total_data_size",
    "input_data_size",
    "output_level",
    "destination_level",
    "total_files_size",
    "total_output_size",
    "num_input_records",
    "total_num_input_entries",
    "num_entries",
    "num_deletes",
    "immutable_memtables",
];
/// Words that are kept.
const WORDS: &[&str] = &["event", "cf_name", "flush_reason", "compaction_reason", "status"];
/// The wanted fields of a line.
#[derive(Debug, Default)]
pub(super) struct Fields {
    numbers: BTreeMap<&'static str, u64>,
    words: BTreeMap<&'static str, String>,
    /// Inputs of a compaction: level and number.
    pub(super) inputs: Vec<(u32, u64)>,
    /// Tables in each level.
    pub(super) level_files: Vec<u32>,
    /// Ingested files: path and level.
    pub(super) ingested: Vec<(String, u32)>,
}

impl Fields {
    /// The fields of `text`; `None` when it is no JSON object, such as a line that was cut.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        json.deserialize_map(FieldsVisitor).ok()
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.numbers.get(name).copied()
    }

    pub(super) fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(String::as_str)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<String>()? {
            let known = |names: &[&'static str]| names.iter().copied().find(|name| *name == key);
            if let Some(name) = known(NUMBERS) {
                if let Plain::Number(number) = map.next_value()? {
                    fields.numbers.insert(name, number);
                }
            } else if let Some(name) = known(WORDS) {
                if let Plain::Word(word) = map.next_value()? {
                    fields.words.insert(name, word);
                }
            } else if let Some(level) = key.strip_prefix("files_L").and_then(|n| n.parse().ok()) {
                let numbers: Vec<Plain> = map.next_value()?;
                fields.inputs.extend(numbers.iter().filter_map(Plain::number).map(|n| (level, n)));
            } else if key == "lsm_state" {
                let numbers: Vec<Plain> = map.next_value()?;
                let small = |plain: &Plain| u32::try_from(plain.number()?).ok();
                fields.level_files = numbers.iter().map_while(small).take(64).collect();
            } else if key == "files_ingested" {
                fields.ingested = ingested(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(fields)
    }
}

/// `["file", path, "level", 6, …]` as pairs.
fn ingested(list: Vec<Plain>) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let (mut path, mut last) = (None, String::new());
    for plain in list {
        match plain {
            Plain::Word(word) if last == "file" => {
                path = Some(word);
                last.clear();
            }
            Plain::Word(word) => last = word,
            Plain::Number(level) if last == "level" => {
                let level = u32::try_from(level).unwrap_or(u32::MAX);
                found.extend(path.take().map(|path| (path, level)));
            }
            Plain::Number(_) | Plain::Other(_) => {}
        }
    }
    found
}

/// A value without parts.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Plain {
    Number(u64),
    Word(String),
    /// Negative, fractional, a list, an object, null.
    Other(IgnoredAny),
}

impl Plain {
    fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}
