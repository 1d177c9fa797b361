//! Refuses directories whose files only have names of the engine.

use crate::{Likeness, recognize};
use levelscope::internals::survey::Survey;
use levelscope::storage::{Storage, read_at_most};
use levelscope::{Error, ErrorKind, Result};

/// Files are looked at up to this length \[bytes\].
const LOOKED_AT_BYTES_MAX: u64 = 64 << 20;

/// Refuses a directory in which a file is called like one of the engine, has another format that is known, and
/// nothing proves a database: checking or repairing it would call it damaged.
///
/// # Errors
/// `UnsupportedFormat` with the file's format; `WouldBlock` and those of the storage.
pub fn refuse_other_formats(storage: &dyn Storage) -> Result<()> {
    let Some(name) = Survey::of(storage)?.doubtful() else { return Ok(()) };
    let file = storage.open(name)?;
    let bytes = read_at_most(&*file, name, 0, file.len()?.min(LOOKED_AT_BYTES_MAX))?;
    let found = recognize(&name.to_string(), &bytes);
    let known = found.first().filter(|found| found.likeness >= Likeness::Likely);
    let Some(info) = known.map(|found| found.format.info()) else { return Ok(()) };
    let message = format!(
        "this directory holds no database of Levelscope: {name} is a {} ({}); nothing in it was changed: \
         `levelscope inspect DIR` lists the formats of its files",
        info.name, info.id
    );
    Err(Error::new(ErrorKind::UnsupportedFormat, message))
}
