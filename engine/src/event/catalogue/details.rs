//! Details: events about one entry. They are built only for a listener that wants details.

use crate::event::Verdict;

macro_rules! details {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// One operation of a batch of several.
        BatchEntry = "batch.entry" detail {
            /// The key.
            key: ShownKey,
            /// Its sequence number.
            sequence: SeqNo,
            /// Put or tombstone.
            entry: ValueKind,
        } => {
            sentence |_| {
                let what = match entry {
                    ValueKind::Put => "puts",
                    ValueKind::Delete => "deletes",
                    ValueKind::RangeDelete => "deletes the range from",
                };
                format!("The batch {what} {key} with sequence number {sequence}.")
            };
            touches [changed(Key(key.clone()))];
        }
        /// One range delete of a batch of several operations.
        BatchRange = "batch.range" detail {
            /// The range.
            range: ShownRange,
            /// Its sequence number.
            sequence: SeqNo,
        } => {
            sentence |_| format!(
                "The batch deletes the range {range} with sequence number {sequence}."
            );
            touches [changed(Key(range.begin.clone()))];
        }
        /// The filter of a table answered "maybe" to a lookup, and the table did not have the key.
        FilterFalsePositive = "filter.false_positive" detail {
            /// The table.
            table: FileNumber,
            /// The key.
            key: ShownKey,
        } => {
            sentence |_| format!(
                "The filter of table {table} answered \"maybe\" for {key}, but the table does not have it: \
                 a false positive."
            );
            touches [read(Table(*table)), read(Key(key.clone()))];
        }
        /// A flush or a compaction kept or dropped one entry.
        MergeEntry = "merge.entry" detail {
            /// The key.
            key: ShownKey,
            /// The sequence number of the version.
            sequence: SeqNo,
            /// Put or tombstone.
            entry: ValueKind,
            /// Its fate, with the reason.
            verdict: Verdict,
            /// The entry that each input of the merge stands on; none in a flush, which has one input.
            heads: Vec<MergeHead>,
        } => {
            sentence |_| {
                let what = match entry {
                    ValueKind::Put => "The value",
                    ValueKind::Delete => "The tombstone",
                    ValueKind::RangeDelete => "The range tombstone",
                };
                format!("{what} of {key} with sequence number {sequence} {}.", judged(*verdict))
            };
            touches [read(Key(key.clone()))];
        }
        /// A flush or a compaction kept or dropped one range tombstone, or a part of one.
        MergeRange = "merge.range" detail {
            /// The range; of a tombstone that an output's end cuts, the part in this output.
            range: ShownRange,
            /// The sequence number of the range tombstone.
            sequence: SeqNo,
            /// Its fate, with the reason.
            verdict: Verdict,
        } => {
            sentence |_| format!(
                "The range tombstone over {range} with sequence number {sequence} {}.",
                judged(*verdict)
            );
            touches [read(Key(range.begin.clone()))];
        }
    } };
}

/// The verdict on an entry and its reason, as the end of a sentence.
pub(super) fn judged(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::KeptNewest => "is kept: it is the newest version of its key",
        Verdict::KeptForSnapshot => "is kept: a snapshot still reads it",
        Verdict::KeptTombstone => "is kept: it hides older data in deeper levels",
        Verdict::DroppedShadowed => {
            "is dropped as shadowed: a newer version hides it from every reader"
        }
        Verdict::DroppedRangeDeleted => {
            "is dropped: a newer range tombstone hides it from every reader"
        }
        Verdict::DroppedTombstone => "is dropped: it has nothing left to hide in deeper levels",
        Verdict::KeptChanged => "is kept with another value: the compaction filter changed it",
        Verdict::KeptAsTombstone => {
            "becomes a tombstone: the compaction filter removed it, and an older version may exist"
        }
        Verdict::DroppedByFilter => {
            "is dropped: the compaction filter removed it, and there is no older version"
        }
    }
}
