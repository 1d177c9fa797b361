//! Options: what a database may be told, with unit, range, default and advice.
//!
//! An option never changes what is stored, only when and how; a database may be reopened with any
//! other options.

mod info;

pub use info::{OPTION_INFOS, OptionInfo, OptionValue};

use crate::{Error, PrefixExtractor, Result};

/// Who does background work: the caller, the write that causes it, or threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maintenance {
    /// The caller, with [`crate::Db::step`]: the page and tests.
    Manual,
    /// The call that made the work finishes it before it returns.
    Inline,
    /// Background threads (1 to 8) and one that syncs logs ahead of need; not in the browser.
    Threads(usize),
}

/// When the log is synced, for writes that do not say it themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalSync {
    /// Before each write is acknowledged, by a sync of its own.
    Each,
    /// Before each write is acknowledged; writers that wait for one another share a sync.
    Group,
    /// Whenever this many bytes of the log are unsynced, by the write that reaches the number.
    Interval(u64),
    /// Only on request, at rotation and at closing.
    None,
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

    /// The names of [`Self::ALL`].
    pub(crate) const NAMES: [&'static str; 3] =
        [Self::ALL[0].name(), Self::ALL[1].name(), Self::ALL[2].name()];

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
pub enum Compression {
    /// Stored as they are.
    None,
    /// Snappy, when it saves at least an eighth.
    Snappy,
}

/// What an open table builds from its block of prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PrefixIndexForm {
    /// Nothing; new tables get no such block.
    #[default]
    None,
    /// A hash table of the prefixes themselves: knows which are absent, takes the most memory.
    Exact,
    /// Hash buckets that hold block numbers only: a few bytes a prefix.
    Compact,
}

/// All options of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Size at which the memtable rotates \[bytes\].
    pub memtable_bytes: usize,
    /// Immutable memtables wait until all memtables together exceed this \[bytes\]; 0: never wait.
    pub flush_trigger_bytes: usize,
    /// Immutable memtables at which writes stall.
    pub immutable_count_max: usize,
    /// Target size of a data block before compression \[bytes\].
    pub block_bytes: usize,
    /// Keys between two restart points.
    pub restart_interval: usize,
    /// Compression of blocks.
    pub compression: Compression,
    /// Bloom filter bits per key; 0: no filter.
    pub bloom_bits: usize,
    /// What the prefix of a key is, for prefix filters and prefix indexes of new tables.
    pub prefix: PrefixExtractor,
    /// Whether new tables get a bloom filter of their prefixes, with `bloom_bits` for each.
    pub prefix_filter: bool,
    /// Whether new tables get an index of their prefixes, and what is built from it in memory.
    pub prefix_index: PrefixIndexForm,
    /// Memory for decompressed blocks \[bytes\].
    pub cache_bytes: usize,
    /// Table files kept open, each with its index and filter in memory; at most half of what
    /// [`Storage::open_files_max`](crate::storage::Storage::open_files_max) allows.
    pub open_tables_max: usize,
    /// Target size of an output table of a compaction \[bytes\]. A table may get half as large or half as
    /// large again, so that it ends where a table of the next level does.
    pub table_bytes: u64,
    /// Which tables are merged, and when.
    pub strategy: Strategy,
    /// Levels, L0 included.
    pub level_count: usize,
    /// L0 tables that start a compaction.
    pub l0_trigger: usize,
    /// L0 tables at which writes slow down, once `l0_trigger` is reached too. Above `l0_stall`, writes stall without
    /// a slowdown before. While writes come faster than compaction, a lookup may have to ask the filters of so many
    /// tables and a scan to merge them; smaller numbers keep reads faster then, and make writes wait more.
    pub l0_slowdown: usize,
    /// L0 tables at which writes stall.
    pub l0_stall: usize,
    /// Pending compaction bytes at which writes slow down \[bytes\]; 0: never.
    pub debt_slowdown_bytes: u64,
    /// Size of L1 that starts a compaction \[bytes\].
    pub level_base_bytes: u64,
    /// How many times larger each deeper level may be; in a tiered level, how many runs it collects.
    pub level_multiplier: u64,
    /// A read that had to search several tables pays for so many bytes of compaction in L0, and for a sixteenth of
    /// them below it: once enough is paid, the newest of these tables is merged with the next level \[bytes\]. 0: reads
    /// cause no compactions. Only the leveled strategy has such compactions, and only with [`Maintenance::Inline`] or
    /// [`Maintenance::Threads`]. Where reading a block has to wait for a slow disk, a larger number pays off.
    pub read_compaction_bytes: u64,
    /// Length at which the manifest is written anew, unless four times its snapshot is more \[bytes\].
    pub manifest_bytes: u64,
    /// When the log is synced, unless a write says otherwise.
    pub wal_sync: WalSync,
    /// Size of the log buffer in memory \[bytes\]; 0: each write reaches the file before it returns.
    pub wal_buffer_bytes: u64,
    /// Who does background work.
    pub maintenance: Maintenance,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memtable_bytes: 4 << 20,
            flush_trigger_bytes: 0,
            immutable_count_max: 4,
            block_bytes: 4096,
            restart_interval: 16,
            compression: Compression::Snappy,
            bloom_bits: 10,
            prefix: PrefixExtractor::None,
            prefix_filter: true,
            prefix_index: PrefixIndexForm::None,
            cache_bytes: 8 << 20,
            open_tables_max: 2000,
            table_bytes: 2 << 20,
            strategy: Strategy::Leveled,
            level_count: 7,
            l0_trigger: 4,
            l0_slowdown: 20,
            l0_stall: 36,
            debt_slowdown_bytes: 1 << 30,
            level_base_bytes: 10 << 20,
            level_multiplier: 10,
            read_compaction_bytes: 16 << 10,
            manifest_bytes: 64 << 10,
            wal_sync: WalSync::Group,
            wal_buffer_bytes: 0,
            maintenance: Maintenance::Inline,
        }
    }
}

/// A named set of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// What to type.
    pub name: &'static str,
    /// What it is for, in one sentence.
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
    /// The options of the preset `name`; `None` when there is no such preset.
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::default()),
            "article" => Some(Self {
                // The article counts keys and values only, and its limits are 4 and 8 KiB. A memtable here
                // counts what an entry takes, which for the article's words is twice as much.
                memtable_bytes: 8 << 10,
                flush_trigger_bytes: 16 << 10,
                // The article has no compaction: tables accumulate until the user asks for one.
                l0_trigger: 1000,
                l0_slowdown: 5000,
                l0_stall: 10_000,
                read_compaction_bytes: 0,
                ..Self::default()
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
    /// A caller who does the background work decides alone what there is to do. The strategies with tiered levels
    /// accept that reads search several tables.
    pub(crate) fn bytes_a_read(&self) -> u64 {
        match (self.maintenance, self.strategy) {
            (Maintenance::Inline | Maintenance::Threads(_), Strategy::Leveled) => {
                self.read_compaction_bytes
            }
            _ => 0,
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
