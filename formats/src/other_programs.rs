//! Files of Git and of Badger, which stand where files of a database are expected.

use super::leveldb::crc32c;
use levelscope::internals::coding::Reader;
use levelscope::text;

/// First bytes of a pointer of Git LFS, which stands in place of a file until that is fetched.
const LFS_BEGIN: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Such pointers are shorter \[bytes\].
const POINTER_BYTES_MAX: usize = 1024;

/// First bytes of a pointer of git-annex.
const ANNEX_BEGIN: &[u8] = b"/annex/objects/";

/// First bytes of a merge conflict that Git has left in a file.
const CONFLICT_BEGIN: &[u8] = b"<<<<<<< ";

/// Longest checksum at the end of a table of Badger \[bytes\].
const BADGER_CHECKSUM_MAX: usize = 64;

/// The substitute that Git has put in place of a file, and the way to get the file.
pub(super) fn of_git(file: &[u8]) -> Option<String> {
    if file.len() < POINTER_BYTES_MAX && file.starts_with(LFS_BEGIN) {
        let size = std::str::from_utf8(file).ok().and_then(|lines| {
            let size = lines.lines().find_map(|line| line.strip_prefix("size "))?;
            size.parse::<u64>().ok()
        });
        let size = size.map(|size| format!(" of {}", text::bytes(size))).unwrap_or_default();
        return Some(format!(
            "a Git LFS pointer in place of a file{size}: `git lfs pull` in its repository fetches that file"
        ));
    }
    if file.len() < POINTER_BYTES_MAX && file.starts_with(ANNEX_BEGIN) {
        let what = "a pointer of git-annex in place of a file: `git annex get` in its repository fetches that file";
        return Some(what.to_owned());
    }
    file.starts_with(CONFLICT_BEGIN).then(|| {
        "a merge conflict that Git has left in place of the file: make a copy, then `git checkout --ours` or \
         `--theirs` takes one of the two"
            .to_owned()
    })
}

/// The kind of Badger's files that `file` is.
pub(super) fn of_badger(name: &str, file: &[u8]) -> Option<&'static str> {
    if file.starts_with(b"Bdgr") {
        return Some("a manifest of Badger");
    }
    if name == "KEYREGISTRY" && file.get(16..).is_some_and(|rest| rest.starts_with(b"Hello Badger"))
    {
        return Some("the key registry of Badger");
    }
    is_badger_table(file).unwrap_or(false).then_some("a table of Badger")
}

/// A table of Badger ends in its index, that index's length, the checksum of the index as a message of protobuf
/// (1: algorithm, 0 stands for CRC-32C; 2: sum), and the checksum's length.
fn is_badger_table(file: &[u8]) -> Option<bool> {
    let (rest, checksum_bytes) = split_length(file)?;
    let at =
        rest.len().checked_sub(checksum_bytes).filter(|_| checksum_bytes <= BADGER_CHECKSUM_MAX)?;
    let (rest, checksum) = rest.split_at_checked(at)?;
    let (rest, index_bytes) = split_length(rest)?;
    let index = rest.get(rest.len().checked_sub(index_bytes)?..)?;
    let mut fields = Reader::new(checksum);
    let mut sum = None;
    while !fields.is_empty() {
        match (fields.u8()?, fields.varint()?) {
            (0x08, 0) => {}
            (0x10, value) => sum = Some(value),
            _ => return None,
        }
    }
    Some(!index.is_empty() && sum? == u64::from(crc32c(&[index])))
}

/// Bytes before a length at the end, and that length.
fn split_length(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (rest, length) = bytes.split_last_chunk::<4>()?;
    Some((rest, length.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte))))
}
