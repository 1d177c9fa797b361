//! The result of `share`.

use crate::history::Step;
use serde::Serialize;

results! {
    /// `share`: commands that lead from an empty database to this one; they have been tried.
    ShareResult {
        /// The commands as a script, with the options of the database in its first line.
        script: String,
        /// The same as a lesson, to be finished by hand.
        lesson: String,
        /// The same as a test in Rust.
        test: String,
        /// The last step of each command here.
        ends: Vec<Step>,
    }
}
