//! Deliberate faults: a test suite that does not find them would not find real ones.
//!
//! A build with `--cfg canary` has all of them asleep; the variable `LEVELSCOPE_CANARY` wakes one by its
//! name. Every other build has none: [`Canary::is_awake`] is then a constant. `node scripts/canaries.mjs`
//! runs the tests with each.

/// One deliberate fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Canary {
    /// Names of files are not made durable.
    SkipDirectorySync,
    /// A tombstone is dropped while an older run still has the key.
    DropTombstoneEarly,
    /// A range tombstone is dropped while an older run still has keys that it deletes.
    DropRangeTombstoneEarly,
    /// A range tombstone is not cut where an output ends.
    RangeTombstoneUncut,
    /// After opening, sequence numbers that the logs have used are given out again.
    ReuseSequence,
    /// A flush is installed, and its log deleted, before the manifest is synced.
    InstallBeforeSync,
    /// Runs of one level are asked oldest first.
    RunsReversed,
    /// Lookups hash keys in another way than filters.
    FilterHash,
    /// Compactions do not know of snapshots.
    IgnoreSnapshots,
    /// The upper bound of a scan is included though it is excluded.
    UpperBoundIncluded,
    /// A cursor over a memtable keeps its place though an insert has moved it.
    StaleMemtablePlace,
    /// Damage in the middle of the newest log is taken for its end.
    DamageIsTornTail,
    /// A sync that failed is tried again.
    RetrySync,
    /// A write is acknowledged before it is durable.
    AcknowledgeEarly,
    /// The torn end of the newest log is taken for damage.
    TornTailIsDamage,
    /// `CURRENT` is overwritten where the slot in use is.
    WrongSlot,
    /// A compaction deletes its inputs before the manifest is synced.
    DeleteInputsEarly,
    /// A search in a block begins one restart point too late.
    RestartOffByOne,
    /// Blocks are not compared with their checksums.
    SkipChecksum,
    /// Recovery takes what it has read of the newest log for durable.
    TrustThePageCache,
    /// A transaction commits without the check for conflicts.
    CommitWithoutValidation,
    /// A transaction commits without the check against the batches before it in its group.
    CommitBlindInGroup,
    /// A compaction filter also decides on what snapshots read.
    FilterUnderSnapshots,
    /// A snapshot that begins during a compaction with a filter does not keep its view.
    MomentWithoutView,
    /// A sync of the directory goes on after one that failed.
    RelyOnLostName,
}

impl Canary {
    /// Whether this fault is awake. Without `--cfg canary` a constant `false`, at no cost.
    #[cfg(not(canary))]
    #[inline]
    pub(crate) const fn is_awake(self) -> bool {
        let _ = self;
        false
    }

    /// Whether this fault is awake.
    #[cfg(canary)]
    pub(crate) fn is_awake(self) -> bool {
        static AWAKE: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
        let awake = AWAKE.get_or_init(|| std::env::var("LEVELSCOPE_CANARY").ok());
        awake.as_ref().is_some_and(|name| *name == format!("{self:?}"))
    }
}
