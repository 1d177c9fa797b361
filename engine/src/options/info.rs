//! What is to be known about each option, and how text sets it.

use super::{Compression, Maintenance, Options, PrefixIndexForm, Strategy, WalSync};
use crate::{Error, Result};

/// The value of an option, as text and programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// A number in the unit of the option.
    Number(u64),
    /// One of the option's words.
    Word(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// What is to be known about one option.
#[derive(Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// Name, as in [`Options`].
    pub name: &'static str,
    /// Unit of a number, or the words to choose from.
    pub unit: &'static str,
    /// The words to choose from; one that ends in a colon goes on with a value. Empty: it takes a number.
    pub words: &'static [&'static str],
    /// Smallest number.
    pub min: u64,
    /// Largest number.
    pub max: u64,
    /// What it does, in one sentence.
    pub purpose: &'static str,
    /// Reads it.
    pub get: fn(&Options) -> OptionValue,
    pub(super) set: fn(&mut Options, &OptionInfo, &str) -> Result<()>,
}

impl OptionInfo {
    pub(super) fn out_of_range(&self, number: u64) -> Error {
        Error::invalid(format!(
            "{} is {number}, but must be {} to {} {}",
            self.name, self.min, self.max, self.unit
        ))
    }

    fn number(&self, text: &str) -> Result<u64> {
        let number = parse_number(text).ok_or_else(|| {
            Error::invalid(format!(
                "{} takes a number such as 4096, 64k or 2m, not {text:?}",
                self.name
            ))
        })?;
        if (self.min..=self.max).contains(&number) {
            Ok(number)
        } else {
            Err(self.out_of_range(number))
        }
    }

    fn wrong_word(&self, text: &str) -> Error {
        Error::invalid(format!("{} takes {}, not {text:?}", self.name, self.unit))
    }
}

