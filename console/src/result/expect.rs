//! The result of `expect`.

results! {
    /// `expect`.
    ExpectResult {
        /// The condition, as it can be typed.
        condition: String,
        /// Whether it holds.
        holds: bool,
        /// Whether it can be tested: its path leads somewhere, and the values can be compared.
        testable: bool,
        /// The part of the result that was looked at.
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        value: serde_json::Value,
        /// The verdict, as a sentence.
        sentence: String,
    }
}
