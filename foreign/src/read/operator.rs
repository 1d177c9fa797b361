//! Merge operators that are known by name.

/// Joins merge operands to a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MergeOperator {
    /// RocksDB's `StringAppendOperator`: the value and the operands, oldest first, with a delimiter in between.
    Append(Vec<u8>),
    /// RocksDB's `UInt64AddOperator`: numbers of 8 bytes, little endian, are added; anything else counts as zero.
    Add,
    /// RocksDB's `MaxOperator`: the largest in the order of bytes.
    Max,
    /// RocksDB's `PutOperator`: the newest.
    Newest,
    /// RocksDB's `BytesXOR`: byte by byte; the rest of the longer one stays.
    Xor,
    /// Another one, or none: the operands are shown and no value is made up.
    #[default]
    Unknown,
}

impl MergeOperator {
    /// `base`, if any, and `operands`, the oldest first; `None` when the operator is not known.
    pub fn apply(&self, base: Option<&[u8]>, operands: &[Vec<u8>]) -> Option<Vec<u8>> {
        let mut parts = base.into_iter().chain(operands.iter().map(Vec::as_slice));
        let delimiter = match self {
            Self::Append(delimiter) => delimiter,
            Self::Add => {
                let number = |part: &[u8]| part.try_into().map_or(0, u64::from_le_bytes);
                let sum = parts.map(number).fold(0, u64::wrapping_add);
                return Some(sum.to_le_bytes().to_vec());
            }
            Self::Max => return parts.max().map(<[u8]>::to_vec),
            Self::Newest => return parts.next_back().map(<[u8]>::to_vec),
            Self::Xor => return Some(parts.fold(Vec::new(), xor)),
            Self::Unknown => return None,
        };
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

/// `joined` with the bytes of `part` in it.
fn xor(mut joined: Vec<u8>, part: &[u8]) -> Vec<u8> {
    for (byte, other) in joined.iter_mut().zip(part) {
        *byte ^= other;
    }
    joined.extend_from_slice(part.get(joined.len()..).unwrap_or_default());
    joined
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

    #[test]
    fn operators_of_the_library_do_as_it_does() {
        let number = |number: u64| number.to_le_bytes().to_vec();
        let base = number(40);
        let operands = [number(2), b"no number".to_vec()];
        assert_eq!(MergeOperator::Add.apply(Some(&base), &operands), Some(number(42)));
        let operands = [b"pear".to_vec(), b"fig".to_vec()];
        assert_eq!(MergeOperator::Max.apply(Some(b"apple"), &operands), Some(b"pear".to_vec()));
        assert_eq!(MergeOperator::Newest.apply(Some(b"apple"), &operands), Some(b"fig".to_vec()));
        let operands = [vec![1, 2, 3], vec![1]];
        assert_eq!(MergeOperator::Xor.apply(None, &operands), Some(vec![0, 2, 3]));
    }
}
