//! Merge operators that are known by name.

/// How merge operands become a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MergeOperator {
    /// RocksDB's `StringAppendOperator`: the value and the operands, oldest first, with a delimiter in between.
    Append(Vec<u8>),
    /// Another one, or none: the operands are shown and no value is made up.
    #[default]
    Unknown,
}

impl MergeOperator {
    /// `base`, where there is one, and `operands`, the oldest first; `None` when the operator is not known.
    pub fn apply(&self, base: Option<&[u8]>, operands: &[Vec<u8>]) -> Option<Vec<u8>> {
        let Self::Append(delimiter) = self else { return None };
        let parts = base.into_iter().chain(operands.iter().map(Vec::as_slice));
        let mut joined = Vec::new();
        for (place, part) in parts.enumerate() {
            if place > 0 {
                joined.extend_from_slice(delimiter);
            }
            joined.extend_from_slice(part);
        }
        Some(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::MergeOperator;

    #[test]
    fn operands_are_appended_oldest_first() {
        let operator = MergeOperator::Append(b",".to_vec());
        let operands = [b"b".to_vec(), b"c".to_vec()];
        assert_eq!(operator.apply(Some(b"a"), &operands).as_deref(), Some(b"a,b,c".as_slice()));
        assert_eq!(operator.apply(None, &operands).as_deref(), Some(b"b,c".as_slice()));
        assert_eq!(MergeOperator::Unknown.apply(None, &operands), None);
    }
}
