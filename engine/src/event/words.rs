//! The words that sentences are made of: counts, keys, lists, clauses.

use super::ShownKey;
use crate::storage::FileNumber;
use std::fmt::{self, Display, Write};

/// Most characters of a key in a sentence; the page and `inspect` show all of it.
const KEY_CHARACTERS_MAX: usize = 32;

/// Most numbers in a list before it is cut.
const LIST_MAX: usize = 6;

/// `1 record`, `2 records`.
pub(super) fn count(number: impl Into<Count>, noun: &str) -> String {
    let Count(number) = number.into();
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `1 byte`, `2 bytes`.
pub(super) fn bytes(number: impl Into<Count>) -> String {
    count(number, "byte")
}

/// `1 entry`, `2 entries`.
pub(super) fn entries(number: impl Into<Count>) -> String {
    let Count(number) = number.into();
    if number == 1 { "1 entry".to_owned() } else { format!("{number} entries") }
}

/// `L0`, `L1`.
pub(super) fn level(level: usize) -> String {
    format!("L{level}")
}

/// `table 7`, `tables 7 and 9`, `tables 1, 2 and 3`.
pub(super) fn tables(numbers: impl Iterator<Item = FileNumber>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    let noun = if numbers.len() == 1 { "table" } else { "tables" };
    format!("{noun} {}", list(&numbers))
}

/// `a`, `a and b`, `a, b and c`; long lists end in `and 4 more`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first @ .., last] if items.len() <= LIST_MAX => format!("{} and {last}", first.join(", ")),
        _ => {
            let shown = items.get(..LIST_MAX - 1).unwrap_or_default().join(", ");
            format!("{shown} and {} more", items.len() - (LIST_MAX - 1))
        }
    }
}

/// Foreign text as the last clause of a sentence: no control characters, no full stop of its own.
pub(super) fn clause(text: &str) -> String {
    let text: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() { "no reason is known".to_owned() } else { text.to_owned() }
}

/// A number of something, from any unsigned type.
pub(super) struct Count(u64);

impl From<u32> for Count {
    fn from(number: u32) -> Self {
        Self(u64::from(number))
    }
}

impl From<u64> for Count {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl From<usize> for Count {
    fn from(number: usize) -> Self {
        Self(number as u64)
    }
}

/// In quotes; letters and digits of any script and printable ASCII as they are, all other bytes as
/// `\xNN`; long keys are cut and tell their length.
impl Display for ShownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left, mut shown_bytes) = (KEY_CHARACTERS_MAX, 0);
        f.write_char('"')?;
        for chunk in self.head.utf8_chunks() {
            for character in chunk.valid().chars().take(left) {
                left -= 1;
                shown_bytes += character.len_utf8();
                match character {
                    '"' | '\\' => write!(f, "\\{character}")?,
                    ' '..='~' => f.write_char(character)?,
                    _ if character.is_alphanumeric() => f.write_char(character)?,
                    _ => escape(f, character.encode_utf8(&mut [0; 4]).as_bytes())?,
                }
            }
            for byte in chunk.invalid().iter().take(left) {
                left -= 1;
                shown_bytes += 1;
                escape(f, &[*byte])?;
            }
        }
        if shown_bytes < self.bytes {
            write!(f, "...\" ({} bytes)", self.bytes)
        } else {
            f.write_char('"')
        }
    }
}

fn escape(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))
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
        assert_eq!(show("M\u{fc}ller".as_bytes()), "\"M\u{fc}ller\"");
        assert_eq!(show("\u{202e}".as_bytes()), "\"\\xe2\\x80\\xae\"");
        assert_eq!(show(&[b'k'; 32]), format!("\"{}\"", "k".repeat(32)));
        assert_eq!(show(&[b'k'; 33]), format!("\"{}...\" (33 bytes)", "k".repeat(32)));
        assert_eq!(show(&[0xff; 5000]), format!("\"{}...\" (5000 bytes)", "\\xff".repeat(32)));
        assert_eq!(show("\u{e9}".repeat(20).as_bytes()), format!("\"{}\"", "\u{e9}".repeat(20)));
    }

    #[test]
    fn lists_read_like_english() {
        let items = |count: u64| tables(1..=count);
        assert_eq!(items(0), "tables none");
        assert_eq!(items(1), "table 1");
        assert_eq!(items(2), "tables 1 and 2");
        assert_eq!(items(3), "tables 1, 2 and 3");
        assert_eq!(items(6), "tables 1, 2, 3, 4, 5 and 6");
        assert_eq!(items(9), "tables 1, 2, 3, 4, 5 and 4 more");
        assert_eq!((bytes(1_u32), entries(1_u64), entries(0_u64)), {
            ("1 byte".to_owned(), "1 entry".to_owned(), "0 entries".to_owned())
        });
    }

    #[test]
    fn foreign_text_becomes_a_clause() {
        assert_eq!(clause("disk\nfull."), "disk full");
        assert_eq!(clause(" ... "), "no reason is known");
    }
}
