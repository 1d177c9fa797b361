//! One event of every kind, with unremarkable numbers.

mod ranges;

use crate::event::sample::Sample;
use crate::event::{
    Acknowledged, Event, EventKind, Isolation, JobKind, MergeHead, RotateReason, ShownKey,
    Slowdown, SlowdownReason, Stall, TableAt, Verdict, WalEnd,
};
use crate::view::{LevelScore, MemtableView, ScoreUnit, TableInfo};
use crate::{ErrorKind, ValueKind};
use std::collections::BTreeSet;

/// One event of every kind, some kinds in several forms.
pub fn events() -> Vec<Event> {
    let mut kinds = [
        operations(),
        transactions(),
        log_and_memory(),
        jobs(),
        entries(),
        tables(),
        manifest(),
        opening(),
    ]
    .concat();
    kinds.extend(ranges::ranges());
    // Kinds without a sample above get one with plain fields.
    let known: BTreeSet<&str> = kinds.iter().map(EventKind::name).collect();
    let plain: Vec<EventKind> =
        EventKind::samples().into_iter().filter(|kind| !known.contains(kind.name())).collect();
    kinds.extend(plain);
    let numbered = (1..).zip(kinds);
    numbered
        .map(|(id, kind)| Event { id, detail: 0, time: id, job: Some(4), cause: None, kind })
        .collect()
}

fn key() -> ShownKey {
    ShownKey::sample()
}

fn value() -> ShownKey {
    ShownKey::of_value(b"ripe")
}

fn info(table: u64) -> TableInfo {
    TableInfo { table, ..TableInfo::sample() }
}

fn at(level: usize, table: u64) -> TableAt {
    TableAt { level, table }
}

fn score(level: usize, bytes: u64, unit: ScoreUnit, limit: u64, score: f64) -> LevelScore {
    let due = score >= 1.0;
    LevelScore { level, bytes, runs: 1, unit, limit, score, due, can_compact: true }
}

fn scores() -> Vec<LevelScore> {
    vec![score(0, 2048, ScoreUnit::Runs, 4, 0.25), score(1, 3072, ScoreUnit::Bytes, 2048, 1.5)]
}

fn operations() -> Vec<EventKind> {
    vec![
        EventKind::OpPut { key: key(), value: value(), sequence: 7 },
        EventKind::OpDelete { key: key(), sequence: 8 },
        EventKind::OpBatch { count: 2, bytes: 40, first_sequence: 9 },
        EventKind::OpDone {
            op: 1,
            what: Acknowledged::Put { key: key(), value: value() },
            durable: true,
            rotated: None,
        },
        EventKind::OpDone {
            op: 1,
            what: Acknowledged::Delete { key: key() },
            durable: false,
            rotated: Some(3),
        },
        EventKind::OpDone {
            op: 1,
            what: Acknowledged::Batch { count: 2 },
            durable: true,
            rotated: None,
        },
        EventKind::OpDone { op: 1, what: Acknowledged::Sync, durable: true, rotated: None },
        EventKind::OpFailed {
            op: 1,
            what: Acknowledged::Batch { count: 1 },
            error: "000003.wal: the disk is full.\n".into(),
        },
        EventKind::OpGet { key: key(), value: Some(key()) },
        EventKind::OpGet { key: key(), value: None },
        EventKind::OpScan {},
        EventKind::OpSnapshot { sequence: 10, held: false },
        EventKind::OpRelease { sequence: 10, held: false },
        EventKind::OpSync {},
        EventKind::OpRotate {},
        EventKind::OpCompact { level: 1 },
        EventKind::OpCompactRange { smallest: key(), largest: key(), down_to: 2 },
    ]
}

fn transactions() -> Vec<EventKind> {
    let buffer = |entry, value_bytes, writes| EventKind::OpBuffer {
        transaction: 1,
        key: key(),
        entry,
        value_bytes,
        writes,
        write_bytes: 12 * writes,
    };
    let read =
        |found, own, reads| EventKind::OpRead { transaction: 1, key: key(), found, own, reads };
    let commit = |transaction, count| EventKind::OpCommit {
        transaction,
        count,
        bytes: 12 * count as usize,
        first_sequence: 11,
    };
    let conflict =
        |read| EventKind::OpConflict { transaction: 2, key: key(), read, sequence: 10, winner: 11 };
    vec![
        EventKind::OpBegin { transaction: 1, sequence: 10, isolation: Isolation::Snapshot },
        EventKind::OpBegin { transaction: 2, sequence: 10, isolation: Isolation::Serializable },
        buffer(ValueKind::Put, 3, 1),
        buffer(ValueKind::Delete, 0, 2),
        read(true, true, 1),
        read(false, true, 2),
        read(true, false, 3),
        read(false, false, 4),
        EventKind::OpReadRange { transaction: 1, reads: 5 },
        commit(1, 2),
        commit(3, 0),
        conflict(false),
        conflict(true),
        EventKind::OpRollback { transaction: 4, writes: 0 },
        EventKind::OpRollback { transaction: 4, writes: 1 },
        EventKind::OpRollback { transaction: 4, writes: 2 },
    ]
}

