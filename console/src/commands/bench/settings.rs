//! The settings of a benchmark, from its flags.

use crate::language::Args;
use crate::output::Failure;
use levelscope::{Compression, Options, WalSync};

/// The largest `--num`: keys have 16 decimal digits, and more takes days.
const NUM_MAX: u64 = 1_000_000_000;
/// Most threads of a benchmark.
const THREADS_MAX: u64 = 64;
/// Longest prefix of keys \[bytes\].
const KEY_PREFIX_MAX: u64 = 1 << 10;
/// As for `fill` \[bytes\].
const VALUE_BYTES_MAX: u64 = 16 << 20;

/// Settings of all benchmarks of one command.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Entries.
    pub(super) num: u64,
    /// Reads of a read benchmark.
    pub(super) reads: u64,
    /// Length of a value \[bytes\].
    pub(super) value_bytes: usize,
    /// Compressed size of a value, in thousandths of its size.
    pub(super) ratio_thousandths: u64,
    /// Whether single operations are timed.
    pub(super) histogram: bool,
    /// Whether the database in `db` is used as it is.
    pub(super) use_existing: bool,
    /// Directory, when one was named.
    pub(super) db: Option<String>,
    /// Threads that run a benchmark.
    pub(super) threads: u64,
    /// Whether comparisons of gets are counted.
    pub(super) comparisons: bool,
    /// Letters before the digits of a key.
    key_prefix: usize,
    /// Seed of keys and values.
    pub(super) seed: u64,
    /// Options of the database, without its maintenance mode.
    pub(super) options: Options,
}

impl Settings {
    /// Reads and checks the flags.
    ///
    /// # Errors
    /// A sentence about the first wrong one.
    pub(super) fn read(args: &Args) -> Result<Self, Failure> {
        let number = |name, default| Ok::<u64, Failure>(args.number(name)?.unwrap_or(default));
        let num = number("--num", 100_000)?;
        let value_bytes = number("--value_size", 100)?;
        let (threads, key_prefix) = (number("--threads", 1)?, number("--key_prefix", 0)?);
        let limits = [
            ("--num", num, 1, NUM_MAX),
            ("--value_size", value_bytes, 0, VALUE_BYTES_MAX),
            ("--threads", threads, 1, THREADS_MAX),
            ("--key_prefix", key_prefix, 0, KEY_PREFIX_MAX),
        ];
        for (name, value, min, max) in limits {
            if !(min..=max).contains(&value) {
                let message = format!("{name} is {value}, but must be {min} to {max}");
                return Err(args.verb.misused(message));
            }
        }
        let (db, use_existing) = (args.string("--db"), on(args, "--use_existing_db", false)?);
        if use_existing && db.is_none() {
            return Err(args
                .verb
                .misused("--use_existing_db needs --db: there is no other database"));
        }
        if on(args, "--reuse_logs", false)? {
            let message = "--reuse_logs=1 is not possible: each opening begins a new log, because records \
                           appended after a torn record would make it look like damage";
            return Err(args.verb.misused(message));
        }
        Ok(Self {
            num,
            reads: number("--reads", num)?,
            value_bytes: usize::try_from(value_bytes).unwrap_or(0),
            ratio_thousandths: ratio(args, args.string("--compression_ratio").as_deref())?,
            histogram: on(args, "--histogram", false)?,
            use_existing,
            db,
            threads,
            comparisons: on(args, "--comparisons", false)?,
            key_prefix: usize::try_from(key_prefix).unwrap_or(0),
            seed: number("--seed", 301)?,
            options: options(args)?,
        })
    }

    /// The key with this number: the prefix, then 16 decimal digits.
    pub(super) fn key(&self, number: u64) -> Vec<u8> {
        let mut key = vec![b'a'; self.key_prefix];
        key.extend_from_slice(format!("{number:016}").as_bytes());
        key
    }

    /// Length of a key \[bytes\].
    pub(super) fn key_bytes(&self) -> u64 {
        self.key_prefix as u64 + 16
    }

    /// Length of a compressed value, after `--compression_ratio` \[bytes\].
    pub(super) fn compressed_bytes(&self) -> u64 {
        if self.options.compression == Compression::None {
            return self.value_bytes as u64;
        }
        (self.value_bytes as u64 * self.ratio_thousandths + 500) / 1000
    }
}

/// Whether `flag` is 1; `usual` without it.
fn on(args: &Args, flag: &str, usual: bool) -> Result<bool, Failure> {
    match args.number(flag)? {
        None => Ok(usual),
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        Some(_) => Err(args.verb.misused(format!("{flag} takes 0 or 1"))),
    }
}

/// Reads `0.5` as 500; at most three digits count.
fn ratio(args: &Args, text: Option<&str>) -> Result<u64, Failure> {
    let Some(text) = text else { return Ok(500) };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    let value = match (whole, digits(&part)) {
        ("0" | "", true) => part.parse().ok(),
        ("1", true) if part == "000" => Some(1000),
        _ => None,
    };
    value.filter(|thousandths| *thousandths > 0).ok_or_else(|| {
        let shown = crate::text::printable(text);
        args.verb.misused(format!("--compression_ratio is above 0 and at most 1, not {shown}"))
    })
}

fn options(args: &Args) -> Result<Options, Failure> {
    const NAMES: &[(&str, &str)] = &[
        ("--write_buffer_size", "memtable_bytes"),
        ("--max_file_size", "table_bytes"),
        ("--block_size", "block_bytes"),
        ("--cache_size", "cache_bytes"),
        ("--bloom_bits", "bloom_bits"),
        ("--open_files", "open_tables_max"),
    ];
    let mut options = Options::default().wal_sync(WalSync::None);
    for (flag, option) in NAMES {
        if let Some(value) = args.number(flag)? {
            options.set(option, &value.to_string())?;
        }
    }
    if !on(args, "--compression", true)? {
        options.compression = Compression::None;
    }
    options.validate()?;
    Ok(options)
}
