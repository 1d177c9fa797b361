//! Transactions. The fields `writes`, `write_bytes` and `reads` are totals after the event.

macro_rules! transactions {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// A transaction begins.
        OpBegin = "op.begin" operation {
            /// Its number.
            transaction: TransactionId,
            /// The sequence number that it reads at.
            sequence: SeqNo,
            /// Its isolation level.
            isolation: Isolation,
        } => {
            sentence |_| format!(
                "Transaction {transaction} begins and reads at sequence number {sequence}; {}.",
                match isolation {
                    Isolation::Snapshot => "its writes are checked when it commits",
                    Isolation::Serializable => {
                        "its writes and all that it reads are checked when it commits"
                    }
                }
            );
            touches [made(Transaction(*transaction))];
            patches |_| {
                let begun = TransactionView {
                    transaction: *transaction,
                    sequence: *sequence,
                    isolation: *isolation,
                    writes: 0,
                    write_bytes: 0,
                    reads: 0,
                };
                [Patch::Transaction { edit: Edit::Add(begun) }]
            };
            begins Operation;
        }
        /// A transaction writes; no other reader sees the write before the commit.
        OpBuffer = "op.buffer" operation {
            /// Its number.
            transaction: TransactionId,
            /// The key.
            key: ShownKey,
            /// Put or tombstone.
            entry: ValueKind,
            /// Length of the value \[bytes\].
            value_bytes: usize,
            /// Keys that it would write now.
            writes: u64,
            /// The same as a batch \[bytes\].
            write_bytes: u64,
        } => {
            sentence |_| {
                let what = match entry {
                    ValueKind::Put => {
                        format!("puts {key} with a value of {}", text::bytes(*value_bytes))
                    }
                    ValueKind::Delete => format!("deletes {key}"),
                    ValueKind::RangeDelete => format!("deletes the keys from {key} on"),
                };
                let verb = if *writes == 1 { "is" } else { "are" };
                format!(
                    "Transaction {transaction} {what}; its {} {verb} private until it commits.",
                    text::counted(*writes, "write")
                )
            };
            touches [changed(Transaction(*transaction)), changed(Key(key.clone()))];
            patches |_| {
                let (writes, write_bytes) = (Some(*writes), Some(*write_bytes));
                [Patch::transaction(*transaction, TransactionChange { writes, write_bytes, reads: None })]
            };
            begins Operation;
        }
        /// A transaction deletes all keys of a range; no other reader sees it before the commit.
        OpBufferRange = "op.buffer_range" operation {
            /// Its number.
            transaction: TransactionId,
            /// The range.
            range: ShownRange,
            /// Keys and ranges that it would write now.
            writes: u64,
            /// The same as a batch \[bytes\].
            write_bytes: u64,
        } => {
            sentence |_| {
                let verb = if *writes == 1 { "is" } else { "are" };
                format!(
                    "Transaction {transaction} deletes the range {range}; its {} {verb} private until it commits.",
                    text::counted(*writes, "write")
                )
            };
            touches [changed(Transaction(*transaction)), changed(Key(range.begin.clone()))];
            patches |_| {
                let (writes, write_bytes) = (Some(*writes), Some(*write_bytes));
                [Patch::transaction(*transaction, TransactionChange { writes, write_bytes, reads: None })]
            };
            begins Operation;
        }
        /// A transaction gets a key.
        OpRead = "op.read" operation {
            /// Its number.
            transaction: TransactionId,
            /// The key.
            key: ShownKey,
            /// Whether it has a value for the transaction.
            found: bool,
            /// Whether the transaction itself has written the key.
            own: bool,
            /// Lookups and iterators so far.
            reads: u64,
        } => {
            sentence |_| {
                let what = match (found, own) {
                    (true, true) => "finds its own write",
                    (false, true) => "finds its own delete",
                    (true, false) => "finds the value of its snapshot",
                    (false, false) => "finds nothing in its snapshot",
                };
                format!("Transaction {transaction} gets {key} and {what}.")
            };
            touches [changed(Transaction(*transaction)), read(Key(key.clone()))];
            patches |_| {
                let change = TransactionChange { reads: Some(*reads), ..Default::default() };
                [Patch::transaction(*transaction, change)]
            };
            begins Operation;
        }
        /// A transaction opens an iterator.
        OpReadRange = "op.read_range" operation {
            /// Its number.
            transaction: TransactionId,
            /// Lookups and iterators so far.
            reads: u64,
        } => {
            sentence |_| format!(
                "Transaction {transaction} opens an iterator over its snapshot and its own writes."
            );
            touches [changed(Transaction(*transaction))];
            patches |_| {
                let change = TransactionChange { reads: Some(*reads), ..Default::default() };
                [Patch::transaction(*transaction, change)]
            };
            begins Operation;
        }
        /// A transaction commits.
        OpCommit = "op.commit" operation {
            /// Its number.
            transaction: TransactionId,
            /// Writes; 0, and nothing is written, when it only read.
            count: u32,
            /// Their length in the log \[bytes\].
            bytes: usize,
            /// The sequence number of its first write; the others follow without gaps.
            first_sequence: SeqNo,
        } => {
            sentence |_| match count {
                0 => format!("Transaction {transaction} commits; it only read, so nothing is written."),
                _ => format!(
                    "Transaction {transaction} commits {} in {}, with sequence numbers from \
                     {first_sequence} on.",
                    text::counted(*count, "write"),
                    text::bytes(*bytes)
                ),
            };
            touches [removed(Transaction(*transaction))];
            patches |_| [Patch::Transaction { edit: Edit::Remove(*transaction) }];
            begins Operation;
        }
        /// A transaction cannot commit: the first committer wins, and it has ended.
        OpConflict = "op.conflict" operation {
            /// Its number.
            transaction: TransactionId,
            /// The key that was committed meanwhile.
            key: ShownKey,
            /// Whether the transaction has read the key; otherwise it writes it.
            read: bool,
            /// The sequence number that it reads at.
            sequence: SeqNo,
            /// The sequence number of the other commit.
            winner: SeqNo,
        } => {
            sentence |_| {
                let relation = if *read { "has read" } else { "writes" };
                format!(
                    "Transaction {transaction} conflicts on {key}, which it {relation}: another transaction \
                     committed it with sequence number {winner}, after the snapshot of transaction \
                     {transaction} at {sequence}."
                )
            };
            touches [removed(Transaction(*transaction)), self::read(Key(key.clone()))];
            patches |_| [Patch::Transaction { edit: Edit::Remove(*transaction) }];
            begins Operation;
        }
        /// A transaction is rolled back.
        OpRollback = "op.rollback" operation {
            /// Its number.
            transaction: TransactionId,
            /// Keys that it would have written.
            writes: u64,
        } => {
            sentence |_| match writes {
                0 => format!("Transaction {transaction} is rolled back; it had written nothing."),
                1 => format!("Transaction {transaction} is rolled back: its write is forgotten."),
                _ => format!(
                    "Transaction {transaction} is rolled back: its {writes} writes are forgotten."
                ),
            };
            touches [removed(Transaction(*transaction))];
            patches |_| [Patch::Transaction { edit: Edit::Remove(*transaction) }];
            begins Operation;
        }
    } };
}
