//! Unremarkable values for the fields of events: every kind can be shown without anything having happened.

use super::{
    Acknowledged, Isolation, JobKind, MergeHead, RecoveredLog, RotateReason, ShownKey, ShownRange,
    Slowdown, SlowdownReason, Stall, TableAt, Verdict, WalEnd,
};
use crate::error::ErrorKind;
use crate::key::ValueKind;
use crate::view::{LevelScore, LevelView, MemtableView, RangesView, ScoreUnit, TableInfo, WalView};

/// A value of an event's field, with unremarkable content.
pub(crate) trait Sample {
    /// The value.
    fn sample() -> Self;
}

macro_rules! samples {
    ($( $type:ty => $value:expr; )*) => {
        $( impl Sample for $type {
            fn sample() -> Self {
                $value
            }
        } )*
    };
}

samples! {
    u32 => 3;
    u64 => 3;
    usize => 3;
    bool => false;
    String => "an example".into();
    ShownKey => ShownKey::new(b"user:17");
    ShownRange => ShownRange::new(b"user:17", b"user:18");
    RangesView => RangesView { count: 1, over: ShownRange::sample() };
    Acknowledged => Acknowledged::Put { key: ShownKey::sample(), value: ShownKey::of_value(b"Ada") };
    ValueKind => ValueKind::Put;
    ErrorKind => ErrorKind::Io;
    Verdict => Verdict::KeptNewest;
    Isolation => Isolation::Snapshot;
    RotateReason => RotateReason::Full;
    JobKind => JobKind::Flush;
    WalEnd => WalEnd::Clean;
    Stall => Stall::L0Tables { count: 12, limit: 12 };
    Slowdown => Slowdown { pace: 2, why: SlowdownReason::L0Tables { count: 9, limit: 8 } };
    TableAt => TableAt { level: 0, table: 3 };
    TableInfo => TableInfo {
        table: 3,
        run: 3,
        bytes: 2048,
        entries: 36,
        tombstones: 2,
        ranges: None,
        blocks: 4,
        smallest: ShownKey::sample(),
        largest: ShownKey::new(b"user:99\x00"),
        sequence_min: 1,
        sequence_max: 36,
    };
    LevelScore => LevelScore {
        level: 0,
        bytes: 2048,
        runs: 1,
        unit: ScoreUnit::Runs,
        limit: 4,
        score: 0.25,
        due: false,
        can_compact: true,
    };
    LevelView => LevelView { score: LevelScore::sample(), tables: vec![TableInfo::sample()] };
    MergeHead => MergeHead { table: 3, key: ShownKey::sample(), sequence: 3, entry: ValueKind::Put, first: true };
    MemtableView => MemtableView {
        memtable: 2,
        wal: 9,
        bytes: 0,
        limit_bytes: 1024,
        entries: 0,
        tombstones: 0,
        ranges: None,
        immutable: false,
    };
    WalView => WalView {
        wal: 3,
        bytes: 90,
        written_bytes: 90,
        synced_bytes: 90,
        records: 1,
        written_records: 1,
        synced_records: 1,
        closed: false,
    };
    RecoveredLog => RecoveredLog {
        log: WalView::sample(),
        memtable: MemtableView::sample(),
        last_sequence: 1,
    };
}

impl<T: Sample> Sample for Option<T> {
    fn sample() -> Self {
        Some(T::sample())
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample() -> Self {
        vec![T::sample()]
    }
}
