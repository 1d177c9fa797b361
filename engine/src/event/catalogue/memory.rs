//! Memtables, and the stalls and slowdowns of writes when background work cannot keep up.

macro_rules! memory {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// A memtable took a write. The figures are totals after it.
        MemtableInsert = "memtable.insert" phase {
            /// The memtable.
            memtable: MemtableId,
            /// Its accounted size \[bytes\].
            bytes: usize,
            /// Its entries, all versions and tombstones.
            entries: u64,
            /// Tombstones among the entries.
            tombstones: u64,
            /// Its range tombstones; none without any.
            ranges: Option<RangesView>,
            /// The sequence number of the newest entry.
            last_sequence: SeqNo,
        } => {
            sentence |_| {
                let deleted = match tombstones {
                    0 => String::new(),
                    some => format!(" ({})", text::counted(*some, "tombstone")),
                };
                let ranges = match ranges {
                    None => String::new(),
                    Some(ranges) => {
                        format!(" and {}", text::counted(ranges.count, "range tombstone"))
                    }
                };
                format!(
                    "Memtable {memtable} took the write; it now has {}{deleted}{ranges} in {}.",
                    text::counted(*entries, "entry"),
                    text::bytes(*bytes)
                )
            };
            touches [changed(Memtable(*memtable))];
            patches |_| {
                let change = MemtableChange {
                    bytes: Some(*bytes),
                    entries: Some(*entries),
                    tombstones: Some(*tombstones),
                    ranges: ranges.clone(),
                    immutable: None,
                };
                [
                    Patch::memtable(*memtable, change),
                    Patch::LastSequence { sequence: *last_sequence },
                ]
            };
        }
        /// A memtable became immutable, and a new one takes the writes.
        MemtableRotate = "memtable.rotate" phase {
            /// The memtable that became immutable.
            memtable: MemtableId,
            /// Its log.
            wal: FileNumber,
            /// The memtable that takes the writes.
            new_memtable: MemtableId,
            /// The log of the new memtable.
            new_wal: FileNumber,
            /// Where the new memtable rotates \[bytes\].
            limit_bytes: usize,
            /// The reason for the rotation.
            reason: RotateReason,
        } => {
            sentence |_| {
                let why = match reason {
                    RotateReason::Full => "it is full",
                    RotateReason::Asked => "the caller asked for it",
                    RotateReason::Walked => "reads walked over its deleted and overwritten entries again and again",
                };
                format!(
                    "Memtable {memtable} with WAL {wal} became immutable because {why}; writes go on to \
                     memtable {new_memtable} with WAL {new_wal}."
                )
            };
            touches [
                changed(Memtable(*memtable)),
                made(Memtable(*new_memtable)),
                read(Log(*wal)),
                read(Log(*new_wal)),
            ];
            patches |_| {
                let active = MemtableView {
                    memtable: *new_memtable,
                    wal: *new_wal,
                    bytes: 0,
                    limit_bytes: *limit_bytes,
                    entries: 0,
                    tombstones: 0,
                    ranges: None,
                    immutable: false,
                };
                let immutable = Some(true);
                [
                    Patch::memtable(*memtable, MemtableChange { immutable, ..Default::default() }),
                    Patch::Memtable { edit: Edit::Add(active) },
                ]
            };
            landmark Rotate;
        }
        /// Writes stall: they wait until background work has made room.
        StallBegin = "stall.begin" phase {
            /// The limit that was reached.
            stall: Stall,
        } => {
            sentence |_| format!("Writes stall: {stall}.");
            patches |_| [Patch::Stall { stall: Some(*stall) }];
            landmark Stall;
            begins Stall;
        }
        /// Writes go on.
        StallEnd = "stall.end" phase {} => {
            sentence |_| "The stall is over: writes go on.".to_owned();
            patches |_| [Patch::Stall { stall: None }];
            outline Included;
            ends Stall;
        }
        /// Writes are delayed, or are delayed by more or less than before, or for another reason.
        SlowdownBegin = "slowdown.begin" phase {
            /// By how much, and why.
            slowdown: Slowdown,
        } => {
            sentence |_| format!("Writes slow down: {slowdown}.");
            patches |_| [Patch::Slowdown { slowdown: Some(*slowdown) }];
            outline Included;
            begins Slowdown;
        }
        /// Writes are no longer delayed.
        SlowdownEnd = "slowdown.end" phase {} => {
            sentence |_| "Writes are no longer slowed down.".to_owned();
            patches |_| [Patch::Slowdown { slowdown: None }];
            outline Included;
            ends Slowdown;
        }
    } };
}
