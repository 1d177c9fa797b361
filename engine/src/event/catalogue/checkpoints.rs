//! Checkpoints: copies of the database at one moment.

macro_rules! checkpoints {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// The caller asks for a copy of the database as it is now.
        OpCheckpoint = "op.checkpoint" operation {
            /// The sequence number of the newest write in it.
            sequence: SeqNo,
            /// Tables of the version.
            tables: usize,
            /// Their length \[bytes\].
            bytes: u64,
            /// Memtables with entries.
            memtables: usize,
        } => {
            sentence |_| format!(
                "The caller asks for a checkpoint up to sequence number {sequence}: {} with {}, and {} with entries.",
                text::counted(*tables, "table"),
                text::bytes(*bytes),
                text::counted(*memtables, "memtable")
            );
            begins Operation;
        }
        /// A table is in the directory of a checkpoint.
        CheckpointTable = "checkpoint.table" phase {
            /// The table.
            table: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
            /// Whether it is a hard link to the same bytes; otherwise they were copied.
            linked: bool,
        } => {
            sentence |_| if *linked {
                format!("Table {table} was linked into the checkpoint: both directories share its {}.", text::bytes(*bytes))
            } else {
                format!("Table {table} was copied into the checkpoint: {}.", text::bytes(*bytes))
            };
            touches [read(Table(*table))];
        }
        /// The entries of a memtable were written as a log of a checkpoint, and synced.
        CheckpointLog = "checkpoint.log" phase {
            /// The log, in the directory of the checkpoint.
            wal: FileNumber,
            /// Entries in it.
            entries: u64,
            /// Its length \[bytes\].
            bytes: u64,
        } => {
            sentence |_| format!(
                "Log {wal} of the checkpoint was written and synced: {} of a memtable in {}.",
                text::counted(*entries, "entry"),
                text::bytes(*bytes)
            );
        }
        /// A checkpoint is whole and durable.
        CheckpointDone = "checkpoint.done" phase {
            /// The sequence number of the newest write in it.
            sequence: SeqNo,
            /// Tables that share their bytes with the source.
            tables_linked: u64,
            /// Tables whose bytes were copied.
            tables_copied: u64,
            /// Length of the copied tables \[bytes\].
            bytes_copied: u64,
        } => {
            sentence |_| format!(
                "The checkpoint up to sequence number {sequence} is whole and durable: {} linked, {} copied ({}).",
                text::counted(*tables_linked, "table"),
                text::count(*tables_copied),
                text::bytes(*bytes_copied)
            );
            ends Operation;
        }
        /// A checkpoint failed; its directory is empty again, or refused as unfinished.
        CheckpointFailed = "checkpoint.failed" phase {
            /// The error, as a sentence.
            error: String,
        } => {
            sentence |_| format!("The checkpoint failed: {}.", text::clause(error));
            landmark Failure;
            ends Operation;
        }
    } };
}
