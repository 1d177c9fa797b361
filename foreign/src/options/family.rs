//! The wanted options of one column family, as numbers and words.

use super::value::{Nested, nested, unescape};
use super::{OptionsFile, Section};
use crate::Engine;

/// An option: not in the file, understood, or text that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OptionValue<T> {
    /// The file does not have it.
    #[default]
    Absent,
    /// Its value.
    Is(T),
    /// Its text, which does not parse.
    Text(String),
}

impl<T> OptionValue<T> {
    /// The value, where it was understood.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Text(_) => None,
        }
    }

    fn read(text: Option<&str>, parse: impl FnOnce(&str) -> Option<T>) -> Self {
        let Some(text) = text else { return Self::Absent };
        parse(text).map_or_else(|| Self::Text(text.to_owned()), Self::Is)
    }
}

/// Compaction style, which chooses the inputs of compactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionStyle {
    /// One sorted run for each level below level 0.
    Level,
    /// Sorted runs of similar size are merged.
    Universal,
    /// The oldest tables are dropped.
    Fifo,
    /// No compactions run by themselves.
    None,
}

/// A merge operator, which joins operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeOperator {
    /// Its name.
    pub name: String,
    /// The delimiter between two operands, if the name or an option defines it.
    pub delimiter: Option<String>,
}

/// A prefix extractor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrefixExtractor {
    /// The first bytes; shorter keys have no prefix.
    Fixed(u64),
    /// The first bytes, or the whole key when it is shorter.
    Capped(u64),
    /// Another function, by its name.
    Other(String),
}

impl PrefixExtractor {
    /// Bytes of a prefix, where the function is known.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::Fixed(bytes) | Self::Capped(bytes) => Some(*bytes),
            Self::Other(_) => None,
        }
    }
}

/// The options of a column family that change its levels, its keys or its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FamilyOptions {
    /// Name of the order of keys.
    pub comparator: OptionValue<String>,
    /// The merge operator; `Is(None)` for none.
    pub merge_operator: OptionValue<Option<MergeOperator>>,
    /// The prefix extractor; `Is(None)` for none.
    pub prefix_extractor: OptionValue<Option<PrefixExtractor>>,
    /// The compaction style.
    pub compaction_style: OptionValue<CompactionStyle>,
    /// Options of FIFO compaction.
    pub fifo: OptionValue<Nested>,
    /// Levels, level 0 included.
    pub level_count: OptionValue<u32>,
    /// Files in level 0 that start a compaction.
    pub l0_trigger: OptionValue<u64>,
    /// Files in level 0 at which writes slow down; negative values and Pebble have none.
    pub l0_slowdown: OptionValue<u64>,
    /// Files in level 0 at which writes stop.
    pub l0_stop: OptionValue<u64>,
    /// Target size of the base level in bytes.
    pub level_base_bytes: OptionValue<u64>,
    /// Factor between the targets of a level and the next.
    pub level_multiplier: OptionValue<f64>,
    /// One more factor per level.
    pub level_multiplier_additional: OptionValue<Vec<u64>>,
    /// Target size of a table in bytes.
    pub table_bytes: OptionValue<u64>,
    /// Whether the targets of the levels follow from the largest one.
    pub dynamic_level_bytes: OptionValue<bool>,
    /// Pending compaction bytes at which writes slow down; 0: never.
    pub soft_pending_bytes: OptionValue<u64>,
    /// Pending compaction bytes at which writes stop; 0: never.
    pub hard_pending_bytes: OptionValue<u64>,
    /// Size of a memtable in bytes.
    pub memtable_bytes: OptionValue<u64>,
    /// Compression of tables.
    pub compression: OptionValue<String>,
    /// Whether large values go to blob files.
    pub blob_files: OptionValue<bool>,
    /// Whether compactions move values out of old blob files.
    pub blob_collection: OptionValue<bool>,
    /// The oldest share of the blob files that such compactions empty.
    pub blob_age_cutoff: OptionValue<f64>,
}

