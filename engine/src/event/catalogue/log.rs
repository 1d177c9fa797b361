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
            patches |_| {
                let log = WalView {
                    wal: *wal,
                    bytes: *bytes,
                    written_bytes: *bytes,
                    synced_bytes: 0,
                    records: 0,
                    written_records: 0,
                    synced_records: 0,
                    closed: false,
                };
                [Patch::Log { edit: Edit::Add(log) }]
            };
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
            patches |_| {
                let (bytes, records) = (Some(*bytes), Some(*records));
                let appended = LogChange { bytes, records, ..LogChange::default() };
                let change = match buffered_bytes {
                    0 => LogChange { written_bytes: bytes, written_records: records, ..appended },
                    _ => appended,
                };
                [Patch::log(*wal, change)]
            };
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
            patches |_| {
                let (written_bytes, written_records) = (Some(*bytes), Some(*records));
                [Patch::log(*wal, LogChange { written_bytes, written_records, ..LogChange::default() })]
            };
        }
        /// A log was synced: all of it is durable.
        WalSync = "wal.sync" phase {
            /// The log.
            wal: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
            /// How much of it is durable \[bytes\]: all but a mark that was written afterwards.
            synced_bytes: u64,
            /// Its records.
            records: u64,
        } => {
            sentence |_| {
                let records = format!(" with {}", text::counted(*records, "record"));
                format!("WAL {wal} was synced: {}.", durable(*bytes, *synced_bytes, &records))
            };
            touches [changed(Log(*wal))];
            patches |_| {
                let synced_bytes = Some(*synced_bytes);
                [Patch::log(*wal, LogChange { synced_bytes, ..LogChange::durable(*bytes, *records) })]
            };
        }
        /// A log got its clean end and takes no more records.
        WalClose = "wal.close" phase {
            /// The log.
            wal: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
            /// Its records.
            records: u64,
        } => {
            sentence |_| format!(
                "WAL {wal} was closed with a clean-end record and synced; it has {}.",
                text::bytes(*bytes)
            );
            touches [changed(Log(*wal))];
            patches |_| {
                let closed = Some(true);
                [Patch::log(*wal, LogChange { closed, ..LogChange::durable(*bytes, *records) })]
            };
        }
        /// Writing or syncing a log failed: nothing more is written to it.
        WalFailed = "wal.failed" phase {
            /// The log as it is known to be.
            log: WalView,
        } => {
            sentence |_| format!(
                "Writing WAL {} failed; the durable part of it has {} with {}.",
                log.wal,
                text::bytes(log.synced_bytes),
                text::counted(log.synced_records, "record")
            );
            touches [changed(Log(log.wal))];
            patches |_| [Patch::log(log.wal, LogChange::to(log))];
        }
        /// An obsolete log was deleted.
        WalDelete = "wal.delete" phase {
            /// The log.
            wal: FileNumber,
        } => {
            sentence |_| format!("WAL {wal} was deleted: recovery does not need it any more.");
            touches [removed(Log(*wal))];
            patches |_| [Patch::Log { edit: Edit::Remove(*wal) }];
        }
    } };
}
