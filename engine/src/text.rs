//! Bytes and numbers as text: one escape, one number style and one plural everywhere.
//!
//! The page has the same rules in TypeScript, held to these by `tests/fixtures/text.json`.

use std::fmt::Write as _;

/// Most items of a list before it is cut.
const LIST_MAX: usize = 6;

/// Whether `character` may be printed as it is: it is no control, format, private or unassigned one.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // `escape_debug` of a string knows all of Unicode's tables; the `a` lets combining marks pass.
    let text: String = ['a', character].into_iter().collect();
    text.escape_debug().nth(1) == Some(character)
}

fn push_escaped(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(out, "\\x{byte:02x}");
    }
}

/// `bytes` as printable text: a tab as `\t`, line ends as `\n` and `\r`, other control bytes, invisible characters and
/// invalid UTF-8 as `\xNN`.
///
/// A backslash is doubled, so that no two byte strings look alike.
pub fn escape(bytes: &[u8]) -> String {
    escape_some(bytes, usize::MAX).0
}

/// The word after the backslash for `character`, if it has one.
fn escape_word(character: char) -> Option<&'static str> {
    match character {
        '\\' => Some("\\\\"),
        '\t' => Some("\\t"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        _ => None,
    }
}

/// [`escape`] of at most the first `limit` characters, and how many bytes these are; a byte that is not
/// UTF-8 counts as one character.
pub fn escape_some(bytes: &[u8], limit: usize) -> (String, usize) {
    // No character has more than four bytes, and later bytes are not looked at: values may be long.
    let bytes = bytes.get(..limit.saturating_mul(4)).unwrap_or(bytes);
    let mut out = String::with_capacity(bytes.len().min(limit));
    let (mut left, mut used) = (limit, 0);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars().take(left) {
            left -= 1;
            used += character.len_utf8();
            if let Some(word) = escape_word(character) {
                out.push_str(word);
            } else if is_printable(character) {
                out.push(character);
            } else {
                push_escaped(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        for byte in chunk.invalid().iter().take(left) {
            left -= 1;
            used += 1;
            push_escaped(&mut out, &[*byte]);
        }
    }
    (out, used)
}

/// Any text, made printable: for sentences of the engine and names of foreign files.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_printable(character) {
            out.push(character);
        } else {
            push_escaped(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    out
}

/// A number with its thousands set apart: `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many of something there are, from any unsigned type.
#[derive(Debug, Clone, Copy)]
pub struct Count(u64);

impl From<u32> for Count {
    fn from(number: u32) -> Self {
        Self(number.into())
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

/// `1 table`, `2 tables`, `1,000 tables`.
pub fn counted(number: impl Into<Count>, noun: &str) -> String {
    let Count(number) = number.into();
    let plural = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{stem}ies"),
        None if noun.ends_with('x') || noun.ends_with("sh") => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", count(number))
}

/// `1 byte`, `1,234 bytes`: the exact length.
pub fn bytes(number: impl Into<Count>) -> String {
    counted(number, "byte")
}

/// The system's description of `error`, as a clause, without its number, which means nothing to a reader.
pub fn system(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::NotFound {
        return "there is no such file or directory".to_owned();
    }
    let description = error.to_string();
    description
        .rsplit_once(" (os error ")
        .map_or(description.as_str(), |(reason, _)| reason)
        .to_owned()
}

/// `L0`, `L1`.
pub fn level(level: usize) -> String {
    format!("L{level}")
}

/// `table 7`, `tables 7 and 9`, `tables 1, 2 and 3`.
pub fn tables(numbers: impl Iterator<Item = u64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    let noun = if numbers.len() == 1 { "table" } else { "tables" };
    format!("{noun} {}", list(&numbers))
}

/// `a`, `a and b`, `a, b and c`; long lists end in `and 4 more`.
pub fn list(items: &[String]) -> String {
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
pub fn clause(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() { "no reason is known".to_owned() } else { text.to_owned() }
}

/// A size for people: `512 B`, `1.5 KiB`, `3.2 MiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut unit = "KiB";
    let mut divisor = 1024_u64;
    for larger in ["MiB", "GiB", "TiB"] {
        // The next unit begins where rounding would give 1024.0 of this one.
        if bytes / divisor < 1024 {
            break;
        }
        unit = larger;
        divisor = divisor.saturating_mul(1024);
    }
    let tenths = u128::from(bytes) * 10 / u128::from(divisor);
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// A number with its thousands set apart; a large one without decimals.
pub fn decimal(number: f64, digits: usize) -> String {
    let digits = if number.abs() < 1000.0 { digits } else { 0 };
    let text = format!("{number:.digits$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, part) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    format!("{sign}{whole}{part}")
}

/// A ratio with two digits; a dash while its denominator is 0.
pub fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_bytes_and_broken_text_are_escaped() {
        assert_eq!(escape(b"a\x00\x1b[31m\xff\\"), "a\\x00\\x1b[31m\\xff\\\\");
        assert_eq!(escape("gr\u{fc}n \u{202e}x".as_bytes()), "gr\u{fc}n \\xe2\\x80\\xaex");
        assert_eq!(escape("\u{85}\u{feff}".as_bytes()), "\\xc2\\x85\\xef\\xbb\\xbf");
    }

    #[test]
    fn the_beginning_of_a_long_text_is_escaped_as_the_whole_is() {
        for part in ["ab", "\u{20ac}", "\u{1f600}", "x\u{1f600}\u{fc}"] {
            for cut in [&b""[..], b"\xf0\x9f\x92", b"\xff"] {
                let text = [part.as_bytes(), cut].concat().repeat(40);
                for limit in 1..40 {
                    let (shown, used) = escape_some(&text, limit);
                    assert_eq!(shown, escape(&text[..used]), "{part} {cut:?} {limit}");
                    assert!(used >= limit && used <= 4 * limit, "{part} {cut:?} {limit}");
                }
            }
        }
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1_u64, "entry"), "1 entry");
        assert_eq!(counted(2_u64, "entry"), "2 entries");
        assert_eq!(counted(3_u64, "key"), "3 keys");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(u64::MAX), "16777215.9 TiB");
        assert_eq!(
            (bytes(1_u32), bytes(2048_usize)),
            ("1 byte".to_owned(), "2,048 bytes".to_owned())
        );
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
    }

    #[test]
    fn foreign_text_becomes_a_clause() {
        assert_eq!(clause("disk\nfull."), "disk full");
        assert_eq!(clause(" ... "), "no reason is known");
    }

    #[test]
    fn a_cut_text_names_the_number_of_its_bytes() {
        assert_eq!(escape_some("a\u{e9}\\b".as_bytes(), 3), ("a\u{e9}\\\\".to_owned(), 4));
        assert_eq!(escape_some(b"\xff\xfe", 1), ("\\xff".to_owned(), 1));
        assert_eq!(escape_some(b"", 3), (String::new(), 0));
    }
}
