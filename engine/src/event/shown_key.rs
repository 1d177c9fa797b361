//! A user key, or the beginning of a value, as events and views carry it.

use crate::limits::SHOWN_KEY_BYTES_MAX;
use crate::text;
use std::fmt;

/// Most characters of a key in a sentence; the page and `inspect` show all of it.
const KEY_CHARACTERS_MAX: usize = 32;

/// A user key, or a value, as events and views carry it: cut to [`SHOWN_KEY_BYTES_MAX`], with its full
/// length.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ShownKey {
    /// The first bytes of the key; serialized as a string of one character (U+0000..U+00FF) a byte; the
    /// native program prints them as text.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_latin1"))]
    #[cfg_attr(feature = "typescript", ts(type = "string"), schemars(with = "String"))]
    pub head: Vec<u8>,
    /// Length of the whole key \[bytes\].
    pub bytes: usize,
}

impl ShownKey {
    /// Cuts `user_key` for showing.
    pub fn new(user_key: &[u8]) -> Self {
        let head = user_key.iter().take(SHOWN_KEY_BYTES_MAX).copied().collect();
        Self { head, bytes: user_key.len() }
    }
}

/// Serializes bytes as a string of one character a byte, so that JavaScript compares them as bytes.
#[cfg(feature = "serde")]
pub fn serialize_latin1<S: serde::Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
}

/// In quotes, escaped as everywhere; long keys are cut and tell their length.
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