impl OptionsFile {
    /// The options of `family`; `None` when the file has none for it.
    pub fn family(&self, family: &str) -> Option<FamilyOptions> {
        if self.engine == Engine::Pebble {
            return (family == "default").then(|| pebble(self)).flatten();
        }
        self.section("CFOptions", Some(family)).map(rocksdb)
    }
}

impl FamilyOptions {
    /// The built-in values of LevelDB, which writes no OPTIONS file.
    pub fn leveldb() -> Self {
        Self {
            compaction_style: OptionValue::Is(CompactionStyle::Level),
            level_count: OptionValue::Is(7),
            l0_trigger: OptionValue::Is(4),
            l0_slowdown: OptionValue::Is(8),
            l0_stop: OptionValue::Is(12),
            level_base_bytes: OptionValue::Is(10 << 20),
            level_multiplier: OptionValue::Is(10.0),
            dynamic_level_bytes: OptionValue::Is(false),
            ..Self::default()
        }
    }

    /// Bytes of level 0 at which FIFO compaction drops the oldest tables.
    pub fn fifo_bytes_max(&self) -> Option<u64> {
        let pairs = self.fifo.value()?;
        pairs.iter().find(|(name, _)| name == "max_table_files_size")?.1.parse().ok()
    }
}

fn rocksdb(section: &Section) -> FamilyOptions {
    let text = |name| section.get(name);
    let number = |name| OptionValue::read(section.get(name), |text| text.parse().ok());
    let word = |name| OptionValue::read(section.get(name), |text| Some(text.to_owned()));
    FamilyOptions {
        comparator: word("comparator"),
        merge_operator: merge_operator(text("merge_operator")),
        prefix_extractor: prefix_extractor(text("prefix_extractor")),
        compaction_style: OptionValue::read(text("compaction_style"), compaction_style),
        fifo: OptionValue::read(text("compaction_options_fifo"), nested),
        level_count: OptionValue::read(text("num_levels"), |text| text.parse().ok()),
        l0_trigger: number("level0_file_num_compaction_trigger"),
        l0_slowdown: number("level0_slowdown_writes_trigger"),
        l0_stop: number("level0_stop_writes_trigger"),
        level_base_bytes: number("max_bytes_for_level_base"),
        level_multiplier: decimal(text("max_bytes_for_level_multiplier")),
        level_multiplier_additional: OptionValue::read(
            text("max_bytes_for_level_multiplier_additional"),
            |text| text.split(':').take(64).map(|factor| factor.trim().parse().ok()).collect(),
        ),
        table_bytes: number("target_file_size_base"),
        dynamic_level_bytes: boolean(text("level_compaction_dynamic_level_bytes")),
        soft_pending_bytes: number("soft_pending_compaction_bytes_limit"),
        hard_pending_bytes: number("hard_pending_compaction_bytes_limit"),
        memtable_bytes: number("write_buffer_size"),
        compression: word("compression"),
        blob_files: boolean(text("enable_blob_files")),
        blob_collection: boolean(text("enable_blob_garbage_collection")),
        blob_age_cutoff: decimal(text("blob_garbage_collection_age_cutoff")),
    }
}

/// Pebble has one family, seven levels and dynamic targets.
fn pebble(options: &OptionsFile) -> Option<FamilyOptions> {
    let section = options.database()?;
    let level = |name| options.section("Level", Some("0")).and_then(|level| level.get(name));
    let number = |name| OptionValue::read(section.get(name), |text| text.parse().ok());
    let multiplier = section.get("level_multiplier");
    Some(FamilyOptions {
        comparator: OptionValue::read(section.get("comparer"), |text| Some(text.to_owned())),
        merge_operator: merge_operator(section.get("merger")),
        compaction_style: OptionValue::Is(CompactionStyle::Level),
        level_count: OptionValue::Is(7),
        l0_trigger: number("l0_compaction_threshold"),
        l0_stop: number("l0_stop_writes_threshold"),
        level_base_bytes: number("lbase_max_bytes"),
        level_multiplier: multiplier.map_or(OptionValue::Is(10.0), |text| decimal(Some(text))),
        table_bytes: OptionValue::read(level("target_file_size"), |text| text.parse().ok()),
        dynamic_level_bytes: OptionValue::Is(true),
        memtable_bytes: number("mem_table_size"),
        compression: OptionValue::read(level("compression"), |text| Some(text.to_owned())),
        ..FamilyOptions::default()
    })
}

