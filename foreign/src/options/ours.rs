//! Which of the engine's own options a family's options correspond to.

use super::family::{compaction_style, prefix_extractor};
use super::{CompactionStyle, Given, OptionsFile, PrefixExtractor};
use crate::Engine;

/// One row of the table of options: theirs, and ours where there is one.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Counterpart {
    /// The name in the OPTIONS file.
    pub name: &'static str,
    /// The value there, as text.
    pub value: String,
    /// Name of our option.
    pub ours: &'static str,
    /// The value that our option takes for it; `None` when it takes none that means the same.
    pub our_value: Option<String>,
    /// What differs, where something does.
    pub note: Option<&'static str>,
}

/// How our value follows from theirs.
enum Rule {
    /// The same number, when it is within these limits.
    Number(u64, u64),
    /// A whole number above 0, written with decimals there.
    Whole(u64, u64),
    /// As [`Rule::Number`] less one: they count the active memtable, we do not.
    LessOne(u64, u64),
    /// By a function of the text.
    Word(fn(&str) -> Option<String>),
}

/// A row before it meets a file: names of RocksDB and Pebble, our name, rule, note.
type Row = (&'static str, &'static str, &'static str, Rule, Option<&'static str>);

const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

/// Settings of the family; their limits are those of our options.
#[rustfmt::skip]
const FAMILY_ROWS: &[Row] = &[
    ("write_buffer_size", "mem_table_size", "memtable_bytes", Rule::Number(64, GIB), None),
    ("max_write_buffer_number", "mem_table_stop_writes_threshold", "immutable_count_max", Rule::LessOne(1, 64), Some("they count the active memtable, too")),
    ("num_levels", "", "level_count", Rule::Number(2, 12), None),
    ("level0_file_num_compaction_trigger", "l0_compaction_threshold", "l0_trigger", Rule::Number(1, 1000), None),
    ("level0_slowdown_writes_trigger", "", "l0_slowdown", Rule::Number(1, 10_000), None),
    ("level0_stop_writes_trigger", "l0_stop_writes_threshold", "l0_stall", Rule::Number(1, 10_000), None),
    ("soft_pending_compaction_bytes_limit", "", "debt_slowdown_bytes", Rule::Number(0, TIB), None),
    ("max_bytes_for_level_base", "lbase_max_bytes", "level_base_bytes", Rule::Number(256, TIB), None),
    ("max_bytes_for_level_multiplier", "level_multiplier", "level_multiplier", Rule::Whole(2, 100), None),
    ("compaction_style", "", "strategy", Rule::Word(strategy), Some("universal compaction is close to tiered, not the same")),
    ("compression", "", "compression", Rule::Word(compression), None),
    ("prefix_extractor", "", "prefix", Rule::Word(prefix), None),
    ("target_file_size_base", "", "table_bytes", Rule::Number(256, 1 << 32), Some("the same for all levels here")),
];

/// Settings of the family's tables.
#[rustfmt::skip]
const TABLE_ROWS: &[Row] = &[
    ("block_size", "block_size", "block_bytes", Rule::Number(64, 4 << 20), None),
    ("block_restart_interval", "block_restart_interval", "restart_interval", Rule::Number(1, 1024), None),
    ("filter_policy", "filter_policy", "bloom_bits", Rule::Word(bloom_bits), None),
    ("", "compression", "compression", Rule::Word(compression), None),
    ("", "target_file_size", "table_bytes", Rule::Number(256, 1 << 32), Some("the same for all levels here")),
];

/// Settings of the database.
#[rustfmt::skip]
const DATABASE_ROWS: &[Row] = &[
    ("max_open_files", "max_open_files", "open_tables_max", Rule::Number(4, 100_000), None),
    ("max_manifest_file_size", "max_manifest_file_size", "manifest_bytes", Rule::Number(64, GIB), None),
];

/// The options of `family` that have a counterpart among ours, in the order of our own list as far as possible.
/// Empty when the file does not know the family.
pub fn counterparts(options: &OptionsFile, family: &str) -> Vec<Counterpart> {
    let pebble = options.engine == Engine::Pebble;
    let own = if pebble { options.database() } else { options.section("CFOptions", Some(family)) };
    let (Some(own), Some(database)) = (own, options.database().or(own)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |rows: &[Row], get: &dyn Fn(&str) -> Option<String>| {
        for (theirs, pebbles, ours, rule, note) in rows {
            let name = if pebble { *pebbles } else { *theirs };
            let Some(value) = (!name.is_empty()).then(|| get(name)).flatten() else { continue };
            let our_value = rule.apply(&value);
            found.push(Counterpart { name, value, ours, our_value, note: *note });
        }
    };
    add(FAMILY_ROWS, &|name| own.get(name).map(str::to_owned));
    add(TABLE_ROWS, &|name| options.table_setting(family, name).map(str::to_owned));
    add(DATABASE_ROWS, &|name| database.get(name).map(str::to_owned));
    found
}

impl Rule {
    fn apply(&self, text: &str) -> Option<String> {
        let within = |number: u64, least: u64, most: u64| {
            (least..=most).contains(&number).then(|| number.to_string())
        };
        match self {
            Self::Number(least, most) => within(text.parse().ok()?, *least, *most),
            Self::LessOne(least, most) => {
                within(text.parse::<u64>().ok()?.checked_sub(1)?, *least, *most)
            }
            Self::Whole(least, most) => {
                let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
                let exact = decimals.bytes().all(|digit| digit == b'0');
                exact.then(|| within(whole.parse().ok()?, *least, *most)).flatten()
            }
            Self::Word(word) => word(text),
        }
    }
}

fn strategy(text: &str) -> Option<String> {
    match compaction_style(text)? {
        CompactionStyle::Level => Some("leveled".into()),
        CompactionStyle::Universal => Some("tiered".into()),
        CompactionStyle::Fifo | CompactionStyle::None => None,
    }
}

fn compression(text: &str) -> Option<String> {
    match text {
        "kNoCompression" | "NoCompression" => Some("none".into()),
        "kSnappyCompression" | "Snappy" => Some("snappy".into()),
        _ => None,
    }
}

fn prefix(text: &str) -> Option<String> {
    match prefix_extractor(Some(text)) {
        Given::Is(None) => Some("none".into()),
        Given::Is(Some(PrefixExtractor::Fixed(bytes))) => Some(format!("fixed:{bytes}")),
        _ => None,
    }
}

/// `nullptr`, `bloomfilter:10:false`, `{id=bloomfilter:10:false;…}`; Pebble tells no bits.
fn bloom_bits(text: &str) -> Option<String> {
    if matches!(text, "nullptr" | "" | "none") {
        return Some("0".into());
    }
    let start = text.find("bloomfilter:")?;
    let bits = text.get(start..)?.split(':').nth(1)?;
    let whole: u64 = bits.split('.').next()?.parse().ok()?;
    (whole <= 64).then(|| whole.to_string())
}
