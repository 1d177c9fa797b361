//! Opening, and the failure after which a database has to be opened again.

use crate::event::WalEnd;
use crate::text;

macro_rules! recovery {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// Opening begins. A view begins anew here: nothing is known yet but the levels.
        RecoveryBegin = "recovery.begin" phase {
            /// Files of the database in the directory.
            files: usize,
            /// Other files in the directory, which are left alone.
            foreign_files: usize,
            /// The levels that the options ask for, all of them empty.
            levels: Vec<LevelView>,
        } => {
            sentence |_| {
                let foreign = match foreign_files {
                    0 => String::new(),
                    1 => "; 1 foreign file is left alone".to_owned(),
                    some => format!("; {} foreign files are left alone", text::count(*some as u64)),
                };
                let files = text::counted(*files, "file");
                format!("Opening begins: the directory has {files} of the database{foreign}.")
            };
            patches |_| [Patch::Reset { levels: levels.clone() }];
            landmark Recovery;
            begins Recovery;
        }
        /// The manifest was read.
        RecoveryManifest = "recovery.manifest" phase {
            /// The manifest.
            manifest: FileNumber,
            /// Where its last whole edit ends \[bytes\].
            bytes: u64,
            /// Its edits.
            edits: u64,
            /// Tables of the version that they give.
            tables: usize,
            /// The levels with their tables.
            levels: Vec<LevelView>,
        } => {
            sentence |_| format!(
                "Manifest {manifest} was read: {} {} a version of {}.",
                text::counted(*edits, "edit"),
                if *edits == 1 { "gives" } else { "give" },
                text::counted(*tables, "table")
            );
            touches [read(Manifest(*manifest))];
            patches |_| [
                Patch::Manifest {
                    manifest: *manifest,
                    bytes: *bytes,
                    edit: None,
                    synced: true,
                },
                Patch::Current { manifest: *manifest },
                Patch::Levels { levels: levels.clone() },
            ];
        }
        /// A log was replayed.
        RecoveryWal = "recovery.wal" phase {
            /// The log.
            wal: FileNumber,
            /// Its records.
            records: u64,
            /// Entries in its records.
            entries: u64,
            /// How it ends.
            end: WalEnd,
            /// The log and the immutable memtable made of it, or of it and the logs before it; none of a log without
            /// entries.
            kept: Option<RecoveredLog>,
        } => {
            sentence |_| format!(
                "WAL {wal} was replayed: {} with {}; {}.",
                text::counted(*records, "record"),
                text::counted(*entries, "entry"),
                ended(*end)
            );
            touches {
                let memtable = kept.iter().map(|kept| made(Memtable(kept.memtable.memtable)));
                std::iter::once(read(Log(*wal))).chain(memtable).collect::<Vec<_>>()
            };
            patches |_| kept.iter().flat_map(|kept| {
                // A memtable that has the log before, too, replaces its earlier state.
                let grown = (kept.memtable.wal != kept.log.wal)
                    .then_some(Patch::Memtable { edit: Edit::Remove(kept.memtable.memtable) });
                [Patch::Log { edit: Edit::Add(kept.log.clone()) }].into_iter().chain(grown).chain([
                    Patch::Memtable { edit: Edit::Add(kept.memtable.clone()) },
                    Patch::LastSequence { sequence: kept.last_sequence },
                ])
            }).collect::<Vec<_>>();
        }
        /// The database is open.
        RecoveryDone = "recovery.done" phase {
            /// The sequence number of the newest write.
            last_sequence: SeqNo,
            /// Whether it was created just now.
            new_database: bool,
            /// The empty memtable that takes the writes.
            memtable: MemtableView,
        } => {
            sentence |_| if *new_database {
                "The database is open; it is new and empty.".to_owned()
            } else {
                format!("The database is open; its last sequence number is {last_sequence}.")
            };
            touches [made(Memtable(memtable.memtable))];
            patches |_| [
                Patch::LastSequence { sequence: *last_sequence },
                Patch::Memtable { edit: Edit::Add(memtable.clone()) },
            ];
            landmark Creation if *new_database;
            ends Recovery;
        }
        /// A handle for reading moves to the newer state that it has read; a view begins anew with the events before.
        RefreshDone = "refresh.done" phase {
            /// The sequence number of the newest write that was shown.
            from: SeqNo,
            /// The sequence number of the newest write that is shown from now on.
            to: SeqNo,
            /// The sequence numbers of the snapshots that are held; they keep their state.
            snapshots: Vec<SeqNo>,
        } => {
            sentence |_| format!(
                "The reader shows a newer state: up to sequence number {to}, before it was {from}."
            );
            patches |_| {
                let held = |sequence: &SeqNo| Patch::Snapshot { sequence: *sequence, held: true };
                let cause = ReadOnlyCause::opened_for_reading();
                snapshots.iter().map(held).chain([Patch::ReadOnly { cause }]).collect::<Vec<_>>()
            };
        }
        /// A failure stopped all writing; reads go on; reopening recovers.
        DbReadOnly = "db.read_only" phase {
            /// The kind of the failure, for programs.
            failure: ErrorKind,
            /// The failure, as a sentence.
            error: String,
        } => {
            sentence |_| format!(
                "The database is read-only until it is reopened, because of a failure: {}.",
                text::clause(error)
            );
            patches |_| [Patch::ReadOnly {
                cause: ReadOnlyCause { kind: *failure, error: error.clone() },
            }];
            landmark Failure;
            outline Included;
        }
    } };
}

/// How a log ends, as a clause.
pub(super) fn ended(end: WalEnd) -> String {
    match end {
        WalEnd::Clean => "it ends cleanly".to_owned(),
        WalEnd::Open => "it ends after a whole record, without a clean end".to_owned(),
        WalEnd::Torn { bytes } => format!(
            "its last {} are a torn record, which was never acknowledged as durable",
            text::bytes(bytes)
        ),
    }
}
