//! The limit of open files of the process, and random keys from the operating system.

use super::MemoryStorage;
use crate::identity::Identity;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};

/// The usual limit of a process, where the system does not report it.
const USUAL_OPEN_FILES_MAX: usize = 1024;

/// The limit of this process; `None` for no limit. Linux reports it, Windows has none that matters.
pub(super) fn open_files_max() -> Option<usize> {
    if cfg!(windows) {
        return None;
    }
    soft_limit(&fs::read_to_string("/proc/self/limits").unwrap_or_default())
}

/// The soft limit in a table of limits as Linux writes it.
fn soft_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    match line.and_then(|limits| limits.split_whitespace().next()) {
        Some("unlimited") => None,
        soft => Some(soft.and_then(|soft| soft.parse().ok()).unwrap_or(USUAL_OPEN_FILES_MAX)),
    }
}

/// An identity that no other database has. The standard library asks the system for random keys once a
/// thread; each hasher has other ones.
pub(super) fn random_identity() -> Identity {
    let half = |salt: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(salt);
        hasher.write_u32(std::process::id());
        hasher.finish().to_le_bytes()
    };
    let (first, second) = (half(1), half(2));
    let bytes = first.into_iter().chain(second);
    let mut identity = MemoryStorage::IDENTITY.bytes();
    identity.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    Identity::from_bytes(identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_counts() {
        let table = "Limit         Soft Limit  Hard Limit  Units\nMax open files    256    524288    files\n";
        assert_eq!(soft_limit(table), Some(256));
        assert_eq!(soft_limit(&table.replace("256 ", "unlimited ")), None);
        for unknown in ["", "Max open files", "Max open files   many   more  files"] {
            assert_eq!(soft_limit(unknown), Some(USUAL_OPEN_FILES_MAX), "{unknown:?}");
        }
        assert!(open_files_max().is_none_or(|files| files > 0));
    }
}
