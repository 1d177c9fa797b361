//! The write-ahead log. The fields `bytes` and `records` are totals after the event.

macro_rules! log {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// A log was created; its header is written, but not yet synced.
        WalCreate = "wal.create" phase {
            /// The log.
            wal: FileNumber,
            /// Length of its header \[bytes\].
            bytes: u64,
        } => {
            sentence |_| format!(
                "WAL {wal} was created with a header of {}.",
                text::bytes(*bytes)
            );
            touches [made(Log(*wal))];
        }
        /// A record was appended to a log.
        WalAppend = "wal.append" phase {
            /// The log.
            wal: FileNumber,
            /// Where the record begins \[bytes\].
            offset: u64,
            /// Length of the log, with the record \[bytes\].
            bytes: u64,
            /// Records of the log.
            records: u64,
            /// How much of the log is in memory only, until the next `wal.write` \[bytes\].
            buffered_bytes: u64,
        } => {
            sentence |_| {
                let waiting = match buffered_bytes {
                    0 => String::new(),
                    _ => format!("; the log's buffer holds {}", text::bytes(*buffered_bytes)),
                };
                let appended = text::bytes(bytes.saturating_sub(*offset));
                format!(
                    "Record {records} of WAL {wal} was appended at offset {offset}: {appended}{waiting}."
                )
            };
            touches [changed(Log(*wal))];
        }
        /// The buffer of a log was written to its file: it survives the death of the process.
        WalWrite = "wal.write" phase {
            /// The log.
            wal: FileNumber,
            /// Length of the file \[bytes\].
            bytes: u64,
            /// Records in the file.
            records: u64,
        } => {
            sentence |_| format!(
                "WAL {wal}'s buffer was written to its file, which now has {} with {}.",
                text::bytes(*bytes),
                text::counted(*records, "record")
            );
            touches [changed(Log(*wal))];
        }
        /// A log was synced: all of it is durable.
        WalSync = "wal.sync" phase {
            /// The log.
            wal: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
            /// Its records.
            records: u64,
        } => {
            sentence |_| format!(
                "WAL {wal} was synced: all its {} with {} are durable.",
                text::bytes(*bytes),
                text::counted(*records, "record")
            );
            touches [changed(Log(*wal))];
        }
        /// A log got its clean end and takes no more records.
        WalClose = "wal.close" phase {
            /// The log.
            wal: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
        } => {
            sentence |_| format!(
                "WAL {wal} was closed with a clean-end record and synced; it has {}.",
                text::bytes(*bytes)
            );
            touches [changed(Log(*wal))];
        }
        /// An obsolete log was deleted.
        WalDelete = "wal.delete" phase {
            /// The log.
            wal: FileNumber,
        } => {
            sentence |_| format!("WAL {wal} was deleted: tables hold everything that was in it.");
            touches [removed(Log(*wal))];
        }
    } };
}
