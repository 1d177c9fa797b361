//! A user key, or the beginning of a value, as events and views carry it.

use crate::coding::crc32;
use crate::limits::SHOWN_KEY_BYTES_MAX;
use crate::text;
use std::fmt;

/// Most characters of a key in a sentence; the page and `inspect` show all of it.
const KEY_CHARACTERS_MAX: usize = 32;

/// A user key, or a value, as events and views carry it: cut to [`SHOWN_KEY_BYTES_MAX`], with its full
/// length.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShownKey {
    /// The first bytes of the key; serialized as a string of one character (U+0000..U+00FF) a byte; the
    /// native program prints them as text.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_latin1"))]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub head: Vec<u8>,
    /// Length of the whole key \[bytes\].
    pub bytes: usize,
    /// Of a cut key, the CRC-32 of the bytes that `head` leaves out: it distinguishes keys with the same head and
    /// length. A whole key and a value have none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub rest: Option<u32>,
}

impl ShownKey {
    /// Cuts `user_key` for showing.
    pub fn new(user_key: &[u8]) -> Self {
        let (head, rest) = user_key.split_at(user_key.len().min(SHOWN_KEY_BYTES_MAX));
        let rest = (!rest.is_empty()).then(|| crc32(&[rest]));
        Self { head: head.to_vec(), bytes: user_key.len(), rest }
    }

    /// Cuts a value for showing. Its end is not read: values can be long, and are not compared.
    pub fn of_value(value: &[u8]) -> Self {
        let head = value.iter().take(SHOWN_KEY_BYTES_MAX).copied().collect();
        Self { head, bytes: value.len(), rest: None }
    }
}

/// Serializes bytes as a string of one character a byte, so that JavaScript compares them as bytes.
#[cfg(feature = "serde")]
pub fn serialize_latin1<S: serde::Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
}

/// In quotes, escaped as everywhere; a long key is cut, and its length follows.
impl fmt::Display for ShownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, shown_bytes) = text::escape_some(&self.head, KEY_CHARACTERS_MAX);
        let shown = shown.replace('"', "\\\"");
        if shown_bytes < self.bytes {
            write!(f, "\"{shown}...\" ({})", text::bytes(self.bytes as u64))
        } else {
            write!(f, "\"{shown}\"")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_keys_that_differ_only_in_their_last_byte_stay_different() {
        let [a, b] = [b'a', b'b'].map(|last| [vec![b'k'; 200], vec![last]].concat());
        assert_ne!(ShownKey::new(&a), ShownKey::new(&b));
        assert_eq!(ShownKey::new(&a), ShownKey::new(&a));
        assert_eq!(ShownKey::new(&a).to_string(), ShownKey::new(&b).to_string());
        assert_eq!(ShownKey::new(&[b'k'; SHOWN_KEY_BYTES_MAX]).rest, None, "a whole key");
    }

    #[test]
    fn keys_are_printable_and_short() {
        let show = |key: &[u8]| ShownKey::new(key).to_string();
        assert_eq!(show(b""), "\"\"");
        assert_eq!(show(b"user:1 a"), "\"user:1 a\"");
        assert_eq!(show(b"a\"\\\x00\x1b\xff"), "\"a\\\"\\\\\\x00\\x1b\\xff\"");
        assert_eq!(show("M\u{fc}ller \u{20ac}".as_bytes()), "\"M\u{fc}ller \u{20ac}\"");
        assert_eq!(show("\u{202e}".as_bytes()), "\"\\xe2\\x80\\xae\"");
        assert_eq!(show(&[b'k'; 32]), format!("\"{}\"", "k".repeat(32)));
        assert_eq!(show(&[b'k'; 33]), format!("\"{}...\" (33 bytes)", "k".repeat(32)));
        assert_eq!(show(&[0xff; 5000]), format!("\"{}...\" (5,000 bytes)", "\\xff".repeat(32)));
        assert_eq!(show("\u{e9}".repeat(20).as_bytes()), format!("\"{}\"", "\u{e9}".repeat(20)));
    }
}
