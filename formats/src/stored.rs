//! What a directory keeps, level by level, as its manifest says.

use crate::leveldb::{Files, stored_leveldb};
use crate::recognize;
use levelscope::internals::sorting;
use levelscope::internals::survey::Stored;
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::view::TableInfo;
use levelscope::{Error, Result};

/// Bytes of a table or log that are copied \[bytes\].
const HEAD_BYTES: usize = 64;

/// A table that a manifest names.
#[derive(Debug, Clone)]
pub struct StoredTable {
    /// The name of its file.
    pub name: String,
    /// Whether there is such a file.
    pub is_there: bool,
    /// What the manifest says of it; what it does not say is 0.
    pub info: TableInfo,
}

/// What the manifest of a directory says of its files.
#[derive(Debug, Clone, Default)]
pub struct StoredFiles {
    /// The manifest that counts.
    pub manifest: Option<String>,
    /// The tables of each level, L0 first: newest first, then by key. Empty when the manifest cannot be read whole.
    pub levels: Vec<Vec<StoredTable>>,
    /// The comparator that the manifest names, when it is not the bytewise one.
    pub other_order: Option<String>,
    /// The logs that count, oldest first.
    pub logs: Vec<String>,
    /// What is damaged or missing, as far as `CURRENT` and the manifest tell.
    pub flaws: Vec<Error>,
    /// Files that nothing needs.
    pub obsolete: Vec<String>,
}

impl StoredFiles {
    /// Reads `CURRENT` and the manifest among `files`; `None` when that is no database of Levelscope or `LevelDB`.
    ///
    /// # Errors
    /// Those of `files`.
    pub fn read(files: &dyn Files) -> Result<Option<Self>> {
        let names = files.names()?;
        if !names.iter().any(|name| name == "CURRENT") {
            return Ok(None);
        }
        let current = files.read("CURRENT")?;
        let best = recognize("CURRENT", &current).first().map(|best| best.format.info().id);
        match best {
            Some("levelscope-current") => own(files, &names).map(Some),
            Some("leveldb-current") => stored_leveldb(files, &names, &current).map(Some),
            _ => Ok(None),
        }
    }
}

/// Of a database of the engine's own.
fn own(files: &dyn Files, names: &[String]) -> Result<StoredFiles> {
    let disk = MemoryStorage::default();
    for name in names {
        let bytes = files.read(name)?;
        match FileName::parse(name) {
            None | Some(FileName::Lock) => {}
            // Of these it only counts that they are there and not empty.
            Some(FileName::Table(_) | FileName::Wal(_)) => {
                disk.put(name, bytes.get(..HEAD_BYTES).unwrap_or(&bytes));
            }
            Some(_) => disk.put(name, &bytes),
        }
    }
    let stored = Stored::read(&disk)?;
    let table = |info: TableInfo| {
        let name = FileName::Table(info.table).to_string();
        StoredTable { is_there: names.contains(&name), name, info }
    };
    let levels = stored.levels.into_iter();
    let spare: Vec<String> = stored.obsolete.iter().map(ToString::to_string).collect();
    let mut logs: Vec<u64> = names
        .iter()
        .filter(|name| !spare.contains(name))
        .filter_map(|name| match FileName::parse(name) {
            Some(FileName::Wal(number)) => Some(number),
            _ => None,
        })
        .collect();
    sorting::sort(&mut logs);
    Ok(StoredFiles {
        manifest: stored.manifest.map(|name| name.to_string()),
        other_order: None,
        levels: levels.map(|tables| tables.into_iter().map(table).collect()).collect(),
        logs: logs.into_iter().map(|number| FileName::Wal(number).to_string()).collect(),
        flaws: stored.flaws,
        obsolete: spare,
    })
}