/// Reads `4096`, `4_096`, `64k`, `2m` or `1g` (powers of 1024).
fn parse_number(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase().replace('_', "");
    let (digits, shift) = match text.as_bytes().last()? {
        b'k' => (text.get(..text.len() - 1)?, 10),
        b'm' => (text.get(..text.len() - 1)?, 20),
        b'g' => (text.get(..text.len() - 1)?, 30),
        _ => (text.as_str(), 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

macro_rules! number_option {
    ($field:ident, $unit:literal, $min:expr, $max:expr, $purpose:literal) => {
        OptionInfo {
            name: stringify!($field),
            unit: $unit,
            words: &[],
            min: $min,
            max: $max,
            purpose: $purpose,
            get: |options| OptionValue::Number(u64::try_from(options.$field).unwrap_or(u64::MAX)),
            set: |options, info, text| {
                options.$field = info.number(text)?.try_into().map_err(|_| {
                    Error::invalid(format!("{} is too large for this machine", info.name))
                })?;
                Ok(())
            },
        }
    };
}

/// Every option, in the order in which they are listed.
#[rustfmt::skip]
pub const OPTION_INFOS: &[OptionInfo] = &[
    number_option!(memtable_bytes, "bytes", 64, 1 << 30, "Size at which the memtable rotates."),
    number_option!(flush_trigger_bytes, "bytes", 0, 1 << 30, "Immutable memtables wait until all memtables together exceed this; 0: never wait."),
    number_option!(immutable_count_max, "memtables", 1, 64, "Immutable memtables at which writes stall."),
    number_option!(block_bytes, "bytes", 64, 4 << 20, "Target size of a data block before compression."),
    number_option!(restart_interval, "keys", 1, 1024, "Keys between two restart points."),
    OptionInfo {
        name: "compression", unit: "none or snappy", words: &["none", "snappy"], min: 0, max: 0,
        purpose: "Compression of blocks; kept only where it saves an eighth.",
        get: |options| OptionValue::Word(match options.compression {
            Compression::None => "none".into(),
            Compression::Snappy => "snappy".into(),
        }),
        set: |options, info, text| {
            options.compression = match text {
                "none" => Compression::None,
                "snappy" => Compression::Snappy,
                _ => return Err(info.wrong_word(text)),
            };
            Ok(())
        },
    },
    number_option!(bloom_bits, "bits a key", 0, 64, "Bloom filter bits per key; 0: no filter."),
    OptionInfo {
        name: "prefix", unit: "none, fixed:BYTES or until:CHARACTER", words: &["none", "fixed:", "until:"], min: 0, max: 0,
        purpose: "The prefix of a key, for the prefix filters and prefix indexes of new tables.",
        get: |options| OptionValue::Word(options.prefix.to_string()),
        set: |options, info, text| {
            options.prefix = text.parse().map_err(|()| info.wrong_word(text))?;
            Ok(())
        },
    },
    OptionInfo {
        name: "prefix_filter", unit: "on or off", words: &["on", "off"], min: 0, max: 0,
        purpose: "Whether new tables get a bloom filter of their prefixes, so that prefix scans can skip tables.",
        get: |options| OptionValue::Word(if options.prefix_filter { "on".into() } else { "off".into() }),
        set: |options, info, text| {
            options.prefix_filter = match text {
                "on" | "true" => true,
                "off" | "false" => false,
                _ => return Err(info.wrong_word(text)),
            };
            Ok(())
        },
    },
    OptionInfo {
        name: "prefix_index", unit: "none, exact or compact", words: &["none", "exact", "compact"], min: 0, max: 0,
        purpose: "Whether new tables get a prefix index, which maps a prefix to its blocks, and its form in memory.",
        get: |options| OptionValue::Word(match options.prefix_index {
            PrefixIndexForm::None => "none".into(),
            PrefixIndexForm::Exact => "exact".into(),
            PrefixIndexForm::Compact => "compact".into(),
        }),
        set: |options, info, text| {
            options.prefix_index = match text {
                "none" => PrefixIndexForm::None,
                "exact" => PrefixIndexForm::Exact,
                "compact" => PrefixIndexForm::Compact,
                _ => return Err(info.wrong_word(text)),
            };
            Ok(())
        },
    },
    number_option!(cache_bytes, "bytes", 0, 1 << 32, "Memory for decompressed blocks."),
    number_option!(open_tables_max, "tables", 4, 100_000, "Table files kept open."),
    number_option!(table_bytes, "bytes", 256, 1 << 32, "Target size of an output table of a compaction."),
    OptionInfo {
        name: "strategy", unit: "leveled, tiered or lazy-leveled", words: &Strategy::NAMES, min: 0, max: 0,
        purpose: "The compaction strategy: one run for each level, several runs, or one run only in the last level.",
        get: |options| OptionValue::Word(options.strategy.name().into()),
        set: |options, info, text| {
            let named = Strategy::ALL.into_iter().find(|strategy| strategy.name() == text);
            options.strategy = named.ok_or_else(|| info.wrong_word(text))?;
            Ok(())
        },
    },
    number_option!(level_count, "levels", 2, 12, "Levels, L0 included."),
    number_option!(l0_trigger, "tables", 1, 1000, "L0 tables that start a compaction."),
    number_option!(l0_slowdown, "tables", 1, 10_000, "L0 tables at which writes slow down, once l0_trigger is reached too."),
    number_option!(l0_stall, "tables", 1, 10_000, "L0 tables at which writes stall."),
    number_option!(debt_slowdown_bytes, "bytes", 0, 1 << 40, "Compaction debt at which writes slow down; 0: never."),
    number_option!(level_base_bytes, "bytes", 256, 1 << 40, "Size of L1 that starts a compaction."),
    number_option!(level_multiplier, "times", 2, 100, "How many times larger each deeper level may be; tiered: runs that a level collects."),
    number_option!(read_compaction_bytes, "bytes", 0, 1 << 30, "A read that had to search several tables pays for so many bytes of compaction in L0, for a sixteenth below; 0: reads cause no compactions."),
    number_option!(manifest_bytes, "bytes", 64, 1 << 30, "Size at which the manifest is written anew, unless four times its snapshot is more."),
    OptionInfo {
        name: "wal_sync", unit: "each, group, interval:BYTES or none", words: &["each", "group", "interval:", "none"], min: 0, max: 0,
        purpose: "When the log is synced: before each write returns, after a number of bytes, or only on request.",
        get: |options| OptionValue::Word(match options.wal_sync {
            WalSync::Each => "each".into(),
            WalSync::Group => "group".into(),
            WalSync::Interval(bytes) => format!("interval:{bytes}"),
            WalSync::None => "none".into(),
        }),
        set: |options, info, text| {
            let bytes = text.strip_prefix("interval:").and_then(parse_number);
            options.wal_sync = match (text, bytes) {
                ("each", _) => WalSync::Each,
                ("group", _) => WalSync::Group,
                ("none", _) => WalSync::None,
                (_, Some(bytes @ 1..)) => WalSync::Interval(bytes),
                _ => return Err(info.wrong_word(text)),
            };
            Ok(())
        },
    },
    number_option!(wal_buffer_bytes, "bytes", 0, 16 << 20, "Size of the log buffer in memory; 0: each write reaches the file before it returns."),
    OptionInfo {
        name: "maintenance", unit: "manual, inline or threads:N", words: &["manual", "inline", "threads:"], min: 0, max: 0,
        purpose: "Who does background work: the caller, the write that causes it, or threads.",
        get: |options| OptionValue::Word(match options.maintenance {
            Maintenance::Manual => "manual".into(),
            Maintenance::Inline => "inline".into(),
            Maintenance::Threads(count) => format!("threads:{count}"),
        }),
        set: |options, info, text| {
            let threads = text.strip_prefix("threads:").and_then(|count| count.parse().ok());
            options.maintenance = match (text, threads) {
                ("manual", _) => Maintenance::Manual,
                ("inline", _) => Maintenance::Inline,
                (_, Some(count @ 1..=8)) => Maintenance::Threads(count),
                _ => return Err(info.wrong_word(text)),
            };
            Ok(())
        },
    },
];
