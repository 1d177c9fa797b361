//! Files of no known format, judged by their magic numbers and names.

use super::Directory;
use super::other_programs::{begins_with_frame, of_badger, of_git};
use super::recognize::has_extension;
use levelscope::internals::survey::{self, LEVEL_MAGIC, Program, ROCKS_MAGIC};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};

/// Last bytes of files of `LevelDB`, `RocksDB` and Pebble.
const ENDS: &[([u8; 8], &str)] = &[
    (LEVEL_MAGIC, "a table of LevelDB"),
    (ROCKS_MAGIC, "a table of RocksDB"),
    ([0xf0, 0x9f, 0xaa, 0xb3, 0xf0, 0x9f, 0xaa, 0xb3], "a table of Pebble"),
    ([0xf0, 0x9f, 0xaa, 0xb3, 0xf0, 0x9f, 0xa6, 0x80], "a blob file of Pebble"),
    ([0xf0, 0x9f, 0xaa, 0xb3, 0xf0, 0x9f, 0xa6, 0x82], "a blob file of Pebble"),
    ([0xb8, 0x13, 0x8f, 0x7a, 0xeb, 0x18, 0x34, 0x4f], "a plain table of RocksDB"),
    ([0x64, 0x95, 0xbf, 0x63, 0x96, 0x22, 0x42, 0x82], "a plain table of RocksDB"),
    ([0x73, 0x78, 0xf1, 0xc5, 0xd0, 0x89, 0x67, 0x92], "a cuckoo table of RocksDB"),
];

/// First bytes of blob files of `RocksDB`: magic and version.
const BLOB_BEGIN: [u8; 8] = [0x37, 0x8f, 0x24, 0x00, 0x01, 0x00, 0x00, 0x00];

/// Program that reads such files.
const READ_BY: &str =
    "which `levelscope FILE --read-only` reads, and a page to which it is given by itself";

/// Judges a file of no known format. `UnsupportedFormat`: its content or its name is that of another program, whose
/// files are not read here. `Corruption`: it is called like a file that is read here, and is none. `None`: nothing is
/// known, or it is empty. `name` has no directories.
pub fn judge_unknown(name: &str, file: &[u8], directory: &Directory) -> Option<Error> {
    let not_read = |what: &str| {
        let message = format!("this is {what}, which Levelscope does not read");
        Some(Error::new(ErrorKind::UnsupportedFormat, message))
    };
    let read_alone = |what: &str| {
        let message = format!("this is {what}, {READ_BY}");
        Some(Error::new(ErrorKind::UnsupportedFormat, message))
    };
    if let Some(what) = of_git(file) {
        return Some(Error::new(ErrorKind::UnsupportedFormat, format!("this is {what}")));
    }
    if let Some(what) = of_badger(name, file) {
        return not_read(what);
    }
    if let Some((_, what)) = ENDS.iter().find(|(magic, _)| file.ends_with(magic)) {
        return read_alone(what);
    }
    if file.starts_with(&BLOB_BEGIN) {
        return read_alone("a blob file of RocksDB");
    }
    if begins_with_frame(file) {
        return read_alone("a log or a manifest of LevelDB, RocksDB or Pebble");
    }
    if name == "CURRENT" && file.starts_with(b"MANIFEST-") {
        return read_alone("CURRENT of LevelDB, RocksDB or Pebble");
    }
    match survey::program_of(name) {
        Some(program @ (Program::RocksDb | Program::Pebble)) => {
            // Both write files of such names; the others of the directory decide between them.
            let both = |program: &Program| matches!(program, Program::RocksDb | Program::Pebble);
            let program = directory.program.filter(both).unwrap_or(program);
            return read_alone(&format!("called like a file of {program}"));
        }
        Some(Program::Badger) => return not_read("called like a file of Badger"),
        Some(Program::FroopyDb) if has_extension(name, "sst") => {
            return without_end(file, "a table of FroopyDB");
        }
        Some(Program::FroopyDb) if !is_blank(file) => {
            return Some(without_begin(file, "a log of FroopyDB"));
        }
        _ => {}
    }
    by_name(name, file)
}

/// Whether there is nothing but zeros: space of a log that was never used.
fn is_blank(file: &[u8]) -> bool {
    levelscope::internals::coding::is_zero(file)
}