fn log_and_memory() -> Vec<EventKind> {
    vec![
        EventKind::WalCreate { wal: 3, bytes: 32 },
        EventKind::WalAppend { wal: 3, offset: 32, bytes: 90, records: 1, buffered_bytes: 0 },
        EventKind::WalAppend { wal: 3, offset: 90, bytes: 150, records: 2, buffered_bytes: 60 },
        EventKind::WalWrite { wal: 3, bytes: 150, records: 2 },
        EventKind::WalSync { wal: 3, bytes: 90, synced_bytes: 90, records: 1 },
        EventKind::WalClose { wal: 3, bytes: 118, records: 2 },
        EventKind::WalDelete { wal: 3 },
        EventKind::MemtableInsert {
            memtable: 1,
            bytes: 70,
            entries: 1,
            tombstones: 0,
            ranges: None,
            last_sequence: 7,
        },
        EventKind::MemtableInsert {
            memtable: 1,
            bytes: 140,
            entries: 2,
            tombstones: 1,
            ranges: None,
            last_sequence: 8,
        },
        EventKind::MemtableRotate {
            memtable: 1,
            wal: 3,
            new_memtable: 2,
            new_wal: 5,
            limit_bytes: 1024,
            reason: RotateReason::Full,
        },
        EventKind::MemtableRotate {
            memtable: 2,
            wal: 5,
            new_memtable: 3,
            new_wal: 6,
            limit_bytes: 1024,
            reason: RotateReason::Asked,
        },
        EventKind::StallBegin { stall: Stall::Memtables { count: 1, limit: 1 } },
        EventKind::StallBegin { stall: Stall::Memtables { count: 2, limit: 2 } },
        EventKind::StallBegin { stall: Stall::L0Tables { count: 12, limit: 12 } },
        EventKind::StallEnd {},
        slowdown(2, SlowdownReason::Memtables { count: 3, limit: 3 }),
        slowdown(4, SlowdownReason::L0Tables { count: 9, limit: 8 }),
        slowdown(32, SlowdownReason::Debt { bytes: 9000, limit_bytes: 4096 }),
        EventKind::SlowdownEnd {},
    ]
}

fn slowdown(pace: u64, why: SlowdownReason) -> EventKind {
    EventKind::SlowdownBegin { slowdown: Slowdown { pace, why } }
}

/// A compaction that is done, with a filter that removed `filtered` entries.
fn compacted(written: u64, filtered: u64) -> EventKind {
    EventKind::CompactionDone {
        read: 108,
        written,
        shadowed: 16,
        tombstones_dropped: 2,
        range_deleted: 0,
        ranges_read: 0,
        ranges_dropped: 0,
        filtered,
    }
}

fn jobs() -> Vec<EventKind> {
    vec![
        EventKind::FlushBegin { memtable: 1, reason: "memtable 1 is full".into(), entries: 36 },
        EventKind::FlushInstall {
            memtable: 1,
            table: Some(info(12)),
            position: 0,
            scores: scores(),
        },
        EventKind::FlushInstall { memtable: 1, table: None, position: 0, scores: Vec::new() },
        EventKind::FlushDone { memtable: 1, written: 36, shadowed: 0, range_deleted: 0 },
        EventKind::FlushDone { memtable: 2, written: 30, shadowed: 6, range_deleted: 0 },
        EventKind::CompactionPick {
            level: 0,
            output_level: 1,
            reason: "L0 has reached its trigger of 4 tables (score 1.00); both are merged with 1 table of L1 whose keys overlap".into(),
            inputs: vec![at(0, 12), at(0, 9), at(1, 7)],
            trivial_move: false,
        },
        EventKind::CompactionPick {
            level: 1,
            output_level: 2,
            reason: "L1 has 3,072 bytes, its limit is 2,048 (score 1.50)".into(),
            inputs: vec![at(1, 7)],
            trivial_move: true,
        },
        EventKind::CompactionBegin { entries: 108, bytes: 6144, trivial_move: false },
        EventKind::CompactionBegin { entries: 29, bytes: 1871, trivial_move: true },
        EventKind::CompactionProgress {
            read: 3,
            written: 1,
            shadowed: 1,
            tombstones_dropped: 1,
            range_deleted: 0,
            filtered: 0,
        },
        EventKind::CompactionInstall {
            removed: vec![at(0, 12), at(1, 7)],
            added: vec![info(14)],
            positions: vec![0],
            output_level: 1,
            scores: scores(),
        },
        EventKind::CompactionInstall {
            removed: vec![at(1, 7)],
            added: vec![info(7)],
            positions: vec![0],
            output_level: 2,
            scores: Vec::new(),
        },
        EventKind::CompactionInstall {
            removed: vec![at(1, 7)],
            added: Vec::new(),
            positions: Vec::new(),
            output_level: 2,
            scores: Vec::new(),
        },
        EventKind::CompactionFiltered { asked: 90, changed: 2, tombstones: 1, dropped: 3 },
        compacted(90, 0),
        compacted(87, 3),
        EventKind::JobFailed { what: JobKind::Flush, error: "000012.sst: cannot sync".into() },
        EventKind::JobFailed { what: JobKind::Compaction, error: String::new() },
    ]
}

