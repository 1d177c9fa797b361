//! The options, each written once: purpose, advice, type, default, unit and range. The fields of [`Options`], its
//! setters, its defaults and [`OPTION_INFOS`] follow.

use super::text::Setting;
use super::{Compression, Maintenance, OptionInfo, PrefixIndexForm, Strategy, WalSync};
use crate::PrefixExtractor;

/// The range of a number with its unit, or the words to choose from.
macro_rules! values {
    ($unit:literal) => {
        concat!("Values: ", $unit, ".")
    };
    ($unit:literal, $min:expr, $max:expr) => {
        concat!("Range: `", stringify!($min), "` to `", stringify!($max), "` ", $unit, ".")
    };
}

macro_rules! options {
    ($(
        #[doc = $purpose:literal]
        $(#[doc = $advice:literal])*
        $field:ident: $type:ty = $default:expr, $shown:literal, $unit:literal $(, $min:literal..=$max:expr)?;
    )+) => {
        /// All options of a database. Each is a field, and a method that sets it:
        ///
        /// ```
        /// use levelscope::{Compression, Options};
        ///
        /// let options = Options::default().memtable_bytes(16 << 20).compression(Compression::None);
        /// assert_eq!(options.memtable_bytes, 16 << 20);
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Options {
            $(
                #[doc = $purpose]
                $(#[doc = $advice])*
                #[doc = ""]
                #[doc = concat!("Default: ", $shown, ". ", values!($unit $(, $min, $max)?))]
                pub $field: $type,
            )+
        }

        impl Default for Options {
            /// The default of each option, as its field names it: those with which [`crate::Db::open`] opens.
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl Options {
            $(
                #[doc = concat!("Sets [`Self::", stringify!($field), "`](#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )+
        }

        /// Every option, in the order in which they are listed.
        pub static OPTION_INFOS: &[OptionInfo] = &[$(
            OptionInfo {
                name: stringify!($field),
                unit: $unit,
                words: <$type as Setting>::WORDS,
                min: 0 $(+ $min)?,
                max: 0 $(+ $max)?,
                purpose: $purpose.trim_ascii_start(),
                advice: concat!($($advice),*).trim_ascii(),
                default: $shown,
                get: |options| options.$field.value(),
                set: |options, info, text| {
                    options.$field = Setting::read(info, text)?;
                    Ok(())
                },
            }
        ),+];
    };
}

// The console and the page show the first line of each comment; the lines after it are advice for documents.
#[rustfmt::skip]
options! {
    /// Size at which the memtable rotates.
    ///
    /// A larger memtable makes fewer and larger L0 tables, so less compaction; it takes more memory, and recovery
    /// replays more of the log.
    memtable_bytes: usize = 4 << 20, "4 MiB", "bytes", 64..=1 << 30;

    /// Immutable memtables wait until all memtables together exceed this; 0: never wait.
    ///
    /// A larger number keeps recent entries in memory longer, at the cost of memory and of a longer recovery.
    flush_trigger_bytes: usize = 0, "0", "bytes", 0..=1 << 30;

    /// Immutable memtables at which writes stall.
    ///
    /// A larger number absorbs longer bursts of writes; each memtable takes up to `memtable_bytes` of memory.
    immutable_count_max: usize = 4, "4", "memtables", 1..=64;

    /// Target size of a data block before compression.
    ///
    /// A lookup reads fewer bytes of a smaller block; larger blocks compress better and need a smaller index.
    block_bytes: usize = 4096, "4 KiB", "bytes", 64..=4 << 20;

    /// Keys between two restart points.
    ///
    /// A larger interval saves bytes of keys; with a smaller one a lookup compares fewer keys.
    restart_interval: usize = 16, "16", "keys", 1..=1024;

    /// Compression of blocks; kept only where it saves an eighth.
    ///
    /// Choose none for values that are compressed already.
    compression: Compression = Compression::Snappy, "snappy", "none or snappy";

    /// Bloom filter bits per key; 0: no filter.
    ///
    /// 10 bits give about 1 % of false positives; each further bit saves more than a third of them.
    bloom_bits: usize = 10, "10", "bits a key", 0..=64;

    /// The prefix of a key, for the prefix filters and prefix indexes of new tables.
    ///
    /// Set it if prefix scans are frequent and most tables have no key of the prefix.
    prefix: PrefixExtractor = PrefixExtractor::None, "none", "none, fixed:BYTES or until:CHARACTER";

    /// Whether new tables get a bloom filter of their prefixes, so that prefix scans can skip tables.
    ///
    /// The filter has `bloom_bits` for each prefix.
    prefix_filter: bool = true, "on", "on or off";

    /// Whether new tables get a prefix index, which maps a prefix to its blocks, and its form in memory.
    ///
    /// It speeds up scans of prefixes with few keys, and takes memory for each open table.
    prefix_index: PrefixIndexForm = PrefixIndexForm::None, "none", "none, exact or compact";

    /// Memory for decompressed blocks.
    ///
    /// The best size is that of the blocks that are read often, as far as memory allows it.
    cache_bytes: usize = 8 << 20, "8 MiB", "bytes", 0..=1 << 32;

    /// Table files kept open.
    ///
    /// Each has its index and filter in memory. At most half of the storage's limit of open files.
    open_tables_max: usize = 2000, "2,000", "tables", 4..=100_000;

    /// Target size of an output table of a compaction.
    ///
    /// A table may get half as large or half as large again, so that it ends where a table of the next level does.
    table_bytes: u64 = 2 << 20, "2 MiB", "bytes", 256..=1 << 32;

    /// The compaction strategy: one run for each level, several runs, or one run only in the last level.
    ///
    /// Leveled has the fastest reads and takes the least space, tiered rewrites the least, lazy-leveled lies between them.
    strategy: Strategy = Strategy::Leveled, "leveled", "leveled, tiered or lazy-leveled";

    /// Levels, L0 included.
    ///
    /// With the other defaults seven levels suffice for 1 TiB.
    level_count: usize = 7, "7", "levels", 2..=12;

    /// L0 tables that start a compaction.
    ///
    /// A lookup may have to search every L0 table: a smaller number keeps reads faster, a larger one makes fewer
    /// compactions.
    l0_trigger: usize = 4, "4", "tables", 1..=1000;

    /// L0 tables at which writes slow down, once L0 has reached its trigger, too.
    ///
    /// Above `l0_stall`, writes stall without a slowdown before. While writes come faster than compaction, a lookup
    /// may have to ask the filters of so many tables and a scan to merge them; smaller numbers keep reads faster
    /// then, and make writes wait more.
    l0_slowdown: usize = 20, "20", "tables", 1..=10_000;

    /// L0 tables at which writes stall.
    ///
    /// It limits the tables that a lookup may have to search while writes come faster than compaction.
    l0_stall: usize = 36, "36", "tables", 1..=10_000;

    /// Compaction debt at which writes slow down; 0: never.
    ///
    /// A smaller number keeps the levels closer to their target sizes, and delays writes earlier.
    debt_slowdown_bytes: u64 = 1 << 30, "1 GiB", "bytes", 0..=1 << 40;

    /// Size of L1 that starts a compaction.
    ///
    /// A good size is that of the L0 tables which start a compaction: `l0_trigger` times `memtable_bytes`.
    level_base_bytes: u64 = 10 << 20, "10 MiB", "bytes", 256..=1 << 40;

    /// How many times larger each deeper level may be; tiered: runs that a level collects.
    ///
    /// Leveled: a larger number needs fewer levels, but a compaction rewrites more of the next one. Tiered: a larger
    /// number rewrites less, but reads search more runs.
    level_multiplier: u64 = 10, "10", "times", 2..=100;

    /// A read that had to search several tables pays for so many bytes of compaction in L0, for a sixteenth below; 0: reads cause no compactions.
    ///
    /// Once enough is paid, the newest of these tables is merged with the next level. Walking over 2,048 deleted
    /// or overwritten entries counts as such a read of their table; a memtable that has them is flushed. Only the
    /// leveled strategy has such compactions, and not with manual maintenance. Where reading a block has to wait for
    /// a slow disk, a larger number pays off.
    read_compaction_bytes: u64 = 16 << 10, "16 KiB", "bytes", 0..=1 << 30;

    /// Size at which the manifest is written anew, unless four times its snapshot is more.
    ///
    /// A longer manifest is rewritten less often and takes longer to read at opening.
    manifest_bytes: u64 = 64 << 10, "64 KiB", "bytes", 64..=1 << 30;

    /// When the log is synced: before each write returns, after a number of bytes, or only on request.
    ///
    /// With the default every write is durable when it returns, and writers that wait for one another share a sync.
    /// A write may choose otherwise.
    wal_sync: WalSync = WalSync::Group, "group", "each, group, interval:BYTES or none";

    /// Size of the log buffer in memory; 0: each write reaches the file before it returns.
    ///
    /// Above 0, writes without sync need fewer system calls; a crash of the process loses the buffer.
    wal_buffer_bytes: u64 = 0, "0", "bytes", 0..=16 << 20;

    /// Who does background work: threads, the write that causes it, or the caller.
    ///
    /// The default for a directory is three background threads: two for flushes and compactions, one that syncs and ends
    /// logs. For a storage without threads, such as memory and the browser's files, it is the write that causes the work.
    maintenance: Maintenance = Maintenance::Auto, "auto", "auto, manual, inline or threads:N";
}
