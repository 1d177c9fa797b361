//! Directories of RocksDB, Pebble and LevelDB, looked at without being changed.

mod files;

use files::NativeFiles;
use std::path::Path;

/// The directory at `path` as JSON; `None` when it is no database of these engines.
pub(super) fn inspect_json(path: &Path) -> Option<serde_json::Value> {
    let files = NativeFiles::open(path).ok()?;
    levelscope_foreign::recognize(&files).ok()?;
    Some(levelscope_foreign::summary::summarize(&files))
}
