//! The structured results of commands, but those that stand beside their verb; keys and values are written as
//! [`crate::text::escape`] writes them. Some commands return a type of the engine instead: `levels` a [`levelscope::view::View`].

use levelscope::event::MergeHead;
use levelscope::inspect::{Node, Part, Stretch};
use levelscope::view::WalView;
pub use levelscope_labs::{
    LabCell, LabChart, LabChartKind, LabClaimVerdict, LabColumn, LabFigure, LabInfo,
    LabOriginalVerdict, LabParameter, LabReport, LabSetting, LabSource, LabTable,
};

macro_rules! results {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)] #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
    )*};
}
pub(crate) use results;

mod compare;
mod expect;
mod lesson;
mod options;

pub use compare::{
    CompareCommand, CompareMoment, CompareOption, CompareOutcome, CompareResult, CompareSide,
};
pub use expect::ExpectResult;
pub use lesson::*;
pub use options::{OptionState, OptionsResult, PresetState};

results! {
    /// `put`, `del`, `batch`.
    WriteResult {
        /// Sequence number of the last operation.
        sequence: u64,
        /// Operations.
        count: u64,
    }
    /// `get`.
    GetResult {
        /// The key.
        key: String,
        /// Whether it has a value.
        found: bool,
        /// Whether its newest entry is a tombstone.
        deleted: bool,
        /// How the lookup ended, in words.
        outcome: String,
        /// The value, or its beginning.
        value: Option<String>,
        /// Length of the whole value \[bytes\].
        value_bytes: u64,
    }
    /// One entry of `scan` and `prefix`.
    EntryResult {
        /// The key.
        key: String,
        /// The value, or its beginning.
        value: String,
        /// Length of the whole value \[bytes\].
        value_bytes: u64,
    }
    /// `scan`, `prefix`.
    ScanResult {
        /// The entries found, in order.
        entries: Vec<EntryResult>,
        /// Whether there is more than the limit.
        more: bool,
    }
    /// One benchmark of `bench`.
    BenchResult {
        /// Its name.
        name: String,
        /// Operations done.
        operations: u64,
        /// Threads that did them.
        threads: u64,
        /// Time they took, summed over the threads \[nanoseconds\].
        nanos: u64,
        /// Time by the clock until all threads were done \[nanoseconds\].
        elapsed_nanos: u64,
        /// Keys and values written or scanned \[bytes\].
        bytes: u64,
        /// Keys found; none where nothing is looked up.
        found: Option<u64>,
        /// Key comparisons; none where they are not counted.
        comparisons: Option<u64>,
    }
    /// `stats --hash`.
    HashResult {
        /// The hash of the state, in hexadecimal digits.
        hash: String,
    }
    /// `stats --metrics`.
    MetricsResult {
        /// The metrics, in the text format of `OpenMetrics`.
        open_metrics: String,
    }
    /// `play`, `pause`.
    PlayResult {
        /// Whether background work goes on by itself.
        playing: bool,
    }
    /// `refresh`.
    RefreshResult {
        /// Whether there was a newer state.
        moved: bool,
        /// The sequence number of the last write on show; none where the database is written to here.
        #[serde(skip_serializing_if = "Option::is_none")]
        sequence: Option<u64>,
    }
    /// `reset`.
    ResetResult {
        /// Files that are deleted.
        files_deleted: u64,
    }
    /// `break` with breakpoints that are deleted.
    DeletedResult {
        /// Breakpoints that are deleted.
        deleted: usize,
    }
    /// `fill`.
    FillResult {
        /// Writes: pairs and, among words, deletes.
        entries: u64,
        /// Puts of a key that the same fill had written before.
        overwrites: u64,
        /// Deletes of a key that the same fill had written before.
        deletes: u64,
        /// Keys and values \[bytes\].
        bytes: u64,
        /// The seed that gives the same writes again.
        seed: u64,
    }
    /// `read`.
    ReadResult {
        /// Keys asked for.
        keys: u64,
        /// Keys that have a value.
        found: u64,
        /// Values \[bytes\].
        bytes: u64,
    }
    /// `count`.
    CountResult {
        /// Entries walked over.
        entries: u64,
        /// Keys and values \[bytes\].
        bytes: u64,
    }
    /// `corrupt`.
    CorruptResult {
        /// The branch that has the damage.
        branch: String,
        /// Name of the file.
        file: String,
        /// The bits that are flipped.
        mask: u8,
        /// The byte that has them \[bytes\].
        offset: u64,
    }
    /// `snapshot`.
    SnapshotResult {
        /// Its number, which `--snapshot` and `release` take.
        number: u64,
        /// The sequence number that it reads at.
        sequence: u64,
    }
    /// `put`, `del`, `batch` in a transaction.
    PendingResult {
        /// The transaction.
        transaction: u64,
        /// Keys that it would write now.
        writes: u64,
    }
    /// `begin`, and one entry of `transactions`.
    TransactionResult {
        /// Its number, which `--in`, `commit` and `rollback` take.
        number: u64,
        /// The sequence number that it reads at.
        sequence: u64,
        /// Whether it answers for what it has read.
        serializable: bool,
        /// Keys that it would write now.
        writes: u64,
        /// Lookups and scans so far.
        reads: u64,
        /// Whether commands that name no transaction belong to it.
        current: bool,
    }
    /// `commit`, and one entry of `rollback`.
    EndResult {
        /// The transaction.
        number: u64,
        /// Whether its writes are there now.
        committed: bool,
        /// Its writes.
        count: u64,
        /// Sequence number of the last write.
        sequence: Option<u64>,
    }
    /// `step`, `run`, `flush`, `compact`, `rotate`, `sync`.
    WorkResult {
        /// Whether anything was done or asked for.
        changed: bool,
        /// Steps made.
        steps: u64,
        /// Jobs finished.
        jobs: Vec<u64>,
        /// The operations and phases on the way, oldest first: the first 4,096.
        events: Vec<DoneEvent>,
        /// The next step, as a sentence.
        next: Option<String>,
    }
    /// One operation or phase that background work did.
    DoneEvent {
        /// Its step.
        step: u64,
        /// Its name: `flush.install`.
        name: String,
    }
    /// One link of `why`: the step, then its cause, and so on.
    CauseResult {
        /// The step.
        step: u64,
        /// The name of its event.
        name: String,
        /// The sentence of the event.
        sentence: String,
    }
    /// `merge`.
    MergeResult {
        /// The step after which the last entry was judged; 0: there was none.
        step: u64,
        /// Where the inputs stood then.
        heads: Vec<MergeHead>,
        /// The latest entries, in words, newest last.
        sentences: Vec<String>,
    }
    /// `back`, `forward`, `goto` and `now`.
    PlaceResult {
        /// The step that is looked at.
        step: u64,
        /// The newest one.
        last: u64,
        /// The sentence of its event; empty for `now`.
        sentence: String,
    }
    /// `wal`.
    WalResult {
        /// Logs on disk, oldest first.
        wals: Vec<WalView>,
    }
    /// `hex`.
    HexResult {
        /// Name of the file.
        file: String,
        /// Where the bytes begin \[bytes\].
        offset: u64,
        /// The bytes, two hexadecimal digits each.
        hex: String,
        /// Length of the whole file, or of all that is decoded \[bytes\].
        file_bytes: u64,
        /// The whole, with the parts that the bytes belong to and no others; without any for more
        /// than 16 KiB.
        root: Node,
    }
    /// `layout FILE --node PATH`.
    PartResult {
        /// Name of the file.
        file: String,
        /// Length of the whole file \[bytes\].
        file_bytes: u64,
        /// The node, the way to it, and some of its parts.
        part: Part,
    }
    /// `layout FILE --ribbon N`.
    RibbonResult {
        /// Name of the file.
        file: String,
        /// Length of the whole file \[bytes\].
        file_bytes: u64,
        /// The file from its first byte to its last, without gaps.
        stretches: Vec<Stretch>,
    }
    /// `export`.
    ExportedResult {
        /// Name of the archive, without its ending.
        name: String,
        /// Files in it.
        files: u64,
        /// All their bytes.
        bytes: u64,
    }
    /// One term, in `help TERM` and `help terms`.
    TermResult {
        /// As it is written in running text.
        name: String,
        /// Other words for the same thing.
        also: Vec<String>,
        /// Its definition, in one sentence.
        meaning: String,
    }
    /// One verb, in `help`.
    VerbResult {
        /// The word that is typed.
        name: String,
        /// Its heading.
        group: String,
        /// Its forms.
        usage: String,
        /// Its effect, in a sentence.
        purpose: String,
        /// Something to try.
        example: String,
    }
}
