//! The options of a database, each with unit, range, default and advice.
//!
//! An option never changes the stored data, only time and form of storing it; a database may be reopened with any other
//! options.

mod info;
mod list;
mod text;

pub use info::{OptionInfo, OptionValue};
pub use list::{OPTION_INFOS, Options};

use crate::storage::Storage;
use crate::{Error, PrefixExtractor, Result};

/// Who does background work: threads, the write that causes it, or the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Maintenance {
    /// The same as `Threads(2)` where the storage is made for threads ([`Storage::has_threads`]), as directories are;
    /// elsewhere the same as `Inline`.
    Auto,
    /// The caller, with [`crate::Db::step`]: the page and tests.
    Manual,
    /// The call that made the work finishes it before it returns.
    Inline,
    /// So many background threads (1 to 8) for flushes and compactions, and one more that syncs and ends logs; not in
    /// the browser.
    Threads(usize),
}

/// When the log is synced, for writes that do not choose it themselves.
// By bytes, because the engine has no clock (decision 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalSync {
    /// Before each write is acknowledged, by its own sync.
    Each,
    /// Before each write is acknowledged; writers that wait for one another share a sync.
    Group,
    /// Whenever this many bytes of the log are unsynced, by the write that reaches the number.
    Interval(u64),
    /// Only on request, at rotation and at closing.
    None,
}

/// One for flushes, so that writers seldom wait, and one for compactions.
const BACKGROUND_THREADS: usize = 2;

impl Maintenance {
    /// The choice of `Auto` in `storage`; any other choice unchanged.
    pub(crate) fn in_storage(self, storage: &dyn Storage) -> Self {
        match self {
            Self::Auto if storage.has_threads() => Self::Threads(BACKGROUND_THREADS),
            Self::Auto => Self::Inline,
            chosen => chosen,
        }
    }
}

impl WalSync {
    /// Whether a write is durable when it is acknowledged.
    #[doc(hidden)]
    pub fn before_acknowledging(self) -> bool {
        matches!(self, Self::Each | Self::Group)
    }
}

/// Which tables are merged, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Each level below L0 is one run: fast reads, little space, much rewriting.
    Leveled,
    /// Each level collects runs and merges them into one of the next level: little rewriting.
    Tiered,
    /// Tiered, but the last level is one run.
    LazyLeveled,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Leveled, Self::Tiered, Self::LazyLeveled];

    /// As the option names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leveled => "leveled",
            Self::Tiered => "tiered",
            Self::LazyLeveled => "lazy-leveled",
        }
    }
}

/// How blocks are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Stored as they are.
    None,
    /// Snappy, when it saves at least an eighth.
    Snappy,
}

/// The form in memory of a table's prefix index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub enum PrefixIndexForm {
    /// Nothing; new tables get no such block.
    #[default]
    None,
    /// A hash table of the prefixes themselves: knows which are absent, takes the most memory.
    Exact,
    /// Hash buckets that hold block numbers only: a few bytes a prefix.
    Compact,
}

/// A named set of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preset {
    /// Its name, for [`Options::preset`].
    pub name: &'static str,
    /// Its purpose, in one sentence.
    pub purpose: &'static str,
}

/// The presets that [`Options::preset`] knows.
pub const PRESETS: [Preset; 3] = [
    Preset {
        name: "default",
        purpose: "Native use: a 4 MiB memtable, 2 MiB tables, seven levels.",
    },
    Preset {
        name: "article",
        purpose: "The SSTable article: memtables with as many words as its 4 KiB hold, flushed two at a time.",
    },
    Preset {
        name: "classroom",
        purpose: "Everything small, so that one screen of commands reaches L2.",
    },
];

