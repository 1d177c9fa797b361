//! The live entries of a family, for a copy.

use crate::directory::Directory;
use crate::read::{RowValue, Scan, Snapshot};
use crate::text::escaped;
use crate::{Error, ErrorKind, Problem, Result};

/// A walk over the live entries of a family. Entries that cannot be read, and values that are not plain bytes, end it
/// with an error: a copy that is not whole must not pass for one.
pub struct LiveEntries<'d> {
    scan: Scan<'d>,
}

impl<'d> LiveEntries<'d> {
    /// Before the first entry of the family.
    ///
    /// # Errors
    /// There is no such family, its order of keys is not known, or a part of it cannot be read.
    pub fn new(directory: &'d Directory<'_>, family: u32) -> Result<Self> {
        let mut scan = directory.scan(family, None, None, Snapshot::default())?;
        scan.first()?;
        Ok(Self { scan })
    }

    /// Key and value of the next entry; `None` at the end.
    ///
    /// # Errors
    /// A part of the family cannot be read; a value has columns or operands of a merge.
    pub fn next_entry(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        let row = self.scan.next_row()?;
        if let Some(problem) = self.scan.problems().first() {
            return Err(error_of(problem));
        }
        let Some(row) = row else { return Ok(None) };
        match row.value {
            RowValue::Bytes(value) => Ok(Some((row.key, value))),
            RowValue::Columns(_) | RowValue::Merge { .. } => {
                let message = format!(
                    "the value of \"{}\" has columns or operands, not plain bytes",
                    escaped(&row.key)
                );
                Err(Error::new(ErrorKind::Invalid, message))
            }
        }
    }
}

fn error_of(problem: &Problem) -> Error {
    let error = Error::new(ErrorKind::Damaged, problem.message.clone()).in_file(&problem.file);
    match problem.offset {
        Some(offset) => error.at(offset),
        None => error,
    }
}
