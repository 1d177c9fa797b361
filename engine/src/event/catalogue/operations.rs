//! Operations that a caller requests, and how they end.

macro_rules! operations {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// The caller puts a key.
        OpPut = "op.put" operation {
            /// The key.
            key: ShownKey,
            /// The beginning of the value.
            value: ShownKey,
            /// The sequence number of the write.
            sequence: SeqNo,
        } => {
            sentence |_| format!(
                "The caller puts {key} with the value {value}; the write gets sequence number {sequence}."
            );
            touches [changed(Key(key.clone()))];
            begins Operation;
        }
        /// The caller deletes a key.
        OpDelete = "op.delete" operation {
            /// The key.
            key: ShownKey,
            /// The sequence number of the tombstone.
            sequence: SeqNo,
        } => {
            sentence |_| format!(
                "The caller deletes {key}; the tombstone gets sequence number {sequence}."
            );
            touches [changed(Key(key.clone()))];
            begins Operation;
        }
        /// The caller deletes all keys of a range.
        OpDeleteRange = "op.delete_range" operation {
            /// The range.
            range: ShownRange,
            /// The sequence number of the range tombstone.
            sequence: SeqNo,
        } => {
            sentence |_| format!(
                "The caller deletes the range {range}; the range tombstone gets sequence number {sequence}."
            );
            touches [changed(Key(range.begin.clone()))];
            begins Operation;
        }
        /// The caller writes a batch of several operations.
        OpBatch = "op.batch" operation {
            /// Operations in it.
            count: u32,
            /// Its length in the log \[bytes\].
            bytes: usize,
            /// The sequence number of its first operation; the others follow without gaps.
            first_sequence: SeqNo,
        } => {
            sentence |_| format!(
                "The caller writes a batch of {} in {}; its first sequence number is {first_sequence}.",
                text::counted(*count, "operation"),
                text::bytes(*bytes)
            );
            begins Operation;
        }
        /// An operation is acknowledged.
        OpDone = "op.done" operation {
            /// The event that began it.
            op: EventId,
            /// Its effect.
            what: Acknowledged,
            /// Whether the log is synced up to it.
            durable: bool,
            /// The memtable that had no room for it and became immutable; none: it had room.
            rotated: Option<MemtableId>,
        } => {
            sentence |_| {
                let clause = match (what, durable) {
                    (Acknowledged::Sync, _) => {
                        "The sync is acknowledged: every write so far is durable".to_owned()
                    }
                    (_, true) => format!("{what} is acknowledged: it is durable"),
                    (_, false) => format!(
                        "{what} is acknowledged but not durable: a crash before its log is synced can lose it"
                    ),
                };
                match rotated {
                    Some(full) => format!("{clause}; memtable {full} had no room and became immutable."),
                    None => format!("{clause}."),
                }
            };
            ends Operation;
        }
        /// An operation failed.
        OpFailed = "op.failed" operation {
            /// The event that began it.
            op: EventId,
            /// Its intended effect.
            what: Acknowledged,
            /// The error, as a sentence.
            error: String,
        } => {
            sentence |_| format!("{what} failed: {}.", text::clause(error));
            landmark Failure;
            ends Operation;
        }
        /// The caller gets a key.
        OpGet = "op.get" operation {
            /// The key.
            key: ShownKey,
            /// The beginning of its value; none: it has none.
            value: Option<ShownKey>,
        } => {
            sentence |_| match value {
                Some(value) => format!("The caller gets {key} and finds {value}."),
                None => format!("The caller gets {key} and finds nothing."),
            };
            touches [read(Key(key.clone()))];
            begins Operation;
        }
        /// The caller opens an iterator.
        OpScan = "op.scan" operation {} => {
            sentence |_| "The caller opens an iterator.".to_owned();
            begins Operation;
        }
        /// The caller takes a snapshot.
        OpSnapshot = "op.snapshot" operation {
            /// The sequence number that it pins.
            sequence: SeqNo,
            /// Whether another snapshot holds the same sequence number already.
            held: bool,
        } => {
            sentence |_| format!(
                "The caller takes a snapshot at sequence number {sequence}: later writes do not change it."
            );
            patches |_| if *held {
                Vec::new()
            } else {
                vec![Patch::Snapshot { sequence: *sequence, held: true }]
            };
            begins Operation;
        }
        /// The caller releases a snapshot.
        OpRelease = "op.release" operation {
            /// The sequence number that it pinned.
            sequence: SeqNo,
            /// Whether another snapshot still holds the same sequence number.
            held: bool,
        } => {
            sentence |_| format!(
                "The caller releases the snapshot at sequence number {sequence}."
            );
            patches |_| if *held {
                Vec::new()
            } else {
                vec![Patch::Snapshot { sequence: *sequence, held: false }]
            };
            begins Operation;
        }
        /// The caller asks for a sync of the log.
        OpSync = "op.sync" operation {} => {
            sentence |_| "The caller asks to make all writes so far durable.".to_owned();
            begins Operation;
        }
        /// The caller asks for a rotation.
        OpRotate = "op.rotate" operation {} => {
            sentence |_| "The caller asks for a new memtable.".to_owned();
            begins Operation;
        }
        /// The caller asks for a compaction of a level.
        OpCompact = "op.compact" operation {
            /// The level, 0 is L0.
            level: usize,
        } => {
            sentence |_| format!(
                "The caller asks for a compaction of {}.",
                text::level(*level)
            );
            touches [read(Level(*level))];
            begins Operation;
        }
        /// The caller asks for a compaction of a range of keys: one merge of all levels that have any.
        OpCompactRange = "op.compact_range" operation {
            /// Smallest key of the range.
            smallest: ShownKey,
            /// Largest key of the range.
            largest: ShownKey,
            /// The last level that is compacted.
            down_to: usize,
        } => {
            sentence |_| format!(
                "The caller asks for a compaction of the keys from {smallest} to {largest}, down to {}.",
                text::level(*down_to)
            );
            touches [read(Level(*down_to))];
            begins Operation;
        }
    } };
}