impl Options {
    /// The options of the preset `name`; `None` when there is no such preset. No preset uses threads, so that a run
    /// can be repeated.
    pub fn preset(name: &str) -> Option<Self> {
        let inline = Self::default().maintenance(Maintenance::Inline);
        match name {
            "default" => Some(inline),
            "article" => Some(Self {
                // The article counts keys and values only, and its limits are 4 and 8 KiB. A memtable here counts the
                // memory of an entry, which for the article's words is twice as much.
                memtable_bytes: 8 << 10,
                flush_trigger_bytes: 16 << 10,
                // The article has no compaction: tables accumulate until the user asks for one.
                l0_trigger: 1000,
                l0_slowdown: 5000,
                l0_stall: 10_000,
                read_compaction_bytes: 0,
                ..inline
            }),
            "classroom" => Some(Self {
                memtable_bytes: 1 << 10,
                block_bytes: 256,
                restart_interval: 4,
                cache_bytes: 16 << 10,
                table_bytes: 1 << 10,
                level_count: 5,
                l0_trigger: 2,
                l0_slowdown: 4,
                l0_stall: 6,
                level_base_bytes: 3 << 10,
                level_multiplier: 3,
                maintenance: Maintenance::Manual,
                ..Self::default()
            }),
            _ => None,
        }
    }

    /// [`Self::read_compaction_bytes`] where reads may cause compactions, otherwise 0.
    ///
    /// A caller who does the background work also decides about it. The strategies with tiered levels accept that reads
    /// search several tables.
    pub(crate) fn bytes_a_read(&self) -> u64 {
        if self.maintenance == Maintenance::Manual { 0 } else { self.bytes_a_charged_read() }
    }

    /// [`Self::bytes_a_read`] of a caller who does the background work and lets reads cause compactions.
    pub(crate) fn bytes_a_charged_read(&self) -> u64 {
        match self.strategy {
            Strategy::Tiered | Strategy::LazyLeveled => 0,
            _ => self.read_compaction_bytes,
        }
    }

    /// Steps by which files of logs that are synced often are made longer ahead \[bytes\]: not more than a
    /// memtable fills.
    pub(crate) fn wal_reserve_bytes(&self) -> u64 {
        (self.memtable_bytes as u64).next_power_of_two().clamp(4 << 10, 1 << 20)
    }

    /// Checks every option against its range, and options against each other.
    ///
    /// # Errors
    /// `InvalidArgument` that names the option, its value and its range.
    pub fn validate(&self) -> Result<()> {
        for info in OPTION_INFOS {
            let value = (info.get)(self);
            if let OptionValue::Number(number) = value
                && !(info.min..=info.max).contains(&number)
            {
                return Err(info.out_of_range(number));
            }
        }
        if matches!(self.maintenance, Maintenance::Threads(count) if !(1..=8).contains(&count)) {
            return Err(Error::invalid("maintenance takes 1 to 8 threads"));
        }
        if self.prefix == PrefixExtractor::None && self.prefix_index != PrefixIndexForm::None {
            return Err(Error::invalid(
                "prefix_index needs to know what a prefix is: set prefix to fixed:BYTES or \
                 until:CHARACTER",
            ));
        }
        if self.l0_stall < self.l0_trigger {
            return Err(Error::invalid(format!(
                "l0_stall is {} but must not be below l0_trigger, which is {}: writes would stall \
                 before a compaction could begin",
                self.l0_stall, self.l0_trigger
            )));
        }
        Ok(())
    }

    /// Sets the option `name` from text, for example `("memtable_bytes", "64k")`.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown name, an unreadable value or one out of range.
    pub fn set(&mut self, name: &str, text: &str) -> Result<()> {
        let info = OPTION_INFOS.iter().find(|info| info.name == name).ok_or_else(|| {
            let names: Vec<_> = OPTION_INFOS.iter().map(|info| info.name).collect();
            Error::invalid(format!("there is no option {name:?}; there are: {}", names.join(", ")))
        })?;
        let mut changed = self.clone();
        (info.set)(&mut changed, info, text)?;
        *self = changed;
        Ok(())
    }
}
