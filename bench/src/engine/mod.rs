//! The operations of every engine, with as little code between the workload and the engine as possible.

#[cfg(feature = "fjall")]
mod fjall;
#[cfg(feature = "leveldb")]
mod leveldb;
mod levelscope;
#[cfg(feature = "rocksdb")]
mod rocks;
#[cfg(feature = "surrealkv")]
mod surreal;

use crate::failure::{Failure, Outcome};
use crate::settings::Settings;
use std::path::Path;

/// An open database of some engine.
pub trait Engine: Send + Sync {
    /// Sets one key, logged but not synced.
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()>;

    /// Sets one key, durable on return.
    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()>;

    /// Sets all `pairs` as one, logged but not synced.
    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()>;

    /// Deletes one key, logged but not synced.
    fn delete(&self, key: &[u8]) -> Outcome<()>;

    /// Length of the value of `key`, whose bytes have been made available; `None` when there is none.
    fn get(&self, key: &[u8]) -> Outcome<Option<usize>>;

    /// Makes an iterator, seeks to `start` (or to the end that `reverse` implies) and visits up to
    /// `limit` entries, looking at each key and value. Returns how many there were.
    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64>;

    /// Writes the memtable out and waits for the background work that the engine knows of.
    fn settle(&self) -> Outcome<()>;

    /// Merges everything into the deepest level.
    fn compact(&self) -> Outcome<()>;
}

/// An engine that can be measured.
#[derive(Debug, Clone, Copy)]
pub struct EngineInfo {
    /// The name for `--engines`.
    name: &'static str,
    /// The name in tables.
    title: &'static str,
    /// Differences from the common settings.
    differs: &'static str,
    crate_name: &'static str,
}

/// Levelscope with mapped tables; measured where it is asked for.
const MAPPED: &str = "levelscope-mapped";

const ALL: &[EngineInfo] = &[
    EngineInfo {
        name: "levelscope",
        title: "Levelscope",
        crate_name: "levelscope",
        differs: "Snappy; checks the checksum of every block it reads; one thread more, which syncs its log ahead of need.",
    },
    EngineInfo {
        name: MAPPED,
        title: "Levelscope, mapped",
        crate_name: "levelscope-mapped",
        differs: "As Levelscope, with the crate `levelscope-mapped`.",
    },
    #[cfg(feature = "leveldb")]
    EngineInfo {
        name: "leveldb",
        title: "LevelDB",
        crate_name: "leveldb-sys",
        differs: "Snappy; by default it does not check checksums when it reads.",
    },
    #[cfg(feature = "rocksdb")]
    EngineInfo {
        name: "rocksdb",
        title: "RocksDB",
        crate_name: "rust-librocksdb-sys",
        differs: "Snappy; release build without assertions; otherwise its defaults.",
    },
    #[cfg(feature = "fjall")]
    EngineInfo {
        name: "fjall",
        title: "fjall",
        crate_name: "fjall",
        differs: "LZ4, as it has no Snappy, from its third level on (its default); filters and indexes kept outside its cache, as the others do.",
    },
    #[cfg(feature = "surrealkv")]
    EngineInfo {
        name: "surrealkv",
        title: "SurrealKV",
        crate_name: "surrealkv",
        differs: "Snappy; a memtable's size counts its keys only; zeros written ahead in its log, an option of it.",
    },
];

/// The engines that this program was built with; Levelscope comes first.
pub fn known() -> &'static [EngineInfo] {
    ALL
}

impl EngineInfo {
    /// The engine called `name`.
    ///
    /// # Errors
    /// When this program was built without it.
    pub fn named(name: &str) -> Outcome<Self> {
        ALL.iter().copied().find(|known| known.name == name).ok_or_else(|| {
            let names: Vec<_> = ALL.iter().map(|known| known.name).collect();
            format!("no engine {name:?} in this build; it has {}", names.join(", ")).into()
        })
    }

    /// Its names, version and differences, for the report.
    pub fn described(self) -> serde_json::Value {
        let (name, title, differs) = (self.name, self.title, self.differs);
        serde_json::json!({ "name": name, "title": title, "differs": differs, "version": self.version() })
    }

    /// Its version, as the lock file has it.
    fn version(self) -> String {
        if self.name == "leveldb" {
            // The crate has a version of its own; the sources it carries are those of LevelDB 1.22.
            return "1.22".to_owned();
        }
        let lock = include_str!("../../Cargo.lock");
        let wanted = format!("name = \"{}\"", self.crate_name);
        let mut lines = lock.lines().skip_while(|line| *line != wanted);
        let version = lines.nth(1).and_then(|line| line.split('"').nth(1)).unwrap_or("unknown");
        // The version of librocksdb-sys names the bundled RocksDB after the plus.
        version.split_once('+').map_or(version, |(_, carried)| carried).to_owned()
    }

    /// Opens the database in `directory`, or makes one.
    ///
    /// # Errors
    /// Errors of the engine.
    pub fn open(self, directory: &Path, settings: &Settings) -> Outcome<Box<dyn Engine>> {
        match self.name {
            #[cfg(feature = "leveldb")]
            "leveldb" => Ok(Box::new(leveldb::LevelDb::open(directory, settings)?)),
            #[cfg(feature = "rocksdb")]
            "rocksdb" => Ok(Box::new(rocks::Rocks::open(directory, settings)?)),
            #[cfg(feature = "fjall")]
            "fjall" => Ok(Box::new(fjall::Fjall::open(directory, settings)?)),
            #[cfg(feature = "surrealkv")]
            "surrealkv" => Ok(Box::new(surreal::Surreal::open(directory, settings)?)),
            MAPPED => Ok(Box::new(levelscope::Levelscope::open_mapped(directory, settings)?)),
            "levelscope" => Ok(Box::new(levelscope::Levelscope::open(directory, settings)?)),
            _ => Err(Failure::from("this program was built without that engine")),
        }
    }
}
