//! What the files of one directory say of each other.

use super::recognize::has_extension;
use super::{FormatInfo, leveldb, recognize};
use levelscope::Error;
use levelscope::inspect::shown;
use levelscope::internals::sorting;
use levelscope::internals::survey::{Program, ROCKS_MAGIC, program_of};

/// How the reason begins for not searching a table.
pub(super) const OTHER_ORDER: &str = "the order of the keys, which is not bytewise";

/// The files of one directory, judged together: whose database they are, and which tables it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// The program whose database it is; `None`: no file in it is of only one program.
    pub program: Option<Program>,
    /// Whether it can be opened as a database: of Levelscope, or imported from `LevelDB`.
    pub is_database: bool,
    /// The comparator that the manifest of `LevelDB` names.
    comparator: Option<Vec<u8>>,
    /// The numbers of the tables that the manifest of `LevelDB` needs.
    needed: Vec<u64>,
}

impl Directory {
    /// Judges `files`: their names, without directories, and their content.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let files = sorting::map(files);
        let program = files.iter().filter_map(|(name, file)| sign(name, file)).max();
        let current = files.get("CURRENT").copied().unwrap_or_default();
        let best = recognize("CURRENT", current).first().map(|best| best.format.info().id);
        let is_read = matches!(program, None | Some(Program::LevelDb));
        let is_database = is_read && matches!(best, Some("levelscope-current" | "leveldb-current"));
        let manifest = leveldb::manifest_named(current)
            .and_then(|name| files.get(std::str::from_utf8(name).ok()?).copied());
        let (comparator, needed) = manifest.map(leveldb::named_by).unwrap_or_default();
        Self { program, is_database, comparator, needed }
    }

    /// Judges the keys of a table of `LevelDB` that are not in bytewise order, in the block at `offset` \[bytes\].
    /// `Corruption`: the manifest names that order. `UnsupportedFormat`: it names another one, or there is none.
    pub fn judge_order(&self, offset: u64) -> Error {
        let why = match &self.comparator {
            Some(known) if known == leveldb::COMPARATOR => {
                return Error::damaged_at(offset, "the keys are not in bytewise order");
            }
            Some(other) => format!("{}, as the manifest says", shown(other)),
            None => {
                "a comparator that only the manifest names, unless their content is wrong".into()
            }
        };
        let what = format!("{OTHER_ORDER}: they were sorted by {why}; every entry is listed");
        Error::not_read_at(offset, what)
    }

    /// Whether the manifest names the table in the file `name`.
    pub fn needs(&self, name: &str) -> bool {
        leveldb::numbered(name, &["ldb", "sst"]).is_some_and(|number| self.needed.contains(&number))
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

impl FormatInfo {
    /// The name of a file of this format in a directory of `program`. `is_later`: the file has what
    /// `LevelDB` does not write.
    pub fn name_in(&self, program: Option<Program>, is_later: bool) -> String {
        let Some(noun) = self.shared else { return self.name.to_owned() };
        match program {
            Some(program @ (Program::RocksDb | Program::Pebble)) => format!("{noun} of {program}"),
            _ if is_later => format!("{noun} of RocksDB or Pebble"),
            Some(Program::LevelDb) => format!("{noun} of LevelDB"),
            _ => self.name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    const CURRENT: (&str, &[u8]) = ("CURRENT", b"MANIFEST-000005\n");

    #[test]
    fn the_files_around_it_tell_whose_a_file_of_a_shared_form_is() {
        let log: (&str, &[u8]) = ("000011.log", b"");
        let name = |files: &[(&str, &[u8])], later: bool| {
            let program = Directory::of(files.iter().copied()).program;
            find("leveldb-current").unwrap().info().name_in(program, later)
        };
        assert_eq!(name(&[CURRENT, log], false), "CURRENT of LevelDB or RocksDB");
        assert_eq!(name(&[CURRENT, log], true), "CURRENT of RocksDB or Pebble");
        assert_eq!(name(&[CURRENT, ("000005.ldb", b"")], false), "CURRENT of LevelDB");
        for sign in ["IDENTITY", "OPTIONS-000007"] {
            assert_eq!(name(&[CURRENT, log, (sign, b"x")], false), "CURRENT of RocksDB");
        }
        let table: (&str, &[u8]) = ("000010.sst", &ROCKS_MAGIC);
        assert_eq!(name(&[CURRENT, table], false), "CURRENT of RocksDB");
        let marker: (&str, &[u8]) = ("marker.manifest.000001.MANIFEST-000001", b"");
        assert_eq!(name(&[CURRENT, table, marker], false), "CURRENT of Pebble");
        let table = find("leveldb-table").unwrap().info();
        assert_eq!(table.name_in(Some(Program::RocksDb), false), "table of LevelDB");
    }

    #[test]
    fn a_directory_of_rocksdb_is_no_database_that_can_be_opened() {
        let of = |files: &[(&str, &[u8])]| Directory::of(files.iter().copied()).is_database;
        assert!(of(&[CURRENT, ("000005.ldb", b"")]));
        assert!(!of(&[CURRENT, ("IDENTITY", b"")]));
        assert!(!of(&[("CURRENT", b"something else")]));
        assert!(!of(&[("000005.ldb", b"")]));
    }
}