/// The damage of a file that is called like one of a database, and is none.
fn by_name(name: &str, file: &[u8]) -> Option<Error> {
    let is_blank = is_blank(file);
    match FileName::parse(name) {
        Some(FileName::Table(_)) => without_end(file, "a table"),
        None if is_numbered(name, "ldb") => without_end(file, "a table of LevelDB"),
        Some(FileName::Manifest(_)) => Some(without_begin(file, "a manifest")),
        Some(FileName::Current) => Some(without_begin(file, "a CURRENT file")),
        Some(FileName::Wal(_)) if !is_blank => Some(without_begin(file, "a log of Levelscope")),
        None if is_numbered(name, "log") && !is_blank => {
            Some(without_begin(file, "a log of LevelDB"))
        }
        _ => None,
    }
}

/// Whether the file `name` is called by a number, a dot and `extension`.
fn is_numbered(name: &str, extension: &str) -> bool {
    let digits = name.strip_suffix(extension).and_then(|name| name.strip_suffix('.'));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn without_begin(file: &[u8], what: &str) -> Error {
    if file.is_empty() {
        return Error::ends_at(0, format!("{what} is never empty"));
    }
    Error::damaged_at(
        0,
        format!("the file is called like {what}, but is none: it does not begin like one"),
    )
}

/// Tables end in a magic number of eight bytes. A crash leaves an empty one when it strikes before the first block is
/// written.
fn without_end(file: &[u8], what: &str) -> Option<Error> {
    if file.is_empty() {
        return None;
    }
    Some(match file.len().checked_sub(8) {
        Some(at) => {
            let why =
                format!("the file is called like {what}, but is none: it does not end like one");
            Error::damaged_at(at as u64, why)
        }
        None => Error::ends_at(file.len() as u64, format!("{what} ends in a footer")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(name: &str, file: &[u8]) -> Option<Error> {
        judge_unknown(name, file, &Directory::default())
    }

    #[test]
    fn a_file_that_is_called_like_one_of_a_database_and_is_none_is_damaged() {
        let noise: Vec<u8> = (0..99).collect();
        for (name, offset) in [
            ("000005.sst", 91),
            ("000005.ldb", 91),
            ("0_3.sst", 91),
            ("000005.log", 0),
            ("1795221886453_9007.log", 0),
            ("000005.wal", 0),
            ("MANIFEST-000005", 0),
            ("CURRENT", 0),
        ] {
            let error = judge(name, &noise).unwrap();
            assert_eq!(
                (error.kind(), error.offset()),
                (ErrorKind::Corruption, Some(offset)),
                "{name}"
            );
        }
        for name in ["picture.png", "build.log", "lorem.sst", "LOCK", "MANIFEST", "notes.ldb"] {
            assert_eq!(judge(name, &noise), None, "{name}");
        }
    }

    #[test]
    fn an_empty_file_is_damaged_unless_a_crash_may_leave_it() {
        for name in ["MANIFEST-000005", "CURRENT"] {
            let error = judge(name, b"").unwrap();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Corruption, None), "{name}");
            assert!(error.to_string().starts_with("the file ends at byte 0: "), "{error}");
        }
        for name in ["000005.log", "1795221886453_9007.log", "000005.wal", "LOCK", "notes"] {
            assert_eq!(judge(name, b""), None, "{name}");
            assert_eq!(judge(name, &[0; 64]), None, "{name}");
        }
        for name in ["000005.sst", "000005.ldb", "0_3.sst"] {
            assert_eq!(judge(name, b""), None, "{name}");
            assert!(judge(name, &[0; 64]).is_some(), "{name}");
        }
    }

    #[test]
    fn the_directory_decides_between_two_programs_with_the_same_name() {
        let options = ("OPTIONS-000003", &b"[Version]"[..]);
        let marker = ("marker.manifest.000001.MANIFEST-000001", &b""[..]);
        for (files, program) in [(&[options, marker][..], "Pebble"), (&[options], "RocksDB")] {
            let directory = Directory::of(files.iter().copied());
            for name in [options.0, "000018.blob"] {
                let error = judge_unknown(name, options.1, &directory).unwrap();
                let expected = format!("called like a file of {program},");
                assert!(error.message().contains(&expected), "{name}: {error}");
            }
        }
    }

    #[test]
    fn files_of_other_programs_are_not_damaged() {
        let pebble = [&[7; 50][..], &ENDS[2].0].concat();
        let blob = [&BLOB_BEGIN[..], &[1; 40]].concat();
        for (name, file) in [
            ("000005.sst", &pebble[..]),
            ("x", &blob),
            ("000018.blob", b"short"),
            ("OPTIONS-000007", b"[Version]"),
            ("marker.manifest.000001.MANIFEST-000001", b""),
        ] {
            let error = judge(name, file).unwrap();
            assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{name}");
        }
    }
}
