//! Numbers, sizes, times and keys in sentences.

pub use levelscope::text::{count as number, counted as count, size as bytes};

/// Numbers of pictures and sentences need no more precision than a screen has.
#[expect(clippy::cast_precision_loss, reason = "a screen shows no more than a few digits")]
pub(crate) fn plain(number: u64) -> f64 {
    number as f64
}

/// `bytes` as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(*DIGITS.get(usize::from(nibble)).unwrap_or(&b'?'));
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// `12 %`, `7.4 %`; `less than 0.1 %` for a small part that is not nothing.
pub fn percent(part: u64, whole: u64) -> String {
    percentage(share(part, whole))
}

/// As [`percent`], of a share from 0 to 1.
pub fn percentage(share: f64) -> String {
    let value = share * 100.0;
    if value > 0.0 && value < 0.1 {
        return "less than 0.1 %".to_owned();
    }
    if value < 9.95 && value.fract() != 0.0 {
        return format!("{value:.1} %");
    }
    format!("{:.0} %", value.round())
}

/// A part of a whole, from 0 to 1; 0 when the whole is nothing.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { plain(part) / plain(whole) }
}

/// `740 µs`, `4.2 ms`, `3.1 s`, `2 min 5 s`, `2.5 h`
pub fn duration(micros: u64) -> String {
    let time = plain(micros);
    if micros < 1000 {
        format!("{micros} µs")
    } else if micros < 1_000_000 {
        format!("{:.1} ms", time / 1e3)
    } else if micros < 60_000_000 {
        format!("{:.1} s", time / 1e6)
    } else if micros < 7_200_000_000 {
        let seconds = micros.saturating_add(500_000) / 1_000_000;
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else {
        format!("{:.1} h", time / 3.6e9)
    }
}

/// `2026-11-25 14:44:34.196 UTC`, of microseconds since 1970; the fraction only where `with_fraction`. Times that are
/// known to the second have none.
pub fn moment(micros: u64, with_fraction: bool) -> String {
    let (days, rest) = (micros / 86_400_000_000, micros % 86_400_000_000);
    // Years begin in March here, so that the leap day is the last one (Howard Hinnant's `civil_from_days`).
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    let seconds = rest / 1_000_000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if with_fraction && !rest.is_multiple_of(1_000_000) {
        format!(".{:03}", rest / 1000 % 1000)
    } else {
        String::new()
    };
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction} UTC")
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

/// Printable text unchanged; control characters, invalid bytes, bidi controls and the backslash escaped.
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
    out.push_str(&hex(&[byte]));
}

/// `a, b and c`
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The first `most` items, and how many more there are: `a, b and 3 more`.
pub(crate) fn few(mut items: Vec<String>, most: usize) -> String {
    if items.len() > most {
        let more = items.split_off(most).len();
        items.push(format!("{} more", number(more as u64)));
    }
    listed(&items)
}

/// `family "users"`
pub fn family(name: &str) -> String {
    format!("family {}", key(name.as_bytes()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn shares_times_and_keys() {
        assert_eq!(
            (percent(1, 8), percent(1, 5000), percent(0, 0), percent(7, 95), percent(1, 10)),
            ("13 %".into(), "less than 0.1 %".into(), "0 %".into(), "7.4 %".into(), "10 %".into())
        );
        assert_eq!((duration(4200), duration(3_100_000)), ("4.2 ms".into(), "3.1 s".into()));
        assert_eq!(duration(125_000_000), "2 min 5 s");
        assert_eq!(duration(9_000_000_000), "2.5 h");
        assert_eq!(moment(1_764_081_874_000_000, true), "2025-11-25 14:44:34 UTC");
        assert_eq!(moment(0, false), "1970-01-01 00:00:00 UTC");
        assert_eq!(moment(951_782_400_000_000, false), "2000-02-29 00:00:00 UTC");
        assert_eq!(moment(1_764_081_874_196_999, true), "2025-11-25 14:44:34.196 UTC");
        assert_eq!(key(b"a\\\xff\n\""), r#""a\\\xff\x0a\"""#);
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
