//! The result of `compare`.

use levelscope::view::View;

results! {
    /// `compare`: the same commands on two configurations, each in a branch of its own.
    CompareResult {
        /// Both, in the order in which they were named.
        sides: Vec<CompareSide>,
        /// The commands that ran on both, in order.
        commands: Vec<CompareCommand>,
        /// Limits of the comparison, as sentences.
        notes: Vec<String>,
    }
    /// One configuration.
    CompareSide {
        /// As it was typed: `tiered`.
        title: String,
        /// The number of its branch.
        branch: usize,
        /// The name of its branch.
        name: String,
        /// The options that differ between the sides.
        options: Vec<CompareOption>,
        /// The last step of its opening.
        opened: u64,
        /// The last step of all.
        steps: u64,
        /// Its figures over time, by ascending step; at every end of a command there is one.
        moments: Vec<CompareMoment>,
        /// Its tree at the end.
        view: View,
        /// Its figures at the end.
        outcome: CompareOutcome,
    }
    /// An option and its value.
    CompareOption {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    }
    /// One command that ran on both sides.
    CompareCommand {
        /// As it was typed.
        text: String,
        /// The last step of the command on each side.
        ends: Vec<u64>,
        /// Why it failed, on each side.
        failures: Vec<Option<String>>,
    }
    /// The figures of one side right after a step.
    CompareMoment {
        /// The step.
        step: u64,
        /// Keys and values that the caller wrote so far \[bytes\].
        user_bytes: u64,
        /// Written so far to logs and by flushes and compactions \[bytes\].
        written_bytes: u64,
        /// Tables of all levels.
        tables: u64,
        /// All tables together \[bytes\].
        table_bytes: u64,
        /// Sorted runs of all levels: the tables that a lookup searches in the worst case.
        runs: u64,
    }
    /// The figures of one side at the end.
    #[derive(Default)]
    CompareOutcome {
        /// Keys and values that the caller wrote \[bytes\].
        user_bytes: u64,
        /// Appended to logs \[bytes\].
        wal_bytes: u64,
        /// Written by flushes \[bytes\].
        flush_bytes: u64,
        /// Written by compactions \[bytes\].
        compaction_bytes: u64,
        /// (log + flushes + compactions) / keys and values written.
        write_amplification: Option<f64>,
        /// Tables of all levels.
        tables: u64,
        /// Levels that have tables.
        levels: u64,
        /// Sorted runs of all levels.
        runs: u64,
        /// Lookups of keys that have a value, made on a copy of the files.
        lookups: u64,
        /// Tables searched by each of them, on average.
        searched_present: Option<f64>,
        /// Tables searched by each of as many lookups of keys that have none.
        searched_absent: Option<f64>,
        /// All tables together after a flush, on the copy \[bytes\].
        flushed_bytes: u64,
        /// All tables together after a full compaction, on the copy \[bytes\].
        live_bytes: u64,
        /// The former / the latter.
        space_amplification: Option<f64>,
    }
}
