//! Which file of the engine some bytes are.

use super::table::ends_in_footer;
use crate::manifest::current;
use crate::storage::FileName;
use crate::table::find_block;
use std::borrow::Cow;

/// Where logs and manifests have their number: after magic and version \[bytes\].
const LOG_NUMBER_OFFSET: usize = 12;
/// Where the footer of a table has its number: before version, checksum and magic \[bytes\].
const TABLE_NUMBER_FROM_END: usize = 8 + 4 + 4 + 8;
/// So many bytes of a damaged magic number are right at least.
const MAGIC_BYTES_MIN: usize = 4;

/// The name that the engine would give to a file with these bytes: by magic numbers and checksums or, when both are
/// damaged, because it is called so. `name` has no directories. `None`: it is no file of the engine.
///
/// A damaged number is returned unchanged, or as 1 when no file can have it.
pub fn own_name(name: &str, file: &[u8]) -> Option<FileName> {
    by_content(file).or_else(|| by_name(name, file))
}

fn by_content(file: &[u8]) -> Option<FileName> {
    if ends_in_footer(file) {
        let number = number_at(file, file.len().checked_sub(TABLE_NUMBER_FROM_END)?);
        return Some(FileName::Table(number));
    }
    match file.first_chunk::<8>()? {
        b"lvsc.wal" => Some(FileName::Wal(number_at(file, LOG_NUMBER_OFFSET))),
        b"lvsc.man" => Some(FileName::Manifest(number_at(file, LOG_NUMBER_OFFSET))),
        _ => is_current(file).then_some(FileName::Current),
    }
}

/// A file whose magic number is damaged or cut off, and that has a name of the engine.
fn by_name(name: &str, file: &[u8]) -> Option<FileName> {
    let name = FileName::parse(name).filter(|_| !file.is_empty())?;
    let fits = match name {
        FileName::Table(_) => begins_as_table(file),
        FileName::Wal(_) => resembles(file, b"lvsc.wal"),
        FileName::Manifest(_) => resembles(file, b"lvsc.man"),
        FileName::Current => {
            let second = file.get(current::SLOT_BYTES..).unwrap_or_default();
            resembles(file, current::MAGIC) || resembles(second, current::MAGIC)
        }
        FileName::Lock | FileName::Other(_) => false,
    };
    fits.then_some(name)
}

/// Whether a table was cut short or has lost its footer: a checksum at its end proves the first block.
fn begins_as_table(file: &[u8]) -> bool {
    let mut read = |offset: u64, bytes: usize| {
        let begin = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = begin.saturating_add(bytes);
        Ok(Cow::Borrowed(file.get(begin..end).unwrap_or_default()))
    };
    find_block(&mut read, 0, file.len() as u64).is_ok_and(|first| first.is_some())
}

/// Whether the file begins in `magic`, as far as it goes, or in one that is damaged.
fn resembles(file: &[u8], magic: &[u8]) -> bool {
    let head = file.get(..magic.len()).unwrap_or(file);
    let right = magic.iter().zip(head).filter(|(known, byte)| known == byte).count();
    right >= MAGIC_BYTES_MIN || !head.is_empty() && magic.starts_with(head)
}

/// A young `CURRENT` has only its second slot.
fn is_current(file: &[u8]) -> bool {
    let second = file.get(current::SLOT_BYTES..).unwrap_or_default();
    file.starts_with(current::MAGIC) || second.starts_with(current::MAGIC)
}

fn number_at(file: &[u8], offset: usize) -> u64 {
    let bytes = file.get(offset..).and_then(|rest| rest.first_chunk());
    let number = bytes.map_or(1, |bytes| u64::from_le_bytes(*bytes));
    if (1..=crate::limits::FILE_NUMBER_MAX).contains(&number) { number } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Db;
    use crate::storage::{MemoryStorage, Storage, read_exactly};
    use std::sync::Arc;

    #[test]
    fn own_files_are_known_by_their_content() {
        let disk = MemoryStorage::default();
        let db = Db::builder().open_in(Arc::new(disk.clone())).unwrap();
        db.put(b"a", b"1").unwrap();
        db.request_flush().unwrap();
        while db.has_work() {
            db.step(crate::Budget::Job).unwrap();
        }
        let mut seen = 0;
        for name in disk.list().unwrap() {
            let name = FileName::parse(&name).filter(|name| *name != FileName::Lock);
            let Some(name) = name else { continue };
            let file = disk.open(name).unwrap();
            let length = usize::try_from(file.len().unwrap()).unwrap();
            let mut bytes = read_exactly(&*file, name, 0, length).unwrap();
            // A log begins with its first write.
            if bytes.is_empty() {
                continue;
            }
            assert_eq!(own_name("", &bytes), Some(name), "{name}");
            assert_eq!(own_name("", &bytes[..7.min(bytes.len())]), None);
            // Without its magic number it is known by its name, and a table by its blocks.
            let at = if matches!(name, FileName::Table(_)) { bytes.len() - 4 } else { 2 };
            if name != FileName::Current {
                bytes[at] ^= 0x40;
                assert_eq!(own_name(&name.to_string(), &bytes), Some(name), "{name}");
                bytes[at] ^= 0x40;
            }
            if matches!(name, FileName::Table(_)) {
                let cut = &bytes[..bytes.len() - 5];
                assert_eq!(own_name("000001.sst", cut), Some(FileName::Table(1)));
                assert_eq!(own_name("", cut), None);
            }
            // A damaged number is reported, and shown all the same.
            if name != FileName::Current {
                let at = if matches!(name, FileName::Table(_)) { bytes.len() - 24 } else { 12 };
                bytes[at..at + 8].fill(0xff);
                assert!(own_name("", &bytes).is_some(), "{name}");
            }
            seen += 1;
        }
        assert!(seen >= 4, "CURRENT, a manifest, a log and a table");
        for name in ["", "000001.wal", "000001.sst", "CURRENT", "MANIFEST-000001"] {
            assert_eq!(own_name(name, b""), None);
            assert_eq!(own_name(name, b"some picture or other"), None);
        }
    }
}
