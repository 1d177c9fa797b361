//! Tables that a flush or a compaction writes, and tables that are deleted.

macro_rules! tables {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// The file of a new table was created.
        TableCreate = "table.create" phase {
            /// The table.
            table: FileNumber,
            /// The level that it will enter, 0 is L0.
            level: usize,
        } => {
            sentence |job| format!("{job} created table {table} for {}.", text::level(*level));
            touches [made(Table(*table)), read(Level(*level))];
            patches |job| {
                let output = OutputView {
                    table: *table,
                    level: *level,
                    job,
                    blocks: Vec::new(),
                    filter_bytes: None,
                    index_bytes: None,
                    file_bytes: None,
                    synced: false,
                };
                [Patch::Output { edit: Edit::Add(output) }]
            };
        }
        /// A data block of a new table was written.
        TableBlock = "table.block" phase {
            /// The table.
            table: FileNumber,
            /// Number of the block in its table, from 1.
            index: u32,
            /// Its entries.
            entries: u32,
            /// Its length before compression \[bytes\].
            raw_bytes: u32,
            /// Its length in the file, without the trailer \[bytes\].
            stored_bytes: u32,
            /// Where it begins \[bytes\].
            offset: u64,
            /// Its first key.
            first: ShownKey,
            /// Its last key.
            last: ShownKey,
            /// Entries that the job has read so far.
            read: u64,
        } => {
            sentence |job| {
                let stored = if stored_bytes < raw_bytes {
                    format!("{stored_bytes} after Snappy")
                } else {
                    "stored uncompressed".to_owned()
                };
                format!(
                    "{job} wrote data block {index} of table {table}: {}, {}, {stored}.",
                    text::counted(*entries, "entry"),
                    text::bytes(*raw_bytes)
                )
            };
            touches [changed(Table(*table))];
            patches |job| {
                let block = BlockView {
                    index: *index,
                    entries: *entries,
                    raw_bytes: *raw_bytes,
                    stored_bytes: *stored_bytes,
                    offset: *offset,
                    first: first.clone(),
                    last: last.clone(),
                };
                [
                    Patch::Block { table: *table, block },
                    Patch::job(job, JobChange { entries_done: Some(*read), entries_total: None }),
                ]
            };
        }
        /// The filter of a new table was written.
        TableFilter = "table.filter" phase {
            /// The table.
            table: FileNumber,
            /// Keys in it.
            keys: u64,
            /// Its length \[bytes\].
            bytes: u64,
        } => {
            sentence |job| format!(
                "{job} wrote the filter of table {table}: {} in {}.",
                text::counted(*keys, "key"),
                text::bytes(*bytes)
            );
            touches [changed(Table(*table))];
            patches |_| {
                let change = OutputChange { filter_bytes: Some(*bytes), ..Default::default() };
                [Patch::output(*table, change)]
            };
        }
        /// The range tombstones of a new table were written.
        TableRanges = "table.ranges" phase {
            /// The table.
            table: FileNumber,
            /// Range tombstones.
            count: u64,
            /// Their length \[bytes\].
            bytes: u64,
        } => {
            sentence |job| format!(
                "{job} wrote {} of table {table} in {}.",
                text::counted(*count, "range tombstone"),
                text::bytes(*bytes)
            );
            touches [changed(Table(*table))];
        }
        /// Properties and index of a new table were written.
        TableIndex = "table.index" phase {
            /// The table.
            table: FileNumber,
            /// Data blocks that it points to.
            blocks: u32,
            /// Its length \[bytes\].
            bytes: u64,
        } => {
            sentence |job| format!(
                "{job} wrote the index of table {table}: {} in {}.",
                text::counted(*blocks, "data block"),
                text::bytes(*bytes)
            );
            touches [changed(Table(*table))];
            patches |_| {
                let change = OutputChange { index_bytes: Some(*bytes), ..Default::default() };
                [Patch::output(*table, change)]
            };
        }
        /// The footer of a new table was written: the file is whole.
        TableFooter = "table.footer" phase {
            /// The table.
            table: FileNumber,
            /// Length of the file \[bytes\].
            bytes: u64,
        } => {
            sentence |job| format!(
                "{job} wrote the footer of table {table}; the file is whole, with {}.",
                text::bytes(*bytes)
            );
            touches [changed(Table(*table))];
            patches |_| {
                let change = OutputChange { file_bytes: Some(*bytes), ..Default::default() };
                [Patch::output(*table, change)]
            };
        }
        /// A new table was synced: it is durable, but no version has it yet.
        TableSync = "table.sync" phase {
            /// The table.
            info: TableInfo,
            /// The level that it will enter, 0 is L0.
            level: usize,
        } => {
            sentence |job| format!(
                "{job} synced table {} for {}: {} from {} to {} in {} are durable.",
                info.table,
                text::level(*level),
                text::counted(info.entries, "entry"),
                info.smallest,
                info.largest,
                text::bytes(info.bytes)
            );
            touches [changed(Table(info.table)), read(Level(*level))];
            patches |_| {
                let (file_bytes, synced) = (Some(info.bytes), Some(true));
                [Patch::output(info.table, OutputChange { file_bytes, synced, ..Default::default() })]
            };
        }
        /// An obsolete table was deleted.
        TableDelete = "table.delete" phase {
            /// The table.
            table: FileNumber,
        } => {
            sentence |_| format!("Table {table} was deleted: it was obsolete, and no reader uses it.");
            touches [removed(Table(*table))];
        }
    } };
}
