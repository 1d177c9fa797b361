//! One line of `EVENT_LOG_v1` as the wanted fields. Unknown keys are skipped without being kept.

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
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
/// Bytes of a word that are kept.
const WORD_BYTES_MAX: usize = 1000;

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
            Plain::Number(_) | Plain::Other => {}
        }
    }
    found
}

/// A value without parts.
enum Plain {
    Number(u64),
    Word(String),
    /// Negative, fractional, a list, an object, null.
    Other,
}

impl Plain {
    fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

// By hand: serde's untagged form keeps a value as a whole before it chooses, however long it is, and follows lists and
// objects to a limited depth only.
impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Plain, E> {
        Ok(Plain::Other)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Plain, E> {
        Ok(Plain::Number(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Plain, E> {
        Ok(u64::try_from(number).map_or(Plain::Other, Plain::Number))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Plain, E> {
        Ok(Plain::Other)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Plain, E> {
        let end = word.floor_char_boundary(WORD_BYTES_MAX);
        Ok(Plain::Word(word.get(..end).unwrap_or_default().to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Plain, E> {
        Ok(Plain::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Plain, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Plain::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Plain::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, WORD_BYTES_MAX};

    #[test]
    fn a_value_of_another_kind_costs_no_other_one() {
        let deep = ["[".repeat(500), "]".repeat(500)].concat();
        let long = "x".repeat(2 * WORD_BYTES_MAX);
        let text =
            format!(r#"{{"job":{deep},"status":"{long}","time_micros":-1,"file_number":9}}"#);
        let fields = Fields::parse(&text);
        let number = |name| fields.as_ref().and_then(|fields| fields.number(name));
        assert_eq!(
            (number("job"), number("time_micros"), number("file_number")),
            (None, None, Some(9))
        );
        let status = fields.as_ref().and_then(|fields| fields.word("status"));
        assert_eq!(status.map(str::len), Some(WORD_BYTES_MAX));
    }
}
