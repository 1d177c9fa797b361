//! Logs as a chain: each one names the log before it, so that a missing log is noticed.

use crate::storage::{FileName, FileNumber};
use crate::{Error, Result};

/// One log that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) log: FileNumber,
    /// Batches in it.
    pub(crate) records: u64,
    /// The log before it, as it records.
    pub(crate) follows: Option<FileNumber>,
    /// The offset of that record: its first one \[bytes\].
    pub(crate) begin: u64,
}

/// Checks that no log is missing among `chain` (oldest first), of which those from `oldest` on are needed.
///
/// Between a log and the one before it there may be others only if they are empty: those of sessions that
/// wrote nothing, which recovery left out.
///
/// # Errors
/// `Corruption` that names the missing log, or the one that does not fit.
pub(crate) fn require_whole(oldest: FileNumber, chain: &[Link]) -> Result<()> {
    for (position, link) in chain.iter().enumerate() {
        let Some(previous) = link.follows.filter(|previous| *previous >= oldest) else { continue };
        let before = chain.get(..position).unwrap_or_default();
        let name = FileName::Wal(link.log);
        if !before.iter().any(|other| other.log == previous) {
            let message = format!("{name} continues this log; it does not exist, or is empty");
            return Err(Error::corruption(FileName::Wal(previous), 0, message));
        }
        let between = before.iter().find(|other| other.log > previous && other.records > 0);
        if let Some(between) = between {
            let (previous, between) = (FileName::Wal(previous), FileName::Wal(between.log));
            let message =
                format!("it continues {previous}, but {between} lies between and is used");
            return Err(Error::corruption(name, link.begin, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(log: FileNumber, records: u64, follows: FileNumber) -> Link {
        Link { log, records, follows: (follows > 0).then_some(follows), begin: 40 }
    }

    #[test]
    fn a_missing_log_is_named() {
        let whole = [link(5, 2, 3), link(8, 1, 5), link(11, 0, 8)];
        assert_eq!(require_whole(5, &whole), Ok(()));
        let missing = |chain: &[Link]| require_whole(5, chain).unwrap_err().file();
        assert_eq!(missing(&[whole[0], whole[2]]), Some(FileName::Wal(8)));
        assert_eq!(missing(&whole[1..]), Some(FileName::Wal(5)));
        assert_eq!(require_whole(8, &whole[1..]), Ok(()), "the first one is not needed");
        // The newest one may end the chain anywhere: nothing proves that it existed.
        assert_eq!(require_whole(5, &whole[..2]), Ok(()));
    }

    #[test]
    fn only_empty_logs_may_be_passed_over() {
        assert_eq!(require_whole(5, &[link(5, 2, 0), link(8, 0, 5), link(11, 1, 5)]), Ok(()));
        let error = require_whole(5, &[link(5, 2, 0), link(8, 1, 5), link(11, 1, 5)]).unwrap_err();
        assert_eq!((error.file(), error.offset()), (Some(FileName::Wal(11)), Some(40)));
    }
}
