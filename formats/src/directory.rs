//! Judges the files of one directory together.

use super::recognize::has_extension;
use levelscope::internals::survey::{Program, ROCKS_MAGIC, program_of};

/// The files of one directory, judged together: the owner of the database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// The program that owns the database; `None`: no file in it is of only one program.
    pub program: Option<Program>,
}

impl Directory {
    /// Judges `files`: their names, without directories, and their ends.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        Self { program: files.into_iter().filter_map(|(name, file)| sign(name, file)).max() }
    }
}

/// The only program that writes such a file.
fn sign(name: &str, file: &[u8]) -> Option<Program> {
    if file.ends_with(&ROCKS_MAGIC) {
        return Some(Program::RocksDb);
    }
    match program_of(name)? {
        // RocksDB and Pebble call their logs so as well.
        Program::LevelDb if has_extension(name, "log") => None,
        program => Some(program),
    }
}
