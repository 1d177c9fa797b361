//! Which file of the engine some bytes are, whatever they are called.

use crate::manifest::current;
use crate::storage::FileName;
use crate::table::{self, FOOTER_BYTES};
use crate::wal::file::Log;

/// Where logs and manifests have their number: behind magic and version \[bytes\].
const LOG_NUMBER_OFFSET: usize = 12;
/// Where the footer of a table has its number: before version, checksum and magic \[bytes\].
const TABLE_NUMBER_FROM_END: usize = 8 + 4 + 4 + 8;

/// The name that the engine would give to a file with these bytes, by its magic and the number in it; and
/// whether the checksum beside the number proves it. `None`: it is no file of the engine.
///
/// A number that is damaged is what the file says, or 1 when that cannot be.
pub fn own_name(file: &[u8]) -> Option<(FileName, bool)> {
    if file.ends_with(&table::MAGIC) && file.len() >= FOOTER_BYTES {
        let footer_at = file.len() - FOOTER_BYTES;
        let number = number_at(file, file.len().checked_sub(TABLE_NUMBER_FROM_END)?);
        let name = FileName::Table(number);
        let footer = file.get(footer_at..).unwrap_or_default();
        let proved = table::Footer::decode(footer, name, footer_at as u64).is_ok();
        return Some((name, proved));
    }
    let begin = file.get(..8)?;
    let name = match begin {
        b"lvsc.wal" => FileName::Wal(number_at(file, LOG_NUMBER_OFFSET)),
        b"lvsc.man" => FileName::Manifest(number_at(file, LOG_NUMBER_OFFSET)),
        _ if is_current(file) => return Some((FileName::Current, true)),
        _ => return None,
    };
    Some((name, Log::claims(file).is_some()))
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
    use crate::storage::{MemoryStorage, Storage, read_exactly};
    use crate::{Db, Options};
    use std::sync::Arc;

    #[test]
    fn own_files_are_known_by_their_content() {
        let disk = MemoryStorage::default();
        let db = Db::open(Arc::new(disk.clone()), Options::default(), None).unwrap();
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
            assert_eq!(own_name(&bytes), Some((name, true)), "{name}");
            assert_eq!(own_name(&bytes[..7.min(bytes.len())]), None);
            // A damaged number is told, and shown all the same.
            if name != FileName::Current {
                let at = if matches!(name, FileName::Table(_)) { bytes.len() - 24 } else { 12 };
                bytes[at..at + 8].fill(0xff);
                assert!(matches!(own_name(&bytes), Some((_, false))), "{name}");
            }
            seen += 1;
        }
        assert!(seen >= 4, "CURRENT, a manifest, a log and a table");
        assert_eq!(own_name(b""), None);
    }
}
