//! Leaf codecs: varints, fixed integers and checksums.
//!
//! [`Reader`] is the only way in which the engine reads bytes that it has not just written: every
//! step is checked, nothing panics, and a length is compared with the remaining bytes before it is used.

/// Most bytes of one varint.
pub(crate) const VARINT_BYTES_MAX: usize = 10;

/// Appends `value` as a LEB128 varint: 1 to 10 bytes, 7 bits each, lowest first.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Length of `value` as a varint \[bytes\].
pub(crate) fn varint_bytes(value: usize) -> usize {
    let bits = (usize::BITS - value.leading_zeros()).max(1);
    bits.div_ceil(7) as usize
}

/// Appends a varint length and the bytes.
pub fn put_length_prefixed(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Whether `bytes` are all 0. Sixteen are compared at once: files may have gigabytes of reserved or sparse space.
pub fn is_zero(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<16>();
    words.iter().all(|word| u128::from_le_bytes(*word) == 0) && rest.iter().all(|byte| *byte == 0)
}

/// Length of `bytes` without the zeros that they end in.
pub(crate) fn used_bytes(bytes: &[u8]) -> usize {
    let (rest, words) = bytes.as_rchunks::<16>();
    let used_words = words.iter().rposition(|word| u128::from_le_bytes(*word) != 0);
    let end = used_words.map_or(rest.len(), |last| rest.len() + 16 * (last + 1));
    let used = bytes.get(..end).unwrap_or(bytes);
    used.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1))
}

/// CRC-32 (IEEE) of the concatenation of `parts`.
pub fn crc32(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// CRC-32 (IEEE) of bytes with the checksum `before`, followed by `bytes`.
pub(crate) fn crc32_after(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

/// Length of the longest common prefix \[bytes\].
#[inline]
pub fn shared_prefix(left: &[u8], right: &[u8]) -> usize {
    let (left_words, _) = left.as_chunks::<8>();
    let (right_words, _) = right.as_chunks::<8>();
    let mut shared = 0;
    for (left, right) in left_words.iter().zip(right_words) {
        let different = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if different != 0 {
            return shared + different.trailing_zeros() as usize / 8;
        }
        shared += 8;
    }
    let (left, right) = (left.get(shared..), right.get(shared..));
    let rest = left.unwrap_or_default().iter().zip(right.unwrap_or_default());
    shared + rest.take_while(|(left, right)| left == right).count()
}

/// Reads untrusted bytes in order.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Bytes read so far.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The remaining bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// The next `count` bytes; `None`, reading nothing, when fewer are left.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.rest().get(..count)?;
        self.position += count;
        Some(taken)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.bytes(1)?.first().copied()
    }

    /// The next four bytes, little-endian.
    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    /// The next eight bytes, little-endian.
    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    /// The next varint; `None`, reading nothing, when it is cut off or exceeds 64 bits.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for (index, byte) in self.rest().iter().take(VARINT_BYTES_MAX).enumerate() {
            let bits = u64::from(byte & 0x7f);
            if index == VARINT_BYTES_MAX - 1 && bits > 1 {
                return None;
            }
            value |= bits << (7 * index);
            if byte & 0x80 == 0 {
                self.position += index + 1;
                return Some(value);
            }
        }
        None
    }

    /// The next varint as a length that must not exceed the remaining bytes.
    pub fn length(&mut self) -> Option<usize> {
        let before = *self;
        let length = self.varint().and_then(|length| usize::try_from(length).ok());
        let length = length.filter(|length| *length <= self.rest().len());
        if length.is_none() {
            *self = before;
        }
        length
    }

    /// A varint length and that many bytes.
    pub fn length_prefixed(&mut self) -> Option<&'a [u8]> {
        let count = self.length()?;
        self.bytes(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_counted_from_the_end() {
        for length in 0..70 {
            let mut bytes = vec![0; length];
            assert!(is_zero(&bytes) && used_bytes(&bytes) == 0);
            for at in 0..length {
                bytes[at] = 1;
                assert!(!is_zero(&bytes));
                assert_eq!(used_bytes(&bytes), at + 1, "{length}");
            }
        }
    }

    #[test]
    fn varints_round_trip_at_every_width() {
        for shift in 0..64 {
            for value in [1_u64 << shift, (1 << shift) - 1, u64::MAX >> shift] {
                let mut bytes = Vec::new();
                put_varint(&mut bytes, value);
                let mut reader = Reader::new(&bytes);
                assert_eq!(reader.varint(), Some(value));
                assert!(reader.is_empty());
                for cut in 0..bytes.len() {
                    assert_eq!(Reader::new(&bytes[..cut]).varint(), None);
                }
            }
        }
    }

    #[test]
    fn common_prefixes_of_all_lengths() {
        for length in 0..40 {
            let left: Vec<u8> = (0..length).collect();
            for at in 0..usize::from(length) {
                let mut right = left.clone();
                right[at] ^= 0x80;
                assert_eq!(shared_prefix(&left, &right), at);
                assert_eq!(shared_prefix(&left, &right[..at]), at);
                assert_eq!(shared_prefix(&left[..at], &left), at);
            }
            assert_eq!(shared_prefix(&left, &left), usize::from(length));
        }
    }

    #[test]
    fn varint_beyond_64_bits_is_refused() {
        assert_eq!(Reader::new(&[0xff; 10]).varint(), None);
        let mut bytes = [0xff; 10];
        bytes[9] = 2;
        assert_eq!(Reader::new(&bytes).varint(), None);
        bytes[9] = 1;
        assert_eq!(Reader::new(&bytes).varint(), Some(u64::MAX));
    }

    #[test]
    fn lengths_never_exceed_what_is_left() {
        let mut bytes = Vec::new();
        put_length_prefixed(&mut bytes, b"abc");
        assert_eq!(Reader::new(&bytes).length_prefixed(), Some(&b"abc"[..]));
        bytes.pop();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.length_prefixed(), None);
        assert_eq!(reader.position(), 0);
    }
}
