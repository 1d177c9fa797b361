//! The result of `stats`.

use levelscope::Stats;
use serde::Serialize;

results! {
    /// `stats`: the figures, and the same in words.
    StatsResult {
        /// The figures.
        #[serde(flatten)]
        #[cfg_attr(feature = "typescript", ts(flatten))]
        stats: Stats,
        /// Puts, deletes and deletes of ranges.
        writes: u64,
        /// The three amplifications.
        amplification: Vec<Amplification>,
        /// All other figures, in words.
        rows: Vec<StatsRow>,
    }
    /// One amplification.
    Amplification {
        /// Of what: write, read or space.
        name: &'static str,
        /// The ratio; `null` while its denominator is 0.
        ratio: Option<f64>,
        /// How it is computed.
        formula: &'static str,
        /// The formula with its numbers.
        terms: String,
    }
    /// Some figures that belong together.
    StatsRow {
        /// Their subject.
        name: &'static str,
        /// The figures, with their nouns.
        text: String,
    }
}
