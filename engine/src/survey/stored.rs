//! What a directory keeps, as its manifest says: for looking at it, without opening it.

use super::files::Role;
use super::frame::Frame;
use crate::flaw::salvage;
use crate::storage::{FileName, Storage};
use crate::view::TableInfo;
use crate::{Error, Result};

/// What the manifest of a directory says of its files.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The manifest that counts, or the newest one while none does.
    pub manifest: Option<FileName>,
    /// The tables of each level, L0 first: by run, newest first, then by key. Missing ones are among them.
    /// Empty when no manifest that counts can be read.
    pub levels: Vec<Vec<TableInfo>>,
    /// What the files lack, as sentences: tables and a log that are missing, places that are damaged.
    pub flaws: Vec<Error>,
    /// Files that nothing needs: opening the database deletes them.
    pub obsolete: Vec<FileName>,
}

impl Stored {
    /// Reads `CURRENT` and the manifest in `storage`. Without a manifest that can be read no level is known.
    ///
    /// # Errors
    /// Those of listing the files; `WouldBlock`.
    pub fn read(storage: &dyn Storage) -> Result<Self> {
        let names = storage.list()?;
        let names: Vec<_> = names.iter().filter_map(|name| FileName::parse(name)).collect();
        let mut flaws = Vec::new();
        let mut note = |flaw: Error| {
            flaws.push(flaw.clone());
            salvage(flaw)
        };
        let mut frame = Frame::read(storage, names.clone(), &mut note)?;
        frame.require_log(storage, &mut note)?;
        let manifest = frame.manifest.as_ref().map(|manifest| manifest.log.name());
        let Some(state) = &frame.state else {
            return Ok(Self { manifest, levels: Vec::new(), flaws, obsolete: Vec::new() });
        };
        let tables = |level| state.version.level(level).map(|meta| meta.info()).collect();
        let levels = (0..state.version.level_count().max(1)).map(tables).collect();
        let obsolete = |name: &FileName| frame.role(*name) == Role::Spare;
        let obsolete = names.into_iter().filter(obsolete).collect();
        Ok(Self { manifest, levels, flaws, obsolete })
    }
}
