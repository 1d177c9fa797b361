//! A range of keys, as events and views carry it.

use super::ShownKey;
use std::fmt;

/// The keys of a range delete: from its beginning up to, but not including, its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShownRange {
    /// The first key.
    pub begin: ShownKey,
    /// The key before which it ends; none: it has no end.
    pub end: Option<ShownKey>,
}

impl ShownRange {
    /// The range from `begin` up to `end`; an empty end stands for the end of all keys.
    pub fn new(begin: &[u8], end: &[u8]) -> Self {
        Self { begin: ShownKey::new(begin), end: (!end.is_empty()).then(|| ShownKey::new(end)) }
    }
}

/// As intervals are written: the bracket of an end that is not included is round.
impl fmt::Display for ShownRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.end {
            Some(end) => write!(f, "[{}, {end})", self.begin),
            None => write!(f, "[{}, end of all keys)", self.begin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_written_as_an_interval() {
        assert_eq!(ShownRange::new(b"a", b"m").to_string(), r#"["a", "m")"#);
        assert_eq!(ShownRange::new(b"a", b"").to_string(), r#"["a", end of all keys)"#);
    }
}
