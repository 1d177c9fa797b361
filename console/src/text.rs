//! Bytes as text that is safe to print and can be typed again, and numbers for people.

use std::fmt::Write as _;

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

/// `bytes` as printable text: control bytes, invisible characters and what is not UTF-8 as `\xNN`.
///
/// A backslash is doubled, so that no two byte strings look alike.
pub fn escape(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '\\' {
                out.push_str("\\\\");
            } else if is_printable(character) {
                out.push(character);
            } else {
                push_escaped(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        push_escaped(&mut out, chunk.invalid());
    }
    out
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

/// `bytes` as one word of the command language: escaped, and quoted where it would not be one word.
pub fn word(bytes: &[u8]) -> String {
    let text = escape(bytes);
    let special = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '{' | '}' | '#');
    let quote = text.is_empty()
        || text.starts_with("0x")
        || text.starts_with("--")
        || text.ends_with(',')
        || text.chars().any(special);
    if quote { format!("\"{}\"", text.replace('"', "\\\"")) } else { text }
}

/// [`word`], cut to about `limit` bytes of input, with the full length told when it was cut.
pub fn short_word(bytes: &[u8], limit: usize) -> String {
    match bytes.get(..limit) {
        Some(head) if head.len() < bytes.len() => {
            format!("{}... ({} bytes)", word(head), count(bytes.len() as u64))
        }
        _ => word(bytes),
    }
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

/// `1 table`, `2 tables`, `1,000 tables`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{stem}ies"),
        None if noun.ends_with('x') => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{} {plural}", count(number))
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
    fn words_are_quoted_where_needed() {
        assert_eq!(word(b""), "\"\"");
        assert_eq!(word(b"a b"), "\"a b\"");
        assert_eq!(word(b"say \"x\""), "\"say \\\"x\\\"\"");
        assert_eq!(word(b"0x12"), "\"0x12\"");
        assert_eq!(word(b"plain-1,2"), "plain-1,2");
        assert_eq!(short_word(b"abcdef", 3), "abc... (6 bytes)");
        assert_eq!(short_word(b"abc", 3), "abc");
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(2, "entry"), "2 entries");
        assert_eq!(counted(3, "key"), "3 keys");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(u64::MAX), "16777215.9 TiB");
    }
}