/// Decisions about single entries.
fn entries() -> Vec<EventKind> {
    vec![
        EventKind::BatchEntry { key: key(), sequence: 7, entry: ValueKind::Put },
        EventKind::BatchEntry { key: key(), sequence: 8, entry: ValueKind::Delete },
        EventKind::FilterFalsePositive { table: 12, key: key() },
        EventKind::MergeEntry {
            key: key(),
            sequence: 7,
            entry: ValueKind::Put,
            verdict: Verdict::KeptNewest,
            heads: vec![MergeHead {
                table: 12,
                key: key(),
                sequence: 7,
                entry: ValueKind::Put,
                first: true,
            }],
        },
        EventKind::MergeEntry {
            key: key(),
            sequence: 8,
            entry: ValueKind::Delete,
            verdict: Verdict::DroppedTombstone,
            heads: Vec::new(),
        },
        by_filter(Verdict::KeptChanged),
        by_filter(Verdict::KeptAsTombstone),
        by_filter(Verdict::DroppedByFilter),
    ]
}

fn by_filter(verdict: Verdict) -> EventKind {
    let (sequence, entry, heads) = (9, ValueKind::Put, Vec::new());
    EventKind::MergeEntry { key: key(), sequence, entry, verdict, heads }
}

fn tables() -> Vec<EventKind> {
    vec![
        EventKind::TableCreate { table: 12, level: 0 },
        EventKind::TableBlock {
            table: 12,
            index: 3,
            entries: 9,
            raw_bytes: 256,
            stored_bytes: 243,
            offset: 600,
            first: key(),
            last: key(),
            read: 9,
        },
        EventKind::TableFilter { table: 12, keys: 36, bytes: 46 },
        EventKind::TableIndex { table: 12, blocks: 1, bytes: 80 },
        EventKind::TableFooter { table: 12, bytes: 2048 },
        EventKind::TableSync { info: info(12), level: 0 },
        EventKind::TableDelete { table: 12 },
    ]
}

fn manifest() -> Vec<EventKind> {
    vec![
        EventKind::ManifestCreate { manifest: 2, bytes: 64 },
        EventKind::ManifestSwitch { manifest: 2, epoch: 1 },
        EventKind::ManifestAppend {
            manifest: 2,
            added: vec![at(1, 14)],
            removed: vec![at(0, 12), at(1, 7)],
            bytes: 200,
        },
        EventKind::ManifestAppend {
            manifest: 2,
            added: Vec::new(),
            removed: Vec::new(),
            bytes: 220,
        },
        EventKind::ManifestSync { manifest: 2, bytes: 220, synced_bytes: 188 },
        EventKind::ManifestDelete { manifest: 2 },
    ]
}

fn log(records: u64, entries: u64, end: WalEnd) -> EventKind {
    EventKind::RecoveryWal { wal: 3, records, entries, end, kept: None }
}

fn done(last_sequence: u64, new_database: bool) -> EventKind {
    EventKind::RecoveryDone { last_sequence, new_database, memtable: MemtableView::sample() }
}

fn opening() -> Vec<EventKind> {
    vec![
        EventKind::RecoveryBegin { files: 4, foreign_files: 1, levels: Vec::new() },
        EventKind::RecoveryManifest {
            manifest: 2,
            bytes: 220,
            edits: 3,
            tables: 1,
            levels: Vec::new(),
        },
        log(2, 2, WalEnd::Clean),
        log(1, 2, WalEnd::Open),
        log(1, 1, WalEnd::Torn { bytes: 13 }),
        done(36, false),
        done(0, true),
        EventKind::DbReadOnly { failure: ErrorKind::Io, error: "000003.wal: cannot sync".into() },
    ]
}