fn boolean(text: Option<&str>) -> OptionValue<bool> {
    OptionValue::read(text, |text| match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    })
}

fn decimal(text: Option<&str>) -> OptionValue<f64> {
    let finite = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    OptionValue::read(text, finite)
}

fn compaction_style(text: &str) -> Option<CompactionStyle> {
    Some(match text {
        "kCompactionStyleLevel" => CompactionStyle::Level,
        "kCompactionStyleUniversal" => CompactionStyle::Universal,
        "kCompactionStyleFIFO" => CompactionStyle::Fifo,
        "kCompactionStyleNone" => CompactionStyle::None,
        _ => return None,
    })
}

/// Words that stand for "none".
fn is_none(text: &str) -> bool {
    matches!(text, "nullptr" | "" | "None")
}

/// `nullptr`, a name, or `{id=StringAppendOperator;delimiter=,;}`.
fn merge_operator(text: Option<&str>) -> OptionValue<Option<MergeOperator>> {
    OptionValue::read(
        text,
        |text| if is_none(text) { Some(None) } else { operator(text).map(Some) },
    )
}

fn operator(text: &str) -> Option<MergeOperator> {
    if text.starts_with('{') {
        let pairs = nested(text)?;
        let name = pairs.into_iter().find(|pair| pair.0 == "id")?.1;
        return Some(MergeOperator { name, delimiter: delimiter(text) });
    }
    let delimiter = match text {
        // A delimiter that was never set is not written.
        "StringAppendOperator" | "StringAppendTESTOperator" | "pebble.concatenate" => {
            Some(String::new())
        }
        "stringappend" => Some(",".into()),
        _ => None,
    };
    Some(MergeOperator { name: text.to_owned(), delimiter })
}

/// The delimiter in `{id=StringAppendOperator;delimiter=;;;}`. Semicolons and spaces in it are not escaped, so it
/// reaches to the last semicolon.
fn delimiter(text: &str) -> Option<String> {
    let (_, value) = text.split_once(";delimiter=").or_else(|| text.split_once(";delim="))?;
    let value = value.trim_end().strip_suffix('}')?;
    Some(unescape(value.strip_suffix(';').unwrap_or(value)))
}

/// `nullptr`, `rocksdb.FixedPrefix.8`, `rocksdb.CappedPrefix.9`, or another name, which may stand in braces.
fn prefix_extractor(text: Option<&str>) -> OptionValue<Option<PrefixExtractor>> {
    OptionValue::read(text, |text| Some((!is_none(text)).then(|| extractor(text))))
}

fn extractor(text: &str) -> PrefixExtractor {
    let id = nested(text)
        .and_then(|pairs| pairs.into_iter().find(|pair| pair.0 == "id"))
        .map_or_else(|| text.to_owned(), |pair| pair.1);
    let after = |names: [&str; 2]| {
        names.into_iter().find_map(|name| id.strip_prefix(name)?.parse::<u64>().ok())
    };
    if let Some(bytes) = after(["rocksdb.FixedPrefix.", "fixed:"]) {
        PrefixExtractor::Fixed(bytes)
    } else if let Some(bytes) = after(["rocksdb.CappedPrefix.", "capped:"]) {
        PrefixExtractor::Capped(bytes)
    } else {
        PrefixExtractor::Other(id)
    }
}
