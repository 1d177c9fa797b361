//! Files of no known format, judged by their owners and names.

use super::other_programs::{of_badger, of_git};
use super::recognize::has_extension;
use levelscope::internals::coding::is_zero;
use levelscope::internals::survey::{self, Program};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};

/// Program that reads such files.
const READ_BY: &str =
    "which `levelscope FILE --read-only` reads, and a page to which it is given by itself";

/// Judges a file of no known format. `UnsupportedFormat`: its content or its name is that of another program, whose
/// files are not read here. `Corruption`: it is called like a file that is read here, and is none. `None`: nothing is
/// known, or it is empty. `name` has no directories; `owner`: the engine whose file it is by its content.
pub fn judge_unknown(name: &str, file: &[u8], owner: Option<&str>) -> Option<Error> {
    let unread =
        |what: String| Some(Error::new(ErrorKind::UnsupportedFormat, format!("this is {what}")));
    let not_read = |what: &str| unread(format!("{what}, which Levelscope does not read"));
    let read_alone = |what: String| unread(format!("{what}, {READ_BY}"));
    if let Some(what) = of_git(file) {
        return unread(what);
    }
    if let Some(what) = of_badger(name, file) {
        return not_read(what);
    }
    if let Some(owner) = owner {
        return read_alone(format!("a file of {owner}"));
    }
    match survey::program_of(name) {
        Some(program @ (Program::RocksDb | Program::Pebble)) => {
            return read_alone(format!("called like a file of {program}"));
        }
        Some(Program::Badger) => return not_read("called like a file of Badger"),
        Some(program @ (Program::FroopyDb | Program::LevelDb)) => {
            if !has_extension(name, "log") {
                return without_end(file, &format!("a table of {program}"));
            }
            // Zeros are space of a log that was never used.
            return (!is_zero(file)).then(|| without_begin(file, &format!("a log of {program}")));
        }
        _ => {}
    }
    match FileName::parse(name)? {
        FileName::Table(_) => without_end(file, "a table"),
        FileName::Manifest(_) => Some(without_begin(file, "a manifest")),
        FileName::Current => Some(without_begin(file, "a CURRENT file")),
        FileName::Wal(_) if !is_zero(file) => Some(without_begin(file, "a log of Levelscope")),
        _ => None,
    }
}

fn without_begin(file: &[u8], what: &str) -> Error {
    if file.is_empty() {
        return Error::ends_at(0, format!("{what} is never empty"));
    }
    let why = format!("the file is called like {what}, but is none: it does not begin like one");
    Error::damaged_at(0, why)
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
        judge_unknown(name, file, None)
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
    fn files_of_other_programs_are_not_damaged() {
        for (name, file) in [
            ("000018.blob", &b"short"[..]),
            ("OPTIONS-000007", b"[Version]"),
            ("marker.manifest.000001.MANIFEST-000001", b""),
        ] {
            let error = judge(name, file).unwrap();
            assert_eq!(error.kind(), ErrorKind::UnsupportedFormat, "{name}");
        }
        let error = judge_unknown("000005.sst", b"any", Some("Pebble")).unwrap();
        assert!(error.message().starts_with("this is a file of Pebble, which"), "{error}");
    }
}
