//! The newest entry of each key in one file.

use super::entries::searchable;
use crate::output::Failure;
use crate::shelf::OpenedFile;
use crate::text;
use levelscope::Error;
use levelscope_formats::Entry;
use std::collections::BTreeMap;

/// Keys and values of a file that are held at most \[bytes\].
const BYTES_MAX: usize = 64 << 20;

/// The last entry of each key, tombstones included, in the order of the keys' bytes.
#[derive(Debug, Default)]
pub(in crate::commands) struct Newest {
    pub(in crate::commands) entries: Vec<Entry<'static>>,
    /// The damage that was left out, where that is allowed.
    pub(in crate::commands) skipped: Vec<String>,
}

/// Reads the entries of `file`. Damage is a failure; with `skip_damage` it is left out.
pub(in crate::commands) fn newest(file: &OpenedFile, skip_damage: bool) -> Result<Newest, Failure> {
    let mut by_key: BTreeMap<Vec<u8>, Entry<'static>> = BTreeMap::new();
    let (mut skipped, mut bytes) = (Vec::new(), 0);
    for entry in searchable(file)?.scan(&file.bytes) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if skip_damage => {
                skipped.push(format!("@{}: {error}", file.name));
                continue;
            }
            Err(error) => return Err(damaged(file, &error)),
        };
        bytes = size_of_entry(&entry).saturating_add(bytes);
        room(bytes)?;
        let known = by_key.get(&*entry.key);
        if known.is_none_or(|known| known.sequence <= entry.sequence) {
            by_key.insert(entry.key.to_vec(), entry.into_owned());
        }
    }
    Ok(Newest { entries: by_key.into_values().collect(), skipped })
}

/// The file cannot be read to its end.
pub(in crate::commands) fn damaged(file: &OpenedFile, error: &Error) -> Failure {
    let message = format!("@{}: {error}", file.name);
    Failure::new("corruption", message).hint("`entries` lists the readable entries")
}

/// Key and value \[bytes\].
pub(in crate::commands) fn size_of_entry(entry: &Entry<'_>) -> usize {
    entry.key.len().saturating_add(entry.value.as_ref().map_or(0, |value| value.len()))
}

/// Refuses more than is held in memory.
pub(in crate::commands) fn room(bytes: usize) -> Result<(), Failure> {
    if bytes <= BYTES_MAX {
        return Ok(());
    }
    let message = format!("keys and values have more than {}", text::size(BYTES_MAX as u64));
    Err(Failure::new("tooLarge", message).hint("all of them have to be in memory"))
}
