//! Numbers, sizes, times and keys in sentences.

use crate::report::plain;

/// `1,234`
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 table`, `1,234 tables`
pub fn count(count: u64, one: &str) -> String {
    if count == 1 {
        return format!("1 {one}");
    }
    let many = match one.strip_suffix('y') {
        Some(stem) if !one.ends_with("key") => format!("{stem}ies"),
        _ => format!("{one}s"),
    };
    format!("{} {many}", number(count))
}

/// `512 bytes`, `18.2 KiB`
pub fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return count(bytes, "byte");
    }
    let mut size = plain(bytes) / 1024.0;
    let mut unit = "KiB";
    for larger in ["MiB", "GiB", "TiB", "PiB"] {
        if size < 1023.95 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    format!("{size:.1} {unit}")
}

/// `12 %`; `less than 1 %` for a small part that is not nothing.
pub fn percent(part: u64, whole: u64) -> String {
    if part > 0 && plain(part) * 200.0 < plain(whole) {
        return "less than 1 %".to_owned();
    }
    format!("{:.0} %", share(part, whole) * 100.0)
}

/// A part of a whole, from 0 to 1; 0 when the whole is nothing.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { plain(part) / plain(whole) }
}

/// `4.2 ms`, `3.1 s`, `2.5 min`
pub fn duration(micros: u64) -> String {
    let time = plain(micros);
    if micros < 1000 {
        format!("{micros} µs")
    } else if micros < 1_000_000 {
        format!("{:.1} ms", time / 1e3)
    } else if micros < 120_000_000 {
        format!("{:.1} s", time / 1e6)
    } else {
        format!("{:.1} min", time / 6e7)
    }
}

/// Bytes of a key that are shown.
const KEY_BYTES_MAX: usize = 60;

/// A key in quotes, escaped.
pub fn key(key: &[u8]) -> String {
    let mut out = String::from("\"");
    let shown = key.get(..KEY_BYTES_MAX).unwrap_or(key);
    out.push_str(&escaped(shown));
    if shown.len() < key.len() {
        out.push('…');
    }
    out.push('"');
    out
}

/// Printable text as it is; control characters, invalid bytes, bidi controls and the backslash escaped.
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            let bidi = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            match character {
                '\\' => out.push_str("\\\\"),
                '"' => out.push_str("\\\""),
                _ if bidi || character.is_control() => {
                    let mut buffer = [0; 4];
                    for byte in character.encode_utf8(&mut buffer).bytes() {
                        push_hex(&mut out, byte);
                    }
                }
                _ => out.push(character),
            }
        }
        for byte in chunk.invalid() {
            push_hex(&mut out, *byte);
        }
    }
    out
}

fn push_hex(out: &mut String, byte: u8) {
    out.push_str("\\x");
    out.push_str(&crate::problem::hex(&[byte]));
}

/// `a, b and c`
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `family "users"`
pub fn family(name: &str) -> String {
    format!("family {}", key(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sizes_and_keys() {
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(
            (count(1, "entry"), count(1000, "entry")),
            ("1 entry".into(), "1,000 entries".into())
        );
        assert_eq!(
            (bytes(1), bytes(18_637), bytes(1 << 20)),
            ("1 byte".into(), "18.2 KiB".into(), "1.0 MiB".into())
        );
        assert_eq!(
            (percent(1, 8), percent(1, 1000), percent(0, 0)),
            ("12 %".into(), "less than 1 %".into(), "0 %".into())
        );
        assert_eq!((duration(4200), duration(3_100_000)), ("4.2 ms".into(), "3.1 s".into()));
        assert_eq!(key(b"a\\\xff\n\""), r#""a\\\xff\x0a\"""#);
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
