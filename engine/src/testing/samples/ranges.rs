//! Events about range deletes.

use crate::event::sample::Sample;
use crate::event::{Acknowledged, EventKind, ShownRange, Verdict};
use crate::view::RangesView;

/// The kinds that only range deletes have, and other kinds with their fields.
pub(super) fn ranges() -> Vec<EventKind> {
    let range = ShownRange::sample;
    let merge = |range, verdict| EventKind::MergeRange { range, sequence: 8, verdict };
    vec![
        EventKind::OpDeleteRange { range: range(), sequence: 8 },
        EventKind::OpDeleteRange { range: ShownRange::new(b"user:", b""), sequence: 9 },
        EventKind::OpDone {
            op: 1,
            what: Acknowledged::DeleteRange { range: range() },
            durable: true,
            rotated: None,
        },
        EventKind::OpBufferRange { transaction: 1, range: range(), writes: 1, write_bytes: 17 },
        EventKind::BatchRange { range: range(), sequence: 8 },
        EventKind::MemtableInsert {
            memtable: 1,
            bytes: 400,
            entries: 2,
            tombstones: 1,
            ranges: Some(RangesView::sample()),
            last_sequence: 9,
        },
        EventKind::FlushDone { memtable: 2, written: 30, shadowed: 0, range_deleted: 6 },
        EventKind::CompactionSkip { table: 7, entries: 36, range: range(), sequence: 8 },
        EventKind::CompactionDone {
            read: 108,
            written: 56,
            shadowed: 16,
            tombstones_dropped: 2,
            range_deleted: 30,
            ranges_read: 2,
            ranges_dropped: 1,
            filtered: 4,
        },
        EventKind::TableRanges { table: 12, count: 2, bytes: 60 },
        merge(range(), Verdict::KeptTombstone),
        merge(range(), Verdict::KeptForSnapshot),
        merge(range(), Verdict::DroppedTombstone),
        EventKind::MergeEntry {
            key: range().begin,
            sequence: 7,
            entry: crate::ValueKind::Put,
            verdict: Verdict::DroppedRangeDeleted,
            heads: Vec::new(),
        },
    ]
}
