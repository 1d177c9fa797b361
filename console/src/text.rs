//! Text for people, and bytes as words that can be typed again.

pub use levelscope::text::{bytes, count, counted, decimal, escape, list, printable, ratio, size};

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

/// Whether a character cannot be seen where it stands, or changes the order of others: foreign text could contain
/// something else than it shows.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// [`word`], cut to about `limit` bytes of input, with the full length after it when it was cut.
pub fn short_word(bytes: &[u8], limit: usize) -> String {
    match bytes.get(..limit) {
        Some(head) if head.len() < bytes.len() => {
            format!("{}... ({})", word(head), self::bytes(bytes.len()))
        }
        _ => word(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        assert_eq!(word(b""), "\"\"");
        assert_eq!(word(b"a b"), "\"a b\"");
        assert_eq!(word(b"put \"x\""), "\"put \\\"x\\\"\"");
        assert_eq!(word(b"0x12"), "\"0x12\"");
        assert_eq!(word(b"plain-1,2"), "plain-1,2");
        assert_eq!(short_word(b"abcdef", 3), "abc... (6 bytes)");
        assert_eq!(short_word(b"abc", 3), "abc");
    }
}
