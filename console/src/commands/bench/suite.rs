//! The benchmarks, by the names that `LevelDB`'s `db_bench` gives them.

use super::settings::Settings;
use crate::language::Args;
use crate::output::Failure;
use std::collections::VecDeque;

/// One benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Benchmark {
    /// Its name.
    pub(super) name: &'static str,
    /// Kind of its operations.
    pub(super) kind: Kind,
    /// Operations: `--num` or `--reads`, divided by this.
    divisor: u64,
}

/// Kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One put.
    Put { keys: Keys, sync: bool, fresh: bool },
    /// One batch of puts.
    Batch,
    /// One put of 100,000 bytes.
    PutLarge,
    /// One delete.
    Delete(Keys),
    /// One step of an iterator over everything.
    Scan { reverse: bool },
    /// One get.
    Get { missing: bool, hot: bool },
    /// One seek.
    Seek { ordered: bool },
    /// Closing and opening.
    Open,
    /// The checksum of 4,096 bytes.
    Checksum,
    /// Everything into the deepest level.
    Compact,
    /// Nothing: figures are printed.
    Stats,
    /// Nothing: the tables of each level are printed.
    Tables,
}

/// The order of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Sequential,
    /// Drawn one by one, so that some come twice and some never.
    Random,
}

const fn of(name: &'static str, kind: Kind, divisor: u64) -> Benchmark {
    Benchmark { name, kind, divisor }
}

const fn put(keys: Keys, sync: bool, fresh: bool) -> Kind {
    Kind::Put { keys, sync, fresh }
}

const ALL: &[Benchmark] = &[
    of("fillseq", put(Keys::Sequential, false, true), 1),
    of("fillrandom", put(Keys::Random, false, true), 1),
    of("fillbatch", Kind::Batch, 1),
    of("overwrite", put(Keys::Random, false, false), 1),
    of("fillsync", put(Keys::Random, true, true), 1000),
    of("fill100K", Kind::PutLarge, 1000),
    of("deleteseq", Kind::Delete(Keys::Sequential), 1),
    of("deleterandom", Kind::Delete(Keys::Random), 1),
    of("readseq", Kind::Scan { reverse: false }, 1),
    of("readreverse", Kind::Scan { reverse: true }, 1),
    of("readrandom", Kind::Get { missing: false, hot: false }, 1),
    of("readmissing", Kind::Get { missing: true, hot: false }, 1),
    of("readhot", Kind::Get { missing: false, hot: true }, 1),
    of("seekrandom", Kind::Seek { ordered: false }, 1),
    of("seekordered", Kind::Seek { ordered: true }, 1),
    of("open", Kind::Open, 10_000),
    of("crc32c", Kind::Checksum, 1),
    of("compact", Kind::Compact, 1),
    of("stats", Kind::Stats, 1),
    of("sstables", Kind::Tables, 1),
];

/// The benchmarks that run by default.
const USUAL: &str = "fillseq,fillsync,fillrandom,overwrite,readrandom,readseq,readreverse,compact,\
                     readrandom,readseq,readreverse,fill100K,crc32c";

impl Benchmark {
    /// Whether it begins with an empty database.
    pub(super) fn is_fresh(&self) -> bool {
        matches!(self.kind, Kind::Put { fresh: true, .. } | Kind::Batch | Kind::PutLarge)
    }

    /// Whether it is run by one thread only.
    pub(super) fn is_alone(&self) -> bool {
        matches!(self.kind, Kind::Open | Kind::Compact)
    }

    /// How many operations it makes.
    pub(super) fn operations(&self, settings: &Settings) -> u64 {
        let count = match self.kind {
            Kind::Scan { .. } | Kind::Get { .. } | Kind::Seek { .. } => settings.reads,
            Kind::Compact | Kind::Stats | Kind::Tables => 1,
            // 500 MB of checksums.
            Kind::Checksum => 128_000,
            _ => settings.num,
        };
        (count / self.divisor).max(1)
    }
}

/// The benchmarks that the words and `--benchmarks` ask for, in their order.
///
/// # Errors
/// A name that does not exist.
pub(super) fn chosen(args: &Args) -> Result<VecDeque<&'static Benchmark>, Failure> {
    let mut names: Vec<String> = Vec::new();
    let listed = args.value("--benchmarks").into_iter();
    for word in args.words.iter().chain(listed) {
        let text = String::from_utf8_lossy(&word.bytes);
        names.extend(text.split(',').filter(|name| !name.is_empty()).map(str::to_owned));
    }
    if names.is_empty() {
        names.extend(USUAL.split(',').map(str::to_owned));
    }
    names
        .iter()
        .map(|name| {
            ALL.iter().find(|benchmark| benchmark.name == name).ok_or_else(|| {
                let shown = crate::text::printable(name);
                let failure = Failure::usage(format!("there is no benchmark {shown}"));
                let all: Vec<&str> = ALL.iter().map(|benchmark| benchmark.name).collect();
                match crate::language::closest(name, all.iter().copied()) {
                    Some(meant) => failure.hint(format!("did you mean {meant}?")),
                    None => failure.hint(format!("there are: {}", all.join(" "))),
                }
            })
        })
        .collect()
}
